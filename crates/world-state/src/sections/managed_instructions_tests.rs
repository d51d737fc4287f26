//! What is told of managed rules.

use super::ManagedInstructionsSection;
use crate::TextPart;
use crate::testing::{change, first, removal, stored, unknown};

fn rules(text: &str) -> ManagedInstructionsSection {
    ManagedInstructionsSection::new(text).unwrap()
}

#[test]
fn rules_are_told_replaced_and_taken_back() {
    insta::assert_snapshot!("first", first(rules("Never push.")));
    insta::assert_snapshot!(
        "replaced",
        change(rules("Never push."), rules("Ask first."))
    );
    insta::assert_snapshot!("taken_back", change(rules("Never push."), rules(" ")));
    insta::assert_snapshot!("appearing", change(rules(""), rules("Never push.")));
}

#[test]
fn no_rules_are_known_to_be_none() {
    assert_eq!(
        first(ManagedInstructionsSection::none()),
        "nothing told\nfull {\"managed_developer_instructions\":{}}"
    );
}

#[test]
fn what_is_not_known_is_replaced_or_taken_back() {
    let told = TextPart::new(
        "developer",
        "<managed_developer_instructions>\nolder\n</managed_developer_instructions>",
    );
    insta::assert_snapshot!("unknown_with_rules", unknown(rules("Never push."), told));
    insta::assert_snapshot!("unknown_without_rules", unknown(rules(""), told));
    let undecodable = r#"{"managed_developer_instructions":{"instructions":"short"}}"#;
    insta::assert_snapshot!("undecodable", stored(undecodable, rules("Never push.")));
}

#[test]
fn a_section_that_is_gone_takes_its_rules_back() {
    insta::assert_snapshot!("removed", removal(rules("Never push.")));
    assert_eq!(
        removal(rules("")),
        "nothing told\npatch {\"managed_developer_instructions\":null}"
    );
}

#[test]
fn rules_that_are_too_long_are_refused() {
    let error = ManagedInstructionsSection::new(&"x".repeat(40_000)).unwrap_err();
    assert!(error.to_string().contains("it is never cut"), "{error}");
}
