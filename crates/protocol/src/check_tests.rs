//! Tests of the rule for what counts as valid JSON.

use proptest::prelude::*;

use super::*;
use crate::strategies::json_value;

fn check(text: &str, expected: Result<(), &str>) {
    let found = validate(text).map_err(|error| error.to_string());
    assert_eq!(
        found.as_ref().map_err(String::as_str),
        expected.as_ref().map_err(|text| *text),
        "{text}"
    );
}

#[test]
fn texts_and_what_is_wrong_with_them() {
    check("1e400", Ok(()));
    check(" {\"a\" : [ -0.0 ] } ", Ok(()));
    check(r#""\ud83d\ude00""#, Ok(()));
    check(r#""\\ud800""#, Ok(()));
    check(
        "",
        Err("not valid JSON at byte 0: EOF while parsing a value"),
    );
    check(
        r#"{"a":1"#,
        Err("not valid JSON at byte 5: EOF while parsing an object"),
    );
    check("{}{}", Err("not valid JSON at byte 2: trailing characters"));
    check("[\n1,]", Err("not valid JSON at byte 4: expected value"));
    check(r#"["x","\ud800"]"#, Err("lone surrogate escape at byte 6"));
    check(r#""\udc00\ud800""#, Err("lone surrogate escape at byte 1"));
    check(r#""\ud800\n""#, Err("lone surrogate escape at byte 1"));
    check(
        "\"a\u{1}\"",
        Err(
            "not valid JSON at byte 1: control character (\\u0000-\\u001F) found while parsing a string",
        ),
    );
}

#[test]
fn a_text_that_ends_too_early_says_so() {
    for text in ["{\"a\":\"b", "[1,", "{\"timestamp\":"] {
        assert!(
            matches!(
                validate(text),
                Err(DecodeError::Syntax { is_eof: true, .. })
            ),
            "{text}"
        );
    }
    assert!(matches!(
        validate("[1 2]"),
        Err(DecodeError::Syntax { is_eof: false, .. })
    ));
}

#[test]
fn the_depth_limit_is_that_of_the_typed_parser() {
    for depth in [MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1, 400, 100_000] {
        let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let typed = serde_json::from_str::<serde_json::Value>(&text);
        assert_eq!(validate(&text).is_ok(), typed.is_ok(), "depth {depth}");
    }
}

#[test]
fn brackets_inside_strings_are_no_depth() {
    let text = format!("[\"{}\"]", "[{\\\"".repeat(1_000));
    assert_eq!(validate(&text), Ok(()));
}

/// Whether a parser that looks at everything takes the text, numbers aside.
fn is_taken_by_serde_json(text: &str) -> Option<bool> {
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(_) => Some(true),
        // A number that does not fit is no fault of the text.
        Err(error) if error.to_string().contains("number out of range") => None,
        Err(_) => Some(false),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn generated_values_are_valid(text in json_value()) {
        prop_assert_eq!(validate(&text), Ok(()));
    }

    #[test]
    fn agrees_with_a_parser_that_looks_at_everything(
        text in json_value(),
        at in any::<prop::sample::Index>(),
        put in prop::sample::select(vec!["", "\"", "\\", "{", "]", "\\ud800", "\\udc00", "\u{1}", "\\u12", ","]),
    ) {
        let mut changed = text.clone();
        let boundary = text.char_indices().map(|(at, _)| at).collect::<Vec<_>>();
        let at = if boundary.is_empty() { 0 } else { *at.get(&boundary) };
        changed.insert_str(at, put);
        if let Some(taken) = is_taken_by_serde_json(&changed) {
            prop_assert_eq!(validate(&changed).is_ok(), taken, "{}", changed);
        }
    }
}
