//! Whether the conversation is spoken. The session itself is kept elsewhere.

use crate::{
    history::TextPart,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::SectionUpdate,
};
use annals_context_fragments::catalog::{RealtimeEndInstructions, RealtimeStartInstructions};
use serde::{Deserialize, Serialize};

/// A spoken conversation: its start is told, and its end.
///
/// # Shape
/// Stored as `{"active":true}`.
///
/// # Example
/// ```
/// use annals_world_state::{HistoryView, WorldState, sections::RealtimeSection};
/// # fn main() -> Result<(), annals_world_state::StateError> {
/// let world = |section| {
///     let mut world = WorldState::new();
///     world.insert(section).map(|()| world)
/// };
/// let written = world(RealtimeSection::inactive())?.render_full();
/// assert!(written.is_silent());
/// let spoken = world(RealtimeSection::active())?;
/// assert_eq!(spoken.render_diff(Some(written.snapshot()), HistoryView::Intact).n_updates(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct RealtimeSection {
    is_active: bool,
    start: RealtimeStartInstructions,
    end: RealtimeEndInstructions,
}

/// The stored form of a [`RealtimeSection`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RealtimeSnapshot {
    active: bool,
}

impl RealtimeSection {
    /// The conversation is spoken.
    pub fn active() -> Self {
        Self::new(true)
    }

    /// The conversation is written.
    pub fn inactive() -> Self {
        Self::new(false)
    }

    fn new(is_active: bool) -> Self {
        Self {
            is_active,
            start: RealtimeStartInstructions::standard(),
            end: RealtimeEndInstructions::inactive(),
        }
    }

    /// The host's own words at the start; a text over the cap of the fragment is cut.
    #[must_use]
    pub fn with_start<T: Into<String>>(mut self, text: T) -> Self {
        self.start = RealtimeStartInstructions::custom(text);
        self
    }

    /// The host's own words at the end; a text over the cap of the fragment is cut.
    #[must_use]
    pub fn with_end<T: Into<String>>(mut self, text: T) -> Self {
        self.end = RealtimeEndInstructions::custom(text);
        self
    }
}

impl WorldStateSection for RealtimeSection {
    const ID: &'static str = "realtime";
    const RETAINED: bool = true;
    type Snapshot = RealtimeSnapshot;

    fn snapshot(&self) -> RealtimeSnapshot {
        RealtimeSnapshot {
            active: self.is_active,
        }
    }

    fn render_diff(
        &self,
        previous: PreviousSectionState<'_, RealtimeSnapshot>,
    ) -> SectionTransition {
        let was_active = match previous {
            PreviousSectionState::Absent => Some(false),
            PreviousSectionState::Unknown => None,
            PreviousSectionState::Known(known) => Some(known.active),
        };
        match (was_active, self.is_active) {
            (Some(false) | None, true) => {
                SectionTransition::telling(SectionUpdate::of(&self.start))
            }
            // A start whose end nobody told still stands in the history.
            (Some(true) | None, false) => SectionTransition::telling(SectionUpdate::of(&self.end)),
            (Some(false), false) | (Some(true), true) => SectionTransition::silent(),
        }
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        part.is::<RealtimeStartInstructions>("developer")
    }

    fn render_removal(previous: PreviousSectionState<'_, RealtimeSnapshot>) -> Vec<SectionUpdate> {
        Self::inactive().render_diff(previous).updates
    }
}

#[cfg(test)]
#[path = "realtime_tests.rs"]
mod tests;
