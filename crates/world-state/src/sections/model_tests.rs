//! What is told of a change of the model.

use super::ModelSection;
use crate::testing::{change, first, removal, stored, unknown, view, world};
use crate::{HistoryView, TextPart};

fn model(name: &str) -> ModelSection {
    ModelSection::new(name)
        .with_instructions(format!("Work as {name} does."))
        .unwrap()
}

#[test]
fn nothing_is_told_on_the_first_turn() {
    assert_eq!(first(model("a")), "nothing told\nfull {\"model\":\"a\"}");
}

#[test]
fn another_model_is_told_with_its_instructions() {
    insta::assert_snapshot!(change(model("a"), model("b").after("a")));
}

#[test]
fn another_model_without_instructions_is_stored_in_silence() {
    assert_eq!(
        change(
            model("a"),
            ModelSection::new("b")
                .with_instructions(" \n")
                .unwrap()
                .after("a")
        ),
        "nothing told\npatch {\"model\":\"b\"}"
    );
}

#[test]
fn a_full_telling_starts_with_the_switch_if_the_turn_before_had_another_model() {
    insta::assert_snapshot!(first(model("b").after("a")));
    assert_eq!(
        first(model("b").after("b")),
        "nothing told\nfull {\"model\":\"b\"}"
    );
}

#[test]
fn the_same_model_in_the_form_of_codex_is_no_switch() {
    let codex =
        r#"{"model":{"model":"a","instructions":"440b3749b9afb75ffe5450aa278279d15894564e"}}"#;
    assert_eq!(
        stored(codex, model("a")),
        "nothing told\npatch {\"model\":\"a\"}"
    );
    insta::assert_snapshot!(stored(codex, model("b")));
}

#[test]
fn without_a_usable_state_the_model_of_the_turn_before_decides() {
    insta::assert_snapshot!(stored(r#"{"model":7}"#, model("b").after("a")));
    let told = TextPart::new("developer", "<model_switch>\nolder text\n</model_switch>");
    assert_eq!(
        unknown(model("b").after("b"), told),
        "nothing told\nfull {\"model\":\"b\"}"
    );
    insta::assert_snapshot!(unknown(model("b").after("a"), told));
}

#[test]
fn a_switch_that_is_in_the_history_already_is_not_told_again() {
    let told = world(model("b").after("a")).render_full();
    let text = told.updates()[0].fragment().unwrap().text();
    assert_eq!(
        unknown(model("b").after("a"), TextPart::new("developer", text)),
        "nothing told\nfull {\"model\":\"b\"}"
    );
}

#[test]
fn a_second_step_of_the_turn_tells_nothing() {
    let first_step = world(model("b").after("a")).render_full();
    let second_step =
        world(model("b").after("a")).render_diff(Some(first_step.snapshot()), HistoryView::Intact);
    assert_eq!(view(&second_step), "nothing told\nnothing stored");
}

#[test]
fn a_model_section_that_is_gone_says_nothing() {
    assert_eq!(removal(model("a")), "nothing told\npatch {\"model\":null}");
}

#[test]
fn instructions_that_are_too_long_are_refused() {
    let error = ModelSection::new("b")
        .with_instructions("x".repeat(50_000))
        .unwrap_err();
    assert!(
        error.to_string().contains("over its cap of 10000"),
        "{error}"
    );
}
