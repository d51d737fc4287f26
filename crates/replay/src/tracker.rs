//! What a rollout says about a thread beside its items: segment by segment, as records arrive.
//!
//! A segment runs from the start of a turn to the start of the next. What a `turn_context` in it
//! says counts once the segment is known to hold a user's turn, or a full telling of the state.

use std::sync::Arc;

use annals_history::{ThreadState, WindowIdentity};
use annals_protocol::{
    PreviousTurnSettings, RawJson, ResumeMetadata, TurnAttribution, WorldStateRecord, members,
};
use annals_world_state::{BaselineChain, ChainStep};

/// The segment under way and what held before it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tracker {
    before: Settled,
    segment: Segment,
    /// The segment before, for a completion that arrives late.
    previous: Option<Segment>,
    /// Whether the thread's file is in the paginated form, whose compactions say all there is to know.
    pub(crate) is_paginated: bool,
}

/// Settings and reference context as they stood when the segment began.
#[derive(Debug, Clone, Default)]
struct Settled {
    settings: Option<Arc<PreviousTurnSettings>>,
    reference: Option<RawJson>,
}

#[derive(Debug, Clone, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says one thing that the records of a turn said or did not say"
)]
struct Segment {
    turn_id: Option<Arc<str>>,
    /// Whether the record of the turn's start said the id.
    is_named_by_start: bool,
    /// Whether somebody other than the model spoke in it.
    is_user_turn: bool,
    /// Whether the state was told in full since its newest compaction.
    is_told: bool,
    is_completed: bool,
    settings: Option<Arc<PreviousTurnSettings>>,
    reference: Reference,
}

/// What a segment says about the reference context. Cleared is not the same as silent: it hides
/// what older segments say.
#[derive(Debug, Clone, Default)]
enum Reference {
    #[default]
    Silent,
    Cleared,
    Latest(RawJson),
}

impl Segment {
    fn has_baseline(&self) -> bool {
        self.is_user_turn || self.is_told
    }

    fn is_of(&self, turn_id: Option<&str>) -> bool {
        match (self.turn_id.as_deref(), turn_id) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        }
    }
}

impl Tracker {
    /// A turn starts.
    pub(crate) fn start(&mut self, state: &ThreadState, turn_id: Option<&str>) {
        let settled = Settled {
            settings: state.turn_settings.clone(),
            reference: state.reference_context.clone(),
        };
        let segment = Segment {
            turn_id: turn_id.map(Arc::from),
            is_named_by_start: turn_id.is_some(),
            ..Segment::default()
        };
        self.before = settled;
        self.previous = Some(std::mem::replace(&mut self.segment, segment));
    }

    /// Turns were rolled back: what held at the cut is what holds.
    pub(crate) fn rolled_back(&mut self, state: &ThreadState) {
        self.start(state, None);
        self.previous = None;
    }

    /// Somebody other than the model spoke. Says whether that changes anything.
    pub(crate) fn spoke(&mut self) -> bool {
        !std::mem::replace(&mut self.segment.is_user_turn, true)
    }

    /// A turn ended.
    pub(crate) fn completed(&mut self, turn_id: Option<&str>) {
        if self.segment.is_of(turn_id) {
            self.segment.is_completed = true;
            self.name(turn_id);
        } else if let Some(previous) = self.previous.take() {
            // A late completion: the turn has its say, though another one has begun.
            if previous.turn_id.as_deref() == turn_id
                && previous.has_baseline()
                && previous.settings.is_some()
            {
                self.before.settings = previous.settings;
            }
        }
    }

    /// A turn was aborted.
    pub(crate) fn aborted(&mut self, turn_id: Option<&str>) {
        self.name(turn_id);
    }

    fn name(&mut self, turn_id: Option<&str>) {
        if self.segment.turn_id.is_none() {
            self.segment.turn_id = turn_id.map(Arc::from);
        }
    }

    /// A turn's settings.
    pub(crate) fn turn_context(&mut self, payload: &str, state: &mut ThreadState) {
        let Ok(raw) = RawJson::parse(payload) else {
            return;
        };
        let turn_id = text(&raw, "turn_id").filter(|id| !id.is_empty());
        self.name(turn_id.as_deref());
        if !self.segment.is_named_by_start && !self.segment.is_of(turn_id.as_deref()) {
            // Turns without starts are one segment, and the newest of them says whose it is.
            self.segment.turn_id = turn_id.as_deref().map(Arc::from);
            self.segment.settings = None;
        }
        // Of several in a segment the oldest speaks for the settings, the newest for the context.
        if self.segment.settings.is_none() && self.segment.is_of(turn_id.as_deref()) {
            self.segment.settings = settings_of(&raw).map(Arc::new);
        }
        self.segment.reference = Reference::Latest(raw.clone());
        if state.opening_context.is_none() {
            state.opening_context = Some(raw);
        }
    }

    /// What the model was told of the world; says how the record fits.
    pub(crate) fn world_state(
        &mut self,
        record: &WorldStateRecord,
        state: &mut ThreadState,
    ) -> ChainStep {
        let mut chain = BaselineChain::from_baseline(state.world_state_baseline.take());
        let step = chain.record(record);
        state.world_state_baseline = chain.into_baseline();
        self.segment.is_told |= record.full;
        step
    }

    /// A compaction: what was told is forgotten, and what its record says about the thread holds.
    pub(crate) fn compacted(&mut self, compaction: &CompactionFacts, state: &mut ThreadState) {
        let is_whole = compaction.has_replacement && compaction.window_number.is_some();
        if let Some(resume) = &compaction.resume {
            state.turn_settings = resume.previous_turn_settings.clone().map(Arc::new);
            state.turn_attribution = resume.turn_attribution.clone().map(Arc::new);
            state.settings_need_completion = true;
        } else if is_whole && self.is_paginated {
            state.turn_settings = None;
            state.turn_attribution = None;
            state.settings_need_completion = false;
        }
        if compaction.resume.is_some() || (is_whole && self.is_paginated) {
            // Nothing older is asked, not even what this segment said so far.
            self.before.settings.clone_from(&state.turn_settings);
            self.segment.settings = None;
            self.segment.is_user_turn = false;
        }
        self.segment.is_told = false;
        self.segment.reference = Reference::Cleared;
        // What older turns told was told to a context that is gone, whatever this turn says of it yet.
        self.before.reference = None;
        state.has_legacy_compaction = !compaction.has_replacement;
        state.window = compaction.window_after(&state.window);
        self.apply(state);
        state.world_state_baseline = None;
        state.opening_context = None;
    }

    /// Writes what the segment says so far into the state.
    pub(crate) fn apply(&self, state: &mut ThreadState) {
        let segment = &self.segment;
        let speaks =
            segment.has_baseline() && (segment.is_completed || !state.settings_need_completion);
        let settings = segment.settings.as_ref().filter(|_| speaks);
        state.turn_settings = settings.or(self.before.settings.as_ref()).cloned();
        state.reference_context = match &segment.reference {
            Reference::Cleared => None,
            Reference::Latest(raw) if segment.has_baseline() => Some(raw.clone()),
            _ => self.before.reference.clone(),
        };
        if state.has_legacy_compaction {
            state.reference_context = None;
        }
    }
}

/// What a compaction's record says beside its items.
#[derive(Debug, Clone, Default)]
pub(crate) struct CompactionFacts {
    pub(crate) has_replacement: bool,
    pub(crate) window_number: Option<u64>,
    first_id: Option<Arc<str>>,
    previous_id: Option<Arc<str>>,
    id: Option<Arc<str>>,
    pub(crate) resume: Option<ResumeMetadata>,
}

impl CompactionFacts {
    pub(crate) fn of(payload: &str) -> Self {
        let mut facts = Self::default();
        let mut legacy_number = None;
        for member in members(payload) {
            match member.key {
                "replacement_history" => facts.has_replacement = member.value != "null",
                "window_number" => facts.window_number = member.value.parse().ok(),
                "first_window_id" => facts.first_id = window_id(member.value),
                "previous_window_id" => facts.previous_id = window_id(member.value),
                "window_id" => {
                    facts.id = window_id(member.value);
                    // Older files have the window's number here.
                    legacy_number = member.value.parse().ok();
                }
                "resume_metadata" if member.value != "null" => {
                    facts.resume = serde_json::from_str(member.value).ok();
                }
                _ => {}
            }
        }
        facts.window_number = facts.window_number.or(legacy_number);
        facts
    }

    fn window_after(&self, before: &WindowIdentity) -> WindowIdentity {
        let mut window = before.clone();
        match self.window_number {
            Some(number) => {
                window.number = number;
                window.first_id.clone_from(&self.first_id);
                window.previous_id.clone_from(&self.previous_id);
                window.id.clone_from(&self.id);
                window.is_numbered = true;
            }
            None if window.is_numbered => {}
            None => {
                window = WindowIdentity::default();
                window.number = before.number.saturating_add(1);
            }
        }
        window
    }
}

/// A window's id; only a UUID of version 7 is one.
pub(crate) fn window_id(value: &str) -> Option<Arc<str>> {
    let id = value.strip_prefix('"')?.strip_suffix('"')?;
    let bytes = id.as_bytes();
    let is_uuid = bytes.len() == 36
        && bytes.iter().enumerate().all(|(idx, byte)| match idx {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
    (is_uuid && bytes.get(14) == Some(&b'7')).then(|| Arc::from(id))
}

/// Where a turn came from, as the record of its start says.
pub(crate) fn attribution_of(payload: &str, turn_id: Option<&str>) -> Option<TurnAttribution> {
    let told = members(payload)
        .find(|member| member.is("turn_attribution") && member.value != "null")
        .and_then(|member| serde_json::from_str(member.value).ok());
    told.or_else(|| {
        turn_id.map(|turn_id| TurnAttribution {
            turn_id: Some(turn_id.to_owned()),
            turn_trigger: None,
            parent_turn_id: None,
            initiating_agent_path: None,
            root_turn_id: None,
        })
    })
}

fn settings_of(context: &RawJson) -> Option<PreviousTurnSettings> {
    Some(PreviousTurnSettings {
        model: text(context, "model")?,
        comp_hash: text(context, "comp_hash"),
        realtime_active: context
            .member("realtime_active")
            .and_then(|value| value.parse().ok()),
        cyber_access_program: context
            .member("cyber_access_program")
            .filter(|value| *value != "null")
            .and_then(|value| RawJson::parse(value).ok()),
    })
}

fn text(object: &RawJson, key: &str) -> Option<String> {
    object
        .member(key)
        .and_then(|value| serde_json::from_str(value).ok())
}
