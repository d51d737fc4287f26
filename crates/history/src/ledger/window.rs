//! What a ledger holds since the last compaction.

use std::sync::Arc;

use imbl::{OrdSet, Vector};

use crate::facts::ItemFacts;
use crate::pairing::Pairing;
use crate::repair::RepairKind;
use crate::state::ThreadState;

/// No item: positions end below it.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// One item of a ledger: its facts, its body, and what became of it so far.
#[derive(Debug, Clone)]
pub(crate) struct Entry<B> {
    pub(crate) facts: ItemFacts,
    /// A call's output, or an output's call.
    pub(crate) link: u32,
    /// How often a call's id was used before.
    pub(crate) used_before: u32,
    pub(crate) fate: Fate,
    pub(crate) body: B,
}

/// How the prompt shows an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// In its own place.
    Shown,
    /// A call without an output: a stand-in follows it.
    Open,
    /// A call whose output came first: the output follows it.
    Joined,
    /// Behind its call, which came later.
    Moved,
    /// Not yet: a reasoning item waits for what follows it.
    Held,
    /// An output that waits for its call, or will never have one.
    Waiting(RepairKind),
    /// Not at all.
    Hidden(RepairKind),
}

/// Where a turn starts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn {
    /// The item that starts it.
    pub(crate) at: u32,
    /// The mark of its beginning, [`NOWHERE`] if none was made.
    pub(crate) mark: u32,
}

/// The mark of a turn that began before the compaction that this window starts with.
pub(crate) const BEGAN_EARLIER: u32 = NOWHERE - 1;

/// A point at which the state changed or a turn began.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    /// How many items there were.
    pub(crate) at: u32,
    /// The state from here on.
    pub(crate) state: Arc<ThreadState>,
}

/// What the prompt is made from since the last compaction.
#[derive(Debug, Clone)]
pub(crate) struct Window<B: Clone> {
    pub(crate) entries: Vector<Entry<B>>,
    pub(crate) pairing: Pairing,
    /// Reasoning items that wait for what follows them.
    pub(crate) held: Vector<u32>,
    pub(crate) turns: Vector<Turn>,
    pub(crate) marks: Vector<Mark>,
    /// The state that the window started with.
    pub(crate) first_state: Arc<ThreadState>,
    pub(crate) state: Arc<ThreadState>,
    /// The mark of a turn that has begun, but that no item has started yet.
    pub(crate) begun: u32,
    /// How many items the compaction put in place, and how many turns start among them.
    pub(crate) replaced: u32,
    pub(crate) replaced_turns: usize,
    /// How many turns stand in the windows before this one.
    pub(crate) turns_before: usize,
    pub(crate) repairs: OrdSet<(u32, RepairKind)>,
}

impl<B: Clone> Window<B> {
    pub(crate) fn new(state: Arc<ThreadState>) -> Self {
        Self {
            entries: Vector::new(),
            pairing: Pairing::default(),
            held: Vector::new(),
            turns: Vector::new(),
            marks: Vector::new(),
            first_state: Arc::clone(&state),
            state,
            begun: NOWHERE,
            replaced: 0,
            replaced_turns: 0,
            turns_before: 0,
            repairs: OrdSet::new(),
        }
    }

    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(NOWHERE)
    }
}
