//! Messages: the items that have a role and content parts.

use serde::{Deserialize, Serialize};

use crate::tagged::open_enum;
use crate::{AgentContentPart, ContentPart, MessageMetadata};

open_enum! {
    /// Who a message is from.
    Role {
        /// The person, or context that the host speaks in the person's place.
        User = "user",
        /// The model.
        Assistant = "assistant",
        /// The host.
        Developer = "developer",
        /// Not for the input list: services refuse it there.
        System = "system",
    }
}

open_enum! {
    /// Which part of its answer an assistant message is; absent means unknown, not final.
    MessagePhase {
        /// Said on the way.
        Commentary = "commentary",
        /// A part of the answer.
        PartialAnswer = "partial_answer",
        /// The answer.
        FinalAnswer = "final_answer",
    }
}

/// A message of a user, a model or the host.
///
/// # Shape
///
/// Smallest: `{"type":"message","role":"user","content":[]}`. Members in the order of the fields;
/// those that are `None` are left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Message {
    /// The provider's status, on messages of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// `msg_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Who it is from.
    pub role: Role,
    /// The parts, in order.
    pub content: Vec<ContentPart>,
    /// Which part of the answer it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<MessagePhase>,
    /// The provider's own form of the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    /// What the host noted beside it.
    #[serde(
        rename = "internal_chat_message_metadata_passthrough",
        skip_serializing_if = "Option::is_none"
    )]
    pub metadata: Option<MessageMetadata>,
}

impl Message {
    /// A message with nothing but a role and parts.
    ///
    /// ```
    /// use annals_protocol::{ContentPart, Message, Role};
    ///
    /// let message = Message::new(Role::User, vec![ContentPart::input_text("hello")]);
    /// assert_eq!(message.role, Role::User);
    /// ```
    pub fn new(role: Role, content: Vec<ContentPart>) -> Self {
        Self {
            status: None,
            id: None,
            role,
            content,
            phase: None,
            encrypted_content: None,
            metadata: None,
        }
    }
}

/// A message between agents.
///
/// # Shape
///
/// `{"type":"agent_message","author":"/root/a","recipient":"/root","content":[…]}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgentMessage {
    /// `amsg_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The path of the agent that says it.
    pub author: String,
    /// The path of the agent that it is for.
    pub recipient: String,
    /// The parts, in order.
    pub content: Vec<AgentContentPart>,
    /// What the host noted beside it.
    #[serde(
        rename = "internal_chat_message_metadata_passthrough",
        skip_serializing_if = "Option::is_none"
    )]
    pub metadata: Option<MessageMetadata>,
}
