//! A payload that an extension adds to a turn.

use super::text;
use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Role};

/// Gives the model what an extension has to add to a turn.
///
/// **Seen by**: the model, before the user's message of the turn.
///
/// **Shape**: `<extension_context>`, a line break, the text, a line break, `</extension_context>`.
///
/// **Bounds**: cap 1,000 tokens; a longer text is cut with a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtensionContext {
    text: String,
}

impl ExtensionContext {
    const CAP: Cap = Cap::cutting_at::<1_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "ExtensionContext",
        Role::User,
        "extension.context",
        ("<extension_context>", "</extension_context>"),
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

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        text::read_text(&Self::SPEC, rendered, ("\n", "\n")).map(|text| Self { text })
    }
}

impl ContextualUserFragment for ExtensionContext {
    facts_of_spec!();

    fn body(&self) -> Body {
        Body::framed("\n", crate::neutralize(&self.text, Self::SPEC.end()), "\n")
    }
}
