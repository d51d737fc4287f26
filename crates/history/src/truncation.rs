//! Shortens one item by a fixed rule: a tool output when it is recorded, a user's message when a
//! compaction keeps only the end of its budget.

use std::borrow::Cow;

use annals_context_fragments::{
    OutputPart, PartFate, TruncationBudget, truncate_parts, truncate_text,
};
use annals_protocol::{ItemType, TruncationMode, TruncationPolicy, elements, members};

use crate::facts::ItemFacts;
use crate::flags::ItemFlags;
use crate::parts::{PartHead, PartKind};
use crate::text::{push_string, string};

/// How many tokens of a tool output a history keeps where nothing else says so.
pub const DEFAULT_OUTPUT_TOKENS: u64 = 10_000;

/// The budget that a turn's policy grants a tool output at recording: the policy and a fifth.
///
/// # Example
///
/// ```
/// use annals_context_fragments::TruncationBudget;
/// use annals_history::output_budget;
///
/// assert_eq!(output_budget(None), TruncationBudget::Tokens(12_000));
/// ```
pub fn output_budget(policy: Option<&TruncationPolicy>) -> TruncationBudget {
    let budget = match policy {
        Some(policy) if policy.mode == TruncationMode::Bytes => {
            TruncationBudget::Bytes(policy.limit)
        }
        Some(policy) => TruncationBudget::Tokens(policy.limit),
        None => TruncationBudget::Tokens(DEFAULT_OUTPUT_TOKENS),
    };
    budget.with_allowance()
}

/// The tool output `text` cut down to `budget`; `None` if it stays as it is, as every other item does.
///
/// The result depends on the item and the budget alone. Cost: O(1) for what fits.
pub fn cut_output(text: &str, facts: &ItemFacts, budget: TruncationBudget) -> Option<String> {
    let is_output = matches!(
        facts.item,
        ItemType::FunctionCallOutput | ItemType::CustomToolCallOutput
    );
    // The JSON of a text is never shorter than the text.
    if !is_output || text.len() <= budget.bytes() {
        return None;
    }
    let output = members(text).filter(|member| member.is("output")).last()?;
    let cut = if output.value.starts_with('"') {
        let whole = string(output.value)?;
        let cut = truncate_text(&whole, budget);
        if cut.removed_bytes == 0 {
            return None;
        }
        let mut quoted = String::with_capacity(cut.text.len() + 16);
        push_string(&mut quoted, &cut.text);
        quoted
    } else {
        cut_parts(output.value, budget)?
    };
    let start = output.end - output.value.len();
    Some([text.get(..start)?, &cut, text.get(output.end..)?].concat())
}

fn cut_parts(list: &str, budget: TruncationBudget) -> Option<String> {
    let parts: Vec<(&str, PartKind, Option<Cow<'_, str>>)> = elements(list)
        .map(|part| {
            let head = PartHead::of(part);
            let text = head
                .value
                .filter(|_| head.kind == PartKind::Text)
                .and_then(string);
            (part, head.kind, text)
        })
        .collect();
    let costs = parts.iter().map(|(part, kind, text)| match (kind, text) {
        (PartKind::Text, Some(text)) => OutputPart::Text(text),
        (PartKind::Audio, _) => OutputPart::Audio { bytes: part.len() },
        _ => OutputPart::Free,
    });
    let cut = truncate_parts(costs, budget);
    if cut.is_unchanged() {
        return None;
    }
    let mut shown: Vec<Cow<'_, str>> = Vec::with_capacity(parts.len());
    for (fate, (part, _, _)) in cut.fates.iter().zip(&parts) {
        match fate {
            PartFate::Replaced(text) => shown.push(Cow::Owned(text_part(text))),
            PartFate::Omitted => {}
            _ => shown.push(Cow::Borrowed(*part)),
        }
    }
    shown.extend(cut.notes.iter().map(|note| Cow::Owned(text_part(note))));
    Some(format!("[{}]", shown.join(",")))
}

/// A text as an `input_text` part.
pub(crate) fn text_part(text: &str) -> String {
    let mut part = String::from("{\"type\":\"input_text\",\"text\":");
    push_string(&mut part, text);
    part.push('}');
    part
}

/// A user message of one text.
pub fn user_message(text: &str) -> String {
    // Own words: those of whoever compacts, which no fragment of state or event holds.
    format!(
        "{{\"type\":\"message\",\"role\":\"user\",\"content\":[{}]}}",
        text_part(text)
    )
}

/// The user message `text` as one text of at most `tokens` estimated tokens, mark not counted.
///
/// Media are left out; the message keeps its id.
pub fn cut_user_message(text: &str, tokens: u64) -> String {
    let mut texts = Vec::new();
    let mut id = "";
    for member in members(text) {
        if member.is("content") {
            texts = elements(member.value)
                .map(PartHead::of)
                .filter(|part| part.kind == PartKind::Text)
                .filter_map(|part| part.value.and_then(string))
                .collect();
        } else if member.is("id") && member.value.starts_with('"') {
            id = member.value;
        }
    }
    let whole = texts.join("\n");
    let cut = truncate_text(&whole, TruncationBudget::Tokens(tokens));
    let content = text_part(&cut.text);
    let id = if id.is_empty() {
        String::new()
    } else {
        format!(",\"id\":{id}")
    };
    // Own words: the user's, of which the end is cut.
    format!("{{\"type\":\"message\"{id},\"role\":\"user\",\"content\":[{content}]}}")
}

/// The message `text` with its texts as one of at most `tokens` estimated tokens, whatever its role;
/// `None` for other items.
pub(crate) fn cut_message(text: &str, facts: &ItemFacts, tokens: u64) -> Option<String> {
    if facts.item != ItemType::Message {
        return None;
    }
    let content = members(text).find(|member| member.is("content"))?;
    let texts: Vec<_> = elements(content.value)
        .map(PartHead::of)
        .filter(|part| part.kind == PartKind::Text)
        .filter_map(|part| part.value.and_then(string))
        .collect();
    let whole = texts.join("\n");
    let cut = truncate_text(&whole, TruncationBudget::Tokens(tokens));
    let tag = if facts.flags.has(ItemFlags::GENERATED) {
        "output_text"
    } else {
        "input_text"
    };
    let mut list = format!("[{{\"type\":\"{tag}\",\"text\":");
    push_string(&mut list, &cut.text);
    list.push_str("}]");
    let start = content.end - content.value.len();
    Some([text.get(..start)?, &list, text.get(content.end..)?].concat())
}
