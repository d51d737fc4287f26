//! Fetches many small texts from files in large reads.

use annals_replay::LocatedItem;
use annals_rollout::{Error, Lineage};

/// How much is read at a time: items of a session stand close together, mostly in order.
const BLOCK_BYTES: usize = 256 * 1024;

/// Reads texts out of the files of a lineage, a block at a time.
#[derive(Debug)]
pub(crate) struct Blocks<'l> {
    lineage: &'l Lineage,
    segment_idx: usize,
    start: u64,
    block: Vec<u8>,
}

impl<'l> Blocks<'l> {
    pub(crate) fn new(lineage: &'l Lineage) -> Self {
        Self {
            lineage,
            segment_idx: 0,
            start: 0,
            block: Vec::new(),
        }
    }

    /// The text that an item has in its file; empty for one that was made.
    pub(crate) fn text_of(&mut self, item: &LocatedItem) -> Result<&str, Error> {
        let Some(place) = item.place() else {
            return Ok("");
        };
        let len_bytes = place.len_bytes as usize;
        let bytes = self.fetch(place.segment as usize, place.offset, len_bytes)?;
        Ok(simdutf8::basic::from_utf8(bytes).unwrap_or_default())
    }

    /// The bytes at a place; shorter only where the file ends.
    pub(crate) fn fetch(
        &mut self,
        segment_idx: usize,
        byte_offset: u64,
        len_bytes: usize,
    ) -> Result<&[u8], Error> {
        if self.held(segment_idx, byte_offset, len_bytes).is_none() {
            let room = self.room_at(segment_idx, byte_offset)?;
            let want = BLOCK_BYTES.max(len_bytes).min(room);
            self.lineage.read_at(
                segment_idx,
                byte_offset,
                want.max(len_bytes),
                &mut self.block,
            )?;
            (self.segment_idx, self.start) = (segment_idx, byte_offset);
        }
        let range = self
            .held(segment_idx, byte_offset, len_bytes)
            .unwrap_or(0..0);
        Ok(self.block.get(range).unwrap_or_default())
    }

    fn held(
        &self,
        segment_idx: usize,
        byte_offset: u64,
        len_bytes: usize,
    ) -> Option<std::ops::Range<usize>> {
        if segment_idx != self.segment_idx {
            return None;
        }
        let start = usize::try_from(byte_offset.checked_sub(self.start)?).ok()?;
        let end = start.checked_add(len_bytes)?;
        (end <= self.block.len()).then_some(start..end)
    }

    /// How many bytes the file has from there on, as far as they matter here.
    fn room_at(&self, segment_idx: usize, byte_offset: u64) -> Result<usize, Error> {
        let Some(segment) = self.lineage.segments().get(segment_idx) else {
            return Ok(0);
        };
        let room = segment.source()?.len_bytes().saturating_sub(byte_offset);
        Ok(usize::try_from(room).unwrap_or(usize::MAX))
    }
}
