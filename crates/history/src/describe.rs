//! An item in words: a title and the texts in it, for snapshots, terminals and reports.

use std::borrow::Cow;
use std::fmt;

use annals_protocol::{ItemHead, ItemType, elements, members};

/// How many characters of a text a shape shows.
const SHAPE_CHARS: usize = 72;

/// What an item is and what it says, decoded.
///
/// # Example
///
/// ```
/// use annals_history::ItemDescription;
///
/// let item = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"a\nb"}]}"#;
/// let description = ItemDescription::of(item);
/// assert_eq!(description.title, "user message");
/// assert_eq!(description.to_string(), "user message\n  a\\nb (3 bytes)\n");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemDescription {
    /// Who or what it is: `user message`, `function_call exec_command call_1`.
    pub title: String,
    /// The texts in it, in order.
    pub parts: Vec<PartDescription>,
}

/// One text in an item, or what stands in the place of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartDescription {
    /// What the part is, where it is no plain text: a content kind or the part's type.
    pub label: Option<String>,
    /// The text, decoded; for media a short word of it.
    pub text: String,
}

impl ItemDescription {
    /// Describes the item whose JSON is `item`.
    ///
    /// Cost: a copy of its texts. Never fails: what is no item is described as such.
    pub fn of(item: &str) -> Self {
        let Some(head) = ItemHead::scan(item) else {
            return Self {
                title: "not an item".to_owned(),
                parts: Vec::new(),
            };
        };
        let mut title = match (&head.role, head.item_type) {
            (Some(role), ItemType::Message) => format!("{role} message"),
            _ => head.tag.to_owned(),
        };
        for word in [&head.name, &head.call_id].into_iter().flatten() {
            title.push(' ');
            title.push_str(word);
        }
        let mut parts = Vec::new();
        for member in members(item) {
            match member.key {
                "content" => list_parts(member.value, &kinds(head.metadata), &mut parts),
                "summary" | "output" => list_parts(member.value, &[], &mut parts),
                "arguments" | "input" => parts.push(PartDescription {
                    label: None,
                    text: decoded(member.value).into_owned(),
                }),
                "action" | "tools" | "reasoning" => parts.push(PartDescription {
                    label: Some(member.key.to_owned()),
                    text: member.value.to_owned(),
                }),
                "encrypted_content" if member.value != "null" => parts.push(PartDescription {
                    label: Some("encrypted".to_owned()),
                    text: decoded(member.value).into_owned(),
                }),
                _ => {}
            }
        }
        Self { title, parts }
    }
}

/// The shape: the title, and a line a part with its first characters and its size.
impl fmt::Display for ItemDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        for part in &self.parts {
            f.write_str("  ")?;
            if let Some(label) = &part.label {
                write!(f, "[{label}] ")?;
            }
            let mut chars = part.text.chars();
            for character in chars.by_ref().take(SHAPE_CHARS) {
                if character.is_control() {
                    write!(f, "{}", character.escape_default())?;
                } else {
                    write!(f, "{character}")?;
                }
            }
            let more = if chars.next().is_some() { "…" } else { "" };
            writeln!(f, "{more} ({} bytes)", part.text.len())?;
        }
        Ok(())
    }
}

fn kinds(metadata: Option<&str>) -> Vec<String> {
    metadata
        .and_then(|metadata| {
            members(metadata)
                .find(|member| member.is("content_item_kinds"))
                .map(|kinds| kinds.value)
        })
        .and_then(|kinds| serde_json::from_str(kinds).ok())
        .unwrap_or_default()
}

fn list_parts(value: &str, kinds: &[String], parts: &mut Vec<PartDescription>) {
    if value.starts_with('"') {
        parts.push(PartDescription {
            label: None,
            text: decoded(value).into_owned(),
        });
        return;
    }
    for (index, part) in elements(value).enumerate() {
        let member = |key: &str| {
            members(part)
                .find(|member| member.is(key))
                .map(|member| decoded(member.value))
        };
        let part_type = member("type").unwrap_or(Cow::Borrowed("?"));
        let is_text = matches!(
            part_type.as_ref(),
            "input_text" | "output_text" | "summary_text" | "reasoning_text" | "text"
        );
        let kind = kinds.get(index).cloned();
        let (label, text) = if is_text {
            (kind, member("text").unwrap_or_default().into_owned())
        } else {
            let source = ["image_url", "file_id", "audio_url", "encrypted_content"];
            let text = source
                .into_iter()
                .find_map(member)
                .unwrap_or_default()
                .into_owned();
            (Some(kind.unwrap_or_else(|| part_type.into_owned())), text)
        };
        parts.push(PartDescription { label, text });
    }
}

/// The text that a JSON string stands for; any other value as it stands.
fn decoded(value: &str) -> Cow<'_, str> {
    if value.starts_with('"') {
        serde_json::from_str::<String>(value).map_or(Cow::Borrowed(value), Cow::Owned)
    } else {
        Cow::Borrowed(value)
    }
}

#[cfg(test)]
#[path = "describe_tests.rs"]
mod tests;
