//! The base instructions of a thread, where they travel as an item.

use crate::{Body, Cap, ContextualUserFragment, FragmentError, FragmentSpec, Role};

/// Gives the model its base instructions, fixed when the thread is made.
///
/// **Seen by**: the model, first in its context, where the provider takes them as an item and not as a field.
///
/// **Shape**: the text alone, without markers: it is recognized by its recorded kind only.
///
/// **Bounds**: cap 10,000 tokens; a larger text is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseInstructions {
    text: String,
}

impl BaseInstructions {
    // P0(2026-12-01): bound refused over 10,000 tokens, once per context window; may grow: with the text that a
    // model needs (26 KB today). Worth it: everything the model does rests on it.
    const CAP: Cap = Cap::refusing_over::<10_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "BaseInstructions",
        Role::Developer,
        "model.base_instructions",
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

impl ContextualUserFragment for BaseInstructions {
    facts_of_spec!();

    fn body(&self) -> Body {
        Body::new(self.text.as_str())
    }
}
