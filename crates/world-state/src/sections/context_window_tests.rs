//! What is told of the context window.

use super::ContextWindowSection;
use crate::TextPart;
use crate::testing::{change, first, removal, stored, unknown};
use annals_context_fragments::catalog::ContextWindow;

fn window(agent: &str, id: &str) -> ContextWindowSection {
    ContextWindowSection::new(ContextWindow {
        agent: agent.to_owned(),
        first_window: "w1".to_owned(),
        window: id.to_owned(),
        previous_window: None,
        hint: None,
    })
}

#[test]
fn a_window_is_told_at_its_start() {
    insta::assert_snapshot!("first", first(window("/root", "w1")));
}

#[test]
fn another_id_alone_is_no_change() {
    assert_eq!(
        change(window("/root", "w1"), window("/root", "w2")),
        "nothing told\nnothing stored"
    );
}

#[test]
fn another_agent_is_told() {
    insta::assert_snapshot!(
        "agent",
        change(window("/root", "w1"), window("/root/worker", "w2"))
    );
}

#[test]
fn what_is_not_known_is_told() {
    let told = TextPart::new("developer", "<context_window>\nolder\n</context_window>");
    insta::assert_snapshot!("unknown", unknown(window("/root", "w1"), told));
    insta::assert_snapshot!(
        "undecodable",
        stored(r#"{"context_window":1}"#, window("/root", "w1"))
    );
    let gone = removal(window("/root", "w1"));
    assert_eq!(gone, "nothing told\npatch {\"context_window\":null}");
}
