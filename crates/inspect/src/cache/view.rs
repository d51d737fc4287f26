//! The input of the last request, item by item, kept up to date at the cost of what changed.

use annals_history::Slot;

use super::{Break, ItemBrief};
use crate::context::STAND_IN_TOKENS;
use crate::part::{Origin, Shares};
use crate::session::TracedReplay;
use crate::traced::Traced;

/// What a stand-in's bytes come to, its call id aside.
const STAND_IN_BYTES: u32 = 120;

/// One item of an input.
#[derive(Debug, Clone)]
struct Shown {
    /// The item at whose place it is shown.
    anchor: usize,
    digest: u64,
    bytes: u32,
    line: u64,
    is_stand_in: bool,
    shares: Shares,
}

impl Shown {
    fn of(slot: &Slot<'_, Traced>) -> Self {
        match slot {
            Slot::Item { at, body, .. } => Self {
                anchor: *at,
                digest: body.digest,
                bytes: body.bytes,
                line: body.line,
                is_stand_in: false,
                shares: body.shares.clone(),
            },
            Slot::StandIn { call, body, .. } => Self {
                anchor: *call,
                digest: !body.digest,
                bytes: STAND_IN_BYTES,
                line: 0,
                is_stand_in: true,
                shares: Shares::One(Origin::Outputs, crate::part::small(STAND_IN_TOKENS)),
            },
        }
    }

    fn tokens(&self) -> u64 {
        self.shares.tokens()
    }

    fn brief(&self) -> ItemBrief {
        let largest = self.shares.iter().max_by_key(|(_, tokens)| *tokens);
        ItemBrief {
            origin: largest.map_or(Origin::Other, |(origin, _)| origin),
            tokens: self.tokens(),
            line: self.line,
        }
    }
}

/// What a request has in common with the one before.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Seen {
    pub(super) same_items: usize,
    pub(super) same_bytes: u64,
    pub(super) same_tokens: u64,
    pub(super) divergence: Option<Break>,
    /// Whether an output that stood in for another one is the first thing that changed.
    pub(super) was_stand_in: bool,
}

/// The input of the last request.
#[derive(Debug, Clone, Default)]
pub(crate) struct View {
    shown: Vec<Shown>,
    bytes: u64,
    by_origin: [u64; Origin::ALL.len()],
}

impl View {
    pub(crate) fn len(&self) -> usize {
        self.shown.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn tokens(&self) -> u64 {
        self.by_origin.iter().sum()
    }

    pub(crate) fn origins(&self) -> Vec<u64> {
        self.by_origin.to_vec()
    }

    /// Brings the view up to date, and says what stayed. Cost: O(what changed).
    pub(super) fn refresh(&mut self, replay: &mut TracedReplay) -> Seen {
        let from = replay.take_first_changed();
        let mut gone = Vec::new();
        while self.shown.last().is_some_and(|shown| shown.anchor >= from) {
            if let Some(shown) = self.shown.pop() {
                self.count(&shown, /*sign*/ false);
                gone.push(shown);
            }
        }
        gone.reverse();
        let mut seen = Seen {
            same_items: self.shown.len(),
            same_bytes: self.bytes,
            same_tokens: self.tokens(),
            ..Seen::default()
        };
        let mut is_same = true;
        let mut anchor = from;
        let mut before = gone.into_iter();
        for slot in replay.ledger().slots_since(from) {
            let mut shown = Shown::of(&slot);
            // An output that came before its call is shown at the call's place.
            anchor = anchor.max(shown.anchor);
            shown.anchor = anchor;
            if is_same && let Some(old) = before.next() {
                if old.digest == shown.digest {
                    seen.same_items += 1;
                    seen.same_bytes += u64::from(shown.bytes);
                    seen.same_tokens += shown.tokens();
                } else {
                    is_same = false;
                    seen.was_stand_in = old.is_stand_in;
                    seen.divergence = Some(Break {
                        item_idx: seen.same_items,
                        byte_offset: seen.same_bytes,
                        before: Some(old.brief()),
                        now: Some(shown.brief()),
                    });
                }
            }
            self.count(&shown, /*sign*/ true);
            self.shown.push(shown);
        }
        if is_same && let Some(old) = before.next() {
            seen.divergence = Some(Break {
                item_idx: seen.same_items,
                byte_offset: seen.same_bytes,
                before: Some(old.brief()),
                now: None,
            });
        }
        seen
    }

    fn count(&mut self, shown: &Shown, more: bool) {
        for (origin, tokens) in shown.shares.iter() {
            if let Some(sum) = self.by_origin.get_mut(origin as usize) {
                *sum = if more {
                    sum.saturating_add(tokens)
                } else {
                    sum.saturating_sub(tokens)
                };
            }
        }
        let bytes = u64::from(shown.bytes);
        self.bytes = if more {
            self.bytes.saturating_add(bytes)
        } else {
            self.bytes.saturating_sub(bytes)
        };
    }
}
