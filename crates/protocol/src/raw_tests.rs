//! Tests of raw JSON: slices, members, edits.

use proptest::prelude::*;

use super::*;
use crate::strategies::json_value;

fn raw(text: &str) -> RawJson {
    RawJson::parse(text).expect("valid JSON")
}

#[test]
fn white_space_around_a_value_is_no_part_of_it() {
    assert_eq!(raw(" \n{\"a\":1}\r\n").as_str(), r#"{"a":1}"#);
}

#[test]
fn a_slice_shares_and_a_detached_one_does_not() {
    let whole = raw(r#"{"a":{"b":[1,2]},"c":3}"#);
    let inner = whole
        .slice_ref(whole.member("a").expect("there"))
        .expect("inside");
    assert_eq!(inner.as_str(), r#"{"b":[1,2]}"#);
    assert_eq!(inner.detach(), inner);
    assert!(
        whole.slice_ref(r#"{"b":[1,2]}"#).is_none(),
        "another text is no slice"
    );
    assert!(
        inner.slice_ref(whole.member("c").expect("there")).is_none(),
        "outside the slice"
    );
}

#[test]
fn members_are_set_and_left_out_in_place() {
    let check = |text: &str, with: &str, without: &str| {
        let value = raw(text);
        assert_eq!(value.with_member("k", &raw("[9]")).as_str(), with);
        assert_eq!(value.without_member("k").as_str(), without);
    };
    check("{}", r#"{"k":[9]}"#, "{}");
    check(r#"{"a":1}"#, r#"{"a":1,"k":[9]}"#, r#"{"a":1}"#);
    check(r#"{"k":1}"#, r#"{"k":[9]}"#, "{}");
    check(
        r#"{"k":1,"b":1.50}"#,
        r#"{"k":[9],"b":1.50}"#,
        r#"{"b":1.50}"#,
    );
    check(
        r#"{"a":1,"k":{},"b":2}"#,
        r#"{"a":1,"k":[9],"b":2}"#,
        r#"{"a":1,"b":2}"#,
    );
    check(
        r#"{"a":{"k":1},"k":2}"#,
        r#"{"a":{"k":1},"k":[9]}"#,
        r#"{"a":{"k":1}}"#,
    );
    check("[1]", "[1]", "[1]");
}

#[test]
fn a_nested_raw_value_is_written_unchanged() {
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Outer {
        inner: RawJson,
    }
    let text = r#"{"inner":{"n":1e400,"x":-0.0}}"#;
    let outer: Outer = serde_json::from_str(text).expect("decodes");
    assert_eq!(serde_json::to_string(&outer).expect("encodes"), text);
}

#[test]
fn a_shape_that_does_not_fit_is_an_error_that_says_so() {
    let error = raw("[1]").decode::<String>().expect_err("no string");
    insta::assert_snapshot!(error, @"malformed String: invalid type: sequence, expected a string, at byte 0 of it");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn texts_come_back_as_they_were(text in json_value()) {
        let value = raw(&text);
        prop_assert_eq!(value.as_str(), text.as_str());
        prop_assert_eq!(serde_json::to_string(&value).expect("encodes"), text);
    }

    #[test]
    fn setting_then_reading_a_member_gives_it_back(text in json_value(), value in json_value()) {
        let object = raw(&format!(r#"{{"in":{text}}}"#));
        let changed = object.with_member("new", &raw(&value));
        prop_assert_eq!(changed.member("new"), Some(value.as_str()));
        prop_assert_eq!(changed.member("in"), Some(text.as_str()));
        prop_assert_eq!(changed.without_member("new"), object);
    }
}
