//! What a session is about: the first thing that its user said.

use annals_protocol::{RecordKind, elements};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::read::records::Record;

/// The longest preview, in characters.
const PREVIEW_CHARS: usize = 200;

#[derive(Deserialize)]
struct Event<'a> {
    r#type: &'a str,
    #[serde(default)]
    message: Option<String>,
    #[serde(default, borrow)]
    item: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Item<'a> {
    r#type: &'a str,
    #[serde(default)]
    role: Option<String>,
    #[serde(default, borrow)]
    content: Option<&'a RawValue>,
    #[serde(default)]
    internal_chat_message_metadata_passthrough: Option<Kinds>,
}

#[derive(Deserialize, Default)]
struct Kinds {
    #[serde(default)]
    content_item_kinds: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: Option<String>,
}

/// The user's words in a record, if it holds any: white space collapsed, at most 200 characters.
///
/// Injected context is told from words by its recorded kind, else by how it starts.
pub(crate) fn user_words(record: &Record<'_>) -> Option<String> {
    let payload = record.envelope.payload;
    match record.envelope.kind {
        RecordKind::EventMsg => {
            let event: Event<'_> = serde_json::from_str(payload).ok()?;
            match event.r#type {
                "user_message" => shortened(&event.message?),
                "item_completed" => {
                    let item: Item<'_> = serde_json::from_str(event.item?.get()).ok()?;
                    (item.r#type == "UserMessage").then(|| first_text(&item))?
                }
                _ => None,
            }
        }
        RecordKind::ResponseItem => {
            let item: Item<'_> = serde_json::from_str(payload).ok()?;
            let is_user = item.r#type == "message" && item.role.as_deref() == Some("user");
            is_user.then(|| first_text(&item))?
        }
        _ => None,
    }
}

fn first_text(item: &Item<'_>) -> Option<String> {
    let kinds = item.internal_chat_message_metadata_passthrough.as_ref();
    let kinds = kinds.and_then(|passthrough| passthrough.content_item_kinds.as_deref());
    for (idx, part) in elements(item.content?.get()).enumerate() {
        let Ok(Part { text: Some(text) }) = serde_json::from_str(part) else {
            continue;
        };
        let is_words = match kinds.and_then(|kinds| kinds.get(idx)).map(String::as_str) {
            Some("user.text") => true,
            Some("unknown") | None => !looks_injected(&text),
            Some(_) => false,
        };
        if is_words && let Some(words) = shortened(&text) {
            return Some(words);
        }
    }
    None
}

fn looks_injected(text: &str) -> bool {
    let start = text.trim_start();
    // Only read: a list may guess what the replay knows.
    start.starts_with('<') || start.starts_with("# AGENTS.md instructions")
}

/// One line of at most 200 characters; `None` for blanks.
pub(crate) fn shortened(text: &str) -> Option<String> {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        if out.len() > PREVIEW_CHARS * 4 {
            break;
        }
    }
    if let Some((cut, _)) = out.char_indices().nth(PREVIEW_CHARS) {
        out.truncate(cut);
        out.push('\u{2026}');
    }
    (!out.is_empty()).then_some(out)
}
