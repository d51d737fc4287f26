//! The items that a host makes itself, what the user said and what a tool answered, and which items a
//! thread takes.

use annals_history::ItemEnvelope;
use annals_protocol::{
    ContentPart, FunctionCallOutput, MAX_DEPTH, Message, OutputPayload, RawJson, ResponseItem,
    Role, is_deeper_than,
};

use crate::error::{Error, ErrorKind};

/// How deep an item may nest: in the record of a compaction it stands in a list, in a payload, in a
/// line.
const MAX_ITEM_DEPTH: usize = MAX_DEPTH - 3;

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

/// Whether the record of a compaction can hold the item. What a thread adds to an item nests less.
pub(crate) fn is_keepable(item: &ItemEnvelope) -> bool {
    !is_deeper_than(item.raw().as_str(), MAX_ITEM_DEPTH)
}

/// Refuses items that no compaction could keep, before any of them is taken.
pub(crate) fn check_keepable(items: &[ItemEnvelope]) -> Result<(), Error> {
    match items.iter().position(|item| !is_keepable(item)) {
        Some(n) => {
            let what = format!("item {n} nests deeper than {MAX_ITEM_DEPTH} levels");
            Err(Error::new(ErrorKind::Malformed, what))
        }
        None => Ok(()),
    }
}
