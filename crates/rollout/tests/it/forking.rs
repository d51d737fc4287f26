//! Forks and reverts: what the new file holds, and what its readers see.

use std::fs;
use std::path::{Path, PathBuf};

use annals_protocol::RecordKind;
use annals_rollout::{
    CutPoint, Durability, Entry, ErrorKind, Home, Lineage, NewRecord, ParentSearch, RolloutName,
    RolloutWriter, SessionHead, Source, Timestamp, WriterOptions, fork_by_copy, fork_by_reference,
    lookup, revert,
};
use serde_json::json;

use crate::support::{ID, event};

/// A thread of three turns of two records each.
fn thread(home: &Home, mode: &str) -> PathBuf {
    let created = Timestamp::parse("2026-12-01T01-52-46").unwrap();
    let path = home.active_path(&RolloutName::new(created, ID.parse().unwrap()));
    let head = json!({"id": ID, "session_id": ID, "history_mode": mode, "cwd": "/w",
        "base_instructions": {"text": "be kind"}});
    let head = NewRecord::serialize(RecordKind::SessionMeta, &head).unwrap();
    let writer = RolloutWriter::create(&path, head, WriterOptions::default()).unwrap();
    for turn in 1..=3 {
        let started =
            json!({"type": "task_started", "turn_id": format!("turn-{turn}"), "n": turn * 10});
        let started = NewRecord::serialize(RecordKind::EventMsg, &started).unwrap();
        writer
            .append(&[started, event(turn * 10 + 1)], Durability::Written)
            .unwrap();
    }
    writer.close().unwrap();
    path
}

fn lineage(path: &Path) -> Lineage {
    Lineage::resolve(Source::open(path).unwrap(), &ParentSearch::default()).unwrap()
}

/// The numbers of a lineage's records, heads left out.
fn numbers(path: &Path) -> Vec<u64> {
    let lineage = lineage(path);
    let mut records = lineage.records();
    let mut found = Vec::new();
    while let Some((_, entry)) = records.next().unwrap() {
        let Entry::Record(record) = entry else {
            panic!("a fault")
        };
        let payload: serde_json::Value = serde_json::from_str(record.envelope.payload).unwrap();
        found.extend(payload["n"].as_u64());
    }
    found
}

#[test]
fn a_fork_by_reference_shares_the_past_and_has_its_own_future() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::new(dir.path());
    let path = thread(&home, "paginated");
    let before = fs::read(&path).unwrap();
    let fork = fork_by_reference(&lineage(&path), &CutPoint::BeforeTurn("turn-3".into())).unwrap();
    assert_eq!(fork.next_ordinal(), Some(6));
    fork.append(&[event(99)], Durability::Durable).unwrap();
    assert_eq!(numbers(fork.path()), [10, 11, 20, 21, 99]);
    assert_eq!(fs::read(&path).unwrap(), before);
    let text = fs::read_to_string(fork.path()).unwrap();
    let head = SessionHead::read(&Source::open(fork.path()).unwrap()).unwrap();
    assert_ne!(head.id, ID);
    assert_eq!(head.forked_from_id.as_deref(), Some(ID));
    let base = head.history_base.unwrap();
    assert_eq!(
        (base.rollout_id.as_str(), base.end_ordinal_exclusive),
        (ID, 5)
    );
    let end = usize::try_from(base.end_byte_offset.unwrap()).unwrap();
    assert_eq!(
        before[..end].split_inclusive(|&byte| byte == b'\n').count(),
        5
    );
    assert!(text.contains(r#""forked_from_ordinal_exclusive":5"#) && text.contains("be kind"));
    // A fork of the fork whose cut lies in the grandparent refers to that.
    let second = fork_by_reference(&lineage(fork.path()), &CutPoint::Ordinal(3)).unwrap();
    second.persist(Durability::Written).unwrap();
    assert_eq!(numbers(second.path()), [10, 11]);
    assert_eq!(lineage(second.path()).segments().len(), 2);
}

#[test]
fn a_fork_by_copy_stands_alone_in_both_modes() {
    for mode in ["paginated", "legacy"] {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::new(dir.path());
        let path = thread(&home, mode);
        let fork = fork_by_copy(&lineage(&path), &CutPoint::BeforeTurn("turn-2".into())).unwrap();
        fork.append(&[event(99)], Durability::Written).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(numbers(fork.path()), [10, 11, 99], "{mode}");
        let text = fs::read_to_string(fork.path()).unwrap();
        let tags: Vec<_> = text
            .lines()
            .map(|line| line.contains("session_meta"))
            .collect();
        assert_eq!(tags, [true, true, false, false, false], "{mode}");
        assert_eq!(text.contains("\"ordinal\":4,"), mode == "paginated");
        assert!(!text.contains("history_base"));
    }
}

#[test]
fn a_revert_is_a_new_segment_of_the_same_thread_and_can_be_undone() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::new(dir.path());
    let path = thread(&home, "paginated");
    let segment = revert(&lineage(&path), &CutPoint::BeforeTurn("turn-2".into())).unwrap();
    segment.append(&[event(77)], Durability::Written).unwrap();
    segment.close().unwrap();
    let name = RolloutName::parse(segment.path()).unwrap();
    assert_eq!(name.thread_id.to_string(), ID);
    assert_eq!(numbers(segment.path()), [10, 11, 77]);
    assert_eq!(lookup(&home, ID).unwrap(), segment.path());
    assert_eq!(
        lookup(&home, &name.rollout_id().to_string()).unwrap(),
        segment.path()
    );
    // A revert of the revert, to a place in it.
    let next = SessionHead::read(&Source::open(segment.path()).unwrap()).unwrap();
    assert_eq!(next.id, ID);
    let again = revert(&lineage(segment.path()), &CutPoint::End).unwrap();
    again.append(&[event(78)], Durability::Written).unwrap();
    assert_eq!(numbers(again.path()), [10, 11, 77, 78]);
    assert_eq!(numbers(&path), [10, 11, 20, 21, 30, 31]);
    // Everything that came before the second turn is gone from the third segment's past, too.
    let first = revert(
        &lineage(again.path()),
        &CutPoint::BeforeTurn("turn-1".into()),
    )
    .unwrap();
    first.persist(Durability::Written).unwrap();
    assert_eq!(numbers(first.path()), Vec::<u64>::new());
}

#[test]
fn what_can_not_be_cut_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::new(dir.path());
    let legacy = thread(&home, "legacy");
    let error = revert(&lineage(&legacy), &CutPoint::End).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    fs::remove_file(&legacy).unwrap();
    let path = thread(&home, "paginated");
    for (cut, kind) in [
        (CutPoint::BeforeTurn("turn-9".into()), ErrorKind::NotFound),
        (CutPoint::BeforeItem("msg_1".into()), ErrorKind::NotFound),
        (CutPoint::Ordinal(8), ErrorKind::NotFound),
        (CutPoint::Ordinal(0), ErrorKind::InvalidInput),
    ] {
        assert_eq!(
            fork_by_reference(&lineage(&path), &cut).unwrap_err().kind(),
            kind,
            "{cut:?}"
        );
    }
}
