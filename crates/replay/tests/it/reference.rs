//! What a resume must rebuild beside the items, found the other way round: from the newest record
//! to the oldest, segment by segment, as the rules are written down.

use serde_json::Value;

/// What the walk found.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Found {
    pub(crate) settings: Option<String>,
    pub(crate) reference: Option<String>,
    pub(crate) baseline: Option<Value>,
    pub(crate) window: u64,
}

#[derive(Debug, Clone, PartialEq, Default)]
enum Reference {
    #[default]
    NeverSet,
    Cleared,
    Latest(String),
}

#[derive(Debug, Clone)]
enum Told {
    Compaction,
    Full(Value),
    Patch(Value),
}

#[derive(Debug, Clone, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one thing that was found"
)]
struct Segment {
    turn_id: Option<String>,
    is_user_turn: bool,
    is_completed: bool,
    settings: Option<String>,
    reference: Reference,
    /// Newest first.
    told: Vec<Told>,
    window: Option<u64>,
    has_checkpoint: bool,
    /// Whether a compaction without items is newer than the checkpoint.
    is_legacy: bool,
}

impl Segment {
    fn is_of(&self, turn: Option<&str>) -> bool {
        match (self.turn_id.as_deref(), turn) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        }
    }

    fn compactions(&self) -> u64 {
        let told = self.told.iter();
        told.filter(|told| matches!(told, Told::Compaction)).count() as u64
    }

    /// Whether a full telling stands behind the newest compaction in it.
    fn is_told(&self) -> bool {
        self.told
            .iter()
            .take_while(|told| !matches!(told, Told::Compaction))
            .any(|told| matches!(told, Told::Full(_)))
    }
}

#[derive(Debug, Default)]
struct Walk {
    open: Option<Segment>,
    pending: u64,
    /// Newest first.
    told: Vec<Told>,
    settings: Option<String>,
    reference: Reference,
    window: Option<u64>,
    compactions: u64,
    /// The settings that the compaction which bounds the walk says, where it says any.
    resume: Option<Value>,
    has_checkpoint: bool,
    is_legacy: bool,
}

/// Reads a session's lines backwards.
pub(crate) fn find(lines: &[String], is_paginated: bool) -> Found {
    let mut walk = Walk::default();
    let records: Vec<(String, Value)> = lines.iter().map(|line| record(line)).collect();
    let is_bound = |(kind, payload): &(String, Value)| {
        kind == "compacted"
            && is_paginated
            && payload["replacement_history"].is_array()
            && payload["window_number"].is_u64()
    };
    // The newest such compaction is the oldest record that is asked.
    let start = records.iter().rposition(is_bound).unwrap_or(0);
    let resume = &records[start].1["resume_metadata"];
    walk.resume = resume
        .is_object()
        .then(|| resume["previous_turn_settings"].clone());
    for (kind, payload) in records[start..].iter().rev() {
        walk.see(kind, payload);
    }
    if let Some(segment) = walk.open.take() {
        walk.finalize(segment);
    }
    walk.found()
}

fn record(line: &str) -> (String, Value) {
    let line: Value = serde_json::from_str(line).unwrap();
    let kind = line["type"].as_str().unwrap().to_owned();
    (kind, line["payload"].clone())
}

impl Walk {
    fn see(&mut self, kind: &str, payload: &Value) {
        let turn = payload["turn_id"].as_str();
        match (kind, payload["type"].as_str().unwrap_or_default()) {
            ("compacted", _) => {
                let has_items = payload["replacement_history"].is_array();
                let segment = self.open.get_or_insert_default();
                segment.told.push(Told::Compaction);
                segment.window = segment.window.or(payload["window_number"].as_u64());
                if segment.reference == Reference::NeverSet {
                    segment.reference = Reference::Cleared;
                }
                segment.is_legacy |= !has_items && !segment.has_checkpoint;
                segment.has_checkpoint |= has_items;
            }
            ("event_msg", "thread_rolled_back") => {
                self.pending += payload["num_turns"].as_u64().unwrap();
            }
            ("event_msg", "task_complete") => {
                let segment = self.open.get_or_insert_default();
                segment.turn_id = segment.turn_id.take().or(turn.map(str::to_owned));
                segment.is_completed = true;
            }
            ("event_msg", "turn_aborted") => {
                if let Some(segment) = &mut self.open {
                    segment.turn_id = segment.turn_id.take().or(turn.map(str::to_owned));
                } else if let Some(turn) = turn {
                    self.open.get_or_insert_default().turn_id = Some(turn.to_owned());
                }
            }
            ("event_msg", "user_message") => self.open.get_or_insert_default().is_user_turn = true,
            ("turn_context", _) => {
                let segment = self.open.get_or_insert_default();
                segment.turn_id = segment.turn_id.take().or(turn.map(str::to_owned));
                let model = payload["model"].as_str().unwrap().to_owned();
                if segment.is_of(turn) {
                    segment.settings = Some(model.clone());
                }
                if segment.reference == Reference::NeverSet {
                    segment.reference = Reference::Latest(model);
                }
            }
            ("world_state", _) => {
                let state = payload["state"].clone();
                let told = if payload["full"] == true {
                    Told::Full(state)
                } else {
                    Told::Patch(state)
                };
                self.open.get_or_insert_default().told.push(told);
            }
            ("response_item", _) => {
                let is_user = payload["role"] == "user";
                self.open.get_or_insert_default().is_user_turn |= is_user;
            }
            ("event_msg", "task_started") => {
                if let Some(segment) = self.open.take_if(|segment| segment.is_of(turn)) {
                    self.finalize(segment);
                }
            }
            _ => {}
        }
    }

    fn finalize(&mut self, segment: Segment) {
        if self.pending > 0 {
            self.pending -= u64::from(segment.is_user_turn);
            return;
        }
        let has_baseline = segment.is_user_turn || segment.is_told();
        self.window = self.window.or(segment.window);
        self.is_legacy |= segment.is_legacy && !self.has_checkpoint;
        self.has_checkpoint |= segment.has_checkpoint;
        let may_set = self.resume.is_none() || segment.is_completed;
        if self.settings.is_none() && has_baseline && may_set {
            self.settings.clone_from(&segment.settings);
        }
        if self.reference == Reference::NeverSet
            && (has_baseline || segment.reference == Reference::Cleared)
        {
            self.reference = segment.reference.clone();
        } else if self.reference == Reference::NeverSet && segment.compactions() > 0 {
            // What was told before a compaction never holds after it, whoever speaks of it.
            self.reference = Reference::Cleared;
        }
        self.compactions += segment.compactions();
        self.told.extend(segment.told);
    }

    fn found(self) -> Found {
        let mut baseline = None;
        for told in self.told.into_iter().rev() {
            match (told, &mut baseline) {
                (Told::Compaction, _) => baseline = None,
                (Told::Full(state), _) => baseline = Some(state),
                (Told::Patch(patch), Some(state)) => merge(state, &patch),
                (Told::Patch(_), None) => {}
            }
        }
        let reference = match self.reference {
            Reference::Latest(model) if !self.is_legacy => Some(model),
            _ => None,
        };
        let resumed = self.resume.as_ref().and_then(|said| said["model"].as_str());
        let resumed = resumed.map(str::to_owned);
        Found {
            settings: self.settings.or(resumed),
            reference,
            baseline,
            window: self.window.unwrap_or(self.compactions),
        }
    }
}

fn merge(state: &mut Value, patch: &Value) {
    let (Some(object), Some(patch)) = (state.as_object_mut(), patch.as_object()) else {
        *state = patch.clone();
        return;
    };
    for (key, value) in patch {
        if value.is_null() {
            object.remove(key);
        } else {
            merge(object.entry(key.clone()).or_insert(Value::Null), value);
        }
    }
}
