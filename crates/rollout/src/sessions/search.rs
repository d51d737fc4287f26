//! Looks for a text in the items of all sessions, newest session first, one line in memory at a time.

use std::path::{Path, PathBuf};

use annals_protocol::RecordKind;

use crate::error::Error;
use crate::layout::{Home, RolloutName};
use crate::read::records::{Entry, ReadOptions, RecordReader};
use crate::read::source::open_stream;
use crate::sessions::walk::{Scope, Walk, walk};

/// Characters of a snippet before and behind what was found.
const BEFORE_CHARS: usize = 48;
const BEHIND_CHARS: usize = 96;

/// A place where the text stands.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hit {
    /// The file.
    pub path: PathBuf,
    /// What its name says.
    pub name: RolloutName,
    /// The one-based physical line.
    pub line: u64,
    /// Offset of the record in the (decompressed) file, in bytes.
    pub byte_offset: u64,
    /// The text and what stands around it, on one line.
    pub snippet: String,
}

/// Iterator over the hits of a search; made by [`search`].
#[derive(Debug)]
pub struct Search {
    walk: Walk,
    needle: Vec<u8>,
    hits_per_file: usize,
    pending: Vec<Hit>,
    unreadable_files: u64,
}

/// Looks for `text` in the response items of every session of a home, ASCII letter case aside.
///
/// At most `hits_per_file` hits a session. Files that can't be read are counted and passed over.
///
/// **Cost**: one pass over each file, as hits are asked for. **Bounds**: one line, and the hits of
/// one file.
///
/// # Errors
///
/// What the system says, if the sessions can't be listed.
pub fn search(
    home: &Home,
    text: &str,
    scope: Scope,
    hits_per_file: usize,
) -> Result<Search, Error> {
    // As it stands inside a JSON string; a quote at either end belongs to the encoding.
    let quoted = serde_json::Value::from(text).to_string();
    let needle = quoted
        .get(1..quoted.len() - 1)
        .unwrap_or_default()
        .as_bytes()
        .to_vec();
    let walk = walk(home, scope)?;
    Ok(Search {
        walk,
        needle,
        hits_per_file,
        pending: Vec::new(),
        unreadable_files: 0,
    })
}

impl Search {
    /// How many files could not be read so far.
    pub fn unreadable_files(&self) -> u64 {
        self.unreadable_files
    }

    fn look_into(&self, path: &Path, name: RolloutName) -> Result<Vec<Hit>, Error> {
        let stream = open_stream(path)?;
        let mut records = RecordReader::from_stream(path, stream, ReadOptions::structure_only());
        let mut hits = Vec::new();
        while hits.len() < self.hits_per_file {
            let Some(entry) = records.next()? else { break };
            let Entry::Record(record) = entry else {
                continue;
            };
            if record.envelope.kind != RecordKind::ResponseItem {
                continue;
            }
            let payload = record.envelope.payload;
            if let Some(at) = find_ignoring_case(payload.as_bytes(), &self.needle) {
                hits.push(Hit {
                    path: path.to_path_buf(),
                    name,
                    line: record.line,
                    byte_offset: record.byte_offset,
                    snippet: snippet(payload, at, at + self.needle.len()),
                });
            }
        }
        hits.reverse();
        Ok(hits)
    }
}

impl Iterator for Search {
    type Item = Result<Hit, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(hit) = self.pending.pop() {
                return Some(Ok(hit));
            }
            let found = match self.walk.next()? {
                Ok(found) => found,
                Err(error) => return Some(Err(error)),
            };
            match self.look_into(&found.path, found.name) {
                Ok(hits) => self.pending = hits,
                Err(_) => self.unreadable_files += 1,
            }
        }
    }
}

fn find_ignoring_case(text: &[u8], needle: &[u8]) -> Option<usize> {
    let first = *needle.first()?;
    let (lower, upper) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    let last_start = text.len().checked_sub(needle.len())?;
    let starts = text.get(..=last_start)?;
    memchr::memchr2_iter(lower, upper, starts).find(|&at| {
        text.get(at..at + needle.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(needle))
    })
}

/// What stands around a match in the text of a JSON value, as a person reads it.
fn snippet(json: &str, start: usize, end: usize) -> String {
    let start = json.floor_char_boundary(start);
    let end = json.ceil_char_boundary(end);
    let (before, behind) = (
        json.get(..start).unwrap_or_default(),
        json.get(end..).unwrap_or_default(),
    );
    let from = before
        .char_indices()
        .rev()
        .nth(BEFORE_CHARS - 1)
        .map_or(0, |(at, _)| at);
    // Not beyond the string that holds the match, as far as a cheap look shows.
    let from = before
        .rfind("\":\"")
        .map_or(from, |quote| from.max(quote + 3));
    let until = behind
        .char_indices()
        .nth(BEHIND_CHARS)
        .map_or(json.len(), |(at, _)| end + at);
    let until = closing_quote(behind).map_or(until, |quote| until.min(end + quote));
    let mut text = readable(json.get(from..until).unwrap_or_default());
    if from > 0 && !before.get(..from).unwrap_or_default().ends_with("\":\"") {
        text.insert_str(0, "... ");
    }
    if json.get(until..until + 1) != Some("\"") {
        text.push_str(" ...");
    }
    text
}

/// Where the string that goes on in `text` ends.
fn closing_quote(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes
        .get(at..)
        .and_then(|rest| memchr::memchr2(b'"', b'\\', rest))
    {
        at += found;
        if bytes.get(at) == Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
    None
}

/// Escapes read, white space collapsed.
fn readable(escaped: &str) -> String {
    let text = serde_json::from_str::<String>(&format!("\"{escaped}\"")).unwrap_or_else(|_| {
        // The cut may have gone through an escape; then it is shown as it stands.
        escaped
            .replace("\\n", " ")
            .replace("\\t", " ")
            .replace("\\\"", "\"")
    });
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
