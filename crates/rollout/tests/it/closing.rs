//! Closing beside callers that still append: what was acknowledged is kept, the rest is refused.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use annals_rollout::{
    Durability, ErrorKind, RolloutRecorder, RolloutWriter, WriterOptions, writer_of,
};
use annals_test_support::{DiskCall, DiskFault, FaultyDisk};

use crate::support::{event, head, numbers, rollout_in};

/// Appends until the writer is closed; what was acknowledged.
fn until_closed(writer: &RolloutWriter, thread: u64, durability: Durability) -> Vec<u64> {
    let mut acknowledged = Vec::new();
    for n in thread * 1_000_000.. {
        match writer.append(&[event(n)], durability) {
            Ok(_) => acknowledged.push(n),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Closed);
                break;
            }
        }
    }
    acknowledged
}

#[test]
fn nothing_acknowledged_is_lost_by_a_close_beside_it_and_nothing_is_written_after() {
    for round in 0..40 {
        let dir = tempfile::tempdir().unwrap();
        let path = rollout_in(dir.path());
        let synced_bytes = Arc::new(AtomicU64::new(0));
        let disk = FaultyDisk::new({
            let (path, synced_bytes) = (path.clone(), Arc::clone(&synced_bytes));
            move |_, call| {
                if call == DiskCall::Sync {
                    let len_bytes = std::fs::metadata(&path).map_or(0, |found| found.len());
                    synced_bytes.fetch_max(len_bytes, Ordering::Relaxed);
                }
                DiskFault::None
            }
        });
        let options = WriterOptions::default();
        let writer = RolloutWriter::create_on(&path, head(true), options, Arc::new(disk)).unwrap();
        writer.persist(Durability::Written).unwrap();
        let (all, durable, after_close) = std::thread::scope(|scope| {
            let appending: Vec<_> = [
                Durability::Buffered,
                Durability::Written,
                Durability::Durable,
                Durability::Durable,
            ]
            .into_iter()
            .enumerate()
            .map(|(thread, durability)| {
                let writer = &writer;
                scope.spawn(move || until_closed(writer, thread as u64, durability))
            })
            .collect();
            while writer.written_records() < round {
                std::thread::yield_now();
            }
            if round % 2 == 0 {
                writer.close().unwrap();
            } else {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .build()
                    .unwrap();
                let recorder = RolloutRecorder::new(writer.clone());
                runtime.block_on(recorder.close()).unwrap();
            }
            assert_eq!(writer_of(&path).unwrap(), None);
            let after_close = std::fs::read(&path).unwrap();
            let acknowledged: Vec<_> = appending
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect();
            (
                acknowledged.concat(),
                acknowledged[2..].concat(),
                after_close,
            )
        });
        assert_eq!(std::fs::read(&path).unwrap(), after_close);
        let mut found = numbers(&path);
        found.sort_unstable();
        assert_eq!(found, all);
        // What was said to be durable lies in what some sync covered.
        let synced = usize::try_from(synced_bytes.load(Ordering::Relaxed)).unwrap();
        let synced = String::from_utf8_lossy(&after_close[..synced]).into_owned();
        for n in durable {
            assert!(
                synced.contains(&format!("\"n\":{n},")),
                "{n} was never synced"
            );
        }
    }
}

#[test]
fn a_close_that_fails_leaves_the_writer_open() {
    let dir = tempfile::tempdir().unwrap();
    let mut writes = 0;
    let disk = FaultyDisk::new(move |_, call| {
        writes += u64::from(matches!(call, DiskCall::Write(_)));
        match call {
            DiskCall::Write(_) if writes == 1 => DiskFault::Fail(std::io::ErrorKind::StorageFull),
            _ => DiskFault::None,
        }
    });
    let path = rollout_in(dir.path());
    let options = WriterOptions::default();
    let writer = RolloutWriter::create_on(path, head(true), options, Arc::new(disk)).unwrap();
    writer.append(&[event(1)], Durability::Buffered).unwrap();
    let error = writer.close().unwrap_err();
    assert_eq!(
        (error.kind(), error.queued_records()),
        (ErrorKind::NoSpace, 2)
    );
    writer.append(&[event(2)], Durability::Buffered).unwrap();
    writer.close().unwrap();
    assert_eq!(numbers(writer.path()), [1, 2]);
    assert_eq!(writer.close().unwrap_err().kind(), ErrorKind::Closed);
}

#[cfg(unix)]
#[test]
fn a_close_looks_whether_the_file_is_still_there() {
    let dir = tempfile::tempdir().unwrap();
    let path = rollout_in(dir.path());
    let writer = RolloutWriter::create(&path, head(true), WriterOptions::default()).unwrap();
    writer.append(&[event(1)], Durability::Written).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(writer.close().unwrap_err().kind(), ErrorKind::Replaced);
    assert_eq!(writer_of(&path).unwrap(), None);
}

#[test]
fn what_a_failed_sync_left_in_doubt_is_written_again_before_the_next() {
    let dir = tempfile::tempdir().unwrap();
    let calls = Arc::new(Mutex::new(Vec::new()));
    let disk = FaultyDisk::new({
        let calls = Arc::clone(&calls);
        move |_, call| {
            let mut calls = calls.lock().unwrap();
            calls.push(call);
            let n_syncs = calls.iter().filter(|call| **call == DiskCall::Sync).count();
            if call == DiskCall::Sync && n_syncs == 2 {
                DiskFault::Fail(std::io::ErrorKind::Other)
            } else {
                DiskFault::None
            }
        }
    });
    let path = rollout_in(dir.path());
    let options = WriterOptions::default();
    let writer = RolloutWriter::create_on(&path, head(true), options, Arc::new(disk)).unwrap();
    writer.append(&[event(1)], Durability::Durable).unwrap();
    let error = writer.append(&[event(2)], Durability::Durable).unwrap_err();
    assert_eq!((error.kind(), error.queued_records()), (ErrorKind::Io, 0));
    let before = std::fs::read(&path).unwrap();
    writer.flush(Durability::Durable).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), before);
    writer.append(&[event(3)], Durability::Durable).unwrap();
    let calls = calls.lock().unwrap();
    let syncing: Vec<_> = calls
        .iter()
        .filter(|call| matches!(call, DiskCall::Sync | DiskCall::Rewrite))
        .collect();
    assert_eq!(
        syncing,
        [
            &DiskCall::Sync,
            &DiskCall::Sync,
            &DiskCall::Rewrite,
            &DiskCall::Sync,
            &DiskCall::Sync
        ]
    );
}
