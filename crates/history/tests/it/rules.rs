//! Rules that no reported fault stands for, each on the smallest history that shows it.

use annals_history::{ContextManager, PromptOptions};
use annals_protocol::{ItemMetadata, RawJson};
use serde_json::{Value, json};

use crate::items::{
    AGENTS, PERMISSIONS, assistant, developer, envelope, history, output, reasoning, repairs_of,
    shapes, shapes_of, text, user,
};

const SUMMARY: &str = "Another language model started to solve this problem and produced a summary of its thinking process.\nhalf done";

fn after_rollback(history: &mut ContextManager, turns: usize) -> Vec<String> {
    let _done = history.drop_last_n_user_turns(turns);
    shapes(&history.for_prompt(PromptOptions::default()))
}

#[test]
fn a_summary_is_known_by_how_it_begins_and_outlives_the_turn_behind_it() {
    let mut history = history(&[user("one"), assistant("re one"), user(SUMMARY), user("two")]);
    assert_eq!(history.n_turns(), 2);
    let kept = ["U\"one\"", "A\"re one\"", &format!("U\"{SUMMARY}\"")];
    assert_eq!(after_rollback(&mut history.clone(), 1), kept);
    // The next compaction takes the users' words and not the last one's.
    let items = history.compaction_items("S", &annals_history::ContextInjection::None);
    history.replace_compacted(items);
    assert_eq!(history.len(), 3);
}

#[test]
fn context_that_a_compaction_put_in_place_belongs_to_no_turn() {
    let mut history = history(&[user("one")]);
    history.replace_compacted(
        [user("one"), developer(&[PERMISSIONS]), user(AGENTS)]
            .iter()
            .map(envelope),
    );
    history.record(
        [envelope(&developer(&[PERMISSIONS])), envelope(&user("two"))],
        None,
    );
    assert_eq!(
        after_rollback(&mut history, 1),
        [
            "U\"one\"",
            &format!("D\"{PERMISSIONS}\""),
            &format!("U\"{AGENTS}\"")
        ]
    );
}

#[test]
fn whatever_the_model_does_keeps_the_reasoning_before_it() {
    let done: [Value; 6] = [
        json!({"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "q"}}),
        json!({"type": "image_generation_call", "status": "completed", "result": "AAAA"}),
        json!({"type": "local_shell_call", "call_id": null, "status": "completed", "action": {"type": "exec", "command": ["ls"]}}),
        json!({"type": "tool_search_call", "call_id": null, "execution": "server", "arguments": {}}),
        json!({"type": "custom_tool_call", "call_id": "c", "name": "exec", "input": ""}),
        json!({"type": "compaction", "encrypted_content": "E"}),
    ];
    for item in done {
        let shown = shapes_of(&[reasoning("a"), item.clone(), user("next")]);
        assert_eq!(shown[0], "R(a)", "{item}");
    }
    // What others say does not, nor does what no prompt shows.
    for item in [
        json!({"type": "agent_message", "author": "a", "recipient": "b", "content": [text("x")]}),
        json!({"type": "ghost_snapshot"}),
        assistant(""),
        output("c", json!("orphan")),
    ] {
        let shown = shapes_of(&[reasoning("a"), item.clone(), user("next")]);
        assert!(!shown.contains(&"R(a)".to_owned()), "{item}");
    }
}

#[test]
fn a_shell_call_whose_id_is_empty_goes_with_its_output() {
    let shell = json!({"type": "local_shell_call", "call_id": "", "status": "completed", "action": {"type": "exec", "command": ["ls"]}});
    let items = [shell, output("", json!("x")), user("next")];
    assert_eq!(shapes_of(&items), ["U\"next\""]);
    assert_eq!(repairs_of(&items), ["0 BadCall", "1 BadCallOutput"]);
}

#[test]
fn keys_and_tags_written_with_escapes_mean_the_same() {
    let parse = |item: &str| RawJson::parse(item).unwrap().into();
    let mut history = ContextManager::new();
    history.record(
        [
            parse(r#"{"\u0074ype":"function\u005fcall","n\u0061me":"f","arguments":"{}","call\u005fid":"c\u0031"}"#),
            parse(r#"{"type":"function_call_output","call_id":"c1","outp\u0075t":"x"}"#),
            parse(r#"{"type":"message","r\u006fle":"\u0075ser","c\u006fntent":[{"type":"input_text","text":"hi"}]}"#),
        ],
        None,
    );
    let prompt = history.for_prompt(PromptOptions::default());
    assert_eq!(prompt.len(), 3);
    assert_eq!(prompt.repairs().len(), 0, "{:?}", prompt.repairs());
    assert_eq!(history.n_turns(), 1);
}

#[test]
fn places_of_inputs_are_never_given_twice() {
    let with = |order: u64| {
        envelope(&user("queued")).with_metadata(ItemMetadata {
            user_input_order: Some(order),
            ..ItemMetadata::default()
        })
    };
    let mut history = ContextManager::new();
    history.record([with(0), with(5), with(1)], None);
    let _done = history.drop_last_n_user_turns(3);
    assert!(history.is_empty());
    assert_eq!(history.reserve_user_input_order(), 6);
    assert_eq!(history.reserve_user_input_order(), 7);
}

#[test]
fn media_in_outputs_become_notices_too_and_what_is_in_their_order_stays() {
    let list = json!([
        text("before"),
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "high"},
        {"type": "input_audio", "audio_url": "data:audio/wav;base64,AAAA"},
        {"type": "encrypted_content", "encrypted_content": "E"},
        text("behind"),
    ]);
    for (call, answer) in [
        (crate::items::call("c"), output("c", list.clone())),
        (
            crate::items::custom("c"),
            crate::items::custom_output("c", list.clone()),
        ),
    ] {
        let mut history = history(&[call, answer]);
        let options = PromptOptions::default().without_images().without_audio();
        let prompt = history.for_prompt(options);
        let shown: Value = serde_json::from_str(&prompt.get(1).unwrap().to_text()).unwrap();
        assert_eq!(
            shown["output"],
            json!([
                text("before"),
                text("image content omitted because you do not support image input"),
                text("audio content omitted because you do not support audio input"),
                {"type": "encrypted_content", "encrypted_content": "E"},
                text("behind"),
            ])
        );
    }
}

#[test]
fn an_empty_item_id_is_none_and_ids_are_left_out_of_stand_ins_too() {
    let mut empty = crate::items::call("c");
    empty["id"] = json!("");
    let stand_in = |call: Value, options: PromptOptions| -> Value {
        let prompt = history(&[call]).for_prompt(options);
        serde_json::from_str(&prompt.get(1).unwrap().to_text()).unwrap()
    };
    let none = crate::items::call("c");
    let options = PromptOptions::default();
    assert_eq!(stand_in(empty, options), stand_in(none.clone(), options));
    assert_eq!(
        stand_in(none, options.without_ids()),
        json!({"type": "function_call_output", "call_id": "c", "output": "aborted"})
    );
}

#[test]
fn kinds_stay_beside_their_parts_when_one_is_left_out() {
    let mut message = crate::items::message("user", &[text("a"), text(""), text("b")]);
    message["internal_chat_message_metadata_passthrough"] =
        json!({"content_item_kinds": ["user.text", "x.empty", "y.last"]});
    let prompt = history(&[message]).for_prompt(PromptOptions::default().with_metadata());
    let shown: Value = serde_json::from_str(&prompt.get(0).unwrap().to_text()).unwrap();
    let kinds = &shown["internal_chat_message_metadata_passthrough"]["content_item_kinds"];
    assert_eq!(kinds, &json!(["user.text", "y.last"]));
    assert_eq!(shown["content"], json!([text("a"), text("b")]));
}

#[test]
fn sound_in_an_output_is_charged_and_counted_when_it_is_too_much() {
    let sound = json!({"type": "input_audio", "audio_url": format!("data:audio/wav;base64,{}", "A".repeat(400))});
    let policy = annals_protocol::TruncationPolicy {
        mode: annals_protocol::TruncationMode::Bytes,
        limit: 100,
    };
    let mut history = ContextManager::new();
    let list = json!([text("a"), sound, text("b")]);
    history.record(
        [
            envelope(&crate::items::call("c")),
            envelope(&output("c", list)),
        ],
        Some(&policy),
    );
    let shown = shapes(&history.for_prompt(PromptOptions::default()));
    assert!(
        shown[1].ends_with("[omitted 1 audio items ...]"),
        "{shown:?}"
    );
    assert!(!shown[1].contains("[audio]"), "{shown:?}");
}

#[test]
fn a_compaction_keeps_no_empty_message_and_says_when_there_is_no_summary() {
    let history = history(&[user("one"), user("")]);
    let items = history.compaction_items(" \n", &annals_history::ContextInjection::None);
    assert_eq!(items.len(), 2);
    assert!(items[1].raw().as_str().contains("(no summary available)"));
}

#[test]
fn a_rollback_voids_the_measure() {
    let mut history = history(&[user("one"), assistant("re one"), user("two")]);
    history.set_measured_tokens(50_000);
    let _done = history.drop_last_n_user_turns(1);
    let count = history.token_count();
    assert_eq!((count.tokens, count.is_estimated), (3, true));
}

#[test]
fn an_old_message_between_agents_is_one_text_and_nothing_else() {
    let envelope = r#"{"author":"/root/a","recipient":"/root","other_recipients":[],"content":"go","trigger_turn":true}"#;
    let part = |text: &str| json!({"type": "output_text", "text": text});
    assert_eq!(history(&[assistant(envelope)]).n_turns(), 1);
    for parts in [
        vec![part(envelope), part("more")],
        vec![part("author: /root/a\nrecipient: /root\ncontent: go")],
        vec![part(&envelope.replace("trigger_turn", "other"))],
        vec![part(envelope.trim_end_matches('}'))],
    ] {
        let said = crate::items::message("assistant", &parts);
        assert_eq!(history(std::slice::from_ref(&said)).n_turns(), 0, "{said}");
    }
}

#[test]
fn a_malformed_call_that_is_rolled_back_takes_no_use_of_its_id_away() {
    let malformed = json!({"type": "function_call", "name": "run", "call_id": "c"});
    let call = crate::items::call("c");
    let mut rolled = history(&[call.clone(), user("one"), malformed]);
    let _done = rolled.drop_last_n_user_turns(1);
    rolled.record([envelope(&call)], None);
    let mut straight = history(&[call.clone(), call]);
    let options = PromptOptions::default();
    assert_eq!(
        rolled.for_prompt(options).to_vec(),
        straight.for_prompt(options).to_vec()
    );
}
