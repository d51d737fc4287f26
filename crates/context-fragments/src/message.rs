//! Messages made of fragments: neighbours of one role share one. Recording them is the history's.

use annals_protocol::{ContentPart, Message, MessageMetadata, OutputTextPart, ResponseItem};

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

    /// The message on the wire: one text part a fragment, and its kind beside it. Id and turn are not set.
    ///
    /// # Example
    ///
    /// ```
    /// use annals_context_fragments::{ContextMessage, ContextualUserFragment, catalog::TurnAborted};
    ///
    /// let message = ContextMessage::from_fragment(TurnAborted::by_user().render_fragment()).into_message();
    /// let kinds = message.metadata.and_then(|metadata| metadata.content_item_kinds);
    /// assert_eq!(kinds, Some(vec!["generic.turn_aborted".to_owned()]));
    /// ```
    pub fn into_message(self) -> Message {
        let mut kinds = Vec::with_capacity(self.fragments.len());
        let mut content = Vec::with_capacity(self.fragments.len());
        for fragment in self.fragments {
            let (role, kind, text) = fragment.into_parts();
            kinds.push(kind.as_str().to_owned());
            content.push(part(role, text));
        }
        let mut message = Message::new(self.role.into(), content);
        message.metadata = Some(MessageMetadata {
            content_item_kinds: Some(kinds),
            ..MessageMetadata::default()
        });
        message
    }
}

/// What stands in the model's place is output, all else is input.
fn part(role: Role, text: String) -> ContentPart {
    match role {
        Role::User | Role::Developer => ContentPart::input_text(text),
        Role::Assistant => ContentPart::OutputText(OutputTextPart {
            text,
            annotations: None,
            logprobs: None,
        }),
    }
}

impl From<ContextMessage> for ResponseItem {
    fn from(message: ContextMessage) -> Self {
        Self::Message(message.into_message())
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

/// The same shape as that of the item it becomes.
impl serde::Serialize for ContextMessage {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ResponseItem::from(self.clone()).serialize(serializer)
    }
}
