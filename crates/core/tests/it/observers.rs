//! Observers are told what is stored, in order; what they do has no effect on the thread.

use std::sync::Arc;

use annals_core::{OBSERVER_EVENTS, Thread, ThreadEvent, ThreadSettings};
use annals_rollout::store::{ReadFrom, RolloutStore};

use crate::support::{TestResult, asks, memory, options, says, settings};

async fn thread(store: &Arc<dyn RolloutStore>) -> TestResult<Thread> {
    let made = ThreadSettings::new("Base.");
    Ok(Thread::create(Arc::clone(store), made, options()).await?)
}

/// The items that an observer was told of, as they stand in the store.
fn items(events: &[ThreadEvent]) -> Vec<String> {
    events
        .iter()
        .filter_map(|event| match event {
            ThreadEvent::Item(item) => Some(item.raw().as_str().to_owned()),
            _ => None,
        })
        .collect()
}

async fn stored_items(store: &Arc<dyn RolloutStore>, thread: &Thread) -> TestResult<Vec<String>> {
    let page = store.read(thread.id(), ReadFrom::START, usize::MAX).await?;
    let items = page.records.iter();
    let items = items.filter(|item| item.kind() == annals_protocol::RecordKind::ResponseItem);
    Ok(items
        .map(|item| item.envelope().map(|item| item.payload.to_owned()))
        .collect::<Result<_, _>>()?)
}

#[tokio::test]
async fn what_is_told_is_stored_already_and_in_the_same_order() -> TestResult {
    let store = memory();
    let mut thread = thread(&store).await?;
    let mut seen = thread.subscribe();
    let mut told = Vec::new();
    asks(&mut thread, &settings(), "first").await?;
    for n in 0..5 {
        thread.record([says(&format!("answer {n}"))?]).await?;
        while let Some(event) = seen.try_next() {
            told.push(event);
        }
        // Nothing that an observer knows of is not in the store.
        assert_eq!(items(&told), stored_items(&store, &thread).await?);
    }
    thread.complete().await?;
    let last = seen.next().await;
    assert!(
        matches!(
            last,
            Some(ThreadEvent::TurnEnded {
                is_aborted: false,
                ..
            })
        ),
        "{last:?}"
    );
    Ok(())
}

#[tokio::test]
async fn a_slow_observer_misses_the_oldest_and_holds_nothing_up() -> TestResult {
    let store = memory();
    let mut thread = thread(&store).await?;
    let mut slow = thread.subscribe();
    asks(&mut thread, &settings(), "first").await?;
    let n_more = OBSERVER_EVENTS + 100;
    for n in 0..n_more {
        thread.record([says(&format!("{n}"))?]).await?;
    }
    let stored = stored_items(&store, &thread).await?;
    let Some(ThreadEvent::Missed(n_missed)) = slow.next().await else {
        return Err("nothing was missed".into());
    };
    let mut told = Vec::new();
    while let Some(event) = slow.try_next() {
        told.push(event);
    }
    assert!(
        n_missed >= 100 && told.len() == OBSERVER_EVENTS,
        "{n_missed} {}",
        told.len()
    );
    let told = items(&told);
    assert!(stored.ends_with(&told), "the newest come, in order");
    Ok(())
}

#[tokio::test]
async fn an_observer_that_panics_takes_nobody_with_it() -> TestResult {
    let store = memory();
    let mut thread = thread(&store).await?;
    let mut doomed = thread.subscribe();
    let mut steady = thread.subscribe();
    let fate = tokio::spawn(async move {
        let event = doomed.next().await;
        assert!(event.is_none(), "this observer does not bear events");
    });
    asks(&mut thread, &settings(), "first").await?;
    assert!(fate.await.is_err_and(|error| error.is_panic()));
    thread.record([says("answer")?]).await?;
    thread.complete().await?;
    let mut told = Vec::new();
    while let Some(event) = steady.try_next() {
        told.push(event);
    }
    assert_eq!(items(&told), stored_items(&store, &thread).await?);
    Ok(())
}
