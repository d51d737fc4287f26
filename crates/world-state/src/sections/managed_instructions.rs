//! The rules that a managed configuration demands. Where they come from is left to the caller.

use super::replaceable::{InstructionsSnapshot, Replaceable, tell_by_digest};
use crate::{
    history::TextPart,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::{Placement, SectionUpdate},
};
use annals_context_fragments::{FragmentError, catalog::ManagedDeveloperInstructions};

/// Rules of a managed configuration, the last word of a full telling.
///
/// Told in full, then replaced or taken back with a notice. They are refused, never cut: half a rule
/// may allow what the whole forbids.
///
/// # Shape
/// Stored as `{"instructions":"<digest>"}`, or `{}` where there are none.
///
/// # Example
/// ```
/// use annals_world_state::{WorldState, sections::ManagedInstructionsSection};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = WorldState::new();
/// world.insert(ManagedInstructionsSection::new("Never push.")?)?;
/// assert_eq!(world.render_full().n_updates(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct ManagedInstructionsSection {
    text: Option<Replaceable>,
}

impl ManagedInstructionsSection {
    /// These rules; blank text is none.
    ///
    /// # Errors
    /// When the text, with markers and notice, is over the cap of the fragment.
    pub fn new(text: &str) -> Result<Self, FragmentError> {
        if text.trim().is_empty() {
            return Ok(Self::none());
        }
        let first = ManagedDeveloperInstructions::new(text)?;
        let replacing = ManagedDeveloperInstructions::replacing(text)?;
        Ok(Self {
            text: Some(Replaceable::new(&first, &replacing)),
        })
    }

    /// No rules.
    pub fn none() -> Self {
        Self { text: None }
    }
}

impl WorldStateSection for ManagedInstructionsSection {
    const ID: &'static str = "managed_developer_instructions";
    const RETAINED: bool = true;
    type Snapshot = InstructionsSnapshot;

    fn snapshot(&self) -> InstructionsSnapshot {
        InstructionsSnapshot::of(self.text.as_ref())
    }

    fn render_diff(
        &self,
        previous: PreviousSectionState<'_, InstructionsSnapshot>,
    ) -> SectionTransition {
        let removal = ManagedDeveloperInstructions::removed();
        tell_by_digest(previous, self.text.as_ref(), &removal, Placement::Last)
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        part.is::<ManagedDeveloperInstructions>("developer")
    }

    fn render_removal(
        previous: PreviousSectionState<'_, InstructionsSnapshot>,
    ) -> Vec<SectionUpdate> {
        let removal = ManagedDeveloperInstructions::removed();
        tell_by_digest(previous, None, &removal, Placement::Last).updates
    }
}

#[cfg(test)]
#[path = "managed_instructions_tests.rs"]
mod tests;
