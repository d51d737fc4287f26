//! What an item gets when it is recorded: an id, its turn, its time, and what its parts are.

use annals_protocol::{
    ItemHead, ItemMetadata, ItemType, RawJson, TruncationMode, TruncationPolicy, elements, members,
};

use crate::ambient::Ambient;

const METADATA: &str = "internal_chat_message_metadata_passthrough";

/// The item with everything added that it lacks; nothing that it has is changed.
pub(crate) fn stamped(item: &RawJson, turn_id: Option<&str>, ambient: &dyn Ambient) -> RawJson {
    let text = item.as_str();
    let Some(head) = ItemHead::scan(text) else {
        return item.clone();
    };
    let id = match (
        head.id.as_deref().unwrap_or_default(),
        id_prefix(head.item_type),
    ) {
        ("", Some(prefix)) => Some(format!("{prefix}_{}", ambient.new_id())),
        _ => None,
    };
    let metadata = has_metadata(head.item_type)
        .then(|| metadata_of(&head, turn_id, ambient.now_unix_ms()))
        .filter(|metadata| head.metadata != Some(metadata) && metadata != "{}");
    if id.is_none() && metadata.is_none() {
        return item.clone();
    }
    let mut out = String::with_capacity(text.len() + 256);
    let mut separator = '{';
    let mut push = |key: &str, value: &str| {
        out.push(separator);
        separator = ',';
        out.extend(["\"", key, "\":", value]);
    };
    let mut id_text = id.map(|id| format!("\"{id}\""));
    for member in members(text) {
        let is_replaced = (member.is("id") && head.id.as_deref().is_none_or(str::is_empty))
            || (metadata.is_some() && member.is(METADATA));
        if !(member.is("type") || member.is("status"))
            && let Some(id) = id_text.take()
        {
            push("id", &id);
        }
        if !is_replaced {
            push(member.key, member.value);
        }
    }
    if let Some(id) = id_text {
        push("id", &id);
    }
    if let Some(metadata) = &metadata {
        push(METADATA, metadata);
    }
    out.push('}');
    // Members of valid JSON, put together again, are valid JSON.
    RawJson::parse(out).unwrap_or_else(|_error| item.clone())
}

/// The sidecar of an item: what the host notes beside it.
pub(crate) fn noted(
    own: Option<&ItemMetadata>,
    item: &RawJson,
    sequence: u64,
    sampled_through: u64,
    policy: Option<&TruncationPolicy>,
) -> ItemMetadata {
    let mut beside = own.cloned().unwrap_or_default();
    beside.history_sequence = Some(sequence);
    beside.sampled_through_sequence = Some(sampled_through);
    let is_output = ItemHead::scan(item.as_str()).is_some_and(|head| {
        matches!(
            head.item_type,
            ItemType::FunctionCallOutput | ItemType::CustomToolCallOutput
        )
    });
    if is_output && beside.fallback_token_limit_override.is_none() {
        beside.fallback_token_limit_override = Some(output_tokens(policy));
    }
    beside
}

/// A policy and a fifth, in tokens: what is written beside an output, so that every later reader
/// shortens it as this thread did.
fn output_tokens(policy: Option<&TruncationPolicy>) -> u64 {
    let tokens = match policy {
        None => annals_history::DEFAULT_OUTPUT_TOKENS,
        Some(policy) if policy.mode == TruncationMode::Tokens => policy.limit,
        Some(policy) => policy.limit.div_ceil(4),
    };
    tokens.saturating_mul(6).div_ceil(5)
}

fn id_prefix(item: ItemType) -> Option<&'static str> {
    Some(match item {
        ItemType::Message => "msg",
        ItemType::AgentMessage => "amsg",
        ItemType::Reasoning => "rs",
        ItemType::LocalShellCall => "lsh",
        ItemType::FunctionCall => "fc",
        ItemType::FunctionCallOutput => "fco",
        ItemType::CustomToolCall => "ctc",
        ItemType::CustomToolCallOutput => "ctco",
        ItemType::ToolSearchCall => "tsc",
        ItemType::ToolSearchOutput => "tso",
        ItemType::WebSearchCall => "ws",
        ItemType::ImageGenerationCall => "ig",
        ItemType::Compaction | ItemType::ContextCompaction => "cmp",
        ItemType::AdditionalTools => "at",
        _ => return None,
    })
}

const fn has_metadata(item: ItemType) -> bool {
    !matches!(
        item,
        ItemType::AdditionalTools
            | ItemType::ConfigurationUpdate
            | ItemType::CompactionTrigger
            | ItemType::GhostSnapshot
            | ItemType::Other
    )
}

/// The item's own note with turn, time and kinds where it has none.
fn metadata_of(head: &ItemHead<'_>, turn_id: Option<&str>, now_unix_ms: u64) -> String {
    let own = head.metadata.unwrap_or_default();
    let member = |key: &str| members(own).find(|member| member.is(key));
    let mut out = String::new();
    let mut push = |key: &str, value: &str| {
        out.push(if out.is_empty() { '{' } else { ',' });
        out.extend(["\"", key, "\":", value]);
    };
    let has_turn = member("turn_id").is_some_and(|turn| turn.value != "\"\"");
    if let Some(turn_id) = turn_id.filter(|_| !has_turn) {
        push("turn_id", &quoted(turn_id));
    }
    let is_input = match head.item_type {
        ItemType::Message => matches!(head.role.as_deref(), Some("user" | "developer")),
        ItemType::AgentMessage
        | ItemType::FunctionCallOutput
        | ItemType::CustomToolCallOutput
        | ItemType::ToolSearchOutput => true,
        _ => false,
    };
    if is_input && member("create_time").is_none() {
        let time = format!("{}.{:03}", now_unix_ms / 1000, now_unix_ms % 1000);
        push("create_time", &time);
    }
    for member in members(own) {
        if has_turn || !member.is("turn_id") {
            push(member.key, member.value);
        }
    }
    if member("content_item_kinds").is_none()
        && let Some(kinds) = kinds_of(head)
    {
        push("content_item_kinds", &kinds);
    }
    if out.is_empty() {
        out.push('{');
    }
    out.push('}');
    out
}

/// What each part is: a user's own words are marked as such, so that no text of theirs is ever taken
/// for context; what the model says has no kind.
fn kinds_of(head: &ItemHead<'_>) -> Option<String> {
    let is_user = match (head.item_type, head.role.as_deref()) {
        (ItemType::Message, Some("user")) => true,
        (ItemType::Message, Some("assistant")) => false,
        _ => return None,
    };
    let kind = |part: &str| {
        let tag = members(part).find(|member| member.is("type"));
        match tag.map(|tag| tag.value) {
            Some("\"input_text\"") if is_user => "\"user.text\"",
            Some("\"input_image\"") if is_user => "\"user.image\"",
            Some("\"input_audio\"") if is_user => "\"user.audio\"",
            _ => "\"unknown\"",
        }
    };
    let kinds: Vec<&str> = elements(head.content?).map(kind).collect();
    Some(format!("[{}]", kinds.join(",")))
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
#[path = "stamp_tests.rs"]
mod tests;
