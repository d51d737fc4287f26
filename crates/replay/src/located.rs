//! Items that stay in their file: a replay over them holds a few dozen bytes an item.

use std::borrow::Cow;
use std::sync::Arc;

use annals_context_fragments::TruncationBudget;
use annals_history::{
    ItemBody, ItemFacts, PromptOptions, Slot, cut_output, cut_user_message, render_item, stand_in,
};

use crate::place::{ItemSource, Place};

/// Where an item stands, and how it is shortened when it is fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedItem {
    source: Source,
    cut: Cut,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    At(Place),
    Made(Arc<str>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    None,
    Output(TruncationBudget),
    Message(u64),
}

impl LocatedItem {
    /// Where the item's text must be fetched from; `None` for an item that the replay made.
    pub const fn place(&self) -> Option<Place> {
        match self.source {
            Source::At(place) => Some(place),
            Source::Made(_) => None,
        }
    }

    /// The item as the history holds it, given the text that stands at its [`place`](Self::place).
    pub fn recorded<'a>(&'a self, fetched: &'a str, facts: &ItemFacts) -> Cow<'a, str> {
        let text = match &self.source {
            Source::At(_) => fetched,
            Source::Made(text) => text,
        };
        match self.cut {
            Cut::None => Cow::Borrowed(text),
            Cut::Output(budget) => {
                cut_output(text, facts, budget).map_or(Cow::Borrowed(text), Cow::Owned)
            }
            Cut::Message(tokens) => Cow::Owned(cut_user_message(text, tokens)),
        }
    }
}

impl ItemBody for LocatedItem {
    fn with_output_budget(mut self, facts: &ItemFacts, budget: TruncationBudget) -> Self {
        // What surely fits need not be looked at again.
        if facts.len_bytes() > budget.bytes() {
            self.cut = Cut::Output(budget);
        }
        self
    }

    fn with_message_budget(mut self, tokens: u64) -> Self {
        self.cut = Cut::Message(tokens);
        self
    }

    fn made(text: String) -> Option<Self> {
        Some(Self {
            source: Source::Made(text.into()),
            cut: Cut::None,
        })
    }
}

/// Keeps of every item only where it stands.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocatedItems;

impl ItemSource for LocatedItems {
    type Body = LocatedItem;

    fn keep(&self, place: Place, _text: &str, _metadata: Option<&str>) -> Option<LocatedItem> {
        Some(LocatedItem {
            source: Source::At(place),
            cut: Cut::None,
        })
    }
}

/// Writes one element of a prompt behind what `out` holds, given the text that stands at the place
/// of the slot's body (nothing, where it has none).
///
/// A prompt is the elements in order, with commas between them and brackets around.
pub fn write_slot(
    out: &mut String,
    slot: &Slot<'_, LocatedItem>,
    fetched: &str,
    options: PromptOptions,
) {
    match slot {
        Slot::Item { facts, body, .. } => {
            let text = body.recorded(fetched, facts);
            for piece in render_item(&text, facts, options).pieces() {
                out.push_str(piece);
            }
        }
        Slot::StandIn {
            facts,
            body,
            used_before,
            ..
        } => {
            let text = body.recorded(fetched, facts);
            out.push_str(&stand_in(&text, facts, *used_before, options));
        }
    }
}
