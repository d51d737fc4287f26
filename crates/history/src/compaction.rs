//! What a compaction leaves: the newest of the users' own messages, context if asked, the summary.

use annals_context_fragments::catalog::CompactionSummary;
use annals_context_fragments::{ContextMessage, ContextualUserFragment as _, tokens_for_bytes};
use annals_protocol::RawJson;

use crate::body::{ItemBody, ItemEnvelope};
use crate::facts::ItemFacts;
use crate::flags::ItemFlags;
use crate::ledger::Ledger;
use crate::manager::ContextManager;
use crate::truncation::user_message;

/// How many estimated tokens of the users' own messages a compaction keeps.
pub const KEPT_MESSAGE_TOKENS: u64 = 20_000;

/// The text of a summary that there is none of.
const NO_SUMMARY: &str = "(no summary available)";

/// Where a compaction puts the injected context.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum ContextInjection {
    /// Nowhere: the next turn tells everything anew.
    #[default]
    None,
    /// Before the last of the users' messages; before the summary if none is kept.
    BeforeLastUserMessage(Vec<ItemEnvelope>),
}

/// The users' own messages, newest first within a budget of estimated tokens, in the order in which
/// they were said.
///
/// Injected context and earlier summaries are not among them. A message of text alone is kept as it
/// is; of others the texts are. The first that does not fit is cut to what is left, and is the last.
pub fn newest_user_messages<B: ItemBody>(
    ledger: &Ledger<B>,
    budget_tokens: u64,
) -> Vec<(ItemFacts, B)> {
    let mut left = budget_tokens;
    let mut chosen = Vec::new();
    let is_said = ItemFlags::USER | ItemFlags::BOUNDARY;
    for (facts, body) in ledger.items().rev() {
        if left == 0 {
            break;
        }
        if !facts.flags().has(is_said) || facts.flags().has(ItemFlags::EMPTY_TEXT) {
            continue;
        }
        let cost = tokens_for_bytes(facts.text_bytes());
        if cost <= left && facts.flags().has(ItemFlags::TEXT_ONLY) {
            chosen.push((*facts, body.clone()));
        } else if facts.text_bytes() > 0 {
            chosen.push((*facts, body.clone().with_message_budget(left)));
        }
        left = left.saturating_sub(cost);
    }
    chosen.reverse();
    chosen
}

/// A compaction's summary, as it stands, as a user message that starts no turn.
pub fn summary_item<B: ItemBody>(text: &str) -> Option<(ItemFacts, B)> {
    let text = user_message(if text.trim().is_empty() {
        NO_SUMMARY
    } else {
        text
    });
    let facts = ItemFacts::scan(&text)
        .with_flags(ItemFlags::BOUNDARY | ItemFlags::CONTEXTUAL, false)
        .with_flags(ItemFlags::SUMMARY, true);
    B::made(text).map(|body| (facts, body))
}

impl ContextManager {
    /// The items that a compaction with this summary leaves, to be stored and then put in place
    /// with [`replace_compacted`](Self::replace_compacted).
    ///
    /// The newest of the users' own messages, 20,000 estimated tokens of them at most; the injected
    /// context where `injection` says; the summary last, behind words that tell the next model what
    /// it is, cut where it is over 10,000 estimated tokens.
    ///
    /// # Example
    ///
    /// ```
    /// use annals_history::{ContextInjection, ContextManager, ItemEnvelope};
    /// use annals_protocol::RawJson;
    ///
    /// let item = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"build it"}]}"#;
    /// let mut history = ContextManager::new();
    /// history.record([ItemEnvelope::new(RawJson::parse(item)?)], None);
    /// let items = history.compaction_items("half done", &ContextInjection::None);
    /// history.replace_compacted(items);
    /// assert_eq!(history.len(), 2);
    /// # Ok::<(), annals_protocol::DecodeError>(())
    /// ```
    pub fn compaction_items(
        &self,
        summary: &str,
        injection: &ContextInjection,
    ) -> Vec<ItemEnvelope> {
        let messages = newest_user_messages(self.ledger(), KEPT_MESSAGE_TOKENS);
        let mut items: Vec<ItemEnvelope> = messages
            .into_iter()
            .map(|(_, envelope)| envelope.detach())
            .collect();
        if let ContextInjection::BeforeLastUserMessage(context) = injection {
            let place = items.len().saturating_sub(1);
            let last = items.split_off(place);
            items.extend(context.iter().cloned());
            items.extend(last);
        }
        let text = if summary.trim().is_empty() {
            NO_SUMMARY
        } else {
            summary
        };
        let summary = CompactionSummary::new(text).render_fragment();
        let summary = RawJson::from_serialize(&ContextMessage::from_fragment(summary));
        // A message of one text can always be written.
        items.extend(summary.ok().map(ItemEnvelope::new));
        items
    }
}
