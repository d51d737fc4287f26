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
