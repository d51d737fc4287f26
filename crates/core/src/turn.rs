//! A turn: what is told before it, what is recorded in it, how it ends.

use annals_context_fragments::catalog::TurnAborted;
use annals_context_fragments::{ContextMessage, ContextualUserFragment as _};
use annals_history::ItemEnvelope;
use annals_protocol::{
    EventMsg, RawJson, RecordKind, TaskComplete, TaskStarted, TokenCount, TokenUsage,
    TokenUsageInfo, TokenUsageRecord, TurnAttribution,
};
use annals_rollout::{Durability, NewRecord};
use annals_world_state::WorldState;
use tracing::Instrument as _;

use crate::error::{Error, ErrorKind};
use crate::items::check_keepable;
use crate::log::record_of;
use crate::observe::ThreadEvent;
use crate::thread::Thread;
use crate::turn_settings::TurnSettings;

mod telling;

pub(crate) use telling::Parts;

/// The turn that runs.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    pub(crate) id: String,
    pub(crate) started_unix_ms: u64,
    pub(crate) context: RawJson,
    pub(crate) context_window_tokens: Option<i64>,
    last_agent_message: Option<String>,
}

/// Why a turn is cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AbortReason {
    /// The user stopped it.
    Interrupted,
    /// The host put another one in its place.
    Replaced,
}

/// What was told, as items, and what became of the effort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Told {
    /// How many items were appended.
    pub n_items: usize,
    /// Whether everything was told, and not only what changed.
    pub is_full: bool,
}

impl Thread {
    /// Begins a turn: tells the model what it does not know yet, before anything of the user's.
    ///
    /// Everything is told where nothing was: on the first turn, after a compaction without context,
    /// after a rollback that took what was told. Otherwise only what changed is. `world` is what
    /// [`world_state`](Self::world_state) makes of the settings, with extensions where there are any.
    ///
    /// # Errors
    ///
    /// [`TurnRunning`](ErrorKind::TurnRunning); [`Store`](ErrorKind::Store) when it was told and
    /// could not be stored.
    ///
    /// # Cancel safety
    ///
    /// Once polled the turn has begun.
    pub async fn begin_turn(
        &mut self,
        settings: &TurnSettings,
        world: WorldState,
    ) -> Result<Told, Error> {
        self.settle().await?;
        if self.turn.is_some() {
            return Err(Error::new(ErrorKind::TurnRunning, "a turn runs already"));
        }
        let span = tracing::debug_span!("turn", thread = %self.session.id);
        let told = span.in_scope(|| self.start(settings, world))?;
        self.log.write(self.durability).instrument(span).await?;
        Ok(told)
    }

    fn start(&mut self, settings: &TurnSettings, world: WorldState) -> Result<Told, Error> {
        let now = self.now();
        let id = self.ambient.new_id().to_string();
        let context = settings.turn_context(&id)?;
        let is_full = self.is_unsettled
            || (self.history.reference_context_item().is_none()
                && !self.knows_fragments()
                && !self.was_told_since_a_legacy_compaction());
        let telling = self.telling(&world, is_full);
        let parts = Parts::of(&telling)?;
        let started = RawJson::from_serialize(&EventMsg::TaskStarted(TaskStarted {
            turn_attribution: Some(TurnAttribution {
                turn_id: Some(id.clone()),
                turn_trigger: None,
                parent_turn_id: None,
                initiating_agent_path: None,
                root_turn_id: Some(id.clone()),
            }),
            turn_id: Some(id.clone()),
            root_turn_id: Some(id.clone()),
            trace_id: None,
            started_at: Some(seconds(now)),
            model_context_window: settings.context_window_tokens,
            collaboration_mode_kind: settings.collaboration_mode.as_ref().map(|(m, _)| m.clone()),
        }))?;
        self.marks.turn_start = Some(self.log.next_position());
        self.queue(NewRecord::new(RecordKind::EventMsg, started.clone())?);
        self.live
            .turn_started(&mut self.history, started.as_str(), &id);
        self.turn = Some(Turn {
            id: id.clone(),
            started_unix_ms: now,
            context,
            context_window_tokens: settings.context_window_tokens,
            last_agent_message: None,
        });
        self.last_started_turn = Some(id.clone());
        self.usage.turn = TokenUsage::default();
        self.policy.clone_from(&settings.truncation);
        self.log.tell(ThreadEvent::TurnStarted { turn_id: id });
        if self.history.state().opening_context.is_some() {
            self.change_effort(settings.effort.as_deref())?;
        }
        let n_items = self.tell(parts)?;
        self.told = Some(world);
        self.write_context()?;
        self.apply_settings(settings)?;
        tracing::debug!(items = n_items, is_full, "told");
        Ok(Told { n_items, is_full })
    }

    /// Tells what changed since the last request, between two requests of a turn.
    ///
    /// # Errors
    ///
    /// [`NoTurn`](ErrorKind::NoTurn), [`Store`](ErrorKind::Store).
    ///
    /// # Cancel safety
    ///
    /// Once polled it is told.
    pub async fn step(&mut self, world: WorldState) -> Result<Told, Error> {
        self.settle().await?;
        self.running()?;
        let span = tracing::debug_span!("step", thread = %self.session.id);
        let entered = span.enter();
        let telling = self.telling(&world, /*is_full*/ false);
        let n_items = self.tell(Parts::of(&telling)?)?;
        self.told = Some(world);
        tracing::debug!(items = n_items, "told");
        drop(entered);
        self.log.write(self.durability).instrument(span).await?;
        Ok(Told {
            n_items,
            is_full: false,
        })
    }

    /// Records items of the user's, the model's or a tool's, in their order.
    ///
    /// Each gets an id, its turn and its time where it has none; nothing that it has is changed. A
    /// tool's output is shortened for the history alone, once and for all; the store gets it whole.
    ///
    /// # Errors
    ///
    /// [`Store`](ErrorKind::Store); [`Malformed`](ErrorKind::Malformed) if an item nests too deep to be
    /// kept by a compaction: none of them is recorded then.
    ///
    /// # Cancel safety
    ///
    /// Once polled they are recorded.
    pub async fn record<I>(&mut self, items: I) -> Result<(), Error>
    where
        I: IntoIterator + Send,
        I::Item: Into<ItemEnvelope>,
    {
        self.settle().await?;
        let span = tracing::debug_span!("record", thread = %self.session.id);
        self.take_all(items, &span)?;
        self.log.write(self.durability).instrument(span).await
    }

    fn take_all<I>(&mut self, items: I, span: &tracing::Span) -> Result<(), Error>
    where
        I: IntoIterator,
        I::Item: Into<ItemEnvelope>,
    {
        let _entered = span.enter();
        let items: Vec<ItemEnvelope> = items.into_iter().map(Into::into).collect();
        check_keepable(&items)?;
        for item in &items {
            self.take(item)?;
        }
        let n_bytes: usize = items.iter().map(|item| item.raw().len_bytes()).sum();
        tracing::debug!(items = items.len(), bytes = n_bytes, "recorded");
        Ok(())
    }

    /// Changes how much the model reasons from here on.
    ///
    /// What requests ask for stays as it is until the next compaction, so that the cache holds; the
    /// change is appended, as an item that only the host may make.
    ///
    /// # Errors
    ///
    /// [`NoTurn`](ErrorKind::NoTurn), [`Store`](ErrorKind::Store).
    ///
    /// # Cancel safety
    ///
    /// Once polled it is changed.
    pub async fn set_effort(&mut self, effort: &str) -> Result<(), Error> {
        self.settle().await?;
        self.running()?;
        self.change_effort(Some(effort))?;
        self.log.write(self.durability).await
    }

    /// Takes what a response cost, measured by the server.
    ///
    /// # Errors
    ///
    /// [`NoTurn`](ErrorKind::NoTurn), [`Store`](ErrorKind::Store).
    ///
    /// # Cancel safety
    ///
    /// Once polled it is noted.
    pub async fn record_usage(
        &mut self,
        usage: TokenUsage,
        response_id: Option<String>,
    ) -> Result<(), Error> {
        self.settle().await?;
        let turn = self.running()?;
        let (id, window) = (turn.id.clone(), turn.context_window_tokens);
        add(&mut self.usage.turn, &usage);
        add(&mut self.usage.thread, &usage);
        let total = u64::try_from(usage.total_tokens).unwrap_or_default();
        self.history.set_measured_tokens(total);
        self.queue(record_of(
            RecordKind::TokenUsageRecord,
            &TokenUsageRecord {
                thread_id: Some(self.session.id.to_string()),
                turn_id: Some(id.clone()),
                session_id: Some(self.session.root_id.clone()),
                root_turn_id: Some(id),
                response_id,
                usage,
                turn_token_usage: self.usage.turn,
                thread_token_usage: self.usage.thread,
            },
        )?);
        self.event(&EventMsg::TokenCount(TokenCount {
            info: Some(TokenUsageInfo {
                total_token_usage: self.usage.thread,
                last_token_usage: usage,
                model_context_window: window,
            }),
            rate_limits: None,
        }))?;
        self.log.write(self.durability).await
    }

    /// Writes an event for people that the thread itself knows nothing of.
    ///
    /// # Errors
    ///
    /// [`Store`](ErrorKind::Store), [`Malformed`](ErrorKind::Malformed).
    ///
    /// # Cancel safety
    ///
    /// Once polled it is queued.
    pub async fn record_event(&mut self, event: &EventMsg) -> Result<(), Error> {
        self.settle().await?;
        self.event(event)?;
        self.log.write(self.durability).await
    }

    /// Ends the turn. Everything is durable then.
    ///
    /// # Errors
    ///
    /// [`NoTurn`](ErrorKind::NoTurn), [`Store`](ErrorKind::Store).
    ///
    /// # Cancel safety
    ///
    /// Once polled the turn has ended.
    pub async fn complete(&mut self) -> Result<(), Error> {
        self.settle().await?;
        let now = self.now();
        let turn = self.running()?.clone();
        self.event(&EventMsg::TaskComplete(TaskComplete {
            root_turn_id: Some(turn.id.clone()),
            turn_id: Some(turn.id.clone()),
            last_agent_message: turn.last_agent_message.clone(),
            error: None,
            started_at: Some(seconds(turn.started_unix_ms)),
            completed_at: Some(seconds(now)),
            duration_ms: Some(lasted(turn.started_unix_ms, now)),
            time_to_first_token_ms: None,
        }))?;
        self.live.completed(&mut self.history, &turn.id);
        self.ended(turn.id, /*is_aborted*/ false);
        self.log.write(Durability::Durable).await
    }

    /// Cuts the turn off: the model is told, and calls without an output get a stand-in.
    ///
    /// # Errors
    ///
    /// [`NoTurn`](ErrorKind::NoTurn), [`Store`](ErrorKind::Store).
    ///
    /// # Cancel safety
    ///
    /// Once polled the turn has ended.
    pub async fn abort(&mut self, reason: AbortReason) -> Result<(), Error> {
        self.settle().await?;
        let now = self.now();
        let turn = self.running()?.clone();
        let (word, notice) = match reason {
            AbortReason::Interrupted => ("interrupted", TurnAborted::by_user()),
            AbortReason::Replaced => ("replaced", TurnAborted::by_host()),
        };
        let notice = ContextMessage::from_fragment(notice.render_fragment());
        self.take(&ItemEnvelope::new(RawJson::from_serialize(&notice)?))?;
        self.event(&EventMsg::TurnAborted(annals_protocol::TurnAborted {
            root_turn_id: None,
            turn_id: Some(turn.id.clone()),
            reason: word.to_owned(),
            error: None,
            started_at: Some(seconds(turn.started_unix_ms)),
            completed_at: Some(seconds(now)),
            duration_ms: Some(lasted(turn.started_unix_ms, now)),
        }))?;
        self.live.aborted(&turn.id);
        self.ended(turn.id, /*is_aborted*/ true);
        self.log.write(Durability::Durable).await
    }

    fn ended(&mut self, turn_id: String, is_aborted: bool) {
        self.turn = None;
        self.log.tell(ThreadEvent::TurnEnded {
            turn_id,
            is_aborted,
        });
    }

    pub(crate) fn running(&self) -> Result<&Turn, Error> {
        let none = || Error::new(ErrorKind::NoTurn, "no turn runs");
        self.turn.as_ref().ok_or_else(none)
    }

    pub(crate) fn queue(&mut self, record: NewRecord) {
        let now = self.now();
        self.log.queue(record, now);
    }

    pub(crate) fn event(&mut self, event: &EventMsg) -> Result<(), Error> {
        self.queue(record_of(RecordKind::EventMsg, event)?);
        Ok(())
    }
}

fn add(sum: &mut TokenUsage, usage: &TokenUsage) {
    let parts = [
        (&mut sum.input_tokens, usage.input_tokens),
        (&mut sum.cached_input_tokens, usage.cached_input_tokens),
        (
            &mut sum.cache_write_input_tokens,
            usage.cache_write_input_tokens,
        ),
        (&mut sum.output_tokens, usage.output_tokens),
        (
            &mut sum.reasoning_output_tokens,
            usage.reasoning_output_tokens,
        ),
        (&mut sum.total_tokens, usage.total_tokens),
    ];
    for (sum, part) in parts {
        *sum = sum.saturating_add(part);
    }
}

pub(crate) fn seconds(unix_ms: u64) -> i64 {
    i64::try_from(unix_ms / 1000).unwrap_or(i64::MAX)
}

fn lasted(from: u64, to: u64) -> i64 {
    i64::try_from(to.saturating_sub(from)).unwrap_or(i64::MAX)
}
