//! What a compaction of an old file leaves, which stored a summary and no replacement.

use annals_history::{
    ItemBody, ItemFacts, ItemFlags, KEPT_MESSAGE_TOKENS, Ledger, newest_user_messages, summary_item,
};

/// The items that such a compaction leaves: those before the first turn, the newest user messages
/// within their budget, the summary.
pub(crate) fn legacy_replacement<B: ItemBody>(
    ledger: &Ledger<B>,
    summary: &str,
) -> Vec<(ItemFacts, B)> {
    let first_turn = ledger.turn_starts().next().unwrap_or_else(|| ledger.len());
    let mut kept: Vec<(ItemFacts, B)> = ledger
        .items()
        .take(first_turn)
        .filter(|(facts, _)| !facts.flags().has(ItemFlags::SUMMARY))
        .map(|(facts, body)| (*facts, body.clone()))
        .collect();
    kept.extend(newest_user_messages(ledger, KEPT_MESSAGE_TOKENS));
    kept.extend(summary_item(summary));
    kept
}
