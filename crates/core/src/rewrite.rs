//! The rewrites: compaction, rollback, revert, and what undoes them.

use std::sync::Arc;

use annals_history::{ContextInjection, ContextManager, ItemEnvelope, PromptOptions, RepairKind};
use annals_protocol::{
    Compacted, ContextCompacted, ContextCompactionItem, EventMsg, Lossless, RawJson, RecordKind,
    ResumeMetadata, ThreadRolledBack, TurnItem,
};
use annals_rollout::{CutPoint, NewRecord};

use crate::error::{Error, ErrorKind};
use crate::items::{check_keepable, is_keepable};
use crate::load::Loaded;
use crate::narrate;
use crate::observe::ThreadEvent;
use crate::stamp::{noted, stamped};
use crate::thread::Thread;
use crate::turn::Parts;

/// What a compactor made of the history.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum CompactionOutcome {
    /// A summary. The newest of the users' own messages are kept before it.
    Summary(String),
    /// A replacement history of the compactor's own: whole pairs of calls and outputs, no context,
    /// and nothing that [`Thread::record`] would refuse.
    Items(Vec<ItemEnvelope>),
}

/// Whether a compaction tells the context again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Injection {
    /// No: the next turn tells everything. For compactions before a turn and by hand.
    #[default]
    None,
    /// Yes, as the last request showed it, before the last of the users' messages; what changed since
    /// is told by the next step. For compactions inside a turn.
    BeforeLastUserMessage,
}

impl Thread {
    /// Puts what a compactor made in the place of the history.
    ///
    /// Changes of the effort are retired: the next turn's effort is what requests ask for.
    ///
    /// # Errors
    ///
    /// [`UnpairedItems`](ErrorKind::UnpairedItems), [`Malformed`](ErrorKind::Malformed);
    /// [`NoContext`](ErrorKind::NoContext) or [`NoTurn`](ErrorKind::NoTurn) where context is to be
    /// injected and there is none; [`Store`](ErrorKind::Store).
    ///
    /// # Cancel safety
    ///
    /// Once polled it is done.
    pub async fn compact(
        &mut self,
        outcome: CompactionOutcome,
        injection: Injection,
    ) -> Result<(), Error> {
        self.settle().await?;
        let context = match injection {
            Injection::None => None,
            Injection::BeforeLastUserMessage => {
                self.running()?;
                let none = || Error::new(ErrorKind::NoContext, "nothing was told yet");
                // The world of the last request, not that of this moment: what the model has not
                // seen must not count as told.
                Some(Parts::of(
                    &self.told.as_ref().ok_or_else(none)?.render_full(),
                )?)
            }
        };
        let told = context.iter().flat_map(|parts| &parts.items);
        let context_items: Vec<_> = told.cloned().map(ItemEnvelope::new).collect();
        let (message, items) = self.replacement(outcome, &context_items)?;
        let items = self.prepared(items);
        let payload = self.compacted_record(message, &items)?;
        // A thread that begins with a compaction has its first turns in it, and they go back with it.
        let at = self.log.next_position();
        self.queue(NewRecord::new(RecordKind::Compacted, payload.clone())?);
        let n_items = items.len();
        self.live
            .compacted(&mut self.history, payload.as_str(), items);
        self.marks.count_turns(self.history.n_turns(), at);
        self.is_rebuilt = false;
        self.is_unsettled = false;
        if let Some(parts) = context {
            self.tell(Parts {
                items: Vec::new(),
                record: parts.record,
            })?;
            self.write_context()?;
        }
        let turn_id = self.turn.as_ref().map(|turn| turn.id.clone());
        let event = if self.session.is_paginated {
            let id = self.ambient.new_id().to_string();
            let item = TurnItem::ContextCompaction(ContextCompactionItem { id });
            narrate::completed(self, turn_id.as_deref(), item)
        } else {
            EventMsg::ContextCompacted(ContextCompacted {})
        };
        self.event(&event)?;
        self.log.tell(ThreadEvent::Compacted { n_items });
        tracing::debug!(thread = %self.session.id, items = n_items, "compacted");
        self.log.write(self.durability).await
    }

    fn replacement(
        &self,
        outcome: CompactionOutcome,
        context: &[ItemEnvelope],
    ) -> Result<(String, Vec<ItemEnvelope>), Error> {
        let summary = match outcome {
            CompactionOutcome::Summary(summary) => summary,
            CompactionOutcome::Items(mut items) => {
                check_pairs(&items)?;
                check_keepable(&items)?;
                items.splice(0..0, context.iter().cloned());
                return Ok((String::new(), items));
            }
        };
        let injection = if context.is_empty() {
            ContextInjection::None
        } else {
            ContextInjection::BeforeLastUserMessage(context.to_vec())
        };
        let mut items = self.history.compaction_items(&summary, &injection);
        // Another program may have stored what no such record can hold. One message less is better
        // than a history that can never be compacted again.
        items.retain(is_keepable);
        // The record names the summary as it stands in its item, so that a reader finds it there.
        let text = items.last().and_then(|item| match item.decode() {
            Ok(annals_protocol::ResponseItem::Message(message)) => {
                message.content.first()?.text().map(str::to_owned)
            }
            _ => None,
        });
        Ok((text.unwrap_or_default(), items))
    }

    /// The items with ids, turn and notes, as they are stored and put in place.
    fn prepared(&mut self, items: Vec<ItemEnvelope>) -> Vec<ItemEnvelope> {
        let turn_id = self.turn.as_ref().map(|turn| turn.id.clone());
        let mut prepared = Vec::with_capacity(items.len());
        for item in items {
            if item
                .metadata()
                .is_some_and(|own| own.history_sequence.is_some())
            {
                prepared.push(item);
                continue;
            }
            self.marks.sequence += 1;
            let raw = stamped(item.raw(), turn_id.as_deref(), &*self.ambient);
            let (sequence, through) = (self.marks.sequence, self.marks.sampled_through);
            let beside = noted(
                item.metadata(),
                &raw,
                sequence,
                through,
                self.policy.as_ref(),
            );
            prepared.push(ItemEnvelope::new(raw).with_metadata(beside));
        }
        prepared
    }

    fn compacted_record(&self, message: String, items: &[ItemEnvelope]) -> Result<RawJson, Error> {
        let state = self.history.state();
        let window = &state.window;
        let id = self.ambient.new_id().to_string();
        let text = |id: &Option<Arc<str>>| id.as_deref().map(str::to_owned);
        let history: Result<Vec<_>, _> = items
            .iter()
            .map(|item| Lossless::parse(item.raw().clone()))
            .collect();
        let metadata = items.iter().map(|item| item.metadata().cloned());
        Ok(RawJson::from_serialize(&Compacted {
            message,
            replacement_history: Some(history?),
            replacement_history_metadata: Some(metadata.map(Option::unwrap_or_default).collect()),
            guardian_history: None,
            retained_context: None,
            mcp_resource_origins: None,
            window_number: Some(window.number.saturating_add(1)),
            first_window_id: text(&window.first_id).or_else(|| Some(id.clone())),
            previous_window_id: text(&window.id),
            window_id: Some(id),
            compaction_response_id: None,
            latest_token_usage_record: None,
            resume_metadata: Some(ResumeMetadata {
                dynamic_tools: None,
                multi_agent_version: None,
                last_started_turn_id: self.last_started_turn.clone(),
                turn_attribution: state.turn_attribution.as_deref().cloned(),
                previous_turn_settings: state.turn_settings.as_deref().cloned(),
            }),
        })?)
    }

    /// Takes the last turns of the user back, with what was told for them; more than there are takes
    /// all. 0 changes nothing. Says how many went.
    ///
    /// A thread with ordinals goes on in a new segment, and the old one stays as it is; one without
    /// notes the rollback in its file. Nothing is ever removed.
    ///
    /// # Errors
    ///
    /// [`TurnRunning`](ErrorKind::TurnRunning), [`Store`](ErrorKind::Store).
    ///
    /// # Cancel safety
    ///
    /// As [`revert`](Self::revert); without ordinals it is done once polled.
    pub async fn rollback(&mut self, turns: usize) -> Result<usize, Error> {
        self.settle().await?;
        self.idle()?;
        if turns == 0 {
            return Ok(0);
        }
        let cuts = self.all_cuts().await?;
        let dropped = turns.min(cuts.len());
        let Some(cut) = cuts.get(cuts.len() - dropped).copied() else {
            return Ok(0);
        };
        if self.session.is_paginated {
            self.revert(CutPoint::Ordinal(cut)).await?;
            return Ok(dropped);
        }
        let num_turns = u32::try_from(dropped).unwrap_or(u32::MAX);
        let event = EventMsg::ThreadRolledBack(ThreadRolledBack { num_turns });
        self.event(&event)?;
        let _done = self.live.rolled_back(&mut self.history, dropped);
        let at = self.log.next_position();
        self.marks.count_turns(self.history.n_turns(), at);
        self.rewritten();
        self.log.write(self.durability).await?;
        Ok(dropped)
    }

    /// Goes back to a place: what stands before it is kept, in a new segment of the same thread.
    ///
    /// # Errors
    ///
    /// [`TurnRunning`](ErrorKind::TurnRunning), [`NoSuchPlace`](ErrorKind::NoSuchPlace),
    /// [`Unsupported`](ErrorKind::Unsupported) for a thread without ordinals,
    /// [`Store`](ErrorKind::Store).
    ///
    /// # Cancel safety
    ///
    /// Once the store was asked it happens: if the future is dropped before, what is left is done by
    /// the next call that is awaited, and until then the history is as it was.
    pub async fn revert(&mut self, cut: CutPoint) -> Result<(), Error> {
        self.settle().await?;
        self.idle()?;
        self.log.write(self.durability).await?;
        let (store, id) = (Arc::clone(&self.store), self.session.id);
        self.move_by(async move { store.revert(id, cut).await })
            .await
    }

    /// Takes back the last revert or rollback of a thread with ordinals: the segment that it left is
    /// gone on with. Undoing once more takes back the undoing.
    ///
    /// # Errors
    ///
    /// As [`revert`](Self::revert); [`NoSuchPlace`](ErrorKind::NoSuchPlace) if there was none.
    ///
    /// # Cancel safety
    ///
    /// As [`revert`](Self::revert).
    pub async fn undo_revert(&mut self) -> Result<(), Error> {
        self.settle().await?;
        self.idle()?;
        self.log.write(self.durability).await?;
        let (store, id) = (Arc::clone(&self.store), self.session.id);
        self.move_by(async move { store.undo_revert(id).await })
            .await
    }

    /// Takes back the last compaction, and whatever came after it: the originals are the history
    /// again.
    ///
    /// # Errors
    ///
    /// As [`revert`](Self::revert); [`NoSuchPlace`](ErrorKind::NoSuchPlace) if there was none.
    ///
    /// # Cancel safety
    ///
    /// As [`revert`](Self::revert).
    pub async fn undo_compaction(&mut self) -> Result<(), Error> {
        self.settle().await?;
        self.idle()?;
        self.log.write(self.durability).await?;
        let position = Loaded::last_compaction(&*self.store, self.session.id).await?;
        self.revert(CutPoint::Ordinal(position)).await
    }

    /// Forks the thread at a place: a thread of its own that begins with the same bytes, ids included,
    /// and refers to this one, or copies it where that cannot be.
    ///
    /// # Errors
    ///
    /// [`NoSuchPlace`](ErrorKind::NoSuchPlace), [`Store`](ErrorKind::Store).
    ///
    /// # Cancel safety
    ///
    /// This thread is not touched. A fork that was made and not handed over is an unused thread.
    pub async fn fork(&mut self, cut: CutPoint) -> Result<Self, Error> {
        self.settle().await?;
        self.log.write(self.durability).await?;
        let lease = self.store.fork(self.session.id, cut).await?;
        let loaded = Loaded::read(&*self.store, lease.thread()).await?;
        let options = crate::settings::ThreadOptions::default()
            .with_ambient(Arc::clone(&self.ambient))
            .with_durability(self.durability);
        let log = crate::log::Log::new(lease);
        Ok(Self::assemble(
            Arc::clone(&self.store),
            options,
            log,
            loaded,
        ))
    }

    /// For each turn the position before which it is cut off.
    ///
    /// Where a resume passed turns over the thread is read whole: its history does not even know how
    /// many they were, as a compaction need not keep a message of each.
    async fn all_cuts(&mut self) -> Result<Vec<u64>, Error> {
        if self.marks.has_all_cuts {
            return Ok(self.marks.cuts.clone());
        }
        self.log.write(self.durability).await?;
        let whole = Loaded::read_whole(&*self.store, self.session.id).await?;
        Ok(whole.marks.cuts)
    }

    pub(crate) fn rewritten(&mut self) {
        self.is_rebuilt = true;
        self.told = None;
        let n_items = self.history.len();
        self.log.tell(ThreadEvent::Reverted { n_items });
        tracing::debug!(thread = %self.session.id, items = n_items, "rewritten");
    }

    fn idle(&self) -> Result<(), Error> {
        if self.turn.is_some() {
            return Err(Error::new(ErrorKind::TurnRunning, "a turn runs"));
        }
        Ok(())
    }
}

/// A replacement must hold whole pairs: half of one would be repaired in every prompt from then on.
fn check_pairs(items: &[ItemEnvelope]) -> Result<(), Error> {
    let mut scratch = ContextManager::new();
    scratch.record(items.iter().cloned(), None);
    let repairs = scratch.for_prompt(PromptOptions::default()).repairs();
    let halves = |kind| {
        matches!(
            kind,
            RepairKind::StandIn
                | RepairKind::OrphanOutput
                | RepairKind::DuplicateOutput
                | RepairKind::OutputMoved
        )
    };
    match repairs.into_iter().find(|repair| halves(repair.kind)) {
        Some(repair) => Err(Error::new(
            ErrorKind::UnpairedItems,
            format!("the replacement history has half a pair at {repair}"),
        )),
        None => Ok(()),
    }
}
