//! What is told of collaboration modes.

use super::CollaborationModeSection;
use crate::testing::{change, first, removal, stored, unknown, world};
use crate::{HistoryView, TextPart};

fn mode(name: &str, instructions: &str) -> CollaborationModeSection {
    CollaborationModeSection::new(name, "model-a", instructions).unwrap()
}

#[test]
fn a_mode_is_told_by_its_instructions() {
    insta::assert_snapshot!("first", first(mode("plan", "Plan first.")));
    insta::assert_snapshot!(
        "changed",
        change(mode("default", "Do it."), mode("plan", "Plan."))
    );
    insta::assert_snapshot!(
        "appearing",
        change(mode("default", ""), mode("plan", "Plan."))
    );
}

#[test]
fn a_mode_without_instructions_is_stored_as_codex_stores_it() {
    assert_eq!(
        first(mode("default", " ")),
        "nothing told\nfull {\"collaboration_mode\":{\"instructions\":\"dfd53114f5f6f9f5fd7816370d0bf2847806246d\",\"mode\":\"default\",\"model\":\"model-a\"}}"
    );
}

#[test]
fn instructions_that_are_gone_are_taken_back_once() {
    insta::assert_snapshot!(
        "taken_back",
        change(mode("plan", "Plan."), mode("default", ""))
    );
    let again = change(mode("default", ""), mode("pair", ""));
    assert_eq!(
        again,
        "nothing told\npatch {\"collaboration_mode\":{\"mode\":\"pair\"}}"
    );
}

// The reference tells the same instructions again where mode or model differ.
#[test]
fn another_name_or_model_with_the_same_instructions_is_stored_in_silence() {
    assert_eq!(
        change(mode("plan", "Plan."), mode("design", "Plan.")),
        "nothing told\npatch {\"collaboration_mode\":{\"mode\":\"design\"}}"
    );
    assert_eq!(
        change(
            mode("plan", "Plan."),
            CollaborationModeSection::new("plan", "model-b", "Plan.").unwrap()
        ),
        "nothing told\npatch {\"collaboration_mode\":{\"model\":\"model-b\"}}"
    );
}

#[test]
fn a_bare_name_of_a_mode_is_never_what_is_known() {
    insta::assert_snapshot!(
        "legacy",
        stored(r#"{"collaboration_mode":"plan"}"#, mode("plan", ""))
    );
}

#[test]
fn what_is_not_known_is_told_even_if_it_is_empty() {
    let told = TextPart::new(
        "developer",
        "<collaboration_mode>Plan.</collaboration_mode>",
    );
    insta::assert_snapshot!("unknown_empty", unknown(mode("default", ""), told));
    insta::assert_snapshot!("unknown_other", unknown(mode("default", "Do it."), told));
    assert!(unknown(mode("plan", "Plan."), told).starts_with("nothing told\nfull"));
    insta::assert_snapshot!(
        "undecodable",
        stored(
            r#"{"collaboration_mode":{"mode":7}}"#,
            mode("plan", "Plan.")
        )
    );
}

#[test]
fn a_state_without_a_digest_stands_for_no_instructions() {
    let codex = r#"{"collaboration_mode":{"mode":"default","model":"model-a"}}"#;
    let told = stored(codex, mode("default", ""));
    assert!(told.starts_with("nothing told\npatch"), "{told}");
    let told = stored(codex, mode("default", "Do it."));
    assert!(told.contains("Do it."), "{told}");
}

#[test]
fn instructions_that_left_the_history_are_told_again() {
    let known = world(mode("plan", "Plan.")).render_full();
    let gone = HistoryView::Texts(&[("user", "hello")]);
    let again = world(mode("plan", "Plan.")).render_diff(Some(known.snapshot()), gone);
    assert_eq!(again.updates(), known.updates());
    let none = world(mode("default", "")).render_diff(Some(known.snapshot()), gone);
    assert!(none.is_silent());
}

#[test]
fn a_section_that_is_gone_takes_its_instructions_back() {
    insta::assert_snapshot!("removed", removal(mode("plan", "Plan.")));
    assert_eq!(
        removal(mode("default", "")),
        "nothing told\npatch {\"collaboration_mode\":null}"
    );
}

#[test]
fn instructions_that_are_too_long_are_refused() {
    assert!(CollaborationModeSection::new("a", "b", &"x".repeat(40_001)).is_err());
}
