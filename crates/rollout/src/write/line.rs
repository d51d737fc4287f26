//! Threads that sleep until a sync has ended.
//!
//! Each is woken for itself, and one that was served goes on without taking the lock: where all
//! were woken at once, they would queue up for it and wake each other a second time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::Thread;

/// Who sleeps, and for which record.
#[derive(Debug, Default)]
pub(crate) struct Line {
    sleepers: Vec<Sleeper>,
}

#[derive(Debug)]
struct Sleeper {
    seq: u64,
    thread: Thread,
}

/// Threads to wake once the lock is free.
#[derive(Debug, Default)]
#[must_use = "they sleep on otherwise"]
pub(crate) struct ToWake(Vec<Sleeper>);

impl Line {
    /// Puts the thread in the line until `seq` is durable.
    pub(crate) fn join(&mut self, seq: u64) {
        let thread = std::thread::current();
        self.sleepers.push(Sleeper { seq, thread });
    }

    /// Takes the thread out again; whether it still was in.
    pub(crate) fn leave(&mut self) -> bool {
        let me = std::thread::current().id();
        let at = self.sleepers.iter().position(|it| it.thread.id() == me);
        at.map(|at| self.sleepers.swap_remove(at)).is_some()
    }

    /// Takes out everybody who waits for a record up to `durable`.
    pub(crate) fn served(&mut self, durable: u64) -> ToWake {
        let served = self.sleepers.extract_if(.., |it| it.seq <= durable);
        ToWake(served.collect())
    }

    /// Takes out one, if anyone is in it.
    pub(crate) fn next(&mut self) -> ToWake {
        let n_next = self.sleepers.len().min(1);
        ToWake(self.sleepers.drain(..n_next).collect())
    }

    /// Takes out everybody.
    pub(crate) fn all(&mut self) -> ToWake {
        ToWake(std::mem::take(&mut self.sleepers))
    }
}

impl ToWake {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    pub(crate) fn wake(self) {
        for sleeper in self.0 {
            sleeper.thread.unpark();
        }
    }
}

/// The number of the last durable record, to be read without the lock.
#[derive(Debug, Default)]
pub(crate) struct DurableMark(AtomicU64);

impl DurableMark {
    pub(crate) fn raise(&self, durable: u64) {
        self.0.fetch_max(durable, Ordering::Release);
    }

    pub(crate) fn covers(&self, seq: u64) -> bool {
        self.0.load(Ordering::Acquire) >= seq
    }
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
