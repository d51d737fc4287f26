//! Which facts of the environments to tell, and in which form.

use super::{EnvironmentReadiness, EnvironmentState, EnvironmentsSection, EnvironmentsSnapshot};
use annals_context_fragments::catalog::{
    EnvironmentBlock, EnvironmentContext, EnvironmentFacts, EnvironmentStatus, Known,
};
use std::collections::BTreeMap;

/// What is known, and what holds.
pub(super) struct Difference<'a> {
    pub(super) section: &'a EnvironmentsSection,
    pub(super) known: &'a EnvironmentsSnapshot,
    pub(super) now: &'a EnvironmentsSnapshot,
}

impl Difference<'_> {
    /// The changed facts; empty where nothing is to be told.
    pub(super) fn context(&self) -> EnvironmentContext {
        let mut context = EnvironmentContext::default();
        self.add_environments(&mut context);
        self.add_shared_facts(&mut context);
        context
    }

    fn add_environments(&self, context: &mut EnvironmentContext) {
        let (known, now) = (&self.known.environments, &self.now.environments);
        let has_removed = known.keys().any(|id| !now.contains_key(id));
        match single(now) {
            Some((id, state)) if !has_removed => {
                // What was told of it in an element of its own is told again in the bare form.
                let before = single(known).and_then(|_| known.get(id));
                context.cwd = changed(before.map(|b| &b.cwd), &state.cwd);
                context.shell = match before {
                    Some(before) => changed_shell(Some(before), state),
                    None => whole_shell(known.get(id), state),
                };
            }
            _ => context.environments = self.elements(),
        }
    }

    fn elements(&self) -> Vec<EnvironmentFacts> {
        let (known, now) = (&self.known.environments, &self.now.environments);
        let flips = single(known).is_some() != single(now).is_some();
        let ids = known
            .keys()
            .chain(now.keys().filter(|id| !known.contains_key(*id)));
        let mut facts: Vec<_> = ids
            .filter_map(|id| match (known.get(id), now.get(id)) {
                (Some(_), None) => Some(unavailable(id)),
                (Some(before), Some(state)) if !flips => self.changes(id, before, state),
                (_, Some(state)) => Some(self.in_full(id, state)),
                (None, None) => None,
            })
            .collect();
        facts.sort_by(|a, b| a.id.cmp(&b.id));
        facts
    }

    fn in_full(&self, id: &str, state: &EnvironmentState) -> EnvironmentFacts {
        let before = self.known.environments.get(id);
        let was_starting = before.is_some_and(|b| b.status == EnvironmentReadiness::Starting);
        let is_starting = state.status == EnvironmentReadiness::Starting;
        let several = self.known.environments.len() > 1 || self.now.environments.len() > 1;
        let mut facts = EnvironmentFacts::new(id);
        facts.is_primary = several.then(|| is_primary(&self.now.environments, state));
        facts.status = (is_starting || was_starting).then(|| state.status.status());
        facts.cwd = Some(state.cwd.clone());
        facts.shell = whole_shell(before, state);
        facts
    }

    fn changes(
        &self,
        id: &str,
        before: &EnvironmentState,
        state: &EnvironmentState,
    ) -> Option<EnvironmentFacts> {
        let was_primary = is_primary(&self.known.environments, before);
        let is_primary = is_primary(&self.now.environments, state);
        let mut facts = EnvironmentFacts::new(id);
        // While it was the only one the flag went without saying.
        let was_alone = self.known.environments.len() <= 1 && self.now.environments.len() > 1;
        facts.is_primary = (was_alone || was_primary != is_primary).then_some(is_primary);
        facts.status = (before.status != state.status).then(|| state.status.status());
        facts.cwd = changed(Some(&before.cwd), &state.cwd);
        facts.shell = changed_shell(Some(before), state);
        (facts != EnvironmentFacts::new(id)).then_some(facts)
    }

    fn add_shared_facts(&self, context: &mut EnvironmentContext) {
        let (known, now) = (self.known, self.now);
        if known.shell_version != now.shell_version {
            context.shell_version = Some(
                now.shell_version
                    .clone()
                    .map_or(Known::Unavailable, Known::Value),
            );
        }
        let mut gone = |block, before: &Option<String>, after: &Option<String>| {
            if before == after {
                return false;
            }
            if after.is_none() {
                context.unavailable.push(block);
            }
            after.is_some()
        };
        let tells_date = gone(
            EnvironmentBlock::CurrentDate,
            &known.current_date,
            &now.current_date,
        );
        let tells_zone = gone(EnvironmentBlock::Timezone, &known.timezone, &now.timezone);
        let tells_network = gone(EnvironmentBlock::Network, &known.network, &now.network);
        let tells_files = gone(
            EnvironmentBlock::Filesystem,
            &known.filesystem,
            &now.filesystem,
        );
        let tells_agents = gone(
            EnvironmentBlock::Subagents,
            &known.subagents,
            &now.subagents,
        );
        if tells_date {
            context.current_date.clone_from(&now.current_date);
        }
        if tells_zone {
            context.timezone.clone_from(&now.timezone);
        }
        if tells_network {
            context.network.clone_from(&self.section.network);
        }
        if tells_files {
            context.filesystem.clone_from(&self.section.filesystem);
        }
        if tells_agents {
            context.subagents.clone_from(&self.section.subagents);
        }
    }
}

/// The only environment, if there is one and it can be used: then it needs no element of its own.
fn single(environments: &BTreeMap<String, EnvironmentState>) -> Option<(&str, &EnvironmentState)> {
    let (id, state) = environments.first_key_value()?;
    let is_single = environments.len() == 1 && state.status == EnvironmentReadiness::Available;
    is_single.then_some((id.as_str(), state))
}

/// Among several the flag counts; one alone is the primary one.
fn is_primary(all: &BTreeMap<String, EnvironmentState>, state: &EnvironmentState) -> bool {
    all.len() <= 1 || state.is_primary
}

fn unavailable(id: &str) -> EnvironmentFacts {
    let mut facts = EnvironmentFacts::new(id);
    facts.status = Some(EnvironmentStatus::Unavailable);
    facts
}

fn changed(before: Option<&String>, now: &String) -> Option<String> {
    (before != Some(now)).then(|| now.clone())
}

/// The shell for a telling in full: one that is gone is told even then.
fn whole_shell(before: Option<&EnvironmentState>, now: &EnvironmentState) -> Option<Known> {
    match &now.shell {
        Some(shell) => Some(Known::Value(shell.clone())),
        None => changed_shell(before, now),
    }
}

fn changed_shell(before: Option<&EnvironmentState>, now: &EnvironmentState) -> Option<Known> {
    let before = before.and_then(|before| before.shell.as_ref());
    match (before, &now.shell) {
        (before, Some(now)) if before != Some(now) => Some(Known::Value(now.clone())),
        (Some(_), None) => Some(Known::Unavailable),
        _ => None,
    }
}
