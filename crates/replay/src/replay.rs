//! Rollout records in, history out, one record at a time.

use std::fmt;

use annals_history::{ItemBody, ItemFacts, ItemFlags, Ledger, RollbackStyle, output_budget};
use annals_protocol::{InterAgentCommunication, RecordKind, TruncationPolicy, elements, members};

use crate::agent::agent_message;
use crate::compaction::legacy_replacement;
use crate::place::{ItemSource, Record};

/// A replay under way.
#[derive(Debug, Clone)]
pub struct Replay<S: ItemSource> {
    source: S,
    ledger: Ledger<S::Body>,
    has_session: bool,
    policy: Option<TruncationPolicy>,
    ignored: Vec<Ignored>,
}

/// A record that the replay could not use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ignored {
    /// The file of the lineage, from 0 for the oldest ancestor.
    pub segment: u32,
    /// The one-based line.
    pub line: u64,
    /// Why.
    pub reason: IgnoredReason,
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason.text())
    }
}

/// Why a replay could not use a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum IgnoredReason {
    /// The kind of record is not known.
    UnknownKind,
    /// The payload does not have the shape of its kind.
    MalformedPayload,
    /// A compaction whose metadata do not run beside its items.
    MisalignedMetadata,
}

impl IgnoredReason {
    /// The reason as a sentence fragment.
    pub const fn text(self) -> &'static str {
        match self {
            Self::UnknownKind => "a record of a kind that is not known",
            Self::MalformedPayload => "a payload that does not have the shape of its kind",
            Self::MisalignedMetadata => "a compaction whose metadata do not run beside its items",
        }
    }
}

impl<S: ItemSource> Replay<S> {
    /// Starts with nothing.
    pub fn new(source: S) -> Self {
        Self {
            source,
            ledger: Ledger::default(),
            has_session: false,
            policy: None,
            ignored: Vec::new(),
        }
    }

    /// The history so far.
    pub const fn ledger(&self) -> &Ledger<S::Body> {
        &self.ledger
    }

    /// The records that could not be used, in order.
    pub fn ignored(&self) -> &[Ignored] {
        &self.ignored
    }

    /// Takes the next record, in the order of the lineage: the oldest ancestor's first.
    pub fn feed(&mut self, record: &Record<'_>) {
        let done = match record.envelope.kind {
            RecordKind::SessionMeta => {
                self.session_meta(record.envelope.payload);
                Ok(())
            }
            RecordKind::ResponseItem => self.response_item(record),
            RecordKind::InterAgentCommunication => self.agent_message(record.envelope.payload),
            RecordKind::Compacted => self.compacted(record),
            RecordKind::TurnContext => self.turn_context(record.envelope.payload),
            RecordKind::EventMsg => self.event(record.envelope.payload),
            RecordKind::Other => Err(IgnoredReason::UnknownKind),
            _ => Ok(()),
        };
        if let Err(reason) = done {
            self.ignored.push(Ignored {
                segment: record.segment,
                line: record.line,
                reason,
            });
        }
    }

    fn session_meta(&mut self, payload: &str) {
        if !self.has_session {
            self.has_session = true;
            let version = text_member(payload, "cli_version");
            self.ledger
                .set_rollback_style(rollback_style(version.as_deref()));
        }
    }

    fn response_item(&mut self, record: &Record<'_>) -> Result<(), IgnoredReason> {
        let payload = record.envelope.payload;
        if !payload.starts_with('{') {
            return Err(IgnoredReason::MalformedPayload);
        }
        let beside = Sidecar::of(record.envelope.metadata);
        let facts = beside.applied(ItemFacts::scan(payload));
        let budget = beside
            .budget
            .unwrap_or_else(|| output_budget(self.policy.as_ref()));
        let body = self
            .source
            .keep(record.place_of(payload), payload)
            .ok_or(IgnoredReason::MalformedPayload)?
            .with_output_budget(&facts, budget);
        self.ledger.push(facts, body);
        Ok(())
    }

    fn agent_message(&mut self, payload: &str) -> Result<(), IgnoredReason> {
        let message: InterAgentCommunication =
            serde_json::from_str(payload).map_err(|_error| IgnoredReason::MalformedPayload)?;
        let item = agent_message(message).map_err(|_error| IgnoredReason::MalformedPayload)?;
        let facts = ItemFacts::scan(item.as_str());
        let body =
            S::Body::made(item.as_str().to_owned()).ok_or(IgnoredReason::MalformedPayload)?;
        self.ledger.push(facts, body);
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
        let summary = summary.ok_or(IgnoredReason::MalformedPayload)?;
        let items = match replacement {
            Some(list) if list.starts_with('[') => {
                self.replacement(record, list, metadata, &summary)?
            }
            Some(_) => return Err(IgnoredReason::MalformedPayload),
            None if metadata.is_some() => return Err(IgnoredReason::MisalignedMetadata),
            None => legacy_replacement(&self.ledger, &summary),
        };
        let state = self.ledger.state().clone().without_context();
        self.ledger.replace(items, state);
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
        if metadata.is_some_and(|metadata| elements(metadata).count() != n_items) {
            return Err(IgnoredReason::MisalignedMetadata);
        }
        let mut sidecars = elements(metadata.unwrap_or_default());
        let mut items = Vec::with_capacity(n_items);
        for text in elements(list) {
            let beside = Sidecar::of(sidecars.next());
            let facts = beside.applied(ItemFacts::scan(text));
            let body = self
                .source
                .keep(record.place_of(text), text)
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
        Ok(())
    }

    fn event(&mut self, payload: &str) -> Result<(), IgnoredReason> {
        let tag = text_member(payload, "type").ok_or(IgnoredReason::MalformedPayload)?;
        match tag.as_str() {
            "task_started" | "turn_started" => self.ledger.begin_turn(),
            "thread_rolled_back" => {
                let turns = members(payload)
                    .find(|member| member.is("num_turns"))
                    .and_then(|member| member.value.parse::<u32>().ok())
                    .ok_or(IgnoredReason::MalformedPayload)?;
                let _done = self.ledger.roll_back(turns as usize);
            }
            _ => {}
        }
        Ok(())
    }
}

/// What stands beside an item in the file and matters for the history.
struct Sidecar {
    budget: Option<annals_context_fragments::TruncationBudget>,
    harness_authored: bool,
}

impl Sidecar {
    fn of(metadata: Option<&str>) -> Self {
        let mut beside = Self {
            budget: None,
            harness_authored: false,
        };
        for member in members(metadata.unwrap_or_default()) {
            match member.key {
                "fallback_token_limit_override" => {
                    let tokens = member.value.parse().ok();
                    beside.budget = tokens.map(annals_context_fragments::TruncationBudget::Tokens);
                }
                "harness_authored_configuration" => {
                    beside.harness_authored = member.value == "true";
                }
                _ => {}
            }
        }
        beside
    }

    fn applied(&self, facts: ItemFacts) -> ItemFacts {
        facts.with_flags(ItemFlags::HARNESS_AUTHORED, self.harness_authored)
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
