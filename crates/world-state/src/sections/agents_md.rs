//! The text of the AGENTS.md files. Finding and reading them is left to the caller.

use crate::{
    history::TextPart,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::SectionUpdate,
};
use annals_context_fragments::catalog::UserInstructions;
use serde::{Deserialize, Serialize};

/// The instructions of the AGENTS.md files that hold for a directory.
///
/// Told whole, and whole again when the text changes, with a notice that it replaces what was told
/// before; never as a textual difference, for the model must be able to read its rules in one place.
/// A text that is gone is taken back with a notice. White space around the text is no difference,
/// and neither is another directory with the same text: the directory is a label, and where the
/// model works is told by the environment.
///
/// # Shape
/// Stored as `{"directory":"/repo","text":"Use tabs."}`, or `{}` where there is none.
///
/// # Bounds and cost
/// The fragment cuts a text that is over its cap of 10,000 tokens. The stored form holds the whole
/// text.
///
/// # Example
/// ```
/// use annals_world_state::{WorldState, sections::AgentsMdSection};
/// # fn main() -> Result<(), annals_world_state::StateError> {
/// let mut world = WorldState::new();
/// world.insert(AgentsMdSection::new(Some("/repo"), "Use tabs."))?;
/// assert_eq!(
///     world.render_full().updates()[0].fragment().map(|f| f.text()),
///     Some("# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>")
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct AgentsMdSection {
    loaded: AgentsMdSnapshot,
}

/// The stored form of an [`AgentsMdSection`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentsMdSnapshot {
    #[serde(skip_serializing_if = "Option::is_none")]
    directory: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl AgentsMdSnapshot {
    fn text(&self) -> Option<&str> {
        self.text
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty())
    }
}

impl AgentsMdSection {
    /// The text that holds, and the directory where it belongs to one; blank text is none.
    pub fn new<T: Into<String>>(directory: Option<&str>, text: T) -> Self {
        let text = text.into();
        if text.trim().is_empty() {
            return Self::none();
        }
        let loaded = AgentsMdSnapshot {
            directory: directory.map(str::to_owned),
            text: Some(text),
        };
        Self { loaded }
    }

    /// No instructions.
    pub fn none() -> Self {
        Self {
            loaded: AgentsMdSnapshot::default(),
        }
    }
}

impl WorldStateSection for AgentsMdSection {
    const ID: &'static str = "agents_md";
    const RETAINED: bool = true;
    type Snapshot = AgentsMdSnapshot;

    fn snapshot(&self) -> AgentsMdSnapshot {
        self.loaded.clone()
    }

    fn render_diff(
        &self,
        previous: PreviousSectionState<'_, AgentsMdSnapshot>,
    ) -> SectionTransition {
        let directory = self.loaded.directory.as_deref();
        let may_stand = match previous {
            PreviousSectionState::Absent => false,
            PreviousSectionState::Unknown => true,
            PreviousSectionState::Known(known) if known.text() == self.loaded.text() => {
                return SectionTransition::silent();
            }
            PreviousSectionState::Known(known) => known.text().is_some(),
        };
        let fragment = match (&self.loaded.text, may_stand) {
            (Some(text), false) => Some(UserInstructions::new(directory, text)),
            (Some(text), true) => Some(UserInstructions::replacing(directory, text)),
            (None, true) => Some(UserInstructions::removed()),
            (None, false) => None,
        };
        fragment.map(|fragment| SectionUpdate::of(&fragment)).into()
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        part.is::<UserInstructions>("user")
    }

    fn is_told_by(&self, text: &str) -> bool {
        let told = UserInstructions::read(text);
        let told = told
            .as_ref()
            .map(|told| told.text().map(str::trim).filter(|t| !t.is_empty()));
        told == Some(self.loaded.text())
    }

    fn render_removal(previous: PreviousSectionState<'_, AgentsMdSnapshot>) -> Vec<SectionUpdate> {
        Self::none().render_diff(previous).updates
    }
}

#[cfg(test)]
#[path = "agents_md_tests.rs"]
mod tests;
