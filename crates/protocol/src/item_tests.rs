//! Tests of the typed items: the shape of each kind, and the quirks of the wire.

use super::*;
use crate::{Lossless, RawJson};

/// Reads an item, checks that the typed view alone writes the same JSON, and returns it.
fn check(text: &str) -> ResponseItem {
    let item: Lossless<ResponseItem> =
        Lossless::parse(RawJson::parse(text).expect("valid")).expect("decodes");
    assert_eq!(serde_json::to_string(item.typed()).expect("encodes"), text);
    item.into_parts().1
}

#[test]
fn every_kind_writes_what_it_read() {
    let kinds = [
        r#"{"type":"message","status":"completed","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"x","annotations":[],"logprobs":[]}],"phase":"final_answer","internal_chat_message_metadata_passthrough":{"turn_id":"t","create_time":1796089904.0127313,"content_item_kinds":["unknown"]}}"#,
        r#"{"type":"message","role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,AA==","detail":"high"},{"type":"input_image","file_id":"f"},{"type":"input_audio","audio_url":"u"}]}"#,
        r#"{"type":"agent_message","author":"/root/a","recipient":"/root","content":[{"type":"input_text","text":"x"},{"type":"encrypted_content","encrypted_content":"e"}]}"#,
        r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"s"}],"content":null,"encrypted_content":"e"}"#,
        r#"{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"r"},{"type":"text","text":"t"}],"encrypted_content":null}"#,
        r#"{"type":"local_shell_call","id":"lsh_1","call_id":null,"status":"in_progress","action":{"type":"exec","command":["ls"],"timeout_ms":null,"working_directory":"/p","env":{"A":"b"},"user":null}}"#,
        r#"{"type":"function_call","status":"completed","id":"fc_1","name":"f","namespace":"n","arguments":"{}","encrypted_function_args":["e"],"call_id":"c"}"#,
        r#"{"type":"function_call_output","id":"fco_1","call_id":"c","output":"text"}"#,
        r#"{"type":"function_call_output","name":"note","namespace":"agent","output":[{"type":"input_text","text":"x"}]}"#,
        r#"{"type":"custom_tool_call","id":"ctc_1","status":"completed","call_id":"c","name":"exec","input":"ls"}"#,
        r#"{"type":"custom_tool_call_output","id":"ctco_1","call_id":"c","name":"exec","output":[{"type":"input_text","text":"x"},{"type":"encrypted_content","encrypted_content":"e"}]}"#,
        r#"{"type":"tool_search_call","id":"tsc_1","call_id":"c","status":"completed","execution":"client","arguments":{"q":[1]}}"#,
        r#"{"type":"tool_search_output","id":"tso_1","call_id":null,"status":"completed","execution":"server","tools":[{"name":"x"}]}"#,
        r#"{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q","queries":["a"]}}"#,
        r#"{"type":"web_search_call","action":{"type":"open_page","url":"u"}}"#,
        r#"{"type":"web_search_call","action":{"type":"find_in_page","url":"u","pattern":"p"}}"#,
        r#"{"type":"image_generation_call","id":"ig_1","status":"completed","revised_prompt":"p","result":"AA=="}"#,
        r#"{"type":"compaction","id":"cmp_1","encrypted_content":"e"}"#,
        r#"{"type":"context_compaction","encrypted_content":"e"}"#,
        r#"{"type":"configuration_update","reasoning":{"effort":"high"}}"#,
        r#"{"type":"compaction_trigger"}"#,
        r#"{"type":"additional_tools","id":"at_1","role":"developer","tools":[{"type":"function"}]}"#,
        r#"{"type":"ghost_snapshot","ghost_commit":{"id":"x"}}"#,
    ];
    for text in kinds {
        let item = check(text);
        assert_ne!(item.item_type(), ItemType::Other, "{text}");
        assert_eq!(item.item_type().tag(), Some(item.tag()));
    }
}

#[test]
fn reasoning_content_without_reasoning_text_is_left_out() {
    let text = r#"{"type":"reasoning","summary":[],"content":[{"type":"text","text":"t"}],"encrypted_content":null}"#;
    let item: ResponseItem = serde_json::from_str(text).expect("decodes");
    insta::assert_snapshot!(serde_json::to_string(&item).expect("encodes"), @r#"{"type":"reasoning","summary":[],"encrypted_content":null}"#);
}

#[test]
fn the_former_name_of_a_compaction_reads_as_the_same() {
    let item: ResponseItem =
        serde_json::from_str(r#"{"type":"compaction_summary","encrypted_content":"e"}"#)
            .expect("decodes");
    assert_eq!(item.item_type(), ItemType::Compaction);
}

#[test]
fn an_empty_id_counts_as_none() {
    let item = check(r#"{"type":"message","id":"","role":"user","content":[]}"#);
    assert_eq!(item.id(), None);
}

#[test]
fn the_oldest_shape_of_an_output_reads_as_its_text() {
    let text =
        r#"{"type":"function_call_output","call_id":"c","output":{"content":"x","success":true}}"#;
    let item: ResponseItem = serde_json::from_str(text).expect("decodes");
    let ResponseItem::FunctionCallOutput(output) = item else {
        panic!("another kind")
    };
    assert_eq!(output.output, OutputPayload::Text("x".to_owned()));
}

#[test]
fn kinds_of_another_shape_read_as_none() {
    for (kinds, expected) in [
        (r#"["a","b"]"#, Some(vec!["a".to_owned(), "b".to_owned()])),
        ("[]", Some(Vec::new())),
        (r#""user.text""#, None),
        (r#"["a",1,"b"]"#, None),
        (r#"["a",{"x":[1]},[],null,true,-1,1.5]"#, None),
        (r#"{"a":["b"]}"#, None),
        ("null", None),
        ("-1.5", None),
        ("7", None),
        ("false", None),
    ] {
        let text = format!(
            r#"{{"type":"message","role":"user","content":[],"internal_chat_message_metadata_passthrough":{{"content_item_kinds":{kinds},"turn_id":"t"}}}}"#
        );
        let item: ResponseItem = serde_json::from_str(&text).expect("decodes");
        let metadata = item.metadata().expect("there");
        assert_eq!(metadata.content_item_kinds, expected, "{kinds}");
        assert_eq!(metadata.turn_id.as_deref(), Some("t"), "{kinds}");
    }
}

#[test]
fn a_head_tells_what_an_item_is() {
    let text = r#"{"type":"custom_tool_call_output","id":"","call_id":"c\u0061","output":"[{\"type\":\"x\"}]","encrypted_content":null}"#;
    let head = ItemHead::scan(text).expect("an item");
    assert_eq!(head.item_type, ItemType::CustomToolCallOutput);
    assert_eq!(head.id, None);
    assert_eq!(head.call_id.as_deref(), Some("ca"));
    assert_eq!(head.output, Some(r#""[{\"type\":\"x\"}]""#));
    assert_eq!(head.encrypted_content, None);
    for text in ["[]", "{}", r#"{"type":1}"#, "\"type\""] {
        assert_eq!(ItemHead::scan(text), None, "{text}");
    }
}
