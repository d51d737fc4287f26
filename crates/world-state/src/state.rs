//! The set of sections at one moment, and what to tell of it.
//!
//! How the texts are put into messages is the telling's.

use crate::{
    erased::{ErasedSection, ErasedStored, ErasedTransition},
    error::StateError,
    extension::ExtensionSection,
    history::HistoryView,
    prepared::PreparedSection,
    retired::RetiredSection,
    scan::Scan,
    section::{PreviousSectionState, WorldStateSection},
    snapshot::{SectionSnapshot, WorldStateSnapshot},
    telling::{Layout, StateIssue, Telling},
    update::SectionUpdate,
};
use std::{collections::BTreeSet, sync::Arc};

/// Everything that a model must know of the world at one moment, as sections in their order.
///
/// A world state is built for each step, asked what to tell, and dropped; sections that did not change
/// are kept [prepared](PreparedSection). It holds values, reads nothing, and gives the same answer in
/// every process.
///
/// # Bounds and cost
/// Cheap to clone. A step in which nothing changed compares the bytes of each section's snapshot
/// and renders nothing.
#[derive(Clone, Default)]
pub struct WorldState {
    sections: Vec<Arc<dyn ErasedSection>>,
    ids: BTreeSet<Box<str>>,
    retired: Vec<RetiredSection>,
}

impl WorldState {
    /// A state without sections.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a section behind those that are there.
    ///
    /// # Errors
    /// When a section with its id is there already, or its snapshot cannot be stored.
    pub fn insert<S: WorldStateSection>(&mut self, section: S) -> Result<(), StateError> {
        let at = self.sections.len();
        self.insert_typed(at, section)
    }

    /// Adds a section that was prepared before, behind those that are there.
    ///
    /// # Errors
    /// When a section with its id is there already.
    pub fn insert_prepared(&mut self, section: &PreparedSection) -> Result<(), StateError> {
        let at = self.sections.len();
        self.insert_erased(at, Arc::clone(&section.section))
    }

    /// Adds a section in front of the one with the id `anchor`, or behind all if there is none.
    ///
    /// # Errors
    /// As [`insert`](Self::insert).
    pub fn insert_before<S: WorldStateSection>(
        &mut self,
        anchor: &str,
        section: S,
    ) -> Result<(), StateError> {
        let at = self.place_before(anchor);
        self.insert_typed(at, section)
    }

    /// Adds a section that is made of closures behind those that are there.
    ///
    /// # Errors
    /// When a section with its id is there already.
    pub fn insert_extension(&mut self, section: ExtensionSection) -> Result<(), StateError> {
        let at = self.sections.len();
        self.insert_erased(at, Arc::new(section))
    }

    /// Adds a section that is made of closures in front of the one with the id `anchor`, or behind
    /// all if there is none.
    ///
    /// # Errors
    /// When a section with its id is there already.
    pub fn insert_extension_before(
        &mut self,
        anchor: &str,
        section: ExtensionSection,
    ) -> Result<(), StateError> {
        let at = self.place_before(anchor);
        self.insert_erased(at, Arc::new(section))
    }

    /// Declares that section `S` belongs to this host, whether it is built now or not.
    ///
    /// If it is not built while its snapshot is stored, it states its removal and leaves the stored
    /// state. A stored section that is neither built nor declared is another program's: it is
    /// carried over unchanged, and nothing is told of it.
    pub fn retire<S: WorldStateSection>(&mut self) {
        self.retired.push(RetiredSection::of::<S>());
    }

    /// Declares an extension as [`retire`](Self::retire) does; `render` gets its stored snapshot.
    pub fn retire_extension<F>(&mut self, id: &str, render: F)
    where
        F: Fn(&serde_json::Value) -> Option<SectionUpdate> + Send + Sync + 'static,
    {
        self.retired.push(RetiredSection::from_fn(id, render));
    }

    /// The ids of the sections in their order.
    pub fn section_ids(&self) -> impl ExactSizeIterator<Item = &str> {
        self.sections.iter().map(|section| section.id())
    }

    /// Tells everything, to a model that knows nothing.
    pub fn render_full(&self) -> Telling {
        let mut draft = Draft::new(None);
        for section in &self.sections {
            let transition = section.render(PreviousSectionState::Absent);
            draft.take(section.id(), transition);
        }
        draft.finish(Layout::Full)
    }

    /// Tells what differs from `previous`, the state that the model was last told.
    ///
    /// Without a previous state each section is told in full, except where its very text is in the
    /// history already, told before states were stored.
    ///
    /// # Bounds and cost
    /// With [`HistoryView::Intact`], one comparison of bytes a section that did not change. With
    /// texts, one walk over them at most, and none if no section needs it.
    pub fn render_diff(
        &self,
        previous: Option<&WorldStateSnapshot>,
        history: HistoryView<'_>,
    ) -> Telling {
        let scan = Scan::of(&self.sections, previous, history);
        let mut draft = Draft::new(previous);
        for (section, found) in self.sections.iter().zip(scan.per_section()) {
            let stored = previous.and_then(|state| state.get(section.id()));
            let seen = match stored {
                Some(_) if !found.is_retained() => PreviousSectionState::Absent,
                Some(stored) if section.current() == Some(stored) => continue,
                Some(stored) => PreviousSectionState::Known(stored),
                None if found.legacy_text().is_some() => PreviousSectionState::Unknown,
                None => PreviousSectionState::Absent,
            };
            let transition = match (seen, found.legacy_text()) {
                (PreviousSectionState::Unknown, Some(text)) => {
                    unless_told_already(&**section, text)
                }
                (seen, _) => section.render(seen),
            };
            draft.take(section.id(), transition);
        }
        self.tell_removals(previous, &mut draft);
        draft.finish(Layout::Changes)
    }

    fn tell_removals(&self, previous: Option<&WorldStateSnapshot>, draft: &mut Draft) {
        let Some(previous) = previous else { return };
        for retired in &self.retired {
            if self.ids.contains(&retired.id) || draft.is_removed(&retired.id) {
                continue;
            }
            let Some(stored) = previous.get(&retired.id) else {
                continue;
            };
            let removal = retired.render(stored);
            draft.take(
                &retired.id,
                ErasedTransition {
                    stored: ErasedStored::Removed,
                    updates: removal.updates,
                    undecodable: removal.undecodable,
                },
            );
        }
    }

    fn insert_typed<S: WorldStateSection>(
        &mut self,
        at: usize,
        section: S,
    ) -> Result<(), StateError> {
        self.insert_erased(at, PreparedSection::new(section)?.section)
    }

    fn insert_erased(
        &mut self,
        at: usize,
        section: Arc<dyn ErasedSection>,
    ) -> Result<(), StateError> {
        if !self.ids.insert(section.id().into()) {
            return Err(StateError::DuplicateSection {
                id: section.id().to_owned(),
            });
        }
        self.sections.insert(at, section);
        Ok(())
    }

    fn place_before(&self, anchor: &str) -> usize {
        self.section_ids()
            .position(|id| id == anchor)
            .unwrap_or(self.sections.len())
    }
}

impl std::fmt::Debug for WorldState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.section_ids()).finish()
    }
}

/// Tells a section whose state is not known, unless what it would say is what was last said.
fn unless_told_already(section: &dyn ErasedSection, last_told: &str) -> ErasedTransition {
    let says_it = |transition: &ErasedTransition| match transition.updates.as_slice() {
        [only] => only
            .fragment()
            .is_some_and(|fragment| fragment.text() == last_told),
        _ => false,
    };
    let first = section.render(PreviousSectionState::Absent);
    let mut unknown = section.render(PreviousSectionState::Unknown);
    if section.is_told_by(last_told) || says_it(&first) || says_it(&unknown) {
        unknown.updates.clear();
    }
    unknown
}

/// A telling in the making.
struct Draft {
    previous: Option<WorldStateSnapshot>,
    changes: Vec<(Box<str>, Option<SectionSnapshot>)>,
    updates: Vec<SectionUpdate>,
    issues: Vec<StateIssue>,
}

impl Draft {
    fn new(previous: Option<&WorldStateSnapshot>) -> Self {
        Self {
            previous: previous.cloned(),
            changes: Vec::new(),
            updates: Vec::new(),
            issues: Vec::new(),
        }
    }

    fn take(&mut self, id: &str, transition: ErasedTransition) {
        self.updates.extend(transition.updates);
        if let Some(fault) = transition.undecodable {
            self.issues.push(StateIssue::new(id, fault));
        }
        match transition.stored {
            ErasedStored::Set(snapshot) => self.changes.push((id.into(), Some(snapshot))),
            ErasedStored::Removed => self.changes.push((id.into(), None)),
            ErasedStored::Kept => {}
        }
    }

    fn is_removed(&self, id: &str) -> bool {
        self.changes
            .iter()
            .any(|(changed, state)| &**changed == id && state.is_none())
    }

    fn finish(self, layout: Layout) -> Telling {
        let base = self.previous.clone().unwrap_or_default();
        let snapshot = base.with_changes(self.changes);
        Telling::new(layout, self.updates, snapshot, self.previous, self.issues)
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
