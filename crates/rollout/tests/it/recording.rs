//! The async recorder: order, sharing, cancellation.

use std::future::Future as _;
use std::task::{Context, Waker};

use annals_rollout::{Durability, RolloutRecorder, RolloutWriter, WriteOn, WriterOptions};

use crate::support::{event, head, numbers, rollout_in};

fn recorder(dir: &std::path::Path) -> RolloutRecorder {
    let writer = RolloutWriter::create(rollout_in(dir), head(true), WriterOptions::default());
    RolloutRecorder::new(writer.unwrap())
}

async fn append_sixty(recorder: RolloutRecorder, task: u64) {
    for n in 0..60 {
        let durability = match n % 10 {
            0 => Durability::Durable,
            1..4 => Durability::Buffered,
            _ => Durability::Written,
        };
        recorder
            .append(&[event(task * 1000 + n)], durability)
            .await
            .unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_tasks_write_each_record_once_and_in_their_order() {
    for write_on in [WriteOn::Caller, WriteOn::BlockingPool] {
        let dir = tempfile::tempdir().unwrap();
        let recorder = recorder(dir.path()).write_on(write_on);
        let tasks: Vec<_> = (0..8_u64)
            .map(|task| tokio::spawn(append_sixty(recorder.clone(), task)))
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        recorder.close().await.unwrap();
        let found = numbers(recorder.path());
        assert_eq!(found.len(), 480);
        for task in 0..8 {
            let mine: Vec<_> = found.iter().copied().filter(|n| n / 1000 == task).collect();
            assert_eq!(mine, (task * 1000..task * 1000 + 60).collect::<Vec<_>>());
        }
    }
}

#[tokio::test]
async fn a_dropped_append_is_written_once_by_whoever_comes_next() {
    let dir = tempfile::tempdir().unwrap();
    let recorder = recorder(dir.path()).write_on(WriteOn::BlockingPool);
    {
        let records = [event(1)];
        let append = recorder.append(&records, Durability::Durable);
        let mut append = std::pin::pin!(append);
        // Polled once, then dropped while the pool works.
        assert!(
            append
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
                .is_pending()
        );
    }
    recorder
        .append(&[event(2)], Durability::Written)
        .await
        .unwrap();
    recorder.close().await.unwrap();
    assert_eq!(numbers(recorder.path()), [1, 2]);
}

#[test]
fn dropping_the_last_handle_writes_what_is_queued() {
    let dir = tempfile::tempdir().unwrap();
    let recorder = recorder(dir.path());
    recorder
        .writer()
        .append(&[event(1)], Durability::Buffered)
        .unwrap();
    let path = recorder.path().to_path_buf();
    assert!(!path.exists());
    drop(recorder);
    assert_eq!(numbers(&path), [1]);
}
