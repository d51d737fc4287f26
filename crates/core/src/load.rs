//! Stored records in, everything that a thread needs to go on out.

use annals_history::ContextManager;
use annals_protocol::{Envelope, ItemMetadata, RawJson, RecordKind, SessionMeta, TokenUsage};
use annals_replay::{KeptItems, LiveState, Record, Replay};
use annals_rollout::store::{ReadFrom, RolloutStore};
use uuid::Uuid;

use crate::error::{Error, ErrorKind};
use crate::settings::THREAD_INSTRUCTIONS;
use crate::thread::{Marks, Session, Usage};

/// How many records are read at once.
const PAGE_RECORDS: usize = 4096;

pub(crate) struct Loaded {
    pub(crate) history: ContextManager,
    pub(crate) live: LiveState,
    pub(crate) session: Session,
    pub(crate) marks: Marks,
    pub(crate) usage: Usage,
    pub(crate) last_started_turn: Option<String>,
}

impl Loaded {
    /// What a thread starts with that has nothing but its head.
    pub(crate) fn of_head(id: Uuid, head: &RawJson) -> Result<Self, Error> {
        let text = format!(
            r#"{{"timestamp":"1970-01-01T00:00:00.000Z","type":"session_meta","payload":{}}}"#,
            head.as_str()
        );
        let mut reading = Reading::new(id);
        reading.take(0, &text);
        reading.finish()
    }

    /// Reads a stored thread.
    pub(crate) async fn read(store: &dyn RolloutStore, id: Uuid) -> Result<Self, Error> {
        let mut reading = Reading::new(id);
        let mut next = Some(ReadFrom::START);
        while let Some(from) = next {
            let page = store.read(id, from, PAGE_RECORDS).await?;
            for record in &page.records {
                reading.take(record.position, record.line.raw().as_str());
            }
            next = page.next;
        }
        reading.finish()
    }

    /// The position of a stored thread's last compaction.
    pub(crate) async fn last_compaction(store: &dyn RolloutStore, id: Uuid) -> Result<u64, Error> {
        let mut next = Some(ReadFrom::START);
        while let Some(from) = next {
            let page = store.read_back(id, from, PAGE_RECORDS).await?;
            let is_compaction = |kind| kind == RecordKind::Compacted;
            let found = page.records.iter();
            let mut found = found.filter(|record| is_compaction(record.line.item().kind()));
            if let Some(record) = found.next() {
                return Ok(record.position);
            }
            next = page.next;
        }
        let what = "there is no compaction to undo";
        Err(Error::new(ErrorKind::NoSuchPlace, what))
    }
}

struct Reading {
    id: Uuid,
    replay: Replay<KeptItems>,
    segment: u32,
    line: u64,
    marks: Marks,
    usage: Usage,
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
        }
    }

    fn take(&mut self, position: u64, text: &str) {
        self.line += 1;
        let Ok(envelope) = Envelope::parse(text) else {
            return;
        };
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
        self.marks.turn_start = None;
        self.marks.settings_applied = replayed.thread_settings.take();
        Ok(Loaded {
            session: Session {
                id: self.id,
                root_id: text("session_id").unwrap_or_else(|| self.id.to_string()),
                is_paginated: meta.is_some_and(|meta| meta.is_paginated()),
                base_instructions: base.unwrap_or_default(),
                thread_instructions: text(THREAD_INSTRUCTIONS),
            },
            live: replayed.live.clone(),
            last_started_turn: replayed.last_started_turn_id.clone(),
            history: replayed.into_history(),
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
    let mut members = annals_protocol::members(event);
    members.next().is_some_and(|tag| {
        tag.is("type") && matches!(tag.value, "\"task_started\"" | "\"turn_started\"")
    })
}
