//! Records that a replay could not use, and why.

use std::fmt;

/// A record that the replay could not use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ignored {
    /// The file of the lineage, from 0 for the oldest ancestor.
    pub segment: u32,
    /// The one-based line.
    pub line: u64,
    /// Where the record starts in its file, in bytes from 0.
    pub byte_offset: u64,
    /// Why.
    pub reason: IgnoredReason,
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason.text())
    }
}

/// Why a replay could not use a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum IgnoredReason {
    /// The kind of record is not known.
    UnknownKind,
    /// The payload does not have the shape of its kind.
    MalformedPayload,
    /// A compaction whose metadata do not run beside its items.
    MisalignedMetadata,
    /// A `world_state` patch without a state that it could be a patch of.
    PatchWithoutBase,
}

impl IgnoredReason {
    /// The reason as a sentence fragment.
    pub const fn text(self) -> &'static str {
        match self {
            Self::UnknownKind => "a record of a kind that is not known",
            Self::MalformedPayload => "a payload that does not have the shape of its kind",
            Self::MisalignedMetadata => "a compaction whose metadata do not run beside its items",
            Self::PatchWithoutBase => "a patch of the world state without a state before it",
        }
    }
}
