//! A trivial reader of rollout files for the tests: split at newlines, parse, skip what is bad.

#![expect(
    clippy::disallowed_methods,
    reason = "reads sessions that lie outside the project"
)]

use std::path::{Path, PathBuf};

use annals_history::{PromptOptions, Slot, render_item, stand_in};
use annals_protocol::Envelope;
use annals_replay::{CheckpointRule, KeptItems, Reading, Record, Replay};

/// One file of a lineage as text, with the ordinal at which the next one leaves it.
pub(crate) struct Segment {
    pub(crate) text: String,
    pub(crate) end_ordinal: Option<u64>,
}

/// The lineage of `path`, oldest ancestor first, its own text cut after `lines` lines.
pub(crate) fn lineage(path: &Path, lines: usize) -> Vec<Segment> {
    let bytes = std::fs::read(path).unwrap();
    let text: String = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .take(lines)
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect();
    let mut segments = Vec::new();
    if let Some((parent, end)) = base(&text) {
        let path = find(path.parent().unwrap(), &parent);
        segments = lineage(&path, usize::MAX);
        segments.last_mut().unwrap().end_ordinal = Some(end);
    }
    segments.push(Segment {
        text,
        end_ordinal: None,
    });
    segments
}

fn base(text: &str) -> Option<(String, u64)> {
    let line = text.lines().next()?;
    let value: serde_json::Value = serde_json::from_str(line).ok()?;
    let base = value.get("payload")?.get("history_base")?;
    let id = base.get("thread_id")?.as_str()?.to_owned();
    Some((id, base.get("end_ordinal_exclusive")?.as_u64()?))
}

fn find(folder: &Path, id: &str) -> PathBuf {
    let ends = [format!("-{id}.jsonl"), format!("_{id}.jsonl")];
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            ends.iter().any(|end| name.ends_with(end.as_str()))
        })
        .unwrap_or_else(|| panic!("no parent {id}"))
}

/// The readable records of a lineage, oldest first.
fn records(segments: &[Segment]) -> Vec<Record<'_>> {
    let mut records = Vec::new();
    for (idx, segment) in segments.iter().enumerate() {
        let mut byte_offset = 0;
        for (line, text) in segment.text.split('\n').enumerate() {
            let place = byte_offset;
            byte_offset += text.len() as u64 + 1;
            let Ok(envelope) = Envelope::parse(text) else {
                continue;
            };
            let is_past = segment
                .end_ordinal
                .zip(envelope.ordinal)
                .is_some_and(|(end, at)| at >= end);
            if !is_past {
                records.push(Record {
                    segment: u32::try_from(idx).unwrap(),
                    line: line as u64 + 1,
                    byte_offset: place,
                    text,
                    envelope,
                });
            }
        }
    }
    records
}

/// Replays a lineage with all bytes kept.
pub(crate) fn replay(segments: &[Segment]) -> Replay<KeptItems> {
    let mut replay = Replay::new(KeptItems);
    for record in &records(segments) {
        replay.feed(record);
    }
    replay
}

/// Replays only what the stop rule for items asks for.
pub(crate) fn replay_from_end(segments: &[Segment]) -> Replay<KeptItems> {
    let records = records(segments);
    let mut rule = CheckpointRule::for_items();
    let start = records
        .iter()
        .rposition(|record| rule.see(&record.envelope) == Reading::StartsHere)
        .unwrap_or(0);
    let mut replay = Replay::items_only(KeptItems).starting_midway();
    for record in &records[start..] {
        replay.feed(record);
    }
    replay
}

/// The prompt of a replay as JSON values.
pub(crate) fn prompt(replay: &Replay<KeptItems>) -> Vec<serde_json::Value> {
    let options = PromptOptions::default();
    replay
        .ledger()
        .slots()
        .map(|slot| match slot {
            Slot::Item { facts, body, .. } => render_item(body.raw().as_str(), facts, options)
                .to_text()
                .into_owned(),
            Slot::StandIn {
                facts,
                body,
                used_before,
                ..
            } => stand_in(body.raw().as_str(), facts, used_before, options),
        })
        .map(|text| serde_json::from_str(&text).unwrap())
        .collect()
}
