//! What is to be told and what is then known, in one value, so that the two cannot part.

use crate::{assemble, error::SnapshotFault, snapshot::WorldStateSnapshot, update::SectionUpdate};
use annals_context_fragments::ContextMessage;
use annals_protocol::{DecodeError, RawJson, WorldStateRecord};

/// What to append to the history, and the state that the model knows afterwards.
///
/// Record [the items](Self::items) first and the [record](Self::record) second: after a crash
/// between the two, something is told again, and nothing stays untold.
#[derive(Debug, Clone)]
#[must_use = "what is not recorded is not told"]
pub struct Telling {
    layout: Layout,
    updates: Vec<SectionUpdate>,
    snapshot: WorldStateSnapshot,
    previous: Option<WorldStateSnapshot>,
    issues: Vec<StateIssue>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    Full,
    Changes,
}

/// An item that tells state.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ToldItem {
    /// A message made of fragments.
    Message(ContextMessage),
    /// An item that a section handed over ready.
    Item(RawJson),
}

impl ToldItem {
    /// The item as it goes into the history.
    ///
    /// # Errors
    /// When a text cannot be written as JSON, which no fragment of this workspace can bring about.
    pub fn to_raw(&self) -> Result<RawJson, DecodeError> {
        match self {
            Self::Message(message) => RawJson::from_serialize(message),
            Self::Item(item) => Ok(item.clone()),
        }
    }
}

/// A stored snapshot, or one to be stored, that could not be used. The section was told again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateIssue {
    section: Box<str>,
    fault: SnapshotFault,
}

impl StateIssue {
    pub(crate) fn new(section: &str, fault: SnapshotFault) -> Self {
        Self {
            section: section.into(),
            fault,
        }
    }

    /// The id of the section.
    pub fn section(&self) -> &str {
        &self.section
    }

    /// What is wrong with its snapshot.
    pub fn fault(&self) -> &SnapshotFault {
        &self.fault
    }
}

impl std::fmt::Display for StateIssue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "stored state of section `{}` is not usable: {}",
            self.section, self.fault
        )
    }
}

impl Telling {
    pub(crate) fn new(
        layout: Layout,
        updates: Vec<SectionUpdate>,
        snapshot: WorldStateSnapshot,
        previous: Option<WorldStateSnapshot>,
        issues: Vec<StateIssue>,
    ) -> Self {
        Self {
            layout,
            updates,
            snapshot,
            previous,
            issues,
        }
    }

    /// What is told, in the order of the sections.
    pub fn updates(&self) -> &[SectionUpdate] {
        &self.updates
    }

    /// How many things are told.
    pub fn n_updates(&self) -> usize {
        self.updates.len()
    }

    /// Whether nothing is told. The state to store may differ all the same.
    pub fn is_silent(&self) -> bool {
        self.updates.is_empty()
    }

    /// What the model knows once the items are recorded.
    pub fn snapshot(&self) -> &WorldStateSnapshot {
        &self.snapshot
    }

    /// Snapshots that could not be used.
    pub fn issues(&self) -> &[StateIssue] {
        &self.issues
    }

    /// The items to append, in their order.
    ///
    /// # Shape
    /// Full: prefix items; one developer message with the lead first; developer messages that stand
    /// alone; one user message; what comes last. Ready items keep their place among the others, and
    /// this order holds between two of them. Changes: the order of the sections, where neighbours of
    /// one role that may share a message do.
    pub fn items(&self) -> Vec<ToldItem> {
        match self.layout {
            Layout::Full => assemble::full(self.updates.iter().cloned()),
            Layout::Changes => assemble::changes(self.updates.iter().cloned()),
        }
    }

    /// The record to append to the rollout after the items: the full state where none was known
    /// before, else a patch, and nothing where nothing differs.
    ///
    /// # Errors
    /// When the state cannot be written as JSON, which no snapshot made by this crate can bring
    /// about.
    pub fn record(&self) -> Result<Option<WorldStateRecord>, DecodeError> {
        match &self.previous {
            None => crate::record::full(&self.snapshot).map(Some),
            Some(previous) => self
                .snapshot
                .diff_from(previous)
                .map(|p| crate::record::patch(&p))
                .transpose(),
        }
    }
}
