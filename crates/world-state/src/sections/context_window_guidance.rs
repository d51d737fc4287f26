//! Configured guidance on the use of the context window. The ids of the window are another section's.

use super::replaceable::{Replaceable, tell};
use crate::{
    history::TextPart,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::{Placement, SectionUpdate},
};
use annals_context_fragments::{FragmentError, catalog::ContextWindowGuidance};

/// Guidance on the use of the context window.
///
/// Told in full, then replaced or taken back with a notice. A text that is too long is refused.
///
/// # Shape
/// Stored as the text itself; `""` where there is none.
///
/// # Example
/// ```
/// use annals_world_state::{WorldState, sections::ContextWindowGuidanceSection};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = WorldState::new();
/// world.insert(ContextWindowGuidanceSection::new("Keep notes of what you decide.")?)?;
/// assert_eq!(world.render_full().n_updates(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct ContextWindowGuidanceSection {
    text: String,
    rendered: Option<Replaceable>,
}

impl ContextWindowGuidanceSection {
    /// This guidance; blank text is none.
    ///
    /// # Errors
    /// When the text, with markers and notice, is over the cap of the fragment.
    pub fn new(text: &str) -> Result<Self, FragmentError> {
        if text.trim().is_empty() {
            return Ok(Self::none());
        }
        let first = ContextWindowGuidance::new(text)?;
        let replacing = ContextWindowGuidance::replacing(text)?;
        Ok(Self {
            text: text.to_owned(),
            rendered: Some(Replaceable::new(&first, &replacing)),
        })
    }

    /// No guidance.
    pub fn none() -> Self {
        Self {
            text: String::new(),
            rendered: None,
        }
    }
}

impl WorldStateSection for ContextWindowGuidanceSection {
    const ID: &'static str = "context_window_guidance";
    const RETAINED: bool = true;
    type Snapshot = String;

    fn snapshot(&self) -> String {
        self.text.clone()
    }

    fn render_diff(&self, previous: PreviousSectionState<'_, String>) -> SectionTransition {
        if previous.known().is_some_and(|known| *known == self.text) {
            return SectionTransition::silent();
        }
        tell_guidance(previous, self.rendered.as_ref())
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        part.is::<ContextWindowGuidance>("developer")
    }

    fn render_removal(previous: PreviousSectionState<'_, String>) -> Vec<SectionUpdate> {
        tell_guidance(previous, None).updates
    }
}

fn tell_guidance(
    previous: PreviousSectionState<'_, String>,
    now: Option<&Replaceable>,
) -> SectionTransition {
    let known;
    let had_text = match previous {
        PreviousSectionState::Absent => PreviousSectionState::Absent,
        PreviousSectionState::Unknown => PreviousSectionState::Unknown,
        PreviousSectionState::Known(text) => {
            known = !text.trim().is_empty();
            PreviousSectionState::Known(&known)
        }
    };
    tell(
        had_text,
        now,
        &ContextWindowGuidance::removed(),
        Placement::Mergeable,
    )
}

#[cfg(test)]
#[path = "context_window_guidance_tests.rs"]
mod tests;
