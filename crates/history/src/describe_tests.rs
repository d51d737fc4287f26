//! Tests of items in words.

use super::*;

fn check(item: &str) -> String {
    ItemDescription::of(item).to_string()
}

#[test]
fn every_sort_of_item_has_a_shape() {
    let items = [
        r#"{"type":"message","role":"developer","content":[{"type":"input_text","text":"<a>\u0007"},{"type":"input_image","image_url":"data:image/png;base64,AA=="}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["permissions.instructions"]}}"#,
        r#"{"type":"function_call","name":"exec","arguments":"{\"cmd\":\"ls\"}","call_id":"c1"}"#,
        r#"{"type":"function_call_output","call_id":"c1","output":"a\nb"}"#,
        r#"{"type":"custom_tool_call_output","call_id":"c2","output":[{"type":"input_text","text":""}]}"#,
        r#"{"type":"reasoning","summary":[{"type":"summary_text","text":"why"}],"content":null,"encrypted_content":"gAAA"}"#,
        r#"{"type":"web_search_call","action":{"type":"search","query":"q"}}"#,
        r#"{"type":"of_tomorrow","x":1}"#,
        "[1]",
    ];
    let shapes: String = items.map(check).concat();
    insta::assert_snapshot!(shapes, @r#"
    developer message
      [permissions.instructions] <a>\u{7} (4 bytes)
      [input_image] data:image/png;base64,AA== (26 bytes)
    function_call exec c1
      {"cmd":"ls"} (12 bytes)
    function_call_output c1
      a\nb (3 bytes)
    custom_tool_call_output c2
       (0 bytes)
    reasoning
      why (3 bytes)
      [encrypted] gAAA (4 bytes)
    web_search_call
      [action] {"type":"search","query":"q"} (29 bytes)
    of_tomorrow
    not an item
    "#);
}

#[test]
fn a_long_text_is_shown_in_part_with_its_size() {
    let text = "é".repeat(100);
    let item = format!(
        r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{text}"}}]}}"#
    );
    let shape = check(&item);
    assert!(shape.ends_with("é… (200 bytes)\n"), "{shape}");
}
