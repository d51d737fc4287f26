//! What is told of AGENTS.md.

use super::AgentsMdSection;
use crate::testing::{change, first, removal, stored, unknown, world};
use crate::{HistoryView, TextPart};

fn rules(text: &str) -> AgentsMdSection {
    AgentsMdSection::new(Some("/repo"), text)
}

#[test]
fn a_text_is_told_whole_replaced_whole_and_taken_back() {
    insta::assert_snapshot!("first", first(rules("Use tabs.")));
    insta::assert_snapshot!(
        "without_directory",
        first(AgentsMdSection::new(None, "Use tabs."))
    );
    insta::assert_snapshot!("replaced", change(rules("Use tabs."), rules("Use blanks.")));
    insta::assert_snapshot!("taken_back", change(rules("Use tabs."), rules(" \r\n ")));
}

#[test]
fn a_text_that_appears_later_comes_without_a_notice() {
    insta::assert_snapshot!(
        "appearing",
        change(AgentsMdSection::none(), rules("Use tabs."))
    );
}

#[test]
fn a_text_that_comes_back_comes_without_a_notice() {
    let told = world(rules("Use tabs.")).render_full();
    let gone = world(rules("")).render_diff(Some(told.snapshot()), HistoryView::Intact);
    let back = world(rules("Use tabs.")).render_diff(Some(gone.snapshot()), HistoryView::Intact);
    let text = back.updates()[0].fragment().unwrap().text();
    assert_eq!(text, told.updates()[0].fragment().unwrap().text());
}

#[test]
fn blanks_around_the_text_and_another_directory_are_stored_in_silence() {
    assert_eq!(
        change(rules("Use tabs.\n\n"), rules("Use tabs.")),
        "nothing told\npatch {\"agents_md\":{\"text\":\"Use tabs.\"}}"
    );
    assert_eq!(
        change(
            rules("Use tabs."),
            AgentsMdSection::new(Some("/repo/sub"), "Use tabs.")
        ),
        "nothing told\npatch {\"agents_md\":{\"directory\":\"/repo/sub\"}}"
    );
}

#[test]
fn line_ends_inside_the_text_are_kept() {
    let told = world(rules("one\r\ntwo")).render_full();
    assert!(
        told.updates()[0]
            .fragment()
            .unwrap()
            .text()
            .contains("one\r\ntwo\n</INST")
    );
    assert_eq!(
        told.snapshot().to_json(),
        r#"{"agents_md":{"directory":"/repo","text":"one\r\ntwo"}}"#
    );
}

#[test]
fn no_text_is_known_to_be_none() {
    assert_eq!(
        first(AgentsMdSection::none()),
        "nothing told\nfull {\"agents_md\":{}}"
    );
}

#[test]
fn a_text_that_stands_in_the_history_is_not_told_again() {
    let told = |text| TextPart::new("user", text);
    for same in [
        "# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>",
        "# AGENTS.md instructions for /elsewhere\n\n<INSTRUCTIONS>\nUse tabs.\n\n</INSTRUCTIONS>",
        "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nThese AGENTS.md instructions replace all previously provided AGENTS.md instructions.\n\nUse tabs.\n</INSTRUCTIONS>",
    ] {
        assert_eq!(
            unknown(rules("Use tabs."), told(same)),
            "nothing told\nfull {\"agents_md\":{\"directory\":\"/repo\",\"text\":\"Use tabs.\"}}",
            "{same}"
        );
    }
    let older =
        "# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nUse blanks.\n</INSTRUCTIONS>";
    insta::assert_snapshot!("unknown", unknown(rules("Use tabs."), told(older)));
    insta::assert_snapshot!("unknown_none", unknown(rules(""), told(older)));
    let removed = "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nThe previously provided AGENTS.md instructions no longer apply.\n</INSTRUCTIONS>";
    assert_eq!(
        unknown(rules(""), told(removed)),
        "nothing told\nfull {\"agents_md\":{}}"
    );
}

#[test]
fn words_of_the_user_are_no_instructions_of_a_file() {
    let text = "# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>";
    let spoof = TextPart::new("user", text).with_kind(Some("user.text"));
    insta::assert_snapshot!("spoofed", unknown(rules("Use tabs."), spoof));
}

#[test]
fn a_text_that_left_the_history_is_told_again() {
    let known = world(rules("Use tabs.")).render_full();
    let again = world(rules("Use tabs.")).render_diff(
        Some(known.snapshot()),
        HistoryView::Texts(&[("user", "hello")]),
    );
    assert_eq!(again.updates(), known.updates());
    assert_eq!(again.record().unwrap(), None);
}

#[test]
fn a_state_that_does_not_decode_is_replaced() {
    insta::assert_snapshot!(
        "undecodable",
        stored(r#"{"agents_md":"text"}"#, rules("Use tabs."))
    );
}

#[test]
fn a_section_that_is_gone_takes_its_text_back() {
    insta::assert_snapshot!("removed", removal(rules("Use tabs.")));
    assert_eq!(
        removal(rules("")),
        "nothing told\npatch {\"agents_md\":null}"
    );
}

#[test]
fn a_long_text_is_cut_with_a_mark_and_stored_whole() {
    let long = "é".repeat(60_000);
    let told = world(rules(&long)).render_full();
    let fragment = told.updates()[0].fragment().unwrap();
    assert!(fragment.cut().is_some());
    assert!(fragment.text().len() <= 40_000);
    assert!(
        told.snapshot()
            .get("agents_md")
            .unwrap()
            .as_str()
            .contains(&long)
    );
}
