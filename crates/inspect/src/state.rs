//! What the model was last told of the world at one point, and what changed between two.

use std::collections::{BTreeMap, BTreeSet};

use annals_history::{ItemFlags, Ledger, Slot};
use annals_protocol::ItemHead;
use annals_world_state::WorldStateSnapshot;
use serde::Serialize;
use serde_json::Value;

use crate::context::TurnsOfItems;
use crate::error::Error;
use crate::lines::{LineChange, diff_lines};
use crate::part::{Origin, parts_of};
use crate::prompt_input::ReadUpTo;
use crate::session::{About, At, Nobody, Session, TracedReplay, Watch};
use crate::traced::Traced;

/// What holds at one point of a session beside the items.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StateReport {
    /// `annals.state/1`
    pub schema: &'static str,
    /// Which session.
    pub session: About,
    /// Whether it is known what the model was told. If not, the next turn tells everything.
    pub is_known: bool,
    /// What the model was last told, section by section.
    pub sections: BTreeMap<String, SectionState>,
    /// How many compactions came before.
    pub window_number: u64,
    /// The model of the last turn that counts.
    pub model: Option<String>,
    /// The `turn_context` that the model's context was last told against.
    pub reference_context: Option<Value>,
}

/// What the model was told in one section.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SectionState {
    /// The value.
    pub value: Value,
    /// The line of the `world_state` record that changed it last; 0 if that is not known.
    pub told_at_line: u64,
}

/// What the model was told between two points.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StateDiff {
    /// `annals.diff/1`
    pub schema: &'static str,
    /// The session and the point that is compared with.
    pub before: DiffSide,
    /// The session and the point that is compared.
    pub after: DiffSide,
    /// The RFC 7386 merge patch from the one to the other; `None` if both are the same or one is
    /// not known.
    pub patch: Option<Value>,
    /// Every member that differs, in the order of its path.
    pub changes: Vec<FieldChange>,
    /// What was told and is still in the input.
    pub told: Vec<Told>,
    /// What was told before and is in the input no more.
    pub gone: Vec<Told>,
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DiffSide {
    /// The file.
    pub file: String,
    /// The point, as it was asked for: `line:12`, `turn:3`, `end`.
    pub at: String,
    /// Whether it is known there what the model was told.
    pub is_known: bool,
    /// Items in the input.
    pub n_items: usize,
}

/// A member of the state that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FieldChange {
    /// The path: `environments.environments.local.cwd`.
    pub path: String,
    /// What it was; `None` if it was not there.
    pub before: Option<Value>,
    /// What it is; `None` if it is no more.
    pub after: Option<Value>,
    /// Where both are texts of several lines: the difference line by line.
    pub lines: Option<Vec<LineChange>>,
}

/// A piece of context that was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Told {
    /// The user turn before which it was told.
    pub turn: usize,
    /// The line of its record.
    pub line: u64,
    /// The role of its message.
    pub role: String,
    /// Its content kind.
    pub kind: String,
    /// Estimated tokens.
    pub tokens: u64,
    /// The text.
    pub text: String,
}

/// The state at one point, with what the input held.
struct Moment {
    baseline: Option<WorldStateSnapshot>,
    n_items: usize,
    told: Vec<(u64, Told)>,
}

impl Session {
    /// What holds at one point beside the items.
    ///
    /// # Errors
    ///
    /// [`Error::Rollout`] if a file can't be read; [`Error::NoSuchTurn`]; [`Error::NoSuchLine`].
    pub fn state(&self, up_to: ReadUpTo) -> Result<StateReport, Error> {
        let mut lines = SectionLines::default();
        let replayed = self.walk(up_to, &mut lines)?;
        let state = replayed.ledger.state();
        let baseline = state.world_state_baseline.as_ref();
        let sections = baseline
            .into_iter()
            .flat_map(WorldStateSnapshot::iter)
            .map(|(id, section)| {
                let section = SectionState {
                    value: section.value().clone(),
                    told_at_line: lines.0.get(id).copied().unwrap_or(0),
                };
                (id.to_owned(), section)
            })
            .collect();
        Ok(StateReport {
            schema: "annals.state/1",
            session: self.about(&replayed),
            is_known: baseline.is_some(),
            sections,
            window_number: state.window.number,
            model: state
                .turn_settings
                .as_ref()
                .map(|settings| settings.model.clone()),
            reference_context: state
                .reference_context
                .as_ref()
                .and_then(|context| serde_json::from_str(context.as_str()).ok()),
        })
    }

    /// What the model was told between two points of this session.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state).
    pub fn diff(&self, before: ReadUpTo, after: ReadUpTo) -> Result<StateDiff, Error> {
        self.diff_with(before, self, after)
    }

    /// What the model was told at a point of another session, beside what it was told in this one.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state), for either.
    pub fn diff_with(
        &self,
        before: ReadUpTo,
        other: &Self,
        after: ReadUpTo,
    ) -> Result<StateDiff, Error> {
        let (old, new) = (self.moment(before)?, other.moment(after)?);
        let known = old.baseline.as_ref().zip(new.baseline.as_ref());
        let patch = known.and_then(|(old, new)| new.diff_from(old));
        let changes = changes_between(old.baseline.as_ref(), new.baseline.as_ref());
        let side = |session: &Self, at: ReadUpTo, moment: &Moment| DiffSide {
            file: session.file(),
            at: at.to_string(),
            is_known: moment.baseline.is_some(),
            n_items: moment.n_items,
        };
        Ok(StateDiff {
            schema: "annals.diff/1",
            before: side(self, before, &old),
            after: side(other, after, &new),
            patch: patch.map(|patch| patch.value().clone()),
            changes,
            told: only_in(&new.told, &old.told),
            gone: only_in(&old.told, &new.told),
        })
    }

    fn moment(&self, at: ReadUpTo) -> Result<Moment, Error> {
        let replayed = self.walk(at, &mut Nobody)?;
        let ledger = &replayed.ledger;
        Ok(Moment {
            baseline: ledger.state().world_state_baseline.clone(),
            n_items: ledger.slots().count(),
            told: self.told(ledger)?,
        })
    }

    /// Every injected piece in the input, with a digest of it.
    fn told(&self, ledger: &Ledger<Traced>) -> Result<Vec<(u64, Told)>, Error> {
        let turns = TurnsOfItems::of(ledger);
        let mut texts = self.texts();
        let mut told = Vec::new();
        for slot in ledger.slots() {
            let Slot::Item { at, facts, body } = slot else {
                continue;
            };
            if !facts.flags().has(ItemFlags::ANY_CONTEXTUAL) {
                continue;
            }
            let item = texts.of(body, facts)?;
            let Some(head) = ItemHead::scan(&item) else {
                continue;
            };
            for (idx, part) in parts_of(&item, &head).into_iter().enumerate() {
                if !part.is_injected || part.origin == Origin::Summary {
                    continue;
                }
                let tokens = part.tokens();
                let kind = part.kind.filter(|kind| kind != "unknown");
                let kind = kind.or_else(|| part.spec.map(|spec| spec.kind().to_owned()));
                let piece = Told {
                    turn: turns.of_item(at),
                    line: body.line,
                    role: head.role.clone().unwrap_or_default().into_owned(),
                    kind: kind.unwrap_or_default(),
                    tokens,
                    text: part.text.unwrap_or_default().into_owned(),
                };
                told.push((body.digest ^ idx as u64, piece));
            }
        }
        Ok(told)
    }
}

fn only_in(one: &[(u64, Told)], other: &[(u64, Told)]) -> Vec<Told> {
    let mut known: BTreeMap<u64, usize> = BTreeMap::new();
    for (digest, _) in other {
        *known.entry(*digest).or_default() += 1;
    }
    let mut only = Vec::new();
    for (digest, told) in one {
        match known.get_mut(digest) {
            Some(count) if *count > 0 => *count -= 1,
            _ => only.push(told.clone()),
        }
    }
    only
}

/// Every member that differs between two states, in the order of its path; a state that is not known
/// has no member.
///
/// **Cost**: sections that both share, as a chain of patches leaves them, are not looked into.
pub(crate) fn changes_between(
    before: Option<&WorldStateSnapshot>,
    after: Option<&WorldStateSnapshot>,
) -> Vec<FieldChange> {
    let section = |state: Option<&WorldStateSnapshot>, id: &str| state?.get(id).cloned();
    let ids: BTreeSet<&str> = [before, after]
        .into_iter()
        .flatten()
        .flat_map(|state| state.iter().map(|(id, _)| id))
        .collect();
    let mut changes = Vec::new();
    for id in ids {
        match (section(before, id), section(after, id)) {
            (old, new) if old == new => {}
            (Some(old), Some(new)) => field_changes(id, old.value(), new.value(), &mut changes),
            (old, new) => changes.push(FieldChange {
                path: id.to_owned(),
                before: old.map(|old| old.value().clone()),
                after: new.map(|new| new.value().clone()),
                lines: None,
            }),
        }
    }
    changes
}

fn field_changes(path: &str, before: &Value, after: &Value, out: &mut Vec<FieldChange>) {
    if before == after {
        return;
    }
    let (Value::Object(old), Value::Object(new)) = (before, after) else {
        let texts = before.as_str().zip(after.as_str());
        let lines = texts
            .filter(|(old, new)| old.contains('\n') || new.contains('\n'))
            .map(|(old, new)| diff_lines(old, new));
        out.push(FieldChange {
            path: path.to_owned(),
            before: Some(before.clone()),
            after: Some(after.clone()),
            lines,
        });
        return;
    };
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for key in keys {
        let path = format!("{path}.{key}");
        match (old.get(key), new.get(key)) {
            (Some(before), Some(after)) => field_changes(&path, before, after, out),
            (before, after) => out.push(FieldChange {
                path,
                before: before.cloned(),
                after: after.cloned(),
                lines: None,
            }),
        }
    }
}

/// Where each section was told last.
#[derive(Debug, Default)]
struct SectionLines(BTreeMap<String, u64>);

impl Watch for SectionLines {
    fn after(&mut self, at: &At<'_>, _replay: &TracedReplay) {
        if at.envelope.kind != annals_protocol::RecordKind::WorldState {
            return;
        }
        let Some(state) = crate::part::member(at.envelope.payload, "state") else {
            return;
        };
        for section in annals_protocol::members(state) {
            self.0.insert(section.key.to_owned(), at.line);
        }
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
