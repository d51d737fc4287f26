//! Faults that such systems have been seen to have, each as a small session with the right result.

use annals_replay::LastTurn;
use serde_json::json;

use crate::session::{Session, assistant, call, output, user};

#[test]
fn b12_an_interrupted_call_has_a_stand_in_and_the_notice_is_no_turn() {
    let notice = "<turn_aborted>\nstopped on purpose\n</turn_aborted>";
    let session = Session::new()
        .started("t1")
        .context("t1", "m1")
        .user("push the branch")
        .item(call("c1"))
        .user(notice)
        .event(json!({"type": "turn_aborted", "turn_id": "t1", "reason": "interrupted"}))
        .user("what is the status?")
        .assistant("clean");
    let got = session.replay();
    let first = [
        "U\"push the branch\"",
        "FC(c1)",
        "FO(c1)=aborted",
        &format!("U\"{notice}\""),
    ];
    let mut expected = first.to_vec();
    expected.extend(["U\"what is the status?\"", "A\"clean\""]);
    assert_eq!(got.prompt, expected);
    assert_eq!(got.history.n_turns(), 2);
    assert_eq!(
        got.repairs,
        ["item 1: the call has no output, so a stand-in follows it"]
    );
    assert_eq!(session.rollback(1).replay().prompt, first);
}

#[test]
fn b10_a_message_with_context_and_own_words_is_a_turn() {
    let both = json!({"type": "message", "role": "user", "content": [
        {"type": "input_text", "text": "<environment_context>\n  <cwd>/p</cwd>\n</environment_context>"},
        {"type": "input_text", "text": "Rename the helper"},
    ]});
    let session = Session::new().item(both).assistant("done").user("thanks");
    assert_eq!(session.replay().history.n_turns(), 2);
    assert_eq!(session.clone().rollback(1).replay().prompt.len(), 2);
    assert_eq!(session.rollback(2).replay().prompt.len(), 0);
}

#[test]
fn b25_a_compaction_voids_the_baseline() {
    let got = Session::new()
        .user("# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>")
        .full(json!({"agents_md": {"text": "Use tabs."}}))
        .user("keep me")
        .assistant("ok")
        .compacted(
            "summary: so far",
            json!([user("keep me"), assistant("summary: so far")]),
        )
        .replay();
    assert_eq!(got.prompt, ["U\"keep me\"", "A\"summary: so far\""]);
    assert_eq!(got.baseline, None);
}

#[test]
fn b52_live_and_resumed_inputs_are_the_same_bytes() {
    let session = Session::new()
        .user("a")
        .item(call("c1"))
        .user("b")
        .assistant("ok")
        .item(call("c2"))
        .user("c");
    let resumed = session.replay();
    assert_eq!(
        resumed.prompt,
        [
            "U\"a\"",
            "FC(c1)",
            "FO(c1)=aborted",
            "U\"b\"",
            "A\"ok\"",
            "FC(c2)",
            "FO(c2)=aborted",
            "U\"c\""
        ]
    );
    let mut live = annals_history::ContextManager::new();
    let mut bytes = Vec::new();
    for item in resumed.history.items() {
        live.record([item.envelope().clone()], None);
        bytes = live
            .for_prompt(annals_history::PromptOptions::default())
            .to_vec();
    }
    assert_eq!(bytes, resumed.bytes);
    assert_eq!(session.replay().bytes, resumed.bytes);
}

#[test]
fn b77_two_writers_in_one_file_replay_in_file_order_with_whole_pairs() {
    let got = Session::new()
        .user("shared")
        .user("from window 1")
        .user("from window 2")
        .item(call("w1"))
        .item(call("w2"))
        .item(output("w2", "two"))
        .assistant("answer in 2")
        .item(output("w1", "one"))
        .assistant("answer in 1")
        .replay();
    assert_eq!(got.prompt.len(), 9);
    assert!(got.repairs.is_empty(), "{:?}", got.repairs);
    assert_eq!(got.prompt[7], "FO(w1)=one");
}

#[test]
fn b80_a_compaction_inside_a_dropped_turn_counts_for_nothing() {
    let got = Session::new()
        .turn("t1", "m1", "one")
        .started("t2")
        .context("t2", "m1")
        .user("two")
        .said("two")
        .assistant("part 1")
        .compacted("sum", json!([user("one"), user("two"), assistant("sum")]))
        .assistant("part 2")
        .item(call("c1"))
        .item(output("c1", "x"))
        .completed("t2")
        .rollback(1)
        .replay();
    assert_eq!(got.prompt, ["U\"one\"", "A\"re one\""]);
}

#[test]
fn b81_going_back_past_a_compaction_restores_the_originals() {
    let session = Session::new()
        .turn("t1", "m1", "one")
        .turn("t2", "m1", "two")
        .compacted("sum", json!([user("one"), user("two"), assistant("sum")]))
        .turn("t3", "m1", "three");
    let two = session.clone().rollback(2).replay();
    assert_eq!(two.prompt, ["U\"one\"", "A\"re one\""]);
    let one = session.rollback(1).replay();
    assert_eq!(one.prompt, ["U\"one\"", "U\"two\"", "A\"sum\""]);
}

#[test]
fn b84_each_rollback_counts_from_its_own_place() {
    let mut session = Session::new();
    for text in ["A", "B", "C"] {
        session = session.turn(text, "m1", text);
    }
    let got = session
        .rollback(1)
        .rollback(1)
        .turn("D", "m1", "D")
        .rollback(1)
        .replay();
    assert_eq!(got.prompt, ["U\"A\"", "A\"re A\""]);
}

#[test]
fn b85_odd_rollback_counts_keep_what_stands_before_the_first_turn() {
    let agents = "# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>";
    let got = Session::new()
        .user(agents)
        .turn("t1", "m1", "one")
        .turn("t2", "m1", "two")
        .rollback(99)
        .turn("t3", "m1", "three")
        .rollback(0)
        .replay();
    assert_eq!(
        got.prompt,
        [&format!("U\"{agents}\""), "U\"three\"", "A\"re three\""]
    );
}

#[test]
fn b92_a_file_that_ends_inside_a_turn_is_interrupted() {
    let got = Session::new()
        .turn("t1", "m1", "one")
        .started("t2")
        .context("t2", "m1")
        .user("two")
        .item(call("c1"))
        .replay();
    assert_eq!(got.prompt[2..], ["U\"two\"", "FC(c1)", "FO(c1)=aborted"]);
    assert_eq!(got.replayed.last_turn, LastTurn::Unfinished);
    assert!(got.replayed.last_turn.is_interrupted());
}

#[test]
fn b105_settings_come_from_the_last_turn_that_survived() {
    let got = Session::new()
        .turn("t1", "model-a", "one")
        .turn("t2", "model-b", "two")
        .rollback(1)
        .replay();
    assert_eq!(got.model.as_deref(), Some("model-a"));
}

#[test]
fn unknown_kinds_and_items_stay_out_and_stop_nothing() {
    let got = Session::new()
        .user("one")
        .line("something_new", json!({"x": 1}))
        .item(json!({"type": "ghost_snapshot", "ghost_commit": {"id": "x"}}))
        .item(json!({"type": "from_the_future", "x": 1}))
        .line("response_item", json!("no object"))
        .line(
            "compacted",
            json!({"message": "s", "replacement_history": [user("x")],
            "replacement_history_metadata": []}),
        )
        .line("event_msg", json!({"type": "thread_rolled_back"}))
        .user("two")
        .replay();
    assert_eq!(got.prompt, ["U\"one\"", "U\"two\""]);
    let lines: Vec<u64> = got
        .replayed
        .ignored
        .iter()
        .map(|ignored| ignored.line)
        .collect();
    assert_eq!(lines, [3, 6, 7, 8]);
    assert_eq!(got.repairs.len(), 2);
    assert_eq!(got.history.len(), 4);
}

#[test]
fn outputs_are_cut_by_their_own_budget_or_by_the_recorded_turns() {
    let long = "x".repeat(100_000);
    let session = |policy: serde_json::Value| {
        let got = Session::new()
            .line(
                "turn_context",
                json!({"cwd": "/p", "model": "m", "truncation_policy": policy}),
            )
            .item(call("c1"))
            .item(output("c1", &long))
            .replay();
        got.prompt[1].len()
    };
    let bytes = session(json!({"mode": "bytes", "limit": 1000}));
    assert!((1200..1240).contains(&bytes), "{bytes}");
    let tokens = session(json!({"mode": "tokens", "limit": 1000}));
    assert!((4800..4840).contains(&tokens), "{tokens}");
    let none = session(json!(null));
    assert!((48_000..48_040).contains(&none), "{none}");
}

#[test]
fn the_first_session_meta_of_the_newest_file_is_the_threads_own() {
    let own = json!({"id": "own"});
    let got = Session::of("0.130.0", own)
        .line(
            "session_meta",
            json!({"id": "parent", "cli_version": "0.100.0"}),
        )
        .replay();
    let session = got.replayed.session.unwrap();
    assert_eq!(session.member("id"), Some("\"own\""));
}

#[test]
fn a_measure_holds_until_something_rewrites_the_history() {
    let count = |total: u64| json!({"type": "token_count", "info": {"last_token_usage": {"total_tokens": total}}});
    let session = Session::new()
        .turn("t1", "m1", "one")
        .event(count(500))
        .event(json!({"type": "token_count", "info": null}));
    let measured = session.replay().history.token_count();
    assert_eq!((measured.tokens, measured.is_estimated), (500, false));
    let grown = session
        .clone()
        .user("12345678")
        .replay()
        .history
        .token_count();
    assert_eq!((grown.tokens, grown.is_estimated), (502, true));
    let compacted = session
        .compacted("s", json!([user("s")]))
        .replay()
        .history
        .token_count();
    assert_eq!((compacted.tokens, compacted.is_estimated), (1, true));
}
