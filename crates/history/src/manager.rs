//! The history of one thread: items in, prompts out, and nothing else changes it.

use annals_context_fragments::TruncationBudget;
use annals_protocol::{PreviousTurnSettings, RawJson, TruncationPolicy};
use annals_world_state::WorldStateSnapshot;

use crate::body::{ItemBody, ItemEnvelope};
use crate::estimate::estimate_tokens;
use crate::facts::ItemFacts;
use crate::ledger::{Ledger, Rollback};
use crate::options::PromptOptions;
use crate::prompt::Prompt;
use crate::state::ThreadState;
use crate::truncation::output_budget;
use crate::usage::{TokenCount, Usage};
use crate::version::{HistoryVersion, Rewrite};
use crate::view::View;

mod texts;

/// How many sets of options are kept up to date at once: the model's own, and a summary's.
const MAX_VIEWS: usize = 2;

/// The append-only history of one thread.
///
/// Items are recorded and never change. Two things rewrite the history as a whole, and each counts
/// up its [`version`](Self::version): [`replace_compacted`](Self::replace_compacted) and
/// [`drop_last_n_user_turns`](Self::drop_last_n_user_turns).
///
/// Nothing else does. An item that was handed out cannot be changed:
///
/// ```compile_fail,E0615
/// # use annals_history::ContextManager;
/// # use annals_protocol::RawJson;
/// # let history = ContextManager::new();
/// for item in history.items() {
///     item.raw = &RawJson::parse("{}").unwrap();
/// }
/// ```
///
/// neither through what it is wrapped in, nor through the rules' own view of the history, nor in a
/// prompt:
///
/// ```compile_fail,E0616
/// # use annals_history::ItemEnvelope;
/// # use annals_protocol::RawJson;
/// # let mut envelope = ItemEnvelope::new(RawJson::parse("{}").unwrap());
/// envelope.raw = RawJson::parse("[]").unwrap();
/// ```
///
/// ```compile_fail,E0596
/// # use annals_history::{ContextManager, ItemFacts, ItemEnvelope};
/// # use annals_protocol::RawJson;
/// # let mut history = ContextManager::new();
/// # let envelope = ItemEnvelope::new(RawJson::parse("{}").unwrap());
/// history.ledger().push(ItemFacts::scan("{}"), envelope);
/// ```
///
/// ```compile_fail,E0616
/// # use annals_history::{ContextManager, PromptOptions};
/// # let mut history = ContextManager::new();
/// history.for_prompt(PromptOptions::default()).slots.clear();
/// ```
///
/// # Bounds and cost
///
/// A clone copies nothing, and recording after a clone copies nothing that grows with the history.
/// A step that records k items and makes a prompt costs O(k) time and allocations, whatever the
/// length of the history; an output that arrives n items after its call costs O(n) once.
///
/// # Example
///
/// ```
/// use annals_history::{ContextManager, ItemEnvelope, PromptOptions};
/// use annals_protocol::RawJson;
///
/// let call = r#"{"type":"function_call","name":"ls","arguments":"{}","call_id":"c1"}"#;
/// let mut history = ContextManager::new();
/// history.record([ItemEnvelope::new(RawJson::parse(call)?)], None);
/// let prompt = history.for_prompt(PromptOptions::default());
/// assert_eq!(prompt.len(), 2); // the call, and an output that says `aborted`
/// # Ok::<(), annals_protocol::DecodeError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ContextManager {
    ledger: Ledger<ItemEnvelope>,
    views: Vec<View>,
    version: HistoryVersion,
    rewrite: Option<Rewrite>,
    usage: Usage,
    next_input_order: u64,
}

impl ContextManager {
    /// A history without items.
    pub fn new() -> Self {
        Self::default()
    }

    /// The history that a replay rebuilt.
    ///
    /// Cost: one pass over the items, for their estimates.
    pub fn from_ledger(ledger: Ledger<ItemEnvelope>) -> Self {
        let mut history = Self {
            ledger,
            ..Self::default()
        };
        history.usage = Usage::rewritten(history.estimate());
        history.next_input_order = history
            .items()
            .filter_map(|item| item.envelope.input_order())
            .max()
            .map_or(0, |max| max + 1);
        history
    }

    /// The same history as what `rewrite` made of `earlier`, for a host that replays what is left
    /// instead of cutting: versions count on, places of users' inputs are not given again.
    #[must_use = "the history is handed back"]
    pub fn following(mut self, earlier: &Self, rewrite: Rewrite) -> Self {
        self.version = earlier.version.next();
        self.rewrite = Some(rewrite);
        self.next_input_order = self.next_input_order.max(earlier.next_input_order);
        self
    }

    /// Records items, oldest first; a [`RawJson`](crate::RawJson) becomes one with `.into()`.
    ///
    /// A tool output is shortened once and for all, for this history only: to its own budget
    /// (`fallback_token_limit_override`), else to the policy's and a fifth, else to 10,000 tokens
    /// and a fifth. Nothing is refused: what is not for the model stays out of prompts, and is
    /// reported there.
    pub fn record<I>(&mut self, items: I, policy: Option<&TruncationPolicy>)
    where
        I: IntoIterator<Item = ItemEnvelope>,
    {
        let budget = output_budget(policy);
        for envelope in items {
            let facts = envelope.facts();
            let own = envelope
                .metadata()
                .and_then(|beside| beside.fallback_token_limit_override);
            let envelope =
                envelope.with_output_budget(&facts, own.map_or(budget, TruncationBudget::Tokens));
            self.usage
                .add(estimate_tokens(envelope.raw().as_str(), facts.item));
            if let Some(order) = envelope.input_order() {
                self.next_input_order = self.next_input_order.max(order.saturating_add(1));
            }
            self.ledger.push(facts, envelope);
        }
    }

    /// Notes that a turn begins, before its context and its first item are recorded.
    pub fn begin_turn(&mut self) {
        self.ledger.begin_turn();
    }

    /// What the model is sent.
    ///
    /// Takes `&mut self` only to remember what it has decided; no item changes. Cost: O(what was
    /// recorded since the last prompt with these options). New options: O(n) once.
    pub fn for_prompt(&mut self, options: PromptOptions) -> Prompt {
        self.mark_stale();
        let idx = self.views.iter().position(|view| view.options == options);
        let mut view = match idx {
            Some(idx) => self.views.remove(idx),
            None => View::new(options),
        };
        view.refresh(&self.ledger);
        let prompt = Prompt {
            slots: view.slots.clone(),
            options,
            version: self.version,
            rewrite: self.rewrite,
            repairs: self.ledger.window.repairs.clone(),
            pairing: self.ledger.window.pairing.clone(),
        };
        self.views.insert(0, view);
        self.views.truncate(MAX_VIEWS);
        prompt
    }

    /// All items, oldest first, those included that no prompt shows.
    pub fn items(&self) -> impl DoubleEndedIterator<Item = HistoryItem<'_>> + ExactSizeIterator {
        self.ledger
            .items()
            .map(|(facts, envelope)| HistoryItem { facts, envelope })
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.ledger.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.ledger.is_empty()
    }

    /// How many turns there are, those before compactions included.
    pub fn n_turns(&self) -> usize {
        self.ledger.turns()
    }

    /// How often the history was rewritten.
    pub const fn version(&self) -> HistoryVersion {
        self.version
    }

    /// What holds now beside the items.
    pub fn state(&self) -> &ThreadState {
        self.ledger.state()
    }

    /// Sets what holds from here on beside the items.
    pub fn set_state(&mut self, state: ThreadState) {
        self.ledger.set_state(state);
    }

    /// What the model was last told of the world.
    pub fn world_state_baseline(&self) -> Option<&WorldStateSnapshot> {
        self.state().world_state_baseline.as_ref()
    }

    /// Sets what the model was last told of the world, after the telling was recorded.
    pub fn set_world_state_baseline(&mut self, baseline: Option<WorldStateSnapshot>) {
        let mut state = self.state().clone();
        state.world_state_baseline = baseline;
        self.ledger.set_state(state);
    }

    /// The turn context that the model's context was last told against.
    pub fn reference_context_item(&self) -> Option<&RawJson> {
        self.state().reference_context.as_ref()
    }

    /// Sets the turn context that the model's context was last told against, and with it the
    /// settings of the turn.
    pub fn set_reference_context_item(
        &mut self,
        context: Option<RawJson>,
        settings: Option<PreviousTurnSettings>,
    ) {
        let mut state = self.state().clone();
        state.reference_context = context;
        if let Some(settings) = settings {
            state.turn_settings = Some(std::sync::Arc::new(settings));
        }
        self.ledger.set_state(state);
    }

    /// Drops the last `turns` turns with the context that was told for them, and puts back what
    /// held before them.
    ///
    /// Turns are counted over what was recorded: a compaction inside a dropped turn counts for
    /// nothing, and going back past one restores the originals. More turns than there are drop all
    /// of them; what stands before the first stays. 0 changes nothing.
    pub fn drop_last_n_user_turns(&mut self, turns: usize) -> Rollback {
        let done = self.ledger.roll_back(turns);
        if turns > 0 {
            self.rewritten(Rewrite::Rollback);
        }
        done
    }

    /// Puts the items of a compaction in the place of all others.
    ///
    /// What the model was told is forgotten with them: afterwards the next telling is full. Where
    /// `items` hold injected context, set the baseline and the reference context from it.
    pub fn replace_compacted<I>(&mut self, items: I)
    where
        I: IntoIterator<Item = ItemEnvelope>,
    {
        let state = self.state().clone().without_context();
        self.replace_compacted_with(items, state);
    }

    /// As [`replace_compacted`](Self::replace_compacted), with the state that holds afterwards.
    pub fn replace_compacted_with<I>(&mut self, items: I, state: ThreadState)
    where
        I: IntoIterator<Item = ItemEnvelope>,
    {
        // Own copies: a kept slice of a larger text would keep the whole text alive.
        let items = items
            .into_iter()
            .map(|envelope| (envelope.facts(), envelope.detach()));
        self.ledger.replace(items, state);
        self.rewritten(Rewrite::Compaction);
    }

    /// Lets go of what stood before the last compaction, and of the memory that it takes.
    ///
    /// A rollback that reaches past it afterwards cuts in what the compaction put in place.
    pub fn forget_originals(&mut self) {
        self.ledger.forget_originals();
    }

    /// How many tokens the history takes: measured as far as it was, estimated since.
    pub fn token_count(&self) -> TokenCount {
        self.usage.count(!self.is_empty())
    }

    /// Takes a measure from the server, of everything recorded so far.
    pub fn set_measured_tokens(&mut self, tokens: u64) {
        self.usage.measure(tokens);
    }

    /// Takes a measure that was made when the history had `n_items` items.
    pub fn set_measured_tokens_at(&mut self, tokens: u64, n_items: usize) {
        self.usage.measure(tokens);
        let since: u64 = self
            .items()
            .skip(n_items)
            .map(|item| estimate_tokens(item.raw().as_str(), item.facts.item))
            .sum();
        self.usage.add_since(since);
    }

    /// Reserves the next place in the order in which users' inputs are accepted.
    ///
    /// Places are never given twice, not even after a rollback.
    pub fn reserve_user_input_order(&mut self) -> u64 {
        let order = self.next_input_order;
        self.next_input_order = order.saturating_add(1);
        order
    }

    /// Gives no place below `next` any more: places that a rolled-back input had stay taken.
    pub fn skip_user_input_orders(&mut self, next: u64) {
        self.next_input_order = self.next_input_order.max(next);
    }

    /// The rules' own view of the history.
    pub const fn ledger(&self) -> &Ledger<ItemEnvelope> {
        &self.ledger
    }

    fn mark_stale(&mut self) {
        let changed = self.ledger.take_changed();
        for view in &mut self.views {
            view.stale_from = view.stale_from.min(changed);
        }
    }

    fn rewritten(&mut self, rewrite: Rewrite) {
        self.version = self.version.next();
        self.rewrite = Some(rewrite);
        self.usage = Usage::rewritten(self.estimate());
    }

    fn estimate(&self) -> u64 {
        self.items()
            .map(|item| estimate_tokens(item.raw().as_str(), item.facts.item))
            .sum()
    }
}

/// One item of a history.
#[derive(Debug, Clone, Copy)]
pub struct HistoryItem<'a> {
    facts: &'a ItemFacts,
    envelope: &'a ItemEnvelope,
}

impl<'a> HistoryItem<'a> {
    /// What the rules know of it.
    pub const fn facts(&self) -> &'a ItemFacts {
        self.facts
    }

    /// The item and what the host notes beside it.
    pub const fn envelope(&self) -> &'a ItemEnvelope {
        self.envelope
    }

    /// The item's JSON, as it was recorded.
    pub const fn raw(&self) -> &'a RawJson {
        self.envelope.raw()
    }
}
