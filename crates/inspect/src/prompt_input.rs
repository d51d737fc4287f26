//! The exact input that a model received, rebuilt from a session in bounded memory.
//!
//! Two passes: the first finds out which items are live and holds a few dozen bytes of each; the
//! second fetches their bytes from the file as they are written.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use annals_history::{ItemFacts, PromptOptions, Repair, RollbackStyle, Slot};
use annals_protocol::{Envelope, ItemOutline, RecordKind};
use annals_replay::{
    CheckpointWatch, Ignored, LocatedItem, LocatedItems, Record, Replay, Replayed, write_slot,
};
use annals_rollout::{Entry, Fault, Lineage, ParentSearch, ReadOptions, Segment, Source};

use crate::blocks::Blocks;
use crate::checkpoint::{newest_checkpoint, newest_compaction};

/// How much of a session is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ReadUpTo {
    /// All of it.
    #[default]
    End,
    /// So many physical lines of the session's own file, decompressed.
    Line(u64),
    /// So many of the user turns that survived, counted from 1.
    Turn(u64),
}

impl std::fmt::Display for ReadUpTo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::End => f.write_str("end"),
            Self::Line(line) => write!(f, "line:{line}"),
            Self::Turn(turn) => write!(f, "turn:{turn}"),
        }
    }
}

impl std::str::FromStr for ReadUpTo {
    type Err = String;

    /// Reads `end`, `line:12` or `turn:3`; turns count from 1.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |digits: &str| digits.parse::<u64>().ok();
        let point = match text.split_once(':') {
            Some(("line", digits)) => number(digits).map(Self::Line),
            Some(("turn", digits)) => number(digits).filter(|turn| *turn > 0).map(Self::Turn),
            None if text == "end" => Some(Self::End),
            _ => None,
        };
        point.ok_or_else(|| format!("{text:?} is no point: write line:12, turn:3 or end"))
    }
}

/// What to rebuild, and for whom.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct PromptInputOptions {
    /// How much of the session is looked at.
    pub up_to: ReadUpTo,
    /// What the provider takes.
    pub prompt: PromptOptions,
}

impl PromptInputOptions {
    /// The whole session for a provider with these options.
    pub fn new(up_to: ReadUpTo, prompt: PromptOptions) -> Self {
        Self { up_to, prompt }
    }
}

/// Something that a reader of the input should know; none of it stops the reading.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Notice {
    /// A damaged line.
    Fault(Fault),
    /// A record that could not be used.
    Ignored {
        /// The file.
        path: PathBuf,
        /// The record.
        ignored: Ignored,
    },
    /// A place where the input differs from what the session holds.
    Repair {
        /// The file that the item stands in, if it stands in one.
        path: Option<PathBuf>,
        /// Where in that file, in bytes from 0.
        byte_offset: Option<u64>,
        /// What was done.
        repair: Repair,
    },
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(f),
            Self::Ignored { path, ignored } => {
                write!(
                    f,
                    "{}:{}: {}",
                    path.display(),
                    ignored.line,
                    ignored.reason.text()
                )
            }
            Self::Repair {
                path: Some(path),
                byte_offset: Some(byte_offset),
                repair,
            } => {
                write!(
                    f,
                    "{} at byte {byte_offset}: {}",
                    path.display(),
                    repair.why()
                )
            }
            Self::Repair { repair, .. } => repair.fmt(f),
        }
    }
}

/// Why an input could not be rebuilt.
#[derive(Debug)]
#[non_exhaustive]
pub enum PromptInputError {
    /// The session can't be read.
    Rollout(annals_rollout::Error),
    /// The session has fewer user turns than were asked for.
    NoSuchTurn {
        /// The turn that was asked for.
        asked: u64,
        /// How many there are.
        n_turns: u64,
    },
    /// No line of the session could be used.
    NothingReadable {
        /// The file.
        path: PathBuf,
        /// How many lines were damaged.
        n_faults: usize,
    },
    /// The input can't be written.
    Write(io::Error),
}

impl std::fmt::Display for PromptInputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rollout(error) => error.fmt(f),
            Self::NoSuchTurn { asked, n_turns } => {
                write!(
                    f,
                    "there is no user turn {asked}, the session has {n_turns}"
                )
            }
            Self::NothingReadable { path, n_faults } => {
                write!(
                    f,
                    "{}: no readable record, {n_faults} unreadable lines",
                    path.display()
                )
            }
            Self::Write(error) => write!(f, "writing the input: {error}"),
        }
    }
}

impl std::error::Error for PromptInputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Rollout(error) => error.source(),
            Self::Write(error) => Some(error),
            Self::NoSuchTurn { .. } | Self::NothingReadable { .. } => None,
        }
    }
}

impl From<annals_rollout::Error> for PromptInputError {
    fn from(error: annals_rollout::Error) -> Self {
        Self::Rollout(error)
    }
}

impl From<io::Error> for PromptInputError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// The input that a model received, ready to be written.
#[derive(Debug)]
pub struct PromptInput {
    lineage: Lineage,
    replayed: Replayed<LocatedItem>,
    faults: Vec<Fault>,
    options: PromptInputOptions,
}

impl PromptInput {
    /// Reads a session with its parents and finds out what of it is live.
    ///
    /// **Cost**: one pass over the files. What is held is a few dozen bytes a live item. A file of
    /// more than 8 MiB with a compaction in it is read from there on, if nothing behind it is
    /// damaged; what is damaged before it is not looked at then.
    ///
    /// # Errors
    ///
    /// [`PromptInputError::Rollout`] if a file can't be read or has no `session_meta`;
    /// [`PromptInputError::NothingReadable`]; [`PromptInputError::NoSuchTurn`].
    pub fn read(
        source: Source,
        parents: &ParentSearch,
        options: PromptInputOptions,
    ) -> Result<Self, PromptInputError> {
        let lineage = Lineage::resolve(source, parents)?;
        let (mut replayed, faults) = match from_checkpoint(&lineage, options.up_to)? {
            Some(replayed) => (replayed, Vec::new()),
            None => from_start(&lineage, options.up_to)?,
        };
        if let ReadUpTo::Turn(asked) = options.up_to {
            let n_turns = replayed.ledger.turns();
            let dropped = usize::try_from(asked)
                .ok()
                .and_then(|asked| n_turns.checked_sub(asked))
                .ok_or(PromptInputError::NoSuchTurn {
                    asked,
                    n_turns: n_turns as u64,
                })?;
            // What a turn was told stands before it, whatever the program that wrote the file does.
            replayed.ledger.set_rollback_style(RollbackStyle::default());
            if dropped > 0 {
                let _cut = replayed.ledger.roll_back(dropped);
            }
        }
        Ok(Self {
            lineage,
            replayed,
            faults,
            options,
        })
    }

    /// How many items the input has, stand-ins included.
    pub fn n_items(&self) -> usize {
        self.replayed.ledger.slots().count()
    }

    /// What was wrong and what was done about it, in the order of the files.
    pub fn notices(&self) -> impl Iterator<Item = Notice> + '_ {
        let faults = self.faults.iter().cloned().map(Notice::Fault);
        let ignored = self.replayed.ignored.iter().map(|ignored| Notice::Ignored {
            path: self.path_of(ignored.segment as usize).unwrap_or_default(),
            ignored: *ignored,
        });
        let repairs = self.replayed.ledger.repairs().into_iter().map(|repair| {
            let place = self
                .replayed
                .ledger
                .body(repair.at)
                .and_then(LocatedItem::place);
            Notice::Repair {
                path: place.and_then(|place| self.path_of(place.segment as usize)),
                byte_offset: place.map(|place| place.offset),
                repair,
            }
        });
        faults.chain(ignored).chain(repairs)
    }

    fn path_of(&self, segment: usize) -> Option<PathBuf> {
        self.lineage
            .segments()
            .get(segment)
            .map(|segment| segment.path().to_path_buf())
    }

    /// Calls `each` with the JSON text of every item, in order.
    ///
    /// **Cost**: the bytes of the items, read once; one item is held at a time.
    ///
    /// # Errors
    ///
    /// Those of `each`, and [`PromptInputError::Rollout`] if the file changed meanwhile.
    pub fn for_each<F>(&self, mut each: F) -> Result<(), PromptInputError>
    where
        F: FnMut(&str) -> io::Result<()>,
    {
        let mut blocks = Blocks::new(&self.lineage);
        let mut text = String::new();
        for slot in self.replayed.ledger.slots() {
            let (_, body) = parts(&slot);
            let fetched = match body.place() {
                Some(place) => {
                    let bytes = blocks.fetch(
                        place.segment as usize,
                        place.offset,
                        place.len_bytes as usize,
                    )?;
                    std::str::from_utf8(bytes).unwrap_or_default()
                }
                None => "",
            };
            text.clear();
            write_slot(&mut text, &slot, fetched, self.options.prompt);
            each(&text)?;
        }
        Ok(())
    }

    /// Writes the input as a JSON array, an item a line.
    ///
    /// # Errors
    ///
    /// [`PromptInputError::Write`], and as [`for_each`](Self::for_each).
    pub fn write_json<W: Write>(&self, out: &mut W) -> Result<(), PromptInputError> {
        let mut separator: &[u8] = b"[\n";
        self.for_each(|item| {
            out.write_all(separator)?;
            separator = b",\n";
            out.write_all(item.as_bytes())
        })?;
        out.write_all(if separator.starts_with(b"[") {
            b"[]\n"
        } else {
            b"\n]\n"
        })?;
        Ok(out.flush()?)
    }
}

/// Replays what stands behind the newest compaction, in a file large enough to be worth it.
///
/// `None` if that is not enough. Nor is it where something is damaged or odd: only a reading from
/// the start can say on which line.
fn from_checkpoint(
    lineage: &Lineage,
    up_to: ReadUpTo,
) -> Result<Option<Replayed<LocatedItem>>, PromptInputError> {
    if up_to != ReadUpTo::End {
        return Ok(None);
    }
    let Some(newest) = newest_compaction(lineage)? else {
        return Ok(None);
    };
    if let Some(replayed) = replay_from(lineage, newest, Trust::Watched)? {
        return Ok(Some(replayed));
    }
    match newest_checkpoint(lineage)? {
        Some(offset) => replay_from(lineage, offset, Trust::Known),
        None => Ok(None),
    }
}

/// Whether a place was found to be a checkpoint, or is only where a compaction stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    Watched,
    Known,
}

/// Replays the session's own file from an offset; `None` if that turns out not to be enough.
fn replay_from(
    lineage: &Lineage,
    offset: u64,
    trust: Trust,
) -> Result<Option<Replayed<LocatedItem>>, PromptInputError> {
    let own = lineage.segments().len().saturating_sub(1);
    let mut replay = Replay::items_only(LocatedItems).starting_midway();
    let mut records = lineage.own_records_from(offset, ReadOptions::structure_only());
    let mut watch = None;
    while let Some((_, entry)) = records.next()? {
        let record = match entry {
            Entry::Record(record) => record,
            Entry::Fault(_) => return Ok(None),
        };
        if !shapes_the_input(&record.envelope) {
            continue;
        }
        if trust == Trust::Watched {
            let holds = if let Some(watch) = &mut watch {
                CheckpointWatch::see(watch, &record.envelope)
            } else {
                watch = CheckpointWatch::at(&record.envelope);
                watch.is_some()
            };
            if !holds {
                return Ok(None);
            }
        }
        if let Some(outline) = outline_of(&record.envelope) {
            replay.feed_outlined(&in_segment(own, &record), &outline);
            continue;
        }
        match record.check(path_in(lineage, own)) {
            Ok(record) => replay.feed(&in_segment(own, &record)),
            Err(_) => return Ok(None),
        }
    }
    let replayed = replay.finish();
    Ok(replayed.ignored.is_empty().then_some(replayed))
}

/// Replays a lineage from its start, and lists what is damaged.
fn from_start(
    lineage: &Lineage,
    up_to: ReadUpTo,
) -> Result<(Replayed<LocatedItem>, Vec<Fault>), PromptInputError> {
    let last_segment = lineage.segments().len().saturating_sub(1);
    let is_beyond = |segment: usize, line: u64| match up_to {
        ReadUpTo::Line(lines) => segment == last_segment && line > lines,
        ReadUpTo::End | ReadUpTo::Turn(_) => false,
    };
    let mut replay = Replay::items_only(LocatedItems);
    let (mut faults, mut explained) = (Vec::new(), Vec::new());
    let mut records = lineage.scan();
    while let Some((segment, entry)) = records.next()? {
        match entry {
            Entry::Record(record) if is_beyond(segment, record.line) => break,
            Entry::Record(record) if !shapes_the_input(&record.envelope) => {}
            Entry::Record(record) => {
                let path = path_in(lineage, segment);
                let n_ignored = replay.ignored().len();
                if let Some(outline) = outline_of(&record.envelope) {
                    replay.feed_outlined(&in_segment(segment, &record), &outline);
                    continue;
                }
                match record.check(path) {
                    Ok(record) => replay.feed(&in_segment(segment, &record)),
                    Err(fault) => faults.push(fault),
                }
                // A decode says what the replay only counts: which member has which shape.
                if replay.ignored().len() > n_ignored
                    && let Err(fault) = record.decode(path)
                {
                    faults.push(fault);
                    explained.push(n_ignored);
                }
            }
            Entry::Fault(fault) if is_beyond(segment, fault.line()) => break,
            Entry::Fault(fault) => faults.push(fault),
        }
    }
    let mut replayed = replay.finish();
    let mut index = 0..;
    replayed.ignored.retain(|_| {
        index
            .next()
            .is_none_or(|at| explained.binary_search(&at).is_err())
    });
    Ok((replayed, faults))
}

/// Events that are for people alone and may be large, as they are written.
const EVENTS_FOR_PEOPLE: [&str; 4] = [
    r#"{"type":"item_completed""#,
    r#"{"type":"token_count""#,
    r#"{"type":"agent_message""#,
    r#"{"type":"agent_reasoning""#,
];

/// Whether a record can change what the model sees.
///
/// Only such records are checked to their last byte here: the frame of every line is, and that
/// tells torn, glued and foreign lines. A full check of all lines is another task.
fn shapes_the_input(envelope: &Envelope<'_>) -> bool {
    match envelope.kind {
        RecordKind::TokenUsageRecord
        | RecordKind::WorldState
        | RecordKind::RetainedContext
        | RecordKind::SecurityRiskScore
        | RecordKind::RealtimeItem
        | RecordKind::InterAgentCommunicationMetadata => false,
        RecordKind::EventMsg => !EVENTS_FOR_PEOPLE
            .iter()
            .any(|start| envelope.payload.starts_with(start)),
        _ => true,
    }
}

/// The outline of an item, if a quick look tells that the record is valid to its last byte.
fn outline_of<'a>(envelope: &Envelope<'a>) -> Option<ItemOutline<'a>> {
    let is_item = envelope.kind == RecordKind::ResponseItem && envelope.has_sure_frame();
    is_item.then(|| ItemOutline::look(envelope.payload))?
}

fn in_segment<'a>(segment: usize, record: &annals_rollout::Record<'a>) -> Record<'a> {
    Record {
        segment: u32::try_from(segment).unwrap_or(u32::MAX),
        line: record.line,
        byte_offset: record.byte_offset,
        text: record.text,
        envelope: record.envelope,
    }
}

fn path_in(lineage: &Lineage, segment: usize) -> &Path {
    lineage
        .segments()
        .get(segment)
        .map_or(Path::new(""), Segment::path)
}

fn parts<'a>(slot: &Slot<'a, LocatedItem>) -> (&'a ItemFacts, &'a LocatedItem) {
    match *slot {
        Slot::Item { facts, body, .. } | Slot::StandIn { facts, body, .. } => (facts, body),
    }
}

#[cfg(test)]
#[path = "prompt_input_tests.rs"]
mod tests;
