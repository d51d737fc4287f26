//! The bytes that a prompt shows of one item: its own, less what is not for the provider.

use std::borrow::Cow;
use std::ops::Range;

use annals_context_fragments::notices::{
    AUDIO_UNSUPPORTED, IMAGE_UNPROCESSABLE, IMAGE_UNSUPPORTED,
};
use annals_protocol::{ItemType, Member, elements, members};

use crate::facts::ItemFacts;
use crate::flags::ItemFlags;
use crate::options::{Images, PromptOptions};
use crate::parts::{PartHead, PartKind};
use crate::text::is_empty_string;

const PASSTHROUGH: &str = "internal_chat_message_metadata_passthrough";

/// How the passthrough member starts where another stands before it.
const PASSTHROUGH_START: &str = ",\"internal_chat_message_metadata_passthrough\":";

/// Stands in the place of an image in the input of a compaction.
pub const IMAGE_REPLACED: &str = "image content omitted from this summary request";

/// How an item is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rendered<'a> {
    /// The item's own text, less one stretch of it, which may be empty.
    Own(&'a str, Range<usize>),
    /// Another text.
    Changed(String),
}

impl<'a> Rendered<'a> {
    /// The text in one or two pieces, one behind the other.
    pub fn pieces(&self) -> [&str; 2] {
        match self {
            Self::Own(text, cut) => [
                text.get(..cut.start).unwrap_or_default(),
                text.get(cut.end..).unwrap_or_default(),
            ],
            Self::Changed(text) => [text, ""],
        }
    }

    /// The text in one piece.
    pub fn to_text(&self) -> Cow<'a, str> {
        match self {
            Self::Own(text, cut) if cut.is_empty() => Cow::Borrowed(text),
            _ => Cow::Owned(self.pieces().concat()),
        }
    }
}

/// The text that a prompt made with `options` shows of the item `text`.
///
/// Depends on the item and the options alone. Most items are shown as they stand, or less one
/// stretch: nothing is copied then.
pub fn render_item<'a>(text: &'a str, facts: &ItemFacts, options: PromptOptions) -> Rendered<'a> {
    if needs_rewrite(facts, options) {
        return Rendered::Changed(rewrite(text, facts, options));
    }
    if facts.flags.has(ItemFlags::PASSTHROUGH) && !options.keep_metadata {
        let cut = trailing_passthrough(text, facts).unwrap_or_else(|| passthrough_anywhere(text));
        return Rendered::Own(text, cut);
    }
    Rendered::Own(text, 0..0)
}

fn needs_rewrite(facts: &ItemFacts, options: PromptOptions) -> bool {
    let flags = facts.flags;
    flags.has(ItemFlags::EMPTY_PART)
        || flags.has(ItemFlags::BAD_MEDIA)
        || (flags.has(ItemFlags::IMAGE) && (options.images != Images::Shown || options.no_detail))
        || (flags.has(ItemFlags::AUDIO) && options.no_audio)
        || (options.no_ids && flags.has(ItemFlags::ITEM_ID))
}

fn is_output(item: ItemType) -> bool {
    matches!(
        item,
        ItemType::FunctionCallOutput | ItemType::CustomToolCallOutput
    )
}

/// Where the passthrough member and its comma stand, if they stand last in the object: they do in
/// what Codex writes, and then nothing before them need be looked at.
fn trailing_passthrough(text: &str, facts: &ItemFacts) -> Option<Range<usize>> {
    let start = text.len().checked_sub(usize::from(facts.tail_bytes))?;
    // An output that was cut when it was recorded has other bytes before the same tail.
    let is_there = text.get(start..)?.starts_with(PASSTHROUGH_START) && text.ends_with('}');
    is_there.then(|| start..text.len() - 1)
}

fn passthrough_anywhere(text: &str) -> Range<usize> {
    let mut previous_end = None;
    for member in members(text) {
        if member.is(PASSTHROUGH) {
            return match previous_end {
                Some(end) => end..member.end,
                None => member.start..behind_comma(text, member.end),
            };
        }
        previous_end = Some(member.end);
    }
    0..0
}

fn behind_comma(text: &str, end: usize) -> usize {
    let rest = text.get(end..).unwrap_or_default();
    let spaces = rest.len() - rest.trim_start().len();
    if rest.trim_start().starts_with(',') {
        end + spaces + 1
    } else {
        end
    }
}

/// The item written anew, member by member; what is not touched keeps its bytes.
fn rewrite(text: &str, facts: &ItemFacts, options: PromptOptions) -> String {
    let mut parts = PartsView {
        options,
        changed: Vec::new(),
    };
    let mut out = String::with_capacity(text.len());
    out.push('{');
    let mut metadata: Option<Member<'_>> = None;
    for member in members(text) {
        if member.is(PASSTHROUGH) {
            if options.keep_metadata {
                metadata = Some(member);
            }
            continue;
        }
        if options.no_ids && member.is("id") {
            continue;
        }
        push_key(&mut out, member.key);
        match member.key {
            "content" if facts.item == ItemType::Message => parts.write(&mut out, member.value),
            "output" if is_output(facts.item) => parts.write(&mut out, member.value),
            "result"
                if facts.item == ItemType::ImageGenerationCall
                    && options.images != Images::Shown =>
            {
                out.push_str("\"\"");
            }
            _ => out.push_str(member.value),
        }
    }
    if let Some(member) = metadata {
        push_key(&mut out, member.key);
        out.push_str(&parts.kinds_in(member.value));
    }
    out.push('}');
    out
}

fn push_key(out: &mut String, key: &str) {
    if out.len() > 1 {
        out.push(',');
    }
    out.push('"');
    out.push_str(key);
    out.push_str("\":");
}

/// What became of one part.
#[derive(Debug, Clone, Copy)]
enum PartChange {
    Kept,
    Dropped,
    Replaced(&'static str),
}

/// The parts of one item as the options want them.
struct PartsView {
    options: PromptOptions,
    changed: Vec<PartChange>,
}

impl PartsView {
    fn write(&mut self, out: &mut String, list: &str) {
        if !list.starts_with('[') {
            out.push_str(list);
            return;
        }
        out.push('[');
        let mut first = true;
        for part in elements(list) {
            let (change, text) = self.shown(part);
            self.changed.push(change);
            let Some(text) = text else { continue };
            if !first {
                out.push(',');
            }
            first = false;
            out.push_str(&text);
        }
        out.push(']');
    }

    fn shown<'p>(&self, part: &'p str) -> (PartChange, Option<Cow<'p, str>>) {
        let head = PartHead::of(part);
        let notice = match head.kind {
            PartKind::Text => {
                return if head.value.is_some_and(is_empty_string) {
                    (PartChange::Dropped, None)
                } else {
                    (PartChange::Kept, Some(Cow::Borrowed(part)))
                };
            }
            PartKind::Image => {
                if head.value.is_some_and(crate::media::is_bad_image_url) {
                    Some((IMAGE_UNPROCESSABLE, "images.preparation_error"))
                } else {
                    match self.options.images {
                        Images::Shown => None,
                        Images::Unsupported => Some((IMAGE_UNSUPPORTED, "images.unsupported")),
                        Images::Replaced => Some((IMAGE_REPLACED, "images.unsupported")),
                    }
                }
            }
            PartKind::Audio if self.options.no_audio => {
                Some((AUDIO_UNSUPPORTED, "audio.unsupported"))
            }
            _ => None,
        };
        match notice {
            Some((text, kind)) => {
                let part = format!("{{\"type\":\"input_text\",\"text\":\"{text}\"}}");
                (PartChange::Replaced(kind), Some(Cow::Owned(part)))
            }
            None if head.kind == PartKind::Image && self.options.no_detail => {
                (PartChange::Kept, Some(Cow::Owned(without(part, "detail"))))
            }
            None => (PartChange::Kept, Some(Cow::Borrowed(part))),
        }
    }

    /// The metadata object with its kinds parallel to the parts that are left.
    fn kinds_in(&self, metadata: &str) -> String {
        let mut out = String::from("{");
        for member in members(metadata) {
            push_key(&mut out, member.key);
            if !member.is("content_item_kinds") || !member.value.starts_with('[') {
                out.push_str(member.value);
                continue;
            }
            let mut kinds = elements(member.value);
            let mut kept = Vec::new();
            for change in &self.changed {
                let own = kinds.next().unwrap_or("\"unknown\"");
                match change {
                    PartChange::Kept => kept.push(own.to_owned()),
                    PartChange::Dropped => {}
                    PartChange::Replaced(kind) => kept.push(format!("\"{kind}\"")),
                }
            }
            out.push('[');
            out.push_str(&kept.join(","));
            out.push(']');
        }
        out.push('}');
        out
    }
}

fn without(object: &str, key: &str) -> String {
    let mut out = String::from("{");
    for member in members(object) {
        if !member.is(key) {
            push_key(&mut out, member.key);
            out.push_str(member.value);
        }
    }
    out.push('}');
    out
}
