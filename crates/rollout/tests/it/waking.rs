//! Nobody sleeps for ever: many callers of both faces, whichever of them leads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use annals_rollout::{
    Durability, ErrorKind, RolloutRecorder, RolloutWriter, WriteOn, WriterOptions,
};
use annals_test_support::{DiskCall, DiskFault, FaultyDisk};

use crate::support::{event, head, numbers, rollout_in};

/// Far beyond what any of it takes: only a caller that nobody wakes gets there.
const FOR_EVER: Duration = Duration::from_mins(5);

const THREADS: u64 = 4;
const TASKS: u64 = 12;
const EACH: u64 = 150;

fn durability(n: u64) -> Durability {
    match n % 7 {
        0 => Durability::Durable,
        1 => Durability::Buffered,
        _ => Durability::Written,
    }
}

/// Takes a few bytes of every third write, so that leaders go on in the middle of a batch.
fn stuttering() -> FaultyDisk {
    FaultyDisk::new(|number, call| match call {
        DiskCall::Write(_) if number % 3 == 0 => DiskFault::Short(100),
        _ => DiskFault::None,
    })
}

async fn task(recorder: RolloutRecorder, task: u64) {
    for n in 0..EACH {
        if n % 10 == task % 10 {
            recorder.flush(durability(n)).await.unwrap();
        }
        let records = [event(task * 1000 + n)];
        recorder.append(&records, durability(n)).await.unwrap();
        if n % 16 == 0 {
            tokio::task::yield_now().await;
        }
    }
}

fn thread(writer: &RolloutWriter, thread: u64) {
    for n in 0..EACH {
        let records = [event(thread * 1000 + n)];
        writer.append(&records, durability(n)).unwrap();
    }
}

/// Starts appends and drops them while they wait: a waiter that goes must take no wake-up along.
async fn fickle(recorder: RolloutRecorder, done: Arc<AtomicBool>) {
    while !done.load(Ordering::Relaxed) {
        let records = [event(999_000)];
        tokio::select! {
            biased;
            result = recorder.append(&records, Durability::Durable) => drop(result.unwrap()),
            () = tokio::task::yield_now() => {}
        }
    }
}

async fn everybody(recorder: RolloutRecorder) {
    let done = Arc::new(AtomicBool::new(false));
    let fickle = tokio::spawn(fickle(recorder.clone(), Arc::clone(&done)));
    let threads: Vec<_> = (0..THREADS)
        .map(|number| {
            let writer = recorder.writer().clone();
            tokio::task::spawn_blocking(move || thread(&writer, number))
        })
        .collect();
    let tasks: Vec<_> = (THREADS..THREADS + TASKS)
        .map(|number| tokio::spawn(task(recorder.clone(), number)))
        .collect();
    for handle in tasks.into_iter().chain(threads) {
        handle.await.unwrap();
    }
    done.store(true, Ordering::Relaxed);
    fickle.await.unwrap();
    recorder.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn threads_and_tasks_on_one_writer_are_all_woken() {
    for (write_on, disk) in [
        (WriteOn::Caller, FaultyDisk::new(|_, _| DiskFault::None)),
        (WriteOn::Caller, stuttering()),
        (
            WriteOn::BlockingPool,
            FaultyDisk::new(|_, _| DiskFault::None),
        ),
        (WriteOn::BlockingPool, stuttering()),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let path = rollout_in(dir.path());
        let options = WriterOptions::default();
        let writer = RolloutWriter::create_on(&path, head(true), options, Arc::new(disk)).unwrap();
        let recorder = RolloutRecorder::new(writer).write_on(write_on);
        let all = tokio::time::timeout(FOR_EVER, everybody(recorder)).await;
        assert!(all.is_ok(), "someone waits for ever: {write_on:?}");
        let found = numbers(&path);
        for caller in 0..THREADS + TASKS {
            let mine: Vec<_> = found
                .iter()
                .copied()
                .filter(|n| n / 1000 == caller)
                .collect();
            assert_eq!(
                mine,
                (caller * 1000..caller * 1000 + EACH).collect::<Vec<_>>()
            );
        }
    }
}

/// Fails every fifth sync and every seventh write.
fn failing() -> FaultyDisk {
    let (mut syncs, mut writes) = (0_u64, 0_u64);
    FaultyDisk::new(move |_, call| {
        let fails = match call {
            DiskCall::Sync => {
                syncs += 1;
                syncs.is_multiple_of(5)
            }
            DiskCall::Write(_) => {
                writes += 1;
                writes.is_multiple_of(7)
            }
            _ => false,
        };
        if fails {
            DiskFault::Fail(std::io::ErrorKind::StorageFull)
        } else {
            DiskFault::None
        }
    })
}

/// Appends durably; what failed stays queued, so it is only flushed again. How many calls failed.
fn stubborn(writer: &RolloutWriter, thread: u64) -> u64 {
    let mut failed = 0;
    for n in 0..EACH {
        let mut result = writer
            .append(&[event(thread * 1000 + n)], Durability::Durable)
            .map(drop);
        while let Err(error) = result {
            assert_eq!(error.kind(), ErrorKind::NoSpace);
            failed += 1;
            result = writer.flush(Durability::Durable);
        }
    }
    failed
}

#[test]
fn a_failed_sync_or_write_reaches_all_who_wait_and_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = rollout_in(dir.path());
    let options = WriterOptions::default();
    let disk = Arc::new(failing());
    let writer = RolloutWriter::create_on(&path, head(true), options, disk).unwrap();
    let (done, ended) = std::sync::mpsc::channel();
    for number in 0..2 * THREADS {
        let (writer, done) = (writer.clone(), done.clone());
        std::thread::spawn(move || done.send(stubborn(&writer, number)));
    }
    // Once all others are gone, nothing more can come.
    drop(done);
    let failed: u64 = (0..2 * THREADS)
        .map(|_| ended.recv_timeout(FOR_EVER).unwrap())
        .sum();
    assert!(failed > 0);
    let mut found = numbers(&path);
    found.sort_unstable();
    let all = (0..2 * THREADS).flat_map(|thread| thread * 1000..thread * 1000 + EACH);
    assert_eq!(found, all.collect::<Vec<_>>());
}

#[test]
fn a_runtime_that_shuts_down_writes_in_place() {
    let dir = tempfile::tempdir().unwrap();
    let path = rollout_in(dir.path());
    let writer = RolloutWriter::create(&path, head(true), WriterOptions::default()).unwrap();
    let recorder = RolloutRecorder::new(writer).write_on(WriteOn::BlockingPool);
    let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
    let handle = runtime.handle().clone();
    runtime.shutdown_background();
    handle
        .block_on(recorder.append(&[event(1)], Durability::Durable))
        .unwrap();
    assert_eq!(numbers(&path), [1]);
}

#[test]
fn a_file_system_that_panics_ends_the_writer_and_lets_nobody_wait() {
    for panicking in [1, 2] {
        let dir = tempfile::tempdir().unwrap();
        let mut left = panicking;
        let disk = FaultyDisk::new(move |_, call| {
            if matches!((call, left), (DiskCall::Sync, 1) | (DiskCall::Write(_), 2)) {
                left = 0;
                panic!("a fault of the test's own");
            }
            DiskFault::None
        });
        let path = rollout_in(dir.path());
        let options = WriterOptions::default();
        let writer = RolloutWriter::create_on(path, head(true), options, Arc::new(disk)).unwrap();
        std::thread::scope(|scope| {
            let first = scope.spawn(|| writer.append(&[event(1)], Durability::Durable));
            assert!(first.join().is_err());
        });
        let error = writer.append(&[event(2)], Durability::Durable).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert_eq!(error.path(), Some(writer.path()));
    }
}
