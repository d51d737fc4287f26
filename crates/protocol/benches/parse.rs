//! Reading a rollout with everything in it typed and lossless, beside the usual design: one serde
//! enum, flattened and internally tagged.

use std::collections::BTreeMap;

use annals_protocol::RolloutLine;
use annals_test_support::bench::{Suite, Target};
use annals_test_support::session::{SessionSpec, write_session};
use serde::Deserialize;
use serde_json::Value;

fn main() {
    let suite = Suite::new("protocol");
    let spec = SessionSpec::new(suite.size(53_000, 2_000));
    let mut session = Vec::new();
    if write_session(&spec, &mut session).is_err() {
        return;
    }
    let Ok(session) = String::from_utf8(session) else {
        return;
    };
    let megabytes = session.len() / 1_000_000;
    suite
        .row(
            &format!("parse a {megabytes} MB rollout, all typed and lossless"),
            Target::Faster(1.5),
        )
        .runs(suite.size(7, 3))
        .compare(
            || {
                session
                    .lines()
                    .filter_map(|line| RolloutLine::parse(line).ok())
                    .map(keep)
                    .sum::<usize>()
            },
            || {
                session
                    .lines()
                    .filter_map(|line| serde_json::from_str::<Usual>(line).ok())
                    .map(keep)
                    .sum::<usize>()
            },
        );
}

/// Both sides hand over each line and drop it, as a reader that folds a file does.
fn keep<T>(line: T) -> usize {
    drop(std::hint::black_box(line));
    1
}

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
    SessionMeta(Open),
    ResponseItem(Box<UsualResponseItem>),
    Compacted(Open),
    TurnContext(Open),
    TokenUsageRecord(Open),
    WorldState(Open),
    EventMsg(Box<UsualEvent>),
}

/// What is kept of kinds with many members.
#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "what is read is what is measured")]
struct Open {
    #[serde(flatten)]
    members: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(dead_code, reason = "what is read is what is measured")]
enum UsualResponseItem {
    Message {
        id: Option<String>,
        role: String,
        content: Vec<UsualPart>,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    },
    Reasoning {
        id: Option<String>,
        summary: Vec<Value>,
        content: Option<Vec<Value>>,
        encrypted_content: Option<String>,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    },
    FunctionCall {
        id: Option<String>,
        name: String,
        arguments: String,
        call_id: String,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    },
    FunctionCallOutput {
        id: Option<String>,
        call_id: Option<String>,
        output: Value,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(dead_code, reason = "what is read is what is measured")]
enum UsualPart {
    InputText {
        text: String,
    },
    OutputText {
        text: String,
        annotations: Option<Vec<Value>>,
        logprobs: Option<Vec<Value>>,
    },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(dead_code, reason = "what is read is what is measured")]
enum UsualEvent {
    TaskStarted(Open),
    TaskComplete(Open),
    TokenCount(Open),
    ItemCompleted(Open),
}
