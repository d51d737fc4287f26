//! Stamps: what is missing is added, in the usual order; what is there stays byte for byte.

use annals_protocol::{RawJson, TruncationPolicy};
use uuid::Uuid;

use super::{noted, stamped};
use crate::Ambient;

#[derive(Debug)]
struct Fixed;

impl Ambient for Fixed {
    fn now_unix_ms(&self) -> u64 {
        1_796_089_954_007
    }
    fn new_id(&self) -> Uuid {
        Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001)
    }
}

fn check(item: &str, expect: &str) {
    let stamped = stamped(&RawJson::parse(item).unwrap(), Some("t1"), &Fixed);
    assert_eq!(stamped.as_str(), expect);
}

#[test]
fn what_an_item_lacks_is_added() {
    check(
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"x"}]}"#,
        r#"{"type":"message","id":"msg_01900000-0000-7000-8000-000000000001","role":"user","content":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"x"}],"internal_chat_message_metadata_passthrough":{"turn_id":"t1","create_time":1796089954.007,"content_item_kinds":["user.text","user.image"]}}"#,
    );
    check(
        r#"{"type":"function_call","status":"completed","name":"ls","arguments":"{}","call_id":"c"}"#,
        r#"{"type":"function_call","status":"completed","id":"fc_01900000-0000-7000-8000-000000000001","name":"ls","arguments":"{}","call_id":"c","internal_chat_message_metadata_passthrough":{"turn_id":"t1"}}"#,
    );
    check(
        r#"{"type":"message","id":"","role":"assistant","content":[{"type":"output_text","text":"a"}]}"#,
        r#"{"type":"message","id":"msg_01900000-0000-7000-8000-000000000001","role":"assistant","content":[{"type":"output_text","text":"a"}],"internal_chat_message_metadata_passthrough":{"turn_id":"t1","content_item_kinds":["unknown"]}}"#,
    );
}

#[test]
fn what_an_item_has_stays() {
    check(
        r#"{"type":"reasoning","id":"rs_1","summary":[],"content":null,"encrypted_content":"E","x":1.50}"#,
        r#"{"type":"reasoning","id":"rs_1","summary":[],"content":null,"encrypted_content":"E","x":1.50,"internal_chat_message_metadata_passthrough":{"turn_id":"t1"}}"#,
    );
    for item in [
        r#"{"type":"configuration_update","reasoning":{"effort":"high"}}"#,
        r#"{"type":"from_the_future","id":"","x":[1, 2]}"#,
        r#"{"type":"function_call","id":"fc_1","name":"ls","arguments":"{}","call_id":"c","internal_chat_message_metadata_passthrough":{"turn_id":"t0"}}"#,
        "[1]",
    ] {
        check(item, item);
    }
    check(
        r#"{"type":"message","id":"m","role":"developer","content":[],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["a.b"],"cell_id":"z"}}"#,
        r#"{"type":"message","id":"m","role":"developer","content":[],"internal_chat_message_metadata_passthrough":{"turn_id":"t1","create_time":1796089954.007,"content_item_kinds":["a.b"],"cell_id":"z"}}"#,
    );
}

#[test]
fn an_output_carries_the_budget_that_it_is_cut_to() {
    let budget = |policy: Option<&TruncationPolicy>| {
        let item = RawJson::parse(r#"{"type":"function_call_output","call_id":"c","output":"x"}"#);
        noted(None, &item.unwrap(), 1, 0, policy).fallback_token_limit_override
    };
    assert_eq!(budget(None), Some(12_000));
    assert_eq!(budget(Some(&TruncationPolicy::tokens(4))), Some(5));
    assert_eq!(budget(Some(&TruncationPolicy::bytes(2_001))), Some(602));
    let call =
        RawJson::parse(r#"{"type":"function_call","name":"x","arguments":"","call_id":"c"}"#);
    assert_eq!(
        noted(None, &call.unwrap(), 1, 0, None).fallback_token_limit_override,
        None
    );
}
