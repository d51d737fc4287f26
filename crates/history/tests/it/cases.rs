//! Faults that such histories have been seen to have, each with the right result.

use annals_history::{ContextManager, DivergenceCause, PromptItem, PromptOptions};
use annals_protocol::{ItemMetadata, TruncationMode, TruncationPolicy};
use serde_json::{Value, json};

use crate::items::{
    assistant, call, custom_output, developer, envelope, history, image, message, output,
    reasoning, repairs_of, shapes, shapes_of, text, user,
};

#[test]
fn b36_outputs_without_a_call_are_left_out() {
    let items = [
        output("c9", json!("late")),
        user("hello"),
        assistant("hi"),
        custom_output("c8", json!("x")),
    ];
    assert_eq!(shapes_of(&items), ["U\"hello\"", "A\"hi\""]);
    assert_eq!(repairs_of(&items), ["0 OrphanOutput", "3 OrphanOutput"]);
}

#[test]
fn b37_only_the_missing_one_of_parallel_outputs_is_filled_in() {
    let items = [
        user("check three"),
        call("a"),
        call("b"),
        call("c"),
        output("a", json!("A")),
        output("c", json!("C")),
        assistant("done"),
    ];
    assert_eq!(
        shapes_of(&items),
        [
            "U\"check three\"",
            "FC(a)",
            "FC(b)",
            "FO(b)=aborted",
            "FC(c)",
            "FO(a)=A",
            "FO(c)=C",
            "A\"done\""
        ]
    );
    assert_eq!(repairs_of(&items), ["2 StandIn"]);
}

#[test]
fn b39_the_first_of_two_outputs_stays() {
    let items = [
        user("run"),
        call("c1"),
        output("c1", json!("real")),
        output("c1", json!("again")),
        assistant("ok"),
    ];
    assert_eq!(
        shapes_of(&items),
        ["U\"run\"", "FC(c1)", "FO(c1)=real", "A\"ok\""]
    );
    assert_eq!(repairs_of(&items), ["3 DuplicateOutput"]);
}

#[test]
fn b41_an_output_before_its_call_is_shown_behind_it() {
    let items = [
        user("run"),
        output("c1", json!("early")),
        call("c1"),
        assistant("ok"),
    ];
    assert_eq!(
        shapes_of(&items),
        ["U\"run\"", "FC(c1)", "FO(c1)=early", "A\"ok\""]
    );
    assert_eq!(repairs_of(&items), ["1 OutputMoved"]);
}

#[test]
fn an_output_of_an_earlier_turn_never_answers_a_later_call() {
    let items = [output("c1", json!("early")), user("run"), call("c1")];
    assert_eq!(shapes_of(&items), ["U\"run\"", "FC(c1)", "FO(c1)=aborted"]);
}

#[test]
fn a_call_id_used_again_is_another_call() {
    let items = [
        user("one"),
        call("c1"),
        output("c1", json!("first")),
        user("two"),
        call("c1"),
        user("three"),
        call("c1"),
        output("c1", json!("third")),
    ];
    assert_eq!(
        shapes_of(&items),
        [
            "U\"one\"",
            "FC(c1)",
            "FO(c1)=first",
            "U\"two\"",
            "FC(c1)",
            "FO(c1)=aborted",
            "U\"three\"",
            "FC(c1)",
            "FO(c1)=third"
        ]
    );
}

#[test]
fn stand_ins_of_one_call_id_have_ids_of_their_own() {
    let mut history = history(&[call("c1"), user("x"), call("c1")]);
    let prompt = history.for_prompt(PromptOptions::default());
    let ids: Vec<Value> = prompt
        .iter()
        .filter(PromptItem::is_stand_in)
        .map(|item| serde_json::from_str::<Value>(&item.to_text()).unwrap()["id"].clone())
        .collect();
    assert_eq!(ids.len(), 2);
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn the_bytes_of_stand_ins_never_change() {
    let mut with_id = call("call_1");
    with_id["id"] = json!("fc_1");
    let shell = json!({"type": "local_shell_call", "call_id": "sh", "status": "completed", "action": {"type": "exec", "command": ["ls"]}});
    let search = json!({"type": "tool_search_call", "call_id": "ts", "execution": "client", "arguments": {}});
    let custom =
        json!({"type": "custom_tool_call", "name": "x", "input": "\"", "call_id": "q\"\\"});
    let mut history = history(&[with_id, call("call_1"), shell, search, custom]);
    let prompt = history.for_prompt(PromptOptions::default());
    let stand_ins: Vec<String> = prompt
        .iter()
        .filter(PromptItem::is_stand_in)
        .map(|item| item.to_text())
        .collect();
    insta::assert_snapshot!(stand_ins.join("\n"));
}

#[test]
fn what_has_no_call_id_stands_alone() {
    let items = [
        json!({"type": "function_call_output", "name": "goal", "namespace": "agent", "output": "external"}),
        json!({"type": "local_shell_call", "call_id": null, "status": "completed", "action": {"type": "exec", "command": ["ls"]}}),
        json!({"type": "tool_search_output", "call_id": "s1", "status": "completed", "execution": "server", "tools": []}),
        json!({"type": "tool_search_output", "call_id": "s2", "status": "completed", "execution": "client", "tools": []}),
    ];
    assert_eq!(
        shapes_of(&items),
        ["FO()=external", "LS()", "tool_search_output(s1)"]
    );
    assert_eq!(repairs_of(&items), ["3 OrphanOutput"]);
}

#[test]
fn outputs_of_another_kind_answer_nothing() {
    let items = [call("c1"), custom_output("c1", json!("x"))];
    assert_eq!(shapes_of(&items), ["FC(c1)", "FO(c1)=aborted"]);
}

#[test]
fn b43_reasoning_with_nothing_behind_it_is_left_out() {
    let items = [
        user("one"),
        reasoning("a"),
        user("two"),
        reasoning("b"),
        reasoning("c"),
        assistant("answer"),
        reasoning("tail"),
    ];
    assert_eq!(
        shapes_of(&items),
        ["U\"one\"", "U\"two\"", "R(b)", "R(c)", "A\"answer\""]
    );
    assert_eq!(repairs_of(&items), ["1 DanglingReasoning"]);
}

#[test]
fn b47_an_unreadable_image_becomes_a_text() {
    let items = [
        message("user", &[text("look"), image("data:image;base64,QUJD")]),
        user("skip that"),
        assistant("ok"),
    ];
    assert_eq!(
        shapes_of(&items),
        [
            "U\"look|image content omitted because it could not be processed\"",
            "U\"skip that\"",
            "A\"ok\""
        ]
    );
    assert_eq!(repairs_of(&items), ["0 BadImage"]);
}

#[test]
fn b49_messages_without_text_are_left_out_and_blanks_stay() {
    let items = [
        user("touch it"),
        assistant(""),
        call("c1"),
        output("c1", json!("")),
        assistant("done"),
        user(""),
        user(" "),
        message("user", &[text("c"), text("")]),
        output("c2", json!([])),
    ];
    assert_eq!(
        shapes_of(&items),
        [
            "U\"touch it\"",
            "FC(c1)",
            "FO(c1)=",
            "A\"done\"",
            "U\" \"",
            "U\"c\""
        ]
    );
}

#[test]
fn empty_parts_of_an_outputs_list_are_left_out() {
    let items = [
        call("c1"),
        output("c1", json!([text(""), text("x"), text("")])),
    ];
    assert_eq!(shapes_of(&items), ["FC(c1)", "FO(c1)=x"]);
    assert_eq!(repairs_of(&items), ["1 EmptyPart"]);
}

#[test]
fn b55_system_messages_stay_in_the_history_alone() {
    let items = [
        message("system", &[text("old")]),
        developer(&["rules"]),
        user("hi"),
    ];
    assert_eq!(shapes_of(&items), ["D\"rules\"", "U\"hi\""]);
    assert_eq!(repairs_of(&items), ["0 SystemMessage"]);
    assert_eq!(history(&items).len(), 3);
}

#[test]
fn b57_both_halves_of_a_bad_pair_are_left_out() {
    let bad = json!({"type": "function_call", "name": "", "arguments": "{}", "call_id": "c1"});
    let items = [
        user("go"),
        bad.clone(),
        output("c1", json!("unknown tool")),
        assistant("ok"),
    ];
    assert_eq!(shapes_of(&items), ["U\"go\"", "A\"ok\""]);
    assert_eq!(repairs_of(&items), ["1 BadCall", "2 BadCallOutput"]);
    let early = [output("c1", json!("early")), bad];
    assert_eq!(shapes_of(&early), Vec::<String>::new());
}

#[test]
fn b60_an_orphan_is_found_anywhere() {
    let items = [
        developer(&["rules"]),
        output("c1", json!("x")),
        user("hi"),
        assistant("ok"),
    ];
    assert_eq!(shapes_of(&items), ["D\"rules\"", "U\"hi\"", "A\"ok\""]);
}

#[test]
fn b51_an_output_is_shortened_once_and_never_again() {
    let policy = TruncationPolicy {
        mode: TruncationMode::Bytes,
        limit: 2_000,
    };
    let long = "y".repeat(12_000);
    let mut history = ContextManager::new();
    history.record(
        [envelope(&call("c1")), envelope(&output("c1", json!(long)))],
        Some(&policy),
    );
    let first = history.for_prompt(PromptOptions::default());
    let shown = first.get(1).unwrap().to_text();
    assert!(shown.contains("…9600 chars truncated…"), "{}", shown.len());
    for turn in 0..3 {
        history.record([envelope(&user(&"x".repeat(5_000 * turn)))], Some(&policy));
        let later = history.for_prompt(PromptOptions::default());
        assert_eq!(later.get(1).unwrap().to_text(), shown);
        assert!(later.compare(&first).is_prefix());
    }
    let mut resumed = ContextManager::new();
    resumed.record(
        [call("c1"), output("c1", json!(long))].iter().map(envelope),
        Some(&policy),
    );
    assert_eq!(
        resumed
            .for_prompt(PromptOptions::default())
            .get(1)
            .unwrap()
            .to_text(),
        shown
    );
}

#[test]
fn an_items_own_budget_wins_and_needs_no_allowance() {
    let metadata = ItemMetadata {
        fallback_token_limit_override: Some(200),
        ..ItemMetadata::default()
    };
    let long = output("c1", json!("z".repeat(4_000)));
    let policy = TruncationPolicy {
        mode: TruncationMode::Tokens,
        limit: 4,
    };
    let mut history = ContextManager::new();
    history.record(
        [
            envelope(&call("c1")),
            envelope(&long).with_metadata(metadata),
        ],
        Some(&policy),
    );
    history.record(
        [
            envelope(&call("c2")),
            envelope(&output("c2", json!("z".repeat(100)))),
        ],
        Some(&policy),
    );
    let shown = shapes(&history.for_prompt(PromptOptions::default()));
    assert_eq!(
        shown[1],
        format!(
            "FO(c1)={}…800 tokens truncated…{}",
            "z".repeat(400),
            "z".repeat(400)
        )
    );
    assert_eq!(
        shown[3],
        format!(
            "FO(c2)={}…20 tokens truncated…{}",
            "z".repeat(10),
            "z".repeat(10)
        )
    );
}

#[test]
fn parts_of_an_output_share_one_budget() {
    let policy = TruncationPolicy {
        mode: TruncationMode::Bytes,
        limit: 10,
    };
    let list = json!([
        text("123456789"),
        image("data:image/png;base64,AAAA"),
        text("abcdefgh"),
        text("gone")
    ]);
    let mut history = ContextManager::new();
    history.record(
        [envelope(&call("c1")), envelope(&output("c1", list))],
        Some(&policy),
    );
    let shown = shapes(&history.for_prompt(PromptOptions::default()));
    assert_eq!(
        shown[1],
        "FO(c1)=123456789|[image]|a…5 chars truncated…gh|[omitted 1 text items ...]"
    );
}

#[test]
fn media_that_a_model_does_not_take_become_notices() {
    let audio = json!({"type": "input_audio", "audio_url": "data:audio/wav;base64,AAAA"});
    let mut picture = message(
        "user",
        &[text("look"), image("data:image/png;base64,AAAA"), audio],
    );
    picture["internal_chat_message_metadata_passthrough"] =
        json!({"content_item_kinds": ["user.text", "user.image", "user.audio"], "turn_id": "t"});
    let made = json!({"type": "image_generation_call", "status": "completed", "result": "AAAA"});
    let mut history = history(&[picture, made]);
    let bare = PromptOptions::default().without_images().without_audio();
    let texts = |prompt: annals_history::Prompt| {
        prompt
            .iter()
            .map(|item| item.to_text())
            .collect::<Vec<_>>()
            .join("\n")
    };
    insta::assert_snapshot!(
        [
            texts(history.for_prompt(PromptOptions::default())),
            texts(history.for_prompt(bare)),
            texts(history.for_prompt(bare.with_metadata())),
            texts(history.for_prompt(PromptOptions::default().without_detail().with_metadata())),
        ]
        .join("\n---\n")
    );
}

#[test]
fn ids_and_metadata_go_as_asked_and_bytes_stay() {
    let raw = r#"{"type":"message","id":"msg_1","role":"user","content":[{"type":"input_text","text":"\u00e9 \/"}],"internal_chat_message_metadata_passthrough":{"turn_id":"t"}}"#;
    let first = r#"{"internal_chat_message_metadata_passthrough":{"x":[1,{}]},"type":"message","role":"user","content":[{"type":"input_text","text":",\"internal_chat_message_metadata_passthrough\":"}]}"#;
    let only = r#"{"type":"message","internal_chat_message_metadata_passthrough" : {} , "role":"user","content":[{"type":"input_text","text":"x"}]}"#;
    let mut history = ContextManager::new();
    for raw in [raw, first, only] {
        history.record([annals_protocol::RawJson::parse(raw).unwrap().into()], None);
    }
    let texts = |prompt: annals_history::Prompt| {
        prompt.iter().map(|item| item.to_text()).collect::<Vec<_>>()
    };
    assert_eq!(
        texts(history.for_prompt(PromptOptions::default())),
        [
            r#"{"type":"message","id":"msg_1","role":"user","content":[{"type":"input_text","text":"\u00e9 \/"}]}"#,
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":",\"internal_chat_message_metadata_passthrough\":"}]}"#,
            r#"{"type":"message" , "role":"user","content":[{"type":"input_text","text":"x"}]}"#,
        ]
    );
    assert_eq!(
        texts(history.for_prompt(PromptOptions::default().with_metadata())),
        [raw, first, only]
    );
    assert_eq!(
        texts(history.for_prompt(PromptOptions::default().without_ids()))[0],
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"\u00e9 \/"}]}"#
    );
}

#[test]
fn a_late_output_breaks_the_prefix_where_its_stand_in_was_and_says_so() {
    let mut history = history(&[user("a"), call("c1"), user("b")]);
    let before = history.for_prompt(PromptOptions::default());
    history.record([envelope(&output("c1", json!("late")))], None);
    let after = history.for_prompt(PromptOptions::default());
    let report = after.compare(&before);
    let divergence = report.divergence.unwrap();
    assert_eq!(
        (divergence.item_idx, divergence.cause),
        (2, DivergenceCause::LateOutput)
    );
    let same: usize = before.iter().take(2).map(|item| item.len_bytes()).sum();
    assert_eq!(divergence.byte_offset, same as u64);
    assert_eq!(
        shapes(&after),
        ["U\"a\"", "FC(c1)", "U\"b\"", "FO(c1)=late"]
    );
}

#[test]
fn every_cause_of_a_break_is_named() {
    let mut live = history(&[user("a"), assistant("b"), user("c")]);
    let before = live.for_prompt(PromptOptions::default());
    let cause = |later: &annals_history::Prompt| {
        later
            .compare(&before)
            .divergence
            .map(|divergence| divergence.cause)
    };
    assert_eq!(
        cause(&live.clone().for_prompt(PromptOptions::default())),
        None
    );
    let mut rolled = live.clone();
    let _done = rolled.drop_last_n_user_turns(1);
    assert_eq!(
        cause(&rolled.for_prompt(PromptOptions::default())),
        Some(DivergenceCause::Rollback)
    );
    let mut compacted = live.clone();
    compacted.replace_compacted([envelope(&user("summary"))]);
    assert_eq!(
        cause(&compacted.for_prompt(PromptOptions::default())),
        Some(DivergenceCause::Compaction)
    );
    let other = history(&[user("x")]).for_prompt(PromptOptions::default());
    assert_eq!(cause(&other), Some(DivergenceCause::Foreign));
    let mut with_id = user("a");
    with_id["id"] = json!("msg_1");
    let mut ids = history(&[with_id]);
    let whole = ids.for_prompt(PromptOptions::default());
    let bare = ids.for_prompt(PromptOptions::default().without_ids());
    assert_eq!(
        bare.compare(&whole).divergence.unwrap().cause,
        DivergenceCause::Options
    );
}

#[test]
fn b54_estimates_are_marked_never_zero_and_never_fall() {
    let mut history = history(&[user("hello")]);
    history.set_measured_tokens(50_000);
    assert_eq!(
        (
            history.token_count().tokens,
            history.token_count().is_estimated
        ),
        (50_000, false)
    );
    history.replace_compacted([envelope(&user("要約")), envelope(&assistant("了解"))]);
    let compacted = history.token_count();
    assert!(compacted.is_estimated && compacted.tokens > 0);
    history.record([envelope(&user("続けて"))], None);
    assert!(history.token_count().tokens > compacted.tokens);
    history.set_measured_tokens(7);
    assert_eq!(
        (
            history.token_count().tokens,
            history.token_count().is_estimated
        ),
        (7, false)
    );
}

#[test]
fn a_clone_has_a_future_of_its_own() {
    let mut one = history(&[user("a"), call("c1")]);
    let mut two = one.clone();
    one.record([envelope(&output("c1", json!("x")))], None);
    two.record([envelope(&user("b"))], None);
    assert_eq!(
        shapes(&one.for_prompt(PromptOptions::default())),
        ["U\"a\"", "FC(c1)", "FO(c1)=x"]
    );
    assert_eq!(
        shapes(&two.for_prompt(PromptOptions::default())),
        ["U\"a\"", "FC(c1)", "FO(c1)=aborted", "U\"b\""]
    );
}

#[test]
fn chunks_are_the_bytes_and_none_is_empty() {
    let mut history = history(&[user("a"), call("c1"), assistant("b")]);
    let prompt = history.for_prompt(PromptOptions::default());
    let mut written = Vec::new();
    prompt.write_to(&mut written).unwrap();
    assert_eq!(written, prompt.to_vec());
    assert!(prompt.chunks().all(|chunk| !chunk.is_empty()));
    let empty = ContextManager::new().for_prompt(PromptOptions::default());
    assert_eq!(
        (empty.to_vec().as_slice(), empty.len_bytes()),
        (b"[]".as_slice(), 2)
    );
}
