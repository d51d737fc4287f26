//! Faults that users of such systems met, each with its number in the log of cases, on inputs of our
//! own making.

use std::sync::Arc;

use annals_core::{
    CompactionOutcome, Injection, ResponseOrder, Thread, ThreadSettings, tool_output, user_message,
};
use annals_history::{ContextManager, PromptOptions, estimate_item_tokens};
use annals_protocol::{RawJson, RolloutLine, elements};
use annals_rollout::store::{MemoryStore, ReadFrom, RolloutStore, StoredRecord};
use annals_world_state::sections::EnvironmentState;

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
async fn b27_a_compaction_shows_what_the_last_request_showed_and_the_news_once_afterwards()
-> TestResult {
    let store = memory();
    let mut thread = thread(&store).await?;
    let with = |state: EnvironmentState| {
        let mut now = settings();
        now.environments
            .environments
            .insert("box".to_owned(), state);
        now
    };
    let starting = with(EnvironmentState::starting("/box"));
    asks(&mut thread, &starting, "one").await?;
    // It is ready by now, and no request has said so.
    let ready = with(EnvironmentState::available("/box", "zsh"));
    let done = CompactionOutcome::Summary("half done".to_owned());
    thread
        .compact(done, Injection::BeforeLastUserMessage)
        .await?;
    let shown = text(thread.prompt(PromptOptions::default()).to_vec())?;
    assert_eq!(
        (
            shown.matches("starting").count(),
            shown.matches("zsh").count()
        ),
        (1, 0),
        "{shown}"
    );
    assert_eq!(thread.step(thread.world_state(&ready)?).await?.n_items, 1);
    assert_eq!(thread.step(thread.world_state(&ready)?).await?.n_items, 0);
    let news = text(thread.prompt(PromptOptions::default()).to_vec())?;
    let news = news
        .strip_prefix(shown.trim_end_matches(']'))
        .ok_or("no prefix")?;
    assert_eq!(
        (
            news.matches("starting").count(),
            news.matches("zsh").count()
        ),
        (0, 1),
        "{news}"
    );
    Ok(())
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

/// A session that was compacted by a program that left its context out of the replacement.
const COMPACTED: [&str; 6] = [
    r#"{"timestamp":"2026-03-02T08:00:00.000Z","type":"session_meta","payload":{"id":"01a22f4d-919e-7c60-8290-7a1d3c5b0097","timestamp":"2026-03-02T08:00:00.000Z","cwd":"/repo","originator":"test","cli_version":"0.171.0","source":"cli"}}"#,
    r##"{"timestamp":"2026-03-02T08:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>"},{"type":"input_text","text":"<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>"}]}}"##,
    r#"{"timestamp":"2026-03-02T08:00:02.000Z","type":"world_state","payload":{"full":true,"state":{"agents_md":{"directory":"/repo","text":"Use tabs."},"environment":{"cwd":"/repo"}}}}"#,
    r#"{"timestamp":"2026-03-02T08:00:03.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"build it"}]}}"#,
    r#"{"timestamp":"2026-03-02T08:00:04.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"working"}]}}"#,
    r#"{"timestamp":"2026-03-02T08:00:05.000Z","type":"compacted","payload":{"message":"summary: half done","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"build it"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"summary: half done"}]}]}}"#,
];

#[tokio::test]
async fn b97_the_first_request_after_a_compaction_holds_rules_and_environment_once() -> TestResult {
    let id = "01a22f4d-919e-7c60-8290-7a1d3c5b0097".parse()?;
    let lines = COMPACTED.iter().map(|line| RolloutLine::parse(line));
    let mut requests = Vec::new();
    for _ in 0..2 {
        let store = MemoryStore::default();
        store.insert(id, lines.clone().collect::<Result<_, _>>()?)?;
        let mut thread = Thread::resume(Arc::new(store), id, options_from(9_000)).await?;
        assert!(thread.history().state().world_state_baseline.is_none());
        let kept = text(thread.prompt(PromptOptions::default()).to_vec())?;
        assert_eq!(elements(&kept).count(), 2, "{kept}");
        let shown = text(asks(&mut thread, &settings(), "go").await?)?;
        assert!(shown.starts_with(kept.trim_end_matches(']')), "{shown}");
        for once in [
            "build it",
            "summary: half done",
            "Use tabs.",
            "<environment_context>",
            r#""go""#,
        ] {
            assert_eq!(shown.matches(once).count(), 1, "{once}: {shown}");
        }
        requests.push(shown);
    }
    assert_eq!(requests.first(), requests.last());
    Ok(())
}

#[tokio::test]
async fn b98_a_compaction_keeps_no_context_as_if_it_were_talk() -> TestResult {
    let store = memory();
    let mut thread = thread(&store).await?;
    turn(&mut thread, &settings(), "one").await?;
    turn(&mut thread, &settings(), "two").await?;
    let done = CompactionOutcome::Summary("S".to_owned());
    thread.compact(done, Injection::None).await?;
    let kept = text(thread.prompt(PromptOptions::default()).to_vec())?;
    assert_eq!(elements(&kept).count(), 3, "{kept}");
    let context = [
        "Use tabs.",
        "<environment_context>",
        "<permissions instructions>",
    ];
    assert!(context.iter().all(|text| !kept.contains(text)), "{kept}");
    let shown = text(asks(&mut thread, &settings(), "three").await?)?;
    for once in context {
        assert_eq!(shown.matches(once).count(), 1, "{once}: {shown}");
    }
    Ok(())
}

#[test]
fn b42_items_are_recorded_by_their_place_in_the_response() -> TestResult {
    let reasoning = RawJson::parse(
        r#"{"type":"reasoning","summary":[],"content":null,"encrypted_content":"ENC-a"}"#,
    )?;
    let call = RawJson::parse(
        r#"{"type":"function_call","name":"shell","arguments":"{}","call_id":"call_1"}"#,
    )?;
    let message = RawJson::parse(
        r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"checking the log"}]}"#,
    )?;
    let mut order = ResponseOrder::default();
    let mut history = ContextManager::new();
    for (place, item) in [(1, &message), (0, &reasoning), (2, &call)] {
        history.record(order.done(place, item.clone()), None);
    }
    history.record(order.finish(), None);
    let recorded: Vec<&str> = history
        .items()
        .map(|item| item.envelope().raw().as_str())
        .collect();
    assert_eq!(
        recorded,
        [reasoning.as_str(), message.as_str(), call.as_str()]
    );
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
