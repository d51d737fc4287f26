//! What the tests of the writer share.

use std::path::{Path, PathBuf};

use annals_protocol::RecordKind;
use annals_rollout::{Entry, FaultKind, NewRecord, Source};
use serde_json::json;

/// The id of every thread made here.
pub(crate) const ID: &str = "01a22f4d-919e-7c60-8290-89a0ff8f876a";

/// A path in `dir` with the name of a rollout.
pub(crate) fn rollout_in(dir: &Path) -> PathBuf {
    dir.join(format!("rollout-2026-12-01T01-52-46-{ID}.jsonl"))
}

/// A head for a paginated or a legacy thread.
pub(crate) fn head(paginated: bool) -> NewRecord {
    let mode = if paginated { "paginated" } else { "legacy" };
    let payload = json!({"id": ID, "history_mode": mode});
    NewRecord::serialize(RecordKind::SessionMeta, &payload).unwrap()
}

/// A record with a number in it.
pub(crate) fn event(n: u64) -> NewRecord {
    NewRecord::serialize(RecordKind::EventMsg, &json!({"type": "x", "n": n})).unwrap()
}

/// A record's ordinal and number.
pub(crate) type Numbered = (Option<u64>, Option<u64>);

/// What a file holds: each record's ordinal and number (none for the head), and the faults.
pub(crate) fn read(path: &Path) -> (Vec<Numbered>, Vec<FaultKind>) {
    let source = Source::open(path).unwrap();
    let mut reader = source.records();
    let (mut records, mut faults) = (Vec::new(), Vec::new());
    while let Some(entry) = reader.next().unwrap() {
        match entry {
            Entry::Record(record) => {
                let payload: serde_json::Value =
                    serde_json::from_str(record.envelope.payload).unwrap();
                records.push((record.envelope.ordinal, payload["n"].as_u64()));
            }
            Entry::Fault(fault) => faults.push(fault.kind()),
        }
    }
    (records, faults)
}

/// The numbers alone, without the head.
pub(crate) fn numbers(path: &Path) -> Vec<u64> {
    read(path).0.into_iter().filter_map(|(_, n)| n).collect()
}

/// A head with everything that a typed reader asks for.
pub(crate) fn full_head(mode: &str) -> NewRecord {
    let payload = json!({"session_id": ID, "id": ID, "timestamp": "2026-12-01T01:52:46.402Z",
        "cwd": "/w", "originator": "test", "cli_version": "0.0.0", "history_mode": mode});
    NewRecord::serialize(RecordKind::SessionMeta, &payload).unwrap()
}
