//! What is told of sub-agents.

use super::{MultiAgentModeSection, MultiAgentUsageHintSection};
use crate::testing::{change, first, removal, shapes, stored, unknown, view, world};
use crate::{HistoryView, TextPart, WorldState};
use annals_context_fragments::catalog::MultiAgentMode;

fn custom(text: &str) -> MultiAgentModeSection {
    MultiAgentModeSection::new(MultiAgentMode::Custom(text.to_owned()))
}

fn proactive() -> MultiAgentModeSection {
    MultiAgentModeSection::new(MultiAgentMode::Proactive)
}

fn on_request() -> MultiAgentModeSection {
    MultiAgentModeSection::new(MultiAgentMode::ExplicitRequestOnly)
}

#[test]
fn a_hint_and_a_role_are_told_when_they_differ() {
    insta::assert_snapshot!(
        "hint",
        first(MultiAgentUsageHintSection::hint("Two at most."))
    );
    insta::assert_snapshot!("role", first(MultiAgentUsageHintSection::role("You lead.")));
    insta::assert_snapshot!(
        "hint_changed",
        change(
            MultiAgentUsageHintSection::hint("Two at most."),
            MultiAgentUsageHintSection::hint("Three at most.")
        )
    );
}

#[test]
fn a_hint_is_recognized_by_its_very_text() {
    let hint = MultiAgentUsageHintSection::hint("Two at most.");
    let same = TextPart::new("developer", "Two at most.");
    assert!(unknown(hint.clone(), same).starts_with("nothing told\nfull"));
    let other = TextPart::new("developer", "Three at most.");
    assert!(unknown(hint.clone(), other).contains("Two at most."));
    let users = TextPart::new("user", "Two at most.");
    assert!(unknown(hint.clone(), users).starts_with("developer"));
    insta::assert_snapshot!(
        "hint_undecodable",
        stored(r#"{"multi_agent_usage_hint":{}}"#, hint)
    );
}

#[test]
fn a_hint_that_is_gone_says_nothing() {
    let told = removal(MultiAgentUsageHintSection::hint("Two at most."));
    assert_eq!(
        told,
        "nothing told\npatch {\"multi_agent_usage_hint\":null}"
    );
}

#[test]
fn a_mode_is_told_when_it_differs() {
    insta::assert_snapshot!("proactive", first(proactive()));
    insta::assert_snapshot!("custom", change(proactive(), custom("Ask me first.")));
    insta::assert_snapshot!(
        "other_custom",
        change(custom("Ask me first."), custom("Ask twice."))
    );
    assert_eq!(
        first(custom(" ")),
        "nothing told\nfull {\"multi_agent_mode\":{}}"
    );
}

#[test]
fn a_mode_that_is_taken_away_is_told_as_only_on_request() {
    insta::assert_snapshot!(
        "taken_away",
        change(proactive(), MultiAgentModeSection::none())
    );
    let told = change(custom("Ask me first."), MultiAgentModeSection::none());
    assert!(told.contains("<multi_agent_mode>"), "{told}");
    let told = change(on_request(), MultiAgentModeSection::none());
    assert_eq!(
        told,
        "nothing told\npatch {\"multi_agent_mode\":{\"mode\":null}}"
    );
}

#[test]
fn what_is_not_known_is_overruled() {
    let told = TextPart::new("developer", "<multi_agent_mode>go on</multi_agent_mode>");
    insta::assert_snapshot!("unknown_none", unknown(MultiAgentModeSection::none(), told));
    let told = unknown(proactive(), told);
    assert!(told.contains("\"mode\":\"proactive\""), "{told}");
    assert!(told.starts_with("developer"), "{told}");
    assert_eq!(
        first(MultiAgentModeSection::none()),
        "nothing told\nfull {\"multi_agent_mode\":{}}"
    );
    insta::assert_snapshot!(
        "mode_undecodable",
        stored(r#"{"multi_agent_mode":1}"#, on_request())
    );
}

#[test]
fn a_mode_follows_another_hint() {
    let build = |text: &str| {
        let hint = MultiAgentUsageHintSection::hint(text);
        let mut world = WorldState::new();
        world.insert(hint.clone()).unwrap();
        world.insert(on_request().following(&hint)).unwrap();
        world
    };
    let told = build("Two at most.").render_full();
    let told = build("Three at most.").render_diff(Some(told.snapshot()), HistoryView::Intact);
    let shapes = shapes(&told);
    assert_eq!(shapes.len(), 2, "{shapes:?}");
    assert_eq!(shapes[0], "developer[Three at most.]");
    assert!(
        shapes[1].starts_with("developer[<multi_agent_mode>"),
        "{shapes:?}"
    );
    insta::assert_snapshot!("both_changed", view(&told));
}

#[test]
fn a_mode_that_left_the_history_is_told_again() {
    let known = world(proactive()).render_full();
    let again = world(proactive()).render_diff(
        Some(known.snapshot()),
        HistoryView::Texts(&[("user", "hello")]),
    );
    assert_eq!(again.updates(), known.updates());
}

#[test]
fn a_mode_section_that_is_gone_is_told_as_only_on_request() {
    insta::assert_snapshot!("mode_removed", removal(proactive()));
    assert_eq!(
        removal(MultiAgentModeSection::none()),
        "nothing told\npatch {\"multi_agent_mode\":null}"
    );
}

#[test]
fn a_custom_mode_that_is_too_long_is_cut() {
    let told = world(custom(&"x".repeat(5_000))).render_full();
    let fragment = told.updates()[0].fragment().unwrap();
    assert!(fragment.tokens() <= 450);
    assert!(fragment.cut().is_some());
}
