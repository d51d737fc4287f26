//! The text of a section that an extension adds to the world state.

use crate::{
    Body, Cap, ContentKind, ContextualUserFragment, FragmentError, Markers, Role, neutralize,
};

/// Gives the model the text of an extension's section.
///
/// **Seen by**: the model, when the extension says so.
///
/// **Shape**: `<ID>`, a line break, the text, a line break, `</ID>`, or markers and role of the extension's choice. The
/// kind is `ID.instructions`.
///
/// **Bounds**: cap 1,000 tokens unless the extension takes another; a longer text is cut with a mark.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{ContextualUserFragment, catalog::ExtensionSectionText};
///
/// let text = ExtensionSectionText::developer("weather", "It rains.")?;
/// assert_eq!(text.render(), "<weather>\nIt rains.\n</weather>");
/// assert_eq!(text.content_kind().as_str(), "weather.instructions");
/// # Ok::<(), annals_context_fragments::FragmentError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtensionSectionText {
    role: Role,
    kind: ContentKind,
    markers: Markers,
    text: String,
    cap: Cap,
}

impl ExtensionSectionText {
    const CAP: Cap = Cap::cutting_at::<1_000>();
    const MAX_MARKER_BYTES: usize = 128;

    /// A text of the developer, for the section with this id.
    ///
    /// # Errors
    ///
    /// [`FragmentError::BadName`] when the id is not 1 to 64 ASCII letters, digits, `_` and `-`.
    pub fn developer<T: Into<String>>(section_id: &str, text: T) -> Result<Self, FragmentError> {
        Self::with_role(Role::Developer, section_id, text.into())
    }

    /// A text in the user's place, for the section with this id.
    ///
    /// # Errors
    ///
    /// As [`ExtensionSectionText::developer`].
    pub fn user<T: Into<String>>(section_id: &str, text: T) -> Result<Self, FragmentError> {
        Self::with_role(Role::User, section_id, text.into())
    }

    fn with_role(role: Role, section_id: &str, text: String) -> Result<Self, FragmentError> {
        check_word("section id", section_id)?;
        Ok(Self {
            role,
            kind: ContentKind::new(format!("{section_id}.instructions"))?,
            markers: Markers::from_owned(format!("<{section_id}>"), format!("</{section_id}>")),
            text,
            cap: Self::CAP,
        })
    }

    /// The same with other markers.
    ///
    /// # Errors
    ///
    /// [`FragmentError::BadMarkers`] when a marker is not of the form `<…>` with no other `<`, `>` or `&` in it, is longer
    /// than 128 bytes, or when both are the same.
    pub fn with_markers(mut self, start: &str, end: &str) -> Result<Self, FragmentError> {
        let is_tag = |marker: &str| {
            let inner = marker
                .strip_prefix('<')
                .and_then(|rest| rest.strip_suffix('>'));
            inner.is_some_and(|inner| {
                !inner.is_empty()
                    && !inner.contains(['<', '>', '&'])
                    && !inner.contains(char::is_control)
            }) && marker.len() <= Self::MAX_MARKER_BYTES
        };
        let why = if !is_tag(start) || !is_tag(end) {
            "a marker is one tag of at most 128 bytes"
        } else if start.eq_ignore_ascii_case(end) {
            "they are the same"
        } else {
            self.markers = Markers::from_owned(start.to_owned(), end.to_owned());
            return Ok(self);
        };
        Err(FragmentError::BadMarkers {
            start: FragmentError::excerpt(start),
            end: FragmentError::excerpt(end),
            why,
        })
    }

    /// The same with another cap. Over 1,000 tokens it deserves a note that says what bounds the text.
    ///
    /// # Errors
    ///
    /// [`FragmentError::TooLarge`] when the cap is a refusing one and the text is over it.
    pub fn with_cap(mut self, cap: Cap) -> Result<Self, FragmentError> {
        self.cap = cap;
        self.check()?;
        Ok(self)
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A word that becomes part of a marker or of a kind.
pub(super) fn check_word(what: &'static str, value: &str) -> Result<(), FragmentError> {
    const MAX_BYTES: usize = 64;
    let is_good = (1..=MAX_BYTES).contains(&value.len())
        && value
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if is_good {
        return Ok(());
    }
    Err(FragmentError::BadName {
        what,
        value: FragmentError::excerpt(value),
        allowed: "ASCII letters, digits, `_` and `-`",
        max_bytes: MAX_BYTES,
    })
}

impl ContextualUserFragment for ExtensionSectionText {
    fn role(&self) -> Role {
        self.role
    }

    fn content_kind(&self) -> ContentKind {
        self.kind.clone()
    }

    fn markers(&self) -> Markers {
        self.markers.clone()
    }

    fn type_markers() -> Markers {
        Markers::NONE
    }

    // P0(2026-12-01): bound 1,000 tokens unless the extension takes another cap, which the type keeps within 10,000; may
    // grow: with the cap that an extension takes. Worth it: extensions know their own needs.
    fn cap(&self) -> Cap {
        self.cap
    }

    fn body(&self) -> Body {
        Body::framed("\n", neutralize(&self.text, self.markers.end()), "\n")
    }
}
