//! Everything that was recorded and not rolled back, compactions notwithstanding.

use super::{Entry, Ledger, NOWHERE, Window};
use crate::facts::{ItemFacts, Part};
use crate::flags::ItemFlags;

/// One entry of a transcript.
#[derive(Debug, Clone, Copy)]
pub enum TranscriptEntry<'a, B> {
    /// An item; an output is told with its call and not by itself.
    Item {
        /// The item's facts.
        facts: &'a ItemFacts,
        /// The item's body.
        body: &'a B,
        /// For a call: the output that answers it.
        output: Option<(&'a ItemFacts, &'a B)>,
    },
    /// A compaction, and the summary that it left.
    Compaction {
        /// The summary's body; `None` if the compaction left none that can be told from the rest.
        summary: Option<&'a B>,
    },
}

impl<B: Clone> Ledger<B> {
    /// What was recorded, oldest first: what a compaction replaced stands in its own place, and what
    /// it put there does not.
    ///
    /// Originals that were [forgotten](Self::forget_originals) are missing; the first window's own
    /// items stand for them.
    pub fn transcript(&self) -> impl Iterator<Item = TranscriptEntry<'_, B>> {
        let earlier = self.earlier.iter().map(AsRef::as_ref);
        earlier
            .chain(std::iter::once(&self.window))
            .enumerate()
            .flat_map(|(idx, window)| {
                let is_first = idx == 0;
                let has_replaced = window.replaced > 0 || !is_first;
                let compaction = has_replaced.then(|| TranscriptEntry::Compaction {
                    summary: summary_of(window),
                });
                let start = if is_first {
                    0
                } else {
                    window.replaced as usize
                };
                let own = window.entries.iter().skip(start);
                compaction
                    .into_iter()
                    .chain(own.filter_map(|entry| item_of(window, entry)))
            })
    }
}

fn summary_of<B: Clone>(window: &Window<B>) -> Option<&B> {
    window
        .entries
        .iter()
        .take(window.replaced as usize)
        .rev()
        .find(|entry| entry.facts.flags.has(ItemFlags::SUMMARY))
        .map(|entry| &entry.body)
}

fn item_of<'a, B: Clone>(
    window: &'a Window<B>,
    entry: &'a Entry<B>,
) -> Option<TranscriptEntry<'a, B>> {
    let part = entry.facts.part();
    if matches!(part, Part::Output(_)) && entry.link != NOWHERE {
        return None;
    }
    if entry.facts.flags.has(ItemFlags::SUMMARY) {
        return None;
    }
    let output = match part {
        Part::Call(_) => window.entries.get(entry.link as usize),
        _ => None,
    };
    Some(TranscriptEntry::Item {
        facts: &entry.facts,
        body: &entry.body,
        output: output.map(|output| (&output.facts, &output.body)),
    })
}
