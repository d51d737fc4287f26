//! What a hook wants the model to know.

use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Role};

/// Gives the model the text that a hook returned.
///
/// **Seen by**: the model, behind what the hook ran for.
///
/// **Shape**: the text alone, without markers: it is recognized by its recorded kind only.
///
/// **Bounds**: cap 2,500 tokens; a longer text is cut with a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookAdditionalContext {
    text: String,
}

impl HookAdditionalContext {
    // P0(2026-12-01): bound cut at 2,500 tokens a hook; may grow: with what hooks print. Worth it: hooks exist to
    // tell the model what they found, such as the faults a linter saw.
    const CAP: Cap = Cap::cutting_at::<2_500>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "HookAdditionalContext",
        Role::Developer,
        "hooks.additional_context",
        ("", ""),
        Self::CAP,
    )
    .event();

    /// The fragment with this text.
    pub fn new<T: Into<String>>(text: T) -> Self {
        Self { text: text.into() }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl ContextualUserFragment for HookAdditionalContext {
    facts_of_spec!();

    fn body(&self) -> Body {
        Body::new(self.text.as_str())
    }
}
