//! Splits a byte stream into physical lines in bounded memory.
//! What a line holds is none of its business.

use std::io::{self, Read};

/// The longest line that readers hold and writers write, in bytes without the line end: 256 MiB.
pub const DEFAULT_LINE_LIMIT_BYTES: u64 = 256 * 1024 * 1024;

/// How much is asked of the stream at once, in bytes.
const BLOCK_BYTES: usize = 256 * 1024;

/// One physical line, borrowed from the reader's buffer until the next one is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// One-based number, counting every line end, blank lines and skipped lines included.
    pub number: u64,
    /// Offset of its first byte from the start of the stream.
    pub offset: u64,
    /// Length in bytes as it stands in the stream, with its line end.
    pub len_bytes: u64,
    /// Its bytes without the line end; empty where [`Line::end`] is [`LineEnd::TooLong`].
    pub bytes: &'a [u8],
    /// How it ends.
    pub end: LineEnd,
}

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineEnd {
    /// With the byte 0x0A.
    Lf,
    /// With the bytes 0x0D 0x0A.
    CrLf,
    /// With the end of the stream: a torn tail, or a last line whose line end was never written.
    None,
    /// It is longer than the limit and was passed over without being held.
    TooLong,
}

/// A forward reader of lines over any [`Read`], with one buffer that is used again and again.
///
/// Only the byte 0x0A ends a line, so characters that other programs take as line ends (U+2028,
/// U+0085, a lone carriage return) stay inside it.
///
/// **Bounds**: holds one line and one block of 256 KiB; a line over the limit is not held.
///
/// # Example
///
/// ```
/// use annals_rollout::{LineEnd, LineReader};
///
/// let mut lines = LineReader::new(&b"one\r\n\ntail"[..]);
/// let one = lines.next_line()?.unwrap();
/// assert_eq!((one.number, one.offset, one.bytes, one.end), (1, 0, &b"one"[..], LineEnd::CrLf));
/// assert_eq!(lines.next_line()?.unwrap().bytes, b"");
/// let tail = lines.next_line()?.unwrap();
/// assert_eq!((tail.number, tail.offset, tail.end), (3, 6, LineEnd::None));
/// assert!(lines.next_line()?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct LineReader<R> {
    inner: R,
    buf: Vec<u8>,
    /// Where the current line starts in `buf`.
    start: usize,
    /// Where the filled part of `buf` ends.
    end: usize,
    /// Offset of `buf[start]` in the stream.
    offset: u64,
    number: u64,
    limit: usize,
    eof: bool,
    /// The line handed out last.
    last: Last,
}

/// A [`Line`] with places in the buffer instead of its bytes.
#[derive(Debug, Clone, Copy)]
struct Last {
    start: usize,
    end: usize,
    number: u64,
    offset: u64,
    len_bytes: u64,
    ends: LineEnd,
}

impl<R: Read> LineReader<R> {
    /// Reads lines of up to [`DEFAULT_LINE_LIMIT_BYTES`].
    pub fn new(inner: R) -> Self {
        Self::with_limit(inner, DEFAULT_LINE_LIMIT_BYTES)
    }

    /// Reads lines of up to `limit_bytes`, the line end not counted; longer ones are passed over.
    pub fn with_limit(inner: R, limit_bytes: u64) -> Self {
        Self {
            inner,
            buf: Vec::new(),
            start: 0,
            end: 0,
            offset: 0,
            number: 0,
            limit: usize::try_from(limit_bytes)
                .unwrap_or(usize::MAX)
                .min(usize::MAX / 4),
            eof: false,
            last: Last {
                start: 0,
                end: 0,
                number: 0,
                offset: 0,
                len_bytes: 0,
                ends: LineEnd::None,
            },
        }
    }

    /// The line handed out last.
    pub(crate) fn last_line(&self) -> Line<'_> {
        let last = &self.last;
        Line {
            number: last.number,
            offset: last.offset,
            len_bytes: last.len_bytes,
            bytes: self.buf.get(last.start..last.end).unwrap_or_default(),
            end: last.ends,
        }
    }

    /// Counts offsets from another place, for a stream that is not read from its beginning.
    pub(crate) fn starting_at(mut self, offset: u64) -> Self {
        self.offset = offset;
        self
    }

    /// The next line, or `None` at the end of the stream.
    ///
    /// # Errors
    ///
    /// Whatever the stream reports, [`io::ErrorKind::Interrupted`] excepted, which is tried again.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut searched = self.start;
        let (line_end, end) = loop {
            let unsearched = self.buf.get(searched..self.end).unwrap_or_default();
            if let Some(at) = memchr::memchr(b'\n', unsearched) {
                break (searched + at, LineEnd::Lf);
            }
            searched = self.end;
            if self.end - self.start > self.limit.saturating_add(1) {
                return self.skip_long_line().map(Some);
            }
            if self.eof {
                if self.start == self.end {
                    // A file that grows may have more for the next call.
                    self.eof = false;
                    return Ok(None);
                }
                break (self.end, LineEnd::None);
            }
            let moved = self.fill()?;
            searched -= moved;
        };
        let start = self.start;
        let offset = self.offset;
        let next = (line_end + usize::from(end == LineEnd::Lf)).min(self.end);
        let len_bytes = (next - start) as u64;
        self.start = next;
        self.offset += len_bytes;
        self.number += 1;
        let raw = self.buf.get(start..line_end).unwrap_or_default();
        let (bytes, end) = match (raw.strip_suffix(b"\r"), end) {
            (Some(rest), LineEnd::Lf) => (rest, LineEnd::CrLf),
            _ => (raw, end),
        };
        let (bytes, ends) = if bytes.len() > self.limit {
            (&[][..], LineEnd::TooLong)
        } else {
            (bytes, end)
        };
        self.last = Last {
            start,
            end: start + bytes.len(),
            number: self.number,
            offset,
            len_bytes,
            ends,
        };
        Ok(Some(self.last_line()))
    }

    /// Gives the stream back; what was read ahead is lost.
    pub fn into_inner(self) -> R {
        self.inner
    }

    /// Makes room and reads once. Returns by how much the held bytes moved towards the front.
    fn fill(&mut self) -> io::Result<usize> {
        let mut moved = 0;
        let held = self.end - self.start;
        // One giant line must not pin its room for the rest of the file.
        let oversized = self.buf.len() > 64 * BLOCK_BYTES && held < BLOCK_BYTES;
        if oversized || self.buf.len() - self.end < BLOCK_BYTES / 2 {
            self.buf.copy_within(self.start..self.end, 0);
            moved = self.start;
            self.start = 0;
            self.end = held;
            if oversized {
                self.buf.truncate(4 * BLOCK_BYTES);
                self.buf.shrink_to_fit();
            } else if self.buf.len() - held < BLOCK_BYTES / 2 {
                // A quarter more each time: linear in all, and little is touched that no line needs.
                let more = (held / 4).max(BLOCK_BYTES);
                self.buf.reserve_exact(held + more - self.buf.len());
                self.buf.resize(held + more, 0);
            }
        }
        let room = self.buf.get_mut(self.end..).unwrap_or_default();
        let n_bytes = read_some(&mut self.inner, room)?;
        self.eof = n_bytes == 0;
        self.end += n_bytes;
        Ok(moved)
    }

    /// Reads on to the end of a line that is over the limit, holding one block of it at a time.
    fn skip_long_line(&mut self) -> io::Result<Line<'_>> {
        let offset = self.offset;
        let mut len_bytes = (self.end - self.start) as u64;
        self.start = 0;
        self.end = 0;
        loop {
            if self.buf.len() > 4 * BLOCK_BYTES {
                self.buf.truncate(4 * BLOCK_BYTES);
                self.buf.shrink_to_fit();
            }
            if self.buf.is_empty() {
                self.buf.resize(BLOCK_BYTES, 0);
            }
            let n_bytes = read_some(&mut self.inner, &mut self.buf)?;
            if n_bytes == 0 {
                self.eof = true;
                break;
            }
            let block = self.buf.get(..n_bytes).unwrap_or_default();
            if let Some(at) = memchr::memchr(b'\n', block) {
                len_bytes += at as u64 + 1;
                self.start = at + 1;
                self.end = n_bytes;
                break;
            }
            len_bytes += n_bytes as u64;
        }
        self.offset = offset + len_bytes;
        self.number += 1;
        self.last = Last {
            start: 0,
            end: 0,
            number: self.number,
            offset,
            len_bytes,
            ends: LineEnd::TooLong,
        };
        Ok(self.last_line())
    }
}

fn read_some(inner: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match inner.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
