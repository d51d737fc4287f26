//! The ids of the context window and the agent that it belongs to.

use crate::{
    history::TextPart,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::{Placement, SectionUpdate},
};
use annals_context_fragments::catalog::ContextWindow;

/// The context window, told at its start, and again when it is another agent's.
///
/// The ids alone are no difference: they change with each compaction, which tells everything anyway.
///
/// # Shape
/// Stored as the path of the agent: `"/root"`.
#[derive(Debug, Clone)]
pub struct ContextWindowSection {
    window: ContextWindow,
}

impl ContextWindowSection {
    /// This window.
    pub fn new(window: ContextWindow) -> Self {
        Self { window }
    }
}

impl WorldStateSection for ContextWindowSection {
    const ID: &'static str = "context_window";
    type Snapshot = String;

    fn snapshot(&self) -> String {
        self.window.agent.clone()
    }

    fn render_diff(&self, previous: PreviousSectionState<'_, String>) -> SectionTransition {
        if previous.known() == Some(&self.window.agent) {
            return SectionTransition::silent();
        }
        SectionTransition::telling(SectionUpdate::placed(Placement::Standalone, &self.window))
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        part.is::<ContextWindow>("developer")
    }
}

#[cfg(test)]
#[path = "context_window_tests.rs"]
mod tests;
