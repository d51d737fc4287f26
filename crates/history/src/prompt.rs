//! What the model is sent: kept bytes in their order, with stand-ins between them.

use std::io::{self, Write};

use annals_protocol::RawJson;
use imbl::{OrdSet, Vector};

use crate::options::PromptOptions;
use crate::pairing::Pairing;
use crate::prefix::{Digest, Divergence, DivergenceCause, PrefixReport};
use crate::repair::{Repair, RepairKind};
use crate::version::{HistoryVersion, Rewrite};

/// One element of a prompt: a text, less one stretch of it, and the sum of all up to here.
#[derive(Debug, Clone)]
pub(crate) struct PromptSlot {
    pub(crate) text: RawJson,
    pub(crate) cut: (u32, u32),
    /// The index in the history of the item that it shows or stands in for.
    pub(crate) at: u32,
    /// The item at whose place in the history it is shown.
    pub(crate) anchor: u32,
    pub(crate) is_stand_in: bool,
    /// How many bytes all elements up to this one have.
    pub(crate) end: u64,
    pub(crate) digest: Digest,
}

impl PromptSlot {
    pub(crate) fn pieces(&self) -> [&str; 2] {
        let text = self.text.as_str();
        [
            text.get(..self.cut.0 as usize).unwrap_or_default(),
            text.get(self.cut.1 as usize..).unwrap_or_default(),
        ]
    }
}

impl PromptSlot {
    /// The same as bytes. Slicing a text looks at the bytes around the cut, far behind the item's
    /// start: over a large prompt that alone would take as long as copying it.
    pub(crate) fn byte_pieces(&self) -> [&[u8]; 2] {
        let bytes = self.text.as_bytes();
        [
            bytes.get(..self.cut.0 as usize).unwrap_or_default(),
            bytes.get(self.cut.1 as usize..).unwrap_or_default(),
        ]
    }
}

/// The model-visible input, as a view on bytes that were made when the items were recorded.
///
/// # Bounds and cost
///
/// A clone copies nothing. A prompt holds no copy of any item that it shows unchanged. It writes
/// itself without serializing anything; [`chunks`](Self::chunks) hands its bytes over lazily.
///
/// # Shape
///
/// A JSON array: `[` elements with `,` between them `]`, without white space of its own.
///
/// # Example
///
/// ```
/// use annals_history::{ContextManager, ItemEnvelope, PromptOptions};
/// use annals_protocol::{RawJson, TruncationPolicy};
///
/// let mut history = ContextManager::new();
/// let item = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}"#;
/// history.record([ItemEnvelope::new(RawJson::parse(item)?)], None);
/// let prompt = history.for_prompt(PromptOptions::default());
/// assert_eq!(prompt.to_vec(), format!("[{item}]").into_bytes());
/// # Ok::<(), annals_protocol::DecodeError>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "a prompt is for sending"]
pub struct Prompt {
    pub(crate) slots: Vector<PromptSlot>,
    pub(crate) options: PromptOptions,
    pub(crate) version: HistoryVersion,
    pub(crate) rewrite: Option<Rewrite>,
    pub(crate) repairs: OrdSet<(u32, RepairKind)>,
    pub(crate) pairing: Pairing,
}

/// One element of a prompt.
#[derive(Debug, Clone, Copy)]
pub struct PromptItem<'a> {
    slot: &'a PromptSlot,
}

impl<'a> PromptItem<'a> {
    /// The index in the history of the item shown, or of the call that a stand-in answers.
    pub const fn at(&self) -> usize {
        self.slot.at as usize
    }

    /// Whether this is an output that stands in for one that never came.
    pub const fn is_stand_in(&self) -> bool {
        self.slot.is_stand_in
    }

    /// The element's JSON in two pieces, one behind the other; the second is often empty.
    pub fn pieces(&self) -> [&'a str; 2] {
        self.slot.pieces()
    }

    /// The element's JSON in one piece, copied.
    pub fn to_text(&self) -> String {
        self.pieces().concat()
    }

    /// How many bytes of UTF-8 the element's JSON has.
    pub fn len_bytes(&self) -> usize {
        self.slot
            .byte_pieces()
            .iter()
            .map(|piece| piece.len())
            .sum()
    }
}

impl Prompt {
    /// How many elements there are, stand-ins included.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The elements in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = PromptItem<'_>> + ExactSizeIterator {
        self.slots.iter().map(|slot| PromptItem { slot })
    }

    /// The element at `idx`. Cost: O(log n).
    pub fn get(&self, idx: usize) -> Option<PromptItem<'_>> {
        self.slots.get(idx).map(|slot| PromptItem { slot })
    }

    /// How many bytes the whole JSON array has. Cost: O(1).
    pub fn len_bytes(&self) -> u64 {
        let items = self.slots.last().map_or(0, |slot| slot.end);
        items + 2 + (self.slots.len() as u64).saturating_sub(1)
    }

    /// The JSON array as chunks, none of them empty, for vectored writes. Nothing is copied.
    pub fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        let open: &[u8] = b"[";
        let close: &[u8] = b"]";
        let items = self.slots.iter().enumerate().flat_map(|(idx, slot)| {
            let comma: &[u8] = if idx == 0 { b"" } else { b"," };
            let [head, tail] = slot.byte_pieces();
            [comma, head, tail]
                .into_iter()
                .filter(|piece| !piece.is_empty())
        });
        std::iter::once(open)
            .chain(items)
            .chain(std::iter::once(close))
    }

    /// Writes the JSON array.
    ///
    /// # Errors
    ///
    /// What the writer returns.
    pub fn write_to<W: Write>(&self, mut writer: W) -> io::Result<()> {
        self.chunks().try_for_each(|chunk| writer.write_all(chunk))
    }

    /// The JSON array as bytes. Cost: one allocation and one copy.
    pub fn to_vec(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(usize::try_from(self.len_bytes()).unwrap_or(0));
        self.chunks().for_each(|chunk| out.extend_from_slice(chunk));
        out
    }

    /// The options that it was made with.
    pub const fn options(&self) -> PromptOptions {
        self.options
    }

    /// The version of the history that it was made from.
    pub const fn version(&self) -> HistoryVersion {
        self.version
    }

    /// What it shows otherwise than the history holds it, by position.
    ///
    /// Cost: O(r log r) for r repairs, whatever the length of the prompt.
    pub fn repairs(&self) -> Vec<Repair> {
        let bad = |at: u32| self.repairs.contains(&(at, RepairKind::BadCall));
        let open = self.pairing.open_calls().filter(|at| !bad(*at));
        let mut all: Vec<(u32, RepairKind)> = self.repairs.iter().copied().collect();
        all.extend(open.map(|at| (at, RepairKind::StandIn)));
        all.sort_unstable();
        all.into_iter()
            .map(|(at, kind)| Repair {
                at: at as usize,
                kind,
            })
            .collect()
    }

    /// The digest of the first `n_items` elements as hex digits; `None` if there are fewer.
    ///
    /// Equal digests mean equal bytes up to the same boundary, accidents of 2⁻¹²⁸ aside. They may be
    /// stored: the same bytes have the same digest in every process.
    pub fn digest(&self, n_items: usize) -> Option<String> {
        self.digest_at(n_items).map(|digest| digest.to_string())
    }

    fn digest_at(&self, n_items: usize) -> Option<Digest> {
        match n_items.checked_sub(1) {
            None => Some(Digest::default()),
            Some(last) => self.slots.get(last).map(|slot| slot.digest),
        }
    }

    /// How many bytes the first `n_items` elements have.
    fn bytes_at(&self, n_items: usize) -> u64 {
        n_items
            .checked_sub(1)
            .and_then(|last| self.slots.get(last))
            .map_or(0, |slot| slot.end)
    }

    /// Says whether `earlier` is a byte prefix of this prompt, and if not, from where and why.
    ///
    /// Cost: O(log n).
    pub fn compare(&self, earlier: &Self) -> PrefixReport {
        let shorter = self.len().min(earlier.len());
        let same = |n_items: usize| self.digest_at(n_items) == earlier.digest_at(n_items);
        let same_items = if same(shorter) {
            shorter
        } else {
            // The greatest count at which both agree: digests are chained, so agreement is monotone.
            let (mut low, mut high) = (0, shorter);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if same(middle) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            low
        };
        let same_bytes = self.bytes_at(same_items);
        let divergence = (same_items < earlier.len()).then(|| Divergence {
            item_idx: same_items,
            byte_offset: same_bytes,
            cause: self.cause_against(earlier, same_items),
        });
        PrefixReport {
            same_items,
            same_bytes,
            divergence,
        }
    }

    fn cause_against(&self, earlier: &Self, idx: usize) -> DivergenceCause {
        if self.options != earlier.options {
            return DivergenceCause::Options;
        }
        if self.version != earlier.version {
            return match self.rewrite {
                Some(Rewrite::Compaction) => DivergenceCause::Compaction,
                Some(Rewrite::Rollback) => DivergenceCause::Rollback,
                None => DivergenceCause::Foreign,
            };
        }
        if earlier.slots.get(idx).is_some_and(|slot| slot.is_stand_in) {
            DivergenceCause::LateOutput
        } else {
            DivergenceCause::Foreign
        }
    }
}
