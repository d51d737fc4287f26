//! The flow of a thread.

use std::error::Error as _;
use std::sync::Arc;

use annals_history::{ItemEnvelope, PromptOptions};
use annals_protocol::RolloutLine;
use annals_rollout::store::{MemoryStore, ReadFrom, RolloutStore, StoredRecord};

use crate::support::{
    TestResult, asks, item, memory, options, options_from, resumed, says, settings, turn,
};
use annals_core::{CompactionOutcome, ErrorKind, Injection, Thread, ThreadSettings, user_message};

#[tokio::test]
async fn a_thread_comes_back_as_it_was() -> TestResult {
    let store = memory();
    let mut live = Thread::create(
        Arc::clone(&store),
        ThreadSettings::new("Be careful."),
        options(),
    )
    .await?;
    let first = turn(&mut live, &settings(), "one").await?;
    let second = turn(&mut live, &settings(), "two").await?;
    assert!(second.starts_with(&first[..first.len() - 1]));
    let sent = live.prompt(PromptOptions::default()).to_vec();
    let mut again = resumed(&store, &mut live).await?;
    assert_eq!(again.prompt(PromptOptions::default()).to_vec(), sent);
    assert_eq!(again.history().state(), live.history().state());
    assert_eq!(live.prefix_checks(), 2);
    Ok(())
}

#[tokio::test]
async fn thread_instructions_over_their_cap_are_refused_with_their_size() -> TestResult {
    let create = |n_bytes: usize| {
        let made = ThreadSettings::new("Base.").with_thread_instructions("y".repeat(n_bytes));
        Thread::create(memory(), made, options())
    };
    let error = create(50_000).await.err().ok_or("it was taken")?;
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    // The cause says how many there are, as causes do.
    let cause = error.source().ok_or("no cause")?;
    let text = cause.to_string().replace(',', "");
    // 12,500 estimated tokens and those of the markers.
    let numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|n| n.parse::<u64>().ok());
    assert!(
        numbers.clone().any(|n| (12_500..12_600).contains(&n)),
        "{text}"
    );
    assert!(numbers.clone().any(|n| n == 10_000), "{text}");
    create(39_000).await?;
    Ok(())
}

/// A message whose JSON nests so deep.
fn nested(depth: usize) -> TestResult<ItemEnvelope> {
    // The item itself is a level.
    let value = "[".repeat(depth - 1) + &"]".repeat(depth - 1);
    item(&format!(
        r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"deep"}}],"x":{value}}}"#
    ))
}

#[tokio::test]
async fn an_item_that_no_compaction_could_keep_is_refused_and_any_other_is_kept() -> TestResult {
    let store = memory();
    let mut thread = Thread::create(
        Arc::clone(&store),
        ThreadSettings::new("Be careful."),
        options(),
    )
    .await?;
    asks(&mut thread, &settings(), "one").await?;
    let before = thread.prompt(PromptOptions::default()).to_vec();
    // One that is refused takes those beside it with it: nothing is recorded by halves.
    for batch in [
        vec![nested(125)?],
        vec![says("before")?, nested(126)?, says("after")?],
    ] {
        let refused = thread.record(batch).await;
        assert_eq!(
            refused.map_err(|error| error.kind()),
            Err(ErrorKind::Malformed)
        );
        assert_eq!(thread.prompt(PromptOptions::default()).to_vec(), before);
    }
    let replacement = CompactionOutcome::Items(vec![says("so far")?, nested(125)?]);
    let refused = thread.compact(replacement, Injection::None).await;
    assert_eq!(
        refused.map_err(|error| error.kind()),
        Err(ErrorKind::Malformed)
    );
    assert_eq!(thread.prompt(PromptOptions::default()).to_vec(), before);
    thread.record([nested(124)?, says("done")?]).await?;
    let done = CompactionOutcome::Summary("half done".to_owned());
    thread.compact(done, Injection::None).await?;
    let kept = thread.prompt(PromptOptions::default()).to_vec();
    assert!(String::from_utf8(kept.clone())?.contains("deep"));
    let mut again = resumed(&store, &mut thread).await?;
    assert_eq!(again.prompt(PromptOptions::default()).to_vec(), kept);
    Ok(())
}

#[tokio::test]
async fn a_stored_item_that_no_compaction_can_keep_bars_none() -> TestResult {
    let store = memory();
    let mut thread = Thread::create(
        Arc::clone(&store),
        ThreadSettings::new("Be careful."),
        options(),
    )
    .await?;
    turn(&mut thread, &settings(), "one").await?;
    let page = store.read(thread.id(), ReadFrom::START, usize::MAX).await?;
    let lines = page.records.iter().map(StoredRecord::decode);
    let mut lines = lines.collect::<Result<Vec<_>, _>>()?;
    // As a program writes it that looks at single lines alone.
    let deep = nested(126)?;
    lines.push(RolloutLine::parse(&format!(
        r#"{{"timestamp":"2024-01-01T00:00:00.000Z","ordinal":{},"type":"response_item","payload":{}}}"#,
        lines.len(),
        deep.raw().as_str()
    ))?);
    let copy = MemoryStore::default();
    copy.insert(thread.id(), lines)?;
    let copy: Arc<dyn RolloutStore> = Arc::new(copy);
    let mut again = Thread::resume(Arc::clone(&copy), thread.id(), options_from(9_000)).await?;
    let sent = again.prompt(PromptOptions::default()).to_vec();
    assert!(String::from_utf8(sent)?.contains("deep"));
    let done = CompactionOutcome::Summary("half done".to_owned());
    again.compact(done, Injection::None).await?;
    let kept = again.prompt(PromptOptions::default()).to_vec();
    let text = String::from_utf8(kept.clone())?;
    assert!(text.contains("\"one\"") && text.contains("half done") && !text.contains("deep"));
    let mut last = resumed(&copy, &mut again).await?;
    assert_eq!(last.prompt(PromptOptions::default()).to_vec(), kept);
    Ok(())
}

/// The thread as another process has it, resumed from a copy of what is stored.
async fn copied(store: &Arc<dyn RolloutStore>, thread: &Thread) -> TestResult<Thread> {
    let page = store.read(thread.id(), ReadFrom::START, usize::MAX).await?;
    let lines = page.records.iter().map(StoredRecord::decode);
    let copy = MemoryStore::default();
    copy.insert(thread.id(), lines.collect::<Result<_, _>>()?)?;
    Ok(Thread::resume(Arc::new(copy), thread.id(), options_from(9_000)).await?)
}

fn shown(thread: &mut Thread) -> TestResult<String> {
    Ok(String::from_utf8(
        thread.prompt(PromptOptions::default()).to_vec(),
    )?)
}

#[tokio::test]
async fn what_a_user_says_late_goes_back_with_the_turn_that_had_no_word_of_theirs() -> TestResult {
    for has_died in [false, true] {
        let store = memory();
        let mut live = Thread::create(
            Arc::clone(&store),
            ThreadSettings::new("Be careful."),
            options(),
        )
        .await?;
        let world = live.world_state(&settings())?;
        let _told = live.begin_turn(&settings(), world).await?;
        if has_died {
            live = resumed(&store, &mut live).await?;
        } else {
            live.complete().await?;
        }
        live.record([says("by the way")?, user_message("one")?])
            .await?;
        let mut again = copied(&store, &live).await?;
        assert_eq!(live.rollback(1).await?, 1);
        assert_eq!(again.rollback(1).await?, 1);
        assert_eq!(shown(&mut again)?, shown(&mut live)?, "died: {has_died}");
        assert!(live.history().is_empty(), "died: {has_died}");
    }
    Ok(())
}

#[tokio::test]
async fn a_resumed_thread_goes_back_as_many_turns_as_the_live_one() -> TestResult {
    // A compactor may keep fewer messages of the users' than there were turns, or more.
    let replacements = [vec![], vec!["kept"], vec!["kept", "and", "made", "up"]];
    for (kept, back) in replacements.into_iter().zip([1, 2, 9]) {
        let store = memory();
        let mut live = Thread::create(
            Arc::clone(&store),
            ThreadSettings::new("Be careful."),
            options(),
        )
        .await?;
        for text in ["one", "two"] {
            turn(&mut live, &settings(), text).await?;
        }
        let kept = kept.into_iter().map(user_message);
        let mut items = kept.collect::<Result<Vec<_>, _>>()?;
        items.push(says("so far")?);
        let done = CompactionOutcome::Items(items);
        live.compact(done, Injection::None).await?;
        turn(&mut live, &settings(), "three").await?;

        let mut again = copied(&store, &live).await?;
        assert_eq!(again.rollback(back).await?, back.min(3), "back {back}");
        assert_eq!(live.rollback(back).await?, back.min(3), "back {back}");
        assert_eq!(shown(&mut again)?, shown(&mut live)?, "back {back}");
    }
    Ok(())
}

#[tokio::test]
async fn turns_that_only_a_compaction_brought_go_back_with_it() -> TestResult {
    let store = memory();
    let mut live = Thread::create(
        Arc::clone(&store),
        ThreadSettings::new("Be careful."),
        options(),
    )
    .await?;
    let imported = vec![user_message("from elsewhere")?, says("so far")?];
    live.compact(CompactionOutcome::Items(imported), Injection::None)
        .await?;
    let mut again = copied(&store, &live).await?;
    assert_eq!(live.rollback(1).await?, 1);
    assert_eq!(again.rollback(1).await?, 1);
    assert_eq!(shown(&mut live)?, "[]");
    assert_eq!(shown(&mut again)?, "[]");
    Ok(())
}
