//! The first pass: which items of a session are live, and where their bytes stand.
//! Nothing of what an item holds is kept; that is fetched in the second pass.

use std::path::Path;

use annals_protocol::{Envelope, ItemOutline, RecordKind};
use annals_replay::{CheckpointWatch, LocatedItem, LocatedItems, Record, Replay, Replayed};
use annals_rollout::{Entry, Fault, Lineage, ReadOptions, Segment};

use super::{PromptInputError, ReadUpTo};
use crate::checkpoint::{newest_checkpoint, newest_compaction};

/// Replays what stands behind the newest compaction, in a file large enough to be worth it.
///
/// `None` if that is not enough. Nor is it where something is damaged or odd: only a reading from
/// the start can say on which line.
pub(super) fn from_checkpoint(
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
pub(super) fn from_start(
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
