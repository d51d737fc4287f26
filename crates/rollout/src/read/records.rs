//! Lines in, records and faults out, payloads left as text.
//! What a record means, and which of them matter, is left to the caller.

use std::collections::VecDeque;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use annals_protocol::{DecodeError, Envelope, RolloutLine, next_record_start};

use crate::error::{Error, ErrorKind};
use crate::read::fault::{Fault, FaultKind, Place};
use crate::read::lines::{DEFAULT_LINE_LIMIT_BYTES, Line, LineEnd, LineReader};
use crate::read::recover::{Piece, kind_of, take_apart};
use crate::read::source::{Source, SourceBytes};

/// How carefully a reader looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The longest line that is held, in bytes without its line end; longer ones become faults.
    pub line_limit_bytes: u64,
    /// What is checked before a record is handed out.
    pub check: Check,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            line_limit_bytes: DEFAULT_LINE_LIMIT_BYTES,
            check: Check::Json,
        }
    }
}

impl ReadOptions {
    /// Checks the outer structure only.
    pub fn structure_only() -> Self {
        Self {
            check: Check::Structure,
            ..Self::default()
        }
    }

    /// Sets the line limit, in bytes.
    #[must_use = "options are values"]
    pub fn with_line_limit(mut self, line_limit_bytes: u64) -> Self {
        self.line_limit_bytes = line_limit_bytes;
        self
    }
}

/// What a [`RecordReader`] checks before it hands out a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Check {
    /// The whole line is JSON, not too deep, without lone surrogates.
    Json,
    /// The line is UTF-8, looks like one record from outside, and no second record starts inside.
    ///
    /// A payload may still be broken: see [`Record::check`].
    Structure,
}

/// One record and where it stands; borrowed from the reader until the next one is asked for.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Record<'a> {
    /// The one-based physical line; 0 where lines were not counted, reading backward.
    pub line: u64,
    /// Offset of its first byte in the (decompressed) file; `text.len()` bytes from there are it.
    pub byte_offset: u64,
    /// The record's own text: the line without its line end, or its part of a glued line.
    pub text: &'a str,
    /// Its outer members.
    pub envelope: Envelope<'a>,
}

impl Record<'_> {
    /// Checks the whole text, for records of a reader that checks [`Check::Structure`] only.
    ///
    /// The record that comes back is to be used from there on: a member that the quick look took
    /// for a part of the payload has its own place in it.
    ///
    /// # Errors
    ///
    /// What is wrong, as for any other line; `path` names the file in it.
    pub fn check(&self, path: &Path) -> Result<Self, Fault> {
        match self.envelope.confirm(self.text) {
            Ok(envelope) => Ok(Self { envelope, ..*self }),
            Err(error) => Err(self.fault(path, &error)),
        }
    }

    /// Decodes the record into its type.
    ///
    /// # Errors
    ///
    /// What is wrong, [`FaultKind::Malformed`] included; `path` names the file in it.
    pub fn decode(&self, path: &Path) -> Result<RolloutLine, Fault> {
        RolloutLine::parse(self.text).map_err(|error| self.fault(path, &error))
    }

    fn fault(&self, path: &Path, error: &DecodeError) -> Fault {
        let path = path.into();
        Fault::new(
            &Place {
                path: &path,
                line: self.line,
            },
            self.byte_offset,
            kind_of(error),
            error.to_string(),
        )
        .seen_at(error.byte_offset())
    }
}

/// What a reader hands out: a record, or something wrong.
#[derive(Debug, Clone)]
pub enum Entry<'a> {
    /// A record.
    Record(Record<'a>),
    /// A fault; the reader goes on behind it.
    Fault(Fault),
}

/// What a reader has seen so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Physical lines, blank ones included.
    pub lines: u64,
    /// Records handed out.
    pub records: u64,
    /// Faults handed out.
    pub faults: u64,
}

impl Counts {
    fn count(&mut self, piece: &Piece) {
        match piece {
            Piece::Fault(_) => self.faults += 1,
            Piece::Record(..) => self.records += 1,
        }
    }
}

/// A forward reader of records. Blank lines are no fault; damaged lines are, and reading goes on.
///
/// It lends: each entry borrows the reader's one buffer, so nothing is allocated for a line that
/// the caller passes over. Made by [`Source::records`] and [`Source::scan`].
///
/// # Example
///
/// ```
/// use annals_rollout::{Entry, Source};
///
/// // A torn record, with the next one behind it on the same line.
/// let text = concat!(
///     r#"{"timestamp":"2026-01-01T00:00:00.000Z","type":"eve"#,
///     r#"{"timestamp":"2026-01-01T00:00:01.000Z","type":"event_msg","payload":{}}"#,
///     "\n",
/// );
/// let mut records = Source::from_bytes("memory", text)?.records();
/// assert!(matches!(records.next()?, Some(Entry::Fault(_))));
/// let Some(Entry::Record(record)) = records.next()? else { panic!() };
/// assert_eq!(record.envelope.timestamp, "2026-01-01T00:00:01.000Z");
/// assert!(records.next()?.is_none());
/// # Ok::<(), annals_rollout::Error>(())
/// ```
#[derive(Debug)]
pub struct RecordReader<R = SourceBytes> {
    lines: LineReader<R>,
    path: Arc<Path>,
    check: Check,
    /// What is left of the line that was read last.
    pending: VecDeque<Piece>,
    counts: Counts,
    cut_by: Option<String>,
    /// Whether the damaged end of a compressed stream was reported already.
    broken_off: bool,
}

impl RecordReader<SourceBytes> {
    /// Reads a source from its start.
    pub fn new(source: &Source, options: ReadOptions) -> Self {
        let mut reader =
            Self::from_stream(Arc::clone(source.shared_path()), source.bytes(), options);
        reader.cut_by = source.cut_by().map(str::to_owned);
        reader
    }
}

impl RecordReader<SourceBytes> {
    /// Reads a source from an offset at which a line starts; lines are counted from there.
    pub(crate) fn from_offset(source: &Source, offset: u64, options: ReadOptions) -> Self {
        let bytes = source.bytes_between(offset, u64::MAX);
        let mut reader = Self::from_stream(Arc::clone(source.shared_path()), bytes, options);
        reader.lines = reader.lines.starting_at(offset);
        reader
    }
}

impl<R: Read> RecordReader<R> {
    /// Reads any stream of lines; `path` stands for it in faults and errors.
    pub fn from_stream<P: Into<Arc<Path>>>(path: P, stream: R, options: ReadOptions) -> Self {
        Self {
            lines: LineReader::with_limit(stream, options.line_limit_bytes),
            path: path.into(),
            check: options.check,
            pending: VecDeque::new(),
            counts: Counts::default(),
            cut_by: None,
            broken_off: false,
        }
    }

    /// The next record or fault, or `None` at the end.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if the file can't be read on; data never is an error.
    #[expect(
        clippy::should_implement_trait,
        reason = "it lends, which an iterator can't"
    )]
    pub fn next(&mut self) -> Result<Option<Entry<'_>>, Error> {
        match self.step_on()? {
            None => Ok(None),
            Some(Found::Line) => Ok(Some(self.look())),
            Some(Found::Piece(Piece::Fault(fault))) => Ok(Some(Entry::Fault(fault))),
            Some(Found::Piece(Piece::Record(start, end))) => {
                Ok(Some(Entry::Record(self.record(start, end)?)))
            }
        }
    }

    /// Moves to the next piece without borrowing the reader for it.
    pub(crate) fn step(&mut self) -> Result<Option<Piece>, Error> {
        let line_offset = match self.step_on()? {
            None => return Ok(None),
            Some(Found::Piece(piece)) => return Ok(Some(piece)),
            Some(Found::Line) => self.lines.last_line().offset,
        };
        Ok(Some(match self.look() {
            Entry::Fault(fault) => Piece::Fault(fault),
            Entry::Record(record) => {
                let start = record.byte_offset.saturating_sub(line_offset);
                let start = usize::try_from(start).unwrap_or(usize::MAX);
                Piece::Record(start, start.saturating_add(record.text.len()))
            }
        }))
    }

    /// Moves to the next piece, or to a line that nobody looked at yet.
    pub(crate) fn step_on(&mut self) -> Result<Option<Found>, Error> {
        loop {
            if let Some(piece) = self.pending.pop_front() {
                self.counts.count(&piece);
                return Ok(Some(Found::Piece(piece)));
            }
            match self.advance()? {
                Step::Blank => {}
                Step::Line => return Ok(Some(Found::Line)),
                Step::End => {
                    let Some(reason) = self.cut_by.take() else {
                        return Ok(None);
                    };
                    let place = Place {
                        path: &self.path,
                        line: self.counts.lines,
                    };
                    let offset = self.lines.last_line().offset;
                    let fault = Fault::new(&place, offset, FaultKind::Decompression, reason);
                    self.pending.push_back(Piece::Fault(fault));
                }
            }
        }
    }

    /// Says what the line is that [`step_on`](Self::step_on) came to: a record, or the first of its
    /// pieces. It is looked at once: here, where the record is lent out.
    pub(crate) fn look(&mut self) -> Entry<'_> {
        let line = self.lines.last_line();
        if let Some((text, envelope)) = whole_record(line.bytes, self.check) {
            self.counts.records += 1;
            return Entry::Record(Record {
                line: line.number,
                byte_offset: line.offset,
                text,
                envelope,
            });
        }
        let place = Place {
            path: &self.path,
            line: line.number,
        };
        self.pending = take_apart(&place, &line).into();
        // A line that is not blank has a piece.
        let first = self.pending.pop_front().unwrap_or_else(|| {
            let reason = String::new();
            Piece::Fault(Fault::new(&place, line.offset, FaultKind::NotJson, reason))
        });
        self.counts.count(&first);
        match first {
            Piece::Fault(fault) => Entry::Fault(fault),
            Piece::Record(start, end) => match piece_of(&line, start, end) {
                Some(record) => Entry::Record(record),
                None => Entry::Fault(Fault::new(
                    &place,
                    line.offset,
                    FaultKind::NotJson,
                    String::new(),
                )),
            },
        }
    }

    /// The record that [`step`](Self::step) came to last.
    pub(crate) fn record(&self, start: usize, end: usize) -> Result<Record<'_>, Error> {
        piece_of(&self.lines.last_line(), start, end).ok_or_else(|| {
            Error::new(ErrorKind::Io, "a record changed while it was read").at(&self.path)
        })
    }

    /// Reads one line.
    fn advance(&mut self) -> Result<Step, Error> {
        if self.broken_off {
            return Ok(Step::End);
        }
        let line = match self.lines.next_line() {
            Ok(Some(line)) => line,
            Ok(None) => return Ok(Step::End),
            // What was decompressed up to here was read; the rest is reported like a lost tail.
            Err(error) if is_decompression(&error) => {
                self.broken_off = true;
                self.cut_by = Some(error.to_string());
                return Ok(Step::End);
            }
            Err(error) => return Err(Error::io("read", &self.path, error)),
        };
        self.counts.lines = line.number;
        Ok(if is_blank(&line) {
            Step::Blank
        } else {
            Step::Line
        })
    }

    /// The file, as it was named when it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn shared_path(&self) -> Arc<Path> {
        Arc::clone(&self.path)
    }

    /// What was seen so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

/// The record that a part of a line was found to be.
fn piece_of<'a>(line: &Line<'a>, start: usize, end: usize) -> Option<Record<'a>> {
    let bytes = line.bytes.get(start..end)?;
    record_of(bytes, line.number, line.offset + start as u64)
}

/// The record that `bytes` were found to be.
pub(crate) fn record_of(bytes: &[u8], line: u64, byte_offset: u64) -> Option<Record<'_>> {
    let text = simdutf8::basic::from_utf8(bytes).ok()?;
    let envelope = Envelope::scan(text).or_else(|| Envelope::parse(text).ok())?;
    Some(Record {
        line,
        byte_offset,
        text,
        envelope,
    })
}

/// The pieces of a line, in order: one record, or what it is taken apart into. None if it is blank.
pub(crate) fn pieces_of(place: &Place<'_>, line: &Line<'_>, check: Check) -> Vec<Piece> {
    if is_blank(line) {
        return Vec::new();
    }
    match whole_record(line.bytes, check) {
        Some(_) => vec![Piece::Record(0, line.bytes.len())],
        None => take_apart(place, line),
    }
}

/// What a reader came to.
pub(crate) enum Found {
    /// A piece of a line.
    Piece(Piece),
    /// A line: [`RecordReader::look`] says what it is.
    Line,
}

/// What reading on came to.
enum Step {
    Blank,
    Line,
    End,
}

fn is_blank(line: &Line<'_>) -> bool {
    line.end != LineEnd::TooLong && line.bytes.iter().all(u8::is_ascii_whitespace)
}

/// zstd reports damage with a kind that files themselves don't use.
fn is_decompression(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::Other || error.kind() == std::io::ErrorKind::UnexpectedEof
}

/// The line as text and split, if it is one record.
fn whole_record(bytes: &[u8], check: Check) -> Option<(&str, Envelope<'_>)> {
    let text = simdutf8::basic::from_utf8(bytes).ok()?;
    let envelope = match check {
        Check::Structure => Envelope::scan(text).filter(|_| next_record_start(bytes).is_none()),
        Check::Json => None,
    };
    let envelope = envelope.or_else(|| Envelope::parse(text).ok())?;
    Some((text, envelope))
}

#[cfg(test)]
#[path = "records_tests.rs"]
mod tests;
