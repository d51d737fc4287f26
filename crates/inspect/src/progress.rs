//! How far an analysis has come, for one who shows it while it runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes read of bytes to read; a clone looks at the same analysis.
///
/// **Cost**: two atomic numbers. Reading them disturbs nothing.
///
/// # Example
///
/// ```
/// use annals_inspect::ReadProgress;
///
/// let progress = ReadProgress::default();
/// assert_eq!(progress.done_and_all(), (0, 0));
/// ```
#[derive(Debug, Clone, Default)]
pub struct ReadProgress(Arc<Numbers>);

#[derive(Debug, Default)]
struct Numbers {
    done: AtomicU64,
    all: AtomicU64,
}

impl ReadProgress {
    /// Bytes read so far, and bytes in all; both 0 before the reading starts.
    pub fn done_and_all(&self) -> (u64, u64) {
        let numbers = &self.0;
        (
            numbers.done.load(Ordering::Relaxed),
            numbers.all.load(Ordering::Relaxed),
        )
    }

    pub(crate) fn start(&self, all: u64) {
        self.0.done.store(0, Ordering::Relaxed);
        self.0.all.store(all, Ordering::Relaxed);
    }

    pub(crate) fn reached(&self, done: u64) {
        self.0.done.store(done, Ordering::Relaxed);
    }
}
