//! Which calls wait for an output and which outputs wait for a call, by position.

use imbl::{OrdMap, Vector};

use crate::facts::{CallFamily, CallKey};

type Key = (CallFamily, CallKey);

/// The open ends of a history: everything that a later item may still pair up with.
///
/// What is answered leaves it, so that its size is that of the open ends, not of the history; only
/// the count of used call ids grows, by a few bytes a call. A clone copies nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pairing {
    /// Calls without an output, oldest first.
    open: OrdMap<Key, Vector<u32>>,
    /// Outputs of this turn that came before their call, oldest first.
    early: OrdMap<Key, Vector<u32>>,
    /// How often each call id was used; for ids of stand-ins only, so 64 bits are plenty.
    used: OrdMap<CallKey, u32>,
}

impl Pairing {
    /// Ends the turn: outputs that came before their call are orphans from here on.
    pub(crate) fn end_turn(&mut self) {
        if !self.early.is_empty() {
            self.early = OrdMap::new();
        }
    }

    /// Counts a use of a call id; says how many there were before.
    pub(crate) fn count_use(&mut self, key: CallKey) -> u32 {
        // Nearly every id is new, and then one way down the tree is enough.
        let Some(used) = self.used.insert(key, 1) else {
            return 0;
        };
        self.used.insert(key, used.saturating_add(1));
        used
    }

    /// Takes a use back.
    pub(crate) fn uncount_use(&mut self, key: CallKey) {
        match self.used.get(&key).copied() {
            Some(used) if used > 1 => {
                self.used.insert(key, used - 1);
            }
            _ => {
                self.used.remove(&key);
            }
        }
    }

    /// Whether any call has used this id.
    pub(crate) fn was_used(&self, key: CallKey) -> bool {
        self.used.contains_key(&key)
    }

    /// Notes a call that has no output yet.
    pub(crate) fn open(&mut self, family: CallFamily, key: CallKey, at: u32) {
        insert_sorted(&mut self.open, (family, key), at);
    }

    /// The call that stands nearest before now and waits for an output, taken off the list.
    pub(crate) fn take_open(&mut self, family: CallFamily, key: CallKey) -> Option<u32> {
        take(&mut self.open, (family, key), End::Newest)
    }

    /// Forgets that the call at `at` waits.
    pub(crate) fn close(&mut self, family: CallFamily, key: CallKey, at: u32) {
        remove(&mut self.open, (family, key), at);
    }

    /// Notes an output that has no call yet.
    pub(crate) fn wait(&mut self, family: CallFamily, key: CallKey, at: u32) {
        insert_sorted(&mut self.early, (family, key), at);
    }

    /// The oldest output of this turn that waits for such a call, taken off the list.
    pub(crate) fn take_early(&mut self, family: CallFamily, key: CallKey) -> Option<u32> {
        take(&mut self.early, (family, key), End::Oldest)
    }

    /// The positions of all calls that wait for an output, in no particular order.
    pub(crate) fn open_calls(&self) -> impl Iterator<Item = u32> + '_ {
        self.open.values().flat_map(|list| list.iter().copied())
    }
}

#[derive(Clone, Copy)]
enum End {
    Oldest,
    Newest,
}

fn insert_sorted(map: &mut OrdMap<Key, Vector<u32>>, key: Key, at: u32) {
    let list = map.entry(key).or_default();
    // Nearly always the newest of all: a search is needed only when a rollback opens a call again.
    let place = match list.last() {
        Some(last) if *last > at => list.binary_search(&at).unwrap_or_else(|place| place),
        _ => list.len(),
    };
    list.insert(place, at);
}

fn take(map: &mut OrdMap<Key, Vector<u32>>, key: Key, end: End) -> Option<u32> {
    let list = map.get_mut(&key)?;
    let taken = match end {
        End::Oldest => list.pop_front(),
        End::Newest => list.pop_back(),
    };
    if list.is_empty() {
        map.remove(&key);
    }
    taken
}

fn remove(map: &mut OrdMap<Key, Vector<u32>>, key: Key, at: u32) {
    let Some(list) = map.get_mut(&key) else {
        return;
    };
    if let Ok(place) = list.binary_search(&at) {
        list.remove(place);
    }
    if list.is_empty() {
        map.remove(&key);
    }
}
