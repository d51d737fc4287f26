//! Thread instructions: once where they do not stand, never again.

use crate::{HistoryView, TextPart, WorldState, sections::ThreadInstructionsSection};

fn world(text: &str) -> WorldState {
    let mut world = WorldState::new();
    world
        .insert(ThreadInstructionsSection::new(text).unwrap())
        .unwrap();
    world
}

#[test]
fn they_are_told_once_and_again_only_when_their_text_has_left_the_history() {
    let first = world("Be brief.").render_full();
    let text = first.updates()[0].fragment().unwrap().text().to_owned();
    assert_eq!(
        text,
        "<thread_instructions>\nBe brief.\n</thread_instructions>"
    );
    let told = [TextPart::new("developer", &text)];
    let told = told.as_slice();
    let again = |history| {
        world("Be brief.")
            .render_diff(Some(first.snapshot()), history)
            .n_updates()
    };
    assert_eq!(again(HistoryView::Intact), 0);
    assert_eq!(again(HistoryView::Texts(&told)), 0);
    let nothing: [TextPart<'_>; 0] = [];
    assert_eq!(again(HistoryView::Texts(&nothing)), 1);
}

#[test]
fn another_text_is_stored_and_not_told() {
    let first = world("Be brief.").render_full();
    let other = world("Be kind.").render_diff(Some(first.snapshot()), HistoryView::Intact);
    assert!(other.is_silent());
    assert_ne!(other.snapshot(), first.snapshot());
}

#[test]
fn what_is_over_the_cap_is_refused_with_its_size() {
    let refused = ThreadInstructionsSection::new(&"x".repeat(40_001)).unwrap_err();
    assert!(
        refused.to_string().contains("10012 estimated tokens"),
        "{refused}"
    );
}
