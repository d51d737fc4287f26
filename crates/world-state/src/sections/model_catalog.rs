//! The models that a sub-agent can be started with.

use crate::{
    fingerprint::Fingerprint,
    history::TextPart,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::SectionUpdate,
};
use annals_context_fragments::{
    ContextualUserFragment, RenderedFragment,
    catalog::{CatalogModel, ModelCatalog},
};

/// The list of models for sub-agents, told whole whenever it reads otherwise.
///
/// # Shape
/// Stored as the digest of the fragment: `"ea1a55de2973a50e2e404222c5499c24df5591ed"`.
#[derive(Debug, Clone)]
pub struct ModelCatalogSection {
    rendered: RenderedFragment,
    digest: Fingerprint,
    is_empty: bool,
}

impl ModelCatalogSection {
    /// These models; their order is no difference.
    pub fn new(models: Vec<CatalogModel>) -> Self {
        let is_empty = models.is_empty();
        let rendered = ModelCatalog { models }.render_fragment();
        let digest = Fingerprint::of_fragment(rendered.role().as_str(), rendered.text());
        Self {
            rendered,
            digest,
            is_empty,
        }
    }
}

impl WorldStateSection for ModelCatalogSection {
    const ID: &'static str = "model_catalog";
    const RETAINED: bool = true;
    type Snapshot = Fingerprint;

    fn snapshot(&self) -> Fingerprint {
        self.digest
    }

    fn render_diff(&self, previous: PreviousSectionState<'_, Fingerprint>) -> SectionTransition {
        let is_known = match previous {
            PreviousSectionState::Absent => self.is_empty,
            PreviousSectionState::Unknown => false,
            PreviousSectionState::Known(known) => *known == self.digest,
        };
        if is_known {
            return SectionTransition::silent();
        }
        SectionTransition::telling(SectionUpdate::from(self.rendered.clone()))
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        part.is::<ModelCatalog>("developer")
    }

    fn render_removal(previous: PreviousSectionState<'_, Fingerprint>) -> Vec<SectionUpdate> {
        Self::new(Vec::new()).render_diff(previous).updates
    }
}

#[cfg(test)]
#[path = "model_catalog_tests.rs"]
mod tests;
