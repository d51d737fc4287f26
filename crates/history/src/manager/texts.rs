//! Lends the texts of a history to those who look for what was told before.

use std::ops::ControlFlow;

use annals_protocol::{elements, members};
use annals_world_state::{HistoryTexts, TextPart};

use super::ContextManager;
use crate::flags::ItemFlags;
use crate::parts::{PartHead, PartKind};
use crate::text::string;

/// The texts of all messages, newest first, for sections that look for what was told before.
impl HistoryTexts for ContextManager {
    fn visit_newest_first(&self, visit: &mut dyn FnMut(TextPart<'_>) -> ControlFlow<()>) {
        let spoken = ItemFlags::USER | ItemFlags::DEVELOPER;
        for item in self
            .items()
            .rev()
            .filter(|item| item.facts.flags().has_any(spoken))
        {
            let role = if item.facts.flags().has(ItemFlags::USER) {
                "user"
            } else {
                "developer"
            };
            if visit_parts(item.raw().as_str(), role, visit).is_break() {
                return;
            }
        }
    }
}

fn visit_parts(
    item: &str,
    role: &str,
    visit: &mut dyn FnMut(TextPart<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut content = "";
    let mut kinds = "";
    for member in members(item) {
        if member.is("content") {
            content = member.value;
        } else if member.is("internal_chat_message_metadata_passthrough") {
            kinds = members(member.value)
                .find(|member| member.is("content_item_kinds"))
                .map_or("", |member| member.value);
        }
    }
    let kinds: Vec<_> = elements(kinds).map(string).collect();
    let parts: Vec<_> = elements(content).collect();
    for (idx, part) in parts.iter().enumerate().rev() {
        let head = PartHead::of(part);
        let text = head
            .value
            .filter(|_| head.kind == PartKind::Text)
            .and_then(string);
        let Some(text) = text else { continue };
        let kind = kinds.get(idx).and_then(Option::as_deref);
        visit(TextPart::new(role, &text).with_kind(kind))?;
    }
    ControlFlow::Continue(())
}
