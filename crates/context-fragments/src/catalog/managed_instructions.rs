//! The rules of whoever manages the installation.

use super::replaceable::{Replaceable, Wording};
use crate::{Body, Cap, ContextualUserFragment, FragmentError, FragmentSpec, Role, notices};

const WORDING: Wording = Wording {
    replaced: notices::MANAGED_REPLACED,
    removed: notices::MANAGED_REMOVED,
};

/// Gives the model the rules that the managed configuration demands.
///
/// **Seen by**: the model, as a message of its own, last of the first context, and when the rules change.
///
/// **Shape**: `<managed_developer_instructions>`, a line break, the text (behind the notice that it replaces earlier
/// ones, and a blank line, if it does), a line break, `</managed_developer_instructions>`.
///
/// **Bounds**: cap 10,000 tokens, markers and notice counted even where the notice does not stand: a text that is accepted
/// once is accepted in every form. A larger text is refused: half a rule may allow what the whole forbids.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{ContextualUserFragment, catalog::ManagedDeveloperInstructions};
///
/// let rules = ManagedDeveloperInstructions::replacing("Never push.")?;
/// assert!(rules.render().contains("replace all previously provided managed developer instructions.\n\nNever push.\n"));
/// assert_eq!(ManagedDeveloperInstructions::read(&rules.render()), Some(rules));
/// # Ok::<(), annals_context_fragments::FragmentError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagedDeveloperInstructions {
    content: Replaceable,
}

impl ManagedDeveloperInstructions {
    // P0(2026-12-01): bound refused over 10,000 tokens, told again only when it changes; may grow: with the rules of an
    // organization. Worth it: an agent that does not know them breaks them.
    const CAP: Cap = Cap::refusing_over::<10_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "ManagedDeveloperInstructions",
        Role::Developer,
        "managed_config.developer_instructions",
        (
            "<managed_developer_instructions>",
            "</managed_developer_instructions>",
        ),
        Self::CAP,
    );

    /// The rules told for the first time.
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

    /// The rules that take the place of all earlier ones.
    ///
    /// # Errors
    ///
    /// As [`ManagedDeveloperInstructions::new`].
    pub fn replacing<T: Into<String>>(text: T) -> Result<Self, FragmentError> {
        let fragment = Self {
            content: Replaceable::Replacing(text.into()),
        };
        fragment.check()?;
        Ok(fragment)
    }

    /// The notice that earlier rules no longer hold.
    pub const fn removed() -> Self {
        Self {
            content: Replaceable::Removed,
        }
    }

    /// The rules; nothing for the notice of removal.
    pub fn text(&self) -> Option<&str> {
        self.content.text()
    }

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        Replaceable::read(&Self::SPEC, &WORDING, rendered).map(|content| Self { content })
    }
}

impl ContextualUserFragment for ManagedDeveloperInstructions {
    facts_of_spec!();

    fn requires_separate_message(&self) -> bool {
        true
    }

    fn body(&self) -> Body {
        self.content.body(&Self::SPEC, &WORDING)
    }
}
