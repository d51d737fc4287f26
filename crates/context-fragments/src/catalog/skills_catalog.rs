//! The skills that can be used. Host and selected skills share their markers: they are one family.

use super::text;
use crate::{
    Body, Cap, ContentKind, ContextualUserFragment, FragmentSpec, Markers, Role, neutralize,
};

const TAG: (&str, &str) = ("<skills_instructions>", "</skills_instructions>");

/// Gives the model a list of skills, or news of one.
///
/// **Seen by**: the model, in the first context if there are any, and whole again when the list changes.
///
/// **Shape**: `<skills_instructions>`, a line break, the text, a line break, `</skills_instructions>`.
///
/// **Bounds**: cap 4,000 tokens; a longer text is cut with a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillsInstructions {
    source: SkillsSource,
    text: String,
}

/// Where skills come from; each source has a section and a kind of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkillsSource {
    /// The host that runs the model.
    Host,
    /// The environments that were selected.
    Selected,
}

impl SkillsInstructions {
    // P0(2026-12-01): bound cut at 4,000 tokens, told again only when the list changes; may grow: with the number of
    // skills that are installed, a line each. Worth it: a skill that the model does not know of is never used.
    const CAP: Cap = Cap::cutting_at::<4_000>();

    /// The row of the skills of selected environments.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "SkillsInstructions",
        Role::Developer,
        "skills.instructions",
        TAG,
        Self::CAP,
    );

    /// The row of the host's skills.
    pub const HOST_SPEC: FragmentSpec = FragmentSpec::new(
        "SkillsInstructions",
        Role::Developer,
        "host_skills.instructions",
        TAG,
        Self::CAP,
    );

    /// A list, or news of one, as text.
    pub fn new<T: Into<String>>(source: SkillsSource, text: T) -> Self {
        Self {
            source,
            text: text.into(),
        }
    }

    /// The text of a rendering.
    pub fn read_text(rendered: &str) -> Option<String> {
        text::read_text(&Self::SPEC, rendered, ("\n", "\n"))
    }

    const fn spec(&self) -> &FragmentSpec {
        match self.source {
            SkillsSource::Host => &Self::HOST_SPEC,
            SkillsSource::Selected => &Self::SPEC,
        }
    }
}

impl ContextualUserFragment for SkillsInstructions {
    fn role(&self) -> Role {
        self.spec().role()
    }

    fn content_kind(&self) -> ContentKind {
        self.spec().content_kind()
    }

    fn markers(&self) -> Markers {
        Self::SPEC.markers()
    }

    fn type_markers() -> Markers {
        Self::SPEC.markers()
    }

    fn cap(&self) -> Cap {
        Self::CAP
    }

    fn body(&self) -> Body {
        Body::framed("\n", neutralize(&self.text, TAG.1), "\n")
    }
}
