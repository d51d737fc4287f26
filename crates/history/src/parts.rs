//! The parts of a message or of an output: what each is, and what they add up to.

use std::borrow::Cow;

use annals_context_fragments::{MessageClass, classify_message};
use annals_protocol::{elements, members};

use crate::flags::ItemFlags;
use crate::media::is_bad_image_url;
use crate::text::{is_empty_string, saturated, string};

/// Facts about the parts of a message or of an output's list.
pub(crate) fn content_flags(flags: ItemFlags, content: &str) -> ItemFlags {
    let mut flags = flags;
    let mut all_empty = content.starts_with('[');
    let mut all_text = true;
    let mut any_empty = false;
    for element in elements(content) {
        let part = PartHead::of(element);
        match part.kind {
            PartKind::Text => {
                let is_empty = part.value.is_some_and(is_empty_string);
                all_empty &= is_empty;
                any_empty |= is_empty;
            }
            PartKind::Image => {
                all_empty = false;
                all_text = false;
                let bad = part.value.is_some_and(is_bad_image_url);
                flags = flags.with(ItemFlags::IMAGE, true);
                flags = if bad {
                    flags.with(ItemFlags::BAD_MEDIA, true)
                } else {
                    flags
                };
            }
            PartKind::Audio => {
                all_empty = false;
                all_text = false;
                flags = flags.with(ItemFlags::AUDIO, true);
            }
            PartKind::Other => {
                all_empty = false;
                all_text = false;
            }
        }
    }
    flags
        .with(ItemFlags::EMPTY_TEXT, all_empty)
        .with(ItemFlags::EMPTY_PART, any_empty)
        .with(ItemFlags::TEXT_ONLY, all_text && content.starts_with('['))
}

/// What a content part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartKind {
    Text,
    Image,
    Audio,
    Other,
}

/// A content part's type and the value that matters for it: its text or its image link.
pub(crate) struct PartHead<'a> {
    pub(crate) kind: PartKind,
    pub(crate) value: Option<&'a str>,
}

impl<'a> PartHead<'a> {
    pub(crate) fn of(part: &'a str) -> Self {
        let mut kind = PartKind::Other;
        let mut text = None;
        let mut image = None;
        for member in members(part) {
            match member.key {
                "type" => {
                    kind = match string(member.value).as_deref() {
                        Some("input_text" | "output_text" | "text") => PartKind::Text,
                        Some("input_image") => PartKind::Image,
                        Some("input_audio") => PartKind::Audio,
                        _ => PartKind::Other,
                    }
                }
                "text" => text = Some(member.value),
                "image_url" => image = Some(member.value),
                _ => {}
            }
        }
        Self {
            kind,
            value: if kind == PartKind::Image { image } else { text },
        }
    }
}

/// How the parts of a message divide into injected context and somebody's words.
pub(crate) fn classify(role: &str, content: &str, metadata: Option<&str>) -> (MessageClass, u32) {
    type Text<'a> = Option<Cow<'a, str>>;
    let kinds = metadata.and_then(|object| {
        members(object)
            .find(|member| member.key == "content_item_kinds")
            .map(|member| member.value)
    });
    let mut kinds = elements(kinds.unwrap_or_default());
    let parts: Vec<(Text<'_>, Text<'_>)> = elements(content)
        .map(|part| {
            let head = PartHead::of(part);
            let text = head
                .value
                .filter(|_| head.kind == PartKind::Text)
                .and_then(string);
            (text, kinds.next().and_then(string))
        })
        .collect();
    let bytes = parts
        .iter()
        .filter_map(|(text, _)| text.as_deref())
        .map(str::len)
        .sum();
    let parts = parts
        .iter()
        .map(|(text, kind)| (text.as_deref(), kind.as_deref()));
    (classify_message(role, parts), saturated(bytes))
}

/// Whether an assistant message is one agent's word to another, written as JSON into its text.
pub(crate) fn is_legacy_envelope(content: &str) -> bool {
    let mut parts = elements(content);
    let (Some(only), None) = (parts.next(), parts.next()) else {
        return false;
    };
    let head = PartHead::of(only);
    let Some(text) = head
        .value
        .filter(|value| value.starts_with("\"{"))
        .and_then(string)
    else {
        return false;
    };
    if serde_json::from_str::<serde::de::IgnoredAny>(&text).is_err() {
        return false;
    }
    ["author", "recipient", "content", "trigger_turn"]
        .iter()
        .all(|key| members(&text).any(|member| member.is(key)))
}
