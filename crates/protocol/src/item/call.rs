//! Calls that ask for an output: function tools, custom tools and the local shell.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::MessageMetadata;
use crate::tagged::{open_enum, tagged_enum};

/// A call of a function tool.
///
/// # Shape
///
/// `{"type":"function_call","name":"f","arguments":"{\"x\":1}","call_id":"call_1"}`; `arguments`
/// is a string that should hold JSON, but the model wrote it and it may hold anything.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FunctionCall {
    /// The provider's status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// `fc_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// The namespace that the tool belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The arguments as the model wrote them.
    pub arguments: String,
    /// The arguments that only the provider can read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_function_args: Option<Vec<String>>,
    /// What its output will name.
    pub call_id: String,
    /// The provider's own form of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    /// What the host noted beside it.
    #[serde(
        rename = "internal_chat_message_metadata_passthrough",
        skip_serializing_if = "Option::is_none"
    )]
    pub metadata: Option<MessageMetadata>,
}

/// A call of a tool that takes free text.
///
/// # Shape
///
/// `{"type":"custom_tool_call","call_id":"call_1","name":"exec","input":"ls"}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CustomToolCall {
    /// `ctc_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The provider's status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// What its output will name.
    pub call_id: String,
    /// The tool.
    pub name: String,
    /// The namespace that the tool belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// What the model wrote for the tool.
    pub input: String,
    /// The provider's own form of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    /// What the host noted beside it.
    #[serde(
        rename = "internal_chat_message_metadata_passthrough",
        skip_serializing_if = "Option::is_none"
    )]
    pub metadata: Option<MessageMetadata>,
}

open_enum! {
    /// How far a local shell call came.
    LocalShellStatus {
        /// It ran.
        Completed = "completed",
        /// It was still running.
        InProgress = "in_progress",
        /// It was cut off.
        Incomplete = "incomplete",
    }
}

/// A call of the provider's own shell tool; its output is a
/// [`FunctionCallOutput`](crate::FunctionCallOutput).
///
/// # Shape
///
/// `{"type":"local_shell_call","call_id":null,"status":"completed","action":{"type":"exec",…}}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LocalShellCall {
    /// `lsh_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What its output will name; written as null when there is none.
    pub call_id: Option<String>,
    /// How far it came.
    pub status: LocalShellStatus,
    /// What was run.
    pub action: LocalShellAction,
    /// The provider's own form of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    /// What the host noted beside it.
    #[serde(
        rename = "internal_chat_message_metadata_passthrough",
        skip_serializing_if = "Option::is_none"
    )]
    pub metadata: Option<MessageMetadata>,
}

tagged_enum! {
    /// What a local shell call does.
    LocalShellAction, "a local shell action" {
        /// Runs a program.
        Exec(ExecAction) = "exec",
    }
}

/// A program to run. Members that are `None` are written as null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExecAction {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// When to give up, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// Where to run it.
    pub working_directory: Option<String>,
    /// The environment variables to set.
    pub env: Option<BTreeMap<String, String>>,
    /// The user to run it as.
    pub user: Option<String>,
}
