//! The order in which a prompt shows the items of a ledger.

use std::fmt;

use super::{Fate, Ledger};
use crate::facts::ItemFacts;

/// One element of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot<'a, B> {
    /// An item of the history.
    Item {
        /// Its index in the history.
        at: usize,
        /// Its facts.
        facts: &'a ItemFacts,
        /// Its body.
        body: &'a B,
    },
    /// The output that stands in for the one a call never had.
    StandIn {
        /// The call's index in the history.
        call: usize,
        /// The call's facts.
        facts: &'a ItemFacts,
        /// The call's body.
        body: &'a B,
        /// How often the call's id was used before.
        used_before: u32,
    },
}

/// Iterator over the elements of a prompt; made by [`Ledger::slots`].
#[derive(Clone)]
pub struct Slots<'a, B: Clone> {
    ledger: &'a Ledger<B>,
    /// Walks from the start. A walk from further on looks each entry up: skipping to it would
    /// cost what lies before it.
    entries: Option<imbl::vector::Iter<'a, super::Entry<B>, imbl::shared_ptr::DefaultSharedPtr>>,
    /// The index of the entry that comes next.
    next: usize,
    /// What follows the item just yielded.
    pending: Option<Slot<'a, B>>,
}

impl<B: Clone> fmt::Debug for Slots<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slots")
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

impl<B: Clone> Ledger<B> {
    /// What a prompt shows, in order.
    ///
    /// Cost: O(1) an element.
    pub fn slots(&self) -> Slots<'_, B> {
        self.slots_from(0)
    }

    /// What a prompt shows from the item `at` on; nothing if there is no such item.
    ///
    /// Cost: O(log n), and O(1) an element.
    pub fn slots_since(&self, at: usize) -> Slots<'_, B> {
        self.slots_from(u32::try_from(at).unwrap_or(u32::MAX))
    }

    /// What a prompt shows from the item `at` on.
    pub(crate) fn slots_from(&self, at: u32) -> Slots<'_, B> {
        let entries = (at == 0).then(|| self.window.entries.iter());
        Slots {
            ledger: self,
            entries,
            next: at as usize,
            pending: None,
        }
    }
}

impl<'a, B: Clone> Iterator for Slots<'a, B> {
    type Item = Slot<'a, B>;

    fn next(&mut self) -> Option<Slot<'a, B>> {
        if let Some(pending) = self.pending.take() {
            return Some(pending);
        }
        loop {
            let entry = match &mut self.entries {
                Some(entries) => entries.next()?,
                None => self.ledger.window.entries.get(self.next)?,
            };
            let at = self.next;
            self.next += 1;
            let (facts, body) = (&entry.facts, &entry.body);
            match entry.fate {
                Fate::Shown => {}
                Fate::Open => {
                    let used_before = entry.used_before;
                    self.pending = Some(Slot::StandIn {
                        call: at,
                        facts,
                        body,
                        used_before,
                    });
                }
                Fate::Joined => {
                    let output = entry.link as usize;
                    self.pending = self
                        .ledger
                        .window
                        .entries
                        .get(output)
                        .map(|moved| Slot::Item {
                            at: output,
                            facts: &moved.facts,
                            body: &moved.body,
                        });
                }
                Fate::Moved | Fate::Held | Fate::Waiting(_) | Fate::Hidden(_) => continue,
            }
            return Some(Slot::Item { at, facts, body });
        }
    }
}
