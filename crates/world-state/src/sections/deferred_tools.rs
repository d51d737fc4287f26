//! Namespaces of tools that the model can load. The tools themselves are declared elsewhere.

use crate::{
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::SectionUpdate,
};
use annals_context_fragments::catalog::DeferredTools;
use std::collections::BTreeMap;

/// The namespaces of deferred tools, with a line on each.
///
/// All of them are told at first, afterwards what was added, described anew or removed.
///
/// # Shape
/// Stored as `{"git":"Works with repositories."}`, descriptions whole; not stored where there are
/// none.
///
/// # Example
/// ```
/// use annals_world_state::{WorldState, sections::DeferredToolsSection};
/// # fn main() -> Result<(), annals_world_state::StateError> {
/// let mut world = WorldState::new();
/// world.insert(DeferredToolsSection::new([("git", "Works with repositories.")]))?;
/// assert_eq!(
///     world.render_full().updates()[0].fragment().map(|f| f.text()),
///     Some("<tools>\nDeferred tool namespaces:\n- git: Works with repositories.\n</tools>")
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct DeferredToolsSection {
    namespaces: BTreeMap<String, String>,
}

impl DeferredToolsSection {
    /// These namespaces with their descriptions.
    pub fn new<N, D, I>(namespaces: I) -> Self
    where
        N: Into<String>,
        D: Into<String>,
        I: IntoIterator<Item = (N, D)>,
    {
        let namespaces = namespaces
            .into_iter()
            .map(|(name, what)| (name.into(), what.into()));
        Self {
            namespaces: namespaces.collect(),
        }
    }
}

impl WorldStateSection for DeferredToolsSection {
    const ID: &'static str = "tools";
    type Snapshot = BTreeMap<String, String>;

    fn snapshot(&self) -> BTreeMap<String, String> {
        self.namespaces.clone()
    }

    fn is_stored(&self) -> bool {
        !self.namespaces.is_empty()
    }

    fn render_diff(
        &self,
        previous: PreviousSectionState<'_, BTreeMap<String, String>>,
    ) -> SectionTransition {
        let Some(known) = previous.known() else {
            let all = (!self.namespaces.is_empty())
                .then(|| SectionUpdate::of(&DeferredTools::all(self.namespaces.clone())));
            return all.into();
        };
        let added: BTreeMap<_, _> = self
            .namespaces
            .iter()
            .filter(|(name, what)| known.get(*name) != Some(what))
            .map(|(name, what)| (name.clone(), what.clone()))
            .collect();
        let removed: Vec<_> = known
            .keys()
            .filter(|name| !self.namespaces.contains_key(*name))
            .cloned()
            .collect();
        if added.is_empty() && removed.is_empty() {
            return SectionTransition::silent();
        }
        let change = DeferredTools::change(added, removed, self.namespaces.is_empty());
        SectionTransition::telling(SectionUpdate::of(&change))
    }

    fn render_removal(
        previous: PreviousSectionState<'_, BTreeMap<String, String>>,
    ) -> Vec<SectionUpdate> {
        Self {
            namespaces: BTreeMap::new(),
        }
        .render_diff(previous)
        .updates
    }
}

#[cfg(test)]
#[path = "deferred_tools_tests.rs"]
mod tests;
