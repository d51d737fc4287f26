//! Records that Codex wrote: each patch has a base, is minimal, and agrees with what was told beside it.
//!
//! The sessions are shared apart from this crate; without them the records below, of the same kinds,
//! are all there is.

use crate::shared;
use annals_context_fragments::catalog::{EnvironmentContext, UserInstructions};
use annals_protocol::WorldStateRecord;
use annals_world_state::{BaselineChain, ChainStep, Fingerprint, WorldStateSnapshot};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What was counted over all files.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    full: usize,
    patches: usize,
    repeated_paths: usize,
    agents_md: usize,
    environments: usize,
    fingerprints: usize,
}

struct Walk<'a> {
    files: &'a BTreeMap<String, PathBuf>,
    chain: BaselineChain,
    beside: Vec<(String, String)>,
    count: Count,
    is_counted: bool,
}

#[test]
fn records_of_real_sessions_are_chains_that_agree_with_their_texts() {
    let Some(folder) = shared::folder("corpus") else {
        return;
    };
    let paths = shared::rollouts(&folder);
    let mut total = Count::default();
    let mut n_files = 0;
    // Files find their parents within one scenario: ids repeat between scenarios.
    for folder in paths.chunk_by(|a, b| a.parent() == b.parent()) {
        let files = folder
            .iter()
            .map(|path| (id_of(path), path.clone()))
            .collect();
        for path in folder {
            let mut walk = Walk {
                files: &files,
                chain: BaselineChain::new(),
                beside: Vec::new(),
                count: Count::default(),
                is_counted: true,
            };
            walk.file(path, None);
            n_files += usize::from(walk.count.full + walk.count.patches > 0);
            total.add(&walk.count);
        }
    }
    shared::note(&format!(
        "world_state records of {n_files} files: {total:?}"
    ));
    assert!(total.full >= 90 && total.patches >= 80, "{total:?}");
    assert!(total.agents_md >= 100, "{total:?}");
    assert!(total.environments >= 100, "{total:?}");
    assert!(total.fingerprints >= 90, "{total:?}");
}

#[test]
fn records_of_our_own_making_are_checked_alike() {
    let agents =
        "# AGENTS.md instructions for /home/dev/p\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>";
    let removed = "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nThe previously provided AGENTS.md instructions no longer apply.\n</INSTRUCTIONS>";
    let place = "<environment_context>\n  <cwd>/home/dev/p</cwd>\n</environment_context>";
    let rules = "<permissions instructions>\nAsk.\n</permissions instructions>";
    let digest = Fingerprint::of_fragment("developer", rules).to_string();
    let empty = "dfd53114f5f6f9f5fd7816370d0bf2847806246d";
    let message = |role: &str, text: &str| {
        serde_json::json!({"type": "response_item", "payload": {"type": "message", "role": role,
            "content": [{"type": "input_text", "text": text}]}})
    };
    let state = |full: bool, state: Value| serde_json::json!({"type": "world_state", "payload": {"full": full, "state": state}});
    let environment = |cwd: &str| serde_json::json!({"environments": {"local": {"cwd": cwd}}});
    let lines = [
        message("developer", rules),
        message("user", agents),
        message("user", place),
        state(
            true,
            serde_json::json!({
                "agents_md": {"directory": "/home/dev/p", "text": "Use tabs."},
                "environments": environment("/home/dev/p"),
                "permissions": {"instructions": digest, "approved_command_prefixes": []},
                "unknown_section": [null, {"kept": null}],
            }),
        ),
        message("user", removed),
        message("developer", "<collaboration_mode></collaboration_mode>"),
        state(
            false,
            serde_json::json!({
                "agents_md": {"directory": null, "text": null},
                "collaboration_mode": {"mode": "default", "instructions": empty},
                "environments": environment("/home/dev/p"),
            }),
        ),
    ];
    let files = BTreeMap::new();
    let mut walk = Walk {
        files: &files,
        chain: BaselineChain::new(),
        beside: Vec::new(),
        count: Count::default(),
        is_counted: true,
    };
    for line in &lines {
        walk.line(line);
    }
    assert_eq!(
        walk.count,
        Count {
            full: 1,
            patches: 1,
            repeated_paths: 1,
            agents_md: 2,
            environments: 1,
            fingerprints: 2
        }
    );
    assert_eq!(
        walk.chain
            .baseline()
            .map(WorldStateSnapshot::to_json)
            .unwrap(),
        format!(
            "{{\"agents_md\":{{}},\"collaboration_mode\":{{\"instructions\":\"{empty}\",\"mode\":\"default\"}},\
             \"environments\":{{\"environments\":{{\"local\":{{\"cwd\":\"/home/dev/p\"}}}}}},\
             \"permissions\":{{\"approved_command_prefixes\":[],\"instructions\":\"{digest}\"}},\
             \"unknown_section\":[null,{{\"kept\":null}}]}}"
        )
    );
}

impl Count {
    fn add(&mut self, other: &Self) {
        self.full += other.full;
        self.patches += other.patches;
        self.repeated_paths += other.repeated_paths;
        self.agents_md += other.agents_md;
        self.environments += other.environments;
        self.fingerprints += other.fingerprints;
    }
}

impl Walk<'_> {
    /// Reads a file, with what it takes over from its parents first.
    fn file(&mut self, path: &Path, end_ordinal: Option<u64>) {
        let bytes = shared::bytes(path);
        for line in bytes.split(|byte| *byte == b'\n') {
            let Ok(line) = serde_json::from_slice::<Value>(line) else {
                continue;
            };
            let is_beyond =
                end_ordinal.is_some_and(|end| line["ordinal"].as_u64().is_some_and(|at| at >= end));
            if is_beyond {
                break;
            }
            let base = &line["payload"]["history_base"];
            if line["type"] == "session_meta" && base.is_object() {
                let parent = base["thread_id"].as_str().unwrap();
                let parent = self
                    .files
                    .get(parent)
                    .unwrap_or_else(|| panic!("no {parent}"));
                let was_counted = std::mem::replace(&mut self.is_counted, false);
                self.file(&parent.clone(), base["end_ordinal_exclusive"].as_u64());
                self.is_counted = was_counted;
            } else {
                self.line(&line);
            }
        }
    }

    fn line(&mut self, line: &Value) {
        let payload = &line["payload"];
        match line["type"].as_str() {
            Some("response_item") => self.item(payload),
            Some("compacted") => {
                self.chain.compacted();
                self.beside.clear();
                for item in payload["replacement_history"]
                    .as_array()
                    .into_iter()
                    .flatten()
                {
                    self.item(item);
                }
            }
            Some("world_state") => self.record(payload),
            _ => {}
        }
    }

    fn item(&mut self, item: &Value) {
        let Some(role) = item["role"].as_str() else {
            return;
        };
        for part in item["content"].as_array().into_iter().flatten() {
            if let Some(text) = part["text"].as_str() {
                self.beside.push((role.to_owned(), text.to_owned()));
            }
        }
    }

    fn record(&mut self, payload: &Value) {
        let record: WorldStateRecord = serde_json::from_value(payload.clone()).unwrap();
        let before = self.chain.baseline().cloned();
        let step = self.chain.record(&record);
        let after = self
            .chain
            .baseline()
            .cloned()
            .unwrap_or_else(|| panic!("{step:?}: {payload}"));
        let beside = std::mem::take(&mut self.beside);
        if !self.is_counted {
            return;
        }
        match step {
            ChainStep::Replaced => self.count.full += 1,
            ChainStep::Patched { fits } => {
                self.count.patches += 1;
                if !fits {
                    // Paths were replaced in these files, so that two of them may have become one.
                    let known = serde_json::to_value(before.as_ref().unwrap()).unwrap();
                    repeats_only_paths(&payload["state"], &known);
                    self.count.repeated_paths += 1;
                }
            }
            other => panic!("{other:?}: {payload}"),
        }
        self.compare(payload, before.as_ref(), &after, &beside);
    }

    /// Compares what is stored anew with what was told.
    fn compare(
        &mut self,
        payload: &Value,
        before: Option<&WorldStateSnapshot>,
        after: &WorldStateSnapshot,
        beside: &[(String, String)],
    ) {
        let state = &payload["state"];
        if let Some(text) = state["agents_md"].as_object().and_then(|md| md.get("text")) {
            let told = beside
                .iter()
                .rev()
                .find_map(|(_, text)| UserInstructions::read(text));
            let told = told.unwrap_or_else(|| panic!("no AGENTS.md beside {payload}"));
            assert_eq!(told.text(), text.as_str(), "{payload}");
            self.count.agents_md += 1;
        }
        if let Some(cwd) = state["environments"]["environments"]["local"]["cwd"].as_str() {
            let stored = before.and_then(|state| state.get("environments"));
            let known = stored.map(|s| &s.value()["environments"]["local"]["cwd"]);
            if known.and_then(Value::as_str) != Some(cwd) {
                let told = beside
                    .iter()
                    .rev()
                    .find_map(|(_, text)| EnvironmentContext::read(text));
                let told = told.unwrap_or_else(|| panic!("no environment beside {payload}"));
                assert_eq!(told.cwd.as_deref(), Some(cwd), "{payload}");
                self.count.environments += 1;
            }
        }
        for section in ["permissions", "collaboration_mode"] {
            let Some(digest) = state[section]["instructions"].as_str() else {
                continue;
            };
            let marker = format!("<{section}");
            let told = beside
                .iter()
                .rev()
                .find(|(_, text)| text.starts_with(&marker));
            match told {
                Some((_, text)) if text.contains("bytes elided") => continue,
                Some((role, text)) => {
                    assert_eq!(Fingerprint::of_fragment(role, text).to_string(), digest);
                }
                // A mode without instructions is not told to a model that knows of none.
                None if section == "collaboration_mode" => continue,
                None => panic!("no {section} beside {payload}"),
            }
            self.count.fingerprints += 1;
            assert!(after.get(section).is_some());
        }
    }
}

/// Members of a patch that are there already hold a path.
fn repeats_only_paths(patch: &Value, known: &Value) {
    match (patch, known) {
        (Value::Object(patch), Value::Object(known)) => {
            for (key, member) in patch {
                if let Some(known) = known.get(key) {
                    repeats_only_paths(member, known);
                }
            }
        }
        (patch, known) if patch == known => {
            assert!(
                patch
                    .as_str()
                    .is_some_and(|text| text.contains("/home/dev/")),
                "{patch}"
            );
        }
        _ => {}
    }
}

/// The id at the end of the name: of a segment, if there is one, else of the thread.
fn id_of(path: &Path) -> String {
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let last = name.rsplit('_').next().unwrap();
    last.chars()
        .skip(last.chars().count().saturating_sub(36))
        .collect()
}
