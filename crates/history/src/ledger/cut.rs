//! Rollback: where to cut, what goes with the dropped turns, and which state holds afterwards.

use std::sync::Arc;

use annals_protocol::ItemType;

use super::{BEGAN_EARLIER, Fate, Ledger, NOWHERE, Turn};
use crate::facts::Part;
use crate::flags::ItemFlags;
use crate::repair::RepairKind;
use crate::state::ThreadState;

/// How a rollback treats the injected context that stands before the turns it drops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum RollbackStyle {
    /// The context messages of the dropped turns go with them.
    #[default]
    Trim,
    /// They stay, as programs up to Codex 0.100 had it.
    KeepContext,
}

/// What a rollback did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rollback {
    /// How many turns went.
    pub dropped_turns: usize,
    /// How many items are left.
    pub kept_items: usize,
    /// How many compactions were undone on the way.
    pub undone_compactions: usize,
    /// Whether the model must be told everything anew, the context that it knew being gone.
    pub cleared_context: bool,
}

impl<B: Clone> Ledger<B> {
    /// Drops the last `turns` turns, counted over the originals: compactions inside dropped turns
    /// count for nothing.
    ///
    /// More turns than there are drop all of them; what stands before the first stays. Cost:
    /// O(what is dropped), however long the history is.
    pub fn roll_back(&mut self, turns: usize) -> Rollback {
        let mut left = turns.min(self.turns());
        let mut done = Rollback {
            dropped_turns: left,
            kept_items: self.len(),
            undone_compactions: 0,
            cleared_context: false,
        };
        if left == 0 {
            return done;
        }
        while left > self.own_turns() {
            left -= self.own_turns();
            done.undone_compactions += usize::from(self.undo_compaction());
        }
        let idx = self.window.turns.len().saturating_sub(left);
        if let Some(mut turn) = self.window.turns.get(idx).copied() {
            // A compaction between a turn's beginning and its first item lies inside the turn.
            while turn.mark == BEGAN_EARLIER && self.undo_compaction() {
                done.undone_compactions += 1;
                let mark = std::mem::replace(&mut self.window.begun, NOWHERE);
                turn = Turn {
                    at: self.window.len(),
                    mark,
                };
            }
            let is_first = self.window.turns_before == 0
                && self
                    .first_own_turn()
                    .is_none_or(|first| first.at >= turn.at);
            done.cleared_context = self.cut(turn, is_first);
        }
        done.kept_items = self.len();
        done
    }

    fn undo_compaction(&mut self) -> bool {
        let Some(before) = self.earlier.pop_back() else {
            return false;
        };
        self.window = Arc::unwrap_or_clone(before);
        self.changed = 0;
        true
    }

    /// Cuts before `turn`; says whether the context that the model knew is gone with it.
    fn cut(&mut self, turn: Turn, is_first: bool) -> bool {
        let mut at = turn.at;
        let mut mixed = false;
        if self.style == RollbackStyle::Trim && !is_first {
            (at, mixed) = self.trimmed(turn.at);
        }
        // The items that are told before the very first turn outlive it, so what they told holds.
        let prefix_stays = is_first
            && at > 0
            && (turn.mark == NOWHERE || self.mark_at(turn.mark).is_some_and(|began| began < at));
        let keep = |idx: u32, made_at: u32| {
            if prefix_stays {
                made_at <= at
            } else {
                made_at < at || (made_at == at && turn.mark != NOWHERE && idx < turn.mark)
            }
        };
        while let Some(mark) = self.window.marks.last() {
            let idx = u32::try_from(self.window.marks.len() - 1).unwrap_or(NOWHERE);
            if keep(idx, mark.at) {
                break;
            }
            let _dropped = self.window.marks.pop_back();
        }
        self.window.state = self.window.marks.last().map_or_else(
            || Arc::clone(&self.window.first_state),
            |mark| Arc::clone(&mark.state),
        );
        self.window.begun = NOWHERE;
        self.truncate(at);
        if mixed {
            let cleared = ThreadState::clone(&self.window.state).without_context();
            self.set_state(cleared);
        }
        mixed
    }

    /// The first turn that starts in this window, not counting what a compaction put in place.
    fn first_own_turn(&self) -> Option<Turn> {
        let idx = self.window.turns.len() - self.own_turns();
        self.window.turns.get(idx).copied()
    }

    fn mark_at(&self, mark: u32) -> Option<u32> {
        self.window.marks.get(mark as usize).map(|mark| mark.at)
    }

    /// Where the context starts that stands right before the item `at`, and whether a message in
    /// it also holds something else.
    ///
    /// What tells of an event belongs to the turn before, and ends it.
    fn trimmed(&self, at: u32) -> (u32, bool) {
        let mut at = at;
        let mut mixed = false;
        let first = self.first_own_turn().map_or(0, |turn| turn.at);
        let floor = if self.window.turns_before == 0 {
            first
        } else {
            self.window.replaced
        };
        while at > floor {
            let Some(above) = self.window.entries.get(at as usize - 1) else {
                break;
            };
            let flags = above.facts.flags;
            let is_context = if flags.has(ItemFlags::DEVELOPER) {
                flags.has(ItemFlags::ANY_CONTEXTUAL)
            } else {
                flags.has(ItemFlags::CONTEXTUAL)
            };
            if !is_context || flags.has_any(ItemFlags::EVENT | ItemFlags::SUMMARY) {
                break;
            }
            mixed |= !flags.has(ItemFlags::CONTEXTUAL);
            at -= 1;
        }
        (at, mixed)
    }

    /// Takes off all items from `at` on, and with them what they decided about earlier ones.
    fn truncate(&mut self, at: u32) {
        while self.window.len() > at {
            let last = self.window.len() - 1;
            let Some(entry) = self.window.entries.pop_back() else {
                break;
            };
            let key = entry.facts.call;
            if entry.fate == Fate::Hidden(RepairKind::Malformed) {
                continue;
            }
            match entry.facts.part() {
                Part::Call(family) => {
                    self.window.pairing.uncount_use(key);
                    if entry.link == NOWHERE {
                        self.window.pairing.close(family, key, last);
                    } else {
                        self.set_fate(entry.link, Fate::Waiting(RepairKind::OrphanOutput), NOWHERE);
                    }
                }
                Part::Output(family) if entry.link != NOWHERE => {
                    let reopened = self
                        .window
                        .entries
                        .get(entry.link as usize)
                        .map(|call| call.fate);
                    let fate = match reopened {
                        Some(Fate::Shown) => Fate::Open,
                        Some(other) => other,
                        None => continue,
                    };
                    self.set_fate(entry.link, fate, NOWHERE);
                    self.window.pairing.open(family, key, entry.link);
                }
                _ => {}
            }
        }
        while self.window.turns.last().is_some_and(|turn| turn.at >= at) {
            let _dropped = self.window.turns.pop_back();
        }
        while let Some(last) = self
            .window
            .repairs
            .get_max()
            .copied()
            .filter(|last| last.0 >= at)
        {
            self.window.repairs.remove(&last);
        }
        self.changed = self.changed.min(at);
        self.reopen_turn(at);
        self.reopen_reasoning(at);
    }

    /// Lets the outputs of the turn that is open again wait for their calls.
    fn reopen_turn(&mut self, end: u32) {
        self.window.pairing.end_turn();
        let start = self.window.turns.last().map_or(0, |turn| turn.at);
        for at in start..end {
            let Some(entry) = self.window.entries.get(at as usize) else {
                break;
            };
            if let (Part::Output(family), Fate::Waiting(_)) = (entry.facts.part(), entry.fate) {
                self.window.pairing.wait(family, entry.facts.call, at);
            }
        }
    }

    /// Lets the reasoning items at the end wait again for what follows them.
    fn reopen_reasoning(&mut self, end: u32) {
        self.window.held = imbl::Vector::new();
        let mut at = end;
        while at > 0 {
            at -= 1;
            let Some(entry) = self.window.entries.get(at as usize) else {
                break;
            };
            if entry.facts.item == ItemType::Reasoning {
                if !matches!(entry.fate, Fate::Hidden(RepairKind::Malformed)) {
                    self.set_fate(at, Fate::Held, NOWHERE);
                    self.window.held.push_front(at);
                }
            } else if matches!(entry.fate, Fate::Shown | Fate::Open | Fate::Joined) {
                break;
            }
        }
    }
}
