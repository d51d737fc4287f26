//! Faults that users of other programs reported, as files, where they are at hand; `damage.rs` has
//! the same faults in files of our own making.

use std::path::{Path, PathBuf};

use annals_rollout::{
    Durability, Entry, ErrorKind, Home, ListOptions, RolloutWriter, Source, WriterOptions, list,
};

use crate::support::event;

/// The file of a case below `ANNALS_SHARED`; none, with a note, where that is not set.
fn file(case: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("ANNALS_SHARED") else {
        println!("ANNALS_SHARED is not set: {case} is not looked at");
        return None;
    };
    let path = Path::new(&root).join(format!("cases/bug-inputs/{case}.jsonl"));
    assert!(path.exists(), "{case}");
    Some(path)
}

/// What each message says, what each other item is, and the lines of the faults.
fn read(path: &Path) -> (Vec<String>, Vec<u64>) {
    let source = Source::open(path).unwrap();
    let mut reader = source.records();
    let (mut items, mut faults) = (Vec::new(), Vec::new());
    while let Some(entry) = reader.next().unwrap() {
        match entry {
            Entry::Record(record) => {
                let payload: serde_json::Value =
                    serde_json::from_str(record.envelope.payload).unwrap();
                let text = payload["content"][0]["text"].as_str();
                let name = payload["call_id"].as_str().or(payload["output"].as_str());
                items.extend(text.or(name).map(str::to_owned));
            }
            Entry::Fault(fault) => faults.push(fault.line()),
        }
    }
    (items, faults)
}

#[test]
fn cases_b63_to_b94_keep_every_line_but_the_damaged_ones() {
    let cases: &[(&str, &[&str], &[u64])] = &[
        ("B63", &["hi", "first try", "next"], &[3]),
        (
            "B66",
            &["first {brace} \"q\" }{ inside", "second", "third"],
            &[2],
        ),
        ("B67", &["before", "after", "last"], &[3]),
        (
            "B68",
            &[
                "line sep \u{2028} and par sep \u{2029} and nel \u{85} inside",
                "ok",
            ],
            &[],
        ),
        ("B69", &["hi", "call_1", "next"], &[4, 5]),
        ("B72", &["keeps\r\nits own", "ok"], &[]),
        ("B76", &["hi", "ok", "written by an older build"], &[]),
        ("B91", &["hi", "ok"], &[3]),
        ("B94", &["hi", "whole again", "next"], &[3]),
        ("B118", &[], &[1, 2, 3]),
    ];
    for (case, items, faults) in cases {
        let Some(path) = file(case) else { return };
        let (found_items, found_faults) = read(&path);
        assert_eq!(found_items, *items, "{case}");
        assert_eq!(found_faults, *faults, "{case}");
    }
}

#[test]
fn cases_b63_to_b94_can_be_gone_on_with_and_keep_their_bytes() {
    for case in [
        "B63", "B66", "B67", "B68", "B69", "B72", "B76", "B77", "B91", "B92", "B94",
    ] {
        let Some(path) = file(case) else { return };
        let dir = tempfile::tempdir().unwrap();
        let copy = dir.path().join(format!("{case}.jsonl"));
        std::fs::copy(&path, &copy).unwrap();
        let before = std::fs::read(&copy).unwrap();
        let records = |path: &Path| {
            let source = Source::open(path).unwrap();
            let mut reader = source.records();
            while reader.next().unwrap().is_some() {}
            reader.counts().records
        };
        let n_before = records(&copy);
        let writer = RolloutWriter::resume(&copy, WriterOptions::default()).unwrap();
        let second = RolloutWriter::resume(&copy, WriterOptions::default()).unwrap_err();
        assert_eq!(second.kind(), ErrorKind::AlreadyOpen, "{case}");
        assert_eq!(std::fs::read(&copy).unwrap(), before, "{case}");
        writer.append(&[event(1)], Durability::Written).unwrap();
        writer.close().unwrap();
        let after = std::fs::read(&copy).unwrap();
        assert!(after.starts_with(&before), "{case}");
        assert!(!after[before.len()..].contains(&b'\r'), "{case}");
        assert_eq!(records(&copy), n_before + 1, "{case}");
    }
}

#[test]
fn cases_b89_and_b118_are_told_apart_and_counted_by_a_list() {
    let (Some(empty), Some(noise)) = (file("B89"), file("B118")) else {
        return;
    };
    assert_eq!(Source::open(&empty).unwrap_err().kind(), ErrorKind::Empty);
    let resume = |path: &Path| RolloutWriter::resume(path, WriterOptions::default());
    let dir = tempfile::tempdir().unwrap();
    let day = dir.path().join("sessions/2026/12/01");
    std::fs::create_dir_all(&day).unwrap();
    for (n, (from, kind)) in [(&empty, ErrorKind::Empty), (&noise, ErrorKind::Unreadable)]
        .into_iter()
        .enumerate()
    {
        let name =
            format!("rollout-2026-12-01T01-52-4{n}-01a22f4d-919e-7c60-8290-89a0ff8f876{n}.jsonl");
        std::fs::copy(from, day.join(&name)).unwrap();
        assert_eq!(resume(&day.join(&name)).unwrap_err().kind(), kind);
    }
    let page = list(&Home::new(dir.path()), &ListOptions::default()).unwrap();
    assert_eq!(page.sessions, []);
    assert_eq!((page.empty_files, page.unreadable_files), (1, 1));
}
