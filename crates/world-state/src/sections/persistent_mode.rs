//! The instructions of persistent mode. When it is on is left to the caller.

use super::replaceable::{InstructionsSnapshot, Replaceable, tell_by_digest};
use crate::{
    history::TextPart,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::{Placement, SectionUpdate},
};
use annals_context_fragments::{FragmentError, catalog::PersistentModeInstructions};

/// The mode in which the model works on without being asked.
///
/// Told when it is on, then replaced or taken back with a notice. A text that is too long is
/// refused, never cut: a mode is nothing but its instructions.
///
/// # Shape
/// Stored as `{"instructions":"<digest>"}`, or `{}` where the mode is off: an object, so that off is known and not forgotten.
///
/// # Example
/// ```
/// use annals_world_state::{WorldState, sections::PersistentModeSection};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = WorldState::new();
/// world.insert(PersistentModeSection::new("Work on until the list is done.")?)?;
/// assert_eq!(world.render_full().n_updates(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct PersistentModeSection {
    text: Option<Replaceable>,
}

impl PersistentModeSection {
    /// The mode with these instructions; blank text is off.
    ///
    /// # Errors
    /// When the text, with markers and notice, is over the cap of the fragment.
    pub fn new(text: &str) -> Result<Self, FragmentError> {
        if text.trim().is_empty() {
            return Ok(Self::off());
        }
        let first = PersistentModeInstructions::new(text)?;
        let replacing = PersistentModeInstructions::replacing(text)?;
        Ok(Self {
            text: Some(Replaceable::new(&first, &replacing)),
        })
    }

    /// The mode is off.
    pub fn off() -> Self {
        Self { text: None }
    }
}

impl WorldStateSection for PersistentModeSection {
    const ID: &'static str = "persistent_mode";
    const RETAINED: bool = true;
    type Snapshot = InstructionsSnapshot;

    fn snapshot(&self) -> InstructionsSnapshot {
        InstructionsSnapshot::of(self.text.as_ref())
    }

    fn render_diff(
        &self,
        previous: PreviousSectionState<'_, InstructionsSnapshot>,
    ) -> SectionTransition {
        let removal = PersistentModeInstructions::removed();
        tell_by_digest(previous, self.text.as_ref(), &removal, Placement::Mergeable)
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        part.is::<PersistentModeInstructions>("developer")
    }

    fn render_removal(
        previous: PreviousSectionState<'_, InstructionsSnapshot>,
    ) -> Vec<SectionUpdate> {
        let removal = PersistentModeInstructions::removed();
        tell_by_digest(previous, None, &removal, Placement::Mergeable).updates
    }
}

#[cfg(test)]
#[path = "persistent_mode_tests.rs"]
mod tests;
