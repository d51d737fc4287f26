//! Items as a session has them, as text, kept and typed.

use annals_history::ItemEnvelope;
use annals_protocol::{Lossless, RawJson, ResponseItem};

/// The bytes of what one step adds: four items of 15 KB together.
const STEP_BYTES: usize = 15_000;

/// Items of a session: a call, its output, reasoning and an answer, 15 KB together.
pub(crate) fn item(idx: usize) -> String {
    let id = idx / 4;
    let filler = |share: usize| "lorem ipsum dolor sit amet ".repeat(STEP_BYTES * share / 100 / 27);
    match idx % 4 {
        0 => format!(
            r#"{{"type":"reasoning","id":"rs_{id}","summary":[],"content":null,"encrypted_content":"{}"}}"#,
            "QUJD".repeat(STEP_BYTES / 40)
        ),
        1 => format!(
            r#"{{"type":"function_call","id":"fc_{id}","name":"exec","arguments":"{{\"cmd\":\"{}\"}}","call_id":"call_{id}","internal_chat_message_metadata_passthrough":{{"turn_id":"t"}}}}"#,
            filler(10)
        ),
        2 => format!(
            r#"{{"type":"function_call_output","id":"fco_{id}","call_id":"call_{id}","output":"{}","internal_chat_message_metadata_passthrough":{{"turn_id":"t"}}}}"#,
            filler(60).replace("dolor", "dolor\\n")
        ),
        _ => format!(
            r#"{{"type":"message","id":"msg_{id}","role":"assistant","content":[{{"type":"output_text","text":"{}","annotations":[],"logprobs":[]}}],"internal_chat_message_metadata_passthrough":{{"turn_id":"t"}}}}"#,
            filler(20)
        ),
    }
}

pub(crate) fn envelope(text: &str) -> Option<ItemEnvelope> {
    RawJson::parse(text).ok().map(ItemEnvelope::new)
}

pub(crate) fn typed_item(text: &str) -> Option<ResponseItem> {
    let raw = RawJson::parse(text).ok()?;
    Lossless::<ResponseItem>::parse(raw)
        .ok()
        .map(|item| item.into_parts().1)
}

pub(crate) fn is_call(item: &ResponseItem) -> bool {
    matches!(item, ResponseItem::FunctionCall(_))
}

pub(crate) fn call_id(item: &ResponseItem) -> Option<String> {
    item.call_id().map(str::to_owned)
}
