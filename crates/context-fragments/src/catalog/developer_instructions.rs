//! What the developer of the host has to say to the model.

use crate::{Body, Cap, ContextualUserFragment, FragmentError, FragmentSpec, Role};

/// Gives the model the configured instructions of the host.
///
/// **Seen by**: the model, in the first context of a thread and after a compaction.
///
/// **Shape**: the text alone, without markers: it is recognized by its recorded kind only.
///
/// **Bounds**: cap 10,000 tokens; a larger text is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeveloperInstructions {
    text: String,
}

impl DeveloperInstructions {
    // P0(2026-12-01): bound refused over 10,000 tokens, once per context window; may grow: with what a host
    // configures. Worth it: it is how a host makes the agent its own.
    const CAP: Cap = Cap::refusing_over::<10_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "DeveloperInstructions",
        Role::Developer,
        "generic.developer_instructions",
        ("", ""),
        Self::CAP,
    );

    /// The fragment with this text.
    ///
    /// # Errors
    ///
    /// [`FragmentError::TooLarge`] when the rendering is over the cap.
    pub fn new<T: Into<String>>(text: T) -> Result<Self, FragmentError> {
        let fragment = Self { text: text.into() };
        fragment.check()?;
        Ok(fragment)
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl ContextualUserFragment for DeveloperInstructions {
    facts_of_spec!();

    fn body(&self) -> Body {
        Body::new(self.text.as_str())
    }
}
