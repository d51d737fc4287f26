//! The flow of a thread.

use std::error::Error as _;
use std::sync::Arc;

use annals_history::PromptOptions;

use crate::support::{TestResult, asks, item, memory, options, resumed, says, settings, turn};
use annals_core::{CompactionOutcome, ErrorKind, Injection, Thread, ThreadSettings};

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
    let nested = |depth: usize| {
        // The item itself is a level.
        let value = "[".repeat(depth - 1) + &"]".repeat(depth - 1);
        item(&format!(
            r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"deep"}}],"x":{value}}}"#
        ))
    };
    let before = thread.prompt(PromptOptions::default()).to_vec();
    let refused = thread.record([nested(125)?]).await;
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
