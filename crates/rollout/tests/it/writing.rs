//! The synchronous writer: creation, resuming, ordinals, refusals, what it notices.

use std::fs;
use std::io::Write as _;

use annals_protocol::{RawJson, RecordKind};
use annals_rollout::{
    Durability, ErrorKind, FaultKind, NewRecord, RolloutWriter, WriterOptions, writer_of,
};

use crate::support::{ID, event, head, numbers, read, rollout_in};

fn create(dir: &std::path::Path, paginated: bool) -> RolloutWriter {
    RolloutWriter::create(rollout_in(dir), head(paginated), WriterOptions::default()).unwrap()
}

#[test]
fn nothing_is_on_the_disk_before_the_first_record_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().join("a/b");
    let writer = create(&home, true);
    writer.append(&[event(1)], Durability::Buffered).unwrap();
    writer.flush(Durability::Buffered).unwrap();
    assert!(!home.exists());
    writer.flush(Durability::Written).unwrap();
    let (records, faults) = read(writer.path());
    assert_eq!(records, [(Some(0), None), (Some(1), Some(1))]);
    assert!(faults.is_empty());
}

#[test]
fn a_thread_without_records_leaves_no_file_unless_it_is_persisted() {
    let dir = tempfile::tempdir().unwrap();
    let writer = create(dir.path(), false);
    writer.flush(Durability::Durable).unwrap();
    writer.close().unwrap();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    assert_eq!(
        writer
            .append(&[event(1)], Durability::Written)
            .unwrap_err()
            .kind(),
        ErrorKind::Closed
    );
    let writer = create(dir.path(), false);
    writer.persist(Durability::Durable).unwrap();
    assert_eq!(read(writer.path()).0, [(None, None)]);
}

#[cfg(unix)]
#[test]
fn files_and_directories_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().join("sessions/2026");
    let writer = create(&home, true);
    writer.append(&[event(1)], Durability::Durable).unwrap();
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(writer.path()), 0o600);
    for entry in fs::read_dir(&home).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
    assert_eq!((mode(&home), mode(home.parent().unwrap())), (0o700, 0o700));
}

#[test]
fn a_resumed_thread_goes_on_with_its_ordinals_and_keeps_its_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let writer = create(dir.path(), true);
    writer
        .append(&[event(1), event(2)], Durability::Written)
        .unwrap();
    let path = writer.path().to_path_buf();
    drop(writer);
    let before = fs::read(&path).unwrap();
    let writer = RolloutWriter::resume(&path, WriterOptions::default()).unwrap();
    assert_eq!(writer.next_ordinal(), Some(3));
    let appended = writer.append(&[event(3)], Durability::Durable).unwrap();
    assert_eq!(appended.first_position, Some(3));
    assert!(fs::read(&path).unwrap().starts_with(&before));
    assert_eq!(numbers(&path), [1, 2, 3]);
}

#[test]
fn a_torn_tail_is_left_alone_and_its_ordinal_used_again() {
    for (tail, kind) in [
        (
            &b"{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"ordinal\":2,\"ty"[..],
            Some(FaultKind::Torn),
        ),
        (&[0; 64][..], Some(FaultKind::NulRun)),
        (b"\xff\xfe\n", Some(FaultKind::NotUtf8)),
        (b"\n\n", None),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let writer = create(dir.path(), true);
        writer.append(&[event(1)], Durability::Written).unwrap();
        writer.close().unwrap();
        let path = writer.path();
        fs::OpenOptions::new()
            .append(true)
            .open(path)
            .unwrap()
            .write_all(tail)
            .unwrap();
        let before = fs::read(path).unwrap();
        let writer = RolloutWriter::resume(path, WriterOptions::default()).unwrap();
        writer.append(&[event(2)], Durability::Written).unwrap();
        assert!(fs::read(path).unwrap().starts_with(&before));
        let (records, faults) = read(path);
        assert_eq!(
            records,
            [(Some(0), None), (Some(1), Some(1)), (Some(2), Some(2))]
        );
        assert_eq!(faults, Vec::from_iter(kind));
    }
}

#[test]
fn a_whole_last_record_without_its_line_end_counts() {
    let dir = tempfile::tempdir().unwrap();
    let writer = create(dir.path(), true);
    writer.append(&[event(1)], Durability::Written).unwrap();
    writer.close().unwrap();
    let path = writer.path();
    let mut bytes = fs::read(path).unwrap();
    bytes.pop();
    fs::write(path, &bytes).unwrap();
    let writer = RolloutWriter::resume(path, WriterOptions::default()).unwrap();
    writer.append(&[event(2)], Durability::Written).unwrap();
    assert_eq!(
        read(path),
        (
            vec![(Some(0), None), (Some(1), Some(1)), (Some(2), Some(2))],
            vec![]
        )
    );
}

#[test]
fn b76_a_last_record_without_an_ordinal_is_no_error() {
    let dir = tempfile::tempdir().unwrap();
    let writer = create(dir.path(), true);
    writer.append(&[event(1)], Durability::Written).unwrap();
    writer.close().unwrap();
    let line = b"{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"type\":\"event_msg\",\"payload\":{\"n\":7}}\n";
    fs::OpenOptions::new()
        .append(true)
        .open(writer.path())
        .unwrap()
        .write_all(line)
        .unwrap();
    let writer = RolloutWriter::resume(writer.path(), WriterOptions::default()).unwrap();
    assert_eq!(writer.next_ordinal(), Some(3));
}

#[test]
fn what_can_not_be_resumed_is_left_untouched() {
    let dir = tempfile::tempdir().unwrap();
    let path = rollout_in(dir.path());
    let resume = || RolloutWriter::resume(&path, WriterOptions::default()).unwrap_err();
    let missing = resume();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    let why = std::error::Error::source(&missing).unwrap().to_string();
    assert_eq!(why, "no such file");
    assert!(missing.hint().is_some());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    for (bytes, kind) in [
        (&b""[..], ErrorKind::Empty),
        (b"noise\n", ErrorKind::Unreadable),
        (
            b"{\"timestamp\":\"t\",\"type\":\"event_msg\",\"payload\":{}}\n",
            ErrorKind::NoSessionMeta,
        ),
    ] {
        fs::write(&path, bytes).unwrap();
        assert_eq!(resume().kind(), kind);
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert_eq!(writer_of(&path).unwrap(), None);
    }
}

#[test]
fn a_second_writer_is_refused_and_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let writer = create(dir.path(), true);
    let other = create(dir.path(), true);
    writer.append(&[event(1)], Durability::Written).unwrap();
    let before = fs::read(writer.path()).unwrap();
    let error = RolloutWriter::resume(writer.path(), WriterOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyOpen);
    assert_eq!(error.holder().unwrap().pid, std::process::id());
    let error = other.append(&[event(2)], Durability::Written).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyOpen);
    assert_eq!(fs::read(writer.path()).unwrap(), before);
    // Reading is never refused.
    assert_eq!(numbers(writer.path()), [1]);
    writer.close().unwrap();
    RolloutWriter::resume(writer.path(), WriterOptions::default()).unwrap();
}

#[test]
fn a_record_over_the_limit_is_refused_before_anything_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let mut options = WriterOptions::default();
    options.line_limit_bytes = 200;
    let writer = RolloutWriter::create(rollout_in(dir.path()), head(true), options).unwrap();
    let long = NewRecord::serialize(RecordKind::EventMsg, &"x".repeat(300)).unwrap();
    let error = writer
        .append(&[event(1), long], Durability::Durable)
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.queued_records()),
        (ErrorKind::LineTooLong, 0)
    );
    assert!(!writer.path().exists());
    writer.append(&[event(2)], Durability::Written).unwrap();
    assert_eq!(read(writer.path()).0, [(Some(0), None), (Some(1), Some(2))]);
}

#[test]
fn the_expected_ordinal_fences_a_caller_that_is_behind() {
    let dir = tempfile::tempdir().unwrap();
    let writer = create(dir.path(), true);
    assert_eq!(writer.next_ordinal(), Some(1));
    writer
        .append_expecting(&[event(1)], Durability::Written, Some(1))
        .unwrap();
    let error = writer
        .append_expecting(&[event(9)], Durability::Written, Some(1))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Fenced);
    writer
        .append_expecting(&[event(2)], Durability::Written, Some(2))
        .unwrap();
    assert_eq!(numbers(writer.path()), [1, 2]);
}

#[test]
fn a_payload_with_line_ends_between_its_tokens_stays_on_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let writer = create(dir.path(), true);
    let raw = RawJson::parse("{\r\n \"type\":\"x\",\n \"n\": 5, \"t\": \"a\\nb\"\n}").unwrap();
    let record = NewRecord::new(RecordKind::EventMsg, raw).unwrap();
    writer.append(&[record], Durability::Written).unwrap();
    assert_eq!(numbers(writer.path()), [5]);
    let text = fs::read_to_string(writer.path()).unwrap();
    assert_eq!(text.lines().count(), 2);
    assert!(text.contains(r#""t": "a\nb""#) && !text.contains('\r'));
}

#[test]
fn control_characters_never_get_into_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let writer = create(dir.path(), true);
    let text: String = (0..32_u8)
        .map(char::from)
        .chain(['\u{7f}', '\u{85}', '\u{2028}'])
        .collect();
    let record =
        NewRecord::serialize(RecordKind::EventMsg, &serde_json::json!({ "t": text })).unwrap();
    writer.append(&[record], Durability::Written).unwrap();
    let bytes = fs::read(writer.path()).unwrap();
    assert!(bytes.iter().all(|&byte| byte >= 0x20 || byte == b'\n'));
    assert_eq!(read(writer.path()).1, []);
    assert!(NewRecord::with_tag("no\ntag", RawJson::parse("1").unwrap()).is_err());
    assert!(NewRecord::with_tag("new_kind", RawJson::parse("1").unwrap()).is_ok());
}

/// What a payload or metadata is made of.
fn nested(depth: usize) -> RawJson {
    RawJson::parse("[".repeat(depth) + &"]".repeat(depth)).unwrap()
}

#[test]
fn nesting_that_no_reader_takes_is_refused_and_all_other_is_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let writer = create(dir.path(), true);
    let mut n_written = 0;
    for depth in 1..=127 {
        let value: serde_json::Value = serde_json::from_str(nested(depth).as_str()).unwrap();
        let beside = NewRecord::new(RecordKind::EventMsg, nested(1)).unwrap();
        let records = [
            NewRecord::new(RecordKind::EventMsg, nested(depth)),
            NewRecord::with_tag("new_kind", nested(depth)),
            NewRecord::serialize(RecordKind::EventMsg, &value),
            NewRecord::serialize(RecordKind::EventMsg, &nested(depth)),
            Ok(beside.with_metadata(nested(depth))),
        ];
        for record in records {
            let written = record.and_then(|record| writer.append(&[record], Durability::Written));
            match written {
                Ok(_) => n_written += 1,
                Err(error) => {
                    assert_eq!((depth, error.kind()), (127, ErrorKind::InvalidInput));
                    assert_eq!(error.queued_records(), 0);
                }
            }
        }
    }
    assert_eq!(n_written, 126 * 5);
    let (records, faults) = read(writer.path());
    assert_eq!(faults, []);
    assert_eq!(records.len(), 1 + n_written);
    let mut value = serde_json::json!(0);
    for _ in 0..200 {
        value = serde_json::json!([value]);
    }
    let error = NewRecord::serialize(RecordKind::EventMsg, &value).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
}

#[test]
fn json_that_a_value_brings_along_stays_on_one_line() {
    #[derive(serde::Serialize)]
    struct Brings {
        n: u64,
        raw: Box<serde_json::value::RawValue>,
    }
    let dir = tempfile::tempdir().unwrap();
    let writer = create(dir.path(), true);
    let raw = serde_json::value::RawValue::from_string("{\n\"a\":\r\n[1]}".to_owned()).unwrap();
    let record = NewRecord::serialize(RecordKind::EventMsg, &Brings { n: 5, raw }).unwrap();
    writer.append(&[record], Durability::Written).unwrap();
    assert_eq!(
        read(writer.path()),
        (vec![(Some(0), None), (Some(1), Some(5))], vec![])
    );
}

#[cfg(unix)]
#[test]
fn a_file_removed_replaced_or_truncated_beneath_the_writer_is_noticed() {
    for what in ["removed", "replaced", "truncated", "lock removed"] {
        let dir = tempfile::tempdir().unwrap();
        let writer = create(dir.path(), true);
        writer.append(&[event(1)], Durability::Durable).unwrap();
        let path = writer.path();
        match what {
            "removed" => fs::remove_file(path).unwrap(),
            "replaced" => {
                let copy = dir.path().join("copy");
                fs::copy(path, &copy).unwrap();
                fs::rename(&copy, path).unwrap();
            }
            "truncated" => fs::OpenOptions::new()
                .write(true)
                .open(path)
                .unwrap()
                .set_len(10)
                .unwrap(),
            _ => fs::remove_file(dir.path().join(format!(".{ID}.lock"))).unwrap(),
        }
        let before = fs::read(path).ok();
        let error = writer.append(&[event(2)], Durability::Durable).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Replaced, "{what}");
        assert!(error.path().is_some());
        let again = writer.append(&[event(3)], Durability::Written).unwrap_err();
        assert_eq!(again.kind(), ErrorKind::Replaced, "{what}");
        if what == "removed" {
            assert!(!path.exists());
        } else if what == "truncated" {
            assert!(fs::read(path).ok() >= before);
        }
    }
}

#[test]
fn many_threads_write_each_record_once() {
    let dir = tempfile::tempdir().unwrap();
    let writer = create(dir.path(), true);
    std::thread::scope(|scope| {
        for thread in 0..8_u64 {
            let writer = writer.clone();
            scope.spawn(move || {
                for n in 0..100 {
                    let durability = match n % 10 {
                        0 => Durability::Durable,
                        1..5 => Durability::Buffered,
                        _ => Durability::Written,
                    };
                    writer
                        .append(&[event(thread * 1000 + n)], durability)
                        .unwrap();
                }
            });
        }
    });
    writer.close().unwrap();
    let (records, faults) = read(writer.path());
    assert!(faults.is_empty());
    let ordinals: Vec<_> = records.iter().map(|record| record.0.unwrap()).collect();
    assert_eq!(ordinals, (0..801).collect::<Vec<_>>());
    for thread in 0..8 {
        let mine: Vec<_> = records
            .iter()
            .filter_map(|r| r.1)
            .filter(|n| n / 1000 == thread)
            .collect();
        assert_eq!(
            mine,
            (thread * 1000..thread * 1000 + 100).collect::<Vec<_>>()
        );
    }
}
