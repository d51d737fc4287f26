//! From a session file to the bytes of the prompt, beside a loader of the usual shape: every line
//! to a `Value`, a copy of it, from there to a type, all items in a vector, the vector serialized.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use annals_inspect::{PromptInput, PromptInputOptions, PromptOptions, ReadUpTo};
use annals_rollout::{ParentSearch, Source};
use annals_test_support::bench::{Suite, Target};
use annals_test_support::session::{SessionSpec, write_session};
use serde::{Deserialize, Serialize};
use serde_json::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let suite = Suite::new("prompt_input");
    let dir = tempfile::tempdir()?;
    let n_items = suite.size(100_000, 3_000);

    let whole = dir.path().join("whole.jsonl");
    let spec = SessionSpec {
        output_bytes: 1_800,
        ..SessionSpec::new(n_items)
    };
    write_session(&spec, BufWriter::new(File::create(&whole)?))?;
    let megabytes = std::fs::metadata(&whole)?.len() / 1_000_000;
    suite
        .row(
            &format!("prompt-input on {n_items} items / {megabytes} MB"),
            Target::Faster(4.0),
        )
        .runs(suite.size(5, 2))
        .compare(|| ours(&whole), || usual(&whole));

    let compacted = dir.path().join("compacted.jsonl");
    let spec = SessionSpec {
        compaction_at: Some(0.99),
        ..spec
    };
    write_session(&spec, BufWriter::new(File::create(&compacted)?))?;
    suite
        .row(
            "prompt-input where a compaction stands in the last 1 %",
            Target::Faster(20.0),
        )
        .runs(suite.size(9, 2))
        .compare(|| ours(&compacted), || ours(&whole));
    Ok(())
}

fn ours(path: &Path) -> Option<()> {
    let source = Source::open(path).ok()?;
    let options = PromptInputOptions::new(ReadUpTo::End, PromptOptions::default());
    let input = PromptInput::read(source, &ParentSearch::default(), options).ok()?;
    input.write_json(&mut BufWriter::new(io::sink())).ok()
}

/// A line as such a loader sees it.
#[derive(Debug, Deserialize)]
struct Line {
    #[serde(rename = "type")]
    kind: String,
    payload: Value,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Item {
    Message {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        role: String,
        content: Vec<Part>,
    },
    Reasoning {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        summary: Vec<Value>,
        content: Option<Vec<Value>>,
        encrypted_content: Option<String>,
    },
    FunctionCall {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        name: String,
        arguments: String,
        call_id: String,
    },
    FunctionCallOutput {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        call_id: Option<String>,
        output: Value,
    },
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Part {
    InputText {
        text: String,
    },
    OutputText {
        text: String,
        annotations: Option<Vec<Value>>,
        logprobs: Option<Vec<Value>>,
    },
}

fn usual(path: &Path) -> Option<()> {
    let mut items: Vec<Item> = Vec::new();
    for line in BufReader::new(File::open(path).ok()?).lines() {
        let value: Value = serde_json::from_str(&line.ok()?).ok()?;
        let line: Line = serde_json::from_value(value.clone()).ok()?;
        if line.kind == "response_item" {
            items.push(serde_json::from_value(line.payload).ok()?);
        }
    }
    let prompt = items.clone();
    let mut out = BufWriter::new(io::sink());
    serde_json::to_writer(&mut out, &prompt).ok()?;
    out.flush().ok()
}
