//! A hint on how to work with sub-agents.

use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Role};

/// Gives the model the configured hint on the use of sub-agents.
///
/// **Seen by**: the model, as a message of its own, in the first context and when the hint changes.
///
/// **Shape**: the text alone, without markers: it is recognized by its recorded kind only.
///
/// **Bounds**: cap 1,000 tokens; a longer text is cut with a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MultiAgentUsageHint {
    text: String,
}

impl MultiAgentUsageHint {
    const CAP: Cap = Cap::cutting_at::<1_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "MultiAgentUsageHint",
        Role::Developer,
        "multi_agent.usage_hint",
        ("", ""),
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
}

impl ContextualUserFragment for MultiAgentUsageHint {
    facts_of_spec!();

    fn requires_separate_message(&self) -> bool {
        true
    }

    fn body(&self) -> Body {
        Body::new(self.text.as_str())
    }
}
