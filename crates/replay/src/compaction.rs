//! What a compaction of an old file leaves, which stored a summary and no replacement.

use annals_history::{ItemBody, ItemFacts, ItemFlags, Ledger, user_message};

/// How many estimated tokens of the users' own messages such a compaction keeps.
const KEPT_TOKENS: u64 = 20_000;

/// The text of a summary that there is none of.
const NO_SUMMARY: &str = "(no summary available)";

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
        .filter(|(facts, _)| is_context(facts))
        .map(|(facts, body)| (*facts, body.clone()))
        .collect();
    kept.extend(newest_user_messages(ledger, KEPT_TOKENS));
    let summary = if summary.trim().is_empty() {
        NO_SUMMARY
    } else {
        summary
    };
    kept.extend(summary_item(summary));
    kept
}

fn is_context(facts: &ItemFacts) -> bool {
    !facts.flags().has(ItemFlags::SUMMARY)
}

/// The users' own messages, newest first within the budget, in the order in which they were said.
///
/// The first one that does not fit is cut to what is left and ends the choice.
fn newest_user_messages<B: ItemBody>(ledger: &Ledger<B>, tokens: u64) -> Vec<(ItemFacts, B)> {
    let mut left = tokens;
    let mut chosen = Vec::new();
    let is_said = ItemFlags::USER | ItemFlags::BOUNDARY;
    for (facts, body) in ledger
        .items()
        .rev()
        .filter(|(facts, _)| facts.flags().has(is_said))
    {
        if left == 0 {
            break;
        }
        let cost = (facts.text_bytes() as u64).div_ceil(4);
        if cost <= left && facts.flags().has(ItemFlags::TEXT_ONLY) {
            chosen.push((*facts, body.clone()));
        } else {
            chosen.push((*facts, body.clone().with_message_budget(left)));
        }
        left = left.saturating_sub(cost);
    }
    chosen.reverse();
    chosen
}

/// The summary as a user message that starts no turn.
pub(crate) fn summary_item<B: ItemBody>(summary: &str) -> Option<(ItemFacts, B)> {
    let text = user_message(summary);
    let facts = ItemFacts::scan(&text)
        .with_flags(ItemFlags::BOUNDARY | ItemFlags::CONTEXTUAL, false)
        .with_flags(ItemFlags::SUMMARY, true);
    B::made(text).map(|body| (facts, body))
}
