//! Instructions that a host gives to one thread.

use super::text;
use crate::{Body, Cap, ContextualUserFragment, FragmentError, FragmentSpec, Role};

/// Gives the model the instructions that the host made for this thread alone.
///
/// **Seen by**: the model, in the first context of the thread and after a compaction.
///
/// **Shape**: `<thread_instructions>`, a line break, the text, a line break, `</thread_instructions>`.
///
/// **Bounds**: cap 10,000 tokens, markers counted; a larger text is refused when the thread is made.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{FragmentError, catalog::ThreadInstructions};
///
/// let refused = ThreadInstructions::new("x".repeat(40_000));
/// assert!(matches!(refused, Err(FragmentError::TooLarge { tokens: 10_012, cap_tokens: 10_000, .. })));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadInstructions {
    text: String,
}

impl ThreadInstructions {
    // P0(2026-12-01): bound refused over 10,000 tokens, once per context window; may grow: with what a host writes
    // for a thread. Worth it: the host asks for exactly this text.
    const CAP: Cap = Cap::refusing_over::<10_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "ThreadInstructions",
        Role::Developer,
        "thread.instructions",
        ("<thread_instructions>", "</thread_instructions>"),
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
        text::read_text(&Self::SPEC, rendered, ("\n", "\n")).map(|text| Self { text })
    }
}

impl ContextualUserFragment for ThreadInstructions {
    facts_of_spec!();

    fn body(&self) -> Body {
        Body::framed("\n", crate::neutralize(&self.text, Self::SPEC.end()), "\n")
    }
}
