//! What compactions are made from and what they leave.

use annals_history::{ContextInjection, ContextManager, PromptOptions};
use annals_protocol::RawJson;
use serde_json::json;

use crate::items::{
    AGENTS, PERMISSIONS, assistant, call, developer, envelope, history, image, message, output,
    shapes, text, user,
};

const LEAD_IN: &str = "Another language model started to solve this problem and produced a summary of its thinking process.\n";

fn instruction() -> RawJson {
    RawJson::parse(user("Summarize.").to_string()).unwrap()
}

fn compacted(history: &mut ContextManager, injection: &ContextInjection) -> Vec<String> {
    let items = history.compaction_items("S", injection);
    history.replace_compacted(items);
    shapes(&history.for_prompt(PromptOptions::default()))
}

#[test]
fn injected_context_and_old_summaries_are_no_users_words() {
    let mut history = history(&[
        developer(&[PERMISSIONS]),
        user(AGENTS),
        user("one"),
        assistant("re one"),
        call("c1"),
        output("c1", json!("x")),
        user("two"),
    ]);
    let summary = format!("U\"{LEAD_IN}S\"");
    assert_eq!(
        compacted(&mut history, &ContextInjection::None),
        ["U\"one\"", "U\"two\"", &summary]
    );
    history.record([envelope(&user("three"))], None);
    let context = ContextInjection::BeforeLastUserMessage(vec![envelope(&user(AGENTS))]);
    assert_eq!(
        compacted(&mut history, &context),
        [
            "U\"one\"",
            "U\"two\"",
            &format!("U\"{AGENTS}\""),
            "U\"three\"",
            &summary
        ]
    );
    assert_eq!(history.n_turns(), 3);
}

#[test]
fn without_a_message_the_context_stands_before_the_summary() {
    let mut history = history(&[assistant("alone")]);
    let context = ContextInjection::BeforeLastUserMessage(vec![envelope(&user(AGENTS))]);
    assert_eq!(
        compacted(&mut history, &context),
        [format!("U\"{AGENTS}\""), format!("U\"{LEAD_IN}S\"")]
    );
}

#[test]
fn the_newest_messages_are_kept_and_the_first_that_is_too_much_is_cut() {
    let long = "a".repeat(60_000);
    let mut history = history(&[
        user("gone"),
        user(&long),
        message("user", &[text("look"), image("data:image/png;base64,AAAA")]),
        user(&"b".repeat(40_000)),
    ]);
    let shown = compacted(&mut history, &ContextInjection::None);
    assert_eq!(shown.len(), 4);
    assert!(
        shown[0].contains("…5001 tokens truncated…"),
        "{}",
        shown[0].len()
    );
    assert_eq!(shown[1], "U\"look\"");
    assert_eq!(shown[2].len(), 40_003);
}

#[test]
fn a_rollback_past_a_compaction_restores_until_originals_are_forgotten() {
    let start = || {
        let mut history = history(&[user("one"), assistant("re one"), user("two")]);
        let _items = compacted(&mut history, &ContextInjection::None);
        history
    };
    let mut kept = start();
    let done = kept.drop_last_n_user_turns(1);
    assert_eq!(
        (done.undone_compactions, done.dropped_turns, done.kept_items),
        (1, 1, 2)
    );
    assert_eq!(
        shapes(&kept.for_prompt(PromptOptions::default())),
        ["U\"one\"", "A\"re one\""]
    );
    let mut forgotten = start();
    forgotten.forget_originals();
    let done = forgotten.drop_last_n_user_turns(1);
    assert_eq!(done.undone_compactions, 0);
    assert_eq!(
        shapes(&forgotten.for_prompt(PromptOptions::default())),
        ["U\"one\""]
    );
}

#[test]
fn the_input_of_a_compaction_extends_the_prompt() {
    let mut history = history(&[user("one"), assistant("ok"), user("two"), assistant("ok 2")]);
    let prompt = history.for_prompt(PromptOptions::default());
    let input = history.for_compaction(PromptOptions::default(), &instruction(), Some(100_000));
    assert_eq!((input.dropped_items, input.is_shortened), (0, false));
    assert!(input.prompt.compare(&prompt).is_prefix());
    assert_eq!(shapes(&input.prompt).last().unwrap(), "U\"Summarize.\"");
    let bytes: Vec<serde_json::Value> = serde_json::from_slice(&input.prompt.to_vec()).unwrap();
    assert_eq!(bytes.len(), 5);
}

#[test]
fn the_input_of_a_compaction_is_made_from_what_is_sound() {
    let mut history = history(&[
        user("a"),
        call("c1"),
        user("b"),
        output("c7", json!("orphan")),
        message("user", &[text("c"), text("")]),
    ]);
    let input = history.for_compaction(PromptOptions::default(), &instruction(), None);
    assert_eq!(
        shapes(&input.prompt),
        [
            "U\"a\"",
            "FC(c1)",
            "FO(c1)=aborted",
            "U\"b\"",
            "U\"c\"",
            "U\"Summarize.\""
        ]
    );
}

#[test]
fn too_large_an_input_loses_its_oldest_pairs() {
    let block = |letter: &str| letter.repeat(1_200);
    let items = [
        user(&block("a")),
        call("c1"),
        output("c1", json!(block("b"))),
        user(&block("c")),
        call("c2"),
        output("c2", json!(block("d"))),
    ];
    let mut history = history(&items);
    for limit in 0..1_400 {
        let input = history.for_compaction(PromptOptions::default(), &instruction(), Some(limit));
        let shown = shapes(&input.prompt);
        let halves = |id: &str| {
            shown
                .iter()
                .filter(|shape| shape.contains(&format!("({id})")))
                .count()
        };
        // Of the newest pair the output alone may be what is left, cut to fit.
        assert!(matches!(halves("c1"), 0 | 2), "{limit}: {shown:?}");
        assert_eq!(shown.last().unwrap(), "U\"Summarize.\"");
        let tokens: usize = input
            .prompt
            .iter()
            .map(|item| item.to_text().len().div_ceil(4))
            .sum();
        if limit > 1_000 && limit < 1_100 {
            assert!(
                input.dropped_items > 0 && tokens < 1_150,
                "{limit}: {tokens}"
            );
            assert_eq!(halves("c2"), 2);
        }
    }
    let all = history.for_compaction(PromptOptions::default(), &instruction(), Some(1_400));
    assert_eq!(all.dropped_items, 0);
    assert_eq!(history.len(), 6);
}

#[test]
fn a_single_item_that_is_too_large_is_shortened() {
    for item in [user(&"x".repeat(8_000)), assistant(&"x".repeat(8_000))] {
        let mut history = history(&[item]);
        let input = history.for_compaction(PromptOptions::default(), &instruction(), Some(503));
        assert!(input.is_shortened);
        assert_eq!(input.prompt.len(), 2);
        let first = input.prompt.get(0).unwrap().to_text();
        assert!(first.contains("…1500 tokens truncated…"), "{first}");
    }
}

#[test]
fn images_can_be_replaced_for_a_summary() {
    let mut history = history(&[message(
        "user",
        &[text("look"), image("data:image/png;base64,AAAA")],
    )]);
    let options = PromptOptions::default().with_images_replaced();
    let input = history.for_compaction(options, &instruction(), None);
    assert_eq!(
        shapes(&input.prompt)[0],
        "U\"look|image content omitted from this summary request\""
    );
}
