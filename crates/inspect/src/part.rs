//! What the parts of an item are, where each came from, and what each costs.

use std::borrow::Cow;

use annals_context_fragments::{FragmentSpec, PartClass, Role, classify_part, tokens_for_bytes};
use annals_protocol::{ItemHead, ItemType, RawJson, elements, members};
use serde::Serialize;

/// Where a part of the model's input comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Origin {
    /// The instructions that a model starts with.
    Base,
    /// Declarations of tools.
    Tools,
    /// AGENTS.md and other standing instructions.
    Rules,
    /// Where the work is done: folder, shell, date.
    Environment,
    /// What may be done without asking.
    Permissions,
    /// Any other injected context.
    OtherContext,
    /// What a compaction left of the past.
    Summary,
    /// A person's own words.
    User,
    /// The model's own words.
    Assistant,
    /// The model's reasoning.
    Reasoning,
    /// Calls of tools.
    Calls,
    /// Outputs of tools.
    Outputs,
    /// Anything else.
    Other,
}

impl Origin {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 13] = [
        Self::Base,
        Self::Tools,
        Self::Rules,
        Self::Environment,
        Self::Permissions,
        Self::OtherContext,
        Self::Summary,
        Self::User,
        Self::Assistant,
        Self::Reasoning,
        Self::Calls,
        Self::Outputs,
        Self::Other,
    ];

    /// The stable lower-case name, as JSON has it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Tools => "tools",
            Self::Rules => "rules",
            Self::Environment => "environment",
            Self::Permissions => "permissions",
            Self::OtherContext => "other_context",
            Self::Summary => "summary",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Reasoning => "reasoning",
            Self::Calls => "calls",
            Self::Outputs => "outputs",
            Self::Other => "other",
        }
    }

    /// Whether a host put it there, and no person, model or tool.
    pub const fn is_injected(self) -> bool {
        matches!(
            self,
            Self::Base
                | Self::Tools
                | Self::Rules
                | Self::Environment
                | Self::Permissions
                | Self::OtherContext
        )
    }

    fn of_kind(kind: &str) -> Self {
        let (feature, _) = kind.split_once('.').unwrap_or((kind, ""));
        match feature {
            "agents_md" => Self::Rules,
            "environments" => Self::Environment,
            "permissions" => Self::Permissions,
            "tools" => Self::Tools,
            "model" if kind == "model.base_instructions" => Self::Base,
            "compaction" => Self::Summary,
            _ => Self::OtherContext,
        }
    }
}

/// One part of a message, decoded.
#[derive(Debug, Clone)]
pub(crate) struct Part<'a> {
    /// Its text; nothing for images and sound.
    pub(crate) text: Option<Cow<'a, str>>,
    /// The kind that was recorded beside it.
    pub(crate) kind: Option<String>,
    /// Its row in the catalogue, if it is known there.
    pub(crate) spec: Option<&'static FragmentSpec>,
    /// Whether a host put it there.
    pub(crate) is_injected: bool,
    pub(crate) origin: Origin,
}

impl Part<'_> {
    pub(crate) fn tokens(&self) -> u64 {
        self.text
            .as_ref()
            .map_or(0, |text| tokens_for_bytes(text.len()))
    }
}

/// What a part of a message is.
pub(crate) fn parts_of<'a>(item: &'a str, head: &ItemHead<'a>) -> Vec<Part<'a>> {
    let name = head.role.as_deref().unwrap_or_default();
    let role = Role::from_wire(name);
    let mut kinds = kinds_beside(head.metadata).into_iter();
    let content = head
        .content
        .or_else(|| member(item, "content"))
        .unwrap_or_default();
    elements(content)
        .map(|part| {
            let kind = kinds.next();
            let text = member(part, "text").and_then(decoded);
            let class = role.map_or(PartClass::Own, |role| {
                classify_part(role, text.as_deref(), kind.as_deref())
            });
            let spec = match class {
                PartClass::Known(spec) => Some(spec),
                _ => None,
            };
            let is_injected = class.is_contextual();
            let origin = match (class.class(), &kind, spec) {
                (Some(annals_context_fragments::FragmentClass::Summary), ..) => Origin::Summary,
                (Some(_), _, Some(spec)) => Origin::of_kind(spec.kind()),
                (Some(_), Some(kind), None) => Origin::of_kind(kind),
                _ => match name {
                    "user" => Origin::User,
                    "assistant" => Origin::Assistant,
                    "developer" => Origin::Base,
                    _ => Origin::Other,
                },
            };
            Part {
                text,
                kind,
                spec,
                is_injected: is_injected && origin != Origin::Summary,
                origin,
            }
        })
        .collect()
}

/// Where an item comes from, part by part, with the estimated tokens of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shares {
    /// All of it from one place.
    One(Origin, u32),
    /// From several.
    Many(std::sync::Arc<[(Origin, u32)]>),
}

impl Shares {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Origin, u64)> + '_ {
        let (one, many) = match self {
            Self::One(origin, tokens) => (Some((*origin, *tokens)), &[][..]),
            Self::Many(shares) => (None, &shares[..]),
        };
        one.into_iter()
            .chain(many.iter().copied())
            .map(|(origin, tokens)| (origin, u64::from(tokens)))
    }

    pub(crate) fn tokens(&self) -> u64 {
        self.iter().map(|(_, tokens)| tokens).sum()
    }
}

/// The shares of one item, given its JSON.
pub(crate) fn shares_of(item: &str) -> Shares {
    let Some(head) = ItemHead::scan(item) else {
        return Shares::One(Origin::Other, 0);
    };
    let all = RawJson::parse(item).map_or(0, |item| annals_history::estimate_item_tokens(&item));
    let whole = |origin| Shares::One(origin, small(all));
    match head.item_type {
        ItemType::Message => {
            let parts = parts_of(item, &head);
            match parts.as_slice() {
                [part] => whole(part.origin),
                [first, rest @ ..] if rest.iter().all(|part| part.origin == first.origin) => {
                    whole(first.origin)
                }
                [] => whole(Origin::Other),
                parts => {
                    let own: u64 = parts.iter().map(Part::tokens).sum();
                    // Images have no text; what they cost is with the first part.
                    let mut rest = all.saturating_sub(own);
                    let shares = parts.iter().map(|part| {
                        let tokens = part.tokens() + std::mem::take(&mut rest);
                        (part.origin, small(tokens))
                    });
                    Shares::Many(shares.collect())
                }
            }
        }
        ItemType::AgentMessage => whole(Origin::User),
        ItemType::Reasoning => whole(Origin::Reasoning),
        ItemType::LocalShellCall
        | ItemType::FunctionCall
        | ItemType::CustomToolCall
        | ItemType::ToolSearchCall
        | ItemType::WebSearchCall
        | ItemType::ImageGenerationCall => whole(Origin::Calls),
        // Told by the host, though it has the form of an output.
        ItemType::FunctionCallOutput if head.call_id.is_none() => whole(Origin::OtherContext),
        ItemType::FunctionCallOutput
        | ItemType::CustomToolCallOutput
        | ItemType::ToolSearchOutput => whole(Origin::Outputs),
        ItemType::AdditionalTools => whole(Origin::Tools),
        ItemType::Compaction | ItemType::ContextCompaction => whole(Origin::Summary),
        ItemType::ConfigurationUpdate => whole(Origin::OtherContext),
        _ => whole(Origin::Other),
    }
}

/// The kinds that were recorded beside the parts of a message.
fn kinds_beside(metadata: Option<&str>) -> Vec<String> {
    metadata
        .and_then(|metadata| member(metadata, "content_item_kinds"))
        .and_then(|kinds| serde_json::from_str(kinds).ok())
        .unwrap_or_default()
}

/// The text of a member of an object.
pub(crate) fn member<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    members(object)
        .find(|member| member.is(key))
        .map(|member| member.value)
}

/// The text that a JSON string stands for.
pub(crate) fn decoded(value: &str) -> Option<Cow<'_, str>> {
    if !value.starts_with('"') {
        return None;
    }
    let inner = value.get(1..value.len().checked_sub(1)?)?;
    if inner.contains('\\') {
        serde_json::from_str(value).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

/// A member's text, decoded.
pub(crate) fn text_member(object: &str, key: &str) -> Option<String> {
    member(object, key).and_then(decoded).map(Cow::into_owned)
}

pub(crate) fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
#[path = "part_tests.rs"]
mod tests;
