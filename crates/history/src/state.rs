//! What a thread knows beside its items at one point: what was told, and under which settings.

use std::sync::Arc;

use annals_protocol::RawJson;

/// What holds at one point of a thread, beside the items.
///
/// A rollback puts back the state at the cut, whole. A clone copies nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ThreadState {
    /// The turn context that the model's context was last told against.
    pub reference_context: Option<RawJson>,
    /// The settings of the last turn that counts.
    pub turn_settings: Option<Arc<RawJson>>,
}

impl ThreadState {
    /// The same state with everything forgotten that the model was told.
    #[must_use = "the state itself does not change"]
    pub fn without_context(mut self) -> Self {
        self.reference_context = None;
        self
    }
}
