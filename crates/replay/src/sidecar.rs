//! What stands beside an item in its file and matters for the history.

use annals_context_fragments::TruncationBudget;
use annals_history::{ItemFacts, ItemFlags};
use annals_protocol::members;

/// What stands beside an item in the file and matters for the history.
pub(crate) struct Sidecar {
    pub(crate) budget: Option<TruncationBudget>,
    pub(crate) harness_authored: bool,
    /// The place in the order in which users' inputs were accepted.
    pub(crate) input_order: Option<u64>,
}

impl Sidecar {
    pub(crate) fn of(metadata: Option<&str>) -> Self {
        let mut beside = Self {
            budget: None,
            harness_authored: false,
            input_order: None,
        };
        for member in members(metadata.unwrap_or_default()) {
            match member.key {
                "fallback_token_limit_override" => {
                    let tokens = member.value.parse().ok();
                    beside.budget = tokens.map(TruncationBudget::Tokens);
                }
                "user_input_order" => beside.input_order = member.value.parse().ok(),
                "harness_authored_configuration" => {
                    beside.harness_authored = member.value == "true";
                }
                _ => {}
            }
        }
        beside
    }

    pub(crate) fn applied(&self, facts: ItemFacts) -> ItemFacts {
        facts.with_flags(ItemFlags::HARNESS_AUTHORED, self.harness_authored)
    }
}
