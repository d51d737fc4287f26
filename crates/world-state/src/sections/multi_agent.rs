//! Sub-agents: the configured hint or role, and when they may be started.

use crate::{
    fingerprint::Fingerprint,
    history::TextPart,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::{Placement, SectionUpdate},
};
use annals_context_fragments::{
    ContextualUserFragment, RenderedFragment,
    catalog::{
        MultiAgentMode, MultiAgentModeInstructions, MultiAgentRoleInstructions, MultiAgentUsageHint,
    },
};
use serde::{Deserialize, Serialize};

/// The hint on the use of sub-agents, or the agent's role among them.
///
/// A message of its own, told when it differs. It has no markers, or only those of the role, and is
/// recognized by its recorded kind or by its very text.
///
/// # Shape
/// Stored as the digest of the fragment: `"288fbaaba4ce0b63e4443b2df37dce92bfe45839"`.
#[derive(Debug, Clone)]
pub struct MultiAgentUsageHintSection {
    rendered: RenderedFragment,
    digest: Fingerprint,
}

impl MultiAgentUsageHintSection {
    /// A hint without markers; one that is over the cap of the fragment is cut.
    pub fn hint<T: Into<String>>(text: T) -> Self {
        Self::of(&MultiAgentUsageHint::new(text))
    }

    /// A role between markers; one that is over the cap of the fragment is cut.
    pub fn role<T: Into<String>>(text: T) -> Self {
        Self::of(&MultiAgentRoleInstructions::new(text))
    }

    fn of<F: ContextualUserFragment>(fragment: &F) -> Self {
        let rendered = fragment.render_fragment();
        let digest = Fingerprint::of_fragment(rendered.role().as_str(), rendered.text());
        Self { rendered, digest }
    }

    /// The digest by which the [mode](MultiAgentModeSection) notices another hint.
    pub fn fingerprint(&self) -> Fingerprint {
        self.digest
    }
}

impl WorldStateSection for MultiAgentUsageHintSection {
    const ID: &'static str = "multi_agent_usage_hint";
    type Snapshot = Fingerprint;

    fn snapshot(&self) -> Fingerprint {
        self.digest
    }

    fn render_diff(&self, previous: PreviousSectionState<'_, Fingerprint>) -> SectionTransition {
        if previous.known() == Some(&self.digest) {
            return SectionTransition::silent();
        }
        let told = SectionUpdate::rendered(Placement::Standalone, self.rendered.clone());
        SectionTransition::telling(told)
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        // A newer hint of other words overrules this one; without its kind nobody can tell it.
        let is_hint = [
            MultiAgentUsageHint::SPEC.kind(),
            MultiAgentRoleInstructions::SPEC.kind(),
        ]
        .iter()
        .any(|kind| part.kind() == Some(kind));
        part.role() == self.rendered.role().as_str()
            && (is_hint || part.text() == self.rendered.text())
    }
}

/// When sub-agents may be started.
///
/// A message of its own behind the usage hint, which it overrules: where the hint changes, the mode
/// is told again. Taking a mode away is told as *only on request*.
///
/// # Shape
/// Stored as `{"mode":"explicitRequestOnly","usage_hint_hash":"<digest>"}`, `{}` where there is
/// neither. Modes: `proactive`, `explicitRequestOnly`, `custom` with `"instructions":"<digest>"`.
#[derive(Debug, Clone)]
pub struct MultiAgentModeSection {
    mode: Option<MultiAgentMode>,
    usage_hint: Option<Fingerprint>,
}

/// The stored form of a [`MultiAgentModeSection`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MultiAgentModeSnapshot {
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<Fingerprint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage_hint_hash: Option<Fingerprint>,
}

impl MultiAgentModeSection {
    /// This mode. A custom mode of blank text is none.
    pub fn new(mode: MultiAgentMode) -> Self {
        let is_none = matches!(&mode, MultiAgentMode::Custom(text) if text.trim().is_empty());
        Self {
            mode: (!is_none).then_some(mode),
            usage_hint: None,
        }
    }

    /// No mode.
    pub fn none() -> Self {
        Self {
            mode: None,
            usage_hint: None,
        }
    }

    /// Names the hint that stands before it.
    #[must_use]
    pub fn following(mut self, hint: &MultiAgentUsageHintSection) -> Self {
        self.usage_hint = Some(hint.fingerprint());
        self
    }
}

fn tell_mode(mode: MultiAgentMode) -> SectionTransition {
    let fragment = MultiAgentModeInstructions::new(mode);
    SectionTransition::telling(SectionUpdate::placed(Placement::Standalone, &fragment))
}

impl WorldStateSection for MultiAgentModeSection {
    const ID: &'static str = "multi_agent_mode";
    const RETAINED: bool = true;
    type Snapshot = MultiAgentModeSnapshot;

    fn snapshot(&self) -> MultiAgentModeSnapshot {
        let (mode, instructions) = match &self.mode {
            None => (None, None),
            Some(MultiAgentMode::Proactive) => (Some("proactive"), None),
            Some(MultiAgentMode::ExplicitRequestOnly) => (Some(EXPLICIT_ONLY), None),
            Some(mode) => {
                let text = MultiAgentModeInstructions::new(mode.clone()).render();
                (
                    Some("custom"),
                    Some(Fingerprint::of_fragment("developer", &text)),
                )
            }
        };
        MultiAgentModeSnapshot {
            mode: mode.map(str::to_owned),
            instructions,
            usage_hint_hash: self.usage_hint,
        }
    }

    fn render_diff(
        &self,
        previous: PreviousSectionState<'_, MultiAgentModeSnapshot>,
    ) -> SectionTransition {
        match (&self.mode, previous) {
            (Some(_), PreviousSectionState::Known(known)) if *known == self.snapshot() => {
                SectionTransition::silent()
            }
            (Some(mode), _) => tell_mode(mode.clone()),
            (None, PreviousSectionState::Absent) => SectionTransition::silent(),
            (None, PreviousSectionState::Known(known))
                if known
                    .mode
                    .as_deref()
                    .is_none_or(|mode| mode == EXPLICIT_ONLY) =>
            {
                SectionTransition::silent()
            }
            (None, _) => tell_mode(MultiAgentMode::ExplicitRequestOnly),
        }
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        part.is::<MultiAgentModeInstructions>("developer")
    }

    fn render_removal(
        previous: PreviousSectionState<'_, MultiAgentModeSnapshot>,
    ) -> Vec<SectionUpdate> {
        Self::none().render_diff(previous).updates
    }
}

const EXPLICIT_ONLY: &str = "explicitRequestOnly";

#[cfg(test)]
#[path = "multi_agent_tests.rs"]
mod tests;
