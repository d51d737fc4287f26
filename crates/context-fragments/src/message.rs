//! Messages made of fragments: neighbours of one role share one. Recording them is the history's.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::{RenderedFragment, Role};

/// A message that is made of rendered fragments of one role and of nothing else.
///
/// **Shape**: one content part a fragment, and one kind a part, in the same order.
///
/// ```json
/// {"type":"message","role":"user","content":[{"type":"input_text","text":"…"}],
///  "internal_chat_message_metadata_passthrough":{"content_item_kinds":["agents_md.instructions"]}}
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextMessage {
    role: Role,
    fragments: Vec<RenderedFragment>,
}

impl ContextMessage {
    /// A message of one fragment.
    pub fn from_fragment(fragment: RenderedFragment) -> Self {
        Self {
            role: fragment.role(),
            fragments: vec![fragment],
        }
    }

    /// The role of the message.
    pub const fn role(&self) -> Role {
        self.role
    }

    /// The fragments in order; there is at least one.
    pub fn fragments(&self) -> &[RenderedFragment] {
        &self.fragments
    }

    /// Estimated tokens of all texts.
    pub fn tokens(&self) -> u64 {
        self.fragments.iter().map(RenderedFragment::tokens).sum()
    }
}

/// Puts fragments into messages in their order: neighbours of one role share a message, except those that require
/// one of their own. Nothing is reordered.
///
/// **Cost**: O(number of fragments).
///
/// # Example
///
/// ```
/// use annals_context_fragments::{ContextualUserFragment, catalog::TurnAborted, merge_by_role};
///
/// let notice = TurnAborted::by_user().render_fragment();
/// let messages = merge_by_role([notice.clone(), notice]);
/// assert_eq!(messages.len(), 1);
/// assert_eq!(messages[0].fragments().len(), 2);
/// ```
pub fn merge_by_role<I>(fragments: I) -> Vec<ContextMessage>
where
    I: IntoIterator<Item = RenderedFragment>,
{
    let mut messages: Vec<ContextMessage> = Vec::new();
    let mut open = false;
    for fragment in fragments {
        let separate = fragment.requires_separate_message();
        match messages.last_mut() {
            Some(last) if open && !separate && last.role == fragment.role() => {
                last.fragments.push(fragment);
            }
            _ => messages.push(ContextMessage::from_fragment(fragment)),
        }
        open = !separate;
    }
    messages
}

impl Serialize for ContextMessage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("type", "message")?;
        map.serialize_entry("role", self.role.as_str())?;
        map.serialize_entry("content", &Parts(self))?;
        map.serialize_entry(
            "internal_chat_message_metadata_passthrough",
            &Passthrough(self),
        )?;
        map.end()
    }
}

struct Parts<'a>(&'a ContextMessage);

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tag = part_tag(self.0.role);
        let mut seq = serializer.serialize_seq(Some(self.0.fragments.len()))?;
        for fragment in &self.0.fragments {
            seq.serialize_element(&Part {
                tag,
                text: fragment.text(),
            })?;
        }
        seq.end()
    }
}

struct Part<'a> {
    tag: &'static str,
    text: &'a str,
}

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("type", self.tag)?;
        map.serialize_entry("text", self.text)?;
        map.end()
    }
}

struct Passthrough<'a>(&'a ContextMessage);

impl Serialize for Passthrough<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kinds: Vec<&str> = self.0.fragments.iter().map(|f| f.kind().as_str()).collect();
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("content_item_kinds", &kinds)?;
        map.end()
    }
}

/// The tag of a text part: what stands in the model's place is output text.
const fn part_tag(role: Role) -> &'static str {
    match role {
        Role::User | Role::Developer => "input_text",
        Role::Assistant => "output_text",
    }
}
