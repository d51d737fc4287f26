//! The input of a compaction: the whole prompt and an instruction, or as much as there is room for.

use std::collections::BTreeMap;

use annals_context_fragments::TruncationBudget;
use annals_protocol::RawJson;
use imbl::Vector;

use crate::estimate::estimate_item_tokens;
use crate::facts::{ItemFacts, Part};
use crate::manager::ContextManager;
use crate::options::PromptOptions;
use crate::prefix::Digest;
use crate::prompt::{Prompt, PromptSlot};
use crate::truncation::{cut_message, cut_output};

/// The input of a compaction.
#[derive(Debug, Clone)]
#[non_exhaustive]
#[must_use = "a prompt is for sending"]
pub struct CompactionPrompt {
    /// What is sent; its last element is the instruction.
    pub prompt: Prompt,
    /// How many elements were left out at the oldest end.
    pub dropped_items: usize,
    /// Whether the only element left had to be shortened.
    pub is_shortened: bool,
}

impl ContextManager {
    /// The input of a compaction: what any prompt made with `options` shows, then `instruction`.
    ///
    /// As long as all of it fits, a prompt made with the same options is a byte prefix of it, so that
    /// a provider's cache is used. Where it is more than `limit_tokens` (estimated), the oldest
    /// elements are left out, each with its other half, until the rest fits; a single element that
    /// is too large is shortened. It never fails for size alone. The history stays as it is.
    ///
    /// Cost: as [`for_prompt`](Self::for_prompt), and one pass over the prompt if there is a limit.
    pub fn for_compaction(
        &mut self,
        options: PromptOptions,
        instruction: &RawJson,
        limit_tokens: Option<u64>,
    ) -> CompactionPrompt {
        let mut prompt = self.for_prompt(options);
        let mut dropped_items = 0;
        let mut is_shortened = false;
        if let Some(limit) = limit_tokens {
            let room = limit.saturating_sub(estimate_item_tokens(instruction));
            let mut fitting = Fitting::new(self, &prompt, room);
            fitting.drop_oldest();
            dropped_items = fitting.n_dropped;
            if dropped_items > 0 || fitting.total > room {
                let (slots, shortened) = fitting.into_slots(&prompt);
                prompt.slots = slots;
                is_shortened = shortened;
            }
        }
        push(&mut prompt.slots, whole(instruction, u32::MAX));
        CompactionPrompt {
            prompt,
            dropped_items,
            is_shortened,
        }
    }
}

/// The elements of a prompt and which of them fit.
struct Fitting {
    costs: Vec<u64>,
    /// For each element the item of the history that it shows, and that item's other half.
    items: Vec<[Option<u32>; 2]>,
    /// The elements that show an item of the history.
    places: BTreeMap<u32, Vec<usize>>,
    kept: Vec<bool>,
    n_dropped: usize,
    total: u64,
    room: u64,
}

impl Fitting {
    fn new(history: &ContextManager, prompt: &Prompt, room: u64) -> Self {
        let costs: Vec<u64> = prompt
            .slots
            .iter()
            .map(|slot| estimate_item_tokens(&slot.text))
            .collect();
        let mut places: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (idx, slot) in prompt.slots.iter().enumerate() {
            places.entry(slot.at).or_default().push(idx);
        }
        let entries = &history.ledger().window.entries;
        let items = prompt
            .slots
            .iter()
            .map(|slot| {
                let entry = entries.get(slot.at as usize);
                let paired = entry.filter(|entry| entry.facts.part() != Part::Neither);
                [Some(slot.at), paired.map(|entry| entry.link)]
            })
            .collect();
        let total = costs.iter().sum();
        let kept = vec![true; costs.len()];
        Self {
            costs,
            items,
            places,
            kept,
            n_dropped: 0,
            total,
            room,
        }
    }

    /// Leaves out the oldest, each with its other half, while more than one is left.
    fn drop_oldest(&mut self) {
        for idx in 0..self.costs.len() {
            if self.total <= self.room || self.kept.len() - self.n_dropped <= 1 {
                return;
            }
            let pair = self.items.get(idx).copied().unwrap_or_default();
            for at in pair.into_iter().flatten() {
                for other in self.places.get(&at).cloned().unwrap_or_default() {
                    self.drop_one(other);
                }
            }
        }
    }

    fn drop_one(&mut self, idx: usize) {
        if let (Some(kept), Some(cost)) = (self.kept.get_mut(idx), self.costs.get(idx))
            && *kept
        {
            *kept = false;
            self.n_dropped += 1;
            self.total = self.total.saturating_sub(*cost);
        }
    }

    /// The elements that are left, chained anew, and whether the only one was shortened.
    fn into_slots(self, prompt: &Prompt) -> (Vector<PromptSlot>, bool) {
        let is_too_large = self.total > self.room;
        let mut slots = Vector::new();
        let mut shortened = false;
        for (slot, kept) in prompt.slots.iter().zip(&self.kept) {
            if !kept {
                continue;
            }
            if !is_too_large {
                push(&mut slots, slot.clone());
            } else if let Some(text) = shortened_item(&slot.text, self.room) {
                shortened = true;
                push(&mut slots, whole(&text, slot.at));
            }
        }
        (slots, shortened)
    }
}

/// One item within so many tokens; `None` if nothing of it can be left.
fn shortened_item(item: &RawJson, tokens: u64) -> Option<RawJson> {
    let text = item.as_str();
    let facts = ItemFacts::scan(text);
    let cut = cut_output(text, &facts, TruncationBudget::Tokens(tokens))
        .or_else(|| cut_message(text, &facts, tokens))?;
    RawJson::parse(cut).ok()
}

fn whole(item: &RawJson, at: u32) -> PromptSlot {
    let len = u32::try_from(item.len_bytes()).unwrap_or(u32::MAX);
    PromptSlot {
        text: item.clone(),
        cut: (len, len),
        at,
        anchor: at,
        is_stand_in: false,
        end: 0,
        digest: Digest::default(),
    }
}

/// Adds an element behind the others and brings its sums up to date.
fn push(slots: &mut Vector<PromptSlot>, mut slot: PromptSlot) {
    let (end, digest) = slots
        .last()
        .map_or((0, Digest::default()), |last| (last.end, last.digest));
    let pieces = slot.pieces();
    let len: u64 = pieces.iter().map(|piece| piece.len() as u64).sum();
    let digest = digest.then(pieces);
    slot.end = end + len;
    slot.digest = digest;
    slots.push_back(slot);
}
