//! How the model works with the user. Which modes there are is left to the caller.

use crate::{
    fingerprint::Fingerprint,
    history::TextPart,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::SectionUpdate,
};
use annals_context_fragments::{
    ContextualUserFragment, FragmentError, RenderedFragment, catalog::CollaborationModeInstructions,
};
use serde::{Deserialize, Serialize};

/// The collaboration mode with its instructions.
///
/// The instructions are told, not the name of the mode: modes with equal instructions are one to the
/// model. Instructions that are gone are taken back by an empty pair of markers, once.
///
/// # Shape
/// Stored as `{"mode":"plan","model":"model-a","instructions":"<digest>"}`, the digest being that of
/// the whole fragment, also of an empty one. Also read: the bare name of a mode.
///
/// # Example
/// ```
/// use annals_world_state::{WorldState, sections::CollaborationModeSection};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = WorldState::new();
/// world.insert(CollaborationModeSection::new("plan", "model-a", "Plan, do not edit.")?)?;
/// assert_eq!(
///     world.render_full().updates()[0].fragment().map(|f| f.text()),
///     Some("<collaboration_mode>Plan, do not edit.</collaboration_mode>")
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct CollaborationModeSection {
    mode: String,
    model: String,
    rendered: RenderedFragment,
    digest: Fingerprint,
    is_empty: bool,
}

/// The stored form of a [`CollaborationModeSection`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CollaborationModeSnapshot {
    /// The mode with a digest of its instructions.
    Current {
        /// The name of the mode.
        mode: String,
        /// The model that it was told to.
        model: String,
        /// The digest of the fragment; none stands for an empty one.
        #[serde(skip_serializing_if = "Option::is_none")]
        instructions: Option<Fingerprint>,
    },
    /// As older programs stored it: the name alone.
    Legacy(String),
}

impl CollaborationModeSection {
    /// A mode by its name, for a model, with its instructions; they may be empty.
    ///
    /// # Errors
    /// When the instructions are over the cap of the fragment: they are never cut.
    pub fn new(mode: &str, model: &str, instructions: &str) -> Result<Self, FragmentError> {
        let is_empty = instructions.trim().is_empty();
        let text = if is_empty { "" } else { instructions };
        let rendered = CollaborationModeInstructions::new(text)?.render_fragment();
        let digest = Fingerprint::of_fragment(rendered.role().as_str(), rendered.text());
        Ok(Self {
            mode: mode.to_owned(),
            model: model.to_owned(),
            rendered,
            digest,
            is_empty,
        })
    }
}

impl WorldStateSection for CollaborationModeSection {
    const ID: &'static str = "collaboration_mode";
    const RETAINED: bool = true;
    type Snapshot = CollaborationModeSnapshot;

    fn snapshot(&self) -> CollaborationModeSnapshot {
        CollaborationModeSnapshot::Current {
            mode: self.mode.clone(),
            model: self.model.clone(),
            instructions: Some(self.digest),
        }
    }

    fn render_diff(
        &self,
        previous: PreviousSectionState<'_, CollaborationModeSnapshot>,
    ) -> SectionTransition {
        let is_known = match previous {
            PreviousSectionState::Absent => self.is_empty,
            PreviousSectionState::Known(CollaborationModeSnapshot::Current {
                instructions,
                ..
            }) => instructions.map_or(self.is_empty, |known| known == self.digest),
            PreviousSectionState::Unknown
            | PreviousSectionState::Known(CollaborationModeSnapshot::Legacy(_)) => false,
        };
        if is_known {
            return SectionTransition::silent();
        }
        SectionTransition::telling(SectionUpdate::from(self.rendered.clone()))
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        part.is::<CollaborationModeInstructions>("developer")
    }

    fn render_removal(
        previous: PreviousSectionState<'_, CollaborationModeSnapshot>,
    ) -> Vec<SectionUpdate> {
        Self::new("", "", "")
            .map(|none| none.render_diff(previous).updates)
            .unwrap_or_default()
    }
}

#[cfg(test)]
#[path = "collaboration_mode_tests.rs"]
mod tests;
