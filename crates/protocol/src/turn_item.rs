//! The items of a turn as a user interface shows them, in paginated files.

use serde::{Deserialize, Serialize};

use crate::RawJson;
use crate::tagged::tagged_enum;

tagged_enum! {
    /// What an `item_completed` event says is done.
    ///
    /// These stand beside the response items and repeat them for people; the model never sees
    /// them.
    TurnItem, "an item of a turn" {
        /// The user said something.
        UserMessage(UserMessageItem) = "UserMessage",
        /// The model said something.
        AgentMessage(AgentMessageItem) = "AgentMessage",
        /// The model reasoned.
        Reasoning(ReasoningItem) = "Reasoning",
        /// A command ran.
        CommandExecution(CommandExecutionItem) = "CommandExecution",
        /// Files were changed.
        FileChange(FileChangeItem) = "FileChange",
        /// An image was looked at.
        ImageView(ImageViewItem) = "ImageView",
        /// The web was searched.
        WebSearch(WebSearchItem) = "WebSearch",
        /// The history was compacted.
        ContextCompaction(ContextCompactionItem) = "ContextCompaction",
        /// A sub-agent did something.
        SubAgentActivity(SubAgentActivityItem) = "SubAgentActivity",
    }
}

/// `{"type":"UserMessage","id":"…","content":[…]}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UserMessageItem {
    /// The item.
    pub id: String,
    /// What was said.
    pub content: Vec<RawJson>,
}

/// `{"type":"AgentMessage","id":"…","content":[…]}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgentMessageItem {
    /// The item.
    pub id: String,
    /// What was said.
    pub content: Vec<RawJson>,
    /// Which part of the answer it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
}

/// `{"type":"Reasoning","id":"…","summary_text":[],"raw_content":[]}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReasoningItem {
    /// The item.
    pub id: String,
    /// What a user may be shown.
    #[serde(default)]
    pub summary_text: Vec<String>,
    /// The text itself.
    #[serde(default)]
    pub raw_content: Vec<String>,
}

/// `{"type":"CommandExecution","id":"…","command":["ls"],"cwd":"/p",…}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommandExecutionItem {
    /// The item.
    pub id: String,
    /// The process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process_id: Option<String>,
    /// The program and its arguments.
    #[serde(default)]
    pub command: Vec<String>,
    /// Where it ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// What the command was understood as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parsed_cmd: Option<RawJson>,
    /// Who asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// What it wrote to standard output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout: Option<String>,
    /// What it wrote to standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// What it wrote, at most 64 KB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregated_output: Option<String>,
    /// Its exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// How long it took: `{"secs":0,"nanos":1}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<RawJson>,
    /// The output as the model was sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formatted_output: Option<String>,
}

/// `{"type":"FileChange","id":"…","changes":{…}}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileChangeItem {
    /// The item.
    pub id: String,
    /// The changes, by path.
    pub changes: RawJson,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// What was written to standard output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout: Option<String>,
    /// What was written to standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

/// `{"type":"ImageView","id":"…","path":"…"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImageViewItem {
    /// The item.
    pub id: String,
    /// The image.
    pub path: String,
}

/// `{"type":"WebSearch","id":"…","query":"…","action":{…}}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebSearchItem {
    /// The item.
    pub id: String,
    /// What was searched for.
    #[serde(default)]
    pub query: String,
    /// What was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<RawJson>,
}

/// `{"type":"ContextCompaction","id":"…"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContextCompactionItem {
    /// The item.
    pub id: String,
}

/// `{"type":"SubAgentActivity","id":"…",…}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SubAgentActivityItem {
    /// The item.
    pub id: String,
}
