//! Finds where a large file need be read from: its newest usable compaction, looked for from its end.
//! What is read from there on, and what if that is not enough, is decided elsewhere.

use annals_protocol::{RecordKind, RolloutItem};
use annals_replay::{CheckpointRule, Reading};
use annals_rollout::{BackwardReader, Entry, Error, Lineage, ReadOptions, Source};
use memchr::memmem;

/// From which size on a file is looked at from its end.
const LARGE_BYTES: u64 = 8 << 20;

/// How much of the end is searched: several times what the largest windows take in a file, and 2 % of
/// a file that is larger than any known one.
const SEARCHED_BYTES: u64 = 32 << 20;

/// How much is searched at a time.
const BLOCK_BYTES: u64 = 256 << 10;

/// More than stands on a line before that frame.
const BEFORE_FRAME_BYTES: u64 = 256;

/// The frame of a compaction, as it is written.
const FRAME: &[u8] = br#","type":"compacted","payload":"#;

/// A part of it that is rare in JSON even byte by byte, unlike quotes and colons: quick to look for.
const RARE_IN_FRAME: &[u8] = b"compacted";

/// How much of the end is held in memory for the readings that follow the search.
const HELD_BYTES: u64 = 16 << 20;

/// Where the newest compaction stands in the session's own file, if the file is large and one stands
/// near its end.
///
/// A history is compacted when it fills its window, so what follows the newest compaction is one
/// window at most, and what precedes it one at least. Searching further back than a window reaches
/// would slow every file down that was never compacted.
///
/// **Cost**: reads what it skips once, at the speed of a search.
pub(crate) fn newest_compaction(lineage: &Lineage) -> Result<Option<u64>, Error> {
    let Some(source) = large_source(lineage)? else {
        return Ok(None);
    };
    let (rare, finder) = (
        memmem::Finder::new(RARE_IN_FRAME),
        memmem::FinderRev::new(FRAME),
    );
    let mut block = Vec::new();
    let mut end = source.len_bytes();
    let far = end - SEARCHED_BYTES.max(end / 50).min(end / 2);
    while end > far {
        let start = end.saturating_sub(BLOCK_BYTES);
        let len_bytes = usize::try_from(end - start).unwrap_or(usize::MAX);
        source.read_at(start, len_bytes, &mut block)?;
        // The search forward is the quick one, and there is rarely anything to be found.
        if rare.find(&block).is_some()
            && let Some(found) = finder.rfind(&block)
        {
            return line_start(source, start + found as u64).map(Some);
        }
        // Blocks overlap, so that no frame is missed between two of them.
        end = start + FRAME.len() as u64 - 1;
    }
    Ok(None)
}

/// The start of the line in which a frame stands, whose end is held from there on if it is short.
fn line_start(source: &Source, frame: u64) -> Result<u64, Error> {
    // Time and ordinal stand before it, nothing else.
    let start = frame.saturating_sub(BEFORE_FRAME_BYTES);
    let mut before = Vec::new();
    let len_bytes = usize::try_from(frame - start).unwrap_or(usize::MAX);
    source.read_at(start, len_bytes, &mut before)?;
    let line = memchr::memrchr(b'\n', &before).map_or(start, |at| start + at as u64 + 1);
    source.hold_from(line.max(source.len_bytes().saturating_sub(HELD_BYTES)))?;
    Ok(line)
}

/// Where the newest compaction starts behind which everything live stands, in the session's own
/// file; `None` where the file is small, or all of it must be read.
pub(crate) fn newest_checkpoint(lineage: &Lineage) -> Result<Option<u64>, Error> {
    let Some(source) = large_source(lineage)? else {
        return Ok(None);
    };
    let mut rule = CheckpointRule::for_items();
    let mut backward = BackwardReader::new(source, ReadOptions::structure_only());
    while let Some(entry) = backward.next()? {
        // Damage is told with its line, which only a reading from the start knows.
        let Entry::Record(record) = entry else {
            return Ok(None);
        };
        let is_usable = record.envelope.kind != RecordKind::Compacted
            || record.check(source.path()).is_ok_and(|record| {
                RolloutItem::check(record.envelope.kind, record.envelope.payload).is_ok()
            });
        if !is_usable {
            return Ok(None);
        }
        if rule.see(&record.envelope) == Reading::StartsHere {
            return Ok(Some(record.byte_offset));
        }
    }
    Ok(None)
}

fn large_source(lineage: &Lineage) -> Result<Option<&Source>, Error> {
    let Some(own) = lineage.segments().last() else {
        return Ok(None);
    };
    let source = own.source()?;
    Ok((source.len_bytes() >= LARGE_BYTES).then_some(source))
}

#[cfg(test)]
#[path = "checkpoint_tests.rs"]
mod tests;
