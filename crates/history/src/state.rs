//! What a thread knows beside its items at one point: what was told, and under which settings.

use std::sync::Arc;

use annals_protocol::{PreviousTurnSettings, RawJson, TurnAttribution};
use annals_world_state::WorldStateSnapshot;

/// What holds at one point of a thread, beside the items.
///
/// A rollback puts back the state at the cut, whole. A clone copies nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ThreadState {
    /// What the model was last told of the world; `None` if nothing, or if nobody knows.
    pub world_state_baseline: Option<WorldStateSnapshot>,
    /// The payload of the `turn_context` that the model's context was last told against.
    pub reference_context: Option<RawJson>,
    /// The payload of the first `turn_context` of this context window: what was fixed by it, such as
    /// the effort that requests ask for, holds until the next compaction.
    pub opening_context: Option<RawJson>,
    /// The settings of the last turn that counts.
    pub turn_settings: Option<Arc<PreviousTurnSettings>>,
    /// Which context window this is.
    pub window: WindowIdentity,
    /// Where the last turn came from.
    pub turn_attribution: Option<Arc<TurnAttribution>>,
    /// Whether the settings come from a compaction's record, so that only a turn that was completed
    /// since takes their place.
    pub settings_need_completion: bool,
    /// Whether a compaction without a replacement history came last: what was told is not known then,
    /// whatever is recorded afterwards.
    pub has_legacy_compaction: bool,
}

impl ThreadState {
    /// The same state with everything forgotten that the model was told.
    #[must_use = "the state itself does not change"]
    pub fn without_context(mut self) -> Self {
        self.reference_context = None;
        self.world_state_baseline = None;
        self
    }
}

/// Which of a thread's context windows one is: compactions start new ones.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct WindowIdentity {
    /// How many compactions came before.
    pub number: u64,
    /// The thread's first window.
    pub first_id: Option<Arc<str>>,
    /// The window before.
    pub previous_id: Option<Arc<str>>,
    /// This window.
    pub id: Option<Arc<str>>,
    /// Whether the compaction that started it said its number.
    pub is_numbered: bool,
}
