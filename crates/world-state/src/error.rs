//! What can go wrong when state is built or read, as values.
//!
//! A previous snapshot that cannot be used is no error: it is reported beside the telling
//! (see [`StateIssue`](crate::StateIssue)) and the section is told again.

/// Why a snapshot could not be made or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotFault {
    /// The text is not JSON, or a value could not be written as JSON. Fix what produced it.
    #[error("not a JSON value: {reason}")]
    NotJson {
        /// What the JSON library said, with its place in the text.
        reason: String,
    },
    /// The whole state, or a patch to it, must be an object keyed by section id.
    #[error("expected a JSON object keyed by section id, found {found}")]
    NotAnObject {
        /// The kind of value that stood there.
        found: &'static str,
    },
    /// The value nests deeper than any reader of the file would accept. Flatten it.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// The deepest nesting that is accepted.
        limit: usize,
    },
    /// A section's snapshot is null, which in a patch would mean its removal. Use an empty object,
    /// an empty text or `false` for a state that is off.
    #[error("a section's snapshot may not be null")]
    Null,
}

impl SnapshotFault {
    pub(crate) fn not_json(error: &serde_json::Error) -> Self {
        Self::NotJson {
            reason: error.to_string(),
        }
    }
}

/// Why a section was not taken into the world state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// A section with this id is there already; ids are keys of the stored state. Remove one of
    /// them, or give the extension another id.
    #[error("duplicate world-state section id `{id}`")]
    DuplicateSection {
        /// The id that was used twice.
        id: String,
    },
    /// An extension's id is no single word of ASCII letters, digits, `_` and `-`.
    #[error("section id {id:?} is not one word of ASCII letters, digits, `_` and `-`")]
    BadSectionId {
        /// The id as given, at most its first 80 characters.
        id: String,
    },
    /// The section's snapshot cannot be stored.
    #[error("snapshot of section `{id}` cannot be stored")]
    Snapshot {
        /// The section.
        id: String,
        /// What is wrong with the snapshot.
        #[source]
        fault: SnapshotFault,
    },
}
