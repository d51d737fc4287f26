//! Context that a client hands in beside the user's message, under keys of its own.

use super::extension_section::check_word;
use crate::markers::{ends_with_ignoring_case, starts_with_ignoring_case};
use crate::{
    Body, Cap, ContentKind, ContextualUserFragment, FragmentError, FragmentSpec, Markers, Matching,
    Role, neutralize, restore,
};

const USER_START: &str = "<external_";
const USER_END: &str = "</external_";

/// Gives the model a value of the client.
///
/// **Seen by**: the model, before the user's message of the turn.
///
/// **Shape**: in the user's place `<external_KEY>`, the value, `</external_KEY>`; as developer `<KEY>`, the value,
/// `</KEY>`. The kind is `additional_content.KEY`. Without a recorded kind only the user's form is recognized.
///
/// **Bounds**: cap 1,000 tokens; a longer value is cut with a mark.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{ContextualUserFragment, catalog::AdditionalContext};
///
/// let open = AdditionalContext::user("open_file", "main.rs")?;
/// assert_eq!(open.render(), "<external_open_file>main.rs</external_open_file>");
/// assert_eq!(AdditionalContext::read(&open.render()), Some(open));
/// # Ok::<(), annals_context_fragments::FragmentError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdditionalContext {
    role: Role,
    key: String,
    value: String,
}

impl AdditionalContext {
    const CAP: Cap = Cap::cutting_at::<1_000>();

    /// Its row in the catalogue. Every key has a kind of its own, so the row has none.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "AdditionalContext",
        Role::User,
        "",
        (USER_START, USER_END),
        Self::CAP,
    )
    .event()
    .matched_by(Matching::Custom(is_additional_context));

    /// A value in the user's place.
    ///
    /// # Errors
    ///
    /// [`FragmentError::BadName`] when the key is not 1 to 64 ASCII letters, digits, `_` and `-`.
    pub fn user<T: Into<String>>(key: &str, value: T) -> Result<Self, FragmentError> {
        check_word("key", key)?;
        Ok(Self {
            role: Role::User,
            key: key.to_owned(),
            value: value.into(),
        })
    }

    /// A value as developer.
    ///
    /// # Errors
    ///
    /// As [`AdditionalContext::user`].
    pub fn developer<T: Into<String>>(key: &str, value: T) -> Result<Self, FragmentError> {
        check_word("key", key)?;
        Ok(Self {
            role: Role::Developer,
            key: key.to_owned(),
            value: value.into(),
        })
    }

    /// The key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The value.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Reads a rendering in the user's place back.
    pub fn read(rendered: &str) -> Option<Self> {
        let (key, value) = rendered.trim().strip_prefix(USER_START)?.split_once('>')?;
        check_word("key", key).ok()?;
        let end = [USER_END, key, ">"].concat();
        let value = restore(value.strip_suffix(&end)?, &end).into_owned();
        Some(Self {
            role: Role::User,
            key: key.to_owned(),
            value,
        })
    }

    fn name(&self) -> String {
        match self.role {
            Role::Developer | Role::Assistant => self.key.clone(),
            Role::User => ["external_", &self.key].concat(),
        }
    }
}

/// Whether a text starts and ends with the same `external_` tag. The key is at most 64 bytes, so no more is looked at.
fn is_additional_context(trimmed: &str) -> bool {
    let Some(rest) = trimmed.get(USER_START.len()..) else {
        return false;
    };
    let key = rest
        .get(..rest.floor_char_boundary(65))
        .and_then(|window| window.split_once('>'));
    let Some((key, _)) = key else { return false };
    let start_bytes = USER_START.len() + key.len() + 1;
    let end = [USER_END, key, ">"].concat();
    check_word("key", key).is_ok()
        && starts_with_ignoring_case(trimmed, USER_START)
        && trimmed.len() >= start_bytes + end.len()
        && ends_with_ignoring_case(trimmed, &end)
}

impl ContextualUserFragment for AdditionalContext {
    fn role(&self) -> Role {
        self.role
    }

    fn content_kind(&self) -> ContentKind {
        // A key is a word, so this is always a well-formed kind.
        let kind = ContentKind::new(["additional_content.", &self.key].concat());
        kind.unwrap_or(ContentKind::from_static("additional_content.value"))
    }

    fn markers(&self) -> Markers {
        let name = self.name();
        Markers::from_owned(["<", &name, ">"].concat(), ["</", &name, ">"].concat())
    }

    fn type_markers() -> Markers {
        Self::SPEC.markers()
    }

    fn matches_text(text: &str) -> bool {
        Self::SPEC.matches(text)
    }

    fn cap(&self) -> Cap {
        Self::CAP
    }

    fn body(&self) -> Body {
        Body::new(neutralize(&self.value, self.markers().end()))
    }
}
