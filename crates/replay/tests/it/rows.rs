//! What a resume must rebuild, case by case: each test is named by what is given and expected.

use annals_replay::CheckpointRule;
use annals_world_state::sections::AgentsMdSection;
use annals_world_state::{HistoryView, WorldState};
use serde_json::{Value, json};

use crate::session::{Outcome, Session, assistant, developer, user};

const AGENTS: &str = "# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>";
const PERMISSIONS: &str = "<permissions instructions>\nask\n</permissions instructions>";

fn models(outcome: &Outcome) -> (Option<&str>, Option<&str>) {
    (outcome.model.as_deref(), outcome.reference_model.as_deref())
}

/// A compaction that says everything a newer program says.
fn whole(items: &Value, number: u64, resume: Option<&Value>) -> Value {
    let mut payload = json!({
        "message": "s",
        "replacement_history": items,
        "window_number": number,
        "first_window_id": "01900000-0000-7000-8000-0000000000a0",
        "previous_window_id": "01900000-0000-7000-8000-0000000000a1",
        "window_id": "01900000-0000-7000-8000-0000000000a2",
    });
    if let Some(resume) = resume {
        payload["resume_metadata"] = resume.clone();
    }
    payload
}

fn resume_metadata() -> Value {
    json!({
        "multi_agent_version": null,
        "last_started_turn_id": "t1",
        "turn_attribution": {"turn_id": "t1", "turn_trigger": null, "parent_turn_id": null,
            "initiating_agent_path": null, "root_turn_id": null},
        "previous_turn_settings": {"model": "kept", "comp_hash": null, "realtime_active": null},
    })
}

#[test]
fn row_01_a_message_between_agents_becomes_its_item() {
    let got = Session::new()
        .line(
            "inter_agent_communication",
            json!({"author": "/root/a", "recipient": "/root", "other_recipients": [],
                "content": "done", "trigger_turn": true}),
        )
        .replay();
    let item = r#"[{"type":"agent_message","author":"/root/a","recipient":"/root","content":[{"type":"input_text","text":"done"}]}]"#;
    assert_eq!(String::from_utf8(got.bytes).unwrap(), item);
}

#[test]
fn row_01_an_encrypted_message_gets_a_readable_head() {
    let got = Session::new()
        .line(
            "inter_agent_communication",
            json!({"author": "/root", "recipient": "/root/a", "content": "",
                "encrypted_content": "ENC", "trigger_turn": true}),
        )
        .replay();
    let item = r#"[{"type":"agent_message","author":"/root","recipient":"/root/a","content":[{"type":"input_text","text":"Message Type: NEW_TASK\nTask name: /root/a\nSender: /root\nPayload:\n"},{"type":"encrypted_content","encrypted_content":"ENC"}]}]"#;
    assert_eq!(String::from_utf8(got.bytes).unwrap(), item);
}

#[test]
fn row_02_a_risk_score_is_no_item() {
    let got = Session::new()
        .user("hi")
        .line("security_risk_score", json!({"score": 0.5}))
        .replay();
    assert_eq!(got.prompt, ["U\"hi\""]);
}

#[test]
fn row_03_a_completed_turn_brings_settings_and_reference() {
    let mut world = WorldState::new();
    world.insert(AgentsMdSection::new(Some("/p"), "x")).unwrap();
    let told = world.render_full();
    let state: Value = serde_json::from_str(&told.snapshot().to_json()).unwrap();
    let got = Session::new()
        .started("t1")
        .item(developer(&[PERMISSIONS]))
        .item(user(AGENTS))
        .full(state)
        .context("t1", "m1")
        .user("hi")
        .said("hi")
        .completed("t1")
        .replay();
    assert_eq!(models(&got), (Some("m1"), Some("m1")));
    let baseline = got.history.world_state_baseline();
    assert_eq!(baseline, Some(told.snapshot()));
    let next = world.render_diff(baseline, HistoryView::Intact);
    assert!(next.is_silent() && next.record().unwrap().is_none());
}

#[test]
fn row_04_a_full_state_and_a_context_suffice() {
    let got = Session::new()
        .item(developer(&[PERMISSIONS]))
        .item(user(AGENTS))
        .full(json!({"a": 1}))
        .context("t1", "m1")
        .replay();
    assert_eq!(models(&got), (Some("m1"), Some("m1")));
    assert_eq!(got.baseline.as_deref(), Some(r#"{"a":1}"#));
}

#[test]
fn row_05_a_bare_context_says_nothing() {
    let got = Session::new().context("t1", "m1").replay();
    assert_eq!((models(&got), &got.baseline), ((None, None), &None));
}

#[test]
fn row_06_a_patch_is_no_full_state() {
    let got = Session::new()
        .patch(json!({"a": 1}))
        .context("t1", "m1")
        .replay();
    assert_eq!((models(&got), &got.baseline), ((None, None), &None));
    assert_eq!(got.replayed.ignored.len(), 1);
}

#[test]
fn row_07_a_full_state_before_a_compaction_is_gone() {
    let got = Session::new()
        .full(json!({"a": 1}))
        .compacted("s", json!([]))
        .context("t1", "m1")
        .replay();
    assert_eq!((got.reference_model, got.baseline), (None, None));
}

#[test]
fn row_08_a_context_without_turn_id_fits_any_turn() {
    let got = Session::new()
        .started("t1")
        .user("hi")
        .said("hi")
        .line("turn_context", json!({"cwd": "/p", "model": "m1"}))
        .completed("t1")
        .replay();
    assert_eq!(models(&got), (Some("m1"), Some("m1")));
}

#[test]
fn row_09_a_rollback_restores_everything_of_the_turn_before() {
    let got = Session::new()
        .started("t1")
        .full(json!({"a": 1}))
        .context("t1", "m1")
        .user("one")
        .said("one")
        .assistant("re one")
        .completed("t1")
        .started("t2")
        .patch(json!({"a": 2}))
        .context("t2", "m2")
        .user("two")
        .said("two")
        .completed("t2")
        .rollback(1)
        .replay();
    assert_eq!(got.prompt, ["U\"one\"", "A\"re one\""]);
    assert_eq!(models(&got), (Some("m1"), Some("m1")));
    assert_eq!(got.baseline.as_deref(), Some(r#"{"a":1}"#));
    assert_eq!(got.attribution.as_deref(), Some("t1"));
    assert_eq!(got.replayed.last_started_turn_id.as_deref(), Some("t2"));
}

#[test]
fn row_10_a_turn_that_never_ended_rolls_back_too() {
    let got = Session::new()
        .turn("t1", "m1", "one")
        .started("t2")
        .context("t2", "m2")
        .user("two")
        .said("two")
        .rollback(1)
        .replay();
    assert_eq!(got.prompt, ["U\"one\"", "A\"re one\""]);
    assert_eq!(models(&got), (Some("m1"), Some("m1")));
}

#[test]
fn row_11_a_turn_without_user_goes_with_the_one_before() {
    let got = Session::new()
        .turn("t1", "m1", "one")
        .turn("t2", "m2", "two")
        .started("t3")
        .assistant("on my own")
        .full(json!({"a": 3}))
        .context("t3", "m3")
        .completed("t3")
        .rollback(1)
        .replay();
    assert_eq!(got.prompt, ["U\"one\"", "A\"re one\""]);
    assert_eq!(models(&got), (Some("m1"), Some("m1")));
    assert_eq!(got.attribution.as_deref(), Some("t1"));
    assert_eq!(got.baseline, None);
}

#[test]
fn row_12_an_old_message_between_agents_starts_a_turn() {
    let envelope = r#"{"author":"/root/a","recipient":"/root","other_recipients":[],"content":"go","trigger_turn":true}"#;
    let got = Session::new()
        .turn("t1", "m1", "one")
        .started("t2")
        .context("t2", "m2")
        .assistant(envelope)
        .assistant("went")
        .completed("t2")
        .rollback(1)
        .replay();
    assert_eq!(got.prompt, ["U\"one\"", "A\"re one\""]);
    assert_eq!(models(&got), (Some("m1"), Some("m1")));
}

#[test]
fn row_13_more_rollbacks_than_turns_leave_nothing() {
    let got = Session::new().turn("t1", "m1", "one").rollback(99).replay();
    assert_eq!(got.prompt, Vec::<String>::new());
    assert_eq!(models(&got), (None, None));
    assert_eq!(got.attribution, None);
}

#[test]
fn row_14_a_lifecycle_without_items_goes_along() {
    let got = Session::new()
        .turn("t1", "m1", "one")
        .started("t2")
        .completed("t2")
        .rollback(1)
        .replay();
    assert_eq!(models(&got), (None, None));
    assert_eq!(got.prompt, Vec::<String>::new());
}

#[test]
fn row_15_a_compaction_in_a_dropped_turn_counts_for_nothing() {
    let got = Session::new()
        .turn("t1", "m1", "one")
        .started("t2")
        .context("t2", "m2")
        .user("two")
        .said("two")
        .compacted("s", json!([]))
        .rollback(1)
        .replay();
    assert_eq!(got.prompt, ["U\"one\"", "A\"re one\""]);
    assert_eq!(models(&got), (Some("m1"), Some("m1")));
}

#[test]
fn a_compaction_between_a_turns_beginning_and_its_first_item_lies_in_the_turn() {
    let got = Session::new()
        .turn("t1", "m1", "one")
        .started("t2")
        .compacted("s", json!([user("one"), user("s")]))
        .context("t2", "m2")
        .user("two")
        .said("two")
        .rollback(1)
        .replay();
    assert_eq!(got.prompt, ["U\"one\"", "A\"re one\""]);
    assert_eq!(models(&got), (Some("m1"), Some("m1")));
}

#[test]
fn a_compaction_in_a_turn_of_its_own_stays_when_the_next_is_dropped() {
    let got = Session::new()
        .turn("t1", "m1", "one")
        .started("t2")
        .compacted("s", json!([user("one"), user("s")]))
        .completed("t2")
        .turn("t3", "m3", "three")
        .rollback(1)
        .replay();
    assert_eq!(got.prompt, ["U\"one\"", "U\"s\""]);
    assert_eq!(models(&got), (Some("m1"), None));
}

#[test]
fn a_context_that_does_not_count_brings_back_none_from_before_the_compaction() {
    for session in [Session::new(), Session::paginated()] {
        let got = session
            .turn("t1", "m1", "one")
            .started("t2")
            .line("compacted", whole(&json!([user("s")]), 1, None))
            .context("t2", "m2")
            .completed("t2")
            .replay();
        assert_eq!((got.reference_model, got.baseline), (None, None));
    }
}

#[test]
fn row_16_a_context_before_a_compaction_says_nothing() {
    let got = Session::new()
        .context("t1", "m1")
        .compacted("s", json!([]))
        .replay();
    assert_eq!(models(&got), (None, None));
}

#[test]
fn rows_17_18_28_window_identity() {
    let window = json!({"context_window": {"window_id": "01900000-0000-7000-8000-0000000000f0"}});
    let session = Session::of("0.171.0", window);
    let first = session.replay().history.state().window.clone();
    assert_eq!((first.number, first.previous_id.as_deref()), (0, None));
    assert_eq!(
        first.first_id.as_deref(),
        Some("01900000-0000-7000-8000-0000000000f0")
    );
    assert_eq!(first.id, first.first_id);

    let numbered = session
        .clone()
        .line("compacted", whole(&json!([]), 2, None))
        .replay();
    let numbered = numbered.history.state().window.clone();
    assert_eq!(numbered.number, 2);
    assert_eq!(
        [numbered.first_id, numbered.previous_id, numbered.id].map(Option::unwrap),
        [
            "01900000-0000-7000-8000-0000000000a0",
            "01900000-0000-7000-8000-0000000000a1",
            "01900000-0000-7000-8000-0000000000a2"
        ]
        .map(Into::into)
    );

    let legacy = session
        .legacy_compacted("s")
        .replay()
        .history
        .state()
        .window
        .clone();
    assert_eq!(legacy.number, 1);
    assert_eq!(
        (legacy.first_id, legacy.previous_id, legacy.id),
        (None, None, None)
    );
}

#[test]
fn row_19_the_baseline_is_replayed_after_the_compaction() {
    let got = Session::new()
        .full(json!({"env": {"status": "old"}}))
        .compacted("s", json!([]))
        .full(json!({"env": {"status": "starting", "cwd": "/p"}}))
        .patch(json!({"env": {"status": "ready"}}))
        .replay();
    assert_eq!(
        got.baseline.as_deref(),
        Some(r#"{"env":{"cwd":"/p","status":"ready"}}"#)
    );
}

fn two_wake_turns(resume: Option<&Value>) -> Session {
    let mut session = Session::paginated().turn("t1", "m1", "one");
    for (turn, model) in [("w1", "mw1"), ("w2", "mw2")] {
        session = session
            .started(turn)
            .line(
                "compacted",
                whole(&json!([user("one"), user("s")]), 1, resume),
            )
            .full(json!({"a": {"turn": turn}}))
            .context(turn, model)
            .patch(json!({"a": {"more": 1}}))
            .event(json!({"type": "turn_aborted", "turn_id": turn, "reason": "interrupted"}));
    }
    session
}

#[test]
fn rows_20_21_a_bounded_reading_gives_what_a_full_one_gives() {
    for resume in [None, Some(resume_metadata())] {
        let session = two_wake_turns(resume.as_ref());
        let full = session.replay();
        let (bounded, n_records) = session.replay_from_end(CheckpointRule::for_resume(true));
        assert_eq!(n_records, 5);
        assert_eq!(bounded.bytes, full.bytes);
        assert_eq!(bounded.history.state(), full.history.state());
        assert_eq!(bounded.replayed.last_turn, full.replayed.last_turn);
        assert_eq!(
            bounded.replayed.last_started_turn_id,
            full.replayed.last_started_turn_id
        );
        assert_eq!(
            full.baseline.as_deref(),
            Some(r#"{"a":{"more":1,"turn":"w2"}}"#)
        );
        let expected = if resume.is_some() {
            ("t1", "kept")
        } else {
            ("", "mw2")
        };
        assert_eq!(
            full.replayed
                .last_started_turn_id
                .as_deref()
                .unwrap_or_default(),
            expected.0
        );
        assert_eq!(full.model.as_deref(), Some(expected.1));
        assert_eq!(full.reference_model.as_deref(), Some("mw2"));
    }
}

#[test]
fn row_22_nothing_older_than_a_whole_compaction_is_asked() {
    for resume in [None, Some(json!({}))] {
        let got = Session::paginated()
            .context("t1", "m1")
            .full(json!({"a": 1}))
            .line("compacted", whole(&json!([]), 1, resume.as_ref()))
            .replay();
        assert_eq!(
            (models(&got), &got.attribution, &got.baseline),
            ((None, None), &None, &None)
        );
    }
}

fn completed_suffix() -> Session {
    Session::paginated()
        .line(
            "compacted",
            whole(&json!([user("s")]), 1, Some(&resume_metadata())),
        )
        .full(json!({"a": 1}))
        .context("t2", "newer")
}

#[test]
fn row_23_a_completed_turn_after_the_compaction_has_its_say() {
    let open = completed_suffix().replay();
    assert_eq!(models(&open), (Some("kept"), Some("newer")));
    let completed = completed_suffix().completed("t2").replay();
    assert_eq!(models(&completed), (Some("newer"), Some("newer")));
}

#[test]
fn row_24_a_late_completion_still_has_its_say() {
    let got = completed_suffix().started("t3").completed("t2").replay();
    assert_eq!(got.model.as_deref(), Some("newer"));
    assert_eq!(got.attribution.as_deref(), Some("t3"));
}

#[test]
fn row_25_a_rollback_gives_the_checkpoints_attribution_back() {
    let got = Session::paginated()
        .line(
            "compacted",
            whole(
                &json!([user("one"), user("s")]),
                1,
                Some(&resume_metadata()),
            ),
        )
        .turn("t2", "m2", "two")
        .rollback(1)
        .replay();
    assert_eq!(got.attribution.as_deref(), Some("t1"));
    assert_eq!(got.prompt, ["U\"one\"", "U\"s\""]);
}

#[test]
fn rows_26_27_a_late_end_of_an_older_turn_displaces_nobody() {
    let session = Session::new()
        .started("t1")
        .context("t1", "m1")
        .user("one")
        .started("t2")
        .context("t2", "m2")
        .completed("t1");
    assert_eq!(session.replay().attribution.as_deref(), Some("t2"));
    let rolled = session.user("two").rollback(1).replay();
    assert_eq!(rolled.attribution.as_deref(), Some("t1"));

    let aborted = Session::new()
        .turn("t1", "m1", "one")
        .started("t2")
        .event(json!({"type": "turn_aborted", "turn_id": "t1", "reason": "interrupted"}))
        .replay();
    assert_eq!(aborted.attribution.as_deref(), Some("t2"));
}

#[test]
fn rows_29_30_an_old_compaction_leaves_user_messages_and_the_summary() {
    let session = Session::new()
        .user("ask")
        .assistant("answer")
        .legacy_compacted("summary");
    let got = session.replay();
    assert_eq!(got.prompt, ["U\"ask\"", "U\"summary\""]);
    assert_eq!(got.reference_model, None);
    let later = session
        .full(json!({"a": 1}))
        .turn("t2", "m2", "two")
        .replay();
    assert_eq!(models(&later), (Some("m2"), None));
}

#[test]
fn row_31_a_context_after_the_compaction_of_its_turn_counts() {
    let got = Session::new()
        .started("t1")
        .said("one")
        .compacted("s", json!([]))
        .context("t1", "m1")
        .completed("t1")
        .replay();
    assert_eq!(models(&got), (Some("m1"), Some("m1")));
}

#[test]
fn rows_32_33_an_abort_without_or_with_another_name() {
    let session = Session::new()
        .turn("t1", "m1", "one")
        .started("t2")
        .said("two");
    let unnamed = session
        .clone()
        .event(json!({"type": "turn_aborted", "reason": "interrupted"}))
        .compacted("s", json!([]))
        .replay();
    assert_eq!(models(&unnamed), (Some("m1"), None));
    let other = session
        .event(json!({"type": "turn_aborted", "turn_id": "t1", "reason": "interrupted"}))
        .context("t2", "m2")
        .completed("t2")
        .replay();
    assert_eq!(models(&other), (Some("m2"), Some("m2")));
}

#[test]
fn rows_34_35_36_a_trailing_turn_without_end() {
    let session = Session::new()
        .turn("t1", "m1", "one")
        .started("t2")
        .said("two");
    let compacted = session.clone().compacted("s", json!([]));
    assert_eq!(models(&compacted.clone().replay()), (Some("m1"), None));
    assert_eq!(
        models(&compacted.started("t3").replay()),
        (Some("m1"), None)
    );
    assert_eq!(
        models(&session.context("t2", "m2").replay()),
        (Some("m2"), Some("m2"))
    );
}

#[test]
fn row_37_orders_of_acceptance_survive_and_are_never_given_twice() {
    let mut replay = annals_replay::Replay::new(annals_replay::KeptItems);
    for order in [0, 2, 1] {
        let line = format!(
            "{{\"timestamp\":\"2026-01-03T12:00:00.000Z\",\"type\":\"response_item\",\"payload\":{},\"metadata\":{}}}",
            user("queued"),
            json!({"client_authored": false, "user_input_order": order}),
        );
        let envelope = annals_protocol::Envelope::parse(&line).unwrap();
        replay.feed(&annals_replay::Record {
            segment: 0,
            line: 1,
            byte_offset: 0,
            text: &line,
            envelope,
        });
    }
    let event = r#"{"timestamp":"2026-01-03T12:00:01.000Z","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":3}}"#;
    let envelope = annals_protocol::Envelope::parse(event).unwrap();
    let mut rolled = replay.clone();
    rolled.feed(&annals_replay::Record {
        segment: 0,
        line: 4,
        byte_offset: 0,
        text: event,
        envelope,
    });
    let loaded = replay.clone().finish().into_history();
    let orders: Vec<_> = loaded
        .items()
        .map(|item| item.envelope().metadata().unwrap().user_input_order)
        .collect();
    assert_eq!(orders, [Some(0), Some(2), Some(1)]);
    for replay in [replay, rolled] {
        assert_eq!(replay.finish().into_history().reserve_user_input_order(), 3);
    }
}

#[test]
fn row_38_a_resumed_rollback_equals_a_live_one() {
    let before = Session::new()
        .turn("t1", "m1", "one")
        .turn("t2", "m2", "two");
    let with_checkpoint = before
        .clone()
        .started("c")
        .compacted("s", json!([user("one"), user("two"), user("s")]))
        .completed("c");
    let sessions = [before, with_checkpoint].map(|session| session.turn("t3", "m3", "three"));
    for (session, turns) in sessions
        .iter()
        .flat_map(|session| (0..5).map(move |turns| (session, turns)))
    {
        let mut live = session.replay().history;
        let _done = live.drop_last_n_user_turns(turns as usize);
        let resumed = session.clone().rollback(turns).replay();
        let live_bytes = live
            .for_prompt(annals_history::PromptOptions::default())
            .to_vec();
        assert_eq!(live_bytes, resumed.bytes, "{turns}");
        assert_eq!(live.state(), resumed.history.state(), "{turns}");
    }
}

#[test]
fn context_told_for_a_dropped_turn_goes_with_it_and_events_stay() {
    let aborted = "<turn_aborted>\nstopped\n</turn_aborted>";
    let session = |version: &str| {
        Session::of(version, json!({}))
            .turn("t1", "m1", "one")
            .item(user(aborted))
            .started("t2")
            .item(developer(&[PERMISSIONS]))
            .item(user(AGENTS))
            .context("t2", "m2")
            .user("two")
            .said("two")
            .rollback(1)
            .replay()
    };
    let trimmed = session("0.130.0").prompt;
    assert_eq!(
        trimmed,
        ["U\"one\"", "A\"re one\"", &format!("U\"{aborted}\"")]
    );
    assert_eq!(session("0.100.0").prompt.len(), 5);
    assert_eq!(session("0.0.0").prompt, trimmed);
}

#[test]
fn a_mixed_bundle_that_goes_takes_the_reference_with_it() {
    let got = Session::new()
        .started("t1")
        .full(json!({"a": 1}))
        .context("t1", "m1")
        .user("one")
        .said("one")
        .completed("t1")
        .started("t2")
        .item(developer(&[PERMISSIONS, "Answer in French."]))
        .context("t2", "m2")
        .user("two")
        .rollback(1)
        .replay();
    assert_eq!(got.prompt, ["U\"one\""]);
    assert_eq!((got.reference_model, got.baseline), (None, None));
    assert_eq!(got.model.as_deref(), Some("m1"));
}

#[test]
fn context_before_the_first_turn_outlives_it_and_stays_known() {
    let got = Session::new()
        .started("t1")
        .item(user(AGENTS))
        .full(json!({"agents_md": {"text": "x"}}))
        .context("t1", "m1")
        .user("one")
        .said("one")
        .item(assistant("re one"))
        .rollback(1)
        .replay();
    assert_eq!(got.prompt, [format!("U\"{AGENTS}\"")]);
    assert_eq!(
        got.baseline.as_deref(),
        Some(r#"{"agents_md":{"text":"x"}}"#)
    );
}
