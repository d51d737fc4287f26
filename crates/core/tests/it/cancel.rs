//! A future that is dropped at any point leaves history and store in step.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use annals_core::{
    AbortReason, CompactionOutcome, Injection, Thread, ThreadSettings, user_message,
};
use annals_history::PromptOptions;
use annals_protocol::TokenUsage;
use annals_rollout::store::{
    MemoryStore, ReadFrom, ReadPage, RolloutStore, StoredRecord, ThreadHead, ThreadPage, WriteLease,
};
use annals_rollout::{CutPoint, Durability, Error, NewRecord};
use async_trait::async_trait;
use uuid::Uuid;

use crate::support::{TestResult, asks, options, options_from, says, settings, turn};

/// Comes back at the second look.
struct Pause(bool);

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0 {
            return Poll::Ready(());
        }
        self.0 = true;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

/// A store that pauses before and behind everything that it does.
#[derive(Debug, Default)]
struct Pausing(MemoryStore);

#[derive(Debug)]
struct PausingLease(Box<dyn WriteLease>);

fn pausing(lease: Box<dyn WriteLease>) -> Box<dyn WriteLease> {
    Box::new(PausingLease(lease))
}

#[async_trait]
impl RolloutStore for Pausing {
    async fn create(&self, thread: Uuid, head: NewRecord) -> Result<Box<dyn WriteLease>, Error> {
        Pause(false).await;
        self.0.create(thread, head).await.map(pausing)
    }

    async fn lease(&self, thread: Uuid) -> Result<Box<dyn WriteLease>, Error> {
        Pause(false).await;
        self.0.lease(thread).await.map(pausing)
    }

    async fn read(&self, thread: Uuid, from: ReadFrom, limit: usize) -> Result<ReadPage, Error> {
        Pause(false).await;
        self.0.read(thread, from, limit).await
    }

    async fn read_back(
        &self,
        thread: Uuid,
        from: ReadFrom,
        limit: usize,
    ) -> Result<ReadPage, Error> {
        Pause(false).await;
        self.0.read_back(thread, from, limit).await
    }

    async fn head(&self, thread: Uuid) -> Result<ThreadHead, Error> {
        self.0.head(thread).await
    }

    async fn list(&self, after: Option<String>, limit: usize) -> Result<ThreadPage, Error> {
        self.0.list(after, limit).await
    }

    async fn revert(&self, thread: Uuid, cut: CutPoint) -> Result<Box<dyn WriteLease>, Error> {
        Pause(false).await;
        self.0.revert(thread, cut).await.map(pausing)
    }

    async fn undo_revert(&self, thread: Uuid) -> Result<Box<dyn WriteLease>, Error> {
        Pause(false).await;
        self.0.undo_revert(thread).await.map(pausing)
    }

    async fn fork(&self, thread: Uuid, cut: CutPoint) -> Result<Box<dyn WriteLease>, Error> {
        Pause(false).await;
        self.0.fork(thread, cut).await.map(pausing)
    }

    async fn delete(&self, thread: Uuid) -> Result<(), Error> {
        self.0.delete(thread).await
    }
}

#[async_trait]
impl WriteLease for PausingLease {
    fn thread(&self) -> Uuid {
        self.0.thread()
    }

    fn next_position(&self) -> u64 {
        self.0.next_position()
    }

    async fn append(
        &self,
        expected: u64,
        records: &[NewRecord],
        durability: Durability,
    ) -> Result<u64, Error> {
        Pause(false).await;
        let next = self.0.append(expected, records, durability).await;
        Pause(false).await;
        next
    }

    async fn flush(&self, durability: Durability) -> Result<(), Error> {
        Pause(false).await;
        self.0.flush(durability).await?;
        Pause(false).await;
        Ok(())
    }

    async fn release(&self) -> Result<(), Error> {
        Pause(false).await;
        self.0.release().await
    }
}

/// Looks at a future so many times, then drops it. Says whether it was done by then.
async fn looked_at<F: Future>(future: F, n_looks: usize) -> bool {
    let mut future = pin!(future);
    for _ in 0..n_looks {
        let look = std::future::poll_fn(|context| Poll::Ready(future.as_mut().poll(context)));
        if look.await.is_ready() {
            return true;
        }
    }
    false
}

/// What is done to the thread and dropped.
#[derive(Debug, Clone, Copy)]
enum Act {
    Begin,
    Step,
    Record,
    Effort,
    Usage,
    Complete,
    Abort,
    Compact,
    Rollback,
    Revert,
    UndoRevert,
    UndoCompaction,
    Fork,
    Flush,
    Shutdown,
}

const ACTS: [Act; 15] = [
    Act::Begin,
    Act::Step,
    Act::Record,
    Act::Effort,
    Act::Usage,
    Act::Complete,
    Act::Abort,
    Act::Compact,
    Act::Rollback,
    Act::Revert,
    Act::UndoRevert,
    Act::UndoCompaction,
    Act::Fork,
    Act::Flush,
    Act::Shutdown,
];

impl Act {
    const fn needs_a_turn(self) -> bool {
        matches!(
            self,
            Self::Step | Self::Record | Self::Effort | Self::Usage | Self::Complete | Self::Abort
        )
    }
}

async fn act(thread: &mut Thread, act: Act, n_looks: usize) -> TestResult<bool> {
    let mut other = settings();
    "model-b".clone_into(&mut other.model);
    let world = thread.world_state(&other)?;
    Ok(match act {
        Act::Begin => looked_at(thread.begin_turn(&other, world), n_looks).await,
        Act::Step => looked_at(thread.step(world), n_looks).await,
        Act::Record => looked_at(thread.record([user_message("more")?]), n_looks).await,
        Act::Effort => looked_at(thread.set_effort("high"), n_looks).await,
        Act::Usage => {
            let usage = TokenUsage::default();
            looked_at(thread.record_usage(usage, None), n_looks).await
        }
        Act::Complete => looked_at(thread.complete(), n_looks).await,
        Act::Abort => looked_at(thread.abort(AbortReason::Interrupted), n_looks).await,
        Act::Compact => {
            let outcome = CompactionOutcome::Summary("so far".to_owned());
            looked_at(thread.compact(outcome, Injection::None), n_looks).await
        }
        Act::Rollback => looked_at(thread.rollback(1), n_looks).await,
        Act::Revert => looked_at(thread.revert(CutPoint::Ordinal(6)), n_looks).await,
        Act::UndoRevert => looked_at(thread.undo_revert(), n_looks).await,
        Act::UndoCompaction => looked_at(thread.undo_compaction(), n_looks).await,
        Act::Fork => looked_at(thread.fork(CutPoint::End), n_looks).await,
        Act::Flush => looked_at(thread.flush(Durability::Durable), n_looks).await,
        Act::Shutdown => looked_at(thread.shutdown(), n_looks).await,
    })
}

/// Two turns, a compaction, and one turn more, which runs if it has to.
async fn lived(store: &Arc<dyn RolloutStore>, is_running: bool) -> TestResult<Thread> {
    let made = ThreadSettings::new("Base.");
    let mut thread = Thread::create(Arc::clone(store), made, options()).await?;
    turn(&mut thread, &settings(), "one").await?;
    turn(&mut thread, &settings(), "two").await?;
    let outcome = CompactionOutcome::Summary("earlier".to_owned());
    thread.compact(outcome, Injection::None).await?;
    asks(&mut thread, &settings(), "three").await?;
    thread.record([says("re: three")?]).await?;
    if !is_running {
        thread.complete().await?;
    }
    Ok(thread)
}

/// The thread that is resumed from a copy of what is stored.
async fn copied(store: &Arc<dyn RolloutStore>, id: Uuid) -> TestResult<Thread> {
    let page = store.read(id, ReadFrom::START, usize::MAX).await?;
    let copy = MemoryStore::default();
    let lines = page.records.iter().map(StoredRecord::decode);
    copy.insert(id, lines.collect::<Result<_, _>>()?)?;
    Ok(Thread::resume(Arc::new(copy), id, options_from(500_000)).await?)
}

#[tokio::test]
async fn a_dropped_future_leaves_history_and_store_in_step() -> TestResult {
    let mut n_dropped = 0;
    for what in ACTS {
        for n_looks in 0..12 {
            let store: Arc<dyn RolloutStore> = Arc::new(Pausing::default());
            let mut thread = lived(&store, what.needs_a_turn()).await?;
            let is_done = act(&mut thread, what, n_looks).await?;
            n_dropped += usize::from(!is_done);
            // Whatever was left behind is brought home by the next call, once.
            thread.flush(Durability::Written).await?;
            let mut again = copied(&store, thread.id()).await?;
            let bytes = |thread: &mut Thread| thread.prompt(PromptOptions::default()).to_vec();
            assert_eq!(
                String::from_utf8(bytes(&mut again))?,
                String::from_utf8(bytes(&mut thread))?,
                "{what:?} after {n_looks} looks"
            );
            assert_eq!(
                again.history().state(),
                thread.history().state(),
                "{what:?} after {n_looks} looks"
            );
            if is_done {
                break;
            }
        }
    }
    assert!(
        n_dropped > ACTS.len(),
        "{n_dropped} futures were dropped midway"
    );
    Ok(())
}
