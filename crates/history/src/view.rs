//! A prompt kept up to date as items arrive: what is settled is never looked at again.

use annals_protocol::RawJson;
use imbl::Vector;

use crate::body::ItemEnvelope;
use crate::ledger::{Ledger, Slot};
use crate::options::PromptOptions;
use crate::prefix::Digest;
use crate::prompt::PromptSlot;
use crate::render::{Rendered, render_item};
use crate::stand_in::stand_in;

/// The elements of a prompt made with one set of options.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub(crate) options: PromptOptions,
    pub(crate) slots: Vector<PromptSlot>,
    /// The first item of the history whose elements are not up to date.
    pub(crate) stale_from: u32,
}

impl View {
    pub(crate) fn new(options: PromptOptions) -> Self {
        Self {
            options,
            slots: Vector::new(),
            stale_from: 0,
        }
    }

    /// Brings the view up to date. Cost: O(what is stale).
    pub(crate) fn refresh(&mut self, ledger: &Ledger<ItemEnvelope>) {
        let from = self.stale_from;
        while self.slots.last().is_some_and(|slot| slot.anchor >= from) {
            let _stale = self.slots.pop_back();
        }
        let (mut end, mut digest) = self
            .slots
            .last()
            .map_or((0, Digest::default()), |slot| (slot.end, slot.digest));
        let mut anchor = from;
        for slot in ledger.slots_from(from) {
            let shown = shown(&slot, self.options);
            let at = position(&slot);
            // Only an output that came before its call goes back: it is shown at the call's place.
            anchor = anchor.max(at);
            let mut next = PromptSlot {
                text: shown.0,
                cut: shown.1,
                at,
                anchor,
                is_stand_in: matches!(slot, Slot::StandIn { .. }),
                end,
                digest,
            };
            let pieces = next.pieces();
            end += pieces.iter().map(|piece| piece.len() as u64).sum::<u64>();
            digest = digest.then(pieces);
            (next.end, next.digest) = (end, digest);
            self.slots.push_back(next);
        }
        self.stale_from = u32::try_from(ledger.len()).unwrap_or(u32::MAX);
    }
}

fn position(slot: &Slot<'_, ItemEnvelope>) -> u32 {
    let (Slot::Item { at, .. } | Slot::StandIn { call: at, .. }) = slot;
    u32::try_from(*at).unwrap_or(u32::MAX)
}

/// The text of a slot and the stretch of it that is left out.
fn shown(slot: &Slot<'_, ItemEnvelope>, options: PromptOptions) -> (RawJson, (u32, u32)) {
    match slot {
        Slot::Item { facts, body, .. } => {
            match render_item(body.raw().as_str(), facts, options) {
                Rendered::Own(_, cut) => {
                    let end = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
                    // An empty cut stands at the end, so that the item is one piece.
                    let cut = if cut.is_empty() {
                        let len = end(body.raw().len_bytes());
                        (len, len)
                    } else {
                        (end(cut.start), end(cut.end))
                    };
                    (body.raw().clone(), cut)
                }
                Rendered::Changed(text) => whole(text, body.raw()),
            }
        }
        Slot::StandIn {
            facts,
            body,
            used_before,
            ..
        } => {
            let text = stand_in(body.raw().as_str(), facts, *used_before, options);
            whole(text, body.raw())
        }
    }
}

/// A text that was put together from valid JSON; the item itself, should it ever not be JSON.
fn whole(text: String, item: &RawJson) -> (RawJson, (u32, u32)) {
    let raw = RawJson::parse(text).unwrap_or_else(|_| item.clone());
    let len = u32::try_from(raw.len_bytes()).unwrap_or(u32::MAX);
    (raw, (len, len))
}
