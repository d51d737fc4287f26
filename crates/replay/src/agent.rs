//! The model-visible form of a message between agents.

use annals_protocol::{
    AgentContentPart, AgentMessage, DecodeError, EncryptedPart, InterAgentCommunication, RawJson,
    ResponseItem, TextPart,
};

/// The item that the model sees of `message`.
///
/// What is encrypted gets a readable head that says what it is, for whom and from whom.
pub(crate) fn agent_message(message: InterAgentCommunication) -> Result<RawJson, DecodeError> {
    let content = match message.encrypted_content {
        None => vec![AgentContentPart::InputText(TextPart {
            text: message.content,
        })],
        Some(encrypted_content) => {
            let kind = if message.trigger_turn {
                "NEW_TASK"
            } else {
                "MESSAGE"
            };
            let text = format!(
                "Message Type: {kind}\nTask name: {}\nSender: {}\nPayload:\n",
                message.recipient, message.author
            );
            vec![
                AgentContentPart::InputText(TextPart { text }),
                AgentContentPart::EncryptedContent(EncryptedPart { encrypted_content }),
            ]
        }
    };
    RawJson::from_serialize(&ResponseItem::AgentMessage(AgentMessage {
        id: message.id,
        author: message.author,
        recipient: message.recipient,
        content,
        metadata: message.metadata,
    }))
}
