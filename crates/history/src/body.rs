//! An item whose bytes are in memory, and what a replay must be able to make of any item.

use std::sync::Arc;

use annals_context_fragments::TruncationBudget;
use annals_protocol::{DecodeError, ItemMetadata, Lossless, RawJson, ResponseItem};
use serde::Serialize;

use crate::facts::ItemFacts;
use crate::flags::ItemFlags;
use crate::text::string;
use crate::truncation::{cut_output, cut_user_message};

/// What a replay must be able to make of the items that it meets, wherever it keeps their bytes.
///
/// Implemented by [`ItemEnvelope`], which keeps the bytes, and by bodies that only know where the
/// bytes stand.
pub trait ItemBody: Clone {
    /// The same item as a tool output of at most `budget`.
    #[must_use = "the body itself does not change"]
    fn with_output_budget(self, facts: &ItemFacts, budget: TruncationBudget) -> Self;

    /// The same item as a user message of one text of at most `tokens` estimated tokens.
    #[must_use = "the body itself does not change"]
    fn with_message_budget(self, tokens: u64) -> Self;

    /// An item that stands nowhere, made from its JSON text; `None` if that is no JSON.
    fn made(text: String) -> Option<Self>;
}

/// An item, the bytes that were made of it once, and what the host notes beside it.
///
/// Cheap to clone. There is no way to change an envelope: the bytes that a prompt shows are the
/// bytes that were recorded.
///
/// # Example
///
/// ```
/// use annals_history::ItemEnvelope;
///
/// let text = r#"{"type":"message","role":"user","content":[]}"#;
/// assert_eq!(ItemEnvelope::parse(text)?.raw().as_str(), text);
///
/// let value = serde_json::json!({"type": "compaction_trigger"});
/// assert_eq!(ItemEnvelope::serialize(&value)?.raw().as_str(), r#"{"type":"compaction_trigger"}"#);
/// # Ok::<(), annals_history::DecodeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ItemEnvelope {
    raw: RawJson,
    metadata: Option<Arc<ItemMetadata>>,
}

impl ItemEnvelope {
    /// Keeps an item.
    pub const fn new(raw: RawJson) -> Self {
        Self {
            raw,
            metadata: None,
        }
    }

    /// Keeps an item given as its JSON text, byte for byte.
    ///
    /// # Errors
    ///
    /// When the text is no JSON. An item of a shape that its type does not have is kept, and stays
    /// out of prompts.
    pub fn parse<T: Into<Arc<str>>>(text: T) -> Result<Self, DecodeError> {
        RawJson::parse(text).map(Self::new)
    }

    /// Keeps an item given as a value, a [`ResponseItem`] or one of the caller's own.
    ///
    /// # Errors
    ///
    /// When the value cannot be written as JSON.
    pub fn serialize<T: Serialize + ?Sized>(value: &T) -> Result<Self, DecodeError> {
        RawJson::from_serialize(value).map(Self::new)
    }

    /// The same item with what the host notes beside it.
    #[must_use = "the envelope itself does not change"]
    pub fn with_metadata(mut self, metadata: ItemMetadata) -> Self {
        self.metadata = Some(Arc::new(metadata));
        self
    }

    /// The item's JSON, as it was recorded.
    pub const fn raw(&self) -> &RawJson {
        &self.raw
    }

    /// What the host notes beside the item; no model ever sees it.
    pub fn metadata(&self) -> Option<&ItemMetadata> {
        self.metadata.as_deref()
    }

    /// The item as a typed value.
    ///
    /// # Errors
    ///
    /// When the item does not have the shape of its type.
    pub fn decode(&self) -> Result<ResponseItem, DecodeError> {
        self.raw.decode()
    }

    /// The same item over an own copy of its bytes, so that it keeps no larger text alive.
    #[must_use = "the envelope itself does not change"]
    pub fn detach(&self) -> Self {
        Self {
            raw: self.raw.detach(),
            metadata: self.metadata.clone(),
        }
    }

    /// What the rules know of the item and of what stands beside it.
    pub(crate) fn facts(&self) -> ItemFacts {
        let item = self.raw.as_str();
        let facts = ItemFacts::scan(item);
        let Some(beside) = self.metadata() else {
            return facts;
        };
        let facts = facts.with_flags(
            ItemFlags::HARNESS_AUTHORED,
            beside.harness_authored_configuration,
        );
        let marker = beside.delivered_assistant_message.as_ref();
        match marker.and_then(|marker| string(marker.as_str())) {
            Some(marker) if beside.user_input_order.is_some() => facts.with_delivery(item, &marker),
            _ => facts,
        }
    }

    /// The place in the order in which users' inputs were accepted.
    pub(crate) fn input_order(&self) -> Option<u64> {
        self.metadata().and_then(|beside| beside.user_input_order)
    }

    /// For text that was put together here from valid JSON.
    fn with_text(&self, text: String) -> Option<Self> {
        let raw = RawJson::parse(text).ok()?;
        Some(Self {
            raw,
            metadata: self.metadata.clone(),
        })
    }
}

impl From<Lossless<ResponseItem>> for ItemEnvelope {
    fn from(item: Lossless<ResponseItem>) -> Self {
        Self::new(item.into_parts().0)
    }
}

impl From<RawJson> for ItemEnvelope {
    fn from(raw: RawJson) -> Self {
        Self::new(raw)
    }
}

impl ItemBody for ItemEnvelope {
    fn with_output_budget(self, facts: &ItemFacts, budget: TruncationBudget) -> Self {
        cut_output(self.raw.as_str(), facts, budget)
            .and_then(|text| self.with_text(text))
            .unwrap_or(self)
    }

    fn with_message_budget(self, tokens: u64) -> Self {
        self.with_text(cut_user_message(self.raw.as_str(), tokens))
            .unwrap_or(self)
    }

    fn made(text: String) -> Option<Self> {
        RawJson::parse(text).ok().map(Self::new)
    }
}
