//! Events: what happened, beside what the model saw.

use serde::{Deserialize, Serialize};

use crate::tagged::tagged_enum;
use crate::{RawJson, TokenUsageInfo, TurnAttribution, TurnItem};

tagged_enum! {
    /// Something that happened, told in an `event_msg` line.
    ///
    /// Only `thread_rolled_back` changes what the model sees; the others bound turns or are there
    /// for people.
    EventMsg, "an event" {
        /// A turn began.
        TaskStarted(TaskStarted) = "task_started" | "turn_started",
        /// A turn ended by itself.
        TaskComplete(TaskComplete) = "task_complete" | "turn_complete",
        /// A turn was cut off.
        TurnAborted(TurnAborted) = "turn_aborted",
        /// The last user turns were taken back; written up to 0.150.
        ThreadRolledBack(ThreadRolledBack) = "thread_rolled_back",
        /// The user said something.
        UserMessage(UserMessage) = "user_message",
        /// The model said something.
        AgentMessage(AgentMessageEvent) = "agent_message",
        /// The model reasoned: what a user may be shown.
        AgentReasoning(AgentReasoning) = "agent_reasoning",
        /// The model reasoned: the text itself.
        AgentReasoningRawContent(AgentReasoning) = "agent_reasoning_raw_content",
        /// Usage so far.
        TokenCount(TokenCount) = "token_count",
        /// An item of a turn is done.
        ItemCompleted(ItemCompleted) = "item_completed",
        /// The settings changed.
        ThreadSettingsApplied(ThreadSettingsApplied) = "thread_settings_applied",
        /// The history was compacted.
        ContextCompacted(ContextCompacted) = "context_compacted",
        /// The goal of the thread changed.
        ThreadGoalUpdated(ThreadGoalUpdated) = "thread_goal_updated",
    }
}

/// `{"type":"task_started","turn_id":"…",…}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaskStarted {
    /// Where the turn came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_attribution: Option<TurnAttribution>,
    /// The turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// The turn at the root of it all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_turn_id: Option<String>,
    /// The trace that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// When, in seconds since 1970, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<i64>,
    /// How many tokens the model's context has room for.
    pub model_context_window: Option<i64>,
    /// The collaboration mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collaboration_mode_kind: Option<String>,
}

/// `{"type":"task_complete","turn_id":"…","last_agent_message":null,…}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaskComplete {
    /// The turn at the root of it all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_turn_id: Option<String>,
    /// The turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// What the model said last.
    pub last_agent_message: Option<String>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<RawJson>,
    /// When it began, in seconds since 1970, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<i64>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<i64>,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<i64>,
    /// How long the first token took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_to_first_token_ms: Option<i64>,
}

/// `{"type":"turn_aborted","reason":"interrupted"}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnAborted {
    /// The turn at the root of it all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_turn_id: Option<String>,
    /// The turn; not in old files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// Why.
    #[serde(default)]
    pub reason: String,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<RawJson>,
    /// When it began, in seconds since 1970, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<i64>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<i64>,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<i64>,
}

/// `{"type":"thread_rolled_back","num_turns":1}`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThreadRolledBack {
    /// How many user turns were taken back, counted from the end as it was at this place.
    pub num_turns: u32,
}

/// `{"type":"user_message","message":"…","images":[],…}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UserMessage {
    /// What was said.
    #[serde(default)]
    pub message: String,
    /// What it was, in the first versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The client's own id of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// Images by address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub images: Option<RawJson>,
    /// Images by path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local_images: Option<RawJson>,
    /// Sound by address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio: Option<RawJson>,
    /// Sound by path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local_audio: Option<RawJson>,
    /// Mentions within the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_elements: Option<RawJson>,
}

/// `{"type":"agent_message","message":"…"}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgentMessageEvent {
    /// What was said.
    #[serde(default)]
    pub message: String,
    /// Which part of the answer it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
}

/// `{"type":"agent_reasoning","text":"…"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgentReasoning {
    /// The text.
    #[serde(default)]
    pub text: String,
}

/// `{"type":"token_count","info":null,"rate_limits":null}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TokenCount {
    /// Usage so far; null where only the limits are news.
    pub info: Option<TokenUsageInfo>,
    /// The provider's limits.
    pub rate_limits: Option<RawJson>,
}

/// `{"type":"item_completed","thread_id":"…","turn_id":"…","item":{…}}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ItemCompleted {
    /// The thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// The turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// What is done.
    pub item: TurnItem,
    /// When it began, in milliseconds since 1970, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at_ms: Option<i64>,
    /// When it was done.
    #[serde(default)]
    pub completed_at_ms: i64,
}

/// `{"type":"thread_settings_applied","thread_id":"…","thread_settings":{…}}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThreadSettingsApplied {
    /// The thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// The settings.
    pub thread_settings: RawJson,
}

/// `{"type":"context_compacted"}`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContextCompacted {}

/// `{"type":"thread_goal_updated","threadId":"…","goal":{…}}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThreadGoalUpdated {
    /// The thread.
    #[serde(rename = "threadId", skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// The goal.
    pub goal: Option<RawJson>,
}
