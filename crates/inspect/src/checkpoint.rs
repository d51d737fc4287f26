//! Finds where a large file need be read from: its newest usable compaction, looked for from its
//! end.

use annals_protocol::{RecordKind, RolloutItem};
use annals_replay::{CheckpointRule, Reading};
use annals_rollout::{BackwardReader, Entry, Error, Lineage, ReadOptions, Source};
use memchr::memmem;

/// From which size on a file is looked at from its end.
const LARGE_BYTES: u64 = 8 << 20;

/// How much is searched at a time.
const BLOCK_BYTES: u64 = 1 << 20;

/// The frame of a compaction, as it is written.
const FRAME: &[u8] = br#","type":"compacted","payload":"#;

/// Where the newest compaction starts behind which everything live stands, in the session's own
/// file; `None` where the file is small, or all of it must be read.
///
/// **Cost**: reads what it skips once more, at the speed of a search.
pub(crate) fn newest_checkpoint(lineage: &Lineage) -> Result<Option<u64>, Error> {
    let Some(own) = lineage.segments().last() else {
        return Ok(None);
    };
    let source = own.source()?;
    if source.len_bytes() < LARGE_BYTES || !holds_a_compaction(source)? {
        return Ok(None);
    }
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

/// Whether the newer half of the file holds the frame of a compaction: without one there is nothing
/// to find, and a reading backward would be for nothing.
///
/// A history is compacted when it fills its window, so what follows the newest compaction is one
/// window at most, and what precedes it one at least. Searching the older half as well would slow
/// every file down that was never compacted.
fn holds_a_compaction(source: &Source) -> Result<bool, Error> {
    let finder = memmem::Finder::new(FRAME);
    let mut block = Vec::new();
    let mut end = source.len_bytes();
    let middle = end / 2;
    while end > middle {
        let start = end.saturating_sub(BLOCK_BYTES);
        let len_bytes = usize::try_from(end - start).unwrap_or(usize::MAX);
        source.read_at(start, len_bytes, &mut block)?;
        if finder.find(&block).is_some() {
            return Ok(true);
        }
        // Blocks overlap, so that no frame is missed between two of them.
        end = if start == 0 {
            0
        } else {
            start + FRAME.len() as u64 - 1
        };
    }
    Ok(false)
}

#[cfg(test)]
#[path = "checkpoint_tests.rs"]
mod tests;
