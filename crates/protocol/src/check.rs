//! What counts as valid JSON here, decided in one place and the same for every reader.
//!
//! The grammar is `serde_json`'s. Two things that it lets pass in values nobody looks at are
//! refused: nesting beyond [`MAX_DEPTH`] and lone surrogate escapes. Numbers are only checked for
//! their grammar: `1e400` is a fine number that nobody asked to fit into 64 bits.

use std::sync::LazyLock;

use memchr::{memchr, memchr_iter, memmem};
use serde::de::IgnoredAny;

use crate::DecodeError;
use crate::quick::is_surely_valid;
use crate::walk::skip_string;

/// How deep arrays and objects may stand inside each other, the outermost counted as 1.
///
/// It is the depth that `serde_json` takes by default, so that what passes here never fails there.
pub const MAX_DEPTH: usize = 127;

/// Checks that `text` is exactly one JSON value, apart from white space around it.
///
/// Cost: one pass over the text, plus two searches at memory speed.
///
/// # Errors
///
/// [`DecodeError::Syntax`], [`DecodeError::TooDeep`] or [`DecodeError::LoneSurrogate`], with the
/// byte at which it went wrong.
pub fn validate(text: &str) -> Result<(), DecodeError> {
    if is_surely_valid(text, 0) {
        return Ok(());
    }
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| syntax_error(text, &error))?;
    check_structure(text)
}

/// Whether `text` is one JSON value by its grammar alone.
pub(crate) fn is_grammatical(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// How an escape of half a surrogate pair starts.
static SURROGATES: LazyLock<[memmem::Finder<'static>; 2]> =
    LazyLock::new(|| [br"\ud", br"\uD"].map(memmem::Finder::new));

/// The two checks beyond the grammar, for a text that is known to be JSON.
pub(crate) fn check_structure(text: &str) -> Result<(), DecodeError> {
    let bytes = text.as_bytes();
    check_depth(bytes, MAX_DEPTH)?;
    if SURROGATES.iter().any(|finder| finder.find(bytes).is_some()) {
        check_surrogates(bytes)
    } else {
        Ok(())
    }
}

/// Turns `serde_json`'s line and column into an offset and keeps its words.
pub(crate) fn syntax_error(text: &str, error: &serde_json::Error) -> DecodeError {
    let lines_before = error.line().saturating_sub(1);
    let line_start = if lines_before == 0 {
        0
    } else {
        memchr_iter(b'\n', text.as_bytes())
            .nth(lines_before - 1)
            .map_or(0, |newline| newline + 1)
    };
    let message = error.to_string();
    // The position stands in our own field; serde_json repeats it at the end of its message.
    let reason = message
        .split(" at line ")
        .next()
        .unwrap_or(&message)
        .to_owned();
    DecodeError::Syntax {
        byte_offset: (line_start + error.column().saturating_sub(1)).min(text.len()),
        reason,
        is_eof: error.is_eof(),
    }
}

/// Whether arrays and objects of a text that is JSON stand more than `limit` deep in each other.
///
/// ```
/// use annals_protocol::is_deeper_than;
///
/// assert!(is_deeper_than(r#"{"a":[["[[["]]}"#, 2));
/// assert!(!is_deeper_than(r#"{"a":[["[[["]]}"#, 3));
/// ```
pub fn is_deeper_than(json: &str, limit: usize) -> bool {
    check_depth(json.as_bytes(), limit).is_err()
}

/// How many bytes open an array or an object, those in strings included.
fn n_openers(bytes: &[u8]) -> usize {
    // Both differ from each other in one bit. Blocks are short enough for their count to fit a byte,
    // and without a branch inside, so that they compile to a few vector instructions.
    let is_opener = |&byte: &u8| u8::from(byte & !0x20 == b'[');
    let (blocks, rest) = bytes.as_chunks::<128>();
    let in_block = |block: &[u8; 128]| usize::from(block.iter().map(is_opener).sum::<u8>());
    blocks.iter().map(in_block).sum::<usize>()
        + rest
            .iter()
            .map(|it| usize::from(is_opener(it)))
            .sum::<usize>()
}

fn check_depth(bytes: &[u8], limit: usize) -> Result<(), DecodeError> {
    // Only a text with many brackets is walked for its real depth.
    if n_openers(bytes) <= limit {
        return Ok(());
    }
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = skip_string(bytes, at).unwrap_or(bytes.len());
                continue;
            }
            b'{' | b'[' => {
                depth += 1;
                if depth > limit {
                    return Err(DecodeError::TooDeep {
                        byte_offset: at,
                        limit,
                    });
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

fn check_surrogates(bytes: &[u8]) -> Result<(), DecodeError> {
    let mut at = 0;
    // In JSON a backslash stands inside strings only, and always escapes the byte behind it.
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr(b'\\', rest)) {
        let backslash = at + found;
        at = match escaped_unit(bytes, backslash) {
            None => backslash + 2,
            Some(0xD800..=0xDBFF) => match escaped_unit(bytes, backslash + 6) {
                Some(0xDC00..=0xDFFF) => backslash + 12,
                _ => {
                    return Err(DecodeError::LoneSurrogate {
                        byte_offset: backslash,
                    });
                }
            },
            Some(0xDC00..=0xDFFF) => {
                return Err(DecodeError::LoneSurrogate {
                    byte_offset: backslash,
                });
            }
            Some(_) => backslash + 6,
        };
    }
    Ok(())
}

/// The UTF-16 unit of a `\uXXXX` escape that starts at `at`, if one does.
fn escaped_unit(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(br"\u")?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
