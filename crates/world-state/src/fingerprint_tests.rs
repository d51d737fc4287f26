//! Fingerprints of fragments and values.

use super::Fingerprint;
use serde_json::json;

#[test]
fn a_fragment_has_the_fingerprint_that_codex_writes() {
    // Seen in the files of Codex 0.171 for a mode without instructions.
    assert_eq!(
        Fingerprint::of_fragment("developer", "<collaboration_mode></collaboration_mode>")
            .to_string(),
        "dfd53114f5f6f9f5fd7816370d0bf2847806246d"
    );
}

#[test]
fn line_ends_do_not_count_and_everything_else_does() {
    let unix = Fingerprint::of_fragment("user", "a\nb\n\nc\n");
    assert_eq!(
        unix,
        Fingerprint::of_fragment("user", "a\r\nb\r\n\r\nc\r\n")
    );
    assert_eq!(unix, Fingerprint::of_fragment("user", "a\nb\r\n\nc\r\n"));
    for other in ["a\nb\n\nc", "a\rb\r\rc\r", "a\nb\n\nC\n", "a\nb\r\r\n\nc\n"] {
        assert_ne!(unix, Fingerprint::of_fragment("user", other), "{other:?}");
    }
    assert_ne!(unix, Fingerprint::of_fragment("developer", "a\nb\n\nc\n"));
    assert_ne!(
        Fingerprint::of_fragment("a", "bc"),
        Fingerprint::of_fragment("ab", "c")
    );
}

#[test]
fn the_order_of_keys_does_not_count_and_that_of_lists_does() {
    let text = |text: &str| Fingerprint::of_json(&serde_json::from_str(text).unwrap());
    assert_eq!(
        text(r#"{"b":{"y":1,"x":[1,2]},"a":null}"#),
        text(r#"{"a":null,"b":{"x":[1,2],"y":1}}"#)
    );
    assert_ne!(text("[1,2]"), text("[2,1]"));
    assert_ne!(text(r#"{"a":null}"#), text("{}"));
}

#[test]
fn the_text_form_reads_back() {
    let fingerprint = Fingerprint::of_json(&json!({"a": 1}));
    assert_eq!(
        Fingerprint::parse(&fingerprint.to_string()),
        Some(fingerprint)
    );
    assert_eq!(
        serde_json::from_value::<Fingerprint>(json!(fingerprint)).unwrap(),
        fingerprint
    );
    for bad in [
        "",
        "dfd53114",
        "DFD53114F5F6F9F5FD7816370D0BF2847806246D",
        "é",
    ] {
        assert_eq!(Fingerprint::parse(bad), None, "{bad}");
    }
    assert!(serde_json::from_value::<Fingerprint>(json!("no")).is_err());
}
