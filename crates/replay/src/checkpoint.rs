//! How far back a replay must read: the stop rule of a reader that starts at a file's end.

use annals_history::{ItemFacts, ItemFlags};
use annals_protocol::{Envelope, ItemType, RecordKind, elements, members};

use crate::sidecar::Sidecar;
use crate::tracker::CompactionFacts;

/// Watches records go by from the newest to the oldest and says when enough was read.
///
/// A replay of the records from there on, after the thread's own `session_meta`, gives what a
/// replay of all of them gives. The rule never guesses: where a rollback or a compaction of an old
/// file is met first, everything is read.
///
/// # Example
///
/// ```
/// use annals_protocol::Envelope;
/// use annals_replay::{CheckpointRule, Reading};
///
/// let item = r#"{"timestamp":"2026-01-03T12:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[]}}"#;
/// let compacted = r#"{"timestamp":"2026-01-03T12:00:00.000Z","type":"compacted","payload":{"message":"s","replacement_history":[]}}"#;
/// let mut rule = CheckpointRule::for_items();
/// assert_eq!(rule.see(&Envelope::parse(item)?), Reading::Goes);
/// assert_eq!(rule.see(&Envelope::parse(compacted)?), Reading::StartsHere);
/// # Ok::<(), annals_protocol::DecodeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct CheckpointRule {
    wants: Wants,
    stage: Stage,
    /// Whether an output was met whose budget an older turn decides.
    needs_policy: bool,
}

/// Whether a reader must read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Older records are needed.
    Goes,
    /// This record is the oldest that is needed.
    StartsHere,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wants {
    Items,
    Resume { is_paginated: bool },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Searching,
    /// The checkpoint was met; only the turn is missing that decides the budget of an output.
    OnlyPolicy,
    /// Nothing bounds the reading.
    Everything,
}

impl CheckpointRule {
    /// For a replay of the items alone ([`Replay::items_only`](crate::Replay::items_only)).
    pub const fn for_items() -> Self {
        Self::new(Wants::Items)
    }

    /// For a replay of everything that a resume needs; whether the thread's `session_meta` says
    /// `"history_mode":"paginated"` decides what a compaction can be relied on for.
    ///
    /// [`Replayed::thread_settings`](crate::Replayed::thread_settings) may stand further back than
    /// such a reading goes.
    pub const fn for_resume(is_paginated: bool) -> Self {
        Self::new(Wants::Resume { is_paginated })
    }

    const fn new(wants: Wants) -> Self {
        Self {
            wants,
            stage: Stage::Searching,
            needs_policy: false,
        }
    }

    /// Looks at the next older record.
    ///
    /// Cost: O(1), but for outputs and compactions, which are passed over once.
    pub fn see(&mut self, record: &Envelope<'_>) -> Reading {
        if self.stage == Stage::Everything {
            return Reading::Goes;
        }
        match record.kind {
            RecordKind::TurnContext => {
                self.needs_policy = false;
                if self.stage == Stage::OnlyPolicy {
                    return Reading::StartsHere;
                }
            }
            RecordKind::ResponseItem if self.stage == Stage::Searching => {
                self.needs_policy |= takes_a_turns_budget(record);
            }
            RecordKind::Compacted if self.stage == Stage::Searching => {
                return self.compaction(record.payload);
            }
            RecordKind::EventMsg
                if self.stage == Stage::Searching && is_rollback(record.payload) =>
            {
                self.stage = Stage::Everything;
            }
            _ => {}
        }
        Reading::Goes
    }

    fn compaction(&mut self, payload: &str) -> Reading {
        if !has_aligned_replacement(payload) {
            self.stage = Stage::Everything;
            return Reading::Goes;
        }
        if let Wants::Resume { is_paginated } = self.wants {
            let facts = CompactionFacts::of(payload);
            if !is_paginated || facts.window_number.is_none() {
                self.stage = Stage::Everything;
                return Reading::Goes;
            }
        }
        if self.needs_policy {
            self.stage = Stage::OnlyPolicy;
            return Reading::Goes;
        }
        Reading::StartsHere
    }
}

/// The same question asked forward, by one who found the newest compaction without reading what
/// stands behind it: whether a replay of the items may start there is known at the end.
#[derive(Debug, Clone)]
pub struct CheckpointWatch {
    knows_policy: bool,
}

impl CheckpointWatch {
    /// Starts at a record; `None` if it is no compaction that brings a whole history.
    pub fn at(record: &Envelope<'_>) -> Option<Self> {
        let is_checkpoint =
            record.kind == RecordKind::Compacted && has_aligned_replacement(record.payload);
        is_checkpoint.then_some(Self {
            knows_policy: false,
        })
    }

    /// Looks at the next newer record; `false` if it needs something older than the start.
    ///
    /// Cost: as [`CheckpointRule::see`].
    pub fn see(&mut self, record: &Envelope<'_>) -> bool {
        match record.kind {
            RecordKind::TurnContext => {
                self.knows_policy = true;
                true
            }
            RecordKind::ResponseItem => self.knows_policy || !takes_a_turns_budget(record),
            RecordKind::Compacted => has_aligned_replacement(record.payload),
            RecordKind::EventMsg => !is_rollback(record.payload),
            _ => true,
        }
    }
}

/// Whether a record is an output whose budget is that of the turn, and which may exceed it.
fn takes_a_turns_budget(record: &Envelope<'_>) -> bool {
    // An output this short fits any budget that a turn ever had.
    const ALWAYS_FITS_BYTES: usize = 256;
    if record.payload.len() <= ALWAYS_FITS_BYTES || Sidecar::of(record.metadata).budget.is_some() {
        return false;
    }
    let facts = ItemFacts::scan(record.payload);
    matches!(
        facts.item_type(),
        ItemType::FunctionCallOutput | ItemType::CustomToolCallOutput
    ) && !facts.flags().has(ItemFlags::MALFORMED)
}

fn is_rollback(payload: &str) -> bool {
    let mut is_rollback = false;
    let mut turns = 0_u64;
    for member in members(payload) {
        if member.is("type") {
            is_rollback = member.value == "\"thread_rolled_back\"";
        } else if member.is("num_turns") {
            turns = member.value.parse().unwrap_or(0);
        }
    }
    is_rollback && turns > 0
}

/// Whether a compaction's record brings a whole history that a replay will take.
fn has_aligned_replacement(payload: &str) -> bool {
    let mut has_message = false;
    let mut items = None;
    let mut metadata = None;
    for member in members(payload) {
        match member.key {
            "message" => has_message = member.value.starts_with('"'),
            "replacement_history" if member.value.starts_with('[') => {
                items = Some(elements(member.value).count());
            }
            "replacement_history_metadata" if member.value != "null" => {
                metadata = Some(elements(member.value).count());
            }
            _ => {}
        }
    }
    has_message && items.is_some() && metadata.is_none_or(|count| Some(count) == items)
}
