//! Shapes that sessions seldom have, each held against the rule for it.

use serde_json::{Value, json};

use crate::session::{Session, assistant, user};

const DELIVERED: &str = "codex:code-mode-delivery:v1:complete";

/// What the model said to the user from inside a script, as its writer stores it.
fn delivered(marker: &str, order: Value) -> (Value, Value) {
    let mut item = assistant("half way there");
    item["internal_chat_message_metadata_passthrough"] = json!({"turn_id": "t1"});
    let mut beside = json!({"client_authored": false, "delivered_assistant_message": marker});
    beside["user_input_order"] = order;
    (item, beside)
}

#[test]
fn what_a_script_said_to_the_user_was_never_said_to_the_model() {
    for marker in [
        DELIVERED,
        "codex:code-mode-delivery:v1:incomplete:stopped here",
    ] {
        let (item, beside) = delivered(marker, json!(4));
        let got = Session::new()
            .user("go")
            .noted(item.clone(), beside.clone())
            .assistant("done")
            .replay();
        assert_eq!(got.prompt, ["U\"go\"", "A\"done\""], "{marker}");
        assert_eq!(got.history.len(), 3);
        // A history that records it itself shows the same.
        let mut live = annals_history::ContextManager::new();
        live.record(
            got.history.items().map(|item| item.envelope().clone()),
            None,
        );
        let prompt = live.for_prompt(annals_history::PromptOptions::default());
        assert_eq!(prompt.to_vec(), got.bytes);
        // So does one in which a compaction put it in place.
        let compacted = Session::new()
            .line(
                "compacted",
                json!({"message": "s", "replacement_history": [user("go"), item],
                    "replacement_history_metadata": [{"client_authored": false}, beside]}),
            )
            .replay();
        assert_eq!(compacted.prompt, ["U\"go\""], "{marker}");
    }
}

#[test]
fn a_message_that_only_looks_delivered_is_said_to_the_model() {
    let shown = |item: Value, beside: Value| {
        let got = Session::new().noted(item, beside).replay();
        assert_eq!(got.prompt.len(), 1, "{:?}", got.repairs);
    };
    let (item, beside) = delivered(DELIVERED, json!(4));
    let (_, no_order) = delivered(DELIVERED, Value::Null);
    shown(item.clone(), no_order);
    for marker in [
        "codex:code-mode-delivery:v2:complete",
        "",
        "codex:code-mode-delivery:v1:incomplete",
    ] {
        shown(item.clone(), delivered(marker, json!(4)).1);
    }
    let mut no_turn = item.clone();
    no_turn["internal_chat_message_metadata_passthrough"] = json!({"turn_id": ""});
    shown(no_turn, beside.clone());
    let mut two_parts = item.clone();
    two_parts["content"] = json!([item["content"][0], item["content"][0]]);
    shown(two_parts, beside.clone());
    let mut of_the_user = item.clone();
    of_the_user["role"] = json!("user");
    shown(of_the_user, beside.clone());
    let mut other_part = item;
    other_part["content"] = json!([{"type": "input_text", "text": "x"}]);
    shown(other_part, beside);
}

fn items(items: &[Value]) -> Session {
    items.iter().cloned().fold(Session::new(), Session::item)
}

fn prompt(session: &Session) -> Vec<Value> {
    serde_json::from_slice(&session.replay().bytes).unwrap()
}

#[test]
fn items_that_stand_alone_are_shown_as_they_are() {
    let alone = [
        json!({"type": "additional_tools", "role": "developer", "tools": [{"name": "x"}]}),
        json!({"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "q", "queries": ["q"]}}),
        json!({"type": "web_search_call", "id": "ws_1"}),
        json!({"type": "web_search_call", "action": {"type": "from_the_future", "x": 1}}),
        json!({"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": "AAAA"}),
        json!({"type": "local_shell_call", "call_id": null, "status": "completed", "action": {"type": "exec", "command": ["ls"]}}),
        json!({"type": "tool_search_call", "call_id": null, "execution": "server", "arguments": {"q": 1}}),
        json!({"type": "tool_search_output", "call_id": null, "status": "completed", "execution": "server", "tools": []}),
        json!({"type": "tool_search_output", "call_id": "s9", "status": "completed", "execution": "server", "tools": []}),
        json!({"type": "function_call_output", "name": "goal_objective", "namespace": "agent", "output": "external"}),
        json!({"type": "agent_message", "author": "/root/a", "recipient": "/root", "content": [
            {"type": "input_text", "text": "x"}, {"type": "encrypted_content", "encrypted_content": "E"}]}),
        json!({"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "s"}], "content": null, "encrypted_content": "E"}),
        json!({"type": "compaction", "encrypted_content": "E"}),
        json!({"type": "context_compaction"}),
        json!({"type": "message", "role": "assistant", "phase": "final_answer", "content": [
            {"type": "output_text", "text": "x", "annotations": [], "logprobs": []}]}),
        json!({"type": "message", "role": "user", "content": [
            {"type": "input_image", "file_id": "f1"}, {"type": "input_image", "image_url": "https://e.org/x.png", "detail": "original"},
            {"type": "input_audio", "audio_url": "data:audio/wav;base64,AAAA"}, {"type": "from_the_future", "x": 1}]}),
    ];
    let got = items(&alone).replay();
    assert_eq!(prompt(&items(&alone)), alone);
    assert_eq!(got.repairs, Vec::<String>::new());
}

#[test]
fn items_of_no_use_to_the_model_are_kept_from_it() {
    let hidden = [
        json!({"type": "compaction_trigger"}),
        json!({"type": "ghost_snapshot", "ghost_commit": {"id": "x"}}),
        json!({"type": "from_the_future"}),
        json!({"type": "configuration_update", "reasoning": {"effort": "high"}}),
        json!({"type": "message", "role": "system", "content": [{"type": "input_text", "text": "x"}]}),
        json!({"type": "tool_search_output", "call_id": "s9", "status": "completed", "execution": "client", "tools": []}),
    ];
    let got = items(&hidden).replay();
    assert_eq!(got.prompt, Vec::<String>::new());
    assert_eq!(got.repairs.len(), hidden.len());
}

#[test]
fn only_the_host_changes_the_configuration() {
    let update = json!({"type": "configuration_update", "reasoning": {"effort": "low"}});
    let by = |beside: Value| prompt(&Session::new().noted(update.clone(), beside));
    let hosts = json!({"client_authored": false, "harness_authored_configuration": true});
    let clients = json!({"client_authored": true});
    assert_eq!(by(hosts.clone())[..], *std::slice::from_ref(&update));
    assert_eq!(by(clients.clone()), Vec::<Value>::new());
    let compacted = |beside: Value| {
        let list = json!({"message": "s", "replacement_history": [user("s"), update],
            "replacement_history_metadata": [{"client_authored": false}, beside]});
        prompt(&Session::new().line("compacted", list)).len()
    };
    assert_eq!((compacted(hosts), compacted(clients)), (2, 1));
}

#[test]
fn a_call_of_each_kind_has_an_output_of_its_kind() {
    let calls = [
        json!({"type": "local_shell_call", "call_id": "a", "status": "completed", "action": {"type": "exec", "command": ["ls"]}}),
        json!({"type": "custom_tool_call", "call_id": "b", "name": "exec", "input": "x"}),
        json!({"type": "tool_search_call", "call_id": "c", "execution": "client", "arguments": {}}),
        json!({"type": "function_call", "call_id": "d", "name": "f", "namespace": "n", "arguments": "{broken"}),
    ];
    let lost = prompt(&items(&calls));
    let outputs: Vec<Value> = lost.iter().skip(1).step_by(2).cloned().collect();
    let mut bare = outputs.clone();
    for output in &mut bare {
        output.as_object_mut().unwrap().remove("id");
    }
    assert_eq!(
        bare,
        [
            json!({"type": "function_call_output", "call_id": "a", "output": "aborted"}),
            json!({"type": "custom_tool_call_output", "call_id": "b", "output": "aborted"}),
            json!({"type": "tool_search_output", "call_id": "c", "status": "completed", "execution": "client", "tools": []}),
            json!({"type": "function_call_output", "call_id": "d", "output": "aborted"}),
        ]
    );
    // With those outputs in the file nothing is added, whatever stands between.
    let mut whole = calls.to_vec();
    whole.push(user("meanwhile"));
    whole.extend(outputs);
    assert_eq!(prompt(&items(&whole)), whole);
}

#[test]
fn agents_and_users_without_words_start_turns() {
    let agent = json!({"type": "agent_message", "author": "/root/a", "recipient": "/root",
        "content": [{"type": "encrypted_content", "encrypted_content": "E"}]});
    let picture = json!({"type": "message", "role": "user", "content": [
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA"}]});
    for spoke in [agent, picture] {
        let session = Session::new()
            .turn("t1", "m1", "one")
            .started("t2")
            .item(spoke)
            .assistant("went")
            .rollback(1);
        assert_eq!(session.replay().prompt, ["U\"one\"", "A\"re one\""]);
    }
}

#[test]
fn a_turns_policy_is_its_own_and_ends_with_it() {
    let long = "x".repeat(60_000);
    let context = |policy: Value| json!({"cwd": "/p", "model": "m", "truncation_policy": policy});
    let output =
        |id: &str| json!({"type": "custom_tool_call_output", "call_id": id, "output": long});
    let call =
        |id: &str| json!({"type": "custom_tool_call", "call_id": id, "name": "exec", "input": "x"});
    let got = Session::new()
        .line(
            "turn_context",
            context(json!({"mode": "bytes", "limit": 1000})),
        )
        .item(call("a"))
        .item(output("a"))
        .line("turn_context", json!({"cwd": "/p", "model": "m"}))
        .item(call("b"))
        .item(output("b"))
        .noted(call("c"), json!({"client_authored": false}))
        .noted(
            output("c"),
            json!({"client_authored": false, "fallback_token_limit_override": 100}),
        )
        .item(call("d"))
        .item(
            json!({"type": "custom_tool_call_output", "call_id": "d", "output": [
            {"type": "input_text", "text": long},
            {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
            {"type": "input_text", "text": "gone"}]}),
        );
    let got = prompt(&got);
    let text = |at: usize| got[at]["output"].as_str().unwrap().to_owned();
    assert_eq!(
        text(1),
        format!(
            "{}…58800 chars truncated…{}",
            "x".repeat(600),
            "x".repeat(600)
        )
    );
    assert_eq!(
        text(3),
        format!(
            "{}…3000 tokens truncated…{}",
            "x".repeat(24_000),
            "x".repeat(24_000)
        )
    );
    assert_eq!(
        text(5),
        format!(
            "{}…14900 tokens truncated…{}",
            "x".repeat(200),
            "x".repeat(200)
        )
    );
    let parts = got[7]["output"].as_array().unwrap();
    assert_eq!(parts.len(), 3, "{parts:?}");
    assert_eq!(parts[1]["type"], "input_image");
    assert_eq!(parts[2]["text"], "[omitted 1 text items ...]");
    // What the model called is never cut.
    let call = json!({"type": "custom_tool_call", "call_id": "a", "name": "exec", "input": long});
    assert_eq!(prompt(&items(std::slice::from_ref(&call)))[0], call);
}

#[test]
fn older_names_mean_the_same() {
    let got = Session::new()
        .event(json!({"type": "turn_started", "turn_id": "t1"}))
        .context("t1", "m1")
        .user("one")
        .event(json!({"type": "turn_complete", "turn_id": "t1"}))
        .replay();
    assert_eq!(got.attribution.as_deref(), Some("t1"));
    assert_eq!(got.replayed.last_turn, annals_replay::LastTurn::Completed);
    let numbered = Session::new()
        .line(
            "compacted",
            json!({"message": "s", "replacement_history": [user("s")], "window_id": 4,
                "first_window_id": "01900000-0000-4000-8000-0000000000a0"}),
        )
        .replay();
    let window = numbered.history.state().window.clone();
    // A number where the id stands now, and an id that is no UUID of version 7.
    assert_eq!((window.number, window.first_id, window.id), (4, None, None));
}

#[test]
fn a_message_between_agents_that_starts_no_turn_says_so() {
    let got = Session::new()
        .line(
            "inter_agent_communication",
            json!({"author": "/root/a", "recipient": "/root", "content": "",
                "encrypted_content": "E", "trigger_turn": false}),
        )
        .line(
            "inter_agent_communication_metadata",
            json!({"trigger_turn": true}),
        )
        .replay();
    let head = "Message Type: MESSAGE\nTask name: /root\nSender: /root/a\nPayload:\n";
    assert_eq!(got.prompt, [format!("AM\"{head}|\"")]);
    assert_eq!(got.replayed.ignored, []);
}

#[test]
fn a_file_that_begins_with_a_compaction_in_a_turn_forgets_what_that_turn_told() {
    let got = Session::new()
        .started("t1")
        .compacted("s", json!([assistant("s")]))
        .full(json!({"a": 1}))
        .context("t1", "m1")
        .user("two")
        .rollback(1)
        .replay();
    assert_eq!(got.prompt, ["A\"s\""]);
    assert_eq!((got.baseline, got.reference_model), (None, None));
}

#[test]
fn an_old_summary_is_not_kept_by_the_next_old_compaction() {
    let got = Session::of("0.100.0", json!({}))
        .user("one")
        .assistant("re one")
        .legacy_compacted("Another language model started to solve this problem and produced a summary of its thinking process.\nfirst")
        .user("two")
        .legacy_compacted("Another language model started to solve this problem and produced a summary of its thinking process.\nsecond")
        .replay();
    assert_eq!(got.prompt.len(), 3, "{:?}", got.prompt);
    assert_eq!(got.prompt[..2], ["U\"one\"", "U\"two\""]);
    assert!(got.prompt[2].ends_with("second\""));
    let empty = Session::new().user("one").legacy_compacted(" ").replay();
    assert_eq!(empty.prompt, ["U\"one\"", "U\"(no summary available)\""]);
}
