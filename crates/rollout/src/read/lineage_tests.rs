//! Chains of parents: where they are found, how they are cut, what is refused.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Cut, Lineage, ParentSearch};
use crate::error::ErrorKind;
use crate::layout::Home;
use crate::read::records::{Entry, ReadOptions};
use crate::read::source::Source;

const IDS: [&str; 3] = [
    "01a22f4d-61ba-71f3-bdff-1c2826445fc9",
    "01a22f4d-63b2-7ad3-ac40-363afb136e2a",
    "01a22f4d-6508-7212-9016-7cf926cd4150",
];

fn line(ordinal: Option<u64>, kind: &str, payload: &str) -> String {
    let ordinal = ordinal
        .map(|n| format!(r#""ordinal":{n},"#))
        .unwrap_or_default();
    format!(
        r#"{{"timestamp":"2026-01-01T00:00:00.000Z",{ordinal}"type":"{kind}","payload":{payload}}}"#
    ) + "\n"
}

fn head(id: &str, ordinal: Option<u64>, base: Option<(&str, u64)>) -> String {
    let base = base
        .map(|(id, end)| format!(r#","history_base":{{"thread_id":"{id}","end_ordinal_exclusive":{end},"end_byte_offset":1}}"#))
        .unwrap_or_default();
    line(
        ordinal,
        "session_meta",
        &format!(r#"{{"id":"{id}"{base}}}"#),
    )
}

fn write(dir: &Path, id: &str, lines: &[String]) -> PathBuf {
    fs::create_dir_all(dir).unwrap();
    let path = dir.join(format!("rollout-2026-12-01T01-52-10-{id}.jsonl"));
    fs::write(&path, lines.concat()).unwrap();
    path
}

fn events(range: std::ops::Range<u64>) -> Vec<String> {
    range
        .map(|n| line(Some(n), "event_msg", &format!(r#"{{"n":{n}}}"#)))
        .collect()
}

/// Segment index and ordinal of each record.
fn read(lineage: &Lineage) -> Vec<(usize, Option<u64>)> {
    let mut reader = lineage.scan();
    let mut seen = Vec::new();
    while let Some((segment, entry)) = reader.next().unwrap() {
        match entry {
            Entry::Record(record) => {
                let mut again = Vec::new();
                lineage
                    .read_at(segment, record.byte_offset, record.text.len(), &mut again)
                    .unwrap();
                assert_eq!(again, record.text.as_bytes());
                seen.push((segment, record.envelope.ordinal));
            }
            Entry::Fault(fault) => panic!("{fault}"),
        }
    }
    let mut backward = Vec::new();
    let mut reader = lineage.backward(ReadOptions::default());
    while let Some((segment, entry)) = reader.next().unwrap() {
        let Entry::Record(record) = entry else {
            panic!("a fault")
        };
        backward.push((segment, record.envelope.ordinal));
    }
    backward.reverse();
    assert_eq!(seen, backward);
    seen
}

#[test]
fn each_parent_is_cut_at_the_smallest_end_behind_it() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    write(
        dir,
        IDS[0],
        &[vec![head(IDS[0], Some(0), None)], events(1..20)].concat(),
    );
    write(
        dir,
        IDS[1],
        &[
            vec![head(IDS[1], Some(8), Some((IDS[0], 8)))],
            events(9..14),
        ]
        .concat(),
    );
    // Its cut lies before the middle file begins, so only the oldest one gives anything.
    let path = write(dir, IDS[2], &[head(IDS[2], Some(3), Some((IDS[1], 3)))]);
    let lineage = Lineage::resolve(Source::open(&path).unwrap(), &ParentSearch::default()).unwrap();
    let cuts: Vec<_> = lineage
        .segments()
        .iter()
        .map(super::Segment::end_ordinal_exclusive)
        .collect();
    assert_eq!(cuts, [Some(3), Some(3), None]);
    assert_eq!(
        read(&lineage),
        [(0, Some(0)), (0, Some(1)), (0, Some(2)), (2, Some(3))]
    );
}

#[test]
fn parents_are_found_in_the_date_tree_the_archive_and_given_homes() {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().join("home");
    let elsewhere = dir.path().join("elsewhere");
    let day = home.join("sessions/2026/12/02");
    let child = write(&day, IDS[1], &[head(IDS[1], Some(2), Some((IDS[0], 2)))]);
    let resolve = |search: &ParentSearch| Lineage::resolve(Source::open(&child).unwrap(), search);
    let missing = resolve(&ParentSearch::default()).unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::ParentNotFound);
    assert!(missing.to_string().contains(IDS[0]) && missing.path() == Some(&*child));
    for place in [
        home.join("sessions/2026/12/01"),
        home.join("archived_sessions"),
        elsewhere.join("sessions/2027/01/01"),
    ] {
        let parent = write(
            &place,
            IDS[0],
            &[vec![head(IDS[0], Some(0), None)], events(1..4)].concat(),
        );
        let lineage = resolve(&ParentSearch::in_home(Home::new(&elsewhere))).unwrap();
        assert_eq!(lineage.segments()[0].path(), parent);
        assert_eq!(read(&lineage).len(), 3);
        fs::remove_file(parent).unwrap();
    }
}

#[test]
fn a_chain_that_comes_back_to_itself_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        IDS[0],
        &[head(IDS[0], Some(0), Some((IDS[1], 5)))],
    );
    let path = write(
        dir.path(),
        IDS[1],
        &[head(IDS[1], Some(0), Some((IDS[0], 5)))],
    );
    let error =
        Lineage::resolve(Source::open(path).unwrap(), &ParentSearch::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ParentChain);
}

#[test]
fn an_id_that_is_none_never_becomes_a_path() {
    let dir = tempfile::tempdir().unwrap();
    let path = write(
        dir.path(),
        IDS[1],
        &[head(IDS[1], Some(0), Some(("../../etc/passwd", 5)))],
    );
    let error =
        Lineage::resolve(Source::open(path).unwrap(), &ParentSearch::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidId);
}

#[test]
fn records_without_ordinals_count_from_the_one_before_them() {
    let dir = tempfile::tempdir().unwrap();
    let lines: Vec<_> = (0..6)
        .map(|n| line(None, "event_msg", &format!("{n}")))
        .collect();
    write(
        dir.path(),
        IDS[0],
        &[vec![head(IDS[0], None, None)], lines].concat(),
    );
    let path = write(dir.path(), IDS[1], &[head(IDS[1], None, Some((IDS[0], 3)))]);
    let lineage = Lineage::resolve(Source::open(path).unwrap(), &ParentSearch::default()).unwrap();
    assert_eq!(read(&lineage).len(), 3 + 1);
}

#[test]
fn a_parent_out_of_order_around_the_cut_reads_the_same_both_ways() {
    let dir = tempfile::tempdir().unwrap();
    let mut lines = events(1..12);
    lines.swap(4, 5);
    lines.swap(8, 2);
    for end in 0..13 {
        write(
            dir.path(),
            IDS[0],
            &[vec![head(IDS[0], Some(0), None)], lines.clone()].concat(),
        );
        let path = write(
            dir.path(),
            IDS[1],
            &[head(IDS[1], Some(end), Some((IDS[0], end)))],
        );
        let source = Source::open(path).unwrap();
        let lineage = Lineage::resolve(source, &ParentSearch::default()).unwrap();
        assert_eq!(read(&lineage).len() as u64, end.min(12) + 1);
    }
}

#[test]
fn swapped_lines_at_the_cut_are_judged_by_their_own_ordinal() {
    let mut cut = Cut::new(3);
    let kept: Vec<_> = [0, 1, 3, 2, 4].map(|n| cut.keeps(Some(n))).into();
    assert_eq!(kept, [true, true, false, true, false]);
    assert!(!cut.is_past());
    for n in 5..2000 {
        cut.keeps(Some(n));
    }
    assert!(cut.is_past());
}
