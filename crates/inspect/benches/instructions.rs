//! The hot paths one at a time, for a counter of instructions: `instructions NAME ROUNDS`.
//!
//! With 0 rounds all is prepared and nothing is done, so that the preparation can be taken off.
//! Without a name the names are printed.

use std::error::Error;
use std::hint::black_box;
use std::io;

use annals_context_fragments::catalog::UserInstructions;
use annals_context_fragments::{ContextualUserFragment, classify_message};
use annals_history::{ContextManager, ItemEnvelope, ItemFacts, PromptOptions};
use annals_inspect::{PromptInput, PromptInputOptions, ReadUpTo};
use annals_protocol::{Envelope, RawJson, RecordKind, RolloutLine};
use annals_rollout::{Durability, NewRecord, ParentSearch, RolloutWriter, Source, WriterOptions};
use annals_test_support::session::{SessionSpec, write_session};
use annals_world_state::{SectionSnapshot, WorldStateSnapshot};
use serde_json::{Value, json};

type Outcome = Result<(), Box<dyn Error>>;

/// A path: its name, and what does it so many times.
type Path = (&'static str, fn(u64) -> Outcome);

const PATHS: &[Path] = &[
    ("parse", parse),
    ("scan", scan),
    ("facts", facts),
    ("prompt-input", prompt_input),
    ("step", step),
    ("clone", clone_and_record),
    ("unchanged-section", unchanged_section),
    ("changed-leaf", changed_leaf),
    ("render-and-recognize", render_and_recognize),
    ("append", append),
];

#[expect(clippy::print_stdout, reason = "the names are for the runner")]
fn main() -> Outcome {
    let words: Vec<String> = std::env::args().collect();
    let asked = words
        .iter()
        .find_map(|word| PATHS.iter().find(|(name, _)| word == name));
    let Some((_, run)) = asked else {
        for (name, _) in PATHS {
            println!("{name}");
        }
        return Ok(());
    };
    let rounds = words.iter().find_map(|word| word.parse().ok());
    run(rounds.unwrap_or(1))
}

fn session() -> Result<String, Box<dyn Error>> {
    let mut text = Vec::new();
    write_session(&SessionSpec::new(1_000), &mut text)?;
    Ok(String::from_utf8(text)?)
}

fn items(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter_map(Envelope::scan)
        .filter(|envelope| envelope.kind == RecordKind::ResponseItem)
        .map(|envelope| envelope.payload)
}

fn parse(rounds: u64) -> Outcome {
    let text = session()?;
    for _ in 0..rounds {
        for line in text.lines() {
            drop(black_box(RolloutLine::parse(black_box(line))));
        }
    }
    Ok(())
}

fn scan(rounds: u64) -> Outcome {
    let source = Source::from_bytes("session", session()?)?;
    for _ in 0..rounds {
        let mut records = source.scan();
        while let Some(entry) = records.next()? {
            drop(black_box(entry));
        }
    }
    Ok(())
}

fn facts(rounds: u64) -> Outcome {
    let text = session()?;
    let items: Vec<&str> = items(&text).collect();
    for _ in 0..rounds {
        for item in &items {
            black_box(ItemFacts::scan(black_box(item)));
        }
    }
    Ok(())
}

fn prompt_input(rounds: u64) -> Outcome {
    let source = Source::from_bytes("session", session()?)?;
    for _ in 0..rounds {
        let options = PromptInputOptions::new(ReadUpTo::End, PromptOptions::default());
        let input = PromptInput::read(source.clone(), &ParentSearch::default(), options)?;
        input.write_json(&mut io::sink())?;
    }
    Ok(())
}

fn history() -> Result<(ContextManager, Vec<ItemEnvelope>), Box<dyn Error>> {
    let text = session()?;
    let mut envelopes = Vec::new();
    for item in items(&text) {
        envelopes.push(ItemEnvelope::new(RawJson::parse(item)?));
    }
    let mut history = ContextManager::new();
    history.record(envelopes.iter().cloned(), None);
    envelopes.truncate(4);
    Ok((history, envelopes))
}

fn step(rounds: u64) -> Outcome {
    let (mut history, four) = history()?;
    let mut earlier = history.for_prompt(PromptOptions::default());
    for _ in 0..rounds * 100 {
        history.record(four.iter().cloned(), None);
        let prompt = history.for_prompt(PromptOptions::default());
        let _report = black_box(prompt.compare(&earlier));
        earlier = prompt;
    }
    Ok(())
}

fn clone_and_record(rounds: u64) -> Outcome {
    let (history, four) = history()?;
    for _ in 0..rounds * 100 {
        let mut fork = history.clone();
        fork.record(four.iter().cloned(), None);
        drop(black_box(fork));
    }
    Ok(())
}

fn section(leaf: u64) -> Result<WorldStateSnapshot, Box<dyn Error>> {
    let entry = |n: u64| {
        let size = if n == 500 { leaf } else { n };
        (
            format!("entry-{n:04}"),
            json!({"path": format!("/srv/{n}"), "size": size}),
        )
    };
    let value: Value = (0..1_000).map(entry).collect();
    let section = SectionSnapshot::from_value(value)?;
    Ok(WorldStateSnapshot::new().with_section("large", section))
}

fn differences(rounds: u64, leaf: u64) -> Outcome {
    let (known, other) = (section(0)?, section(leaf)?);
    for _ in 0..rounds * 10 {
        drop(black_box(black_box(&other).diff_from(black_box(&known))));
    }
    Ok(())
}

fn unchanged_section(rounds: u64) -> Outcome {
    differences(rounds, 0)
}

fn changed_leaf(rounds: u64) -> Outcome {
    differences(rounds, 1)
}

fn render_and_recognize(rounds: u64) -> Outcome {
    let rules = UserInstructions::new(Some("/repo"), "Use tabs & <b>.\n".repeat(1_000));
    for _ in 0..rounds * 10 {
        let rendered = black_box(&rules).render();
        if !black_box(classify_message("user", [(Some(rendered.as_str()), None)])).is_contextual() {
            return Err("what was rendered is not recognized".into());
        }
    }
    Ok(())
}

fn append(rounds: u64) -> Outcome {
    let dir = tempfile::tempdir()?;
    let head = json!({"id": "01a22f4d-919e-7c60-8290-000000000001", "timestamp": "2026-12-01T01:52:46.402Z",
        "cwd": "/w", "originator": "bench", "cli_version": "0.0.0"});
    let head = NewRecord::serialize(RecordKind::SessionMeta, &head)?;
    let path = dir
        .path()
        .join("rollout-2026-12-01T01-52-46-01a22f4d-919e-7c60-8290-000000000001.jsonl");
    let writer = RolloutWriter::create(path, head, WriterOptions::default())?;
    let item = json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x".repeat(2_000)}]});
    for _ in 0..rounds * 100 {
        let record = NewRecord::serialize(RecordKind::ResponseItem, &item)?;
        writer.append(&[record], Durability::Written)?;
    }
    Ok(writer.close()?)
}
