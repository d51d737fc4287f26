//! What an item costs in tokens, as far as that can be told without a tokenizer.

use annals_context_fragments::tokens_for_bytes;
use annals_protocol::{ItemHead, ItemType, RawJson, elements, members};

use crate::image::{IMAGE_BYTES, original_image_bytes};
use crate::parts::{PartHead, PartKind};
use crate::text::{decoded_len, string};

/// The estimated tokens of one item: a quarter of the bytes that a model reads of it, rounded up.
///
/// **Units**: estimated tokens. Images cost by their size and not by their data; ids, metadata and
/// the escapes of the JSON cost nothing. Cost: one pass over the item.
pub fn estimate_item_tokens(item: &RawJson) -> u64 {
    let head = ItemHead::scan(item.as_str());
    estimate_tokens(
        item.as_str(),
        head.map_or(ItemType::Other, |head| head.item_type),
    )
}

/// The same for an item whose type is known.
pub(crate) fn estimate_tokens(text: &str, item: ItemType) -> u64 {
    let bytes = item_bytes(text, item);
    tokens_for_bytes(usize::try_from(bytes).unwrap_or(usize::MAX))
}

fn item_bytes(text: &str, item: ItemType) -> u64 {
    let mut bytes = 0_u64;
    let mut encrypted = None;
    for member in members(text) {
        let value = member.value;
        match (item, member.key) {
            (ItemType::Message | ItemType::AgentMessage, "content") => bytes += parts_bytes(value),
            (ItemType::FunctionCallOutput | ItemType::CustomToolCallOutput, "output") => {
                bytes += if value.starts_with('[') {
                    parts_bytes(value)
                } else {
                    text_bytes(value)
                };
            }
            (ItemType::AgentMessage, "author" | "recipient")
            | (
                ItemType::FunctionCall | ItemType::CustomToolCall,
                "name" | "namespace" | "arguments" | "input",
            )
            | (
                ItemType::FunctionCallOutput | ItemType::CustomToolCallOutput,
                "call_id" | "name" | "namespace",
            )
            | (ItemType::ImageGenerationCall, "revised_prompt") => bytes += text_bytes(value),
            (ItemType::ImageGenerationCall, "result") if text_bytes(value) > 0 => {
                bytes += IMAGE_BYTES;
            }
            (ItemType::LocalShellCall | ItemType::WebSearchCall, "action")
            | (ItemType::ToolSearchCall, "arguments")
            | (ItemType::ToolSearchOutput | ItemType::AdditionalTools, "tools") => {
                bytes += value.len() as u64;
            }
            (
                ItemType::Reasoning | ItemType::Compaction | ItemType::ContextCompaction,
                "encrypted_content",
            ) if value != "null" => encrypted = Some(text_bytes(value)),
            _ => {}
        }
    }
    // Encrypted text is base64 with a frame around it. Reasoning in the clear costs nothing: it is
    // not read back.
    bytes + encrypted.map_or(0, |len| (len * 3 / 4).saturating_sub(650))
}

fn text_bytes(value: &str) -> u64 {
    decoded_len(value) as u64
}

fn parts_bytes(list: &str) -> u64 {
    elements(list).map(part_bytes).sum()
}

fn part_bytes(part: &str) -> u64 {
    let head = PartHead::of(part);
    match head.kind {
        PartKind::Text => head.value.map_or(0, text_bytes),
        PartKind::Image => {
            let is_original =
                members(part).any(|member| member.is("detail") && member.value == "\"original\"");
            if is_original {
                original_image_bytes(head.value)
            } else {
                IMAGE_BYTES
            }
        }
        PartKind::Audio => audio_bytes(part),
        PartKind::Other => members(part)
            .find(|member| member.is("encrypted_content"))
            .map_or(0, |member| (text_bytes(member.value) * 9).div_ceil(16)),
    }
}

/// Sound costs a token for every 800 samples; what is no WAV costs its length.
fn audio_bytes(part: &str) -> u64 {
    let url = members(part)
        .find(|member| member.is("audio_url"))
        .and_then(|member| string(member.value));
    let Some(url) = url else { return 0 };
    match crate::image::wav_samples(&url) {
        Some(samples) => samples.div_ceil(800) * 4,
        None => url.len() as u64,
    }
}
