//! The stable name of what a content part is. Recording it beside the part is the business of messages.

use std::borrow::Cow;
use std::fmt;

use crate::FragmentError;

/// The stable label of a content part: `<feature>.<name>`.
///
/// It is recorded beside the part in `internal_chat_message_metadata_passthrough.content_item_kinds`, and it is what
/// recognition trusts first.
///
/// **Shape**: a JSON string such as `"agents_md.instructions"`.
///
/// # Example
///
/// ```
/// use annals_context_fragments::ContentKind;
///
/// let kind = ContentKind::new("tracker.ticket")?;
/// assert_eq!(kind.as_str(), "tracker.ticket");
/// assert!(ContentKind::new("no-dot").is_err());
/// # Ok::<(), annals_context_fragments::FragmentError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentKind(Cow<'static, str>);

impl ContentKind {
    /// The kind of a part of which nothing is known.
    pub const UNKNOWN: &'static str = "unknown";
    /// The kind of text that the user wrote.
    pub const USER_TEXT: &'static str = "user.text";
    /// The longest kind in bytes.
    pub const MAX_BYTES: usize = 128;

    /// A kind from a constant. Its form is not checked here; the audit of fragments reads it in the source.
    pub const fn from_static(kind: &'static str) -> Self {
        Self(Cow::Borrowed(kind))
    }

    /// A kind from a value.
    ///
    /// # Errors
    ///
    /// [`FragmentError::BadKind`] when it is not of the form `<feature>.<name>`, or longer than
    /// [`ContentKind::MAX_BYTES`].
    pub fn new<T: Into<String>>(kind: T) -> Result<Self, FragmentError> {
        let kind = kind.into();
        if Self::is_well_formed(&kind) {
            Ok(Self(Cow::Owned(kind)))
        } else {
            Err(FragmentError::BadKind {
                kind: FragmentError::excerpt(&kind),
            })
        }
    }

    /// Whether a text has the form of a kind: two or more parts of ASCII letters, digits, `_` and `-`, joined by dots.
    pub fn is_well_formed(kind: &str) -> bool {
        kind.len() <= Self::MAX_BYTES
            && kind.contains('.')
            && kind.split('.').all(|part| {
                !part.is_empty()
                    && part
                        .bytes()
                        .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
            })
    }

    /// The kind as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ContentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for ContentKind {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
