//! How the model is to work with the user in the mode that is on.

use super::text;
use crate::{Body, Cap, ContextualUserFragment, FragmentError, FragmentSpec, Role};

/// Gives the model the instructions of a collaboration mode.
///
/// **Seen by**: the model, in the first context if the mode has instructions, and when mode or instructions change. An
/// empty text takes earlier instructions back: it renders as an empty pair of markers.
///
/// **Shape**: `<collaboration_mode>`, the text as it is, `</collaboration_mode>`.
///
/// **Bounds**: cap 10,000 tokens; a larger text is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollaborationModeInstructions {
    text: String,
}

impl CollaborationModeInstructions {
    // P0(2026-12-01): bound refused over 10,000 tokens, told once per change of mode; may grow: with the text a
    // host configures (1 to 9 KB today). Worth it: a mode is nothing but its instructions.
    const CAP: Cap = Cap::refusing_over::<10_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "CollaborationModeInstructions",
        Role::Developer,
        "collaboration_mode.instructions",
        ("<collaboration_mode>", "</collaboration_mode>"),
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

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        text::read_text(&Self::SPEC, rendered, ("", "")).map(|text| Self { text })
    }
}

impl ContextualUserFragment for CollaborationModeInstructions {
    facts_of_spec!();

    fn body(&self) -> Body {
        Body::new(crate::neutralize(&self.text, Self::SPEC.end()))
    }
}
