//! Faults that users of such systems met, each with its number in the log of cases, on inputs of our
//! own making.

use std::sync::Arc;

use annals_core::{Thread, ThreadSettings, tool_output, user_message};
use annals_history::{PromptOptions, estimate_item_tokens};
use annals_protocol::{RawJson, elements};
use annals_rollout::store::{MemoryStore, ReadFrom, RolloutStore, StoredRecord};

use crate::support::{
    TestResult, asks, calls, item, memory, options, options_from, says, settings, turn,
};

const INSTRUCTION: &str =
    r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"Sum it up."}]}"#;

async fn thread(store: &Arc<dyn RolloutStore>) -> TestResult<Thread> {
    let made = ThreadSettings::new("BASE v1");
    Ok(Thread::create(Arc::clone(store), made, options()).await?)
}

fn text(bytes: Vec<u8>) -> TestResult<String> {
    Ok(String::from_utf8(bytes)?)
}

#[tokio::test]
async fn b28_what_was_told_without_its_state_is_told_again() -> TestResult {
    let store = memory();
    let mut live = thread(&store).await?;
    turn(
        &mut live,
        &settings().with_agents_md(Some("/repo"), "Rule a."),
        "one",
    )
    .await?;
    let before = store
        .read(live.id(), ReadFrom::START, usize::MAX)
        .await?
        .records
        .len();
    asks(
        &mut live,
        &settings().with_agents_md(Some("/repo"), "Rule b."),
        "two",
    )
    .await?;
    let all = store
        .read(live.id(), ReadFrom::START, usize::MAX)
        .await?
        .records;
    // The process dies when the text is stored and its state is not.
    let told = all
        .iter()
        .skip(before)
        .position(|record| record.text().contains("Rule b."))
        .ok_or("not told")?;
    let kept = all
        .iter()
        .take(before + told + 1)
        .map(StoredRecord::decode)
        .collect::<Result<_, _>>()?;
    let copy = MemoryStore::default();
    copy.insert(live.id(), kept)?;
    let mut again = Thread::resume(Arc::new(copy), live.id(), options_from(9_000)).await?;
    // Back to the rules that the stored state knows: the model read the others last.
    let old = settings().with_agents_md(Some("/repo"), "Rule a.");
    let shown = text(asks(&mut again, &old, "three").await?)?;
    assert!(shown.rfind("Rule a.") > shown.rfind("Rule b."), "{shown}");
    Ok(())
}

#[tokio::test]
async fn b100_the_input_of_a_compaction_fits_and_holds_whole_pairs() -> TestResult {
    let store = memory();
    let mut thread = thread(&store).await?;
    asks(&mut thread, &settings(), "one").await?;
    for n in 0..20 {
        let id = format!("c{n}");
        let output = tool_output(id.clone(), "x".repeat(600))?;
        thread.record([calls(&id)?, output]).await?;
    }
    let instruction = RawJson::parse(INSTRUCTION)?;
    let made = thread.compaction_prompt(PromptOptions::default(), &instruction, Some(1_500));
    let shown = text(made.prompt.to_vec())?;
    let items = elements(&shown).map(RawJson::parse);
    let items: Vec<RawJson> = items.collect::<Result<_, _>>()?;
    let tokens: u64 = items.iter().map(estimate_item_tokens).sum();
    assert!(made.dropped_items > 0 && tokens <= 1_500, "{tokens}");
    let n_calls = shown.matches(r#""type":"function_call","#).count();
    let n_outputs = shown.matches(r#""type":"function_call_output""#).count();
    assert!(
        n_calls > 0 && n_calls == n_outputs,
        "{n_calls} calls, {n_outputs} outputs"
    );
    assert!(shown.contains("c19") && shown.ends_with(&format!("{INSTRUCTION}]")));
    // Even a limit that nothing fits into is no error.
    let tiny = thread.compaction_prompt(PromptOptions::default(), &instruction, Some(1));
    assert!(text(tiny.prompt.to_vec())?.contains("Sum it up."));
    Ok(())
}

#[tokio::test]
async fn b102_text_that_changes_each_turn_stands_at_the_end() -> TestResult {
    let store = memory();
    let mut thread = thread(&store).await?;
    let mut sent: Option<String> = None;
    for n in 0..10 {
        let goal = settings().with_agents_md(Some("/repo"), format!("Goal number {n}."));
        let now = text(asks(&mut thread, &goal, "go on").await?)?;
        if let Some(before) = &sent {
            assert!(now.starts_with(before.trim_end_matches(']')), "turn {n}");
        }
        thread.record([says("done")?]).await?;
        thread.complete().await?;
        sent = Some(now);
    }
    Ok(())
}

#[tokio::test]
async fn b104_a_resumed_thread_keeps_the_base_instructions_that_it_was_made_with() -> TestResult {
    let store = memory();
    let mut first = thread(&store).await?;
    turn(&mut first, &settings(), "one").await?;
    first.shutdown().await?;
    // What new threads would be made with by now has no say.
    let again = Thread::resume(store, first.id(), options_from(9_000)).await?;
    assert_eq!(again.base_instructions(), "BASE v1");
    Ok(())
}

#[tokio::test]
async fn b105_after_a_rollback_the_previous_model_is_that_of_the_last_turn_left() -> TestResult {
    let store = memory();
    let mut thread = thread(&store).await?;
    turn(&mut thread, &settings(), "one").await?;
    let mut other = settings();
    "model-b".clone_into(&mut other.model);
    turn(&mut thread, &other, "two").await?;
    assert_eq!(thread.previous_model(), Some("model-b"));
    thread.rollback(1).await?;
    assert_eq!(thread.previous_model(), Some("model-a"));
    Ok(())
}

#[tokio::test]
async fn b110_a_broken_history_can_be_compacted() -> TestResult {
    let store = memory();
    let mut thread = thread(&store).await?;
    asks(&mut thread, &settings(), "a").await?;
    let empty =
        r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":""}]}"#;
    thread
        .record([calls("c1")?, item(empty)?, user_message("b")?])
        .await?;
    thread
        .record([tool_output("nobody", "lost")?, user_message("c")?])
        .await?;
    let instruction = RawJson::parse(INSTRUCTION)?;
    let made = thread.compaction_prompt(PromptOptions::default(), &instruction, None);
    let shown = text(made.prompt.to_vec())?;
    assert!(
        !shown.contains("nobody") && !shown.contains(r#""text":"""#),
        "{shown}"
    );
    let outputs: Vec<&str> = elements(&shown)
        .filter(|item| item.contains("_output\""))
        .collect();
    assert_eq!(outputs.len(), 1, "{shown}");
    assert!(
        outputs
            .iter()
            .all(|output| output.contains(r#""output":"aborted""#)),
        "{shown}"
    );
    Ok(())
}

#[tokio::test]
async fn b111_the_request_of_a_compaction_begins_as_the_last_one_did() -> TestResult {
    let store = memory();
    let mut thread = thread(&store).await?;
    asks(&mut thread, &settings(), "one").await?;
    thread
        .record([calls("c1")?, tool_output("c1", "fine")?, says("so")?])
        .await?;
    let sent = text(thread.prompt(PromptOptions::default()).to_vec())?;
    let instruction = RawJson::parse(INSTRUCTION)?;
    let made = thread.compaction_prompt(PromptOptions::default(), &instruction, None);
    let shown = text(made.prompt.to_vec())?;
    let before = sent.trim_end_matches(']');
    assert_eq!(shown, format!("{before},{INSTRUCTION}]"));
    Ok(())
}
