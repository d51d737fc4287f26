//! Items for the tests, and a short form to compare prompts by.
#![expect(
    clippy::needless_pass_by_value,
    reason = "items are written where they are used"
)]

use annals_history::{ContextManager, ItemEnvelope, Prompt, PromptOptions};
use annals_protocol::RawJson;
use serde_json::{Value, json};

pub(crate) const AGENTS: &str =
    "# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>";
pub(crate) const PERMISSIONS: &str = "<permissions instructions>\nask\n</permissions instructions>";
pub(crate) const ABORTED: &str = "<turn_aborted>\nstopped\n</turn_aborted>";

pub(crate) fn message(role: &str, parts: &[Value]) -> Value {
    json!({"type": "message", "role": role, "content": parts})
}

pub(crate) fn text(text: &str) -> Value {
    json!({"type": "input_text", "text": text})
}

pub(crate) fn user(said: &str) -> Value {
    message("user", &[text(said)])
}

pub(crate) fn developer(said: &[&str]) -> Value {
    message(
        "developer",
        &said.iter().map(|said| text(said)).collect::<Vec<_>>(),
    )
}

pub(crate) fn assistant(said: &str) -> Value {
    message("assistant", &[json!({"type": "output_text", "text": said})])
}

pub(crate) fn reasoning(content: &str) -> Value {
    json!({"type": "reasoning", "summary": [], "content": null, "encrypted_content": content})
}

pub(crate) fn call(id: &str) -> Value {
    json!({"type": "function_call", "name": "run", "arguments": "{}", "call_id": id})
}

pub(crate) fn custom(id: &str) -> Value {
    json!({"type": "custom_tool_call", "name": "exec", "input": "ls", "call_id": id})
}

pub(crate) fn output(id: &str, body: Value) -> Value {
    json!({"type": "function_call_output", "call_id": id, "output": body})
}

pub(crate) fn custom_output(id: &str, body: Value) -> Value {
    json!({"type": "custom_tool_call_output", "call_id": id, "output": body})
}

pub(crate) fn image(url: &str) -> Value {
    json!({"type": "input_image", "image_url": url, "detail": "high"})
}

pub(crate) fn envelope(item: &Value) -> ItemEnvelope {
    ItemEnvelope::new(RawJson::parse(item.to_string()).unwrap())
}

pub(crate) fn history(items: &[Value]) -> ContextManager {
    let mut history = ContextManager::new();
    history.record(items.iter().map(envelope), None);
    history
}

/// A prompt's items in a few letters each.
pub(crate) fn shapes(prompt: &Prompt) -> Vec<String> {
    prompt.iter().map(|item| shape(&item.to_text())).collect()
}

pub(crate) fn shapes_of(items: &[Value]) -> Vec<String> {
    shapes(&history(items).for_prompt(PromptOptions::default()))
}

pub(crate) fn repairs_of(items: &[Value]) -> Vec<String> {
    let prompt = history(items).for_prompt(PromptOptions::default());
    prompt
        .repairs()
        .iter()
        .map(|repair| format!("{} {:?}", repair.at, repair.kind))
        .collect()
}

fn shape(item: &str) -> String {
    let item: Value = serde_json::from_str(item).unwrap();
    let plain = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let parts = |list: &Value| {
        let parts = list.as_array().into_iter().flatten();
        parts
            .map(|part| match part["type"].as_str() {
                Some("input_image") => "[image]".to_owned(),
                Some("input_audio") => "[audio]".to_owned(),
                _ => plain(&part["text"]),
            })
            .collect::<Vec<_>>()
            .join("|")
    };
    let body = |item: &Value| match &item["output"] {
        Value::String(text) => text.clone(),
        list => parts(list),
    };
    let id = plain(&item["call_id"]);
    match item["type"].as_str().unwrap_or_default() {
        "message" => {
            let role = plain(&item["role"])
                .chars()
                .next()
                .unwrap_or('?')
                .to_ascii_uppercase();
            format!("{role}\"{}\"", parts(&item["content"]))
        }
        "function_call" => format!("FC({id})"),
        "custom_tool_call" => format!("CC({id})"),
        "local_shell_call" => format!("LS({id})"),
        "function_call_output" => format!("FO({id})={}", body(&item)),
        "custom_tool_call_output" => format!("CO({id})={}", body(&item)),
        "reasoning" => format!("R({})", plain(&item["encrypted_content"])),
        other => format!("{other}({id})"),
    }
}
