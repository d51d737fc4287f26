//! What stands beside an item in its file and matters for the history.

use std::sync::LazyLock;

use annals_context_fragments::TruncationBudget;
use annals_history::{ItemFacts, ItemFlags};
use annals_protocol::members;
use memchr::memmem;

/// The members that are looked for.
static KEYS: LazyLock<[memmem::Finder<'static>; 4]> = LazyLock::new(|| {
    [
        "\"fallback_token_limit_override\"",
        "\"user_input_order\"",
        "\"harness_authored_configuration\"",
        "\"delivered_assistant_message\"",
    ]
    .map(memmem::Finder::new)
});

/// What stands beside an item in the file and matters for the history.
pub(crate) struct Sidecar {
    pub(crate) budget: Option<TruncationBudget>,
    pub(crate) harness_authored: bool,
    /// The place in the order in which users' inputs were accepted.
    pub(crate) input_order: Option<u64>,
    /// What the model said to the user from inside a script has one.
    delivery: Option<String>,
}

impl Sidecar {
    pub(crate) fn of(metadata: Option<&str>) -> Self {
        let mut beside = Self {
            budget: None,
            harness_authored: false,
            input_order: None,
            delivery: None,
        };
        let metadata = metadata.unwrap_or_default();
        // Most items have none of them, which a search tells sooner than a walk.
        if !KEYS
            .iter()
            .any(|key| key.find(metadata.as_bytes()).is_some())
        {
            return beside;
        }
        for member in members(metadata) {
            match member.key {
                "fallback_token_limit_override" => {
                    let tokens = member.value.parse().ok();
                    beside.budget = tokens.map(TruncationBudget::Tokens);
                }
                "user_input_order" => beside.input_order = member.value.parse().ok(),
                "harness_authored_configuration" => {
                    beside.harness_authored = member.value == "true";
                }
                "delivered_assistant_message" => {
                    beside.delivery = serde_json::from_str(member.value).ok();
                }
                _ => {}
            }
        }
        beside
    }

    /// The facts of `item`, with what stands beside it.
    pub(crate) fn applied(&self, facts: ItemFacts, item: &str) -> ItemFacts {
        let facts = facts.with_flags(ItemFlags::HARNESS_AUTHORED, self.harness_authored);
        match &self.delivery {
            Some(marker) if self.input_order.is_some() => facts.with_delivery(item, marker),
            _ => facts,
        }
    }
}
