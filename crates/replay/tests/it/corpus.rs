//! Sessions that the real Codex wrote, against the inputs that it sent.
//!
//! They are not part of the project: without the environment variable `ANNALS_SHARED` this test
//! passes after saying so; `rows.rs` and `cases.rs` hold inputs of our own of the same shapes.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "reads sessions that lie outside the project, and says what it compared"
)]

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::lines::{lineage, prompt, replay, replay_from_end};

#[test]
fn every_recorded_request_is_rebuilt() {
    let Some(shared) = std::env::var_os("ANNALS_SHARED") else {
        println!("ANNALS_SHARED is not set: nothing was compared");
        return;
    };
    let mut tally = Tally::default();
    for folder in scenarios(&PathBuf::from(shared).join("corpus")) {
        compare(&folder, &mut tally);
    }
    for failure in &tally.failures {
        println!("{failure}");
    }
    println!(
        "{} passed, {} placed by time passed",
        tally.passed, tally.placed_passed
    );
    assert!(
        tally.failures.is_empty(),
        "{} requests differ",
        tally.failures.len()
    );
    assert!(tally.passed > 0);
}

#[derive(Default)]
struct Tally {
    passed: usize,
    placed_passed: usize,
    failures: Vec<String>,
}

fn scenarios(corpus: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for version in std::fs::read_dir(corpus).unwrap().flatten() {
        for scenario in std::fs::read_dir(version.path())
            .into_iter()
            .flatten()
            .flatten()
        {
            if scenario.path().join("expect.json").exists() {
                found.push(scenario.path());
            }
        }
    }
    found.sort();
    found
}

fn compare(folder: &Path, tally: &mut Tally) {
    let text = std::fs::read_to_string(folder.join("expect.json")).unwrap();
    let expect: Value = serde_json::from_str(&text).unwrap();
    for case in expect["cases"].as_array().unwrap() {
        let lines = usize::try_from(case["lines"].as_u64().unwrap()).unwrap();
        let file = folder.join(case["file"].as_str().unwrap());
        let segments = lineage(&file, lines);
        let all = prompt(&replay(&segments));
        assert_eq!(
            all,
            prompt(&replay_from_end(&segments)),
            "{} {lines}",
            file.display()
        );
        let got: Vec<Value> = all.into_iter().map(comparable).collect();
        let want: Vec<Value> = case["input"]
            .as_array()
            .unwrap()
            .iter()
            .map(|idx| {
                comparable(expect["items"][usize::try_from(idx.as_u64().unwrap()).unwrap()].clone())
            })
            .collect();
        if got == want {
            if case.get("placed").is_some() {
                tally.placed_passed += 1;
            } else {
                tally.passed += 1;
            }
            continue;
        }
        let differs = got
            .iter()
            .zip(&want)
            .take_while(|(got, want)| got == want)
            .count();
        let shorten = |value: Option<&Value>| {
            value.map(|value| value.to_string().chars().take(300).collect::<String>())
        };
        tally.failures.push(format!(
            "{} {} request {} after {lines} lines: {} items, {} wanted, first difference at {differs}\n  got  {:?}\n  want {:?}",
            expect["codex"], expect["scenario"], case["request"], got.len(), want.len(),
            shorten(got.get(differs)), shorten(want.get(differs)),
        ));
    }
}

/// Less what the recorded requests cannot tell: ids of stand-ins, host metadata, `detail`.
fn comparable(value: Value) -> Value {
    match value {
        Value::Array(list) => list.into_iter().map(comparable).collect(),
        Value::Object(object) => {
            let has_image = object.contains_key("image_url");
            object
                .into_iter()
                .filter(|(key, value)| {
                    key != "internal_chat_message_metadata_passthrough"
                        && !(key == "detail" && has_image)
                        && !(key == "id" && is_made_id(value))
                })
                .map(|(key, value)| (key, comparable(value)))
                .collect()
        }
        other => other,
    }
}

fn is_made_id(value: &Value) -> bool {
    let id = value.as_str().unwrap_or_default();
    let uuid = id.split_once('_').map_or(id, |(_, uuid)| uuid);
    id.len() > 20 && uuid.as_bytes().get(14) == Some(&b'5')
}
