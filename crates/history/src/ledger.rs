//! The rules of a history, decided item by item from facts; what an item holds is its owner's business.
//!
//! One implementation serves a live history, whose items are in memory, and a replay that knows
//! only where in a file each item stands: both are a [`Ledger`], over another body.

use std::sync::Arc;

use imbl::Vector;

use crate::facts::{ItemFacts, Part};
use crate::flags::ItemFlags;
use crate::repair::{Repair, RepairKind};
use crate::state::ThreadState;
use annals_protocol::ItemType;

mod cut;
mod slots;
mod transcript;
mod window;

pub use cut::{Rollback, RollbackStyle};
pub use slots::{Slot, Slots};
pub use transcript::TranscriptEntry;
pub(crate) use window::{BEGAN_EARLIER, Entry, Fate, Mark, NOWHERE, Turn, Window};

/// A history as far as its rules go: items by their facts, over bodies of any kind.
///
/// # Bounds and cost
///
/// `push` costs O(log n) and allocates for the item alone; a clone copies nothing. The windows
/// before the last compaction are kept, so that a rollback past it brings the originals back;
/// [`forget_originals`](Self::forget_originals) lets go of them.
///
/// # Example
///
/// ```
/// use annals_history::{ItemFacts, Ledger, Slot};
///
/// let call = r#"{"type":"function_call","name":"ls","arguments":"{}","call_id":"c1"}"#;
/// let mut ledger: Ledger<&str> = Ledger::default();
/// ledger.push(ItemFacts::scan(call), call);
/// let slots: Vec<_> = ledger.slots().collect();
/// assert!(matches!(slots[..], [Slot::Item { at: 0, .. }, Slot::StandIn { call: 0, .. }]));
/// ```
#[derive(Debug, Clone)]
pub struct Ledger<B: Clone> {
    pub(crate) window: Window<B>,
    /// What stood before each compaction, oldest first. A flat list, so that dropping it never recurses.
    pub(crate) earlier: Vector<Arc<Window<B>>>,
    /// The first item whose showing changed since somebody asked.
    pub(crate) changed: u32,
    pub(crate) style: RollbackStyle,
}

impl<B: Clone> Default for Ledger<B> {
    fn default() -> Self {
        Self {
            window: Window::new(Arc::default()),
            earlier: Vector::new(),
            changed: 0,
            style: RollbackStyle::default(),
        }
    }
}

impl<B: Clone> Ledger<B> {
    /// How many items there are since the last compaction, what it put in place included.
    pub fn len(&self) -> usize {
        self.window.entries.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.window.entries.is_empty()
    }

    /// The facts of one item.
    pub fn facts(&self, at: usize) -> Option<&ItemFacts> {
        self.window.entries.get(at).map(|entry| &entry.facts)
    }

    /// The body of one item.
    pub fn body(&self, at: usize) -> Option<&B> {
        self.window.entries.get(at).map(|entry| &entry.body)
    }

    /// Facts and bodies of all items, oldest first, those included that no prompt shows.
    pub fn items(&self) -> impl DoubleEndedIterator<Item = (&ItemFacts, &B)> + ExactSizeIterator {
        self.window
            .entries
            .iter()
            .map(|entry| (&entry.facts, &entry.body))
    }

    /// How many turns there are, those before compactions included.
    pub fn turns(&self) -> usize {
        self.window.turns_before + self.own_turns()
    }

    /// The indexes of the items at which turns start since the last compaction.
    pub fn turn_starts(&self) -> impl Iterator<Item = usize> + '_ {
        self.window.turns.iter().map(|turn| turn.at as usize)
    }

    /// What holds now beside the items.
    pub fn state(&self) -> &ThreadState {
        &self.window.state
    }

    /// How a rollback treats the context of the turns that it drops.
    pub fn set_rollback_style(&mut self, style: RollbackStyle) {
        self.style = style;
    }

    /// Lets go of what stood before the last compaction.
    ///
    /// A rollback that reaches past it afterwards cuts in what the compaction put in place.
    pub fn forget_originals(&mut self) {
        self.earlier = Vector::new();
        self.window.turns_before = 0;
        self.window.replaced_turns = 0;
    }

    /// The repairs that the prompt makes, by position.
    pub fn repairs(&self) -> Vec<Repair> {
        let mut all: Vec<(u32, RepairKind)> = self.window.repairs.iter().copied().collect();
        let unanswered = |at: &u32| {
            self.window
                .entries
                .get(*at as usize)
                .is_some_and(|entry| entry.fate == Fate::Open)
        };
        all.extend(
            self.window
                .pairing
                .open_calls()
                .filter(unanswered)
                .map(|at| (at, RepairKind::StandIn)),
        );
        all.sort_unstable();
        all.into_iter()
            .map(|(at, kind)| Repair {
                at: at as usize,
                kind,
            })
            .collect()
    }

    /// Adds one item.
    pub fn push(&mut self, facts: ItemFacts, body: B) {
        self.add(facts, body, /*replaced*/ false);
    }

    /// Notes that a turn begins, before its context and its first item are added.
    ///
    /// A rollback of the turn then also takes back what changed between here and its first item.
    pub fn begin_turn(&mut self) {
        self.window.begun = u32::try_from(self.window.marks.len()).unwrap_or(NOWHERE);
        let state = Arc::clone(&self.window.state);
        self.window.marks.push_back(Mark {
            at: self.window.len(),
            state,
        });
    }

    /// Notes that a turn starts here whose first item nobody recorded.
    ///
    /// An item that starts a turn and comes next is that item.
    pub fn start_turn(&mut self) {
        self.window.pairing.end_turn();
        self.start_turn_at(self.window.len(), /*replaced*/ false);
    }

    /// Sets what holds from here on.
    pub fn set_state(&mut self, state: ThreadState) {
        if *self.window.state == state {
            return;
        }
        let state = Arc::new(state);
        self.window.state = Arc::clone(&state);
        self.window.marks.push_back(Mark {
            at: self.window.len(),
            state,
        });
    }

    /// Puts other items in the place of all that there are, as a compaction does.
    pub fn replace<I>(&mut self, items: I, state: ThreadState)
    where
        I: IntoIterator<Item = (ItemFacts, B)>,
    {
        let mut next = Window::new(Arc::new(state));
        next.turns_before = self.turns();
        let has_begun = self.window.begun != NOWHERE;
        let before = std::mem::replace(&mut self.window, next);
        // A history that starts with a compaction has no originals: its turns are what it has.
        let has_originals = !before.entries.is_empty() || !self.earlier.is_empty();
        if has_originals {
            self.earlier.push_back(Arc::new(before));
            self.window.begun = if has_begun { BEGAN_EARLIER } else { NOWHERE };
        }
        self.changed = 0;
        for (facts, body) in items {
            self.add(facts, body, /*replaced*/ true);
        }
        self.window.replaced = self.window.len();
        self.window.replaced_turns = self.window.turns.len();
        if has_begun && !has_originals {
            self.begin_turn();
        }
    }

    /// The first item whose showing changed since the last call, so that what was made from
    /// [`slots`](Self::slots) need only be made anew from there, with
    /// [`slots_since`](Self::slots_since).
    ///
    /// Items are shown in order, but for an output that stood before its call: it is shown at the
    /// call's place.
    pub fn take_first_changed(&mut self) -> usize {
        self.take_changed() as usize
    }

    pub(crate) fn take_changed(&mut self) -> u32 {
        let len = self.window.len();
        std::mem::replace(&mut self.changed, len).min(len)
    }

    /// How many turns start in this window, not counting what a compaction put in place.
    pub(crate) fn own_turns(&self) -> usize {
        if self.earlier.is_empty() {
            self.window.turns.len()
        } else {
            self.window.turns.len() - self.window.replaced_turns
        }
    }

    fn add(&mut self, facts: ItemFacts, body: B, replaced: bool) {
        let at = self.window.len();
        if at >= BEGAN_EARLIER {
            return;
        }
        if facts.flags.has(ItemFlags::BOUNDARY) {
            self.window.pairing.end_turn();
            self.start_turn_at(at, replaced);
        }
        let mut entry = Entry {
            facts,
            link: NOWHERE,
            used_before: 0,
            fate: Fate::Shown,
            body,
        };
        if let Some(kind) = never_shown(&facts) {
            entry.fate = Fate::Hidden(kind);
        } else if facts.item == ItemType::Reasoning {
            entry.fate = Fate::Held;
            self.window.held.push_back(at);
        }
        self.note_part_repairs(at, &entry);
        self.pair(at, &mut entry);
        if let Fate::Hidden(kind) | Fate::Waiting(kind) = entry.fate {
            self.window.repairs.insert((at, kind));
        }
        if matches!(entry.fate, Fate::Shown | Fate::Open | Fate::Joined) {
            self.settle_held(facts.flags.has(ItemFlags::MODEL_MADE));
        }
        self.window.entries.push_back(entry);
    }

    fn note_part_repairs(&mut self, at: u32, entry: &Entry<B>) {
        if matches!(entry.fate, Fate::Hidden(_)) {
            return;
        }
        let flags = entry.facts.flags;
        if flags.has(ItemFlags::EMPTY_PART) {
            self.window.repairs.insert((at, RepairKind::EmptyPart));
        }
        if flags.has(ItemFlags::BAD_MEDIA) {
            self.window.repairs.insert((at, RepairKind::BadImage));
        }
    }

    fn start_turn_at(&mut self, at: u32, replaced: bool) {
        if self.window.turns.last().is_some_and(|turn| turn.at == at) {
            return;
        }
        let mark = if replaced {
            NOWHERE
        } else {
            std::mem::replace(&mut self.window.begun, NOWHERE)
        };
        self.window.turns.push_back(Turn { at, mark });
    }

    /// Pairs a new item with what waits for it, or lets it wait.
    fn pair(&mut self, at: u32, entry: &mut Entry<B>) {
        let usable = !matches!(entry.fate, Fate::Hidden(kind) if kind != RepairKind::BadCall);
        let key = entry.facts.call;
        match entry.facts.part() {
            Part::Call(family) if usable => {
                entry.used_before = self.window.pairing.count_use(key);
                let early = self.window.pairing.take_early(family, key);
                if let Some(output) = early {
                    entry.link = output;
                    if entry.fate == Fate::Shown {
                        entry.fate = Fate::Joined;
                        self.set_fate(output, Fate::Moved, at);
                    } else {
                        self.set_fate(output, Fate::Hidden(RepairKind::BadCallOutput), at);
                    }
                } else {
                    if entry.fate == Fate::Shown {
                        entry.fate = Fate::Open;
                    }
                    self.window.pairing.open(family, key, at);
                }
            }
            Part::Output(family) if usable => {
                if let Some(call) = self.window.pairing.take_open(family, key) {
                    entry.link = call;
                    self.answer(call, at, entry);
                } else if !entry.facts.flags.has(ItemFlags::SERVER_SIDE) {
                    let kind = if self.window.pairing.was_used(key) {
                        RepairKind::DuplicateOutput
                    } else {
                        RepairKind::OrphanOutput
                    };
                    entry.fate = Fate::Waiting(kind);
                    self.window.pairing.wait(family, key, at);
                }
            }
            _ => {}
        }
    }

    /// Gives the call at `call` the output `entry`, which stands behind it.
    fn answer(&mut self, call: u32, at: u32, entry: &mut Entry<B>) {
        let Some(asked) = self.window.entries.get_mut(call as usize) else {
            return;
        };
        asked.link = at;
        if asked.fate == Fate::Open {
            asked.fate = Fate::Shown;
            self.changed = self.changed.min(call);
        } else {
            entry.fate = Fate::Hidden(RepairKind::BadCallOutput);
        }
    }

    /// Changes what becomes of an item that is there already, its repair included.
    pub(crate) fn set_fate(&mut self, at: u32, fate: Fate, link: u32) {
        let Some(entry) = self.window.entries.get_mut(at as usize) else {
            return;
        };
        if let Fate::Hidden(kind) | Fate::Waiting(kind) = entry.fate {
            self.window.repairs.remove(&(at, kind));
        }
        if entry.fate == Fate::Moved {
            self.window.repairs.remove(&(at, RepairKind::OutputMoved));
        }
        entry.fate = fate;
        entry.link = link;
        match fate {
            Fate::Hidden(kind) | Fate::Waiting(kind) => {
                self.window.repairs.insert((at, kind));
            }
            Fate::Moved => {
                self.window.repairs.insert((at, RepairKind::OutputMoved));
            }
            _ => {}
        }
        self.changed = self.changed.min(at);
    }

    /// Decides the reasoning items that waited for what follows them.
    fn settle_held(&mut self, model_made: bool) {
        if self.window.held.is_empty() {
            return;
        }
        let fate = if model_made {
            Fate::Shown
        } else {
            Fate::Hidden(RepairKind::DanglingReasoning)
        };
        for at in std::mem::take(&mut self.window.held) {
            self.set_fate(at, fate, NOWHERE);
        }
    }
}

/// Why no prompt ever shows such an item, if none does.
fn never_shown(facts: &ItemFacts) -> Option<RepairKind> {
    let flags = facts.flags;
    if flags.has(ItemFlags::MALFORMED) {
        return Some(RepairKind::Malformed);
    }
    if flags.has(ItemFlags::BAD_CALL) {
        return Some(RepairKind::BadCall);
    }
    match facts.item {
        ItemType::Message if flags.has(ItemFlags::DELIVERED) => Some(RepairKind::NotForModel),
        ItemType::Message if flags.has(ItemFlags::SYSTEM) => Some(RepairKind::SystemMessage),
        ItemType::Message if flags.has(ItemFlags::EMPTY_TEXT) => Some(RepairKind::EmptyMessage),
        ItemType::ConfigurationUpdate if flags.has(ItemFlags::HARNESS_AUTHORED) => None,
        ItemType::GhostSnapshot
        | ItemType::CompactionTrigger
        | ItemType::ConfigurationUpdate
        | ItemType::Other => Some(RepairKind::NotForModel),
        _ => None,
    }
}
