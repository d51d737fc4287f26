//! The base instructions, where they travel as an item of the input.

use crate::{
    fingerprint::Fingerprint,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::{Placement, SectionUpdate},
};
use annals_context_fragments::{ContextualUserFragment, FragmentError, catalog::BaseInstructions};
use std::sync::Arc;

/// The base instructions of a thread, in front of everything else.
///
/// Told once a context window. They are fixed when the thread is made: another text is stored and
/// never told, so that the start of the prompt stays as it is.
///
/// # Shape
/// Stored as the digest of the text: `"288fbaaba4ce0b63e4443b2df37dce92bfe45839"`.
///
/// # Example
/// ```
/// use annals_world_state::{WorldState, sections::BaseInstructionsSection};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = WorldState::new();
/// world.insert(BaseInstructionsSection::new("You are careful.")?)?;
/// assert_eq!(world.render_full().n_updates(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct BaseInstructionsSection {
    fragment: Arc<BaseInstructions>,
    digest: Fingerprint,
}

impl BaseInstructionsSection {
    /// These instructions; blank ones are stored and not told.
    ///
    /// # Errors
    /// When the text is over the cap of the fragment: it is never cut.
    pub fn new(text: &str) -> Result<Self, FragmentError> {
        let fragment = BaseInstructions::new(text)?;
        let digest = Fingerprint::of_fragment(fragment.role().as_str(), &fragment.render());
        Ok(Self {
            fragment: Arc::new(fragment),
            digest,
        })
    }
}

impl WorldStateSection for BaseInstructionsSection {
    const ID: &'static str = "base_instructions";
    type Snapshot = Fingerprint;

    fn snapshot(&self) -> Fingerprint {
        self.digest
    }

    fn render_diff(&self, previous: PreviousSectionState<'_, Fingerprint>) -> SectionTransition {
        let is_new = previous == PreviousSectionState::Absent;
        if !is_new || self.fragment.text().trim().is_empty() {
            return SectionTransition::silent();
        }
        SectionTransition::telling(SectionUpdate::placed(Placement::Prefix, &*self.fragment))
    }
}

#[cfg(test)]
#[path = "base_instructions_tests.rs"]
mod tests;
