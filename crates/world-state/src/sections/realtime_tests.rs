//! What is told of spoken conversations.

use super::RealtimeSection;
use crate::testing::{change, first, removal, stored, unknown, world};
use crate::{HistoryView, TextPart};

#[test]
fn a_start_and_an_end_are_told() {
    insta::assert_snapshot!("first", first(RealtimeSection::active()));
    assert_eq!(
        first(RealtimeSection::inactive()),
        "nothing told\nfull {\"realtime\":{\"active\":false}}"
    );
    insta::assert_snapshot!(
        "started",
        change(
            RealtimeSection::inactive(),
            RealtimeSection::active().with_start("Speak up.")
        )
    );
    insta::assert_snapshot!(
        "ended",
        change(RealtimeSection::active(), RealtimeSection::inactive())
    );
    insta::assert_snapshot!(
        "ended_in_the_words_of_the_host",
        change(
            RealtimeSection::active(),
            RealtimeSection::inactive().with_end("Write again.")
        )
    );
}

// The reference never tells an end where the state is not known. A start that stands in the history
// without an end would mislead the model, so here the end is told.
#[test]
fn a_start_that_nobody_ended_is_ended() {
    let start = TextPart::new(
        "developer",
        "<realtime_conversation>\nspeak\n</realtime_conversation>",
    );
    insta::assert_snapshot!(
        "unknown_inactive",
        unknown(RealtimeSection::inactive(), start)
    );
    insta::assert_snapshot!("unknown_active", unknown(RealtimeSection::active(), start));
    let ended = world(RealtimeSection::inactive()).render_diff(None, HistoryView::Texts(&[start]));
    let end = ended.updates()[0].fragment().unwrap().text();
    assert_eq!(
        unknown(RealtimeSection::inactive(), TextPart::new("developer", end)),
        "nothing told\nfull {\"realtime\":{\"active\":false}}"
    );
}

#[test]
fn a_state_with_more_members_is_understood() {
    assert_eq!(
        stored(
            r#"{"realtime":{"active":true,"suppress_preambles":true}}"#,
            RealtimeSection::active()
        ),
        "nothing told\npatch {\"realtime\":{\"suppress_preambles\":null}}"
    );
    insta::assert_snapshot!(
        "undecodable",
        stored(r#"{"realtime":[]}"#, RealtimeSection::active())
    );
}

#[test]
fn a_start_that_left_the_history_is_told_again_and_its_end_is_not() {
    let known = world(RealtimeSection::active()).render_full();
    let gone = HistoryView::Texts(&[("user", "hello")]);
    assert_eq!(
        world(RealtimeSection::active())
            .render_diff(Some(known.snapshot()), gone)
            .n_updates(),
        1
    );
    assert!(
        world(RealtimeSection::inactive())
            .render_diff(Some(known.snapshot()), gone)
            .is_silent()
    );
}

#[test]
fn a_section_that_is_gone_ends_the_conversation() {
    insta::assert_snapshot!("removed", removal(RealtimeSection::active()));
    assert_eq!(
        removal(RealtimeSection::inactive()),
        "nothing told\npatch {\"realtime\":null}"
    );
}
