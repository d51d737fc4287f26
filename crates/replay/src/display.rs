//! History items as their user saw them: who said what, which tools ran, what came of it.
//!
//! Injected context never appears as something that the user said.

use annals_context_fragments::{FragmentClass, PartClass, Role, classify_part};
use annals_history::{ItemFacts, ItemFlags};
use annals_protocol::{ItemType, elements, members};

/// One element of a conversation as a user interface shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TurnItem {
    /// What the user said.
    UserMessage {
        /// The user's own texts, one behind the other with a newline between.
        text: String,
        /// How many images came with it.
        n_images: usize,
        /// How many sounds came with it.
        n_audio: usize,
    },
    /// What the model said.
    AgentMessage {
        /// The text.
        text: String,
        /// `commentary` or `final_answer`, where the model said so.
        phase: Option<String>,
    },
    /// What another agent said.
    OtherAgent {
        /// Who.
        author: String,
        /// The text that can be read.
        text: String,
    },
    /// What the model thought.
    Reasoning {
        /// The summary, paragraph by paragraph; empty where the model gave none.
        summary: Vec<String>,
    },
    /// A tool that ran, and what it answered.
    ToolCall {
        /// The tool's name.
        name: String,
        /// What it was asked, as the model wrote it.
        input: String,
        /// What it answered; `None` if it never did.
        output: Option<String>,
    },
    /// What came from a tool by itself, without a call.
    ToolNotice {
        /// Who it came from.
        name: String,
        /// The text.
        text: String,
    },
    /// The context was replaced by a summary.
    Compaction {
        /// The summary; `None` where only the provider can read it.
        summary: Option<String>,
    },
    /// Something happened that the model was told of: an interruption, a command of the user's.
    Event {
        /// What the fragment is called.
        name: String,
        /// Its text.
        text: String,
    },
    /// Context that was injected: for those who want to see it, never the user's words.
    Context {
        /// What the fragments are called.
        names: Vec<String>,
    },
}

impl TurnItem {
    /// The items of the conversation that one history item stands for, usually one.
    ///
    /// `text` is the item's JSON; `output` the JSON of the output that answers it, if it is a call
    /// that was answered. What is not for a person (a change of settings, a snapshot) gives none.
    ///
    /// # Example
    ///
    /// ```
    /// use annals_history::ItemFacts;
    /// use annals_replay::TurnItem;
    ///
    /// let text = r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]}"#;
    /// let shown = TurnItem::of(text, &ItemFacts::scan(text), None);
    /// assert_eq!(shown, [TurnItem::AgentMessage { text: "hi".to_owned(), phase: None }]);
    /// ```
    pub fn of(text: &str, facts: &ItemFacts, output: Option<&str>) -> Vec<Self> {
        let field = |key: &str| member_text(text, key).unwrap_or_default();
        let one = match facts.item_type() {
            ItemType::Message => return message(text, facts),
            ItemType::AgentMessage => Self::OtherAgent {
                author: field("author"),
                text: content_texts(text).join("\n"),
            },
            ItemType::Reasoning => Self::Reasoning {
                summary: list_texts(text, "summary"),
            },
            ItemType::FunctionCall => tool(field("name"), field("arguments"), output),
            ItemType::CustomToolCall => tool(field("name"), field("input"), output),
            ItemType::LocalShellCall => tool("local_shell".to_owned(), raw(text, "action"), output),
            ItemType::ToolSearchCall => {
                tool("tool_search".to_owned(), raw(text, "arguments"), output)
            }
            ItemType::WebSearchCall => tool("web_search".to_owned(), raw(text, "action"), output),
            ItemType::ImageGenerationCall => tool(
                "image_generation".to_owned(),
                field("revised_prompt"),
                output,
            ),
            ItemType::FunctionCallOutput | ItemType::CustomToolCallOutput => Self::ToolNotice {
                name: field("name"),
                text: output_text(text),
            },
            ItemType::Compaction | ItemType::ContextCompaction => {
                Self::Compaction { summary: None }
            }
            _ => return Vec::new(),
        };
        vec![one]
    }

    /// The compaction whose summary is the user message `summary`, if there is one.
    pub fn compaction(summary: Option<&str>) -> Self {
        let summary = summary.map(|item| content_texts(item).join("\n"));
        Self::Compaction { summary }
    }
}

fn tool(name: String, input: String, output: Option<&str>) -> TurnItem {
    TurnItem::ToolCall {
        name,
        input,
        output: output.map(output_text),
    }
}

/// A message: its author's own words, and beside them what was injected.
fn message(text: &str, facts: &ItemFacts) -> Vec<TurnItem> {
    let flags = facts.flags();
    if flags.has(ItemFlags::GENERATED) {
        let text_of = content_texts(text).join("\n");
        return vec![TurnItem::AgentMessage {
            text: text_of,
            phase: member_text(text, "phase"),
        }];
    }
    if flags.has(ItemFlags::SUMMARY) {
        return vec![TurnItem::compaction(Some(text))];
    }
    let role = if flags.has(ItemFlags::USER) {
        Role::User
    } else {
        Role::Developer
    };
    let mut words = Vec::new();
    let (mut n_images, mut n_audio) = (0, 0);
    let mut shown = Vec::new();
    let mut names = Vec::new();
    for part in parts_of(text) {
        let class = classify_part(role, part.text.as_deref(), part.kind.as_deref());
        if let PartClass::Known(spec) = class
            && spec.class() == FragmentClass::Event
        {
            let text = part.text.unwrap_or_default();
            shown.push(TurnItem::Event {
                name: spec.name().to_owned(),
                text,
            });
        } else if class.is_contextual() {
            names.push(match class {
                PartClass::Known(spec) => spec.name().to_owned(),
                _ => part.kind.unwrap_or_default(),
            });
        } else {
            match part.tag.as_str() {
                "input_image" => n_images += 1,
                "input_audio" => n_audio += 1,
                _ => words.extend(part.text),
            }
        }
    }
    if role == Role::Developer && !words.is_empty() {
        names.push("developer".to_owned());
        words.clear();
    }
    if !names.is_empty() {
        shown.push(TurnItem::Context { names });
    }
    let words = without_media_tags(words, n_images + n_audio > 0);
    if !words.is_empty() || n_images + n_audio > 0 {
        shown.push(TurnItem::UserMessage {
            text: words.join("\n"),
            n_images,
            n_audio,
        });
    }
    shown
}

/// The tags that a client writes around media are no words of the user's.
fn without_media_tags(words: Vec<String>, has_media: bool) -> Vec<String> {
    if !has_media {
        return words;
    }
    let is_tag = |text: &str| {
        let text = text.trim();
        ["image", "audio"].iter().any(|kind| {
            text == format!("</{kind}>")
                || (text.starts_with(&format!("<{kind}"))
                    && text.ends_with('>')
                    && !text.contains('\n'))
        })
    };
    words.into_iter().filter(|text| !is_tag(text)).collect()
}

struct MessagePart {
    tag: String,
    text: Option<String>,
    kind: Option<String>,
}

fn parts_of(item: &str) -> Vec<MessagePart> {
    let content = raw(item, "content");
    let metadata = raw(item, "internal_chat_message_metadata_passthrough");
    let kinds = raw(&metadata, "content_item_kinds");
    let mut kinds = elements(&kinds).map(decode);
    elements(&content)
        .map(|part| MessagePart {
            tag: member_text(part, "type").unwrap_or_default(),
            text: member_text(part, "text"),
            kind: kinds.next().flatten(),
        })
        .collect()
}

fn content_texts(item: &str) -> Vec<String> {
    list_texts(item, "content")
}

fn list_texts(item: &str, key: &str) -> Vec<String> {
    let list = raw(item, key);
    elements(&list)
        .filter_map(|part| member_text(part, "text"))
        .collect()
}

/// What an output says: its text, or the texts of its list.
fn output_text(item: &str) -> String {
    match member_text(item, "output") {
        Some(text) => text,
        None => list_texts(item, "output").join("\n"),
    }
}

fn raw(object: &str, key: &str) -> String {
    members(object)
        .find(|member| member.is(key))
        .map_or_else(String::new, |member| member.value.to_owned())
}

fn member_text(object: &str, key: &str) -> Option<String> {
    members(object)
        .find(|member| member.is(key))
        .and_then(|member| decode(member.value))
}

fn decode(value: &str) -> Option<String> {
    serde_json::from_str(value).ok()
}
