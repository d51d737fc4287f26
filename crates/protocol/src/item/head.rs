//! What an item *is*, read from its text in one walk and without decoding what it holds.

use std::borrow::Cow;

use crate::ItemType;
use crate::walk::members;

/// The members that decide what is done with an item, as slices of its text.
///
/// Made for readers that must tell items apart at memory speed: content, arguments and outputs are
/// passed over, not decoded.
///
/// # Example
///
/// ```
/// use annals_protocol::{ItemHead, ItemType};
///
/// let head = ItemHead::scan(r#"{"type":"function_call","name":"ls","call_id":"c1","arguments":"{}"}"#);
/// let head = head.expect("an object with a type");
/// assert_eq!(head.item_type, ItemType::FunctionCall);
/// assert_eq!(head.call_id.as_deref(), Some("c1"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemHead<'a> {
    /// The kind.
    pub item_type: ItemType,
    /// The `type` as it stands, escapes included.
    pub tag: &'a str,
    /// `role`
    pub role: Option<Cow<'a, str>>,
    /// `id`; an empty one counts as none.
    pub id: Option<Cow<'a, str>>,
    /// `call_id`
    pub call_id: Option<Cow<'a, str>>,
    /// `name`
    pub name: Option<Cow<'a, str>>,
    /// `execution`
    pub execution: Option<Cow<'a, str>>,
    /// The text of `content`.
    pub content: Option<&'a str>,
    /// The text of `output`.
    pub output: Option<&'a str>,
    /// The text of `result`.
    pub result: Option<&'a str>,
    /// The text of `encrypted_content`.
    pub encrypted_content: Option<&'a str>,
    /// The text of `internal_chat_message_metadata_passthrough`.
    pub metadata: Option<&'a str>,
}

impl<'a> ItemHead<'a> {
    /// Reads the head of the item `text`, which is valid JSON; `None` if it is no object with a
    /// `type`.
    ///
    /// A member whose value is null, or no string where one is needed, counts as absent. Cost: one
    /// pass over the text.
    pub fn scan(text: &'a str) -> Option<Self> {
        let mut head = Self {
            item_type: ItemType::Other,
            tag: "",
            role: None,
            id: None,
            call_id: None,
            name: None,
            execution: None,
            content: None,
            output: None,
            result: None,
            encrypted_content: None,
            metadata: None,
        };
        let mut tag = None;
        for member in members(text) {
            let value = member.value;
            match member.key {
                "type" => tag = string(value),
                "role" => head.role = string(value),
                "id" => head.id = string(value).filter(|id| !id.is_empty()),
                "call_id" => head.call_id = string(value),
                "name" => head.name = string(value),
                "execution" => head.execution = string(value),
                "content" => head.content = present(value),
                "output" => head.output = present(value),
                "result" => head.result = present(value),
                "encrypted_content" => head.encrypted_content = present(value),
                "internal_chat_message_metadata_passthrough" => head.metadata = present(value),
                _ => {}
            }
            if member.key == "type" {
                head.tag = value
                    .get(1..value.len().saturating_sub(1))
                    .unwrap_or_default();
            }
        }
        head.item_type = ItemType::from_tag(&tag?);
        Some(head)
    }
}

fn present(value: &str) -> Option<&str> {
    (value != "null").then_some(value)
}

/// The string that a JSON text stands for, borrowed where it holds no escapes.
pub(crate) fn string(value: &str) -> Option<Cow<'_, str>> {
    let inside = value.strip_prefix('"')?.strip_suffix('"')?;
    if inside.contains('\\') {
        serde_json::from_str(value).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inside))
    }
}
