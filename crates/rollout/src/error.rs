//! The one error of this crate: what could not be done, where, and what to do about it.
//! Odd data is not an error; it is a [`Fault`](crate::Fault) beside the records that were read.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::lock::Holder;

/// Why a call on a rollout could not be done.
///
/// The kind says what to do; [`Error::path`] says where. What is wrong with a line is no error but a
/// [`Fault`](crate::Fault), which says in which line and at which byte.
///
/// # Example
///
/// ```
/// use annals_rollout::{ErrorKind, Source};
///
/// let error = Source::open("no/such/rollout.jsonl").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::NotFound);
/// assert_eq!(error.path(), Some(std::path::Path::new("no/such/rollout.jsonl")));
/// assert!(error.hint().is_some());
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    what: String,
    path: Option<PathBuf>,
    holder: Option<Holder>,
    queued_records: u64,
    source: Option<io::Error>,
}

/// What kind of thing went wrong, each with one thing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No file or thread of that name; check the path or the id.
    NotFound,
    /// The path names a directory; name a rollout file in it.
    IsDirectory,
    /// The file holds no byte; it was never written and can be deleted.
    Empty,
    /// The file or its directory may not be read or written; check its owner and mode.
    PermissionDenied,
    /// No line of the file is a readable record; it is no rollout, or `annals verify` tells more.
    Unreadable,
    /// The file has no `session_meta` record; it is not a session, or its head was cut off.
    NoSessionMeta,
    /// The id is not a UUID, or a name is not that of a rollout; check its spelling.
    InvalidId,
    /// More than one thread fits the prefix or name; give more of the id.
    Ambiguous,
    /// A file that `history_base` refers to was not found; give the home that holds it.
    ParentNotFound,
    /// The chain of `history_base` refers back to itself or is too long; the files were tampered with.
    ParentChain,
    /// Another writer has the rollout open; end it, or read only.
    AlreadyOpen,
    /// The file was removed, replaced or truncated beneath the writer; open it again.
    Replaced,
    /// A record is longer than the line limit; nothing of it was written.
    LineTooLong,
    /// The expected ordinal is not the next one; read the head again and retry.
    Fenced,
    /// The name is taken already; nothing was overwritten.
    AlreadyExists,
    /// The disk, the quota or the size limit is used up; free space, and appending goes on.
    NoSpace,
    /// So much waits to be written that no more is taken; end the fault that keeps it from the disk.
    /// Nothing of the refused call is kept.
    QueueFull,
    /// The writer was closed; open the rollout again.
    Closed,
    /// What was written does not read back as what it was made from; the original is untouched.
    VerifyFailed,
    /// The operation does not fit the thread (a segment of a legacy thread, say).
    Unsupported,
    /// The value given by the caller cannot be used; the text says which.
    InvalidInput,
    /// The system refused a call; the source says why.
    Io,
}

impl ErrorKind {
    /// A stable lower-case name, as the command line prints it with `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::IsDirectory => "is_directory",
            Self::Empty => "empty",
            Self::PermissionDenied => "permission_denied",
            Self::Unreadable => "unreadable",
            Self::NoSessionMeta => "no_session_meta",
            Self::InvalidId => "invalid_id",
            Self::Ambiguous => "ambiguous",
            Self::ParentNotFound => "parent_not_found",
            Self::ParentChain => "parent_chain",
            Self::AlreadyOpen => "already_open",
            Self::Replaced => "replaced",
            Self::LineTooLong => "line_too_long",
            Self::Fenced => "fenced",
            Self::AlreadyExists => "already_exists",
            Self::NoSpace => "no_space",
            Self::QueueFull => "queue_full",
            Self::Closed => "closed",
            Self::VerifyFailed => "verify_failed",
            Self::Unsupported => "unsupported",
            Self::InvalidInput => "invalid_input",
            Self::Io => "io",
        }
    }

    fn hint(self) -> Option<&'static str> {
        Some(match self {
            Self::NotFound => "check the path, or list the sessions to find the id",
            Self::IsDirectory => "name a rollout file inside it",
            Self::Empty => "the session was never written; there is nothing to read",
            Self::PermissionDenied => "check the owner and the mode of the file and its directory",
            Self::Unreadable => "the file is no rollout, or every line of it is damaged",
            Self::NoSessionMeta => "the file is not a session, or its first lines are lost",
            Self::InvalidId => "a thread id is a UUID like 01a22f4d-919e-7c60-8290-89a0ff8f876a",
            Self::Ambiguous => "give more characters of the id",
            Self::ParentNotFound => "name the home directory that holds the parent session",
            Self::ParentChain => {
                "the chain of parents is broken; read the file without its parents"
            }
            Self::AlreadyOpen => "end the other program, or read without writing",
            Self::Replaced => "open the rollout again; what is queued was not written",
            Self::LineTooLong => "shorten the record, or raise the line limit of reader and writer",
            Self::Fenced => "another writer was faster; read the head and try again",
            Self::AlreadyExists => "choose another name; nothing was overwritten",
            Self::NoSpace => {
                "free some space; what is queued is written by the next append or flush"
            }
            Self::QueueFull => "end the fault that keeps records from the disk, then append again",
            Self::Closed => "open the rollout again",
            Self::VerifyFailed => "the original is untouched; check the disk and try again",
            Self::Unsupported | Self::InvalidInput | Self::Io => return None,
        })
    }
}

impl Error {
    /// An error of a store or a file system of the caller's own: a kind, and what could not be
    /// done, as a lower-case fragment without a full stop.
    pub fn other(kind: ErrorKind, what: &str) -> Self {
        Self::new(kind, what)
    }

    /// The same error about records that stay in a queue of the caller's own.
    #[must_use = "errors are values"]
    pub fn keeping(self, queued_records: u64) -> Self {
        self.with_queued(queued_records)
    }

    pub(crate) fn new(kind: ErrorKind, what: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            what: what.into(),
            path: None,
            holder: None,
            queued_records: 0,
            source: None,
        }))
    }

    /// Classifies an error of the system that met `path` while doing `what`.
    pub(crate) fn io(what: &str, path: &Path, source: io::Error) -> Self {
        let kind = match source.kind() {
            io::ErrorKind::NotFound => ErrorKind::NotFound,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                ErrorKind::PermissionDenied
            }
            io::ErrorKind::IsADirectory => ErrorKind::IsDirectory,
            io::ErrorKind::AlreadyExists => ErrorKind::AlreadyExists,
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => ErrorKind::NoSpace,
            _ => ErrorKind::Io,
        };
        let mut error = Self::new(kind, format!("cannot {what}")).at(path);
        error.0.source = Some(in_words(source));
        error
    }

    pub(crate) fn at(mut self, path: &Path) -> Self {
        self.0.path = Some(path.to_path_buf());
        self
    }

    pub(crate) fn with_holder(mut self, holder: Option<Holder>) -> Self {
        self.0.holder = holder;
        self
    }

    pub(crate) fn with_queued(mut self, records: u64) -> Self {
        self.0.queued_records = records;
        self
    }

    /// A copy for another waiter on the same failed write; the cause is copied by kind and text.
    pub(crate) fn duplicate(&self) -> Self {
        Self(Box::new(Inner {
            kind: self.0.kind,
            what: self.0.what.clone(),
            path: self.0.path.clone(),
            holder: self.0.holder.clone(),
            queued_records: self.0.queued_records,
            source: self
                .0
                .source
                .as_ref()
                .map(|source| match source.raw_os_error() {
                    Some(code) => io::Error::from_raw_os_error(code),
                    None => io::Error::new(source.kind(), source.to_string()),
                }),
        }))
    }

    /// The kind, for a decision in code.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The file or directory that the call was about, where known.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Who holds the writer lock, for [`ErrorKind::AlreadyOpen`] where it could be read.
    pub fn holder(&self) -> Option<&Holder> {
        self.0.holder.as_ref()
    }

    /// How many records are kept in the writer's queue, unwritten, after this error.
    pub fn queued_records(&self) -> u64 {
        self.0.queued_records
    }

    /// The kind of the system's error behind this one, where there is one.
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        self.0.source.as_ref().map(io::Error::kind)
    }

    /// What to do about it, for a line of its own below the message.
    pub fn hint(&self) -> Option<&'static str> {
        self.0.kind.hint()
    }
}

/// An error that is a bare kind says what that means for a file, as one of the system's would.
fn in_words(error: io::Error) -> io::Error {
    if error.raw_os_error().is_some() || error.get_ref().is_some() {
        return error;
    }
    let words = match error.kind() {
        io::ErrorKind::NotFound => "no such file",
        io::ErrorKind::AlreadyExists => "there is a file of that name",
        io::ErrorKind::UnexpectedEof => "the file ends before that",
        io::ErrorKind::WriteZero => "the disk takes no byte",
        _ => return error,
    };
    io::Error::new(error.kind(), words)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.what)?;
        if let Some(path) = &self.0.path {
            write!(f, ": {}", path.display())?;
        }
        if let Some(holder) = &self.0.holder {
            write!(f, ", held by {holder}")?;
        }
        if self.0.queued_records > 0 {
            write!(f, " ({} records queued)", self.0.queued_records)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("what", &self.0.what)
            .field("path", &self.0.path)
            .field("source", &self.0.source)
            .finish_non_exhaustive()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0
            .source
            .as_ref()
            .map(|source| source as &(dyn StdError + 'static))
    }
}
