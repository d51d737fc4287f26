//! Appending and reading, beside the usual ways of doing both.

use std::error::Error;
use std::fs::File;
use std::hint::black_box;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use annals_protocol::RecordKind;
use annals_rollout::{
    Durability, Entry, NewRecord, RolloutRecorder, RolloutWriter, Source, WriterOptions,
};
use annals_test_support::bench::{Suite, Target};
use annals_test_support::session::{SessionSpec, write_session};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::{mpsc, oneshot};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Outcome<()> {
    let suite = Suite::new("rollout");
    let dir = tempfile::tempdir()?;
    reading(&suite, dir.path())?;
    let bench = Bench {
        dir: dir.path().to_path_buf(),
        item: item(),
        files: AtomicU64::new(0),
    };
    bench.appending(&suite);
    bench.recording(&suite)?;
    bench.durable(&suite);
    Ok(())
}

fn reading(suite: &Suite, dir: &Path) -> Outcome<()> {
    let path = dir.join("session.jsonl");
    let mut file = std::io::BufWriter::new(File::create(&path)?);
    write_session(&SessionSpec::new(suite.size(53_000, 2_000)), &mut file)?;
    file.flush()?;
    let source = Source::open(&path)?;
    let text = std::fs::read_to_string(&path)?;
    let size = source.len_bytes() / 1_000_000;
    let row = format!("stream a {size} MB rollout, records found, payloads left raw");
    suite
        .row(&row, Target::Faster(6.0))
        .runs(suite.size(9, 3))
        .compare(
            || scan(&source),
            || {
                text.lines()
                    .filter(|line| serde_json::from_str::<Usual>(line).is_ok())
                    .count()
            },
        );
    let row = format!("the last 1 % of a {size} MB rollout, read backward");
    suite
        .row(&row, Target::Faster(20.0))
        .runs(suite.size(9, 3))
        .compare(|| last_hundredth(&source), || scan(&source));
    Ok(())
}

fn scan(source: &Source) -> usize {
    let mut records = source.scan();
    let mut found = 0;
    while let Ok(Some(entry)) = records.next() {
        if let Entry::Record(record) = entry {
            found += usize::from(black_box(record.envelope.payload).len() > 1);
        }
    }
    found
}

fn last_hundredth(source: &Source) -> usize {
    let mut records = source.backward();
    let mut found = 0;
    while records.read_bytes() < source.len_bytes() / 100 {
        match records.next() {
            Ok(Some(entry)) => drop(black_box(entry)),
            _ => break,
        }
        found += 1;
    }
    found
}

/// The usual design: one enum, flattened and internally tagged.
#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "what is read is what is measured")]
struct Usual {
    timestamp: String,
    ordinal: Option<u64>,
    metadata: Option<Value>,
    #[serde(flatten)]
    item: UsualItem,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
#[expect(dead_code, reason = "what is read is what is measured")]
enum UsualItem {
    SessionMeta(Value),
    ResponseItem(Box<UsualResponseItem>),
    Compacted(Value),
    TurnContext(Value),
    TokenUsageRecord(Value),
    WorldState(Value),
    EventMsg(Value),
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "what is read is what is measured")]
struct UsualResponseItem {
    r#type: String,
    id: Option<String>,
    role: Option<String>,
    call_id: Option<String>,
    name: Option<String>,
    arguments: Option<String>,
    content: Option<Vec<UsualPart>>,
    output: Option<Value>,
    #[serde(flatten)]
    rest: serde_json::Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "what is read is what is measured")]
struct UsualPart {
    r#type: String,
    text: Option<String>,
}

/// An item of about 2 KB, as a tool call's output is.
#[derive(Debug, Clone, Serialize)]
struct Item {
    r#type: String,
    call_id: String,
    output: Vec<Part>,
}

#[derive(Debug, Clone, Serialize)]
struct Part {
    r#type: String,
    text: String,
}

fn item() -> Item {
    let text = "fn main() {\n\tprintln!(\"hello, world\");\n}\n".repeat(12);
    let part = Part {
        r#type: "input_text".to_owned(),
        text,
    };
    Item {
        r#type: "function_call_output".to_owned(),
        call_id: "call_0123456789abcdef".to_owned(),
        output: vec![part; 3],
    }
}

#[derive(Debug, Serialize)]
struct PlainLine<'a> {
    timestamp: &'a str,
    r#type: &'a str,
    payload: &'a Item,
}

fn plain_line(item: &Item) -> Vec<u8> {
    let line = PlainLine {
        timestamp: "2026-12-01T01:52:46.402Z",
        r#type: "response_item",
        payload: item,
    };
    let mut bytes = serde_json::to_vec(&line).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// A file of one run, removed behind it: what is not on the disk yet would slow the next runs down.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // One that was never made needs no removal, and the directory goes with the suite.
        let _removed = std::fs::remove_file(&self.0);
    }
}

struct Bench {
    dir: PathBuf,
    item: Item,
    files: AtomicU64,
}

impl Bench {
    fn scratch(&self) -> Scratch {
        let n_file = self.files.fetch_add(1, Ordering::Relaxed);
        Scratch(self.dir.join(format!("{n_file}.jsonl")))
    }

    fn writer(&self) -> Option<(RolloutWriter, Scratch)> {
        let scratch = self.scratch();
        let head = NewRecord::serialize(RecordKind::SessionMeta, &json!({"id": "bench"})).ok()?;
        let writer = RolloutWriter::create(&scratch.0, head, WriterOptions::default()).ok()?;
        writer.persist(Durability::Written).ok()?;
        Some((writer, scratch))
    }

    /// Appends one by one; the number that were acknowledged.
    fn append(&self, writer: &RolloutWriter, count: usize, durability: Durability) -> usize {
        (0..count)
            .filter(|_| {
                NewRecord::serialize(RecordKind::ResponseItem, &self.item)
                    .is_ok_and(|record| writer.append(&[record], durability).is_ok())
            })
            .count()
    }

    /// Serializes and writes one by one, and nothing else.
    fn bare(&self, count: usize, sync: bool) -> Option<(usize, Scratch)> {
        let scratch = self.scratch();
        let mut file = File::create(&scratch.0).ok()?;
        let n_written = (0..count)
            .filter(|_| {
                file.write_all(&plain_line(&self.item)).is_ok()
                    && (!sync || file.sync_data().is_ok())
            })
            .count();
        Some((n_written, scratch))
    }

    fn appending(&self, suite: &Suite) {
        let count = suite.size(40_000, 1_000);
        let row = format!("append {count} items of 2 KB, written, one synchronous caller");
        suite
            .row(&row, Target::AtMost(1.11))
            .runs(suite.size(9, 3))
            .compare(
                || {
                    let (writer, scratch) = self.writer()?;
                    Some((self.append(&writer, count, Durability::Written), scratch))
                },
                || self.bare(count, false),
            );
    }

    fn recording(&self, suite: &Suite) -> Outcome<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .build()?;
        for (callers, target) in [(1, 5.0), (8, 4.5)] {
            let count = suite.size(16_000, 400) / callers;
            let row = format!(
                "append {} items of 2 KB, written, {callers} async callers",
                count * callers
            );
            suite
                .row(&row, Target::Faster(target))
                .runs(suite.size(7, 3))
                .compare(
                    || runtime.block_on(self.record_all(callers, count)),
                    || runtime.block_on(self.channel_all(callers, count)),
                );
        }
        Ok(())
    }

    async fn record_all(&self, callers: usize, count: usize) -> Option<Scratch> {
        let (writer, scratch) = self.writer()?;
        let recorder = RolloutRecorder::new(writer);
        let tasks = (0..callers).map(|_| record(recorder.clone(), self.item.clone(), count));
        finish(tasks.map(tokio::spawn).collect()).await;
        Some(scratch)
    }

    /// The usual design: items cloned into a channel, one task that writes and flushes each.
    async fn channel_all(&self, callers: usize, count: usize) -> Option<Scratch> {
        let (sender, mut receiver) = mpsc::channel::<(Item, oneshot::Sender<bool>)>(256);
        let scratch = self.scratch();
        let mut file = tokio::fs::File::create(&scratch.0).await.ok()?;
        let writer = tokio::spawn(async move {
            while let Some((item, done)) = receiver.recv().await {
                let written =
                    file.write_all(&plain_line(&item)).await.is_ok() && file.flush().await.is_ok();
                // A caller that went away needs no answer.
                let _gone = done.send(written);
            }
        });
        let tasks = (0..callers).map(|_| send(sender.clone(), self.item.clone(), count));
        finish(tasks.map(tokio::spawn).collect()).await;
        drop(sender);
        drop(writer.await);
        Some(scratch)
    }

    fn append_from_all(&self, callers: usize, count: usize) -> Option<Scratch> {
        let (writer, scratch) = self.writer()?;
        if callers == 1 {
            // The baseline has no thread of its own either.
            self.append(&writer, count, Durability::Durable);
            return Some(scratch);
        }
        std::thread::scope(|scope| {
            for _ in 0..callers {
                scope.spawn(|| self.append(&writer, count, Durability::Durable));
            }
        });
        Some(scratch)
    }

    fn durable(&self, suite: &Suite) {
        for (callers, target) in [(8, Target::Faster(4.0)), (1, Target::AtMost(1.05))] {
            let count = suite.size(1_600, 80) / callers;
            let total = count * callers;
            let row = format!("append {total} items of 2 KB, durable, {callers} callers");
            suite.row(&row, target).runs(suite.size(7, 3)).compare(
                || self.append_from_all(callers, count),
                || self.bare(total, true),
            );
        }
    }
}

async fn record(recorder: RolloutRecorder, item: Item, count: usize) {
    for _ in 0..count {
        let Ok(record) = NewRecord::serialize(RecordKind::ResponseItem, &item) else {
            return;
        };
        if recorder
            .append(&[record], Durability::Written)
            .await
            .is_err()
        {
            return;
        }
    }
}

async fn send(sender: mpsc::Sender<(Item, oneshot::Sender<bool>)>, item: Item, count: usize) {
    for _ in 0..count {
        let (done, written) = oneshot::channel();
        if sender.send((item.clone(), done)).await.is_err() {
            return;
        }
        drop(written.await);
    }
}

async fn finish(tasks: Vec<tokio::task::JoinHandle<()>>) {
    for task in tasks {
        drop(task.await);
    }
}
