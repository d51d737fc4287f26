//! The settings of a turn, and the small records around turns.

use serde::{Deserialize, Serialize};

use crate::tagged::open_enum;
use crate::{MessageMetadata, RawJson};

/// A `turn_context` line: the settings with which a turn ran.
///
/// # Shape
///
/// Smallest (0.77): `{"cwd":"/p","approval_policy":"never","sandbox_policy":{…},"model":"m",
/// "summary":"auto"}`. What a version does not write is `None`; deeper settings are kept as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnContext {
    /// The turn; from 0.100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// The turn at the root of it all; from 0.171.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_turn_id: Option<String>,
    /// Plugins that are off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disabled_plugin_ids: Option<Vec<String>>,
    /// The folder that the turn worked in, absolute.
    pub cwd: String,
    /// More folders that belong to the work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace_roots: Option<Vec<String>>,
    /// The date that the model was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_date: Option<String>,
    /// The time zone that the model was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// When a command needs approval: a word, or an object for granular policies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_policy: Option<RawJson>,
    /// Who approves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approvals_reviewer: Option<String>,
    /// What a command may touch; up to 0.150.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox_policy: Option<RawJson>,
    /// What a command may touch; from 0.130.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_profile: Option<RawJson>,
    /// The profile that is in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_permission_profile: Option<RawJson>,
    /// What a command may touch in files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_system_sandbox_policy: Option<RawJson>,
    /// The model.
    pub model: String,
    /// What makes two models compatible without a compaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comp_hash: Option<String>,
    /// The model's tone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub personality: Option<String>,
    /// The collaboration mode and its settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collaboration_mode: Option<RawJson>,
    /// `disabled`, `v1` or `v2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multi_agent_version: Option<String>,
    /// Whether a realtime conversation was on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realtime_active: Option<bool>,
    /// The access program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cyber_access_program: Option<RawJson>,
    /// How much the model reasons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
    /// How reasoning is summarized; a placeholder from 0.171 on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<RawJson>,
    /// The text of AGENTS.md; 0.100 and 0.130.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_instructions: Option<String>,
    /// How tool outputs are cut; 0.100 and 0.130.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncation_policy: Option<TruncationPolicy>,
}

open_enum! {
    /// What a truncation policy counts.
    TruncationMode {
        /// Bytes of UTF-8.
        Bytes = "bytes",
        /// Estimated tokens: bytes / 4, rounded up.
        Tokens = "tokens",
    }
}

/// How tool outputs are cut for the model: `{"mode":"tokens","limit":10000}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TruncationPolicy {
    /// What is counted.
    pub mode: TruncationMode,
    /// How many of it are kept.
    pub limit: u64,
}

impl TruncationPolicy {
    /// Keeps so many bytes.
    pub fn bytes(limit: u64) -> Self {
        Self {
            mode: TruncationMode::Bytes,
            limit,
        }
    }

    /// Keeps so many estimated tokens.
    pub fn tokens(limit: u64) -> Self {
        Self {
            mode: TruncationMode::Tokens,
            limit,
        }
    }
}

/// A `world_state` line: what the model was told of the world.
///
/// # Shape
///
/// `{"full":true,"state":{…}}` sets the state; `{"full":false,"state":{…}}` is an RFC 7386 merge
/// patch on the one before. The keys of `state` are the ids of sections.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorldStateRecord {
    /// Whether `state` is the whole state.
    pub full: bool,
    /// The state or the patch, an object.
    pub state: RawJson,
}

/// An `inter_agent_communication` line: a message between agents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InterAgentCommunication {
    /// `amsg_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The path of the agent that says it.
    pub author: String,
    /// The path of the agent that it is for.
    pub recipient: String,
    /// Further agents that it is for.
    #[serde(default)]
    pub other_recipients: Vec<String>,
    /// The text.
    #[serde(default)]
    pub content: String,
    /// The text in a form that only the provider can read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    /// What the host noted beside it.
    #[serde(
        rename = "internal_chat_message_metadata_passthrough",
        skip_serializing_if = "Option::is_none"
    )]
    pub metadata: Option<MessageMetadata>,
    /// Whether it starts a turn of the recipient.
    #[serde(default)]
    pub trigger_turn: bool,
}

/// An `inter_agent_communication_metadata` line: what is noted of such a message that was recorded
/// as an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InterAgentCommunicationMetadata {
    /// Whether it starts a turn of the recipient.
    #[serde(default)]
    pub trigger_turn: bool,
}
