//! Tests of the frame around a record.

use proptest::prelude::*;

use super::*;
use crate::strategies::line_text;

#[test]
fn the_frame_is_found_in_any_order() {
    let usual = r#"{"timestamp":"t","ordinal":7,"type":"event_msg","payload":{"a":{"metadata":{}}},"metadata":{"x":1}}"#;
    let other = r#"{ "payload":{"a":{"metadata":{}}}, "\u0074ype":"event_msg","metadata":{"x":1},"ordinal":7,"new":[],"timestamp":"t"}"#;
    assert!(Envelope::scan(other).is_none());
    for line in [usual, other] {
        let envelope = Envelope::parse(line).expect("valid");
        assert_eq!(envelope.kind, RecordKind::EventMsg);
        assert_eq!(envelope.ordinal, Some(7));
        assert_eq!(envelope.payload, r#"{"a":{"metadata":{}}}"#);
        assert_eq!(envelope.metadata, Some(r#"{"x":1}"#));
    }
}

#[test]
fn metadata_inside_the_payload_is_not_the_lines_own() {
    let line = r#"{"timestamp":"t","type":"x","payload":{"a":1,"metadata":{"b":2}}}"#;
    let envelope = Envelope::scan(line).expect("usual order");
    assert_eq!(envelope.payload, r#"{"a":1,"metadata":{"b":2}}"#);
    assert_eq!(envelope.metadata, None);
    assert_eq!(envelope.kind, RecordKind::Other);
}

#[test]
fn a_member_behind_the_metadata_takes_the_slow_path() {
    let line = r#"{"timestamp":"t","type":"x","payload":{},"metadata":{"a":1},"later":2}"#;
    let envelope = Envelope::parse(line).expect("valid");
    assert_eq!(
        (envelope.payload, envelope.metadata),
        ("{}", Some(r#"{"a":1}"#))
    );
}

#[test]
fn what_is_wrong_is_said() {
    let check = |line: &str, expected: &str| {
        assert_eq!(
            Envelope::parse(line).expect_err("refused").to_string(),
            expected,
            "{line}"
        );
    };
    check("[1]", "not a JSON object");
    check(r#"{"type":"x","payload":1}"#, "no member `timestamp`");
    check(r#"{"timestamp":"t","payload":1}"#, "no member `type`");
    check(r#"{"timestamp":"t","type":"x"}"#, "no member `payload`");
    check(
        r#"{"timestamp":1,"type":"x","payload":1}"#,
        "malformed timestamp: not a string",
    );
    check(
        r#"{"timestamp":"t","ordinal":-1,"type":"x","payload":1}"#,
        "malformed ordinal: invalid value: integer `-1`, expected u64",
    );
    check(
        r#"{"timestamp":"t","type":"x","payload":{"a":}}"#,
        "not valid JSON at byte 43: expected value",
    );
    check(
        r#"{"timestamp":"t","type":"x","payload":"\udead"}"#,
        "lone surrogate escape at byte 39",
    );
}

#[test]
fn the_depth_of_the_frame_counts() {
    let line = |depth: usize| {
        format!(
            r#"{{"timestamp":"t","type":"x","payload":{}{}}}"#,
            "[".repeat(depth),
            "]".repeat(depth)
        )
    };
    for depth in [crate::MAX_DEPTH - 1, crate::MAX_DEPTH] {
        let line = line(depth);
        let by_serde_json = serde_json::from_str::<serde_json::Value>(&line).is_ok();
        assert_eq!(
            Envelope::parse(&line).is_ok(),
            by_serde_json,
            "depth {depth}"
        );
    }
}

#[test]
fn glued_records_are_told_apart() {
    let first = r#"{"timestamp":"t","type":"x","payload":"} {\"{"}"#;
    let line = format!("{first}{{\"timestamp\":\"u\"}}");
    assert_eq!(first_record_end(&line), Some(first.len()));
    assert_eq!(first_record_end(r#"{"torn":"#), None);
    assert_eq!(first_record_end("12 13"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_quick_look_agrees_with_the_careful_one(line in line_text()) {
        let careful = Envelope::parse_any_order(&line).expect("valid");
        prop_assert_eq!(Envelope::scan(&line), Some(careful));
        prop_assert_eq!(Envelope::parse(&line), Ok(careful));
    }

    #[test]
    fn a_cut_line_is_refused_and_never_panics(line in line_text(), at in any::<prop::sample::Index>()) {
        let cut = line.char_indices().map(|(at, _)| at).collect::<Vec<_>>();
        let cut = *at.get(&cut);
        prop_assert!(Envelope::parse(line.get(..cut).expect("a boundary")).is_err());
    }
}
