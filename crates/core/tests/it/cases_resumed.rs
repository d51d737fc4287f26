//! Faults of the log of cases that show when a thread is gone on with: what an interrupted turn
//! leaves, what a rollback takes, what a resume keeps. Each thread is compared with its resumed self.

use std::sync::Arc;

use annals_core::{
    AbortReason, CompactionOutcome, Injection, Thread, ThreadSettings, tool_output, user_message,
};
use annals_history::PromptOptions;
use annals_protocol::{RolloutLine, TokenUsage, TruncationPolicy, elements};
use annals_rollout::store::{MemoryStore, ReadFrom, RolloutStore, StoredRecord};
use serde_json::Value;

use crate::support::{
    TestResult, asks, calls, memory, options, options_from, says, settings, turn,
};

/// A thread, with ordinals or without, that knows no instructions of its own.
async fn thread(store: &Arc<dyn RolloutStore>, is_legacy: bool) -> TestResult<Thread> {
    let mut made = ThreadSettings::new("BASE v1");
    if is_legacy {
        made = made.without_ordinals();
    }
    Ok(Thread::create(Arc::clone(store), made, options()).await?)
}

fn shown(thread: &mut Thread) -> TestResult<String> {
    let prompt = thread.prompt(PromptOptions::default());
    Ok(String::from_utf8(prompt.to_vec())?)
}

/// What stands in the prompt, an item a line; texts that tell the world are left out.
fn talk(thread: &mut Thread) -> TestResult<Vec<String>> {
    let prompt: Vec<Value> = serde_json::from_str(&shown(thread)?)?;
    let line = |item: &Value| {
        let text_of = |key: &str| item.get(key).and_then(Value::as_str);
        let of = |key: &str| text_of(key).unwrap_or_default().to_owned();
        match text_of("type") {
            Some("message") => {
                let text = item
                    .pointer("/content/0/text")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                let is_told = text.contains("AGENTS.md") || text_of("role") == Some("developer");
                let first = text.lines().next().unwrap_or_default();
                (!is_told).then(|| format!("{} {first}", of("role")))
            }
            Some(other) => Some(format!("{other} {} {}", of("call_id"), of("output"))),
            None => None,
        }
    };
    Ok(prompt.iter().filter_map(line).collect())
}

/// The same thread in another process, from a copy of what is stored.
async fn again(store: &Arc<dyn RolloutStore>, thread: &Thread) -> TestResult<Thread> {
    let page = store.read(thread.id(), ReadFrom::START, usize::MAX).await?;
    let lines = page.records.iter().map(StoredRecord::decode);
    let copy = MemoryStore::default();
    copy.insert(thread.id(), lines.collect::<Result<_, _>>()?)?;
    Ok(Thread::resume(Arc::new(copy), thread.id(), options_from(9_000)).await?)
}

async fn is_as_resumed(store: &Arc<dyn RolloutStore>, thread: &mut Thread) -> TestResult {
    let mut again = again(store, thread).await?;
    assert_eq!(shown(&mut again)?, shown(thread)?);
    assert_eq!(again.history().state(), thread.history().state());
    Ok(())
}

#[tokio::test]
async fn b12_an_interrupted_turn_leaves_a_trace_that_goes_with_it() -> TestResult {
    for is_legacy in [false, true] {
        let store = memory();
        let mut thread = thread(&store, is_legacy).await?;
        asks(&mut thread, &settings(), "push the branch").await?;
        thread.record([calls("c1")?]).await?;
        thread.abort(AbortReason::Interrupted).await?;
        turn(&mut thread, &settings(), "what is the status?").await?;
        let cut_off = [
            "user push the branch",
            "function_call c1 ",
            "function_call_output c1 aborted",
            "user <turn_aborted>",
        ];
        let all = talk(&mut thread)?;
        assert_eq!(all.get(..4), Some(&cut_off.map(str::to_owned)[..]));
        assert_eq!((all.len(), thread.history().n_turns()), (6, 2), "{all:?}");
        is_as_resumed(&store, &mut thread).await?;
        thread.rollback(1).await?;
        assert_eq!(talk(&mut thread)?, cut_off);
        is_as_resumed(&store, &mut thread).await?;
        // The mark does not outlive the turn that it tells of.
        thread.rollback(1).await?;
        assert_eq!(talk(&mut thread)?, Vec::<String>::new());
    }
    Ok(())
}

const HEAD: &str = r#"{"timestamp":"2026-03-02T08:00:00.000Z","type":"session_meta","payload":{"id":"01a22f4d-919e-7c60-8290-7a1d3c5b0029","timestamp":"2026-03-02T08:00:00.000Z","cwd":"/repo","originator":"test","cli_version":"0.100.0","source":"cli"}}"#;
const RULES: &str = r##"{"timestamp":"2026-03-02T08:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>"}]}}"##;
const STATE: &str = r#"{"timestamp":"2026-03-02T08:00:02.000Z","type":"world_state","payload":{"full":true,"state":{"agents_md":{"directory":"/repo","text":"Use tabs."}}}}"#;
const SAID: &str = r#"{"timestamp":"2026-03-02T08:00:03.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"keep me"}]}}"#;
const COMPACTED: &str = r#"{"timestamp":"2026-03-02T08:00:04.000Z","type":"compacted","payload":{"message":"so far","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"keep me"}]}]}}"#;

async fn stored(lines: &[&str]) -> TestResult<(Arc<dyn RolloutStore>, Thread)> {
    let store = MemoryStore::default();
    let id = "01a22f4d-919e-7c60-8290-7a1d3c5b0029".parse()?;
    let lines = lines.iter().map(|line| RolloutLine::parse(line));
    store.insert(id, lines.collect::<Result<_, _>>()?)?;
    let store: Arc<dyn RolloutStore> = Arc::new(store);
    let thread = Thread::resume(Arc::clone(&store), id, options()).await?;
    Ok((store, thread))
}

#[tokio::test]
async fn b25_a_compaction_voids_what_was_told_and_the_next_turn_tells_it_once_in_full() -> TestResult
{
    let (store, mut thread) = stored(&[HEAD, RULES, STATE, SAID, COMPACTED]).await?;
    assert!(thread.history().world_state_baseline().is_none());
    assert_eq!(talk(&mut thread)?, ["user keep me"]);
    asks(&mut thread, &settings(), "go on").await?;
    let now = shown(&mut thread)?;
    for once in ["Use tabs.", "<environment_context>"] {
        assert_eq!(now.matches(once).count(), 1, "{once}: {now}");
    }
    let page = store.read(thread.id(), ReadFrom::START, usize::MAX).await?;
    let states = page.records.iter().map(StoredRecord::text);
    let states: Vec<&str> = states.filter(|line| line.contains("world_state")).collect();
    assert_eq!(states.len(), 2, "{states:?}");
    assert!(
        states.iter().all(|line| line.contains(r#""full":true"#)),
        "{states:?}"
    );
    is_as_resumed(&store, &mut thread).await
}

#[tokio::test]
async fn b29_rules_that_an_old_file_told_are_not_told_again_until_they_change() -> TestResult {
    for (rules, n_old) in [("Use tabs.", 1), ("Use spaces.", 1)] {
        let (store, mut thread) = stored(&[HEAD, RULES, SAID]).await?;
        let before = shown(&mut thread)?;
        let now = settings().with_agents_md(Some("/repo"), rules);
        asks(&mut thread, &now, "go on").await?;
        let after = shown(&mut thread)?;
        let news = after
            .strip_prefix(before.trim_end_matches(']'))
            .ok_or("no prefix")?;
        assert_eq!(after.matches("Use tabs.").count(), n_old, "{after}");
        let n_told = usize::from(rules == "Use spaces.");
        assert_eq!(news.matches("<INSTRUCTIONS>").count(), n_told, "{news}");
        assert_eq!(news.matches("Use spaces.").count(), n_told, "{news}");
        is_as_resumed(&store, &mut thread).await?;
    }
    Ok(())
}

#[tokio::test]
async fn b51_a_long_output_is_shown_alike_in_every_request_and_after_a_resume() -> TestResult {
    let store = memory();
    let mut thread = thread(&store, false).await?;
    let mut now = settings();
    now.truncation = Some(TruncationPolicy::bytes(2_000));
    asks(&mut thread, &now, "one").await?;
    let output = tool_output("c1", "0123456789".repeat(1_200))?;
    thread.record([calls("c1")?, output]).await?;
    let output = |thread: &mut Thread| {
        let prompt = shown(thread)?;
        let mut all = elements(&prompt).filter(|item| item.contains("function_call_output"));
        let found = all.next().map(str::to_owned).ok_or("no output")?;
        TestResult::Ok(found)
    };
    let first = output(&mut thread)?;
    assert!(first.len() < 4_000, "{}", first.len());
    for text in ["two", "three"] {
        thread.complete().await?;
        asks(&mut thread, &now, text).await?;
        assert_eq!(output(&mut thread)?, first);
    }
    assert_eq!(output(&mut again(&store, &thread).await?)?, first);
    Ok(())
}

#[tokio::test]
async fn b52_calls_without_an_output_are_repaired_alike_live_and_resumed() -> TestResult {
    let store = memory();
    let mut thread = thread(&store, false).await?;
    asks(&mut thread, &settings(), "a").await?;
    thread.record([calls("c1")?, user_message("b")?]).await?;
    thread
        .record([says("ok")?, calls("c2")?, user_message("c")?])
        .await?;
    assert_eq!(
        talk(&mut thread)?,
        [
            "user a",
            "function_call c1 ",
            "function_call_output c1 aborted",
            "user b",
            "assistant ok",
            "function_call c2 ",
            "function_call_output c2 aborted",
            "user c",
        ]
    );
    is_as_resumed(&store, &mut thread).await?;
    let (mut one, mut two) = (again(&store, &thread).await?, again(&store, &thread).await?);
    assert_eq!(shown(&mut one)?, shown(&mut two)?);
    Ok(())
}

#[tokio::test]
async fn b54_what_a_compaction_left_is_a_guess_until_it_is_measured() -> TestResult {
    let store = memory();
    let mut thread = thread(&store, false).await?;
    asks(&mut thread, &settings(), "one").await?;
    let measured = |total_tokens| TokenUsage {
        total_tokens,
        ..TokenUsage::default()
    };
    thread.record_usage(measured(50_000), None).await?;
    let before = thread.token_usage();
    assert_eq!((before.tokens, before.is_estimated), (50_000, false));
    let replacement = vec![
        user_message("要約：作業は半分終わりました。")?,
        says("了解しました。")?,
    ];
    thread
        .compact(CompactionOutcome::Items(replacement), Injection::None)
        .await?;
    let guess = thread.token_usage();
    assert!(
        guess.is_estimated && guess.tokens > 0 && guess.tokens < 50_000,
        "{guess:?}"
    );
    thread
        .record([user_message("続けてください。".repeat(50))?])
        .await?;
    let more = thread.token_usage();
    assert!(more.is_estimated && more.tokens > guess.tokens, "{more:?}");
    assert_eq!(again(&store, &thread).await?.token_usage(), more);
    thread.record_usage(measured(700), None).await?;
    let after = thread.token_usage();
    assert_eq!((after.tokens, after.is_estimated), (700, false));
    assert_eq!(again(&store, &thread).await?.token_usage(), after);
    Ok(())
}

#[tokio::test]
async fn b80_and_b81_a_rollback_counts_the_turns_and_not_what_a_compaction_left() -> TestResult {
    for is_legacy in [false, true] {
        let done = CompactionOutcome::Summary("sum".to_owned());
        let store = memory();
        let mut midway = thread(&store, is_legacy).await?;
        turn(&mut midway, &settings(), "one").await?;
        asks(&mut midway, &settings(), "two").await?;
        midway
            .compact(done.clone(), Injection::BeforeLastUserMessage)
            .await?;
        midway
            .record([says("part 2")?, calls("c1")?, tool_output("c1", "x")?])
            .await?;
        midway.complete().await?;
        assert_eq!(midway.rollback(1).await?, 1);
        assert_eq!(talk(&mut midway)?, ["user one", "assistant re: one"]);
        is_as_resumed(&store, &mut midway).await?;

        for (back, left) in [
            (2, vec!["user one", "assistant re: one"]),
            (
                1,
                vec![
                    "user one",
                    "user two",
                    "user Another language model started",
                ],
            ),
        ] {
            let store = memory();
            let mut across = thread(&store, is_legacy).await?;
            turn(&mut across, &settings(), "one").await?;
            turn(&mut across, &settings(), "two").await?;
            across.compact(done.clone(), Injection::None).await?;
            turn(&mut across, &settings(), "three").await?;
            assert_eq!(across.rollback(back).await?, back);
            let talk = talk(&mut across)?;
            let is_left = |(line, left): (&String, &&str)| line.starts_with(left);
            assert!(
                talk.len() == left.len() && talk.iter().zip(&left).all(is_left),
                "{talk:?}"
            );
            is_as_resumed(&store, &mut across).await?;
        }
    }
    Ok(())
}

#[tokio::test]
async fn b84_and_b85_each_rollback_counts_from_its_own_place() -> TestResult {
    for is_legacy in [false, true] {
        let store = memory();
        let mut thread = thread(&store, is_legacy).await?;
        for text in ["A", "B", "C"] {
            turn(&mut thread, &settings(), text).await?;
        }
        assert_eq!(thread.rollback(1).await?, 1);
        assert_eq!(thread.rollback(1).await?, 1);
        turn(&mut thread, &settings(), "D").await?;
        assert_eq!(thread.rollback(1).await?, 1);
        assert_eq!(talk(&mut thread)?, ["user A", "assistant re: A"]);
        is_as_resumed(&store, &mut thread).await?;

        turn(&mut thread, &settings(), "E").await?;
        assert_eq!(thread.rollback(99).await?, 2);
        assert_eq!(talk(&mut thread)?, Vec::<String>::new());
        turn(&mut thread, &settings(), "F").await?;
        assert_eq!(thread.rollback(0).await?, 0);
        assert_eq!(talk(&mut thread)?, ["user F", "assistant re: F"]);
        assert_eq!(shown(&mut thread)?.matches("Use tabs.").count(), 1);
        is_as_resumed(&store, &mut thread).await?;
    }
    Ok(())
}

#[tokio::test]
async fn b92_a_turn_that_died_counts_as_interrupted_and_the_thread_goes_on() -> TestResult {
    for is_legacy in [false, true] {
        let store = memory();
        let mut live = thread(&store, is_legacy).await?;
        turn(&mut live, &settings(), "one").await?;
        asks(&mut live, &settings(), "two").await?;
        live.record([calls("c1")?]).await?;
        let mut thread = again(&store, &live).await?;
        assert_eq!(thread.turn_id(), None);
        let left = talk(&mut thread)?;
        assert_eq!(
            left.last().map(String::as_str),
            Some("function_call_output c1 aborted")
        );
        let before = shown(&mut thread)?;
        let after = String::from_utf8(turn(&mut thread, &settings(), "three").await?)?;
        assert!(after.starts_with(before.trim_end_matches(']')), "{after}");
    }
    Ok(())
}
