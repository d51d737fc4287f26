//! What a turn appends: what is told of the world, settings, effort, and every single item.
//! When that happens is decided by the turn.

use annals_history::{ItemEnvelope, ItemFlags};
use annals_protocol::{
    ConfigurationUpdate, EventMsg, ItemMetadata, ItemType, RawJson, ReasoningConfiguration,
    RecordKind, ResponseItem, ThreadSettingsApplied, WorldStateRecord,
};
use annals_rollout::NewRecord;
use annals_world_state::{HistoryView, Telling, ToldItem, WorldState};
use serde_json::json;

use crate::error::Error;
use crate::log::record_of;
use crate::narrate;
use crate::observe::ThreadEvent;
use crate::stamp::{noted, stamped};
use crate::thread::Thread;
use crate::turn_settings::TurnSettings;

impl Thread {
    /// A history from before states were stored may hold what they would tell.
    pub(super) fn knows_fragments(&self) -> bool {
        let state = self.history.state();
        let is_context = |flags: ItemFlags| {
            flags.has(ItemFlags::CONTEXTUAL)
                && !flags.has_any(ItemFlags::EVENT | ItemFlags::SUMMARY)
        };
        self.is_rebuilt
            && state.world_state_baseline.is_none()
            && !state.has_legacy_compaction
            && self
                .history
                .items()
                .any(|item| is_context(item.facts().flags()))
    }

    /// A compaction of an old file leaves no reference context behind for good, though what was told
    /// afterwards has a state of its own. Telling all at every resume would cost each one's cache.
    pub(super) fn was_told_since_a_legacy_compaction(&self) -> bool {
        let state = self.history.state();
        state.has_legacy_compaction && state.world_state_baseline.is_some()
    }

    pub(super) fn telling(&self, world: &WorldState, is_full: bool) -> Telling {
        if is_full {
            return world.render_full();
        }
        let baseline = self.history.world_state_baseline();
        let view = if self.is_rebuilt || baseline.is_none() {
            HistoryView::Texts(&self.history)
        } else {
            HistoryView::Intact
        };
        world.render_diff(baseline, view)
    }

    /// The message first, the state second.
    pub(crate) fn tell(&mut self, parts: Parts) -> Result<usize, Error> {
        let n_items = parts.items.len();
        for item in parts.items {
            self.take(&ItemEnvelope::new(item))?;
        }
        if let Some(record) = parts.record {
            self.queue(record_of(RecordKind::WorldState, &record)?);
            self.live.world_state(&mut self.history, &record);
        }
        self.is_rebuilt = false;
        self.is_unsettled = false;
        Ok(n_items)
    }

    pub(crate) fn write_context(&mut self) -> Result<(), Error> {
        let context = self.running()?.context.clone();
        self.queue(NewRecord::new(RecordKind::TurnContext, context.clone())?);
        self.live.turn_context(&mut self.history, context.as_str());
        Ok(())
    }

    pub(super) fn apply_settings(&mut self, settings: &TurnSettings) -> Result<(), Error> {
        let context = &self.running()?.context;
        let member = |key: &str| context.member(key).map(RawJson::parse).transpose();
        let applied = RawJson::from_serialize(&json!({
            "model": settings.model,
            "approval_policy": member("approval_policy")?,
            "approvals_reviewer": member("approvals_reviewer")?,
            "sandbox_policy": member("sandbox_policy")?,
            "cwd": settings.cwd,
            "runtime_workspace_roots": settings.workspace_roots,
            "collaboration_mode": member("collaboration_mode")?,
        }))?;
        let applied = EventMsg::ThreadSettingsApplied(ThreadSettingsApplied {
            thread_id: Some(self.session.id.to_string()),
            thread_settings: applied,
        });
        let payload = RawJson::from_serialize(&applied)?;
        if self.marks.settings_applied.as_ref() != Some(&payload) {
            self.queue(NewRecord::new(RecordKind::EventMsg, payload.clone())?);
            self.marks.settings_applied = Some(payload);
        }
        Ok(())
    }

    /// The effort that holds: the newest change, else what requests ask for.
    fn effort(&self) -> Option<String> {
        let is_update = |item_type| item_type == ItemType::ConfigurationUpdate;
        let newest = self.history.items().rev().find(|item| {
            is_update(item.facts().item_type())
                && item.facts().flags().has(ItemFlags::HARNESS_AUTHORED)
        });
        match newest.and_then(|item| item.raw().decode::<ConfigurationUpdate>().ok()) {
            Some(update) => update.reasoning.effort,
            None => self.request_effort(),
        }
    }

    pub(super) fn change_effort(&mut self, effort: Option<&str>) -> Result<(), Error> {
        let Some(effort) = effort.filter(|effort| self.effort().as_deref() != Some(*effort)) else {
            return Ok(());
        };
        let update = ResponseItem::ConfigurationUpdate(ConfigurationUpdate {
            reasoning: ReasoningConfiguration {
                effort: Some(effort.to_owned()),
            },
        });
        let beside = ItemMetadata {
            harness_authored_configuration: true,
            ..ItemMetadata::default()
        };
        let item = ItemEnvelope::new(RawJson::from_serialize(&update)?);
        self.take(&item.with_metadata(beside))
    }

    /// Takes one item: history, then what is queued for the store, then for observers.
    pub(crate) fn take(&mut self, item: &ItemEnvelope) -> Result<(), Error> {
        let turn_id = self.turn.as_ref().map(|turn| turn.id.clone());
        let raw = stamped(item.raw(), turn_id.as_deref(), &*self.ambient);
        let mut beside = noted(
            item.metadata(),
            &raw,
            self.marks.sequence + 1,
            self.marks.sampled_through,
            self.policy.as_ref(),
        );
        let facts = annals_history::ItemFacts::scan(raw.as_str());
        let is_turn = facts.flags().has(ItemFlags::BOUNDARY);
        if is_turn && beside.user_input_order.is_none() {
            beside.user_input_order = Some(self.history.reserve_user_input_order());
        }
        let record = NewRecord::new(RecordKind::ResponseItem, raw.clone())?
            .with_metadata(RawJson::from_serialize(&beside)?);
        let story = narrate::story(&raw, facts, self, turn_id.as_deref());
        self.marks.sequence += 1;
        let position = self.log.next_position() + u64::from(story.before.is_some());
        let envelope = ItemEnvelope::new(raw).with_metadata(beside);
        self.history
            .record([envelope.clone()], self.policy.as_ref());
        if is_turn {
            self.live.spoke(&mut self.history);
        }
        self.marks.count_turns(self.history.n_turns(), position);
        if let Some(event) = &story.before {
            self.event(event)?;
        }
        self.queue(record);
        if let Some(event) = &story.after {
            self.event(event)?;
        }
        if let (Some(turn), Some(said)) = (&mut self.turn, story.said) {
            turn.last_agent_message = Some(said);
        }
        self.log.tell(ThreadEvent::Item(envelope));
        Ok(())
    }
}

/// A telling as items and a record: what of it can fail is behind it.
pub(crate) struct Parts {
    pub(crate) items: Vec<RawJson>,
    pub(crate) record: Option<WorldStateRecord>,
}

impl Parts {
    pub(crate) fn of(telling: &Telling) -> Result<Self, Error> {
        for issue in telling.issues() {
            tracing::warn!(section = issue.section(), "stored state is not usable");
        }
        let items = telling.items();
        Ok(Self {
            items: items
                .iter()
                .map(ToldItem::to_raw)
                .collect::<Result<_, _>>()?,
            record: telling.record()?,
        })
    }
}
