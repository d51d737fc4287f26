//! Every line of the session files that `ANNALS_SHARED` points at comes back as it was.
//!
//! Without that variable the unit tests and properties beside the code stand alone; they cover the
//! same ground with generated items.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test reads files and says what it checked"
)]

use std::path::{Path, PathBuf};

use annals_protocol::{RolloutItem, RolloutLine};

fn session_files(dir: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            session_files(&path, found)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            found.push(path);
        }
    }
    Ok(())
}

fn without_nulls(value: &serde_json::Value) -> serde_json::Value {
    let mut value = value.clone();
    if let Some(members) = value.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    value
}

/// Whether the typed view alone, without the text behind it, writes the same JSON.
fn is_known_whole(item: &RolloutItem, payload: &serde_json::Value) -> bool {
    let written = match item {
        RolloutItem::ResponseItem(item) => serde_json::to_value(item.typed()),
        RolloutItem::TurnContext(item) => serde_json::to_value(item.typed()),
        RolloutItem::WorldState(item) => serde_json::to_value(item.typed()),
        RolloutItem::Compacted(item) => serde_json::to_value(item.typed()),
        RolloutItem::TokenUsageRecord(item) => serde_json::to_value(item.typed()),
        _ => return true,
    };
    // Two members of a compaction are written as null from 0.171 on and were left out before.
    written.is_ok_and(|written| without_nulls(&written) == without_nulls(payload))
}

#[test]
fn every_line_comes_back_byte_for_byte() {
    let Some(shared) = std::env::var_os("ANNALS_SHARED") else {
        eprintln!("ANNALS_SHARED is not set: no foreign session files to read");
        return;
    };
    let mut files = Vec::new();
    session_files(&Path::new(&shared).join("corpus"), &mut files).expect("readable");
    assert!(!files.is_empty(), "no session files");
    let (mut n_lines, mut n_bad, mut only_in_part) = (0, 0, std::collections::BTreeMap::new());
    for path in files {
        let bytes = std::fs::read(&path).expect("readable");
        for line in bytes.split(|&byte| byte == b'\n') {
            let Ok(text) = std::str::from_utf8(line) else {
                n_bad += 1;
                continue;
            };
            let text = text.trim_end_matches('\r');
            let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else {
                n_bad += usize::from(!text.trim().is_empty());
                continue;
            };
            let parsed = RolloutLine::parse(text)
                .unwrap_or_else(|error| panic!("{}: {error}: {text:.200}", path.display()));
            assert_eq!(parsed.raw().as_str(), text);
            n_lines += 1;
            if !is_known_whole(parsed.item(), &value["payload"]) {
                *only_in_part
                    .entry(parsed.item().tag().to_owned())
                    .or_insert(0) += 1;
            }
        }
    }
    println!("{n_lines} lines equal, {n_bad} no JSON, typed only in part: {only_in_part:?}");
    assert!(n_lines > 0);
    assert!(only_in_part.is_empty(), "{only_in_part:?}");
}
