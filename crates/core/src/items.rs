//! The items that a host makes itself: what the user said, what a tool answered.

use annals_history::ItemEnvelope;
use annals_protocol::{
    ContentPart, FunctionCallOutput, Message, OutputPayload, RawJson, ResponseItem, Role,
};

use crate::error::Error;

/// What the user said.
///
/// # Errors
///
/// [`Malformed`](crate::ErrorKind::Malformed) for a text of 4 GiB or more.
pub fn user_message<T: Into<String>>(text: T) -> Result<ItemEnvelope, Error> {
    // Own words: what the user typed, and nothing of ours.
    let message = Message::new(Role::User, vec![ContentPart::input_text(text)]);
    envelope(&ResponseItem::Message(message))
}

/// What a function tool answered to the call with this id.
///
/// # Errors
///
/// As [`user_message`].
pub fn tool_output<C, T>(call_id: C, text: T) -> Result<ItemEnvelope, Error>
where
    C: Into<String>,
    T: Into<String>,
{
    envelope(&ResponseItem::FunctionCallOutput(FunctionCallOutput {
        id: None,
        call_id: Some(call_id.into()),
        name: None,
        namespace: None,
        output: OutputPayload::Text(text.into()),
        metadata: None,
    }))
}

fn envelope(item: &ResponseItem) -> Result<ItemEnvelope, Error> {
    Ok(ItemEnvelope::new(RawJson::from_serialize(item)?))
}
