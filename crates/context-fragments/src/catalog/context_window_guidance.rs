//! How the model is to use what it has of its context window.

use super::replaceable::{Replaceable, Wording};
use crate::{Body, Cap, ContextualUserFragment, FragmentError, FragmentSpec, Role, notices};

const WORDING: Wording = Wording {
    replaced: notices::CONTEXT_WINDOW_GUIDANCE_REPLACED,
    removed: notices::CONTEXT_WINDOW_GUIDANCE_REMOVED,
};

/// Gives the model the configured guidance on the use of its context window.
///
/// **Seen by**: the model, in the first context if there is any, and when it changes.
///
/// **Shape**: `<context_window_guidance>`, a line break, the text (behind the notice that it replaces earlier ones, and a
/// blank line, if it does), a line break, `</context_window_guidance>`.
///
/// **Bounds**: cap 4,000 tokens, markers and notice counted; a larger text is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextWindowGuidance {
    content: Replaceable,
}

impl ContextWindowGuidance {
    // P0(2026-12-01): bound refused over 4,000 tokens, told again only when it changes; may grow: with what a host
    // configures. Worth it: a model that does not know how its window ends wastes it.
    const CAP: Cap = Cap::refusing_over::<4_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "ContextWindowGuidance",
        Role::Developer,
        "token_budget.context_window_guidance",
        ("<context_window_guidance>", "</context_window_guidance>"),
        Self::CAP,
    );

    /// The guidance told for the first time.
    ///
    /// # Errors
    ///
    /// [`FragmentError::TooLarge`] when the rendering with the notice would be over the cap.
    pub fn new<T: Into<String>>(text: T) -> Result<Self, FragmentError> {
        let text = text.into();
        let longest = Self {
            content: Replaceable::Replacing(text),
        };
        longest.check()?;
        Ok(Self {
            content: longest.content.into_first(),
        })
    }

    /// The guidance that take the place of all earlier ones.
    ///
    /// # Errors
    ///
    /// As [`ContextWindowGuidance::new`].
    pub fn replacing<T: Into<String>>(text: T) -> Result<Self, FragmentError> {
        let fragment = Self {
            content: Replaceable::Replacing(text.into()),
        };
        fragment.check()?;
        Ok(fragment)
    }

    /// The notice that earlier guidance no longer hold.
    pub const fn removed() -> Self {
        Self {
            content: Replaceable::Removed,
        }
    }

    /// The guidance; nothing for the notice of removal.
    pub fn text(&self) -> Option<&str> {
        self.content.text()
    }

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        Replaceable::read(&Self::SPEC, &WORDING, rendered).map(|content| Self { content })
    }
}

impl ContextualUserFragment for ContextWindowGuidance {
    facts_of_spec!();

    fn body(&self) -> Body {
        self.content.body(&Self::SPEC, &WORDING)
    }
}
