//! The stores against the contract, and what is the JSONL store's own.

use annals_rollout::store::{JsonlStore, MemoryStore, ReadFrom, RolloutStore};
use annals_rollout::{
    CutPoint, Durability, ErrorKind, Home, Lineage, ParentSearch, Source, archive, compress,
    lookup, revert,
};
use annals_test_support::{FaultyStore, StoreCall, StoreFault, block_on};

use crate::support::{ID, event, full_head};

/// A store in a directory that goes with it.
#[derive(Debug)]
struct InDir {
    store: JsonlStore,
    dir: tempfile::TempDir,
}

impl InDir {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        Self {
            store: JsonlStore::new(Home::new(dir.path())),
            dir,
        }
    }
}

mod memory {
    //! The store in memory.
    annals_test_support::rollout_store_conformance!(super::MemoryStore::default());
}

mod jsonl {
    //! The store in files.
    annals_test_support::rollout_store_conformance!(super::InDir::new().store);
}

mod faulty {
    //! A store that may fail and does not.
    use super::{FaultyStore, MemoryStore, StoreFault};
    annals_test_support::rollout_store_conformance!(FaultyStore::new(
        MemoryStore::default(),
        |_, _| StoreFault::None
    ));
}

#[test]
fn a_thread_is_its_newest_segment_with_its_parents_wherever_they_lie() {
    let made = InDir::new();
    let (store, home) = (&made.store, Home::new(made.dir.path()));
    let thread = ID.parse().unwrap();
    block_on(async {
        let lease = store.create(thread, full_head("paginated")).await.unwrap();
        lease
            .append(1, &[event(1), event(2), event(3)], Durability::Written)
            .await
            .unwrap();
        lease.release().await.unwrap();
        let path = lookup(&home, ID).unwrap();
        let lineage =
            Lineage::resolve(Source::open(&path).unwrap(), &ParentSearch::default()).unwrap();
        let segment = revert(&lineage, &CutPoint::Ordinal(2)).unwrap();
        segment.append(&[event(9)], Durability::Written).unwrap();
        segment.close().unwrap();
        let packed = compress(&path).unwrap();
        archive(&home, &packed).unwrap();
        let numbers = |records: &[annals_rollout::store::StoredRecord]| {
            records
                .iter()
                .map(|record| {
                    let payload = record.envelope().unwrap().payload;
                    (record.position, payload.contains("\"n\""))
                })
                .collect::<Vec<_>>()
        };
        // Head and first event of the old file, then head and event of the segment.
        let wanted = [(0, false), (1, true), (2, false), (3, true)];
        for limit in [1, 2, 9] {
            let (mut from, mut found) = (ReadFrom::START, Vec::new());
            loop {
                let page = store.read(thread, from, limit).await.unwrap();
                found.extend(numbers(&page.records));
                let Some(next) = page.next else { break };
                from = next;
            }
            assert_eq!(found, wanted);
            let (mut from, mut found) = (ReadFrom::START, Vec::new());
            loop {
                let page = store.read_back(thread, from, limit).await.unwrap();
                found.extend(numbers(&page.records));
                let Some(next) = page.next else { break };
                from = next;
            }
            found.reverse();
            assert_eq!(found, wanted);
        }
        assert_eq!(store.list(None, 9).await.unwrap().threads, [thread]);
        let lease = store.lease(thread).await.unwrap();
        assert_eq!(lease.next_position(), 4);
        drop(lease);
        store.delete(thread).await.unwrap();
        assert_eq!(
            store.head(thread).await.unwrap_err().kind(),
            ErrorKind::NotFound
        );
    })
    .unwrap();
}

#[test]
fn a_store_that_fails_before_or_after_is_told_apart_by_the_position() {
    let mut appends = 0;
    let store = FaultyStore::new(MemoryStore::default(), move |_, call| match call {
        StoreCall::Append(_) => {
            appends += 1;
            match appends {
                1 => StoreFault::Before(ErrorKind::Io),
                2 => StoreFault::After(ErrorKind::Io),
                _ => StoreFault::None,
            }
        }
        _ => StoreFault::None,
    });
    let thread = ID.parse().unwrap();
    block_on(async {
        let lease = store.create(thread, full_head("paginated")).await.unwrap();
        let mut appended = 0;
        for n in 1..=3 {
            let expected = lease.next_position();
            let result = lease
                .append(expected, &[event(n)], Durability::Written)
                .await;
            if result.is_ok() || lease.next_position() > expected {
                appended += 1;
            }
        }
        assert_eq!(appended, 2);
        assert_eq!(store.head(thread).await.unwrap().next_position, 3);
    })
    .unwrap();
}
