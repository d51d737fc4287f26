//! An item whose bytes are in memory.

use annals_context_fragments::TruncationBudget;
use annals_protocol::{DecodeError, RawJson};

use crate::facts::ItemFacts;
use crate::truncation::{cut_output, cut_user_message};

/// What a replay must be able to make of the items that it meets, wherever it keeps their bytes.
///
/// Implemented by [`KeptItem`], which keeps the bytes, and by bodies that only know where they stand.
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

/// An item and the bytes that were made of it once, when it was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptItem {
    raw: RawJson,
}

impl KeptItem {
    /// Keeps an item.
    pub const fn new(raw: RawJson) -> Self {
        Self { raw }
    }

    /// The item's JSON, as it was recorded.
    pub const fn raw(&self) -> &RawJson {
        &self.raw
    }

    /// For text that was put together here from valid JSON.
    fn from_text(text: String) -> Result<Self, DecodeError> {
        RawJson::parse(text).map(Self::new)
    }
}

impl ItemBody for KeptItem {
    fn with_output_budget(self, facts: &ItemFacts, budget: TruncationBudget) -> Self {
        match cut_output(self.raw.as_str(), facts, budget).map(Self::from_text) {
            Some(Ok(cut)) => cut,
            _ => self,
        }
    }

    fn with_message_budget(self, tokens: u64) -> Self {
        Self::from_text(cut_user_message(self.raw.as_str(), tokens)).unwrap_or(self)
    }

    fn made(text: String) -> Option<Self> {
        Self::from_text(text).ok()
    }
}
