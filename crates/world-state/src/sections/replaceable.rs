//! Texts that are told, replaced and taken back: the rule that three sections share.

use crate::{
    fingerprint::Fingerprint,
    section::{PreviousSectionState, SectionTransition},
    update::{Placement, SectionUpdate},
};
use annals_context_fragments::{ContextualUserFragment, RenderedFragment};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A text in its two forms, rendered once.
#[derive(Debug, Clone)]
pub(super) struct Replaceable {
    forms: Arc<Forms>,
}

#[derive(Debug)]
struct Forms {
    first: RenderedFragment,
    replacing: RenderedFragment,
    fingerprint: Fingerprint,
}

impl Replaceable {
    pub(super) fn new<F: ContextualUserFragment>(first: &F, replacing: &F) -> Self {
        let first = first.render_fragment();
        let fingerprint = Fingerprint::of_fragment(first.role().as_str(), first.text());
        let replacing = replacing.render_fragment();
        Self {
            forms: Arc::new(Forms {
                first,
                replacing,
                fingerprint,
            }),
        }
    }

    pub(super) fn fingerprint(&self) -> Fingerprint {
        self.forms.fingerprint
    }
}

/// What is told when the state of such a text changes. `had_text` is what the model knows.
///
/// What is not known may be there: it is replaced, or taken back.
pub(super) fn tell<F: ContextualUserFragment>(
    had_text: PreviousSectionState<'_, bool>,
    now: Option<&Replaceable>,
    removal: &F,
    placement: Placement,
) -> SectionTransition {
    let may_stand = match had_text {
        PreviousSectionState::Absent => false,
        PreviousSectionState::Unknown => true,
        PreviousSectionState::Known(had_text) => *had_text,
    };
    let fragment = match (now, may_stand) {
        (Some(now), false) => Some(now.forms.first.clone()),
        (Some(now), true) => Some(now.forms.replacing.clone()),
        (None, true) => Some(removal.render_fragment()),
        (None, false) => None,
    };
    fragment
        .map(|fragment| SectionUpdate::rendered(placement, fragment))
        .into()
}

/// The stored form of a text of which only a digest is kept; empty means that there is none.
///
/// # Shape
/// `{"instructions":"dfd53114f5f6f9f5fd7816370d0bf2847806246d"}`, or `{}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstructionsSnapshot {
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<Fingerprint>,
}

impl InstructionsSnapshot {
    pub(super) fn of(text: Option<&Replaceable>) -> Self {
        Self {
            instructions: text.map(Replaceable::fingerprint),
        }
    }
}

/// As [`tell`], for sections that store a digest: the same digest says nothing.
pub(super) fn tell_by_digest<F: ContextualUserFragment>(
    previous: PreviousSectionState<'_, InstructionsSnapshot>,
    now: Option<&Replaceable>,
    removal: &F,
    placement: Placement,
) -> SectionTransition {
    let known;
    let had_text = match previous {
        PreviousSectionState::Absent => PreviousSectionState::Absent,
        PreviousSectionState::Unknown => PreviousSectionState::Unknown,
        PreviousSectionState::Known(stored) if *stored == InstructionsSnapshot::of(now) => {
            return SectionTransition::silent();
        }
        PreviousSectionState::Known(stored) => {
            known = stored.instructions.is_some();
            PreviousSectionState::Known(&known)
        }
    };
    tell(had_text, now, removal, placement)
}
