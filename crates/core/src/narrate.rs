//! What a rollout tells people beside an item: the same words once more, as events.

use annals_history::{ItemFacts, ItemFlags};
use annals_protocol::{
    AgentMessageEvent, AgentMessageItem, AgentReasoning, ContentPart, EventMsg, ItemCompleted,
    RawJson, ReasoningContent, ReasoningItem, ReasoningSummary, ResponseItem, Role, TurnItem,
    UserMessage, UserMessageItem,
};
use serde_json::json;

use crate::thread::Thread;

/// The events that go before and behind the record of an item, and what the model said in it.
#[derive(Debug, Default)]
pub(crate) struct Story {
    pub(crate) before: Option<EventMsg>,
    pub(crate) after: Option<EventMsg>,
    pub(crate) said: Option<String>,
}

/// Tells an item for people; files with ordinals and files without do it in words of their own.
pub(crate) fn story(
    raw: &RawJson,
    facts: ItemFacts,
    thread: &Thread,
    turn_id: Option<&str>,
) -> Story {
    let mut story = Story::default();
    let is_paginated = thread.session.is_paginated;
    match raw.decode::<ResponseItem>() {
        Ok(ResponseItem::Message(message)) if facts.flags().has(ItemFlags::BOUNDARY) => {
            let said = texts(&message.content);
            story.after = if is_paginated {
                let item = TurnItem::UserMessage(UserMessageItem {
                    id: thread.ambient.new_id().to_string(),
                    content: user_parts(&message.content),
                });
                Some(completed(thread, turn_id, item))
            } else {
                let none = || RawJson::parse("[]").ok();
                Some(EventMsg::UserMessage(UserMessage {
                    message: said,
                    kind: None,
                    client_id: None,
                    images: none(),
                    local_images: none(),
                    audio: none(),
                    local_audio: none(),
                    text_elements: none(),
                }))
            };
        }
        Ok(ResponseItem::Message(message)) if message.role == Role::Assistant => {
            let said = texts(&message.content);
            let phase = message.phase.map(|phase| phase.as_str().to_owned());
            story.before = Some(if is_paginated {
                let parts = message.content.iter().filter_map(ContentPart::text);
                let part = |text| RawJson::from_serialize(&json!({"type": "Text", "text": text}));
                let item = TurnItem::AgentMessage(AgentMessageItem {
                    id: message.id.unwrap_or_default(),
                    content: parts.filter_map(|text| part(text).ok()).collect(),
                    phase,
                });
                completed(thread, turn_id, item)
            } else {
                EventMsg::AgentMessage(AgentMessageEvent {
                    message: said.clone(),
                    phase,
                })
            });
            story.said = Some(said);
        }
        Ok(ResponseItem::Reasoning(reasoning)) => {
            let summary: Vec<String> = reasoning
                .summary
                .iter()
                .filter_map(|part| match part {
                    ReasoningSummary::SummaryText(part) => Some(part.text.clone()),
                    _ => None,
                })
                .collect();
            if is_paginated {
                let raw_content = reasoning.content.iter().flatten();
                let item = TurnItem::Reasoning(ReasoningItem {
                    id: reasoning.id.unwrap_or_default(),
                    summary_text: summary,
                    raw_content: raw_content.filter_map(reasoning_text).collect(),
                });
                story.before = Some(completed(thread, turn_id, item));
            } else if !summary.is_empty() {
                let text = summary.join("\n");
                story.before = Some(EventMsg::AgentReasoning(AgentReasoning { text }));
            }
        }
        _ => {}
    }
    story
}

/// An `item_completed` of this moment.
pub(crate) fn completed(thread: &Thread, turn_id: Option<&str>, item: TurnItem) -> EventMsg {
    let now = i64::try_from(thread.now()).unwrap_or(i64::MAX);
    EventMsg::ItemCompleted(ItemCompleted {
        thread_id: Some(thread.session.id.to_string()),
        turn_id: turn_id.map(str::to_owned),
        item,
        started_at_ms: Some(now),
        completed_at_ms: now,
    })
}

fn texts(content: &[ContentPart]) -> String {
    let texts: Vec<&str> = content.iter().filter_map(ContentPart::text).collect();
    texts.join("\n")
}

fn user_parts(content: &[ContentPart]) -> Vec<RawJson> {
    let part = |part: &ContentPart| match part {
        ContentPart::InputText(part) => {
            Some(json!({"type": "text", "text": part.text, "text_elements": []}))
        }
        ContentPart::InputImage(part) => {
            let url = part.image_url.as_ref();
            url.map(|url| json!({"type": "image", "image_url": url}))
        }
        _ => None,
    };
    let parts = content.iter().filter_map(part);
    parts
        .filter_map(|part| RawJson::from_serialize(&part).ok())
        .collect()
}

fn reasoning_text(part: &ReasoningContent) -> Option<String> {
    match part {
        ReasoningContent::ReasoningText(part) | ReasoningContent::Text(part) => {
            Some(part.text.clone())
        }
        _ => None,
    }
}
