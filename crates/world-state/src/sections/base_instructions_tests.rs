//! What is told of base instructions.

use super::BaseInstructionsSection;
use crate::testing::{change, first, removal, stored};

fn base(text: &str) -> BaseInstructionsSection {
    BaseInstructionsSection::new(text).unwrap()
}

#[test]
fn base_instructions_are_told_once() {
    insta::assert_snapshot!("first", first(base("You are careful.")));
    let told = first(base(" "));
    assert!(told.starts_with("nothing told\nfull"), "{told}");
}

#[test]
fn another_text_is_stored_and_never_told() {
    let told = change(base("You are careful."), base("You are quick."));
    assert!(
        told.starts_with("nothing told\npatch {\"base_instructions\":\""),
        "{told}"
    );
}

#[test]
fn what_is_not_known_is_left_as_it_is() {
    insta::assert_snapshot!(
        "undecodable",
        stored(r#"{"base_instructions":1}"#, base("You."))
    );
}

#[test]
fn a_section_that_is_gone_says_nothing() {
    assert_eq!(
        removal(base("You.")),
        "nothing told\npatch {\"base_instructions\":null}"
    );
}

#[test]
fn a_text_that_is_too_long_is_refused() {
    assert!(BaseInstructionsSection::new(&"x".repeat(40_001)).is_err());
}
