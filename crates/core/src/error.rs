//! Why a thread could not do what was asked, and what to do about it.

use std::fmt;

use annals_context_fragments::FragmentError;
use annals_protocol::DecodeError;
use annals_world_state::StateError;

/// Why a call could not be done. Unless its kind says otherwise nothing was changed.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    what: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What kind of error it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The store refused, or could not write. The thread has what was recorded, and it waits to be
    /// written: call [`Thread::flush`](crate::Thread::flush) when the cause is gone. The source says
    /// what failed, and where.
    Store,
    /// The store has no such thread, or nothing of it can be read.
    NotFound,
    /// Instructions are over their cap, and instructions are never cut. Shorten them.
    TooLarge,
    /// The world state cannot be built: a section's id is taken, or its snapshot cannot be stored.
    WorldState,
    /// An item, or a record made of it, is no valid JSON of its kind.
    Malformed,
    /// A turn runs. Complete or abort it first.
    TurnRunning,
    /// No turn runs. Begin one first.
    NoTurn,
    /// A replacement history holds half a pair of call and output. Bring both or neither.
    UnpairedItems,
    /// Nothing was told yet in this process, so there is no context to put into a compaction. Compact
    /// without, and the next turn tells everything.
    NoContext,
    /// The place to go back to is not in the thread, or there is nothing to undo.
    NoSuchPlace,
    /// The thread's file has no ordinals, as a place to go back to in it needs them. Fork it.
    Unsupported,
}

impl Error {
    pub(crate) fn new<T: Into<String>>(kind: ErrorKind, what: T) -> Self {
        Self(Box::new(Inner {
            kind,
            what: what.into(),
            source: None,
        }))
    }

    fn from_source<E>(kind: ErrorKind, what: &str, source: E) -> Self
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        Self(Box::new(Inner {
            kind,
            what: what.to_owned(),
            source: Some(Box::new(source)),
        }))
    }

    /// The kind.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What to do about it, in one sentence, where that can be said.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self.0.kind {
            ErrorKind::Store => "what was recorded waits in memory; flush when the cause is gone",
            ErrorKind::TooLarge => "shorten the text, or move details to a file the model can read",
            ErrorKind::TurnRunning => "complete or abort the running turn first",
            ErrorKind::NoTurn => "begin a turn first",
            ErrorKind::UnpairedItems => "keep a call and its output together, or leave out both",
            ErrorKind::NoContext => "compact without context; the next turn tells everything",
            ErrorKind::Unsupported => "fork the thread instead",
            _ => return None,
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.what)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

impl From<annals_rollout::Error> for Error {
    fn from(error: annals_rollout::Error) -> Self {
        use annals_rollout::ErrorKind as Cause;
        let (kind, what) = match error.kind() {
            Cause::NotFound | Cause::Empty | Cause::NoSessionMeta | Cause::Unreadable => {
                (ErrorKind::NotFound, "the thread cannot be read")
            }
            Cause::Unsupported => (ErrorKind::Unsupported, "the store cannot do that"),
            Cause::InvalidInput => (ErrorKind::Malformed, "a record cannot be stored"),
            _ => (ErrorKind::Store, "the thread cannot be stored"),
        };
        Self::from_source(kind, what, error)
    }
}

impl From<FragmentError> for Error {
    fn from(error: FragmentError) -> Self {
        let kind = ErrorKind::TooLarge;
        Self::from_source(kind, "instructions cannot be told", error)
    }
}

impl From<StateError> for Error {
    fn from(error: StateError) -> Self {
        let kind = ErrorKind::WorldState;
        Self::from_source(kind, "the world state cannot be built", error)
    }
}

impl From<DecodeError> for Error {
    fn from(error: DecodeError) -> Self {
        Self::from_source(ErrorKind::Malformed, "an item cannot be recorded", error)
    }
}
