//! Disks that fail: nothing acknowledged is lost, nothing is written twice, recording goes on.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use annals_rollout::{Durability, ErrorKind, FaultKind, RolloutWriter, WriterOptions};
use annals_test_support::{DiskCall, DiskFault, FaultyDisk};
use proptest::prelude::*;

use crate::support::{event, head, numbers, read, rollout_in};

fn writer(dir: &std::path::Path, disk: &FaultyDisk) -> RolloutWriter {
    let options = WriterOptions::default();
    RolloutWriter::create_on(rollout_in(dir), head(true), options, Arc::new(disk.clone())).unwrap()
}

/// A disk whose `fails_at`-th write takes 37 bytes, and is full after that until `freed`.
fn filling(fails_at: u64, freed: &Arc<AtomicBool>) -> FaultyDisk {
    let freed = Arc::clone(freed);
    let mut writes = 0;
    FaultyDisk::new(move |_, call| match call {
        DiskCall::Write(_) if !freed.load(Ordering::Relaxed) => {
            writes += 1;
            match writes {
                n if n < fails_at => DiskFault::None,
                n if n == fails_at => DiskFault::Short(37),
                _ => DiskFault::Fail(io::ErrorKind::StorageFull),
            }
        }
        _ => DiskFault::None,
    })
}

#[test]
fn b65_a_full_disk_is_told_and_recording_goes_on_when_there_is_room() {
    let dir = tempfile::tempdir().unwrap();
    let freed = Arc::new(AtomicBool::new(false));
    let writer = writer(dir.path(), &filling(2, &freed));
    writer.append(&[event(1)], Durability::Written).unwrap();
    for (n, queued) in [(2, 1), (3, 2)] {
        let error = writer.append(&[event(n)], Durability::Written).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoSpace);
        assert_eq!(error.io_kind(), Some(io::ErrorKind::StorageFull));
        assert_eq!(
            (error.queued_records(), error.path()),
            (queued, Some(writer.path()))
        );
        assert!(error.hint().is_some());
    }
    freed.store(true, Ordering::Relaxed);
    writer.append(&[event(4)], Durability::Durable).unwrap();
    assert_eq!(numbers(writer.path()), [1, 2, 3, 4]);
    assert_eq!(read(writer.path()).1, [FaultKind::Torn]);
    assert_eq!((writer.queued_records(), writer.written_records()), (0, 5));
}

#[test]
fn a_writer_that_is_dropped_while_the_disk_is_full_leaves_a_file_that_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let writer = writer(dir.path(), &filling(2, &Arc::new(AtomicBool::new(false))));
    writer.append(&[event(1)], Durability::Written).unwrap();
    let error = writer.append(&[event(2)], Durability::Written).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoSpace);
    let path = writer.path().to_path_buf();
    drop(writer);
    let writer = RolloutWriter::resume(&path, WriterOptions::default()).unwrap();
    writer.append(&[event(3)], Durability::Written).unwrap();
    assert_eq!(numbers(&path), [1, 3]);
}

#[test]
fn the_queue_of_a_broken_disk_is_bounded() {
    let dir = tempfile::tempdir().unwrap();
    let disk = FaultyDisk::new(|_, call| match call {
        DiskCall::Write(_) => DiskFault::Fail(io::ErrorKind::StorageFull),
        _ => DiskFault::None,
    });
    let mut options = WriterOptions::default();
    options.queue_bytes = 2_000;
    let path = rollout_in(dir.path());
    let writer = RolloutWriter::create_on(path, head(true), options, Arc::new(disk)).unwrap();
    let mut kinds = Vec::new();
    for n in 0..40 {
        kinds.push(
            writer
                .append(&[event(n)], Durability::Written)
                .unwrap_err()
                .kind(),
        );
    }
    assert_eq!(kinds.first(), Some(&ErrorKind::NoSpace));
    assert_eq!(kinds.last(), Some(&ErrorKind::QueueFull));
    let kept = kinds
        .iter()
        .filter(|kind| **kind == ErrorKind::NoSpace)
        .count() as u64;
    assert_eq!(writer.queued_records(), kept + 1);
}

#[test]
fn a_disk_that_will_not_sync_says_so_and_the_records_are_in_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let syncs = Arc::new(AtomicU64::new(0));
    let disk = FaultyDisk::new({
        let syncs = Arc::clone(&syncs);
        move |_, call| match call {
            DiskCall::Sync if syncs.fetch_add(1, Ordering::Relaxed) == 0 => {
                DiskFault::Fail(io::ErrorKind::Other)
            }
            _ => DiskFault::None,
        }
    });
    let writer = writer(dir.path(), &disk);
    assert_eq!(
        writer
            .append(&[event(1)], Durability::Durable)
            .unwrap_err()
            .kind(),
        ErrorKind::Io
    );
    assert_eq!(numbers(writer.path()), [1]);
    writer.append(&[event(2)], Durability::Durable).unwrap();
    assert_eq!(numbers(writer.path()), [1, 2]);
}

fn fault() -> impl Strategy<Value = DiskFault> {
    prop_oneof![
        3 => Just(DiskFault::None),
        2 => (1_usize..300).prop_map(DiskFault::Short),
        1 => Just(DiskFault::Fail(io::ErrorKind::StorageFull)),
        1 => Just(DiskFault::Fail(io::ErrorKind::Other)),
        1 => Just(DiskFault::Fail(io::ErrorKind::Interrupted)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn whatever_fails_every_record_is_there_once_and_in_order(
        faults in proptest::collection::vec(fault(), 0..60),
        steps in proptest::collection::vec((1_u64..4, 0_u8..4), 1..25),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut faults = faults.into_iter();
        let writer = writer(dir.path(), &FaultyDisk::new(move |_, _| faults.next().unwrap_or_default()));
        let mut next = 0;
        for (count, how) in steps {
            let records: Vec<_> = (next..next + count).map(event).collect();
            let durability = match how {
                0 => Durability::Buffered,
                1 => Durability::Durable,
                _ => Durability::Written,
            };
            match writer.append(&records, durability) {
                Ok(_) if durability > Durability::Buffered => {
                    prop_assert_eq!(numbers(writer.path()), (0..next + count).collect::<Vec<_>>());
                }
                Ok(_) => {}
                Err(error) => prop_assert!(error.queued_records() > 0 || durability == Durability::Durable),
            }
            next += count;
        }
        // The faults end at last: then one flush brings everything.
        while writer.flush(Durability::Durable).is_err() {}
        prop_assert_eq!(numbers(writer.path()), (0..next).collect::<Vec<_>>());
        let ordinals: Vec<_> = read(writer.path()).0.iter().filter_map(|record| record.0).collect();
        prop_assert_eq!(ordinals, (0..=next).collect::<Vec<_>>());
    }
}
