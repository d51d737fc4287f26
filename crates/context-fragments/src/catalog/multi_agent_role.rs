//! What the model is among several agents.

use super::text;
use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Role};

/// Gives the model its role among several agents.
///
/// **Seen by**: the model, as a message of its own, in the first context and when the role changes.
///
/// **Shape**: `<multi_agent_role>`, the text, `</multi_agent_role>`.
///
/// **Bounds**: cap 1,000 tokens; a longer text is cut with a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MultiAgentRoleInstructions {
    text: String,
}

impl MultiAgentRoleInstructions {
    const CAP: Cap = Cap::cutting_at::<1_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "MultiAgentRoleInstructions",
        Role::Developer,
        "multi_agent.role_instructions",
        ("<multi_agent_role>", "</multi_agent_role>"),
        Self::CAP,
    );

    /// The fragment with this text.
    pub fn new<T: Into<String>>(text: T) -> Self {
        Self { text: text.into() }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        text::read_text(&Self::SPEC, rendered, ("", "")).map(|text| Self { text })
    }
}

impl ContextualUserFragment for MultiAgentRoleInstructions {
    facts_of_spec!();

    fn requires_separate_message(&self) -> bool {
        true
    }

    fn body(&self) -> Body {
        Body::new(crate::neutralize(&self.text, Self::SPEC.end()))
    }
}
