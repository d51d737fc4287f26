//! Who a thread is: the first line of its file.

use serde::{Deserialize, Serialize};

use crate::RawJson;
use crate::tagged::open_enum;

open_enum! {
    /// How a file numbers its records.
    HistoryMode {
        /// Not at all.
        Legacy = "legacy",
        /// By consecutive ordinals; forks and reverts refer to a prefix of another file.
        Paginated = "paginated",
    }
}

/// A `session_meta` line. The first one in a file is its identity; later ones were copied in by a
/// fork.
///
/// # Shape
///
/// Smallest: `{"id":"<uuid>","timestamp":"…Z","cwd":"/p","originator":"…","cli_version":"…"}`.
/// What a version does not write is `None`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionMeta {
    /// Whether the thread belongs to an account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_scoped: Option<bool>,
    /// The user who made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creator_user_id: Option<String>,
    /// The account that made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creator_account_id: Option<String>,
    /// The session; where it is missing it is the `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The thread.
    pub id: String,
    /// The thread that this one was forked from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked_from_id: Option<String>,
    /// The first ordinal of that thread that is not part of this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked_from_ordinal_exclusive: Option<u64>,
    /// The thread that started this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_thread_id: Option<String>,
    /// When the thread was made, UTC.
    pub timestamp: String,
    /// The folder that it works in; may be relative.
    #[serde(default)]
    pub cwd: String,
    /// More folders that belong to the work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime_workspace_roots: Option<Vec<String>>,
    /// The program that made it.
    #[serde(default)]
    pub originator: String,
    /// The version of that program.
    #[serde(default)]
    pub cli_version: String,
    /// The text of AGENTS.md; up to 0.77.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// How it was started: a word, or an object for sub-agents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<RawJson>,
    /// `user`, `subagent`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_source: Option<String>,
    /// The sub-agent's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_nickname: Option<String>,
    /// The sub-agent's role.
    #[serde(alias = "agent_type", skip_serializing_if = "Option::is_none")]
    pub agent_role: Option<String>,
    /// The sub-agent's path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_path: Option<String>,
    /// The provider of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_provider: Option<String>,
    /// The base instructions, fixed when the thread was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_instructions: Option<BaseInstructions>,
    /// Tools that a client declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dynamic_tools: Option<RawJson>,
    /// Capability roots that were chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected_capability_roots: Option<RawJson>,
    /// `disabled`, or absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mode: Option<String>,
    /// How records are numbered; where it is missing, not at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history_mode: Option<HistoryMode>,
    /// The prefix of another file with which this thread begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history_base: Option<HistoryBase>,
    /// Where the sub-agent's own history starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subagent_history_start_ordinal: Option<u64>,
    /// `disabled`, `v1` or `v2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multi_agent_version: Option<String>,
    /// The first context window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_window: Option<ContextWindow>,
    /// The state of the work tree's repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git: Option<GitInfo>,
}

impl SessionMeta {
    /// The session, which is the thread where nothing else is said.
    pub fn session_id(&self) -> &str {
        self.session_id.as_deref().unwrap_or(&self.id)
    }

    /// Whether records have ordinals.
    pub fn is_paginated(&self) -> bool {
        self.history_mode == Some(HistoryMode::Paginated)
    }
}

/// The base instructions of a thread and where they come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BaseInstructions {
    /// The text.
    pub text: String,
    /// `{"type":"custom"}` or `{"type":"model","model":"…"}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provenance: Option<RawJson>,
}

/// A prefix of another file.
///
/// # Shape
///
/// `{"thread_id":"…","end_ordinal_exclusive":28,"end_byte_offset":20131}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryBase {
    /// The id at the end of the other file's name: of a thread, or of a segment of one.
    pub thread_id: String,
    /// The first ordinal that does not belong to the prefix.
    pub end_ordinal_exclusive: u64,
    /// Where the prefix ends in that file, in bytes; a hint, the ordinal decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_byte_offset: Option<u64>,
}

/// A context window: what a model is sent between two compactions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContextWindow {
    /// Its id, a UUID v7.
    pub window_id: String,
}

/// The state of a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GitInfo {
    /// The commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_hash: Option<String>,
    /// The branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Where it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository_url: Option<String>,
}
