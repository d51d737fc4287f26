//! Rollout records in, history out, one record at a time.

use annals_history::{ItemBody, ItemFacts, ItemFlags, Ledger, RollbackStyle, output_budget};
use annals_protocol::{
    InterAgentCommunication, ItemOutline, RawJson, RecordKind, RolloutItem, TruncationPolicy,
    WorldStateRecord, elements, members,
};
use annals_world_state::ChainStep;

use crate::agent::agent_message;
use crate::compaction::legacy_replacement;
use crate::ignored::{Ignored, IgnoredReason};
use crate::live::LiveState;
use crate::outcome::{LastTurn, Measured, Replayed};
use crate::place::{ItemSource, Record};
use crate::sidecar::Sidecar;
use crate::tracker::{CompactionFacts, Tracker, window_id};

mod events;

/// A replay under way.
///
/// Feed it the records of a lineage in order, then [`finish`](Self::finish) it.
///
/// # Bounds and cost
///
/// O(1) a record beside one pass over its text. What is held is what the [`ItemSource`] keeps, and
/// a few dozen bytes an item.
///
/// # Example
///
/// ```
/// use annals_history::PromptOptions;
/// use annals_protocol::Envelope;
/// use annals_replay::{KeptItems, Record, Replay};
///
/// let text = r#"{"timestamp":"2026-01-03T12:00:00.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}}"#;
/// let mut replay = Replay::new(KeptItems);
/// let envelope = Envelope::parse(text)?;
/// replay.feed(&Record { segment: 0, line: 1, byte_offset: 0, text, envelope });
/// let mut history = replay.finish().into_history();
/// assert_eq!(history.for_prompt(PromptOptions::default()).len(), 1);
/// # Ok::<(), annals_protocol::DecodeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Replay<S: ItemSource> {
    source: S,
    ledger: Ledger<S::Body>,
    /// Nothing where only the items are wanted.
    tracker: Option<Tracker>,
    session: Option<(u32, RawJson)>,
    policy: Option<TruncationPolicy>,
    last_turn: LastTurn,
    last_started_turn_id: Option<String>,
    measured: Option<Measured>,
    thread_settings: Option<RawJson>,
    /// The first place in the order of accepted inputs that was never given.
    next_input_order: u64,
    /// Whether a message of a user's was recorded since the turn began.
    has_user_item: bool,
    /// Whether older records than the first one fed were left out.
    starts_midway: bool,
    ignored: Vec<Ignored>,
}

impl<S: ItemSource> Replay<S> {
    /// Rebuilds everything that a resume needs.
    pub fn new(source: S) -> Self {
        Self {
            tracker: Some(Tracker::default()),
            ..Self::items_only(source)
        }
    }

    /// Rebuilds the items alone, and spends nothing on what was told and under which settings.
    pub fn items_only(source: S) -> Self {
        Self {
            source,
            ledger: Ledger::default(),
            tracker: None,
            session: None,
            policy: None,
            last_turn: LastTurn::None,
            last_started_turn_id: None,
            measured: None,
            thread_settings: None,
            next_input_order: 0,
            has_user_item: false,
            starts_midway: false,
            ignored: Vec::new(),
        }
    }

    /// Says that records are left out between the `session_meta` and what is fed next, as a
    /// [`CheckpointRule`](crate::CheckpointRule) allows.
    #[must_use = "the replay is handed back"]
    pub const fn starting_midway(mut self) -> Self {
        self.starts_midway = true;
        self
    }

    /// The history so far.
    pub const fn ledger(&self) -> &Ledger<S::Body> {
        &self.ledger
    }

    /// As [`Ledger::take_first_changed`], for one who looks at the history as it grows.
    pub fn take_first_changed(&mut self) -> usize {
        self.ledger.take_first_changed()
    }

    /// The records that could not be used so far, in order.
    pub fn ignored(&self) -> &[Ignored] {
        &self.ignored
    }

    /// Ends the replay.
    pub fn finish(self) -> Replayed<S::Body> {
        Replayed {
            ledger: self.ledger,
            live: LiveState::new(self.tracker.unwrap_or_default()),
            session: self.session.map(|(_, session)| session),
            last_turn: self.last_turn,
            last_started_turn_id: self.last_started_turn_id,
            measured: self.measured,
            thread_settings: self.thread_settings,
            next_input_order: self.next_input_order,
            ignored: self.ignored,
        }
    }

    /// Takes the next record, in the order of the lineage: the oldest ancestor's first.
    ///
    /// What cannot be used is noted in [`ignored`](Self::ignored) and changes nothing.
    pub fn feed(&mut self, record: &Record<'_>) {
        let payload = record.envelope.payload;
        let done = match record.envelope.kind {
            RecordKind::SessionMeta => self.session_meta(record.segment, payload),
            RecordKind::ResponseItem => self.response_item(record),
            RecordKind::InterAgentCommunication => self.agent_message(payload),
            RecordKind::Compacted => self.compacted(record),
            RecordKind::TurnContext => self.turn_context(payload),
            RecordKind::WorldState => self.world_state(payload),
            RecordKind::EventMsg => self.event(payload),
            RecordKind::Other => Err(IgnoredReason::UnknownKind),
            _ => Ok(()),
        };
        self.note(record, done);
    }

    /// As [`feed`](Self::feed), for a response item whose payload has this outline.
    pub fn feed_outlined(&mut self, record: &Record<'_>, outline: &ItemOutline<'_>) {
        let done = self.item(record, ItemFacts::of_outline(outline));
        self.note(record, done);
    }

    fn note(&mut self, record: &Record<'_>, done: Result<(), IgnoredReason>) {
        if let Err(reason) = done {
            self.ignored.push(Ignored {
                segment: record.segment,
                line: record.line,
                byte_offset: record.byte_offset,
                reason,
            });
        }
    }

    fn session_meta(&mut self, segment: u32, payload: &str) -> Result<(), IgnoredReason> {
        let is_first_ever = self.session.is_none();
        // The first of the newest file is the thread's own; later ones were copied from ancestors.
        if self
            .session
            .as_ref()
            .is_some_and(|(own, _)| *own >= segment)
        {
            return Ok(());
        }
        let raw = RawJson::parse(payload).map_err(|_error| IgnoredReason::MalformedPayload)?;
        if is_first_ever {
            let version = text_member(payload, "cli_version");
            self.ledger
                .set_rollback_style(rollback_style(version.as_deref()));
        }
        if let Some(tracker) = &mut self.tracker {
            let mode = text_member(payload, "history_mode");
            tracker.is_paginated = mode.as_deref() == Some("paginated");
            let first = raw.member("context_window").and_then(|window| {
                members(window)
                    .find(|member| member.is("window_id"))
                    .and_then(|id| window_id(id.value))
            });
            let mut state = self.ledger.state().clone();
            if !state.window.is_numbered && state.window.number == 0 {
                state.window.first_id.clone_from(&first);
                state.window.id = first;
                self.ledger.set_state(state);
            }
        }
        self.session = Some((segment, raw));
        Ok(())
    }

    fn response_item(&mut self, record: &Record<'_>) -> Result<(), IgnoredReason> {
        let payload = record.envelope.payload;
        if let Some(outline) = ItemOutline::look(payload) {
            return self.item(record, ItemFacts::of_outline(&outline));
        }
        // An item of another shape than its kind's would have the service refuse every request.
        RolloutItem::check(RecordKind::ResponseItem, payload)
            .map_err(|_error| IgnoredReason::MalformedPayload)?;
        self.item(record, ItemFacts::scan(payload))
    }

    fn item(&mut self, record: &Record<'_>, facts: ItemFacts) -> Result<(), IgnoredReason> {
        let payload = record.envelope.payload;
        let beside = Sidecar::of(record.envelope.metadata);
        let facts = beside.applied(facts, payload);
        if let Some(order) = beside.input_order {
            self.next_input_order = self.next_input_order.max(order.saturating_add(1));
        }
        let budget = beside
            .budget
            .unwrap_or_else(|| output_budget(self.policy.as_ref()));
        let body = self
            .source
            .keep(record.place_of(payload), payload, record.envelope.metadata)
            .ok_or(IgnoredReason::MalformedPayload)?
            .with_output_budget(&facts, budget);
        self.push(facts, body);
        Ok(())
    }

    fn push(&mut self, facts: ItemFacts, body: S::Body) {
        self.ledger.push(facts, body);
        self.has_user_item |= facts.flags().has(ItemFlags::USER);
        if facts.flags().has(ItemFlags::BOUNDARY) {
            self.spoke();
        }
    }

    /// Somebody other than the model spoke.
    fn spoke(&mut self) {
        if self.tracker.as_mut().is_some_and(Tracker::spoke) {
            self.update_state();
        }
    }

    fn update_state(&mut self) {
        if let Some(tracker) = &self.tracker {
            let mut state = self.ledger.state().clone();
            tracker.apply(&mut state);
            self.ledger.set_state(state);
        }
    }

    fn agent_message(&mut self, payload: &str) -> Result<(), IgnoredReason> {
        let message: InterAgentCommunication =
            serde_json::from_str(payload).map_err(|_error| IgnoredReason::MalformedPayload)?;
        let item = agent_message(message).map_err(|_error| IgnoredReason::MalformedPayload)?;
        let facts = ItemFacts::scan(item.as_str());
        let body =
            S::Body::made(item.as_str().to_owned()).ok_or(IgnoredReason::MalformedPayload)?;
        self.push(facts, body);
        Ok(())
    }

    fn compacted(&mut self, record: &Record<'_>) -> Result<(), IgnoredReason> {
        let payload = record.envelope.payload;
        let mut summary = None;
        let mut replacement = None;
        let mut metadata = None;
        for member in members(payload) {
            match member.key {
                "message" => summary = serde_json::from_str::<String>(member.value).ok(),
                "replacement_history" if member.value != "null" => replacement = Some(member.value),
                "replacement_history_metadata" if member.value != "null" => {
                    metadata = Some(member.value);
                }
                _ => {}
            }
        }
        let n_items = replacement.map(|list| elements(list).count());
        if metadata.is_some_and(|metadata| Some(elements(metadata).count()) != n_items) {
            return Err(IgnoredReason::MisalignedMetadata);
        }
        RolloutItem::check(RecordKind::Compacted, payload)
            .map_err(|_error| IgnoredReason::MalformedPayload)?;
        let summary = summary.ok_or(IgnoredReason::MalformedPayload)?;
        let items = match replacement {
            Some(list) if list.starts_with('[') => {
                self.replacement(record, list, metadata, &summary)?
            }
            Some(_) => return Err(IgnoredReason::MalformedPayload),
            None => legacy_replacement(&self.ledger, &summary),
        };
        let mut state = self.ledger.state().clone().without_context();
        if let Some(tracker) = &mut self.tracker {
            let facts = CompactionFacts::of(payload);
            tracker.compacted(&facts, &mut state);
            if let Some(resume) = facts.resume {
                self.last_started_turn_id = resume.last_started_turn_id;
            } else if tracker.is_paginated && facts.has_replacement && facts.window_number.is_some()
            {
                self.last_started_turn_id = None;
            }
        }
        self.ledger.replace(items, state);
        if self.starts_midway {
            // What stood before is not all here, so a rollback must not bring it back.
            self.ledger.forget_originals();
        }
        self.measured = None;
        Ok(())
    }

    fn replacement(
        &self,
        record: &Record<'_>,
        list: &str,
        metadata: Option<&str>,
        summary: &str,
    ) -> Result<Vec<(ItemFacts, S::Body)>, IgnoredReason> {
        let n_items = elements(list).count();
        let mut sidecars = elements(metadata.unwrap_or_default());
        let mut items = Vec::with_capacity(n_items);
        for text in elements(list) {
            let sidecar = sidecars.next();
            let beside = Sidecar::of(sidecar);
            let facts = beside.applied(ItemFacts::scan(text), text);
            let body = self
                .source
                .keep(record.place_of(text), text, sidecar)
                .ok_or(IgnoredReason::MalformedPayload)?;
            let is_summary = facts.flags().has(ItemFlags::USER | ItemFlags::TEXT_ONLY)
                && !summary.is_empty()
                && only_text(text).as_deref() == Some(summary);
            let facts = facts.with_flags(
                ItemFlags::SUMMARY,
                is_summary || facts.flags().has(ItemFlags::SUMMARY),
            );
            let facts = if is_summary {
                facts.with_flags(ItemFlags::BOUNDARY, false)
            } else {
                facts
            };
            items.push((facts, body));
        }
        Ok(items)
    }

    fn turn_context(&mut self, payload: &str) -> Result<(), IgnoredReason> {
        if !payload.starts_with('{') {
            return Err(IgnoredReason::MalformedPayload);
        }
        self.policy = members(payload)
            .find(|member| member.is("truncation_policy"))
            .and_then(|member| serde_json::from_str(member.value).ok());
        if let Some(tracker) = &mut self.tracker {
            let mut state = self.ledger.state().clone();
            tracker.turn_context(payload, &mut state);
            tracker.apply(&mut state);
            self.ledger.set_state(state);
        }
        Ok(())
    }

    fn world_state(&mut self, payload: &str) -> Result<(), IgnoredReason> {
        let Some(tracker) = &mut self.tracker else {
            return Ok(());
        };
        let record: WorldStateRecord =
            serde_json::from_str(payload).map_err(|_error| IgnoredReason::MalformedPayload)?;
        let mut state = self.ledger.state().clone();
        let step = tracker.world_state(&record, &mut state);
        tracker.apply(&mut state);
        self.ledger.set_state(state);
        match step {
            ChainStep::PatchWithoutBase => Err(IgnoredReason::PatchWithoutBase),
            ChainStep::Unreadable(_) => Err(IgnoredReason::MalformedPayload),
            _ => Ok(()),
        }
    }
}

/// The text of a message that has one part.
fn only_text(item: &str) -> Option<String> {
    let content = members(item).find(|member| member.is("content"))?;
    let mut parts = elements(content.value);
    let (Some(part), None) = (parts.next(), parts.next()) else {
        return None;
    };
    text_member(part, "text")
}

fn text_member(object: &str, key: &str) -> Option<String> {
    members(object)
        .find(|member| member.is(key))
        .and_then(|member| serde_json::from_str(member.value).ok())
}

/// How the program that wrote a file treated the context of dropped turns when it read it again.
fn rollback_style(version: Option<&str>) -> RollbackStyle {
    let number = |part: Option<&str>| part.and_then(|part| part.parse::<u32>().ok());
    let mut parts = version.unwrap_or_default().split(['.', '-', '+']);
    match (number(parts.next()), number(parts.next())) {
        // Builds from source call themselves 0.0.0, whatever their age.
        (Some(0), Some(1..=100)) => RollbackStyle::KeepContext,
        _ => RollbackStyle::Trim,
    }
}
