//! A piece of a damaged line, small enough to be shown, and which byte of it is meant.

use annals_rollout::{Fault, Lineage, Source};
use serde::Serialize;

/// How many bytes are shown before the place and behind it.
const SIDE_BYTES: u64 = 60;

/// A piece of a line around the place where reading it ended.
///
/// # Bounds and cost
///
/// At most 120 bytes of the line, and one read of as many.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LineWindow {
    /// The piece, as text: what is no UTF-8, or would move a cursor, is `\u{fffd}`.
    pub text: String,
    /// How many characters stand before the place that is meant.
    pub caret: usize,
    /// Whether the line has more before the piece.
    pub is_cut_before: bool,
    /// Whether the line has more behind the piece.
    pub is_cut_behind: bool,
}

impl LineWindow {
    /// The line around the byte at which a fault was seen; `None` if it can't be read any more.
    pub(crate) fn of_fault(lineage: &Lineage, fault: &Fault) -> Option<Self> {
        let mut segments = lineage.segments().iter();
        let segment = segments.find(|segment| segment.path() == fault.path())?;
        Self::around(segment.source().ok()?, fault.stop_offset())
    }

    fn around(source: &Source, at: u64) -> Option<Self> {
        let from = at.saturating_sub(SIDE_BYTES);
        let to = at.saturating_add(SIDE_BYTES).min(source.len_bytes());
        let mut bytes = Vec::new();
        let len_bytes = usize::try_from(to.checked_sub(from)?).ok()?;
        source.read_at(from, len_bytes, &mut bytes).ok()?;
        let (before, behind) = bytes.split_at_checked(usize::try_from(at - from).ok()?)?;
        let is_end = |byte: &u8| *byte == b'\n';
        let line_start = before.iter().rposition(is_end).map(|end| end + 1);
        let line_end = behind.iter().position(is_end);
        let before = before.get(line_start.unwrap_or(0)..)?;
        let behind = behind.get(..line_end.unwrap_or(behind.len()))?;
        let is_cut_before = line_start.is_none() && from > 0;
        // A character that was cut through is left out.
        let split = before.iter().take_while(|byte| **byte & 0xC0 == 0x80);
        let split = if is_cut_before { split.count() } else { 0 };
        let before = readable(before.get(split..)?);
        let is_cut_behind = line_end.is_none() && to < source.len_bytes();
        let whole = match std::str::from_utf8(behind) {
            Err(error) if is_cut_behind && error.error_len().is_none() => error.valid_up_to(),
            _ => behind.len(),
        };
        Some(Self {
            caret: before.chars().count(),
            text: before + &readable(behind.get(..whole)?),
            is_cut_before,
            is_cut_behind,
        })
    }
}

fn readable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .chars()
        .map(|character| match character {
            '\t' => ' ',
            character if character.is_control() => '\u{fffd}',
            character => character,
        })
        .collect()
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;
