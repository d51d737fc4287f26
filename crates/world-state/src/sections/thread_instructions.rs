//! The instructions that a host gave to one thread. Keeping their text is left to the caller.

use crate::{
    fingerprint::Fingerprint,
    history::TextPart,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::SectionUpdate,
};
use annals_context_fragments::{
    ContextualUserFragment, FragmentError, RenderedFragment, catalog::ThreadInstructions,
};

/// The instructions that a host gave to one thread when it made it.
///
/// They are fixed: told where they do not stand, so once a context window, and never replaced.
///
/// # Shape
/// Stored as the digest of the fragment: `"288fbaaba4ce0b63e4443b2df37dce92bfe45839"`.
///
/// # Example
/// ```
/// use annals_world_state::{WorldState, sections::ThreadInstructionsSection};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = WorldState::new();
/// world.insert(ThreadInstructionsSection::new("Answer in one sentence.")?)?;
/// assert_eq!(world.render_full().n_updates(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct ThreadInstructionsSection {
    rendered: RenderedFragment,
    digest: Fingerprint,
}

impl ThreadInstructionsSection {
    /// These instructions.
    ///
    /// # Errors
    /// When the text is over the cap of the fragment: it is never cut.
    pub fn new(text: &str) -> Result<Self, FragmentError> {
        let rendered = ThreadInstructions::new(text)?.render_fragment();
        let digest = Fingerprint::of_fragment(rendered.role().as_str(), rendered.text());
        Ok(Self { rendered, digest })
    }
}

impl WorldStateSection for ThreadInstructionsSection {
    const ID: &'static str = "thread_instructions";
    const RETAINED: bool = true;
    type Snapshot = Fingerprint;

    fn snapshot(&self) -> Fingerprint {
        self.digest
    }

    fn render_diff(&self, previous: PreviousSectionState<'_, Fingerprint>) -> SectionTransition {
        match previous {
            PreviousSectionState::Absent => {
                SectionTransition::telling(SectionUpdate::from(self.rendered.clone()))
            }
            _ => SectionTransition::silent(),
        }
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        part.is::<ThreadInstructions>("developer")
    }
}

#[cfg(test)]
#[path = "thread_instructions_tests.rs"]
mod tests;
