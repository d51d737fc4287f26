//! What the model may do, and which commands were approved for good. Who decides is left to the
//! caller.

use crate::{
    fingerprint::Fingerprint,
    history::TextPart,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::SectionUpdate,
};
use annals_context_fragments::{
    ContextualUserFragment, RenderedFragment,
    catalog::{ApprovedCommandPrefixSaved, PermissionsInstructions},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, sync::Arc};

/// The rules for commands, with the prefixes that are approved.
///
/// Told in full. When nothing but approved prefixes was added, only those are told; any other
/// change is told in full. Prefixes that the rules do not show, as under a policy that asks nobody,
/// are stored in silence.
///
/// # Shape
/// Stored as `{"instructions":"<digest>","approved_command_prefixes":[["git","pull"]]}`, where the
/// digest is that of the rules without prefixes. Also read: a bare digest of the rules with them.
///
/// # Example
/// ```
/// use annals_context_fragments::catalog::{ApprovalPolicy, PermissionsInstructions, SandboxMode};
/// use annals_world_state::{HistoryView, WorldState, sections::PermissionsSection};
/// # fn main() -> Result<(), annals_world_state::StateError> {
/// let mut rules =
///     PermissionsInstructions::new(SandboxMode::WorkspaceWrite, ApprovalPolicy::OnRequest);
/// let mut before = WorldState::new();
/// before.insert(PermissionsSection::new(rules.clone()))?;
/// let told = before.render_full();
///
/// rules.approved_prefixes.push(vec!["git".to_owned(), "pull".to_owned()]);
/// let mut after = WorldState::new();
/// after.insert(PermissionsSection::new(rules))?;
/// let told = after.render_diff(Some(told.snapshot()), HistoryView::Intact);
/// assert_eq!(
///     told.updates()[0].fragment().map(|f| f.text()),
///     Some("Approved command prefix saved:\n- [\"git\",\"pull\"]")
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct PermissionsSection {
    rules: Arc<Rules>,
}

#[derive(Debug)]
struct Rules {
    full: RenderedFragment,
    full_digest: Fingerprint,
    digest: Fingerprint,
    shows_prefixes: bool,
    prefixes: Prefixes,
}

type Prefixes = BTreeSet<Vec<String>>;

/// The stored form of a [`PermissionsSection`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PermissionsSnapshot {
    /// Rules and prefixes apart.
    Current {
        /// The digest of the rules as they read without prefixes.
        instructions: Fingerprint,
        /// The approved prefixes, each as its words.
        approved_command_prefixes: Prefixes,
    },
    /// As older programs stored it: the digest of everything in one.
    Legacy(Fingerprint),
}

impl PermissionsSection {
    /// These rules. The order of the approved prefixes, and repeated ones, are no difference.
    pub fn new(mut rules: PermissionsInstructions) -> Self {
        let prefixes: Prefixes = std::mem::take(&mut rules.approved_prefixes)
            .into_iter()
            .collect();
        let digest = digest_of(&rules.render_fragment());
        let bare = rules.render();
        rules.approved_prefixes = vec![vec!["x".to_owned()]];
        let shows_prefixes = rules.render() != bare;
        rules.approved_prefixes = prefixes.iter().cloned().collect();
        let full = rules.render_fragment();
        let full_digest = digest_of(&full);
        Self {
            rules: Arc::new(Rules {
                full,
                full_digest,
                digest,
                shows_prefixes,
                prefixes,
            }),
        }
    }

    fn tell_against(&self, digest: Fingerprint, known: &Prefixes) -> SectionTransition {
        let rules = &*self.rules;
        if digest != rules.digest {
            return self.tell_in_full();
        }
        if !rules.shows_prefixes {
            return SectionTransition::silent();
        }
        if known.difference(&rules.prefixes).next().is_some() {
            return self.tell_in_full();
        }
        tell_added(known, &rules.prefixes)
    }

    fn tell_in_full(&self) -> SectionTransition {
        SectionTransition::telling(SectionUpdate::from(self.rules.full.clone()))
    }
}

fn digest_of(fragment: &RenderedFragment) -> Fingerprint {
    Fingerprint::of_fragment(fragment.role().as_str(), fragment.text())
}

fn tell_added(known: &Prefixes, now: &Prefixes) -> SectionTransition {
    let added: Vec<Vec<String>> = now.difference(known).cloned().collect();
    if added.is_empty() {
        return SectionTransition::silent();
    }
    SectionTransition::telling(SectionUpdate::of(&ApprovedCommandPrefixSaved::new(added)))
}

fn tells_added(part: TextPart<'_>) -> bool {
    part.role() == "developer" && ApprovedCommandPrefixSaved::read(part.text()).is_some()
}

impl WorldStateSection for PermissionsSection {
    const ID: &'static str = "permissions";
    const RETAINED: bool = true;
    type Snapshot = PermissionsSnapshot;

    fn snapshot(&self) -> PermissionsSnapshot {
        PermissionsSnapshot::Current {
            instructions: self.rules.digest,
            approved_command_prefixes: self.rules.prefixes.clone(),
        }
    }

    fn render_diff(
        &self,
        previous: PreviousSectionState<'_, PermissionsSnapshot>,
    ) -> SectionTransition {
        match previous {
            PreviousSectionState::Known(PermissionsSnapshot::Current {
                instructions,
                approved_command_prefixes,
            }) => self.tell_against(*instructions, approved_command_prefixes),
            PreviousSectionState::Known(PermissionsSnapshot::Legacy(digest))
                if *digest == self.rules.full_digest =>
            {
                SectionTransition::silent()
            }
            _ => self.tell_in_full(),
        }
    }

    // Prefixes that were told alone are newer than the rules before them: then the rules that stand
    // in the history are not all that the model knows.
    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        self.matches_retained(part) || tells_added(part)
    }

    fn matches_retained(&self, part: TextPart<'_>) -> bool {
        part.is::<PermissionsInstructions>("developer")
    }
}

/// Approved prefixes alone, for a host that tells its rules in another way.
///
/// Only what was added is told: the prefixes of a first telling are the host's own to tell.
///
/// # Shape
/// Stored as `[["git","pull"]]`, sorted.
#[derive(Debug, Clone)]
pub struct ApprovedCommandPrefixesSection {
    prefixes: Prefixes,
}

impl ApprovedCommandPrefixesSection {
    /// These prefixes, each as its words.
    pub fn new<P: IntoIterator<Item = Vec<String>>>(prefixes: P) -> Self {
        Self {
            prefixes: prefixes.into_iter().collect(),
        }
    }
}

impl WorldStateSection for ApprovedCommandPrefixesSection {
    const ID: &'static str = "approved_command_prefixes";
    type Snapshot = BTreeSet<Vec<String>>;

    fn snapshot(&self) -> Prefixes {
        self.prefixes.clone()
    }

    fn render_diff(&self, previous: PreviousSectionState<'_, Prefixes>) -> SectionTransition {
        match previous {
            PreviousSectionState::Known(known) => tell_added(known, &self.prefixes),
            PreviousSectionState::Absent | PreviousSectionState::Unknown => {
                SectionTransition::silent()
            }
        }
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        tells_added(part)
    }
}

#[cfg(test)]
#[path = "permissions_tests.rs"]
mod tests;
