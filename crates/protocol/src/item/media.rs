//! Images that the provider made.

use serde::{Deserialize, Serialize};

use crate::MessageMetadata;

/// An image that the provider made.
///
/// # Shape
///
/// `{"type":"image_generation_call","status":"completed","result":"<base64>"}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImageGenerationCall {
    /// `ig_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The provider's status.
    pub status: String,
    /// What the provider made of the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revised_prompt: Option<String>,
    /// The image in base64.
    pub result: String,
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
