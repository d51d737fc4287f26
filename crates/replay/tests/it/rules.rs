//! What a file of Codex means for the input, rule by rule, where no recorded session shows it.

use serde_json::{Value, json};

use crate::session::{Outcome, Session, assistant, call, developer, output, user};

/// The items of the prompt as JSON.
fn items(got: &Outcome) -> Vec<Value> {
    serde_json::from_slice(&got.bytes).unwrap()
}

fn of_items(items: &[Value]) -> Outcome {
    items
        .iter()
        .cloned()
        .fold(Session::new(), Session::item)
        .replay()
}

fn models(got: &Outcome) -> (Option<&str>, Option<&str>) {
    (got.model.as_deref(), got.reference_model.as_deref())
}

/// Every kind of item in every form that is written, none of them in need of a repair.
fn every_form() -> Vec<Value> {
    let shell = |id: Value| {
        json!({"type": "local_shell_call", "call_id": id, "status": "completed", "action": {"type": "exec",
        "command": ["ls"], "timeout_ms": null, "working_directory": "/p", "env": {"A": "b"}, "user": null}})
    };
    vec![
        json!({"type": "additional_tools", "role": "developer", "tools": [{"type": "function", "name": "x"}], "id": "at_1"}),
        json!({"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "look"},
            {"type": "input_image", "image_url": "https://example.org/a.png"},
            {"type": "input_image", "file_id": "file_1", "detail": "original"},
            {"type": "input_audio", "audio_url": "data:audio/wav;base64,AAAA"}]}),
        json!({"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "s"}],
            "content": [{"type": "reasoning_text", "text": "t"}, {"type": "text", "text": "u"}], "encrypted_content": null}),
        json!({"type": "reasoning", "summary": [], "content": null, "encrypted_content": "ENC"}),
        json!({"type": "message", "role": "assistant", "id": "msg_1", "status": "completed", "phase": "commentary",
            "content": [{"type": "output_text", "text": "a", "annotations": [], "logprobs": []}]}),
        json!({"type": "message", "role": "assistant", "phase": "partial_answer", "encrypted_content": "E",
            "content": [{"type": "output_text", "text": "b"}]}),
        json!({"type": "function_call", "name": "f", "namespace": "n", "arguments": "not json", "call_id": "f1",
            "status": "completed", "encrypted_function_args": ["E"]}),
        json!({"type": "function_call_output", "call_id": "f1", "output": [
            {"type": "input_text", "text": "t"},
            {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "low"},
            {"type": "input_audio", "audio_url": "data:audio/wav;base64,AAAA"},
            {"type": "encrypted_content", "encrypted_content": "E"}]}),
        json!({"type": "custom_tool_call", "name": "c", "input": "raw", "call_id": "c1", "status": "completed"}),
        json!({"type": "custom_tool_call_output", "call_id": "c1", "name": "c", "output": "t"}),
        shell(json!(null)),
        shell(json!("s1")),
        json!({"type": "function_call_output", "call_id": "s1", "output": "t"}),
        json!({"type": "tool_search_call", "call_id": "t1", "execution": "client", "arguments": {"q": 1}}),
        json!({"type": "tool_search_output", "call_id": "t1", "status": "completed", "execution": "client", "tools": []}),
        json!({"type": "tool_search_call", "call_id": null, "execution": "server", "arguments": "q", "status": "completed"}),
        json!({"type": "tool_search_output", "call_id": null, "status": "completed", "execution": "server", "tools": [{"name": "x"}]}),
        json!({"type": "tool_search_output", "call_id": "t9", "status": "completed", "execution": "server", "tools": []}),
        json!({"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "q", "queries": ["q"]}}),
        json!({"type": "web_search_call", "action": {"type": "open_page", "url": "https://example.org"}}),
        json!({"type": "web_search_call", "action": {"type": "find_in_page", "url": "u", "pattern": "p"}}),
        json!({"type": "web_search_call"}),
        json!({"type": "image_generation_call", "id": "ig_1", "status": "completed", "revised_prompt": "p", "result": "AAAA"}),
        json!({"type": "function_call_output", "name": "goal", "namespace": "agent", "output": "external"}),
        json!({"type": "agent_message", "author": "/root/a", "recipient": "/root", "content": [
            {"type": "input_text", "text": "h"}, {"type": "encrypted_content", "encrypted_content": "E"}]}),
        json!({"type": "compaction", "id": "cmp_1", "encrypted_content": "E"}),
        json!({"type": "compaction_summary", "encrypted_content": "E"}),
        json!({"type": "context_compaction"}),
        json!({"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "d"}]}),
    ]
}

#[test]
fn every_form_of_item_is_sent_as_it_was_written() {
    let all = every_form();
    let got = of_items(&all);
    assert_eq!(items(&got), all);
    assert_eq!(got.repairs, Vec::<String>::new());
    assert_eq!(got.replayed.ignored, []);
    let replaced = Session::new().compacted("", json!(all)).replay();
    assert_eq!(items(&replaced), all);
}

#[test]
fn host_metadata_of_every_form_stays_out() {
    let told: Vec<Value> = every_form()
        .into_iter()
        .map(|mut item| {
            item["internal_chat_message_metadata_passthrough"] =
                json!({"turn_id": "t1", "create_time": 1.5});
            item
        })
        .collect();
    assert_eq!(items(&of_items(&told)), every_form());
}

#[test]
fn what_is_never_for_the_model_stays_out_of_items_and_replacements() {
    let never = [
        json!({"type": "ghost_snapshot", "ghost_commit": {"id": "x"}}),
        json!({"type": "compaction_trigger"}),
        json!({"type": "configuration_update", "reasoning": {"effort": "high"}}),
        json!({"type": "from_the_future", "call_id": "x"}),
        json!({"type": "message", "role": "system", "content": [{"type": "input_text", "text": "s"}]}),
    ];
    let kept = [user("a"), assistant("b")];
    let all = [&never[..], &kept, &never].concat();
    assert_eq!(items(&of_items(&all)), kept);
    let replaced = Session::new().compacted("", json!(all)).replay();
    assert_eq!(items(&replaced), kept);
}

fn shown_output(policy: &Value, output: &Value) -> Value {
    let got = Session::new()
        .line(
            "turn_context",
            json!({"cwd": "/p", "model": "m", "truncation_policy": policy}),
        )
        .item(call("c1"))
        .item(json!({"type": "function_call_output", "call_id": "c1", "output": output}))
        .replay();
    items(&got)[1]["output"].clone()
}

#[test]
fn a_text_over_the_turns_policy_loses_its_middle() {
    let letters = "0123456789abcdefghijklmnopqrstuvwxyz";
    let bytes = |limit: u64| json!({"mode": "bytes", "limit": limit});
    let tokens = |limit: u64| json!({"mode": "tokens", "limit": limit});
    // A fifth is added to the policy, rounded up: 8 is 10 bytes, 2 is 3 tokens of 4 bytes.
    for (policy, text, shown) in [
        (bytes(8), letters, "01234…26 chars truncated…vwxyz"),
        (tokens(2), letters, "012345…6 tokens truncated…uvwxyz"),
        (bytes(0), "abc", "…3 chars truncated…"),
        (tokens(0), "abc", "…1 tokens truncated…"),
        (bytes(30), letters, letters),
        (bytes(5), "ééééé|zzzzz", "é…7 chars truncated…zzz"),
        (bytes(0), "", ""),
    ] {
        assert_eq!(
            shown_output(&policy, &json!(text)),
            json!(shown),
            "{policy} {text}"
        );
    }
}

#[test]
fn the_parts_of_an_output_share_the_turns_policy() {
    let text = |text: &str| json!({"type": "input_text", "text": text});
    let image = json!({"type": "input_image", "image_url": "data:image/png;base64,AAAA"});
    let list = json!([
        text("12345678"),
        image,
        text("abcdefghijkl"),
        text("gone"),
        image,
        text("gone")
    ]);
    // Four tokens: two for the first text, two for the second, none for what comes after.
    let tokens = shown_output(&json!({"mode": "tokens", "limit": 3}), &list);
    assert_eq!(
        tokens,
        json!([
            text("12345678"),
            image,
            text("abcd…1 tokens truncated…ijkl"),
            image,
            text("[omitted 2 text items ...]")
        ])
    );
    let bytes = shown_output(&json!({"mode": "bytes", "limit": 10}), &list);
    assert_eq!(
        bytes,
        json!([
            text("12345678"),
            image,
            text("ab…8 chars truncated…kl"),
            image,
            text("[omitted 2 text items ...]")
        ])
    );
}

#[test]
fn only_outputs_of_functions_and_custom_tools_are_cut() {
    let long = "x".repeat(200);
    let policy = json!({"mode": "bytes", "limit": 10});
    let whole = [
        user(&long),
        json!({"type": "function_call", "name": "f", "arguments": long, "call_id": "f1"}),
        output("f1", "t"),
        json!({"type": "custom_tool_call", "name": "c", "input": long, "call_id": "c1"}),
        json!({"type": "custom_tool_call_output", "call_id": "c1", "output": "t"}),
        json!({"type": "tool_search_call", "call_id": "t1", "execution": "client", "arguments": {"q": long}}),
        json!({"type": "tool_search_output", "call_id": "t1", "status": "completed", "execution": "client", "tools": [long]}),
        json!({"type": "agent_message", "author": "a", "recipient": "b", "content": [{"type": "input_text", "text": long}]}),
        assistant(&long),
    ];
    let session = Session::new().line(
        "turn_context",
        json!({"cwd": "/p", "model": "m", "truncation_policy": policy}),
    );
    let got = whole
        .iter()
        .cloned()
        .fold(session.clone(), Session::item)
        .replay();
    assert_eq!(items(&got), whole);
    // What a compaction put in place was cut when it was recorded first.
    let list = json!([call("c9"), output("c9", &long)]);
    let replaced = session.clone().compacted("s", list.clone()).replay();
    assert_eq!(json!(items(&replaced)), list);
    let custom = json!({"type": "custom_tool_call_output", "call_id": "c2", "output": long});
    let cut = session
        .item(json!({"type": "custom_tool_call", "name": "c", "input": "", "call_id": "c2"}))
        .item(custom)
        .replay();
    assert_eq!(
        items(&cut)[1]["output"],
        "xxxxxx…188 chars truncated…xxxxxx"
    );
}

#[test]
fn an_outputs_own_budget_wins_over_the_turns_and_needs_no_fifth() {
    let long = "x".repeat(100);
    let got = Session::new()
        .line(
            "turn_context",
            json!({"cwd": "/p", "model": "m", "truncation_policy": {"mode": "bytes", "limit": 10}}),
        )
        .item(call("c1"))
        .noted(
            output("c1", &long),
            json!({"client_authored": false, "fallback_token_limit_override": 5}),
        )
        .item(call("c2"))
        .noted(
            output("c2", &long),
            json!({"client_authored": false, "fallback_token_limit_override": 25}),
        )
        .replay();
    assert_eq!(
        got.prompt[1],
        "FO(c1)=xxxxxxxxxx…20 tokens truncated…xxxxxxxxxx"
    );
    assert_eq!(got.prompt[3], format!("FO(c2)={long}"));
}

#[test]
fn who_starts_a_turn_that_a_rollback_counts() {
    let envelope = r#"{"author":"/root/a","recipient":"/root","other_recipients":[],"content":"go","trigger_turn":false}"#;
    let starts = [
        user("own words"),
        json!({"type": "agent_message", "author": "a", "recipient": "b", "content": [{"type": "input_text", "text": "go"}]}),
        assistant(envelope),
    ];
    for start in starts {
        let got = Session::new()
            .user("first")
            .item(start.clone())
            .assistant("re")
            .rollback(1)
            .replay();
        assert_eq!(got.prompt, ["U\"first\""], "{start}");
    }
    let others = [
        assistant("author: /root/a\nrecipient: /root\ngo"),
        developer(&["own rules"]),
        user("<environment_context>\n  <cwd>/p</cwd>\n</environment_context>"),
        user("<skill>\n<name>x</name>\n</skill>"),
        user("<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>"),
        user("<subagent_notification>\n{}\n</subagent_notification>"),
        json!({"type": "function_call_output", "name": "goal", "namespace": "agent", "output": "external"}),
    ];
    for other in others {
        let got = Session::new()
            .user("zero")
            .user("first")
            .item(other.clone())
            .assistant("re")
            .rollback(1)
            .replay();
        assert_eq!(got.prompt, ["U\"zero\""], "{other}");
    }
}

#[test]
fn a_steered_turn_counts_for_as_many_as_it_has_messages() {
    let session = Session::new()
        .turn("t1", "m1", "one")
        .started("t2")
        .context("t2", "m2")
        .user("two")
        .said("two")
        .assistant("on it")
        .user("and this")
        .said("and this")
        .assistant("done")
        .completed("t2");
    let got = session.clone().rollback(1).replay();
    assert_eq!(got.prompt[2..], ["U\"two\"", "A\"on it\""]);
    assert_eq!(session.rollback(2).replay().prompt.len(), 2);
}

#[test]
fn after_a_rollback_the_dropped_turns_settings_stay_gone() {
    let session = Session::new()
        .turn("t1", "m1", "one")
        .turn("t2", "m2", "two")
        .rollback(1);
    let said = session.clone().user("three").said("three");
    let ended = session.clone().completed("t2");
    let told = session.clone().full(json!({"a": 1}));
    for got in [said, ended, told].map(|session| session.replay()) {
        assert_eq!(models(&got), (Some("m1"), Some("m1")));
    }
    let compacted = session
        .started("t3")
        .said("three")
        .compacted("s", json!([]))
        .replay();
    assert_eq!(models(&compacted), (Some("m1"), None));
}

#[test]
fn of_several_contexts_of_a_turn_the_first_has_the_settings_and_the_last_is_the_reference() {
    let got = Session::new()
        .started("t1")
        .context("t1", "m1")
        .user("one")
        .context("t1", "m2")
        .completed("t1")
        .replay();
    assert_eq!(models(&got), (Some("m1"), Some("m2")));
    let cleared = Session::new()
        .started("t1")
        .context("t1", "m1")
        .user("one")
        .compacted("s", json!([]))
        .replay();
    assert_eq!(models(&cleared), (Some("m1"), None));
}

#[test]
fn without_starts_the_newest_turn_has_the_settings() {
    let got = Session::new()
        .context("t1", "m1")
        .user("one")
        .completed("t1")
        .context("t2", "m2")
        .user("two")
        .completed("t2")
        .replay();
    assert_eq!(models(&got), (Some("m2"), Some("m2")));
    let aborted = Session::new()
        .event(json!({"type": "turn_aborted", "turn_id": "t1", "reason": "interrupted"}))
        .context("t2", "m2")
        .user("two")
        .replay();
    assert_eq!(models(&aborted), (Some("m2"), Some("m2")));
}

#[test]
fn the_ids_of_windows_are_of_version_7_and_the_newest_number_stays() {
    let session = Session::of(
        "0.171.0",
        json!({"context_window": {"window_id": "01900000-0000-4000-8000-0000000000f0"}}),
    );
    assert_eq!(session.replay().history.state().window.id, None);
    let session = session
        .line(
            "compacted",
            json!({"message": "s", "replacement_history": [], "window_number": 4,
                "first_window_id": "no id", "window_id": "01900000-0000-7000-8000-0000000000a2"}),
        )
        .legacy_compacted("s");
    let window = session.replay().history.state().window.clone();
    assert_eq!((window.number, window.first_id), (4, None));
    assert!(window.id.is_some());
    let old = session
        .line(
            "compacted",
            json!({"message": "s", "replacement_history": [], "window_id": 5}),
        )
        .replay();
    assert_eq!(old.history.state().window.number, 5);
    assert_eq!(old.history.state().window.id, None);
}

#[test]
fn old_compactions_keep_the_newest_messages_within_20000_tokens() {
    let first = "a".repeat(60_000);
    let second = "b".repeat(40_000);
    let context = "<environment_context>\n  <cwd>/q</cwd>\n</environment_context>";
    let session = Session::of("0.100.0", json!({}))
        .item(developer(&["rules"]))
        .user("oldest")
        .user(&first)
        .item(call("c1"))
        .item(output("c1", "x"))
        .user(context)
        .user(&second)
        .assistant("done")
        .legacy_compacted("sum 1");
    let got = session.replay();
    assert_eq!(got.prompt.len(), 4, "{:?}", got.prompt.len());
    assert_eq!(got.prompt[0], "D\"rules\"");
    let half = "a".repeat(20_000);
    assert_eq!(
        got.prompt[1],
        format!("U\"{half}…5000 tokens truncated…{half}\"")
    );
    assert_eq!(got.prompt[2], format!("U\"{second}\""));
    assert_eq!(got.prompt[3], "U\"sum 1\"");
    // The next one drops the summary of this, and keeps the context that the thread began with.
    let again = session.user("last").legacy_compacted("").replay();
    assert_eq!(again.prompt[0], "D\"rules\"");
    assert_eq!(
        again.prompt[3..],
        ["U\"last\"", "U\"(no summary available)\""]
    );
    assert_eq!(again.prompt.len(), 5);
}

#[test]
fn events_of_a_review_and_of_an_abort_are_no_items() {
    let got = Session::new()
        .turn("t1", "m1", "one")
        .started("r1")
        .event(json!({"type": "entered_review_mode", "target": {"type": "custom"}, "user_facing_hint": "h"}))
        .event(json!({"type": "exited_review_mode", "review_output": null}))
        .user("<user_action>\n  <context>review</context>\n</user_action>")
        .assistant("review done")
        .event(json!({"type": "turn_aborted", "turn_id": "r1", "reason": "review_ended"}))
        .event(json!({"type": "error", "message": "x"}))
        .event(json!({"type": "from_the_future"}))
        .line("realtime_item", json!({"type": "x"}))
        .line("retained_context", json!({}))
        .line("token_usage_record", json!({}))
        .line("inter_agent_communication_metadata", json!({"trigger_turn": true}))
        .replay();
    assert_eq!(got.prompt.len(), 4);
    assert_eq!(got.replayed.ignored, []);
}

#[test]
fn heads_of_every_age_are_read() {
    for meta in [
        json!({"id": "01900000-0000-7000-8000-000000000001", "timestamp": "2025-01-03T12:00:00.000Z", "cwd": "/p",
            "originator": "o", "cli_version": "0.40.0", "instructions": "AGENTS", "git": {"commit_hash": "x", "branch": "b"}}),
        json!({"id": "01900000-0000-7000-8000-000000000001", "instructions": null, "git": null}),
        json!({"id": "01900000-0000-7000-8000-000000000001", "cwd": "relative", "source": {"subagent": {"thread_spawn": {"depth": 1}}},
            "agent_type": "worker", "dynamic_tools": "odd", "unknown": [1]}),
    ] {
        let got = Session::default()
            .line("session_meta", meta.clone())
            .user("hi")
            .replay();
        assert_eq!(got.prompt, ["U\"hi\""], "{meta}");
        assert_eq!(got.replayed.ignored, [], "{meta}");
        assert!(got.replayed.session.is_some(), "{meta}");
    }
}
