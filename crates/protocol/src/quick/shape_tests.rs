//! What has an outline decodes, whatever stands in it; common items all have one.

use proptest::prelude::*;

use super::ItemOutline;
use crate::strategies::{item_text, json_value};
use crate::{ResponseItem, members};

#[test]
fn common_items_are_never_in_doubt() {
    for text in [
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}"#,
        r#"{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"a","annotations":[],"logprobs":[]}],"phase":"commentary","internal_chat_message_metadata_passthrough":{"turn_id":"t","create_time":1796089966.402,"content_item_kinds":["unknown"],"content_item_metadata":[{"provenance":{"type":"user"}}]}}"#,
        r#"{"type":"message","role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,AA==","detail":"high"}]}"#,
        r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"s"}],"content":null,"encrypted_content":"gAAA"}"#,
        r#"{"type":"function_call","id":"fc_1","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"call_1"}"#,
        r#"{"type":"function_call_output","id":"fco_1","call_id":"call_1","output":"Exit code: 0\nOutput:\nx\n"}"#,
        r#"{"type":"function_call_output","call_id":"call_1","output":[{"type":"input_text","text":"x"}]}"#,
        r#"{"type":"custom_tool_call","status":"completed","call_id":"c","name":"exec","input":"text(1)"}"#,
        r#"{"type":"custom_tool_call_output","call_id":"c","output":[{"type":"input_text","text":"x"}]}"#,
    ] {
        assert!(ItemOutline::look(text).is_some(), "{text}");
    }
}

#[test]
fn what_is_odd_is_in_doubt() {
    for text in [
        r#"{"role":"user","type":"message","content":[]}"#,
        r#"{"type":"message","role":"user"}"#,
        r#"{"type":"message","role":null,"content":[]}"#,
        r#"{"type":"message","role":"user","content":"text"}"#,
        r#"{"type":"message","role":"user","content":[],"content":[]}"#,
        r#"{"type":"message","role":"user","c\u006fntent":1,"content":[]}"#,
        r#"{"type":"message","role":"user","content":[{"type":"input_text"}]}"#,
        r#"{"type":"message","role":"user","content":[{"text":"x","type":"input_text"}]}"#,
        r#"{"type":"message","role":"user","content":[],"internal_chat_message_metadata_passthrough":{"create_time":1e400}}"#,
        r#"{"type":"function_call","name":"a","arguments":{},"call_id":"c"}"#,
        r#"{"type":"function_call","name":"a","arguments":"","call_id":"c","encrypted_function_args":7}"#,
        r#"{"type":"message","role":"user","content":[]} x"#,
        r#"{"type":"web_search_call"}"#,
        "[]",
        "",
    ] {
        assert!(ItemOutline::look(text).is_none(), "{text}");
    }
}

/// An item with one member of its own, or of one of its parts, exchanged for any value.
fn bent_item() -> impl Strategy<Value = String> {
    (item_text(), json_value(), any::<proptest::sample::Index>()).prop_map(
        |(item, value, index)| {
            let values: Vec<&str> = members(&item)
                .flat_map(|member| {
                    let parts = crate::elements(member.value).flat_map(members);
                    let inner = members(member.value).map(|inner| inner.value);
                    std::iter::once(member.value)
                        .chain(parts.map(|part| part.value))
                        .chain(inner)
                        .collect::<Vec<_>>()
                })
                .collect();
            let Some(old) = values.get(index.index(values.len().max(1))) else {
                return value;
            };
            let start = old.as_ptr().addr() - item.as_ptr().addr();
            let mut bent = item.clone();
            bent.replace_range(start..start + old.len(), &value);
            bent
        },
    )
}

proptest! {
    #[test]
    fn what_is_surely_an_item_decodes(text in prop_oneof![item_text(), bent_item()]) {
        if let Some(outline) = ItemOutline::look(&text) {
            let decoded = serde_json::from_str::<ResponseItem>(&text);
            prop_assert!(decoded.is_ok(), "{text}: {decoded:?}");
            prop_assert!(members(&text).eq(outline.members().iter().copied()), "{text}");
        }
    }
}
