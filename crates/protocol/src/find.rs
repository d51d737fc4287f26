//! Searches for keys in the text of records.
//!
//! A search looks for two bytes of its needle at once and compares where both stand. Which two is
//! chosen by how rare bytes are, and the usual choice for prose is a bad one for JSON: quotes and
//! colons are rare there, and everywhere here.

use std::sync::LazyLock;

use memchr::arch::all::packedpair::HeuristicFrequencyRank;
use memchr::memmem::{Finder, FinderBuilder};

/// How every writer of the format starts a record.
const RECORD_START: &[u8] = br#"{"timestamp""#;

/// How common a byte is in JSON that holds code and prose.
struct InJson;

impl HeuristicFrequencyRank for InJson {
    fn rank(&self, byte: u8) -> u8 {
        match byte {
            b'"' | b':' | b',' | b' ' | b'\\' => u8::MAX,
            // With a byte that is far behind it, it is rarer than the objects that it opens.
            b'{' => 30,
            b'j' | b'k' | b'q' | b'v' | b'w' | b'x' | b'z' => 40,
            b'b' | b'f' | b'g' | b'h' | b'm' | b'p' | b'y' => 60,
            b'c' | b'd' | b'l' | b'u' => 80,
            b'a' | b'e' | b'i' | b'n' | b'o' | b'r' | b's' | b't' => 200,
            _ => 100,
        }
    }
}

/// A searcher for a needle in the text of records.
pub(crate) fn finder(needle: &'static [u8]) -> Finder<'static> {
    FinderBuilder::new().build_forward_with_ranker(InJson, needle)
}

/// Where the next record starts on a line, behind its first byte: it lost the newline before it.
///
/// What is found is the text with which every writer of the format starts a record. Inside a string
/// its quotes would be escaped, so it can only be an object.
///
/// ```
/// let line = br#"{"timestamp":"2026-01-03T12:00:00.000Z","typ{"timestamp":"2026-01-03T12:00:01"#;
/// assert_eq!(annals_protocol::next_record_start(line), Some(44));
/// assert_eq!(annals_protocol::next_record_start(&line[..40]), None);
/// ```
pub fn next_record_start(line: &[u8]) -> Option<usize> {
    static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| finder(RECORD_START));
    FINDER.find(line.get(1..)?).map(|at| at + 1)
}

#[cfg(test)]
#[path = "find_tests.rs"]
mod tests;
