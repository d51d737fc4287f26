//! Whether what the model was told last is what the stored state says it knows.
//!
//! A telling is stored text first, state second. A process that dies between the two leaves texts
//! behind the last state, and a difference against that state would be silent where it must not be.

use annals_context_fragments::{FragmentSpec, Recognizer, Role};
use annals_history::ItemFlags;
use annals_protocol::{RawJson, ResponseItem};

/// Fragments that tell of what happened or was asked for, and belong to no section of the state.
const BESIDE_THE_STATE: &[&str] = &[
    "compaction.summary",
    "extension.context",
    "generic.turn_aborted",
    "goal.internal_context",
    "hooks.additional_context",
    "hooks.prompt",
    "images.preparation_error",
    "multi_agent.subagent_notification",
    "shell.user_command",
    "skills.selected_skill_instructions",
    "token_budget.remaining_tokens",
    "token_budget.reminder",
];

/// Whether an item tells something that a section's state stands for.
pub(crate) fn tells_state(flags: ItemFlags, item: &RawJson) -> bool {
    if !flags.has(ItemFlags::ANY_CONTEXTUAL) {
        return false;
    }
    let Ok(ResponseItem::Message(message)) = item.decode() else {
        return false;
    };
    let role = match message.role {
        annals_protocol::Role::User => Role::User,
        _ => Role::Developer,
    };
    let kinds = message.metadata.and_then(|own| own.content_item_kinds);
    let kinds = kinds.unwrap_or_default();
    let recognizer = Recognizer::new();
    message.content.iter().enumerate().any(|(index, part)| {
        let recorded = kinds.get(index).map(String::as_str);
        let text = part.text().unwrap_or_default();
        let known = recorded.filter(|kind| *kind != "unknown");
        let by_text = || recognizer.by_text(role, text).map(FragmentSpec::kind);
        known.or_else(by_text).is_some_and(|kind| {
            kind != "user.text" && kind != "user.image" && !BESIDE_THE_STATE.contains(&kind)
        })
    })
}
