//! What can be wrong with a line, said with file, line, offset and reason.
//! Finding it is left to the readers; what it means for a session is left to the caller.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One thing wrong with one line of a file. Never fatal: the other lines are read as if it were not there.
///
/// # Example
///
/// ```
/// use annals_rollout::{Entry, FaultKind, Source};
///
/// let text = b"{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"type\":\"event_msg\",\"payload\":{}}\nnot json\n";
/// let source = Source::from_bytes("memory", &text[..])?;
/// let mut reader = source.records();
/// let mut faults = Vec::new();
/// while let Some(entry) = reader.next()? {
///     if let Entry::Fault(fault) = entry {
///         faults.push(fault);
///     }
/// }
/// assert_eq!(faults[0].line(), 2);
/// assert_eq!(faults[0].byte_offset(), 73);
/// assert_eq!(faults[0].kind(), FaultKind::NotJson);
/// # Ok::<(), annals_rollout::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Fault {
    path: Arc<Path>,
    line: u64,
    byte_offset: u64,
    stop_offset: u64,
    kind: FaultKind,
    reason: String,
}

/// The kinds of faults. Each says what is lost by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FaultKind {
    /// The last line has no line end and is no whole record: a write that was cut short. One record is lost.
    TornTail,
    /// A record that breaks off, with other lines or another record behind it. One record is lost.
    Torn,
    /// A run of NUL bytes, as a crashed machine leaves it. How much is lost is not known.
    NulRun,
    /// The text is no JSON at all. Whatever it was is lost.
    NotJson,
    /// JSON nested deeper than the limit of 127 levels. The line is skipped.
    TooDeep,
    /// Bytes that are not UTF-8. The line is skipped.
    NotUtf8,
    /// An escape of half a surrogate pair, which no JSON text may hold. The line is skipped.
    LoneSurrogate,
    /// Valid JSON, but no object. The line is skipped.
    NotObject,
    /// An object without the member `timestamp`. The line is skipped.
    MissingTimestamp,
    /// An object without the member `type`. The line is skipped.
    MissingType,
    /// An object without the member `payload`. The line is skipped.
    MissingPayload,
    /// A record of a known kind whose payload does not have that kind's shape. The line is skipped.
    Malformed,
    /// Longer than the line limit. The line is skipped without being held in memory.
    TooLong,
    /// The compressed file breaks off or is damaged. Everything behind that point is lost.
    Decompression,
    /// Two or more whole records on one line: a lost line end. All of them were recovered; nothing is lost.
    Glued,
}

impl FaultKind {
    /// A stable lower-case name, for reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TornTail => "torn_tail",
            Self::Torn => "torn",
            Self::NulRun => "nul_run",
            Self::NotJson => "not_json",
            Self::TooDeep => "too_deep",
            Self::NotUtf8 => "not_utf8",
            Self::LoneSurrogate => "lone_surrogate",
            Self::NotObject => "not_object",
            Self::MissingTimestamp => "missing_timestamp",
            Self::MissingType => "missing_type",
            Self::MissingPayload => "missing_payload",
            Self::Malformed => "malformed",
            Self::TooLong => "too_long",
            Self::Decompression => "decompression",
            Self::Glued => "glued",
        }
    }

    /// Whether something was passed over because of it; false where all records were recovered.
    pub fn loses_data(self) -> bool {
        !matches!(self, Self::Glued)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TornTail => "torn tail",
            Self::Torn => "torn record",
            Self::NulRun => "run of NUL bytes",
            Self::NotJson => "not JSON",
            Self::TooDeep => "nested too deep",
            Self::NotUtf8 => "not UTF-8",
            Self::LoneSurrogate => "lone surrogate",
            Self::NotObject => "not a JSON object",
            Self::MissingTimestamp => "no timestamp",
            Self::MissingType => "no type",
            Self::MissingPayload => "no payload",
            Self::Malformed => "malformed record",
            Self::TooLong => "line too long",
            Self::Decompression => "damaged compression",
            Self::Glued => "records glued together",
        })
    }
}

impl Fault {
    pub(crate) fn new(
        place: &Place<'_>,
        byte_offset: u64,
        kind: FaultKind,
        reason: impl Into<String>,
    ) -> Self {
        Self {
            path: Arc::clone(place.path),
            line: place.line,
            byte_offset,
            stop_offset: byte_offset,
            kind,
            reason: reason.into(),
        }
    }

    /// The same fault, seen so many bytes behind the start of the damaged part.
    pub(crate) fn seen_at(mut self, inner: Option<usize>) -> Self {
        self.stop_offset = self.byte_offset.saturating_add(inner.unwrap_or(0) as u64);
        self
    }

    /// The file, as it was named when it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The one-based physical line of the (decompressed) file; 0 where lines were not counted,
    /// reading backward.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The offset in bytes, from the start of the (decompressed) file, of the damaged part.
    pub fn byte_offset(&self) -> u64 {
        self.byte_offset
    }

    /// The offset in bytes, from the start of the (decompressed) file, at which it was seen that the
    /// part is damaged: where reading it stopped, or its start where that is not known.
    pub fn stop_offset(&self) -> u64 {
        self.stop_offset
    }

    /// What is wrong.
    pub fn kind(&self) -> FaultKind {
        self.kind
    }

    /// The details: a lower-case fragment, of at most a few hundred bytes.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The file as an owned path.
    pub fn to_path_buf(&self) -> PathBuf {
        self.path.to_path_buf()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if self.line > 0 {
            write!(f, "{}:", self.line)?;
        }
        write!(f, " byte {}: {}", self.byte_offset, self.kind)?;
        if !self.reason.is_empty() {
            write!(f, ": {}", self.reason)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fault({self})")
    }
}

/// Where a reader stands: the file and the line, for making faults.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) path: &'a Arc<Path>,
    pub(crate) line: u64,
}
