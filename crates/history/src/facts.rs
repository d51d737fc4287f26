//! What the rules need to know of one item, read off its JSON text in one walk.

use std::borrow::Cow;

use annals_protocol::{ItemOutline, ItemType, Member, members};
use twox_hash::XxHash3_128;

use crate::flags::ItemFlags;
use crate::parts::{classify, content_flags, is_legacy_envelope};
use crate::text::{is_empty_string, saturated, string};

/// What one item is, without what it holds: enough for every rule of the history.
///
/// Two items with the same facts are treated the same, whether their bytes are in memory or in a
/// file. 40 bytes or less, whatever the size of the item.
///
/// # Example
///
/// ```
/// use annals_history::{ItemFacts, ItemFlags};
///
/// let facts = ItemFacts::scan(
///     r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}"#,
/// );
/// assert!(facts.flags().has(ItemFlags::BOUNDARY));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemFacts {
    pub(crate) call: CallKey,
    pub(crate) flags: ItemFlags,
    pub(crate) len_bytes: u32,
    pub(crate) text_bytes: u32,
    pub(crate) item: ItemType,
    /// How many bytes from the end the passthrough member starts, with the comma before it, if it
    /// stands last; otherwise 0.
    pub(crate) tail_bytes: u16,
}

/// A call id as 128 bits of XXH3; zero where the item has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct CallKey([u64; 2]);

impl CallKey {
    fn of(id: &str) -> Self {
        let hash = XxHash3_128::oneshot(id.as_bytes());
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the two halves of one number"
        )]
        Self([(hash >> 64) as u64, hash as u64])
    }
}

/// Which outputs answer which calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CallFamily {
    Function,
    Custom,
    Search,
}

/// How an item takes part in pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Call(CallFamily),
    Output(CallFamily),
    Neither,
}

impl ItemFacts {
    /// Reads the facts off an item's JSON text.
    ///
    /// Never fails: what lacks a member that its type must have is
    /// [`MALFORMED`](ItemFlags::MALFORMED), and stays out of every prompt.
    ///
    /// Cost: one pass over the text; only the texts of user and developer messages are decoded.
    pub fn scan(text: &str) -> Self {
        Self::of(&Head::of(members(text)), text)
    }

    /// Reads the facts off an item that was walked already; the same as [`scan`](Self::scan) gives.
    pub fn of_outline(outline: &ItemOutline<'_>) -> Self {
        let members = outline.members().iter().copied();
        Self::of(&Head::of(members), outline.text())
    }

    fn of(head: &Head<'_>, text: &str) -> Self {
        let item = head
            .tag
            .as_deref()
            .map_or(ItemType::Other, ItemType::from_tag);
        let (flags, text_bytes) = flags_of(item, head);
        let call = match head.call_id.and_then(string) {
            Some(id) if !id.is_empty() => CallKey::of(&id),
            _ => CallKey::default(),
        };
        Self {
            call,
            flags,
            text_bytes,
            item,
            len_bytes: saturated(text.len()),
            tail_bytes: tail_bytes(head, text).unwrap_or(0),
        }
    }

    /// The item's type.
    pub const fn item_type(&self) -> ItemType {
        self.item
    }

    /// The yes-or-no facts.
    pub const fn flags(&self) -> ItemFlags {
        self.flags
    }

    /// How many bytes of UTF-8 the item's JSON has.
    pub const fn len_bytes(&self) -> usize {
        self.len_bytes as usize
    }

    /// How many bytes of UTF-8 the texts of a user or developer message have; 0 for other items.
    pub const fn text_bytes(&self) -> usize {
        self.text_bytes as usize
    }

    /// The same facts with flags added, for what only the one who recorded the item knows.
    #[must_use = "the facts themselves do not change"]
    pub const fn with_flags(mut self, flags: ItemFlags, holds: bool) -> Self {
        self.flags = self.flags.with(flags, holds);
        self
    }

    pub(crate) fn part(&self) -> Part {
        let has_id = self.flags.has(ItemFlags::CALL_ID);
        match self.item {
            ItemType::FunctionCall => Part::Call(CallFamily::Function),
            ItemType::LocalShellCall if has_id => Part::Call(CallFamily::Function),
            ItemType::CustomToolCall => Part::Call(CallFamily::Custom),
            ItemType::ToolSearchCall if has_id => Part::Call(CallFamily::Search),
            ItemType::FunctionCallOutput if has_id => Part::Output(CallFamily::Function),
            ItemType::CustomToolCallOutput if has_id => Part::Output(CallFamily::Custom),
            ItemType::ToolSearchOutput if has_id => Part::Output(CallFamily::Search),
            _ => Part::Neither,
        }
    }
}

/// The members that any rule asks for, as JSON texts.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says that one member is there"
)]
struct Head<'a> {
    tag: Option<Cow<'a, str>>,
    role: Option<&'a str>,
    id: Option<&'a str>,
    call_id: Option<&'a str>,
    name: Option<&'a str>,
    execution: Option<&'a str>,
    content: Option<&'a str>,
    output: Option<&'a str>,
    metadata: Option<&'a str>,
    /// Where the last member starts and ends, if it is the metadata.
    metadata_is_last: Option<(usize, usize)>,
    has_arguments: bool,
    has_input: bool,
    has_summary: bool,
    has_encrypted: bool,
    has_tools: bool,
    has_action: bool,
}

impl<'a> Head<'a> {
    fn of<M: Iterator<Item = Member<'a>>>(members: M) -> Self {
        let mut head = Self::default();
        for member in members {
            head.metadata_is_last = None;
            let value = member.value;
            let there = value != "null";
            match member.key {
                "type" => head.tag = string(value),
                "role" => head.role = Some(value),
                "id" => head.id = Some(value),
                "call_id" => head.call_id = there.then_some(value),
                "name" => head.name = there.then_some(value),
                "execution" => head.execution = Some(value),
                "content" => head.content = Some(value),
                "output" => head.output = Some(value),
                "internal_chat_message_metadata_passthrough" => {
                    head.metadata = Some(value);
                    head.metadata_is_last = Some((member.start, member.end));
                }
                "arguments" => head.has_arguments = true,
                "input" => head.has_input = true,
                "summary" => head.has_summary = value.starts_with('['),
                "encrypted_content" => head.has_encrypted = there,
                "tools" => head.has_tools = true,
                "action" => head.has_action = there,
                key if key.contains('\\') => head.take_escaped(&member),
                _ => {}
            }
        }
        head
    }

    /// A key with escapes in it is rare enough to be looked at twice.
    fn take_escaped(&mut self, member: &Member<'a>) {
        let value = member.value;
        if member.is("type") {
            self.tag = string(value);
        } else if member.is("role") {
            self.role = Some(value);
        } else if member.is("call_id") {
            self.call_id = (value != "null").then_some(value);
        } else if member.is("content") {
            self.content = Some(value);
        } else if member.is("output") {
            self.output = Some(value);
        } else if member.is("name") {
            self.name = Some(value);
        }
    }

    fn lacks_a_member(&self, item: ItemType) -> bool {
        let is_text = |value: Option<&str>| value.is_some_and(|text| text.starts_with('"'));
        let is_list = |value: Option<&str>| value.is_some_and(|text| text.starts_with('['));
        let is_output = |value: Option<&str>| {
            value.is_some_and(|text| text.starts_with('"') || text.starts_with('['))
        };
        match item {
            ItemType::Message => !is_text(self.role) || !is_list(self.content),
            ItemType::AgentMessage => !is_list(self.content),
            ItemType::Reasoning => !self.has_summary,
            ItemType::LocalShellCall => !self.has_action,
            ItemType::FunctionCall => {
                !is_text(self.name) || !is_text(self.call_id) || !self.has_arguments
            }
            ItemType::CustomToolCall => {
                !is_text(self.name) || !is_text(self.call_id) || !self.has_input
            }
            ItemType::FunctionCallOutput => !is_output(self.output),
            ItemType::CustomToolCallOutput => !is_output(self.output) || !is_text(self.call_id),
            ItemType::ToolSearchCall => !self.has_arguments,
            ItemType::ToolSearchOutput | ItemType::AdditionalTools => !self.has_tools,
            ItemType::Compaction => !self.has_encrypted,
            _ => false,
        }
    }
}

fn tail_bytes(head: &Head<'_>, text: &str) -> Option<u16> {
    let (start, end) = head.metadata_is_last?;
    let comma = start.checked_sub(1)?;
    let ends_there = text.get(end..) == Some("}");
    let is_tail = ends_there && text.as_bytes().get(comma) == Some(&b',');
    is_tail.then(|| u16::try_from(text.len() - comma).ok())?
}

fn flags_of(item: ItemType, head: &Head<'_>) -> (ItemFlags, u32) {
    let named = |value: Option<&str>| value.is_some_and(|text| !is_empty_string(text));
    let mut flags = ItemFlags::NONE
        .with(ItemFlags::MALFORMED, head.lacks_a_member(item))
        .with(ItemFlags::PASSTHROUGH, head.metadata.is_some())
        .with(
            ItemFlags::ITEM_ID,
            named(head.id.filter(|id| *id != "null")),
        )
        .with(ItemFlags::CALL_ID, head.call_id.is_some());
    let mut text_bytes = 0;
    match item {
        ItemType::Message if !flags.has(ItemFlags::MALFORMED) => {
            (flags, text_bytes) = message_flags(flags, head);
        }
        ItemType::AgentMessage => {
            flags = flags.with(ItemFlags::BOUNDARY, !flags.has(ItemFlags::MALFORMED));
        }
        ItemType::FunctionCallOutput | ItemType::CustomToolCallOutput => {
            flags = content_flags(flags, head.output.unwrap_or_default())
                .with(ItemFlags::EMPTY_TEXT | ItemFlags::TEXT_ONLY, false);
        }
        ItemType::ToolSearchCall | ItemType::ToolSearchOutput => {
            let server = head
                .execution
                .and_then(string)
                .is_some_and(|text| text == "server");
            flags = flags.with(ItemFlags::SERVER_SIDE, server);
        }
        ItemType::FunctionCall | ItemType::CustomToolCall => {
            let bad =
                !flags.has(ItemFlags::MALFORMED) && (!named(head.name) || !named(head.call_id));
            flags = flags.with(ItemFlags::BAD_CALL, bad);
        }
        ItemType::LocalShellCall => {
            let bad = head.call_id.is_some_and(is_empty_string);
            flags = flags.with(ItemFlags::BAD_CALL, bad);
        }
        ItemType::ImageGenerationCall => flags = flags.with(ItemFlags::IMAGE, true),
        _ => {}
    }
    let generated = is_generated(item, flags, head);
    let can_follow = generated
        && item != ItemType::Reasoning
        && !flags.has_any(ItemFlags::MALFORMED | ItemFlags::BAD_CALL | ItemFlags::EMPTY_TEXT);
    let flags = flags
        .with(ItemFlags::GENERATED, generated)
        .with(ItemFlags::MODEL_MADE, can_follow);
    (flags, text_bytes)
}

fn is_generated(item: ItemType, flags: ItemFlags, head: &Head<'_>) -> bool {
    match item {
        ItemType::Message => {
            !flags.has_any(ItemFlags::USER | ItemFlags::DEVELOPER | ItemFlags::SYSTEM)
                && head.role == Some("\"assistant\"")
        }
        ItemType::Reasoning
        | ItemType::LocalShellCall
        | ItemType::FunctionCall
        | ItemType::CustomToolCall
        | ItemType::ToolSearchCall
        | ItemType::WebSearchCall
        | ItemType::ImageGenerationCall
        | ItemType::Compaction
        | ItemType::ContextCompaction => true,
        _ => false,
    }
}

fn message_flags(flags: ItemFlags, head: &Head<'_>) -> (ItemFlags, u32) {
    let content = head.content.unwrap_or_default();
    let role = head.role.and_then(string).unwrap_or_default();
    let flags = content_flags(flags, content);
    let mut text_bytes = 0;
    let flags = match role.as_ref() {
        "system" => flags.with(ItemFlags::SYSTEM, true),
        "user" | "developer" => {
            let is_user = role == "user";
            let class;
            (class, text_bytes) = classify(&role, content, head.metadata);
            let is_summary = is_user && class.is_summary();
            let is_context = class.is_contextual() && !is_summary;
            let is_turn = is_user && !is_context && !is_summary;
            flags
                .with(ItemFlags::USER, is_user)
                .with(ItemFlags::DEVELOPER, !is_user)
                .with(ItemFlags::CONTEXTUAL, is_context)
                .with(
                    ItemFlags::ANY_CONTEXTUAL,
                    class.n_contextual > 0 && !is_summary,
                )
                .with(ItemFlags::EVENT, class.has_event())
                .with(ItemFlags::SUMMARY, is_summary)
                .with(ItemFlags::BOUNDARY, is_turn)
        }
        "assistant" => {
            let envelope = is_legacy_envelope(content);
            flags
                .with(ItemFlags::LEGACY_ENVELOPE, envelope)
                .with(ItemFlags::BOUNDARY, envelope)
        }
        _ => flags,
    };
    (flags, text_bytes)
}
