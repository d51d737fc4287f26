//! Where turns begin and end when records are missing, late or of another turn.

use annals_history::PromptOptions;
use annals_protocol::Envelope;
use annals_replay::{CheckpointRule, KeptItems, Record, Replay};
use serde_json::{Value, json};

use crate::session::{Session, assistant, call, output, user};

#[test]
fn a_turn_whose_message_is_only_told_in_an_event_is_a_turn() {
    let mut session = Session::new().turn("t1", "m1", "one");
    for turn in ["t2", "t3"] {
        session = session
            .started(turn)
            .said("spoken")
            .assistant(&format!("re {turn}"))
            .completed(turn);
    }
    let prompt = |turns| session.clone().rollback(turns).replay().prompt;
    assert_eq!(prompt(1), ["U\"one\"", "A\"re one\"", "A\"re t2\""]);
    assert_eq!(prompt(2), ["U\"one\"", "A\"re one\""]);
    // After a rollback, too.
    let again = session.rollback(2).said("spoken").assistant("re t4");
    assert_eq!(
        again.rollback(1).replay().prompt,
        ["U\"one\"", "A\"re one\""]
    );
}

#[test]
fn a_late_completion_of_a_turn_of_nobody_says_nothing() {
    let got = Session::new()
        .turn("t1", "m1", "one")
        .started("t2")
        .context("t2", "m2")
        .started("t3")
        .completed("t2")
        .replay();
    assert_eq!(got.model.as_deref(), Some("m1"));
}

#[test]
fn the_context_of_another_turn_says_nothing_of_the_settings() {
    let got = Session::new()
        .started("t1")
        .user("one")
        .context("t9", "other")
        .completed("t1")
        .replay();
    assert_eq!(got.model, None);
    assert_eq!(got.reference_model.as_deref(), Some("other"));
}

#[test]
fn a_rollback_voids_the_measure_of_the_file() {
    let got = Session::new()
        .turn("t1", "m1", "one")
        .turn("t2", "m1", "two")
        .event(json!({"type": "token_count", "info": {"last_token_usage": {"total_tokens": 500}}}))
        .rollback(1)
        .replay();
    let count = got.history.token_count();
    assert!(count.is_estimated && count.tokens < 10, "{count:?}");
}

#[test]
fn an_old_summary_before_any_turn_goes_with_the_next_old_compaction() {
    let lead_in = "Another language model started to solve this problem and produced a summary of its thinking process.\n";
    let got = Session::of("0.100.0", json!({}))
        .legacy_compacted(&format!("{lead_in}first"))
        .legacy_compacted(&format!("{lead_in}second"))
        .replay();
    assert_eq!(got.prompt, [format!("U\"{lead_in}second\"")]);
}

/// A session whose newest output is cut by a policy that stands before the compaction.
fn cut_by_an_older_turn() -> Session {
    let policy = json!({"mode": "bytes", "limit": 500});
    Session::paginated()
        .user("one")
        .line(
            "turn_context",
            json!({"cwd": "/p", "model": "m", "truncation_policy": policy}),
        )
        .assistant("re one")
        .user("two")
        .assistant("re two")
        .compacted("s", json!([user("two"), user("s")]))
        .item(call("c"))
        .item(output("c", &"x".repeat(2000)))
}

#[test]
fn a_reading_from_the_end_goes_back_to_the_turn_whose_policy_cuts_an_output() {
    let session = cut_by_an_older_turn();
    let full = session.replay();
    assert!(
        full.prompt[3].contains("…1400 chars truncated…"),
        "{:?}",
        full.prompt
    );
    let (bounded, n_records) = session.replay_from_end(CheckpointRule::for_items());
    assert_eq!((n_records, &bounded.bytes), (7, &full.bytes));
    // What stands before the compaction is not all there, so no rollback brings it back.
    let mut history = bounded.history;
    let _done = history.drop_last_n_user_turns(9);
    assert_eq!(history.for_prompt(PromptOptions::default()).to_vec(), b"[]");
    // A rollback of no turns asks for nothing older.
    let (_, n_records) = session
        .rollback(0)
        .replay_from_end(CheckpointRule::for_items());
    assert_eq!(n_records, 8);
}

/// Replays records of two files, the parent's first.
fn replayed(
    parent: &[Value],
    child: &[Value],
) -> annals_replay::Replayed<annals_history::ItemEnvelope> {
    let mut replay = Replay::new(KeptItems);
    for (segment, lines) in [parent, child].into_iter().enumerate() {
        for (idx, line) in lines.iter().enumerate() {
            let text = format!(
                "{{\"timestamp\":\"2026-01-03T12:00:00.000Z\",\"type\":{},\"payload\":{}}}",
                line[0], line[1]
            );
            replay.feed(&Record {
                segment: u32::try_from(segment).unwrap(),
                line: idx as u64 + 1,
                byte_offset: 0,
                text: &text,
                envelope: Envelope::parse(&text).unwrap(),
            });
        }
    }
    replay.finish()
}

#[test]
fn a_fork_by_reference_has_a_session_of_its_own_and_the_window_of_its_parent() {
    let meta = |id: &str, window: &str| {
        let window = format!("01900000-0000-7000-8000-0000000000{window}");
        json!(["session_meta", {"id": id, "cli_version": "0.171.0", "history_mode": "paginated",
            "context_window": {"window_id": window}}])
    };
    let compacted = json!(["compacted", {"message": "s", "replacement_history": [assistant("s")],
        "window_number": 2, "window_id": "01900000-0000-7000-8000-0000000000c2"}]);
    let copied = meta("grandparent", "a9");
    let forked = replayed(
        &[meta("parent", "a0"), copied.clone(), compacted],
        &[meta("child", "b0"), copied.clone()],
    );
    let session = forked.session.clone().unwrap();
    assert_eq!(session.member("id"), Some("\"child\""));
    let window = &forked.ledger.state().window;
    assert_eq!(window.number, 2);
    assert_eq!(
        window.id.as_deref(),
        Some("01900000-0000-7000-8000-0000000000c2")
    );
    // Without a compaction the child's own window is the thread's.
    let plain = replayed(&[meta("parent", "a0")], &[meta("child", "b0"), copied]);
    let window = &plain.ledger.state().window;
    assert_eq!(
        window.id.as_deref(),
        Some("01900000-0000-7000-8000-0000000000b0")
    );
}

#[test]
fn places_of_inputs_that_a_file_leaves_out_are_taken_too() {
    let beside = |order: u64| json!({"client_authored": false, "user_input_order": order});
    let got = Session::new()
        .noted(user("queued"), beside(0))
        .noted(user("queued"), beside(7))
        .noted(user("queued"), beside(1));
    for session in [got.clone(), got.rollback(3)] {
        assert_eq!(session.replay().replayed.next_input_order, 8);
    }
}
