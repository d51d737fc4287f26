//! What the model said to the user from inside a script: shown to them, and no part of any prompt.

use annals_protocol::{ItemType, elements, members};

use crate::facts::ItemFacts;
use crate::flags::ItemFlags;
use crate::text::{is_empty_string, string};

/// The marker of a message that was said as a whole.
const COMPLETE: &str = "codex:code-mode-delivery:v1:complete";

/// How the marker of a message starts that was cut short.
const INCOMPLETE_START: &str = "codex:code-mode-delivery:v1:incomplete:";

impl ItemFacts {
    /// The same facts for an item beside which `delivered_assistant_message` says `marker` and a
    /// place in the order of inputs is noted.
    ///
    /// Such an item is stored as a message of the assistant, so that older programs show it. It is
    /// [`DELIVERED`](ItemFlags::DELIVERED), and not sent to the model, if the marker is known and the
    /// item is of the assistant, of one text, and names its turn; anything else is what it looks like.
    #[must_use = "the facts themselves do not change"]
    pub fn with_delivery(self, item: &str, marker: &str) -> Self {
        let is_known = marker == COMPLETE || marker.starts_with(INCOMPLETE_START);
        let is_delivered = is_known
            && self.item == ItemType::Message
            && !self.flags.has(ItemFlags::MALFORMED)
            && has_the_shape(item);
        self.with_flags(ItemFlags::DELIVERED, is_delivered)
    }
}

fn has_the_shape(item: &str) -> bool {
    let (mut is_assistants, mut is_one_text, mut names_turn) = (false, false, false);
    for member in members(item) {
        if member.is("role") {
            is_assistants = member.value == "\"assistant\"";
        } else if member.is("content") {
            let mut parts = elements(member.value);
            let only = parts.next().filter(|_| parts.next().is_none());
            is_one_text = only.is_some_and(|part| {
                members(part).any(|member| {
                    member.is("type") && string(member.value).as_deref() == Some("output_text")
                })
            });
        } else if member.is("internal_chat_message_metadata_passthrough") {
            names_turn =
                members(member.value).any(|member| member.is("turn_id") && is_name(member.value));
        }
    }
    is_assistants && is_one_text && names_turn
}

fn is_name(value: &str) -> bool {
    value.starts_with('"') && !is_empty_string(value)
}
