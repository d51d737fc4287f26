//! The quick look says yes to nothing that the parser refuses, and to all that files hold.

use proptest::prelude::*;

use super::is_surely_valid;
use crate::strategies::{item_text, json_string, json_value};

#[test]
fn what_files_hold_is_never_in_doubt() {
    for text in [
        "0",
        "-0.5e+10",
        "true",
        " [ null , false ] ",
        r#"{"a":{"b":[1,2,{"c":"d"}]},"e":""}"#,
        r#""eight bytes and more, then \n \" \\ \/ \u00e9 and é and 漢""#,
        "{}",
        "[]",
    ] {
        assert!(is_surely_valid(text, 0), "{text}");
    }
}

#[test]
fn what_is_not_json_is_in_doubt() {
    for text in [
        "",
        " ",
        "01",
        "1.",
        "-",
        "1e",
        ".5",
        "nul",
        "truth",
        "{",
        "[1,]",
        "{,}",
        r#"{"a"}"#,
        r#"{"a":1,}"#,
        r#"{"a":1"b":2}"#,
        r"{1:2}",
        "\"tab\there, control\"",
        "\"\u{1}\"",
        r#""\x""#,
        r#""\u12g4""#,
        r#""\ud83d""#,
        r#""open"#,
        "1 2",
        "[1]]",
    ] {
        assert!(!is_surely_valid(text, 0), "{text}");
    }
}

#[test]
fn the_depth_of_what_stands_around_counts() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(is_surely_valid(&nested(127), 0));
    assert!(!is_surely_valid(&nested(128), 0));
    assert!(is_surely_valid(&nested(126), 1));
    assert!(!is_surely_valid(&nested(127), 1));
}

/// The same text with one byte of it exchanged, left out or put in twice.
fn damaged(text: &str, at: usize, byte: u8, how: u8) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let at = at % bytes.len().max(1);
    match how {
        0 => *bytes.get_mut(at)? = byte,
        1 => drop(bytes.remove(at)),
        _ => bytes.insert(at, byte),
    }
    String::from_utf8(bytes).ok()
}

proptest! {
    #[test]
    fn what_is_sure_is_what_the_parser_takes(
        text in prop_oneof![json_value(), item_text(), json_string()],
        at in any::<usize>(),
        byte in prop_oneof![any::<u8>(), proptest::sample::select(b"\"\\{}[],:u019eE-+. \n\x1f".to_vec())],
        how in 0_u8..3,
    ) {
        let is_sound = |text: &str| !is_surely_valid(text, 0) || validate_slowly(text);
        prop_assert!(is_sound(&text), "{text}");
        if let Some(damaged) = damaged(&text, at, byte, how) {
            prop_assert!(is_sound(&damaged), "{damaged}");
        }
    }

    #[test]
    fn whole_json_without_surrogates_is_sure(text in json_value()) {
        let may_have_surrogates = text.contains(r"\ud") || text.contains(r"\uD");
        prop_assert!(may_have_surrogates || is_surely_valid(&text, 0), "{text}");
    }
}

/// What `validate` would say without the quick look.
fn validate_slowly(text: &str) -> bool {
    crate::check::is_grammatical(text) && crate::check::check_structure(text).is_ok()
}
