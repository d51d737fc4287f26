//! What a host notes beside items: within the item for itself, and beside it in the file.

use serde::{Deserialize, Serialize};

use crate::RawJson;

/// The member `internal_chat_message_metadata_passthrough` of an item.
///
/// A provider that does not know it must not be sent it; prompts leave it out unless asked.
///
/// # Shape
///
/// `{"turn_id":"…","create_time":1796089904.01,"content_item_kinds":["user.text"],…}`, every
/// member optional.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MessageMetadata {
    /// The turn in which the item was recorded; an empty one counts as none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// When it was made, in seconds since 1970, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub create_time: Option<f64>,
    /// What each content part is, parallel to `content`. A value of another shape reads as none.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "crate::lenient::strings"
    )]
    pub content_item_kinds: Option<Vec<String>>,
    /// Where each content part comes from, parallel to `content`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_item_metadata: Option<RawJson>,
}

/// The member `metadata` of a line that holds a response item; never sent to a model.
///
/// # Shape
///
/// `{"history_sequence":1,"sampled_through_sequence":0,"client_authored":false,…}`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the wire has them as separate members"
)]
pub struct ItemMetadata {
    /// The place among all model-visible items of the thread, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history_sequence: Option<u64>,
    /// The last place that the model had seen when this was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampled_through_sequence: Option<u64>,
    /// The order in which user inputs were accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_input_order: Option<u64>,
    /// Whether a client put the item in.
    #[serde(default)]
    pub client_authored: bool,
    /// How many tokens of this output the history keeps, whatever the policy says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback_token_limit_override: Option<u64>,
    /// Whether the host made a configuration update.
    #[serde(default, skip_serializing_if = "is_false")]
    pub harness_authored_configuration: bool,
    /// Whether a compaction made the item.
    #[serde(default, skip_serializing_if = "is_false")]
    pub compaction_output: bool,
    /// Whether the compaction that made the item left out where its errors came from.
    #[serde(default, skip_serializing_if = "is_false")]
    pub compaction_without_file_error_sources: bool,
    /// Whether the user message was inherited from a parent thread.
    #[serde(default, skip_serializing_if = "is_false")]
    pub inherited_user_message: bool,
    /// Whether the output brings context that a client supplied.
    #[serde(default, skip_serializing_if = "is_false")]
    pub additional_context_tool_output: bool,
    /// The model whose compaction it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compaction_model_hash: Option<String>,
    /// The marker of an assistant message that was delivered outside the stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivered_assistant_message: Option<RawJson>,
    /// The message that this one retains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retained_source: Option<RawJson>,
    /// What a guardian based its review on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guardian_sources: Option<RawJson>,
    /// Which server an output came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp_attribution: Option<RawJson>,
    /// The messages of the sender.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender_user_messages: Option<RawJson>,
    /// Whether the model had searched for tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_search_state: Option<String>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}
