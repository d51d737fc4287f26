//! A conversation as its user saw it: what was said and done, turn by turn.

use std::borrow::Cow;

use annals_history::{ItemFacts, ItemFlags};
use annals_protocol::{ItemHead, ItemType, RecordKind};
use annals_replay::{ItemSource as _, LocatedItem, LocatedItems, Place, TurnItem};
use annals_rollout::Fault;
use serde::Serialize;

use crate::blocks::Blocks;
use crate::error::Error;
use crate::part::{member, parts_of, text_member};
use crate::prompt_input::ReadUpTo;
use crate::session::{About, At, Session, TracedReplay, Watch};
use crate::window::LineWindow;

/// How many damaged lines are listed one by one; the rest is counted.
const LISTED_FAULTS: usize = 1_000;

/// A conversation as its user saw it. Turns that were taken back are not in it; what a compaction
/// put out of the model's sight is.
///
/// # Bounds and cost
///
/// Holds where each entry stands, and fetches the texts when they are asked for.
#[derive(Debug)]
pub struct Conversation<'s> {
    session: &'s Session,
    /// Which session.
    pub about: About,
    /// The instructions that the model started with, where the file has them.
    pub base: Option<String>,
    /// Lines that could not be used, the first thousand of them.
    pub faults: Vec<Fault>,
    /// How many such lines there are.
    pub n_faults: u64,
    /// The last line of the session's own file that was looked at.
    pub last_line: u64,
    entries: Vec<Noted>,
}

/// One thing that was said, done or told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ConversationEntry {
    /// The user turn, from 1; 0 before the first.
    pub turn: usize,
    /// The line of its record.
    pub line: u64,
    /// When, as written.
    pub timestamp: String,
    /// What it is.
    pub kind: EntryKind,
    /// Of a call or an output: the tool, or the call's id.
    pub name: Option<String>,
    /// The text. Of a compaction: the summary.
    pub text: String,
}

/// What an entry of a conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EntryKind {
    /// A person's words.
    User,
    /// The model's words.
    Assistant,
    /// A summary of the model's reasoning.
    Reasoning,
    /// A call of a tool.
    Call,
    /// The output of a tool.
    Output,
    /// Context that a host injected; nobody said it.
    Context,
    /// A compaction.
    Compaction,
    /// The turn was cut off.
    Aborted,
}

#[derive(Debug, Clone)]
struct Noted {
    turn: usize,
    is_own: bool,
    line: u64,
    timestamp: String,
    what: What,
}

#[derive(Debug, Clone)]
enum What {
    Item(LocatedItem, ItemFacts, Place),
    Compaction(Place),
    Aborted(String),
}

impl Session {
    /// The conversation as its user saw it.
    ///
    /// # Errors
    ///
    /// [`Error::Rollout`] if a file can't be read; [`Error::NoSuchTurn`]; [`Error::NoSuchLine`].
    pub fn conversation(&self, up_to: ReadUpTo) -> Result<Conversation<'_>, Error> {
        let mut talk = Talk {
            own_segment: self.lineage.segments().len().saturating_sub(1),
            ..Talk::default()
        };
        let replayed = self.walk(up_to, &mut talk)?;
        if let ReadUpTo::Turn(_) = up_to {
            talk.take_back(replayed.ledger.turns());
        }
        let base = replayed.session.as_ref().and_then(|session| {
            let base = member(session.as_str(), "base_instructions");
            base.and_then(|base| text_member(base, "text"))
                .or_else(|| text_member(session.as_str(), "instructions"))
        });
        Ok(Conversation {
            about: self.about(&replayed),
            base,
            faults: talk.faults,
            n_faults: talk.n_faults,
            last_line: talk.last_line,
            session: self,
            entries: talk.entries,
        })
    }
}

impl Conversation<'_> {
    /// How many records it is made from.
    pub fn n_records(&self) -> usize {
        self.entries.len()
    }

    /// The damaged line around the place of a fault; `None` if it can't be read any more.
    pub fn window(&self, fault: &Fault) -> Option<LineWindow> {
        LineWindow::of_fault(&self.session.lineage, fault)
    }

    /// Calls `each` with every entry, in order.
    ///
    /// # Errors
    ///
    /// [`Error::Rollout`] if a file changed meanwhile; what `each` returns.
    pub fn for_each<F, E>(&self, each: F) -> Result<(), E>
    where
        F: FnMut(ConversationEntry) -> Result<(), E>,
        E: From<Error>,
    {
        self.for_each_behind(0, each)
    }

    /// The same for entries that stand behind a line of the session's own file; for all if that is 0.
    ///
    /// # Errors
    ///
    /// As [`for_each`](Self::for_each).
    pub fn for_each_behind<F, E>(&self, line: u64, mut each: F) -> Result<(), E>
    where
        F: FnMut(ConversationEntry) -> Result<(), E>,
        E: From<Error>,
    {
        let mut blocks = Blocks::new(&self.session.lineage);
        let mut fetch = |place: Place| -> Result<String, Error> {
            let bytes = blocks.fetch(
                place.segment as usize,
                place.offset,
                place.len_bytes as usize,
            )?;
            Ok(String::from_utf8_lossy(bytes).into_owned())
        };
        let is_meant = |noted: &&Noted| line == 0 || noted.is_own && noted.line > line;
        for noted in self.entries.iter().filter(is_meant) {
            let entry = |kind, name, text| ConversationEntry {
                turn: noted.turn,
                line: noted.line,
                timestamp: noted.timestamp.clone(),
                kind,
                name,
                text,
            };
            match &noted.what {
                What::Item(located, facts, place) => {
                    let fetched = fetch(*place)?;
                    let item = located.recorded(&fetched, facts);
                    for (kind, name, text) in entries_of(&item, facts) {
                        each(entry(kind, name, text))?;
                    }
                }
                What::Compaction(place) => {
                    let payload = fetch(*place)?;
                    let summary = text_member(&payload, "message").unwrap_or_default();
                    each(entry(EntryKind::Compaction, None, summary))?;
                }
                What::Aborted(reason) => {
                    each(entry(EntryKind::Aborted, None, reason.clone()))?;
                }
            }
        }
        Ok(())
    }
}

/// What one item says to a person: a message with context in it becomes two entries.
fn entries_of(item: &str, facts: &ItemFacts) -> Vec<(EntryKind, Option<String>, String)> {
    let Some(head) = ItemHead::scan(item) else {
        return Vec::new();
    };
    let own = |text: &Option<Cow<'_, str>>| text.as_deref().map(str::to_owned);
    if head.item_type == ItemType::AdditionalTools {
        let tools = member(item, "tools").unwrap_or_default();
        return vec![(
            EntryKind::Context,
            Some(head.tag.to_owned()),
            tools.to_owned(),
        )];
    }
    let is_answer = facts.flags().has(ItemFlags::CALL_ID);
    let mut entries = Vec::new();
    for shown in TurnItem::of(item, facts, None) {
        entries.push(match shown {
            TurnItem::UserMessage {
                text,
                n_images,
                n_audio,
            } => {
                let media = "\n[image]".repeat(n_images) + &"\n[audio]".repeat(n_audio);
                (EntryKind::User, None, format!("{text}{media}"))
            }
            TurnItem::AgentMessage { text, .. } => (EntryKind::Assistant, None, text),
            TurnItem::OtherAgent { author, text } => (EntryKind::User, Some(author), text),
            TurnItem::Reasoning { summary } if summary.is_empty() => continue,
            TurnItem::Reasoning { summary } => (EntryKind::Reasoning, None, summary.join("\n")),
            TurnItem::ToolCall { name, input, .. } => (EntryKind::Call, Some(name), input),
            TurnItem::ToolNotice { text, .. } if is_answer => {
                (EntryKind::Output, own(&head.call_id), text)
            }
            TurnItem::Compaction { summary } => {
                (EntryKind::Context, None, summary.unwrap_or_default())
            }
            TurnItem::ToolNotice { name, text } | TurnItem::Event { name, text } => {
                (EntryKind::Context, Some(name), text)
            }
            TurnItem::Context { names } => {
                let text = context_of(item, &head);
                (EntryKind::Context, Some(names.join(", ")), text)
            }
            _ => continue,
        });
    }
    entries
}

/// The texts of a message that a host injected.
fn context_of(item: &str, head: &ItemHead<'_>) -> String {
    let is_developer = head.role.as_deref() == Some("developer");
    let texts: Vec<String> = parts_of(item, head)
        .into_iter()
        .filter(|part| part.is_injected || is_developer)
        .filter_map(|part| part.text.map(Cow::into_owned))
        .collect();
    texts.join("\n")
}

/// Notes what is said as the records go by.
#[derive(Debug, Default)]
struct Talk {
    entries: Vec<Noted>,
    /// The first entry of each turn.
    starts: Vec<usize>,
    faults: Vec<Fault>,
    n_faults: u64,
    own_segment: usize,
    last_line: u64,
}

impl Talk {
    /// Drops the turns behind the first `turns`.
    fn take_back(&mut self, turns: usize) {
        while self.starts.len() > turns {
            if let Some(start) = self.starts.pop() {
                self.entries.truncate(start);
            }
        }
        // What was told before the first turn that was dropped goes with it.
        while let Some(Noted {
            what: What::Item(_, facts, _),
            ..
        }) = self.entries.last()
            && facts.flags().has(ItemFlags::CONTEXTUAL)
            && !facts.flags().has(ItemFlags::EVENT)
            && self
                .starts
                .last()
                .is_none_or(|start| *start < self.entries.len() - 1)
            && !self.starts.is_empty()
        {
            let _context = self.entries.pop();
        }
    }
}

impl Watch for Talk {
    fn fault(&mut self, _segment: usize, fault: Fault) {
        self.n_faults += 1;
        if self.faults.len() < LISTED_FAULTS {
            self.faults.push(fault);
        }
    }

    fn after(&mut self, at: &At<'_>, replay: &TracedReplay) {
        if at.segment == self.own_segment {
            self.last_line = at.line;
        }
        let turns = replay.ledger().turns();
        if turns < self.starts.len() {
            self.take_back(turns);
        }
        while turns > self.starts.len() {
            self.starts.push(self.entries.len());
        }
        let payload = at.envelope.payload;
        let place = || {
            annals_replay::Record {
                segment: u32::try_from(at.segment).unwrap_or(u32::MAX),
                line: at.line,
                byte_offset: at.byte_offset,
                text: at.text,
                envelope: at.envelope,
            }
            .place_of(payload)
        };
        let what = match at.envelope.kind {
            RecordKind::ResponseItem | RecordKind::InterAgentCommunication => {
                let facts = ItemFacts::scan(payload);
                let place = place();
                LocatedItems
                    .keep(place, payload, None)
                    .map(|located| What::Item(located, facts, place))
            }
            RecordKind::Compacted => Some(What::Compaction(place())),
            RecordKind::EventMsg if payload.contains("turn_aborted") => {
                let is_aborted = text_member(payload, "type").as_deref() == Some("turn_aborted");
                is_aborted
                    .then(|| What::Aborted(text_member(payload, "reason").unwrap_or_default()))
            }
            _ => None,
        };
        if let Some(what) = what {
            self.entries.push(Noted {
                turn: turns,
                is_own: at.segment == self.own_segment,
                line: at.line,
                timestamp: at.envelope.timestamp.to_owned(),
                what,
            });
        }
    }
}
