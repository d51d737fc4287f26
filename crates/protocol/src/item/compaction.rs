//! Items that stand for what came before, and the retired snapshot of the work tree.

use serde::{Deserialize, Serialize};

use crate::{MessageMetadata, RawJson};

/// An encrypted summary of what came before.
///
/// # Shape
///
/// `{"type":"compaction","encrypted_content":"…"}`; `compaction_summary` reads as the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Compaction {
    /// `cmp_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The summary, which only the provider can read.
    pub encrypted_content: String,
    /// What the host noted beside it.
    #[serde(
        rename = "internal_chat_message_metadata_passthrough",
        skip_serializing_if = "Option::is_none"
    )]
    pub metadata: Option<MessageMetadata>,
}

/// A summary that the provider made within a stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContextCompaction {
    /// `cmp_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The summary, which only the provider can read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    /// What the host noted beside it.
    #[serde(
        rename = "internal_chat_message_metadata_passthrough",
        skip_serializing_if = "Option::is_none"
    )]
    pub metadata: Option<MessageMetadata>,
}

/// Asks for a compaction; `{"type":"compaction_trigger"}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompactionTrigger {}

/// A reference to a commit of the work tree; read from old files, never written or shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GhostSnapshot {
    /// The commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ghost_commit: Option<RawJson>,
}
