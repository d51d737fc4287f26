//! What any [`RolloutStore`] must do, as checks that an adapter's author runs with one macro.

use annals_protocol::RecordKind;
use annals_rollout::store::{ReadFrom, RolloutStore, StoredRecord};
use annals_rollout::{Durability, ErrorKind, NewRecord};
use serde_json::json;
use uuid::Uuid;

/// What a check says when the store breaks the contract.
pub type CheckResult = Result<(), Box<dyn std::error::Error>>;

/// Makes one test of each check of the contract.
///
/// The expression makes a fresh, empty store; it is evaluated once a test.
///
/// # Example
///
/// ```
/// annals_test_support::rollout_store_conformance!(annals_rollout::store::MemoryStore::default());
/// ```
#[macro_export]
macro_rules! rollout_store_conformance {
    ($store:expr) => {
        $crate::rollout_store_conformance!(@checks $store;
            appended_records_come_back_in_order,
            a_refused_append_changes_nothing,
            one_lease_at_a_time,
            pages_forward_and_back_agree,
            a_thread_without_records_does_not_exist,
            threads_are_listed_once_and_deleted_for_good,
            legacy_threads_are_counted,
        );
    };
    (@checks $store:expr; $($check:ident,)+) => {
        $(
            #[test]
            fn $check() -> $crate::conformance::CheckResult {
                $crate::block_on(async { $crate::conformance::$check(&$store).await })?
            }
        )+
    };
}

fn ensure(holds: bool, what: &str) -> CheckResult {
    if holds {
        Ok(())
    } else {
        Err(what.to_owned().into())
    }
}

fn id(n: u64) -> Uuid {
    // A version-7 id, so that stores that sort by its time have one.
    Uuid::from_u128(0x01a2_2f4d_919e_7c60_8290_0000_0000_0000 | u128::from(n))
}

fn head(id: Uuid, mode: &str) -> Result<NewRecord, annals_rollout::Error> {
    let id = id.to_string();
    let payload = json!({"session_id": id, "id": id, "timestamp": "2026-12-01T01:52:46.402Z",
        "cwd": "/home/dev", "originator": "test", "cli_version": "0.0.0", "history_mode": mode});
    NewRecord::serialize(RecordKind::SessionMeta, &payload)
}

fn event(n: u64) -> Result<NewRecord, annals_rollout::Error> {
    let payload = json!({"type": "conformance", "n": n});
    NewRecord::serialize(RecordKind::EventMsg, &payload)
}

/// Positions and payloads, for comparing; a record that is none compares with nothing.
fn shape(records: &[StoredRecord]) -> Vec<(u64, String)> {
    records
        .iter()
        .map(|record| {
            let payload = record.envelope().map_or("", |envelope| envelope.payload);
            (record.position, payload.to_owned())
        })
        .collect()
}

async fn read_all(
    store: &dyn RolloutStore,
    thread: Uuid,
    limit: usize,
    back: bool,
) -> Result<Vec<(u64, String)>, annals_rollout::Error> {
    let (mut from, mut all) = (ReadFrom::START, Vec::new());
    loop {
        let page = if back {
            store.read_back(thread, from, limit).await?
        } else {
            store.read(thread, from, limit).await?
        };
        all.extend(shape(&page.records));
        match page.next {
            Some(next) => from = next,
            None => return Ok(all),
        }
    }
}

/// Appends of every durability come back whole, once, in order, under their positions.
///
/// # Errors
///
/// What the store got wrong.
pub async fn appended_records_come_back_in_order(store: &dyn RolloutStore) -> CheckResult {
    let thread = id(1);
    let lease = store.create(thread, head(thread, "paginated")?).await?;
    ensure(lease.thread() == thread, "the lease is for the thread")?;
    ensure(lease.next_position() == 1, "the head comes first")?;
    let mut next = 1;
    for (count, durability) in [
        (1, Durability::Written),
        (3, Durability::Buffered),
        (2, Durability::Durable),
    ] {
        let records: Result<Vec<_>, _> = (next..next + count).map(event).collect();
        next = lease.append(next, &records?, durability).await?;
        ensure(
            lease.next_position() == next,
            "the lease counts what was appended",
        )?;
    }
    lease.flush(Durability::Durable).await?;
    let found = read_all(store, thread, 100, false).await?;
    ensure(found.len() == 7, "every record is there")?;
    for (idx, (position, payload)) in found.iter().enumerate() {
        ensure(*position == idx as u64, "positions count up from 0")?;
        let number = format!("\"n\":{idx}");
        ensure(
            idx == 0 || payload.contains(&number),
            "records are in their order",
        )?;
    }
    let head = store.head(thread).await?;
    ensure(
        head.next_position == 7 && head.thread == thread,
        "the head counts the records",
    )?;
    ensure(
        head.session.cwd.as_deref() == Some("/home/dev"),
        "the head knows the session",
    )
}

/// A wrong expectation is refused as such, and the right one goes through afterwards.
///
/// # Errors
///
/// What the store got wrong.
pub async fn a_refused_append_changes_nothing(store: &dyn RolloutStore) -> CheckResult {
    let thread = id(1);
    let lease = store.create(thread, head(thread, "paginated")?).await?;
    lease.append(1, &[event(1)?], Durability::Written).await?;
    for wrong in [0, 1, 3, u64::MAX] {
        let refused = lease.append(wrong, &[event(9)?], Durability::Written).await;
        let kind = refused.err().map(|error| error.kind());
        ensure(
            kind == Some(ErrorKind::Fenced),
            "a wrong expectation is refused as fenced",
        )?;
    }
    ensure(lease.next_position() == 2, "a refused append moves nothing")?;
    lease.append(2, &[event(2)?], Durability::Written).await?;
    ensure(
        read_all(store, thread, 9, false).await?.len() == 3,
        "only what went through is there",
    )
}

/// A second lease is refused while the first lives, and given when it is gone.
///
/// # Errors
///
/// What the store got wrong.
pub async fn one_lease_at_a_time(store: &dyn RolloutStore) -> CheckResult {
    let thread = id(1);
    let lease = store.create(thread, head(thread, "paginated")?).await?;
    lease.append(1, &[event(1)?], Durability::Written).await?;
    let kind = store.lease(thread).await.err().map(|error| error.kind());
    ensure(
        kind == Some(ErrorKind::AlreadyOpen),
        "a second lease is refused",
    )?;
    let kind = store
        .create(thread, head(thread, "paginated")?)
        .await
        .err()
        .map(|e| e.kind());
    ensure(
        kind == Some(ErrorKind::AlreadyExists),
        "a thread is not made twice",
    )?;
    ensure(
        read_all(store, thread, 9, false).await?.len() == 2,
        "reading needs no lease",
    )?;
    lease.release().await?;
    let again = store.lease(thread).await?;
    ensure(
        again.next_position() == 2,
        "a new lease goes on where the last one ended",
    )?;
    again.append(2, &[event(2)?], Durability::Written).await?;
    drop(again);
    let third = store.lease(thread).await?;
    ensure(third.next_position() == 3, "a dropped lease is given back")
}

/// Pages of every size, forward and back, give the same records.
///
/// # Errors
///
/// What the store got wrong.
pub async fn pages_forward_and_back_agree(store: &dyn RolloutStore) -> CheckResult {
    for (n, mode) in [(1, "paginated"), (2, "legacy")] {
        let thread = id(n);
        let lease = store.create(thread, head(thread, mode)?).await?;
        let records: Result<Vec<_>, _> = (1..20).map(event).collect();
        lease.append(1, &records?, Durability::Written).await?;
        let whole = read_all(store, thread, 1000, false).await?;
        ensure(whole.len() == 20, "everything is read")?;
        for limit in [1, 3, 7, 20] {
            ensure(
                read_all(store, thread, limit, false).await? == whole,
                "pages forward agree",
            )?;
            let mut back = read_all(store, thread, limit, true).await?;
            back.reverse();
            ensure(back == whole, "pages back agree")?;
        }
        let middle = store.read(thread, ReadFrom::position(15), 3).await?;
        let wanted = whole.get(15..18).unwrap_or_default();
        ensure(
            shape(&middle.records) == wanted,
            "a read starts where it is told",
        )?;
        let before = store.read_back(thread, ReadFrom::position(5), 2).await?;
        let place = before.next.unwrap_or(ReadFrom::START);
        let on = store.read(thread, place, 3).await?;
        ensure(
            shape(&on.records) == whole.get(3..6).unwrap_or_default(),
            "a read goes on where a read back stopped",
        )?;
        let mut before = shape(&before.records);
        before.reverse();
        ensure(
            before == whole.get(3..5).unwrap_or_default(),
            "a read back ends before its place",
        )?;
    }
    Ok(())
}

/// A thread that was created and never written to is not there for anyone.
///
/// # Errors
///
/// What the store got wrong.
pub async fn a_thread_without_records_does_not_exist(store: &dyn RolloutStore) -> CheckResult {
    let thread = id(1);
    let missing = |kind: Option<ErrorKind>| ensure(kind == Some(ErrorKind::NotFound), "not found");
    missing(store.head(thread).await.err().map(|error| error.kind()))?;
    missing(store.lease(thread).await.err().map(|error| error.kind()))?;
    missing(store.delete(thread).await.err().map(|error| error.kind()))?;
    let lease = store.create(thread, head(thread, "paginated")?).await?;
    missing(
        store
            .read(thread, ReadFrom::START, 9)
            .await
            .err()
            .map(|error| error.kind()),
    )?;
    missing(
        store
            .read_back(thread, ReadFrom::START, 9)
            .await
            .err()
            .map(|error| error.kind()),
    )?;
    drop(lease);
    ensure(
        store.list(None, 10).await?.threads.is_empty(),
        "nothing is listed",
    )?;
    let wrong = store.create(thread, head(id(2), "paginated")?).await;
    let kind = wrong.err().map(|error| error.kind());
    ensure(
        kind == Some(ErrorKind::InvalidInput),
        "a head of another thread is refused",
    )
}

/// Listing goes through all threads page by page; deleting needs no lease and leaves nothing.
///
/// # Errors
///
/// What the store got wrong.
pub async fn threads_are_listed_once_and_deleted_for_good(store: &dyn RolloutStore) -> CheckResult {
    for n in 0..5 {
        let lease = store.create(id(n), head(id(n), "paginated")?).await?;
        lease.append(1, &[event(n)?], Durability::Written).await?;
        if n == 4 {
            let kind = store.delete(id(n)).await.err().map(|error| error.kind());
            ensure(
                kind == Some(ErrorKind::AlreadyOpen),
                "a leased thread is not deleted",
            )?;
        }
    }
    let (mut after, mut found) = (None, Vec::new());
    loop {
        let page = store.list(after, 2).await?;
        found.extend(page.threads);
        match page.next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    found.sort_unstable();
    ensure(
        found == (0..5).map(id).collect::<Vec<_>>(),
        "each thread is listed once",
    )?;
    store.delete(id(2)).await?;
    let kind = store.head(id(2)).await.err().map(|error| error.kind());
    ensure(
        kind == Some(ErrorKind::NotFound),
        "a deleted thread is gone",
    )?;
    ensure(
        store.list(None, 10).await?.threads.len() == 4,
        "and is not listed",
    )?;
    let token = store.list(Some("no token".to_owned()), 10).await;
    ensure(token.is_err(), "a foreign token is refused")
}

/// A thread without ordinals has positions too, and is fenced by them.
///
/// # Errors
///
/// What the store got wrong.
pub async fn legacy_threads_are_counted(store: &dyn RolloutStore) -> CheckResult {
    let thread = id(1);
    let lease = store.create(thread, head(thread, "legacy")?).await?;
    lease
        .append(1, &[event(1)?, event(2)?], Durability::Written)
        .await?;
    lease.release().await?;
    drop(lease);
    let lease = store.lease(thread).await?;
    ensure(lease.next_position() == 3, "records are counted")?;
    let kind = lease
        .append(2, &[event(9)?], Durability::Written)
        .await
        .err()
        .map(|e| e.kind());
    ensure(kind == Some(ErrorKind::Fenced), "and fence")?;
    lease.append(3, &[event(3)?], Durability::Written).await?;
    ensure(
        store.head(thread).await?.next_position == 4,
        "the head counts them too",
    )?;
    let records = store.read(thread, ReadFrom::START, 9).await?.records;
    let mut ordinals = records
        .iter()
        .map(|record| record.envelope().map(|it| it.ordinal));
    let unnumbered = ordinals.all(|ordinal| ordinal == Ok(None));
    ensure(unnumbered, "lines of a legacy thread carry no ordinal")
}
