//! How the model is to go on by itself while persistent mode is on.

use super::replaceable::{Replaceable, Wording};
use crate::{Body, Cap, ContextualUserFragment, FragmentError, FragmentSpec, Role, notices};

const WORDING: Wording = Wording {
    replaced: notices::PERSISTENT_MODE_REPLACED,
    removed: notices::PERSISTENT_MODE_REMOVED,
};

/// Gives the model the instructions of persistent mode, in which it works on without being asked.
///
/// **Seen by**: the model, when the mode is on in the first context, and when it is turned on, changed or turned off.
///
/// **Shape**: `<persistent_mode>`, a line break, the text (behind the notice that it replaces earlier ones, and a blank
/// line, if it does), a line break, `</persistent_mode>`.
///
/// **Bounds**: cap 4,000 tokens, markers and notice counted; a larger text is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersistentModeInstructions {
    content: Replaceable,
}

impl PersistentModeInstructions {
    // P0(2026-12-01): bound refused over 4,000 tokens, told again only when the mode changes; may grow: with the template
    // that a model's catalog brings. Worth it: a mode is nothing but its instructions.
    const CAP: Cap = Cap::refusing_over::<4_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "PersistentModeInstructions",
        Role::Developer,
        "persistent_mode.instructions",
        ("<persistent_mode>", "</persistent_mode>"),
        Self::CAP,
    );

    /// The instructions told for the first time.
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

    /// The instructions that take the place of all earlier ones.
    ///
    /// # Errors
    ///
    /// As [`PersistentModeInstructions::new`].
    pub fn replacing<T: Into<String>>(text: T) -> Result<Self, FragmentError> {
        let fragment = Self {
            content: Replaceable::Replacing(text.into()),
        };
        fragment.check()?;
        Ok(fragment)
    }

    /// The notice that earlier instructions no longer hold.
    pub const fn removed() -> Self {
        Self {
            content: Replaceable::Removed,
        }
    }

    /// The instructions; nothing for the notice of removal.
    pub fn text(&self) -> Option<&str> {
        self.content.text()
    }

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        Replaceable::read(&Self::SPEC, &WORDING, rendered).map(|content| Self { content })
    }
}

impl ContextualUserFragment for PersistentModeInstructions {
    facts_of_spec!();

    fn body(&self) -> Body {
        self.content.body(&Self::SPEC, &WORDING)
    }
}
