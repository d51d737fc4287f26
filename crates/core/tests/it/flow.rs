//! The flow of a thread.

use std::sync::Arc;

use annals_history::PromptOptions;

use crate::support::{TestResult, memory, options, resumed, settings, turn};
use annals_core::{Thread, ThreadSettings};

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
