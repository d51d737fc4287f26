//! A session in numbers: what the file is made of, who did what, and what it cost.

use std::collections::{BTreeMap, BTreeSet};

use annals_history::{ItemFacts, ItemFlags};
use annals_protocol::{ItemHead, ItemType, RecordKind};
use annals_rollout::Fault;
use serde::Serialize;

use crate::cache::{MeasuredUsage, Requests};
use crate::error::Error;
use crate::part::text_member;
use crate::prompt_input::ReadUpTo;
use crate::session::{About, At, Session, TracedReplay, Watch};

/// The most different names that are counted one by one; the rest counts under `…`.
const MAX_NAMES: usize = 1_000;

/// A session in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SessionStats {
    /// `annals.stats/1`
    pub schema: &'static str,
    /// Which session.
    pub session: About,
    /// Bytes of all its files, decompressed.
    pub bytes: u64,
    /// Records that could be read.
    pub n_records: u64,
    /// Damaged lines.
    pub n_faults: u64,
    /// The first and the last time, as written.
    pub time_span: Option<(String, String)>,
    /// Records by kind.
    pub kinds: BTreeMap<String, Count>,
    /// Items of the model's input by type.
    pub items: BTreeMap<String, Count>,
    /// Tools by name: calls, and bytes of their outputs.
    pub tools: BTreeMap<String, Count>,
    /// User turns that survived.
    pub n_turns: usize,
    /// Turns that were cut off.
    pub n_aborted: u64,
    /// Compactions.
    pub n_compactions: u64,
    /// Rollbacks.
    pub n_rollbacks: u64,
    /// Requests to the model that the file shows.
    pub n_requests: usize,
    /// Models that were used.
    pub models: BTreeSet<String>,
    /// Tokens that the provider measured, all requests together.
    pub measured: Option<MeasuredUsage>,
    /// Bytes of the longest record.
    pub longest_record_bytes: u64,
}

/// How many, and how many bytes together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Count {
    /// How many.
    pub count: u64,
    /// Bytes together.
    pub bytes: u64,
}

impl Session {
    /// The session in numbers.
    ///
    /// **Cost**: one pass.
    ///
    /// # Errors
    ///
    /// [`Error::Rollout`] if a file can't be read.
    pub fn stats(&self) -> Result<SessionStats, Error> {
        let mut counter = Counter::default();
        let replayed = self.walk(ReadUpTo::End, &mut counter)?;
        let mut bytes = 0;
        for segment in self.lineage.segments() {
            bytes += segment.source()?.len_bytes();
        }
        let measured = counter
            .requests
            .seen
            .iter()
            .filter_map(|request| request.measured)
            .reduce(|sum, usage| MeasuredUsage {
                input_tokens: sum.input_tokens + usage.input_tokens,
                cached_input_tokens: sum.cached_input_tokens + usage.cached_input_tokens,
                output_tokens: sum.output_tokens + usage.output_tokens,
            });
        Ok(SessionStats {
            schema: "annals.stats/1",
            session: self.about(&replayed),
            bytes,
            n_records: counter.n_records,
            n_faults: counter.n_faults,
            time_span: counter.time_span,
            kinds: counter.kinds,
            items: counter.items,
            tools: counter.tools,
            n_turns: replayed.ledger.turns(),
            n_aborted: counter.n_aborted,
            n_compactions: counter.n_compactions,
            n_rollbacks: counter.n_rollbacks,
            n_requests: counter.requests.seen.len(),
            models: counter.models,
            measured,
            longest_record_bytes: counter.longest,
        })
    }
}

#[derive(Debug, Default)]
struct Counter {
    n_records: u64,
    n_faults: u64,
    time_span: Option<(String, String)>,
    kinds: BTreeMap<String, Count>,
    items: BTreeMap<String, Count>,
    tools: BTreeMap<String, Count>,
    /// Which tool a call id stands for, until its output comes.
    calls: BTreeMap<String, String>,
    n_aborted: u64,
    n_compactions: u64,
    n_rollbacks: u64,
    models: BTreeSet<String>,
    longest: u64,
    requests: Requests,
}

fn add(counts: &mut BTreeMap<String, Count>, name: &str, count: u64, bytes: u64) {
    let is_known = counts.contains_key(name) || counts.len() < MAX_NAMES;
    let name = if is_known { name } else { "…" };
    let entry = match counts.get_mut(name) {
        Some(entry) => entry,
        None => counts.entry(name.to_owned()).or_default(),
    };
    entry.count += count;
    entry.bytes += bytes;
}

impl Counter {
    fn item(&mut self, payload: &str) {
        let Some(head) = ItemHead::scan(payload) else {
            return;
        };
        let len = payload.len() as u64;
        let facts = ItemFacts::scan(payload);
        let name = match (head.item_type, head.role.as_deref()) {
            (ItemType::Message, Some(role)) => format!("{role} message"),
            _ => head.tag.to_owned(),
        };
        add(&mut self.items, &name, 1, len);
        if facts.flags().has(ItemFlags::GENERATED)
            && let (Some(name), Some(id)) = (&head.name, &head.call_id)
        {
            add(&mut self.tools, name, 1, 0);
            if self.calls.len() < MAX_NAMES * MAX_NAMES {
                self.calls
                    .insert(id.clone().into_owned(), name.clone().into_owned());
            }
        } else if let Some(id) = &head.call_id
            && let Some(tool) = self.calls.remove(id.as_ref())
        {
            add(&mut self.tools, &tool, 0, len);
        }
    }
}

impl Watch for Counter {
    fn fault(&mut self, _segment: usize, _fault: Fault) {
        self.n_faults += 1;
    }

    fn before(&mut self, at: &At<'_>, replay: &mut TracedReplay) {
        self.requests.before(at, replay);
        self.n_records += 1;
        let len = at.text.len() as u64;
        self.longest = self.longest.max(len);
        add(&mut self.kinds, at.envelope.tag, 1, len);
        let time = at.envelope.timestamp;
        match &mut self.time_span {
            Some((_, last)) => {
                last.clear();
                last.push_str(time);
            }
            None => self.time_span = Some((time.to_owned(), time.to_owned())),
        }
        let payload = at.envelope.payload;
        match at.envelope.kind {
            RecordKind::ResponseItem => self.item(payload),
            RecordKind::Compacted => self.n_compactions += 1,
            RecordKind::TurnContext => self.models.extend(text_member(payload, "model")),
            RecordKind::EventMsg => match text_member(payload, "type").as_deref() {
                Some("turn_aborted") => self.n_aborted += 1,
                Some("thread_rolled_back") => self.n_rollbacks += 1,
                _ => {}
            },
            _ => {}
        }
    }
}
