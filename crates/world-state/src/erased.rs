//! Sections of any type behind one face, over snapshots in their stored form.

use crate::{
    error::SnapshotFault,
    history::TextPart,
    section::{PreviousSectionState, SectionTransition, Stored, WorldStateSection},
    snapshot::SectionSnapshot,
    update::SectionUpdate,
};

/// What the container asks of a section.
pub(crate) trait ErasedSection: Send + Sync {
    fn id(&self) -> &str;
    /// The state to compare, where it is known before rendering.
    fn current(&self) -> Option<&SectionSnapshot>;
    fn needs_text(&self) -> bool;
    fn matches_legacy(&self, part: TextPart<'_>) -> bool;
    fn matches_retained(&self, part: TextPart<'_>) -> bool;
    fn is_told_by(&self, text: &str) -> bool;
    fn render(&self, previous: PreviousSectionState<'_, SectionSnapshot>) -> ErasedTransition;
}

/// A transition with the snapshot to store in its stored form.
pub(crate) struct ErasedTransition {
    pub(crate) stored: ErasedStored,
    pub(crate) updates: Vec<SectionUpdate>,
    /// Why the section saw `Unknown` although a snapshot was given.
    pub(crate) undecodable: Option<SnapshotFault>,
}

pub(crate) enum ErasedStored {
    Set(SectionSnapshot),
    Kept,
    Removed,
}

/// A section that implements the trait, with its snapshot made once.
pub(crate) struct TypedSection<S> {
    section: S,
    current: SectionSnapshot,
}

impl<S: WorldStateSection> TypedSection<S> {
    pub(crate) fn new(section: S) -> Result<Self, SnapshotFault> {
        let current = SectionSnapshot::from_serialize(&section.snapshot())?;
        Ok(Self { section, current })
    }

    fn erase(
        &self,
        transition: SectionTransition,
        undecodable: Option<SnapshotFault>,
    ) -> ErasedTransition {
        let stored = match transition.stored {
            Stored::Removed => ErasedStored::Removed,
            Stored::Current if !self.section.is_stored() => ErasedStored::Removed,
            Stored::Current => ErasedStored::Set(self.current.clone()),
            Stored::Kept => ErasedStored::Kept,
        };
        ErasedTransition {
            stored,
            updates: transition.updates,
            undecodable,
        }
    }
}

impl<S: WorldStateSection> ErasedSection for TypedSection<S> {
    fn id(&self) -> &str {
        S::ID
    }

    fn current(&self) -> Option<&SectionSnapshot> {
        self.section.is_stored().then_some(&self.current)
    }

    fn needs_text(&self) -> bool {
        S::RETAINED
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        self.section.matches_legacy(part)
    }

    fn matches_retained(&self, part: TextPart<'_>) -> bool {
        self.section.matches_retained(part)
    }

    fn is_told_by(&self, text: &str) -> bool {
        self.section.is_told_by(text)
    }

    fn render(&self, previous: PreviousSectionState<'_, SectionSnapshot>) -> ErasedTransition {
        let known = match previous {
            PreviousSectionState::Absent => {
                return self.erase(self.section.render_diff(PreviousSectionState::Absent), None);
            }
            PreviousSectionState::Unknown => None,
            PreviousSectionState::Known(stored) => Some(stored.decode::<S::Snapshot>()),
        };
        match known {
            Some(Ok(known)) => self.erase(
                self.section
                    .render_diff(PreviousSectionState::Known(&known)),
                None,
            ),
            Some(Err(fault)) => self.erase(
                self.section.render_diff(PreviousSectionState::Unknown),
                Some(fault),
            ),
            None => self.erase(
                self.section.render_diff(PreviousSectionState::Unknown),
                None,
            ),
        }
    }
}
