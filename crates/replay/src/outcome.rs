//! What a replay rebuilt.

use annals_history::{ContextManager, ItemBody, ItemEnvelope, Ledger};
use annals_protocol::RawJson;

use crate::ignored::Ignored;
use crate::live::LiveState;

/// What a replay rebuilt.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Replayed<B: ItemBody> {
    /// The history, and what held beside it.
    pub ledger: Ledger<B>,
    /// The same rules for the records that a running thread adds.
    pub live: LiveState,
    /// The payload of the thread's own `session_meta`: the first in the newest file of the lineage.
    pub session: Option<RawJson>,
    /// How the last turn ended.
    pub last_turn: LastTurn,
    /// The turn that started last, even if it was rolled back afterwards.
    pub last_started_turn_id: Option<String>,
    /// The newest measure of the history's tokens that still holds.
    pub measured: Option<Measured>,
    /// The payload of the newest `thread_settings_applied` event.
    pub thread_settings: Option<RawJson>,
    /// The first place in the order of accepted user inputs that was never given, rolled-back
    /// inputs included.
    pub next_input_order: u64,
    /// The records that could not be used, in order.
    pub ignored: Vec<Ignored>,
}

impl Replayed<ItemEnvelope> {
    /// The history as a running thread has it.
    pub fn into_history(self) -> ContextManager {
        let mut history = ContextManager::from_ledger(self.ledger);
        history.skip_user_input_orders(self.next_input_order);
        if let Some(measured) = self.measured {
            history.set_measured_tokens_at(measured.tokens, measured.n_items);
        }
        history
    }
}

/// How the last turn of a file ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum LastTurn {
    /// No turn was started.
    #[default]
    None,
    /// It was completed.
    Completed,
    /// It was aborted.
    Aborted,
    /// It never ended: the program died, or still runs.
    Unfinished,
}

impl LastTurn {
    /// Whether the turn counts as interrupted: what ended without saying so did.
    pub const fn is_interrupted(self) -> bool {
        matches!(self, Self::Aborted | Self::Unfinished)
    }
}

/// A measure of a history's tokens, made by the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measured {
    /// Input and output of the last response together.
    pub tokens: u64,
    /// How many items the history had.
    pub n_items: usize,
}
