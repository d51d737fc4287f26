//! Which members the common response items have, and a look that tells when an item surely has them.
//! The rarer kinds, and whatever is odd about a common one, are left to the typed parser.

use super::{Kind, Look};
use crate::Member;

/// What the value of a member has to be.
#[derive(Debug, Clone, Copy)]
enum Want {
    Text,
    TextOrNull,
    /// A list of parts told apart by `type`, each with a text of that name if its tag is known.
    Parts(&'static [Part]),
    PartsOrNull(&'static [Part]),
    /// A text or a list of parts.
    Output,
    /// A list of anything.
    ListOrNull,
    TextsOrNull,
    /// A number that surely fits.
    NumberOrNull,
    Anything,
    Metadata,
}

/// A kind of part: its tag, and its members.
type Part = (&'static [u8], &'static [Field]);

#[derive(Debug, Clone, Copy)]
struct Field {
    key: &'static [u8],
    want: Want,
    is_required: bool,
}

const fn must(key: &'static str, want: Want) -> Field {
    Field {
        key: key.as_bytes(),
        want,
        is_required: true,
    }
}

const fn may(key: &'static str, want: Want) -> Field {
    Field {
        key: key.as_bytes(),
        want,
        is_required: false,
    }
}

const ID: Field = may("id", Want::TextOrNull);
const METADATA: Field = may("internal_chat_message_metadata_passthrough", Want::Metadata);
const ENCRYPTED: Field = may("encrypted_content", Want::TextOrNull);
const NAMESPACE: Field = may("namespace", Want::TextOrNull);
const STATUS: Field = may("status", Want::TextOrNull);
const TEXT: &[Field] = &[must("text", Want::Text)];

const SAID: &[Field] = &[
    must("text", Want::Text),
    may("annotations", Want::ListOrNull),
    may("logprobs", Want::ListOrNull),
];
const IMAGE: &[Field] = &[
    may("image_url", Want::TextOrNull),
    may("file_id", Want::TextOrNull),
    may("detail", Want::TextOrNull),
];
const MESSAGE_PARTS: &[Part] = &[
    (b"input_text", TEXT),
    (b"output_text", SAID),
    (b"input_image", IMAGE),
];
const SUMMARY_PARTS: &[Part] = &[(b"summary_text", TEXT)];
const REASONING_PARTS: &[Part] = &[(b"reasoning_text", TEXT), (b"text", TEXT)];
const OUTPUT_PARTS: &[Part] = &[(b"input_text", TEXT), (b"input_image", IMAGE)];

/// Items by their tag.
const ITEMS: &[Part] = &[
    (
        b"message",
        &[
            must("role", Want::Text),
            must("content", Want::Parts(MESSAGE_PARTS)),
            ID,
            METADATA,
            STATUS,
            ENCRYPTED,
            may("phase", Want::TextOrNull),
        ],
    ),
    (
        b"reasoning",
        &[
            must("summary", Want::Parts(SUMMARY_PARTS)),
            may("content", Want::PartsOrNull(REASONING_PARTS)),
            ID,
            METADATA,
            ENCRYPTED,
        ],
    ),
    (
        b"function_call",
        &[
            must("name", Want::Text),
            must("arguments", Want::Text),
            must("call_id", Want::Text),
            ID,
            METADATA,
            NAMESPACE,
            STATUS,
            ENCRYPTED,
            may("encrypted_function_args", Want::TextsOrNull),
        ],
    ),
    (
        b"function_call_output",
        &[
            must("output", Want::Output),
            may("call_id", Want::TextOrNull),
            may("name", Want::TextOrNull),
            ID,
            METADATA,
            NAMESPACE,
        ],
    ),
    (
        b"custom_tool_call",
        &[
            must("name", Want::Text),
            must("input", Want::Text),
            must("call_id", Want::Text),
            ID,
            METADATA,
            NAMESPACE,
            STATUS,
            ENCRYPTED,
        ],
    ),
    (
        b"custom_tool_call_output",
        &[
            must("output", Want::Output),
            must("call_id", Want::Text),
            may("name", Want::TextOrNull),
            ID,
            METADATA,
        ],
    ),
];

/// What a host notes inside an item for its own use.
const METADATA_FIELDS: &[Field] = &[
    may("turn_id", Want::TextOrNull),
    may("create_time", Want::NumberOrNull),
    may("content_item_kinds", Want::TextsOrNull),
    may("content_item_metadata", Want::Anything),
];

/// How many members an item has that is not odd.
const MOST_MEMBERS: usize = 12;

/// The members of an item that surely is valid JSON of its kind's shape.
///
/// Made by a quick look, which also spares the next reader a walk. Only the common kinds are known
/// to it; an item without an outline need not be wrong, it needs a careful look.
///
/// # Example
///
/// ```
/// use annals_protocol::ItemOutline;
///
/// let item = r#"{"type":"message","role":"user","content":[]}"#;
/// let outline = ItemOutline::look(item).expect("a common item");
/// assert_eq!(outline.members()[1].key, "role");
/// assert!(ItemOutline::look(r#"{"type":"message"}"#).is_none());
/// ```
#[derive(Debug, Clone)]
pub struct ItemOutline<'a> {
    text: &'a str,
    members: [Member<'a>; MOST_MEMBERS],
    n_members: usize,
}

impl<'a> ItemOutline<'a> {
    /// Looks at the text of an item, which may be anything.
    ///
    /// What has an outline decodes as a [`ResponseItem`](crate::ResponseItem), is not too deep for a
    /// line of a rollout, and holds no lone surrogates. Cost: one pass, no allocation.
    pub fn look(text: &'a str) -> Option<Self> {
        let mut outline = Self {
            text,
            members: [Member::NONE; MOST_MEMBERS],
            n_members: 0,
        };
        let mut look = Look::new(text.as_bytes());
        // The item stands in its line's object already.
        tagged(&mut look, 1, ITEMS, |key, start, end| {
            outline.push(key, start, end)
        })?;
        look.is_at_end().then_some(outline)
    }

    /// The text that was looked at.
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// The members in their order, as [`members`](crate::members) gives them.
    pub fn members(&self) -> &[Member<'a>] {
        self.members.get(..self.n_members).unwrap_or_default()
    }

    fn push(&mut self, key: &[u8], value_start: usize, end: usize) -> Option<()> {
        let key_start = key.as_ptr().addr() - self.text.as_ptr().addr();
        *self.members.get_mut(self.n_members)? = Member {
            key: self.text.get(key_start..key_start + key.len())?,
            value: self.text.get(value_start..end)?,
            start: key_start - 1,
            end,
        };
        self.n_members += 1;
        Some(())
    }
}

/// An object that begins with its tag, one of `kinds`; every member is told with the places between
/// which its value stands.
fn tagged<'a, F>(
    look: &mut Look<'a>,
    depth: usize,
    kinds: &'static [Part],
    mut tell: F,
) -> Option<()>
where
    F: FnMut(&'a [u8], usize, usize) -> Option<()>,
{
    let mut fields: Option<&'static [Field]> = None;
    let mut seen = 0_u32;
    look.object(depth, |look, key, depth| {
        look.space();
        let start = look.at;
        let Some(fields) = fields else {
            if key != b"type" {
                return None;
            }
            let tag = look.string()?;
            fields = Some(kinds.iter().find(|kind| kind.0 == tag)?.1);
            return tell(key, start, look.at);
        };
        member(look, key, depth, fields, &mut seen)?;
        tell(key, start, look.at)
    })?;
    has_required(fields?, seen)
}

/// One member of an object with these fields.
fn member(
    look: &mut Look<'_>,
    key: &[u8],
    depth: usize,
    fields: &'static [Field],
    seen: &mut u32,
) -> Option<()> {
    match fields.iter().position(|field| field.key == key) {
        Some(index) => {
            let bit = 1_u32.checked_shl(u32::try_from(index).ok()?)?;
            let is_again = *seen & bit != 0;
            *seen |= bit;
            if is_again {
                return None;
            }
            wanted(look, depth, fields.get(index)?.want)
        }
        // A key written with escapes may be any of them, and a second tag is for the parser.
        None if key == b"type" || key.contains(&b'\\') => None,
        None => look.value(depth).map(drop),
    }
}

fn has_required(fields: &[Field], seen: u32) -> Option<()> {
    fields
        .iter()
        .enumerate()
        .all(|(index, field)| !field.is_required || seen & (1 << index) != 0)
        .then_some(())
}

fn wanted(look: &mut Look<'_>, depth: usize, want: Want) -> Option<()> {
    look.space();
    let is_null = look.peek() == Some(b'n');
    match want {
        Want::Text => look.string().map(drop),
        Want::Parts(kinds) => parts(look, depth, kinds),
        Want::Output if look.peek() == Some(b'"') => look.string().map(drop),
        Want::Output => parts(look, depth, OUTPUT_PARTS),
        Want::Anything => look.value(depth).map(drop),
        _ if is_null => look.value(depth).map(drop),
        Want::TextOrNull => look.string().map(drop),
        Want::PartsOrNull(kinds) => parts(look, depth, kinds),
        Want::ListOrNull => look.array(depth, |look, depth| look.value(depth).map(drop)),
        Want::TextsOrNull => look.array(depth, |look, _| {
            look.space();
            look.string().map(drop)
        }),
        Want::NumberOrNull => modest_number(look, depth),
        Want::Metadata => fields_of(look, depth, METADATA_FIELDS),
    }
}

fn parts(look: &mut Look<'_>, depth: usize, kinds: &'static [Part]) -> Option<()> {
    look.array(depth, |look, depth| {
        tagged(look, depth, kinds, |_, _, _| Some(()))
    })
}

fn fields_of(look: &mut Look<'_>, depth: usize, fields: &'static [Field]) -> Option<()> {
    let mut seen = 0;
    look.object(depth, |look, key, depth| {
        member(look, key, depth, fields, &mut seen)
    })?;
    has_required(fields, seen)
}

/// A number of few digits and without an exponent: no number type overflows on it.
fn modest_number(look: &mut Look<'_>, depth: usize) -> Option<()> {
    let start = look.at;
    let is_number = look.value(depth)? == Kind::Number;
    let text = look.bytes.get(start..look.at)?;
    (is_number && text.len() < 40 && !text.iter().any(u8::is_ascii_alphabetic)).then_some(())
}

#[cfg(test)]
#[path = "shape_tests.rs"]
mod tests;
