//! Sessions written for the tests, record by record, and what comes of replaying them.
#![expect(
    clippy::needless_pass_by_value,
    reason = "records are written where they are used"
)]

use annals_history::{ContextManager, PromptOptions};
use annals_protocol::{Envelope, RecordKind};
use annals_replay::{
    CheckpointRule, CheckpointWatch, KeptItems, Reading, Record, Replay, Replayed,
};
use serde_json::{Value, json};

/// A session under construction.
#[derive(Debug, Clone, Default)]
pub(crate) struct Session {
    lines: Vec<String>,
}

impl Session {
    /// A session of a newer program, in the legacy form.
    pub(crate) fn new() -> Self {
        Self::of("0.171.0", json!({}))
    }

    pub(crate) fn paginated() -> Self {
        Self::of("0.171.0", json!({"history_mode": "paginated"}))
    }

    pub(crate) fn of(version: &str, more: Value) -> Self {
        let mut meta =
            json!({"id": "01900000-0000-7000-8000-000000000001", "cli_version": version});
        for (key, value) in more.as_object().unwrap() {
            meta[key] = value.clone();
        }
        Self::default().line("session_meta", meta)
    }

    pub(crate) fn line(mut self, kind: &str, payload: Value) -> Self {
        let line =
            json!({"timestamp": "2026-01-03T12:00:00.000Z", "type": kind, "payload": payload});
        // Keys in the order in which they are always written.
        let text = format!(
            "{{\"timestamp\":{},\"type\":{},\"payload\":{}}}",
            line["timestamp"], line["type"], line["payload"]
        );
        self.lines.push(text);
        self
    }

    pub(crate) fn item(self, item: Value) -> Self {
        self.line("response_item", item)
    }

    /// An item with what its writer noted beside it.
    pub(crate) fn noted(mut self, item: Value, metadata: Value) -> Self {
        let text = format!(
            "{{\"timestamp\":\"2026-01-03T12:00:00.000Z\",\"type\":\"response_item\",\"payload\":{item},\"metadata\":{metadata}}}"
        );
        self.lines.push(text);
        self
    }

    pub(crate) fn event(self, event: Value) -> Self {
        self.line("event_msg", event)
    }

    pub(crate) fn user(self, text: &str) -> Self {
        self.item(user(text))
    }

    pub(crate) fn assistant(self, text: &str) -> Self {
        self.item(assistant(text))
    }

    pub(crate) fn started(self, turn: &str) -> Self {
        self.event(json!({"type": "task_started", "turn_id": turn}))
    }

    pub(crate) fn completed(self, turn: &str) -> Self {
        self.event(json!({"type": "task_complete", "turn_id": turn}))
    }

    pub(crate) fn said(self, text: &str) -> Self {
        self.event(json!({"type": "user_message", "message": text}))
    }

    pub(crate) fn context(self, turn: &str, model: &str) -> Self {
        self.line(
            "turn_context",
            json!({"turn_id": turn, "cwd": "/p", "model": model}),
        )
    }

    pub(crate) fn full(self, state: Value) -> Self {
        self.line("world_state", json!({"full": true, "state": state}))
    }

    pub(crate) fn patch(self, state: Value) -> Self {
        self.line("world_state", json!({"full": false, "state": state}))
    }

    pub(crate) fn rollback(self, turns: u32) -> Self {
        self.event(json!({"type": "thread_rolled_back", "num_turns": turns}))
    }

    pub(crate) fn compacted(self, message: &str, items: Value) -> Self {
        self.line(
            "compacted",
            json!({"message": message, "replacement_history": items}),
        )
    }

    pub(crate) fn legacy_compacted(self, message: &str) -> Self {
        self.line("compacted", json!({"message": message}))
    }

    /// A whole turn: start, context, user, answer, end.
    pub(crate) fn turn(self, turn: &str, model: &str, text: &str) -> Self {
        self.started(turn)
            .context(turn, model)
            .user(text)
            .said(text)
            .assistant(&format!("re {text}"))
            .completed(turn)
    }

    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    pub(crate) fn replay(&self) -> Outcome {
        let mut replay = Replay::new(KeptItems);
        for (idx, text) in self.lines.iter().enumerate() {
            feed(&mut replay, idx, text);
        }
        Outcome::of(replay.finish())
    }

    /// Replays the items from the newest compaction on, if a watch over what follows allows it.
    pub(crate) fn replay_watched(&self) -> Option<Outcome> {
        let parsed: Vec<_> = self
            .lines
            .iter()
            .map(|text| Envelope::parse(text).unwrap())
            .collect();
        let newest = parsed
            .iter()
            .rposition(|record| record.kind == RecordKind::Compacted)?;
        let mut watch = CheckpointWatch::at(&parsed[newest])?;
        if !parsed[newest + 1..].iter().all(|record| watch.see(record)) {
            return None;
        }
        let mut replay = Replay::new(KeptItems).starting_midway();
        feed(&mut replay, 0, &self.lines[0]);
        for (idx, text) in self.lines.iter().enumerate().skip(newest) {
            feed(&mut replay, idx, text);
        }
        Some(Outcome::of(replay.finish()))
    }

    /// Replays only what the stop rule asks for; says how many records that were.
    pub(crate) fn replay_from_end(&self, rule: CheckpointRule) -> (Outcome, usize) {
        let mut rule = rule;
        let mut start = 0;
        for (idx, text) in self.lines.iter().enumerate().rev() {
            let envelope = Envelope::parse(text).unwrap();
            if rule.see(&envelope) == Reading::StartsHere {
                start = idx;
                break;
            }
        }
        let mut replay = Replay::new(KeptItems);
        if start > 0 {
            replay = replay.starting_midway();
            feed(&mut replay, 0, &self.lines[0]);
        }
        for (idx, text) in self.lines.iter().enumerate().skip(start) {
            feed(&mut replay, idx, text);
        }
        (Outcome::of(replay.finish()), self.lines.len() - start)
    }
}

fn feed(replay: &mut Replay<KeptItems>, idx: usize, text: &str) {
    let envelope = Envelope::parse(text).unwrap();
    replay.feed(&Record {
        segment: 0,
        line: idx as u64 + 1,
        byte_offset: 0,
        text,
        envelope,
    });
}

pub(crate) fn user(text: &str) -> Value {
    json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]})
}

pub(crate) fn assistant(text: &str) -> Value {
    json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]})
}

pub(crate) fn developer(texts: &[&str]) -> Value {
    let content: Vec<Value> = texts
        .iter()
        .map(|text| json!({"type": "input_text", "text": text}))
        .collect();
    json!({"type": "message", "role": "developer", "content": content})
}

pub(crate) fn call(id: &str) -> Value {
    json!({"type": "function_call", "name": "run", "arguments": "{}", "call_id": id})
}

pub(crate) fn output(id: &str, text: &str) -> Value {
    json!({"type": "function_call_output", "call_id": id, "output": text})
}

/// What a replay gave, in a form that is easy to compare.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) prompt: Vec<String>,
    pub(crate) model: Option<String>,
    pub(crate) reference_model: Option<String>,
    pub(crate) baseline: Option<String>,
    pub(crate) attribution: Option<String>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) repairs: Vec<String>,
    pub(crate) replayed: Replayed<annals_history::ItemEnvelope>,
    pub(crate) history: ContextManager,
}

impl Outcome {
    fn of(replayed: Replayed<annals_history::ItemEnvelope>) -> Self {
        let mut history = replayed.clone().into_history();
        let prompt = history.for_prompt(PromptOptions::default());
        let state = history.state().clone();
        let field = |raw: &annals_protocol::RawJson, key: &str| {
            raw.member(key)
                .map(|value| value.trim_matches('"').to_owned())
        };
        Self {
            prompt: prompt.iter().map(|item| shape(&item.to_text())).collect(),
            model: state
                .turn_settings
                .as_ref()
                .map(|settings| settings.model.clone()),
            reference_model: state
                .reference_context
                .as_ref()
                .and_then(|raw| field(raw, "model")),
            baseline: state
                .world_state_baseline
                .as_ref()
                .map(annals_world_state::WorldStateSnapshot::to_json),
            attribution: state
                .turn_attribution
                .as_ref()
                .and_then(|told| told.turn_id.clone()),
            bytes: prompt.to_vec(),
            repairs: prompt.repairs().iter().map(ToString::to_string).collect(),
            replayed,
            history,
        }
    }
}

/// An item in a few letters: `U"text"`, `FC(id)`, `FO(id)=text`.
pub(crate) fn shape(item: &str) -> String {
    let item: Value = serde_json::from_str(item).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let parts = |list: &Value| {
        let parts = list.as_array().into_iter().flatten();
        parts
            .map(|part| text(&part["text"]))
            .collect::<Vec<_>>()
            .join("|")
    };
    match item["type"].as_str().unwrap_or_default() {
        "message" => {
            let role = match item["role"].as_str().unwrap_or_default() {
                "user" => "U",
                "assistant" => "A",
                "developer" => "D",
                other => other,
            };
            format!("{role}\"{}\"", parts(&item["content"]))
        }
        "function_call" => format!("FC({})", text(&item["call_id"])),
        "custom_tool_call" => format!("CC({})", text(&item["call_id"])),
        "reasoning" => format!("R({})", text(&item["encrypted_content"])),
        "function_call_output" | "custom_tool_call_output" => {
            let kind = if item["type"] == "function_call_output" {
                "FO"
            } else {
                "CO"
            };
            let body = match &item["output"] {
                Value::String(text) => text.clone(),
                list => parts(list),
            };
            format!("{kind}({})={body}", text(&item["call_id"]))
        }
        "agent_message" => format!("AM\"{}\"", parts(&item["content"])),
        other => other.to_owned(),
    }
}
