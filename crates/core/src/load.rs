//! Stored records in, everything that a thread needs to go on out.

use annals_history::ContextManager;
use annals_protocol::{
    Envelope, ItemMetadata, RawJson, RecordKind, SessionMeta, TokenUsage, elements, members,
};
use annals_replay::{CheckpointRule, KeptItems, LiveState, Record, Replay};
use annals_rollout::store::{ReadFrom, RolloutStore, StoredRecord};
use uuid::Uuid;

use crate::error::{Error, ErrorKind};
use crate::settings::THREAD_INSTRUCTIONS;
use crate::settled::tells_state;
use crate::thread::{Marks, Session, Usage};

/// How many records are read at once.
const PAGE_RECORDS: usize = 4096;

/// How many are read at first, looking back: a compaction may be near. Each page is twice the last.
const FIRST_PAGE_RECORDS: usize = 128;

pub(crate) struct Loaded {
    pub(crate) history: ContextManager,
    pub(crate) live: LiveState,
    pub(crate) session: Session,
    pub(crate) marks: Marks,
    pub(crate) usage: Usage,
    pub(crate) last_started_turn: Option<String>,
    /// Whether the model may have been told more than the stored state knows of.
    pub(crate) is_unsettled: bool,
}

impl Loaded {
    /// What a thread starts with that has nothing but its head.
    pub(crate) fn of_head(id: Uuid, head: &RawJson) -> Result<Self, Error> {
        let text = format!(
            r#"{{"timestamp":"1970-01-01T00:00:00.000Z","type":"session_meta","payload":{}}}"#,
            head.as_str()
        );
        let mut reading = Reading::new(id);
        if let Ok(envelope) = Envelope::parse(&text) {
            reading.take(0, &text, envelope);
        }
        reading.finish()
    }

    /// Reads a stored thread: from its newest complete compaction on, where one stands behind which
    /// nothing older matters, else from its start.
    pub(crate) async fn read(store: &dyn RolloutStore, id: Uuid) -> Result<Self, Error> {
        let Some(checkpoint) = checkpoint(store, id).await? else {
            return Self::read_whole(store, id).await;
        };
        let mut reading = Reading::new(id).midway();
        let head = store.read(id, ReadFrom::START, 1).await?;
        reading.take_all(&head.records, 0);
        reading.go_on(store, checkpoint).await?;
        reading.finish()
    }

    /// Reads a stored thread from its first record.
    pub(crate) async fn read_whole(store: &dyn RolloutStore, id: Uuid) -> Result<Self, Error> {
        let mut reading = Reading::new(id);
        let start = Checkpoint {
            position: 0,
            from: ReadFrom::START,
        };
        reading.go_on(store, start).await?;
        reading.finish()
    }

    /// The position of a stored thread's last compaction.
    pub(crate) async fn last_compaction(store: &dyn RolloutStore, id: Uuid) -> Result<u64, Error> {
        let mut next = Some(ReadFrom::START);
        while let Some(from) = next {
            let page = store.read_back(id, from, PAGE_RECORDS).await?;
            let mut found = page.records.iter();
            if let Some(record) = found.find(|record| record.kind() == RecordKind::Compacted) {
                return Ok(record.position);
            }
            next = page.next;
        }
        let what = "there is no compaction to undo";
        Err(Error::new(ErrorKind::NoSuchPlace, what))
    }
}

/// Where a reading may start, and a place at or before it that the store knows.
#[derive(Debug, Clone, Copy)]
struct Checkpoint {
    position: u64,
    from: ReadFrom,
}

/// Looks for the newest compaction that brings all that a thread needs, from the end back.
///
/// `None` has all read: in threads without ordinals a rollback may reach behind any compaction, and
/// a thread that goes on from another file has its own head behind its parents' records.
async fn checkpoint(store: &dyn RolloutStore, id: Uuid) -> Result<Option<Checkpoint>, Error> {
    let head = store.head(id).await?;
    if !head.session.paginated || head.session.history_base.is_some() {
        return Ok(None);
    }
    let mut rule = CheckpointRule::for_resume(/*is_paginated*/ true);
    let (mut next, mut n_records) = (Some(ReadFrom::START), FIRST_PAGE_RECORDS);
    while let Some(from) = next {
        let page = store.read_back(id, from, n_records).await?;
        n_records = (n_records * 2).min(PAGE_RECORDS);
        // What is damaged may be the very record that matters.
        if page.faults > 0 {
            return Ok(None);
        }
        for record in &page.records {
            let Ok(envelope) = record.envelope() else {
                return Ok(None);
            };
            if rule.see(&envelope) == annals_replay::Reading::StartsHere {
                return Ok(Some(Checkpoint {
                    position: record.position,
                    from: page.next.unwrap_or(ReadFrom::START),
                }));
            }
        }
        next = page.next;
    }
    Ok(None)
}

struct Reading {
    id: Uuid,
    replay: Replay<KeptItems>,
    segment: u32,
    line: u64,
    marks: Marks,
    usage: Usage,
    /// How many of the items stand before the last state that was stored.
    n_settled: usize,
}

impl Reading {
    fn new(id: Uuid) -> Self {
        Self {
            id,
            replay: Replay::new(KeptItems),
            segment: 0,
            line: 0,
            marks: Marks::default(),
            usage: Usage::default(),
            n_settled: 0,
        }
    }

    /// For a reading that leaves out what stands between the head and a checkpoint.
    fn midway(mut self) -> Self {
        self.replay = self.replay.starting_midway();
        self.marks.has_all_cuts = false;
        self
    }

    /// Takes the records from a place to the end, each page while the next one is read.
    async fn go_on(&mut self, store: &dyn RolloutStore, start: Checkpoint) -> Result<(), Error> {
        let mut page = store.read(self.id, start.from, PAGE_RECORDS).await?;
        while let Some(from) = page.next {
            let next = store.read(self.id, from, PAGE_RECORDS);
            let taken = async { self.take_all(&page.records, start.position) };
            let (next, ()) = tokio::join!(next, taken);
            page = next?;
        }
        self.take_all(&page.records, start.position);
        Ok(())
    }

    fn take_all(&mut self, records: &[StoredRecord], start: u64) {
        for record in records.iter().filter(|record| record.position >= start) {
            self.line += 1;
            if let Ok(envelope) = record.envelope() {
                self.take(record.position, record.text(), envelope);
            }
        }
    }

    fn take(&mut self, position: u64, text: &str, envelope: Envelope<'_>) {
        match envelope.kind {
            // The thread's own head, where it goes on from another file, starts a new one.
            RecordKind::SessionMeta if self.continues(envelope.payload) => self.segment += 1,
            RecordKind::ResponseItem => {
                let beside = envelope.metadata.map(serde_json::from_str::<ItemMetadata>);
                let sequence = beside
                    .and_then(Result::ok)
                    .and_then(|beside| beside.history_sequence);
                let next = self.marks.sequence + 1;
                self.marks.sequence = sequence.unwrap_or(next).max(self.marks.sequence);
            }
            RecordKind::Compacted => self.numbered(envelope.payload),
            RecordKind::TokenUsageRecord => self.measured(envelope.payload),
            RecordKind::EventMsg if is_start(envelope.payload) => {
                self.marks.turn_start = Some(position);
            }
            _ => {}
        }
        self.replay.feed(&Record {
            segment: self.segment,
            line: self.line,
            byte_offset: 0,
            text,
            envelope,
        });
        self.marks
            .count_turns(self.replay.ledger().turns(), position);
        let n_items = self.replay.ledger().len();
        match envelope.kind {
            RecordKind::WorldState | RecordKind::Compacted => self.n_settled = n_items,
            // A rollback takes the state back with the items.
            _ => self.n_settled = self.n_settled.min(n_items),
        }
    }

    /// The items of a replacement history have their places in the sequence, old and new ones.
    fn numbered(&mut self, payload: &str) {
        let beside = members(payload).find(|member| member.is("replacement_history_metadata"));
        let all = elements(beside.map_or("", |beside| beside.value));
        let sequences = all
            .filter_map(|beside| serde_json::from_str::<ItemMetadata>(beside).ok())
            .filter_map(|beside| beside.history_sequence);
        self.marks.sequence = sequences.max().unwrap_or(0).max(self.marks.sequence);
    }

    fn continues(&self, head: &str) -> bool {
        serde_json::from_str::<SessionMeta>(head).is_ok_and(|head| {
            head.history_base.is_some() && head.id.parse::<Uuid>().is_ok_and(|id| id == self.id)
        })
    }

    fn measured(&mut self, payload: &str) {
        if let Ok(record) = serde_json::from_str::<annals_protocol::TokenUsageRecord>(payload) {
            self.usage.thread = record.thread_token_usage;
        }
    }

    fn finish(mut self) -> Result<Loaded, Error> {
        let mut replayed = self.replay.finish();
        let missing = || Error::new(ErrorKind::NotFound, "the thread has no session_meta");
        let head = replayed.session.take().ok_or_else(missing)?;
        let meta: Option<SessionMeta> = head.decode().ok();
        let text = |key: &str| {
            let member = head.member(key)?;
            serde_json::from_str::<String>(member).ok()
        };
        let base = meta.as_ref().and_then(|meta| {
            let base = meta.base_instructions.as_ref();
            base.map(|base| base.text.clone())
        });
        self.marks.sampled_through = self.marks.sequence;
        self.marks.settings_applied = replayed.thread_settings.take();
        let (live, last_started_turn) =
            (replayed.live.clone(), replayed.last_started_turn_id.clone());
        let history = replayed.into_history();
        // Where no state was ever stored, the texts themselves are what is known.
        let is_unsettled = history.world_state_baseline().is_some()
            && history
                .items()
                .skip(self.n_settled)
                .any(|item| tells_state(item.facts().flags(), item.raw()));
        Ok(Loaded {
            session: Session {
                id: self.id,
                root_id: text("session_id").unwrap_or_else(|| self.id.to_string()),
                is_paginated: meta.is_some_and(|meta| meta.is_paginated()),
                base_instructions: base.unwrap_or_default(),
                thread_instructions: text(THREAD_INSTRUCTIONS),
            },
            live,
            last_started_turn,
            is_unsettled,
            history,
            marks: self.marks,
            usage: Usage {
                turn: TokenUsage::default(),
                ..self.usage
            },
        })
    }
}

impl Marks {
    /// Keeps the places of turns in step with how many there are.
    pub(crate) fn count_turns(&mut self, n_turns: usize, position: u64) {
        self.cuts.truncate(n_turns);
        while self.cuts.len() < n_turns {
            // A turn's first input is cut off with all that was told for it; a later one alone.
            self.cuts.push(self.turn_start.take().unwrap_or(position));
        }
    }
}

fn is_start(event: &str) -> bool {
    members(event).next().is_some_and(|tag| {
        tag.is("type") && matches!(tag.value, "\"task_started\"" | "\"turn_started\"")
    })
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
