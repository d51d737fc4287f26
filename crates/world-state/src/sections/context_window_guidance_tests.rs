//! What is told of guidance on the context window.

use super::ContextWindowGuidanceSection;
use crate::TextPart;
use crate::testing::{change, first, removal, stored, unknown};

fn guidance(text: &str) -> ContextWindowGuidanceSection {
    ContextWindowGuidanceSection::new(text).unwrap()
}

#[test]
fn guidance_is_told_replaced_and_taken_back() {
    insta::assert_snapshot!("first", first(guidance("Keep notes.")));
    insta::assert_snapshot!(
        "replaced",
        change(guidance("Keep notes."), guidance("Be short."))
    );
    insta::assert_snapshot!("taken_back", change(guidance("Keep notes."), guidance("")));
    insta::assert_snapshot!("appearing", change(guidance("  "), guidance("Keep notes.")));
}

#[test]
fn no_guidance_is_stored_as_an_empty_text() {
    assert_eq!(
        first(guidance("")),
        "nothing told\nfull {\"context_window_guidance\":\"\"}"
    );
}

#[test]
fn what_is_not_known_is_replaced_or_taken_back() {
    let told = TextPart::new(
        "developer",
        "<context_window_guidance>\nolder\n</context_window_guidance>",
    );
    insta::assert_snapshot!(
        "unknown_with_guidance",
        unknown(guidance("Keep notes."), told)
    );
    insta::assert_snapshot!("unknown_without_guidance", unknown(guidance(""), told));
    let undecodable = r#"{"context_window_guidance":["list"]}"#;
    insta::assert_snapshot!("undecodable", stored(undecodable, guidance("Keep notes.")));
}

#[test]
fn a_section_that_is_gone_takes_its_guidance_back() {
    insta::assert_snapshot!("removed", removal(guidance("Keep notes.")));
}
