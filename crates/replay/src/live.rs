//! The rules of the replay for a thread that runs: what each record that it writes means.

use std::sync::Arc;

use annals_history::{ContextManager, ItemEnvelope, Rollback};
use annals_protocol::WorldStateRecord;

use crate::tracker::{CompactionFacts, Tracker, attribution_of};

/// What a running thread knows beside its items, changed by the records that it writes.
///
/// A thread that tells each of them here has the state that a replay of its file would have: both
/// run the same rules. Items are recorded in the history itself; [`spoke`](Self::spoke) says that one
/// of them was not the model's.
///
/// # Bounds and cost
///
/// O(1) a record, beside one pass over its payload.
#[derive(Debug, Clone, Default)]
pub struct LiveState {
    tracker: Tracker,
}

impl LiveState {
    pub(crate) const fn new(tracker: Tracker) -> Self {
        Self { tracker }
    }

    /// A `task_started` with this payload was written.
    pub fn turn_started(&mut self, history: &mut ContextManager, payload: &str, turn_id: &str) {
        history.begin_turn();
        let mut state = history.state().clone();
        self.tracker.start(&state, Some(turn_id));
        state.turn_attribution = attribution_of(payload, Some(turn_id)).map(Arc::new);
        history.set_state(state);
    }

    /// A `turn_context` with this payload was written.
    pub fn turn_context(&mut self, history: &mut ContextManager, payload: &str) {
        let mut state = history.state().clone();
        self.tracker.turn_context(payload, &mut state);
        self.tracker.apply(&mut state);
        history.set_state(state);
    }

    /// A `world_state` was written.
    pub fn world_state(&mut self, history: &mut ContextManager, record: &WorldStateRecord) {
        let mut state = history.state().clone();
        let _step = self.tracker.world_state(record, &mut state);
        self.tracker.apply(&mut state);
        history.set_state(state);
    }

    /// An item that starts a turn was recorded.
    pub fn spoke(&mut self, history: &mut ContextManager) {
        if self.tracker.spoke() {
            self.settle(history);
        }
    }

    /// A `task_complete` for this turn was written.
    pub fn completed(&mut self, history: &mut ContextManager, turn_id: &str) {
        self.tracker.completed(Some(turn_id));
        self.settle(history);
    }

    /// A `turn_aborted` for this turn was written.
    pub fn aborted(&mut self, turn_id: &str) {
        self.tracker.aborted(Some(turn_id));
    }

    /// A `compacted` with this payload was written; `items` are its replacement.
    pub fn compacted<I>(&mut self, history: &mut ContextManager, payload: &str, items: I)
    where
        I: IntoIterator<Item = ItemEnvelope>,
    {
        let mut state = history.state().clone().without_context();
        self.tracker
            .compacted(&CompactionFacts::of(payload), &mut state);
        history.replace_compacted_with(items, state);
    }

    /// A `thread_rolled_back` by so many turns was written.
    pub fn rolled_back(&mut self, history: &mut ContextManager, turns: usize) -> Rollback {
        let done = history.drop_last_n_user_turns(turns);
        if turns > 0 {
            self.tracker.rolled_back(history.state());
        }
        done
    }

    fn settle(&self, history: &mut ContextManager) {
        let mut state = history.state().clone();
        self.tracker.apply(&mut state);
        history.set_state(state);
    }
}
