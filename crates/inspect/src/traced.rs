//! Items that stay in their file, with what an analysis wants to know of each without fetching it.

use std::cell::Cell;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher as _;
use std::rc::Rc;

use annals_context_fragments::TruncationBudget;
use annals_history::{ItemBody, ItemFacts};
use annals_protocol::members;
use annals_replay::{ItemSource, LocatedItem, LocatedItems, Place};

use crate::part::{Shares, shares_of, small};

/// What the host notes inside an item, and no model sees.
const PASSTHROUGH: &str = "internal_chat_message_metadata_passthrough";

/// One item: where it stands, and its size, origin and identity.
///
/// **Bounds**: under a hundred bytes, whatever the item holds.
#[derive(Debug, Clone)]
pub(crate) struct Traced {
    pub(crate) located: LocatedItem,
    /// The one-based line of its record; 0 for an item that stands nowhere.
    pub(crate) line: u64,
    /// Equal for items that a model sees as the same.
    pub(crate) digest: u64,
    /// About how many bytes a prompt shows of it.
    pub(crate) bytes: u32,
    pub(crate) shares: Shares,
}

impl Traced {
    fn new(located: LocatedItem, line: u64, text: &str) -> Self {
        // Fixed keys: the same item has the same digest for as long as the program runs.
        let mut hasher = DefaultHasher::new();
        let mut hidden = 0;
        for member in members(text) {
            if member.is(PASSTHROUGH) {
                hidden = member.key.len() + member.value.len() + 4;
            } else {
                hasher.write(member.key.as_bytes());
                hasher.write_u8(0xFF);
                hasher.write(member.value.as_bytes());
                hasher.write_u8(0xFE);
            }
        }
        Self {
            located,
            line,
            digest: hasher.finish(),
            bytes: small(text.len().saturating_sub(hidden) as u64),
            shares: shares_of(text),
        }
    }

    pub(crate) fn tokens(&self) -> u64 {
        self.shares.tokens()
    }

    /// What a cut to so many bytes leaves of it.
    fn cut(mut self, bytes: usize, tokens: u64) -> Self {
        self.bytes = self.bytes.min(small(bytes as u64));
        if let Shares::One(origin, own) = self.shares {
            self.shares = Shares::One(origin, own.min(small(tokens)));
        }
        self.digest = self.digest.rotate_left(17) ^ bytes as u64;
        self
    }
}

impl ItemBody for Traced {
    fn with_output_budget(mut self, facts: &ItemFacts, budget: TruncationBudget) -> Self {
        self.located = self.located.with_output_budget(facts, budget);
        if facts.len_bytes() > budget.bytes() && self.tokens() > budget.tokens() {
            let (bytes, tokens) = (budget.bytes(), budget.tokens());
            return self.cut(bytes, tokens);
        }
        self
    }

    fn with_message_budget(mut self, tokens: u64) -> Self {
        self.located = self.located.with_message_budget(tokens);
        let bytes = usize::try_from(tokens.saturating_mul(4)).unwrap_or(usize::MAX);
        self.cut(bytes, tokens)
    }

    fn made(text: String) -> Option<Self> {
        let located = LocatedItem::made(text.clone())?;
        Some(Self::new(located, 0, &text))
    }
}

/// Keeps of every item what an analysis wants to know.
#[derive(Debug, Clone, Default)]
pub(crate) struct TracedItems {
    /// The line of the record that is being fed.
    pub(crate) line: Rc<Cell<u64>>,
}

impl ItemSource for TracedItems {
    type Body = Traced;

    fn keep(&self, place: Place, text: &str, metadata: Option<&str>) -> Option<Traced> {
        let located = LocatedItems.keep(place, text, metadata)?;
        Some(Traced::new(located, self.line.get(), text))
    }
}
