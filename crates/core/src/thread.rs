//! The thread: made, resumed, asked for its prompt. What changes it stands in files of their own.

use std::sync::Arc;

use annals_history::{
    CompactionPrompt, ContextManager, DivergenceCause, PrefixReport, Prompt, PromptOptions,
    TokenCount,
};
use annals_protocol::{RawJson, TruncationPolicy};
use annals_replay::LiveState;
use annals_rollout::Durability;
use annals_rollout::store::RolloutStore;
use annals_world_state::WorldState;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::ambient::Ambient;
use crate::error::Error;
use crate::load::Loaded;
use crate::log::Log;
use crate::moving::Moving;
use crate::observe::Subscription;
use crate::settings::{ThreadOptions, ThreadSettings, head_record};
use crate::turn::Turn;
use crate::turn_settings::{OfThread, TurnSettings};

/// One conversation: its history, its place in a store, and what its model was told.
///
/// Whatever is recorded goes into the history first, then into the store, then to observers. Text
/// that tells state goes before the record of that state, so that after a crash something may be told
/// twice, and nothing stays untold.
///
/// # Cancel safety
///
/// Every async function changes the history, and queues what is to be written, in its first poll.
/// Dropping its future afterwards takes nothing back: the next call, or [`flush`](Self::flush),
/// writes what still waits, once and in order.
///
/// # Example
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use annals_core::{Thread, ThreadOptions, ThreadSettings, TurnSettings, user_message};
/// use annals_history::PromptOptions;
/// use annals_rollout::store::MemoryStore;
/// use std::sync::Arc;
///
/// let store = Arc::new(MemoryStore::default());
/// let mut thread =
///     Thread::create(store, ThreadSettings::new("Be careful."), ThreadOptions::default()).await?;
/// let settings = TurnSettings::new("model-a", "/repo").with_agents_md(Some("/repo"), "Use tabs.");
/// thread.begin_turn(&settings, thread.world_state(&settings)?).await?;
/// thread.record([user_message("Hello.")?]).await?;
/// assert_eq!(thread.prompt(PromptOptions::default()).len(), 2);
/// # Ok::<(), annals_core::Error>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct Thread {
    pub(crate) store: Arc<dyn RolloutStore>,
    pub(crate) ambient: Arc<dyn Ambient>,
    pub(crate) durability: Durability,
    pub(crate) log: Log,
    pub(crate) history: ContextManager,
    pub(crate) live: LiveState,
    pub(crate) session: Session,
    pub(crate) marks: Marks,
    pub(crate) turn: Option<Turn>,
    /// The world as the model was last told it in this process.
    pub(crate) told: Option<WorldState>,
    /// Whether the history may hold, or lack, texts that the baseline does not know of.
    pub(crate) is_rebuilt: bool,
    /// Whether the model may have been told more than the baseline knows of: then all is told again.
    pub(crate) is_unsettled: bool,
    pub(crate) policy: Option<TruncationPolicy>,
    pub(crate) usage: Usage,
    pub(crate) last_started_turn: Option<String>,
    /// A move to another segment that is not done yet.
    pub(crate) moving: Option<Moving>,
    proof: Proof,
}

/// What is fixed for the whole thread.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub(crate) id: Uuid,
    /// The session that it belongs to; its own id unless it was started by another.
    pub(crate) root_id: String,
    pub(crate) is_paginated: bool,
    pub(crate) base_instructions: String,
    pub(crate) thread_instructions: Option<String>,
}

/// Counters that go on for the life of a thread, and the places of its turns.
#[derive(Debug, Clone)]
pub(crate) struct Marks {
    pub(crate) sequence: u64,
    pub(crate) sampled_through: u64,
    /// For each turn of a user's the position before which it is cut off.
    pub(crate) cuts: Vec<u64>,
    /// Whether those of the turns before a compaction are known as well: a resume does not look
    /// for them until they are asked for.
    pub(crate) has_all_cuts: bool,
    /// The position of the newest turn's start, until the first message of a user's is there; turns
    /// that ended, or died, before one came count too, as a reader counts them.
    pub(crate) turn_start: Option<u64>,
    pub(crate) settings_applied: Option<RawJson>,
}

impl Default for Marks {
    fn default() -> Self {
        Self {
            sequence: 0,
            sampled_through: 0,
            cuts: Vec::new(),
            has_all_cuts: true,
            turn_start: None,
            settings_applied: None,
        }
    }
}

/// Tokens as the server measured them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Usage {
    pub(crate) thread: annals_protocol::TokenUsage,
    pub(crate) turn: annals_protocol::TokenUsage,
}

/// The last prompt, which the next one must extend.
#[derive(Debug, Default)]
struct Proof {
    last: Option<Prompt>,
    report: Option<PrefixReport>,
    n_checked: u64,
}

impl Thread {
    /// Makes a thread. Nothing is stored before its first record.
    ///
    /// # Errors
    ///
    /// [`TooLarge`](crate::ErrorKind::TooLarge) for instructions over their cap, with their size;
    /// [`Store`](crate::ErrorKind::Store).
    ///
    /// # Cancel safety
    ///
    /// Safe: there is no thread then.
    pub async fn create(
        store: Arc<dyn RolloutStore>,
        settings: ThreadSettings,
        options: ThreadOptions,
    ) -> Result<Self, Error> {
        let id = options.ambient.new_id();
        let head = settings.head(id, &*options.ambient)?;
        let loaded = Loaded::of_head(id, &head)?;
        let record = head_record(&head, options.ambient.now_unix_ms())?;
        let span = tracing::debug_span!("thread", thread = %id);
        let lease = store.create(id, record).instrument(span.clone()).await?;
        span.in_scope(|| tracing::debug!("created"));
        Ok(Self::assemble(store, options, Log::new(lease), loaded))
    }

    /// Goes on with a stored thread, exactly where it was: of any version that the store reads.
    ///
    /// A turn that never ended counts as interrupted; a call in it that has no output gets a stand-in
    /// in each prompt.
    ///
    /// **Cost**: reads back to the newest complete compaction, or to the start if there is none, and
    /// from there on once more; holds two pages of the store beside the history. A thread without
    /// ordinals, or that goes on from another file, is read whole, once.
    ///
    /// # Errors
    ///
    /// [`NotFound`](crate::ErrorKind::NotFound); [`Store`](crate::ErrorKind::Store), among others
    /// while another writer has the thread.
    ///
    /// # Cancel safety
    ///
    /// Safe: nothing is written.
    pub async fn resume(
        store: Arc<dyn RolloutStore>,
        id: Uuid,
        options: ThreadOptions,
    ) -> Result<Self, Error> {
        let span = tracing::debug_span!("thread", thread = %id);
        let lease = store.lease(id).instrument(span.clone()).await?;
        let loaded = Loaded::read(&*store, id).instrument(span.clone()).await?;
        span.in_scope(|| tracing::debug!(items = loaded.history.len(), "resumed"));
        Ok(Self::assemble(store, options, Log::new(lease), loaded))
    }

    pub(crate) fn assemble(
        store: Arc<dyn RolloutStore>,
        options: ThreadOptions,
        log: Log,
        loaded: Loaded,
    ) -> Self {
        Self {
            store,
            ambient: options.ambient,
            durability: options.durability,
            log,
            history: loaded.history,
            live: loaded.live,
            session: loaded.session,
            marks: loaded.marks,
            turn: None,
            told: None,
            is_rebuilt: true,
            is_unsettled: loaded.is_unsettled,
            policy: None,
            usage: loaded.usage,
            last_started_turn: loaded.last_started_turn,
            moving: None,
            proof: Proof::default(),
        }
    }

    /// The thread's id.
    pub const fn id(&self) -> Uuid {
        self.session.id
    }

    /// The base instructions, as they were when the thread was made.
    pub fn base_instructions(&self) -> &str {
        &self.session.base_instructions
    }

    /// The history: items, baseline, and what else holds.
    ///
    /// After a resume it counts the turns from the newest compaction on; a
    /// [`rollback`](Self::rollback) counts those before as well.
    pub const fn history(&self) -> &ContextManager {
        &self.history
    }

    /// The id of the turn that runs.
    pub fn turn_id(&self) -> Option<&str> {
        self.turn.as_ref().map(|turn| turn.id.as_str())
    }

    /// The model of the last turn that counts.
    pub fn previous_model(&self) -> Option<&str> {
        let settings = self.history.state().turn_settings.as_ref();
        settings.map(|settings| settings.model.as_str())
    }

    /// The world as these settings have it; extensions may be added to it.
    ///
    /// # Errors
    ///
    /// [`TooLarge`](crate::ErrorKind::TooLarge), [`WorldState`](crate::ErrorKind::WorldState).
    pub fn world_state(&self, settings: &TurnSettings) -> Result<WorldState, Error> {
        settings.world_state(&OfThread {
            base_instructions: &self.session.base_instructions,
            thread_instructions: self.session.thread_instructions.as_deref(),
            previous_model: self.previous_model(),
        })
    }

    /// What to send to the model.
    ///
    /// In debug builds it is an assertion that it extends the prompt before it, byte for byte, unless
    /// the history was rewritten in between or an output arrived after a prompt had shown its
    /// stand-in.
    ///
    /// **Cost**: O(what was recorded since), and O(log n) for the proof.
    pub fn prompt(&mut self, options: PromptOptions) -> Prompt {
        let prompt = self.history.for_prompt(options);
        self.marks.sampled_through = self.marks.sequence;
        let same_history = |last: &Prompt| {
            last.version() == prompt.version() && last.options() == prompt.options()
        };
        if let Some(last) = self.proof.last.replace(prompt.clone()) {
            let report = prompt.compare(&last);
            if same_history(&last) {
                self.proof.n_checked += 1;
                let cause = report.divergence.map(|divergence| divergence.cause);
                debug_assert!(
                    matches!(cause, None | Some(DivergenceCause::LateOutput)),
                    "a prompt must extend the one before it: {report:?}"
                );
            }
            self.proof.report = Some(report);
        }
        tracing::debug!(
            thread = %self.session.id,
            items = prompt.len(),
            bytes = prompt.len_bytes(),
            tokens = self.token_usage().tokens,
            "prompt"
        );
        prompt
    }

    /// How far the last prompt extends the one before it.
    pub const fn prefix_report(&self) -> Option<PrefixReport> {
        self.proof.report
    }

    /// How many prompts were checked to extend the one before them.
    pub const fn prefix_checks(&self) -> u64 {
        self.proof.n_checked
    }

    /// What to send to whoever makes the summary of a compaction: the prompt, then `instruction`.
    ///
    /// The prompt is a byte prefix of it as long as it fits into `limit_tokens`; otherwise the oldest
    /// items are left out, in whole pairs. It never fails for size.
    pub fn compaction_prompt(
        &mut self,
        options: PromptOptions,
        instruction: &RawJson,
        limit_tokens: Option<u64>,
    ) -> CompactionPrompt {
        self.history
            .for_compaction(options, instruction, limit_tokens)
    }

    /// How many tokens the history takes, measured as far as it was.
    pub fn token_usage(&self) -> TokenCount {
        self.history.token_count()
    }

    /// The effort that requests ask for: that of the first turn of this context window.
    pub fn request_effort(&self) -> Option<String> {
        let opening = self.history.state().opening_context.as_ref()?;
        serde_json::from_str(opening.member("effort")?).ok()
    }

    /// The events from here on.
    pub fn subscribe(&self) -> Subscription {
        self.log.subscribe()
    }

    /// Writes what waits to be written, after an error or a dropped future.
    ///
    /// # Errors
    ///
    /// [`Store`](crate::ErrorKind::Store).
    ///
    /// # Cancel safety
    ///
    /// Safe.
    pub async fn flush(&mut self, durability: Durability) -> Result<(), Error> {
        self.settle().await?;
        self.log.write(durability).await
    }

    /// Makes everything durable and gives the right to write back to the store.
    ///
    /// # Errors
    ///
    /// [`Store`](crate::ErrorKind::Store); the thread goes on then.
    ///
    /// # Cancel safety
    ///
    /// Safe: call it again.
    pub async fn shutdown(&mut self) -> Result<(), Error> {
        self.settle().await?;
        self.log.release().await
    }

    pub(crate) fn now(&self) -> u64 {
        self.ambient.now_unix_ms()
    }
}
