//! Records from the end of a file towards its start, in bounded memory.
//! When to stop is the caller's decision.

use std::ops::{ControlFlow, Range};
use std::path::Path;

use crate::error::{Error, ErrorKind};
use crate::read::fault::Place;
use crate::read::lineage::{Cut, Lineage};
use crate::read::lines::{Line, LineEnd};
use crate::read::records::{Check, Entry, ReadOptions, Record, RecordReader, pieces_of, record_of};
use crate::read::recover::Piece;
use crate::read::source::Source;

/// How much is read at once, in bytes; more where a line is longer.
const BLOCK_BYTES: u64 = 64 * 1024;

/// A backward reader of records: what a forward reader yields, last first.
///
/// Lines are not counted on the way, so [`Record::line`] and the line of a fault are 0. The end is
/// the end of the file when the reader was made; what a live writer adds is not seen.
///
/// **Bounds**: holds the longest line that it met, or twice that while it is being found; a line
/// over the limit is passed over in blocks of 64 KiB. **Cost**: reads what it yields, and no more
/// than one block beyond.
///
/// # Example
///
/// ```
/// use annals_rollout::{Entry, Source};
///
/// let line = |n: u32| format!(
///     "{{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"ordinal\":{n},\"type\":\"event_msg\",\"payload\":{{}}}}\n");
/// let source = Source::from_bytes("memory", [line(0), line(1), line(2)].concat())?;
/// let mut backward = source.backward();
/// let Some(Entry::Record(last)) = backward.next()? else { panic!() };
/// assert_eq!(last.envelope.ordinal, Some(2));
/// # Ok::<(), annals_rollout::Error>(())
/// ```
#[derive(Debug)]
pub struct BackwardReader {
    source: Source,
    options: ReadOptions,
    /// Nothing before this offset is read.
    floor: u64,
    /// The bytes from `buf_start` on; what lies behind `end` is used up.
    buf: Vec<u8>,
    buf_start: u64,
    end: u64,
    /// The line that `pending` is about: its offset, and its bytes within `buf`.
    current: (u64, Range<usize>),
    pending: Vec<Piece>,
    read_bytes: u64,
}

impl BackwardReader {
    /// Reads a source from its end.
    pub fn new(source: &Source, options: ReadOptions) -> Self {
        Self::between(source, 0..source.end_bytes(), options)
    }

    pub(crate) fn between(source: &Source, range: Range<u64>, options: ReadOptions) -> Self {
        Self {
            source: source.clone(),
            options,
            floor: range.start,
            buf: Vec::new(),
            buf_start: range.end,
            end: range.end,
            current: (range.end, 0..0),
            pending: Vec::new(),
            read_bytes: 0,
        }
    }

    /// The record or fault before the last one, or `None` at the start of the file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] if the file can't be read, or was truncated meanwhile.
    #[expect(
        clippy::should_implement_trait,
        reason = "it lends, which an iterator can't"
    )]
    pub fn next(&mut self) -> Result<Option<Entry<'_>>, Error> {
        match self.step()? {
            None => Ok(None),
            Some(Piece::Fault(fault)) => Ok(Some(Entry::Fault(fault))),
            Some(Piece::Record(start, end)) => Ok(Some(Entry::Record(self.record(start, end)?))),
        }
    }

    /// Shows every entry to `visit`, last first, until it breaks off or the start is reached.
    ///
    /// # Errors
    ///
    /// As [`next`](Self::next).
    pub fn visit<B, F>(&mut self, mut visit: F) -> Result<Option<B>, Error>
    where
        F: FnMut(Entry<'_>) -> ControlFlow<B>,
    {
        while let Some(entry) = self.next()? {
            if let ControlFlow::Break(value) = visit(entry) {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// How many bytes were read from the file so far.
    pub fn read_bytes(&self) -> u64 {
        self.read_bytes
    }

    /// The file, as it was named when it was opened.
    pub fn path(&self) -> &Path {
        self.source.path()
    }

    fn step(&mut self) -> Result<Option<Piece>, Error> {
        loop {
            if let Some(piece) = self.pending.pop() {
                return Ok(Some(piece));
            }
            if !self.advance()? {
                return Ok(None);
            }
        }
    }

    fn record(&self, start: usize, end: usize) -> Result<Record<'_>, Error> {
        let (offset, range) = &self.current;
        let line = self.buf.get(range.clone()).unwrap_or_default();
        let bytes = line.get(start..end).unwrap_or_default();
        record_of(bytes, 0, offset + start as u64).ok_or_else(|| {
            Error::new(ErrorKind::Io, "a record changed while it was read").at(self.source.path())
        })
    }

    /// Takes the line before the last one apart; false at the start of the file.
    fn advance(&mut self) -> Result<bool, Error> {
        if self.end <= self.floor {
            return Ok(false);
        }
        let line_end = self.end;
        let ends_here = !self.byte_is_line_feed(line_end - 1)?;
        let text_end = if ends_here { line_end } else { line_end - 1 };
        let Some(start) = self.line_start(text_end)? else {
            return self.too_long(line_end);
        };
        self.end = start;
        let mut end = if ends_here {
            LineEnd::None
        } else {
            LineEnd::Lf
        };
        let range = self.at(start)..self.at(text_end);
        let mut bytes = self.buf.get(range.clone()).unwrap_or_default();
        if end == LineEnd::Lf
            && let Some(rest) = bytes.strip_suffix(b"\r")
        {
            (bytes, end) = (rest, LineEnd::CrLf);
        }
        if bytes.len() as u64 > self.options.line_limit_bytes {
            (bytes, end) = (&[], LineEnd::TooLong);
        }
        self.current = (start, range.start..range.start + bytes.len());
        let len_bytes = line_end - start;
        let line = Line {
            number: 0,
            offset: start,
            len_bytes,
            bytes,
            end,
        };
        let place = Place {
            path: self.source.shared_path(),
            line: 0,
        };
        self.pending = pieces_of(&place, &line, self.options.check);
        Ok(true)
    }

    /// The place in `buf` of an offset that is held.
    fn at(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.buf_start)).unwrap_or(usize::MAX)
    }

    fn byte_is_line_feed(&mut self, offset: u64) -> Result<bool, Error> {
        if offset < self.buf_start {
            self.fill(offset + 1)?;
        }
        Ok(self.buf.get(self.at(offset)) == Some(&b'\n'))
    }

    /// Where the line whose text ends at `text_end` starts; `None` if it is over the limit.
    fn line_start(&mut self, text_end: u64) -> Result<Option<u64>, Error> {
        let mut searched = text_end;
        loop {
            let unsearched = self.buf.get(..self.at(searched)).unwrap_or_default();
            if let Some(at) = memchr::memrchr(b'\n', unsearched) {
                return Ok(Some(self.buf_start + at as u64 + 1));
            }
            if self.buf_start <= self.floor {
                return Ok(Some(self.floor));
            }
            searched = self.buf_start;
            if text_end - self.buf_start > self.options.line_limit_bytes.saturating_add(1) {
                return Ok(None);
            }
            self.fill(text_end)?;
        }
    }

    /// Reads one more block in front of what is held; what lies behind `keep_end` is let go.
    fn fill(&mut self, keep_end: u64) -> Result<(), Error> {
        let held = self.at(keep_end).min(self.buf.len());
        // As much again as is held: linear in all, however long the line.
        let block = BLOCK_BYTES
            .max(held as u64)
            .min(self.buf_start - self.floor);
        let start = self.buf_start - block;
        let block_len = usize::try_from(block).unwrap_or(usize::MAX);
        let mut front = Vec::with_capacity(block_len + held + 1);
        self.source.read_at(start, block_len, &mut front)?;
        front.extend_from_slice(self.buf.get(..held).unwrap_or_default());
        // The line end behind the text is let go with the rest; nothing looks at it again.
        self.read_bytes += block;
        self.buf = front;
        self.buf_start = start;
        Ok(())
    }

    /// Passes over a line that is longer than the limit, one block at a time.
    fn too_long(&mut self, line_end: u64) -> Result<bool, Error> {
        let mut block = Vec::new();
        let mut at = self.buf_start;
        let start = loop {
            if at <= self.floor {
                break self.floor;
            }
            let len = BLOCK_BYTES.min(at - self.floor);
            at -= len;
            self.source
                .read_at(at, usize::try_from(len).unwrap_or(0), &mut block)?;
            self.read_bytes += len;
            if let Some(found) = memchr::memrchr(b'\n', &block) {
                block.truncate(found + 1);
                break at + found as u64 + 1;
            }
            block.clear();
        };
        self.buf = block;
        self.buf_start = start - self.buf.len() as u64;
        self.end = start;
        self.current = (start, 0..0);
        let len_bytes = line_end - start;
        let line = Line {
            number: 0,
            offset: start,
            len_bytes,
            bytes: &[],
            end: LineEnd::TooLong,
        };
        let place = Place {
            path: self.source.shared_path(),
            line: 0,
        };
        self.pending = pieces_of(&place, &line, self.options.check);
        Ok(true)
    }
}

/// A backward reader over all files of a [`Lineage`], the session's own last record first.
///
/// A parent is gone through forward once, at scanning speed, to find what of it lies before the
/// cut; the session's own file is read backward only.
#[derive(Debug)]
pub struct LineageBackward<'l> {
    lineage: &'l Lineage,
    options: ReadOptions,
    /// Segments from here on are done or open.
    segment_idx: usize,
    /// What of the open segment is still to be read, in file order.
    ranges: Vec<Range<u64>>,
    open: Option<BackwardReader>,
}

impl<'l> LineageBackward<'l> {
    pub(crate) fn new(lineage: &'l Lineage, options: ReadOptions) -> Self {
        let segment_idx = lineage.segments().len();
        Self {
            lineage,
            options,
            segment_idx,
            ranges: Vec::new(),
            open: None,
        }
    }

    /// Goes to a record's start in one of the files; what stands before it comes next.
    pub(crate) fn starting_before(
        mut self,
        segment_idx: usize,
        byte_offset: u64,
    ) -> Result<Self, Error> {
        self.segment_idx = segment_idx;
        self.ranges = self.kept_ranges(segment_idx)?;
        self.ranges.retain(|range| range.start < byte_offset);
        if let Some(range) = self.ranges.last_mut() {
            range.end = range.end.min(byte_offset);
        }
        Ok(self)
    }

    /// The record or fault before the last one with the index of its file.
    ///
    /// # Errors
    ///
    /// As [`BackwardReader::next`], and as [`Source::open`] where a parent has gone meanwhile.
    #[expect(
        clippy::should_implement_trait,
        reason = "it lends, which an iterator can't"
    )]
    pub fn next(&mut self) -> Result<Option<(usize, Entry<'_>)>, Error> {
        let piece = loop {
            if let Some(reader) = &mut self.open {
                match reader.step()? {
                    Some(piece) => break piece,
                    None => self.open = None,
                }
            }
            if let Some(range) = self.ranges.pop() {
                let Some(segment) = self.lineage.segments().get(self.segment_idx) else {
                    return Ok(None);
                };
                let reader = BackwardReader::between(segment.source()?, range, self.options);
                self.open = Some(reader);
                continue;
            }
            let Some(next) = self.segment_idx.checked_sub(1) else {
                return Ok(None);
            };
            self.segment_idx = next;
            self.ranges = self.kept_ranges(next)?;
        };
        let entry = match (piece, &self.open) {
            (Piece::Fault(fault), _) => Entry::Fault(fault),
            (Piece::Record(start, end), Some(reader)) => Entry::Record(reader.record(start, end)?),
            (Piece::Record(..), None) => return Ok(None),
        };
        Ok(Some((self.segment_idx, entry)))
    }

    /// The parts of a segment that belong to the lineage: all of the last file, else what a
    /// forward reader keeps.
    fn kept_ranges(&self, segment_idx: usize) -> Result<Vec<Range<u64>>, Error> {
        let Some(segment) = self.lineage.segments().get(segment_idx) else {
            return Ok(Vec::new());
        };
        let source = segment.source()?;
        let Some(end) = segment.end_ordinal_exclusive() else {
            return Ok(std::iter::once(0..source.end_bytes()).collect());
        };
        let mut cut = Cut::new(end);
        let options = ReadOptions {
            check: Check::Structure,
            ..self.options
        };
        let mut reader = RecordReader::new(source, options);
        let mut ranges: Vec<Range<u64>> = Vec::new();
        let mut open: Option<u64> = Some(0);
        while let Some(entry) = reader.next()? {
            let (keep, at) = match entry {
                Entry::Record(record) => (cut.keeps(record.envelope.ordinal), record.byte_offset),
                Entry::Fault(fault) => (cut.keeps_fault(), fault.byte_offset()),
            };
            match (keep, open) {
                (true, None) => open = Some(at),
                (false, Some(start)) => {
                    ranges.push(start..at);
                    open = None;
                }
                _ => {}
            }
            if cut.is_past() {
                break;
            }
        }
        ranges.extend(open.map(|start| start..source.end_bytes()));
        Ok(ranges)
    }
}

#[cfg(test)]
#[path = "backward_tests.rs"]
mod tests;
