//! A store whose calls fail when they are told to: before they happen, after they happened, or late.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use annals_rollout::store::{ReadFrom, ReadPage, RolloutStore, ThreadHead, ThreadPage, WriteLease};
use annals_rollout::{CutPoint, Durability, Error, ErrorKind, NewRecord};
use async_trait::async_trait;
use uuid::Uuid;

/// What is asked of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StoreCall {
    /// Create a thread.
    Create,
    /// Lease a thread, by a revert or a fork too.
    Lease,
    /// Append so many records.
    Append(usize),
    /// Flush or release.
    Flush,
    /// Read, forward or back, a head or a list.
    Read,
    /// Delete.
    Delete,
}

/// How a call goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum StoreFault {
    /// As it should.
    #[default]
    None,
    /// It fails and nothing happened.
    Before(ErrorKind),
    /// It happens, and the answer is an error: as a connection that breaks too late.
    After(ErrorKind),
    /// It takes so long, then goes as it should.
    Stall(Duration),
}

type Plan = dyn FnMut(u64, StoreCall) -> StoreFault + Send;

/// A [`RolloutStore`] around another that asks a plan at every call.
///
/// # Example
///
/// ```
/// use annals_rollout::store::{MemoryStore, RolloutStore};
/// use annals_rollout::ErrorKind;
/// use annals_test_support::{FaultyStore, StoreFault};
///
/// let store = FaultyStore::new(MemoryStore::default(), |n, _| match n {
///     0 => StoreFault::Before(ErrorKind::Io),
///     _ => StoreFault::None,
/// });
/// annals_test_support::block_on(async {
///     assert!(store.list(None, 1).await.is_err());
///     assert!(store.list(None, 1).await.is_ok());
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct FaultyStore<S> {
    inner: S,
    plan: SharedPlan,
}

#[derive(Clone)]
struct SharedPlan(Arc<Mutex<(u64, Box<Plan>)>>);

impl<S> FaultyStore<S> {
    /// Takes the store and the plan; it gets the number of the call, from 0, and what is asked.
    pub fn new<F>(inner: S, plan: F) -> Self
    where
        F: FnMut(u64, StoreCall) -> StoreFault + Send + 'static,
    {
        Self {
            inner,
            plan: SharedPlan(Arc::new(Mutex::new((0, Box::new(plan))))),
        }
    }

    /// The store beneath, which does not fail.
    pub fn inner(&self) -> &S {
        &self.inner
    }
}

impl SharedPlan {
    async fn run<T, F>(&self, call: StoreCall, work: F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>> + Send,
        T: Send,
    {
        let fault = {
            let mut plan = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let number = plan.0;
            plan.0 += 1;
            (plan.1)(number, call)
        };
        match fault {
            StoreFault::None => work.await,
            StoreFault::Before(kind) => Err(Error::other(kind, "the store was told to fail")),
            StoreFault::After(kind) => {
                work.await?;
                Err(Error::other(kind, "the store was told to fail afterwards"))
            }
            StoreFault::Stall(time) => {
                std::thread::sleep(time);
                work.await
            }
        }
    }
}

impl<S: fmt::Debug> fmt::Debug for FaultyStore<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FaultyStore")
            .field("inner", &self.inner)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for SharedPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedPlan")
    }
}

#[async_trait]
impl<S: RolloutStore> RolloutStore for FaultyStore<S> {
    async fn create(&self, thread: Uuid, head: NewRecord) -> Result<Box<dyn WriteLease>, Error> {
        let work = self.inner.create(thread, head);
        let inner = self.plan.run(StoreCall::Create, work).await?;
        Ok(Box::new(FaultyLease {
            inner,
            plan: self.plan.clone(),
        }))
    }

    async fn lease(&self, thread: Uuid) -> Result<Box<dyn WriteLease>, Error> {
        let inner = self
            .plan
            .run(StoreCall::Lease, self.inner.lease(thread))
            .await?;
        Ok(Box::new(FaultyLease {
            inner,
            plan: self.plan.clone(),
        }))
    }

    async fn read(&self, thread: Uuid, from: ReadFrom, limit: usize) -> Result<ReadPage, Error> {
        self.plan
            .run(StoreCall::Read, self.inner.read(thread, from, limit))
            .await
    }

    async fn read_back(
        &self,
        thread: Uuid,
        from: ReadFrom,
        limit: usize,
    ) -> Result<ReadPage, Error> {
        self.plan
            .run(StoreCall::Read, self.inner.read_back(thread, from, limit))
            .await
    }

    async fn head(&self, thread: Uuid) -> Result<ThreadHead, Error> {
        self.plan
            .run(StoreCall::Read, self.inner.head(thread))
            .await
    }

    async fn list(&self, after: Option<String>, limit: usize) -> Result<ThreadPage, Error> {
        self.plan
            .run(StoreCall::Read, self.inner.list(after, limit))
            .await
    }

    async fn revert(&self, thread: Uuid, cut: CutPoint) -> Result<Box<dyn WriteLease>, Error> {
        let work = self.inner.revert(thread, cut);
        let inner = self.plan.run(StoreCall::Lease, work).await?;
        Ok(self.faulty(inner))
    }

    async fn undo_revert(&self, thread: Uuid) -> Result<Box<dyn WriteLease>, Error> {
        let work = self.inner.undo_revert(thread);
        let inner = self.plan.run(StoreCall::Lease, work).await?;
        Ok(self.faulty(inner))
    }

    async fn fork(&self, thread: Uuid, cut: CutPoint) -> Result<Box<dyn WriteLease>, Error> {
        let work = self.inner.fork(thread, cut);
        let inner = self.plan.run(StoreCall::Lease, work).await?;
        Ok(self.faulty(inner))
    }

    async fn delete(&self, thread: Uuid) -> Result<(), Error> {
        self.plan
            .run(StoreCall::Delete, self.inner.delete(thread))
            .await
    }
}

impl<S> FaultyStore<S> {
    fn faulty(&self, inner: Box<dyn WriteLease>) -> Box<dyn WriteLease> {
        Box::new(FaultyLease {
            inner,
            plan: self.plan.clone(),
        })
    }
}

#[derive(Debug)]
struct FaultyLease {
    inner: Box<dyn WriteLease>,
    plan: SharedPlan,
}

#[async_trait]
impl WriteLease for FaultyLease {
    fn thread(&self) -> Uuid {
        self.inner.thread()
    }

    fn next_position(&self) -> u64 {
        self.inner.next_position()
    }

    async fn append(
        &self,
        expected: u64,
        records: &[NewRecord],
        durability: Durability,
    ) -> Result<u64, Error> {
        let work = self.inner.append(expected, records, durability);
        self.plan.run(StoreCall::Append(records.len()), work).await
    }

    async fn flush(&self, durability: Durability) -> Result<(), Error> {
        self.plan
            .run(StoreCall::Flush, self.inner.flush(durability))
            .await
    }

    async fn release(&self) -> Result<(), Error> {
        self.plan.run(StoreCall::Flush, self.inner.release()).await
    }
}
