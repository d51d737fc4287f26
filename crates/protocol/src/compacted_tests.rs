//! Tests of the record of a compaction.

use super::*;

fn parse(text: &str) -> Result<Lossless<Compacted>, DecodeError> {
    Compacted::parse(RawJson::parse(text).expect("valid JSON"))
}

#[test]
fn the_oldest_form_has_a_message_alone() {
    let compacted = parse(r#"{"message":"sum"}"#).expect("decodes");
    assert_eq!(compacted.typed().message, "sum");
    assert_eq!(compacted.typed().replacement_history, None);
}

#[test]
fn items_keep_their_bytes() {
    let text = r#"{"message":"","replacement_history":[{"type":"message","role":"user","content":[],"n":1.0}, {"type":"later"}],"replacement_history_metadata":[{"client_authored":true},{}]}"#;
    let compacted = parse(text).expect("decodes");
    let items = compacted
        .typed()
        .replacement_history
        .as_ref()
        .expect("a history");
    assert_eq!(
        items[0].raw().as_str(),
        r#"{"type":"message","role":"user","content":[],"n":1.0}"#
    );
    assert_eq!(items[1].raw().as_str(), r#"{"type":"later"}"#);
}

#[test]
fn a_number_in_the_place_of_the_window_id_is_the_window_number() {
    let by_id = |text: &str| {
        let compacted = parse(text).expect("decodes").into_parts().1;
        (compacted.window_number, compacted.window_id)
    };
    assert_eq!(by_id(r#"{"message":"","window_id":3}"#), (Some(3), None));
    assert_eq!(
        by_id(r#"{"message":"","window_id":3,"window_number":4}"#),
        (Some(4), None)
    );
    assert_eq!(
        by_id(r#"{"message":"","window_id":"w","window_number":4}"#),
        (Some(4), Some("w".to_owned()))
    );
}

#[test]
fn metadata_must_match_the_history() {
    let message = |text: &str| parse(text).expect_err("refused").to_string();
    insta::assert_snapshot!(message(r#"{"message":"","replacement_history":[],"replacement_history_metadata":[{}]}"#), @"malformed replacement_history_metadata: 1 entries beside 0 items");
    insta::assert_snapshot!(message(r#"{"message":"","replacement_history_metadata":[{}]}"#), @"malformed replacement_history_metadata: 1 entries beside no items");
    insta::assert_snapshot!(message(r#"{"message":"","replacement_history":{}}"#), @"malformed replacement_history: not an array");
}

#[test]
fn the_two_nulls_are_written() {
    let compacted = parse(r#"{"message":"m"}"#).expect("decodes").into_parts().1;
    insta::assert_snapshot!(serde_json::to_string(&compacted).expect("encodes"), @r#"{"message":"m","compaction_response_id":null,"latest_token_usage_record":null}"#);
}
