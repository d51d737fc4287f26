//! The model's reasoning.

use serde::{Deserialize, Serialize};

use crate::MessageMetadata;
use crate::tagged::tagged_enum;

/// The model's reasoning.
///
/// # Shape
///
/// `{"type":"reasoning","summary":[],"content":null,"encrypted_content":null}`. `content` is null
/// when there is none, and left out when it holds no `reasoning_text`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reasoning {
    /// `rs_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What a user may be shown.
    pub summary: Vec<ReasoningSummary>,
    /// The reasoning in plain text.
    #[serde(default, skip_serializing_if = "is_left_out")]
    pub content: Option<Vec<ReasoningContent>>,
    /// The reasoning that only the provider can read.
    pub encrypted_content: Option<String>,
    /// What the host noted beside it.
    #[serde(
        rename = "internal_chat_message_metadata_passthrough",
        skip_serializing_if = "Option::is_none"
    )]
    pub metadata: Option<MessageMetadata>,
}

#[expect(
    clippy::ref_option,
    reason = "serde hands over a reference to the field"
)]
fn is_left_out(content: &Option<Vec<ReasoningContent>>) -> bool {
    content.as_ref().is_some_and(|parts| {
        !parts
            .iter()
            .any(|part| matches!(part, ReasoningContent::ReasoningText(_)))
    })
}

/// One text of a summary or of the reasoning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReasoningText {
    /// The text.
    pub text: String,
}

tagged_enum! {
    /// One part of a reasoning summary.
    ReasoningSummary, "a part of a reasoning summary" {
        /// `summary_text`
        SummaryText(ReasoningText) = "summary_text",
    }
}

tagged_enum! {
    /// One part of the reasoning itself.
    ReasoningContent, "a part of a reasoning" {
        /// `reasoning_text`
        ReasoningText(ReasoningText) = "reasoning_text",
        /// `text`
        Text(ReasoningText) = "text",
    }
}
