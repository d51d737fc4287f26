//! Damaged lines and what is found in them.

use std::path::Path;
use std::sync::Arc;

use super::{Piece, take_apart};
use crate::read::fault::{FaultKind, Place};
use crate::read::lines::{Line, LineEnd};

const WHOLE: &str =
    r#"{"timestamp":"2026-01-01T00:00:01.000Z","type":"event_msg","payload":{"type":"x"}}"#;

/// What a line comes to: records as text, faults by offset and kind.
fn parts(bytes: &[u8], end: LineEnd) -> Vec<Part> {
    let path: Arc<Path> = Path::new("test.jsonl").into();
    let line = Line {
        number: 3,
        offset: 100,
        len_bytes: bytes.len() as u64,
        bytes,
        end,
    };
    let place = Place {
        path: &path,
        line: 3,
    };
    let pieces = take_apart(&place, &line);
    pieces
        .into_iter()
        .map(|piece| match piece {
            Piece::Record(start, end) => Ok(String::from_utf8(bytes[start..end].to_vec()).unwrap()),
            Piece::Fault(fault) => {
                assert_eq!(fault.line(), 3);
                assert!(fault.reason().len() < 300, "{}", fault.reason());
                Err((fault.byte_offset() - 100, fault.kind()))
            }
        })
        .collect()
}

type Part = Result<String, (u64, FaultKind)>;

#[test]
fn each_kind_of_damage_has_its_name() {
    let deep = format!(
        r#"{{"timestamp":"t","type":"x","payload":{}{}}}"#,
        "[".repeat(400),
        "]".repeat(400)
    );
    for (text, end, kind) in [
        ("not json", LineEnd::Lf, FaultKind::NotJson),
        ("[1,2]", LineEnd::Lf, FaultKind::NotObject),
        ("17", LineEnd::Lf, FaultKind::NotObject),
        (r#"{"half": "#, LineEnd::Lf, FaultKind::Torn),
        (r#"{"half": "#, LineEnd::None, FaultKind::TornTail),
        (
            r#"{"type":"x","payload":{}}"#,
            LineEnd::Lf,
            FaultKind::MissingTimestamp,
        ),
        (
            r#"{"timestamp":"t","payload":{}}"#,
            LineEnd::Lf,
            FaultKind::MissingType,
        ),
        (
            r#"{"timestamp":"t","type":"x"}"#,
            LineEnd::Lf,
            FaultKind::MissingPayload,
        ),
        (
            r#"{"timestamp":1,"type":"x","payload":{}}"#,
            LineEnd::Lf,
            FaultKind::Malformed,
        ),
        (
            r#"{"timestamp":"t","type":"x","payload":"\ud800"}"#,
            LineEnd::Lf,
            FaultKind::LoneSurrogate,
        ),
        (&deep, LineEnd::Lf, FaultKind::TooDeep),
        ("", LineEnd::TooLong, FaultKind::TooLong),
    ] {
        assert_eq!(parts(text.as_bytes(), end), [Err((0, kind))], "{text}");
    }
    assert_eq!(parts(&[0; 300], LineEnd::Lf), [Err((0, FaultKind::NulRun))]);
    assert_eq!(
        parts(b"\xff\xfe garbage", LineEnd::Lf),
        [Err((0, FaultKind::NotUtf8))]
    );
    let bad_text = br#"{"timestamp":"t","type":"x","payload":"a\xff"}"#.to_vec();
    let bad_text = [&bad_text[..39], b"\xff", &bad_text[39..]].concat();
    assert_eq!(
        parts(&bad_text, LineEnd::Lf),
        [Err((0, FaultKind::NotUtf8))]
    );
}

#[test]
fn two_whole_records_are_both_recovered() {
    let first = WHOLE.replace(r#""x""#, r#""brace {\"q\" }{ inside""#);
    let both = parts(format!("{first}{WHOLE}").as_bytes(), LineEnd::Lf);
    assert_eq!(
        both,
        [
            Err((0, FaultKind::Glued)),
            Ok(first),
            Part::Ok(WHOLE.to_owned())
        ]
    );
}

#[test]
fn a_whole_record_behind_a_torn_one_is_recovered() {
    for (torn, kind) in [
        (
            &br#"{"timestamp":"2026-01-01T00:00:00.000Z","type":"resp"#[..],
            FaultKind::Torn,
        ),
        (
            br#"{"timestamp":"2026-01-01T00:00:00.000Z","type":"r","payload":{"type""#,
            FaultKind::Torn,
        ),
        (br#"{"timest"#, FaultKind::Torn),
        (
            b"{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"type\":\"r\",\"payload\":\"\xe6\x96",
            FaultKind::Torn,
        ),
        (b"\0\0\0\0", FaultKind::NulRun),
        (b"noise ", FaultKind::NotJson),
        (b"\xff", FaultKind::NotUtf8),
    ] {
        let line = [torn, WHOLE.as_bytes()].concat();
        assert_eq!(
            parts(&line, LineEnd::Lf),
            [Err((0, kind)), Part::Ok(WHOLE.to_owned())]
        );
        let twice = [torn, WHOLE.as_bytes(), torn].concat();
        let found = parts(&twice, LineEnd::Lf);
        assert_eq!(found[..2], [Err((0, kind)), Part::Ok(WHOLE.to_owned())]);
        assert_eq!(found.len(), 3);
    }
}

#[test]
fn zeros_behind_a_record_cost_only_themselves() {
    let line = [WHOLE.as_bytes(), &[0; 50]].concat();
    let at = WHOLE.len() as u64;
    assert_eq!(
        parts(&line, LineEnd::None),
        [Part::Ok(WHOLE.to_owned()), Err((at, FaultKind::NulRun))]
    );
}

#[test]
fn a_line_made_to_cost_much_is_given_up() {
    // Every start looks like a record, nests in the one before it, and fails only at the very end.
    let hostile = r#"{"timestamp":[[[[[[[["#.repeat(50_000);
    let found = parts(hostile.as_bytes(), LineEnd::Lf);
    assert!(
        found.len() <= 65 && found.iter().all(Result::is_err),
        "{}",
        found.len()
    );
    let many = r#"{"timestamp":1}"#.repeat(50_000);
    assert_eq!(parts(many.as_bytes(), LineEnd::Lf).len(), 64);
}

/// Where each fault of a line was seen, counted from the line's start.
fn stops(bytes: &[u8], end: LineEnd) -> Vec<u64> {
    let path: Arc<Path> = Path::new("test.jsonl").into();
    let line = Line {
        number: 3,
        offset: 100,
        len_bytes: bytes.len() as u64,
        bytes,
        end,
    };
    let place = Place {
        path: &path,
        line: 3,
    };
    let pieces = take_apart(&place, &line);
    let faults = pieces.iter().filter_map(|piece| match piece {
        Piece::Fault(fault) => Some(fault.stop_offset() - 100),
        Piece::Record(..) => None,
    });
    faults.collect()
}

#[test]
fn a_fault_says_at_which_byte_it_was_seen() {
    assert_eq!(stops(b"{\"a\": nothing}", LineEnd::Lf), [7]);
    assert_eq!(stops(b"{\"timestamp\":\"20", LineEnd::None), [15]);
    assert_eq!(stops(b"{\"a\":\"\xff\"}", LineEnd::Lf), [6]);
    // Behind a whole record it is counted from the line's start too.
    let glued = [WHOLE.as_bytes(), b"{\"a\":\"\\ud800\"}"].concat();
    assert_eq!(stops(&glued, LineEnd::Lf), [WHOLE.len() as u64 + 6]);
    // Where it is not known it is the start.
    assert_eq!(stops(b"[1]", LineEnd::Lf), [0]);
}
