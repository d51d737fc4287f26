//! Where a record and the items in it stand, and what a replay keeps of them.

use annals_history::{ItemBody, ItemEnvelope};
use annals_protocol::{Envelope, RawJson};

/// One record of a rollout, as a reader hands it over.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// Which file of the lineage it stands in, from 0 for the oldest ancestor.
    pub segment: u32,
    /// The one-based line.
    pub line: u64,
    /// Where the record starts in the file's own text, in bytes from 0.
    pub byte_offset: u64,
    /// The record's text.
    pub text: &'a str,
    /// The record split into its members, which are slices of `text`.
    pub envelope: Envelope<'a>,
}

impl Record<'_> {
    /// Where `part` stands; it must be a slice of the record's text.
    pub fn place_of(&self, part: &str) -> Place {
        let inside = part
            .as_ptr()
            .addr()
            .saturating_sub(self.text.as_ptr().addr());
        Place {
            segment: self.segment,
            offset: self.byte_offset + inside as u64,
            len_bytes: u32::try_from(part.len()).unwrap_or(u32::MAX),
        }
    }
}

/// Where the text of one item stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Which file of the lineage, from 0 for the oldest ancestor.
    pub segment: u32,
    /// How many bytes the text has.
    pub len_bytes: u32,
    /// Where it starts in the file's own text (decompressed), in bytes from 0.
    pub offset: u64,
}

/// What a replay keeps of the items that it meets.
pub trait ItemSource {
    /// What is kept of one item.
    type Body: ItemBody;

    /// Keeps the item whose text is `text`; `None` if it cannot be kept.
    ///
    /// `metadata` is the text of what the host noted beside it.
    fn keep(&self, place: Place, text: &str, metadata: Option<&str>) -> Option<Self::Body>;
}

/// Keeps the bytes of every item.
#[derive(Debug, Clone, Copy, Default)]
pub struct KeptItems;

impl ItemSource for KeptItems {
    type Body = ItemEnvelope;

    fn keep(&self, _place: Place, text: &str, metadata: Option<&str>) -> Option<ItemEnvelope> {
        let envelope = ItemEnvelope::new(RawJson::parse(text).ok()?);
        match metadata.and_then(|metadata| serde_json::from_str(metadata).ok()) {
            Some(metadata) => Some(envelope.with_metadata(metadata)),
            None => Some(envelope),
        }
    }
}
