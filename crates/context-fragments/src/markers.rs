//! The two ends of a fragment's text, and the rule by which they are recognized. Which fragment has which is the catalogue's.

use std::borrow::Cow;

/// The start and the end marker of a fragment. Both empty means that the fragment cannot be recognized by its text.
///
/// # Example
///
/// ```
/// use annals_context_fragments::Markers;
///
/// const TICKET: Markers = Markers::new("<ticket>", "</ticket>");
/// assert!(TICKET.matches("\n <TICKET>42</ticket> "));
/// assert!(!TICKET.matches("see <ticket>42</ticket>"));
/// assert!(!Markers::NONE.matches(""));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markers {
    start: Cow<'static, str>,
    end: Cow<'static, str>,
}

impl Markers {
    /// No markers: the body stands alone.
    pub const NONE: Self = Self::new("", "");

    /// Markers from constants.
    pub const fn new(start: &'static str, end: &'static str) -> Self {
        Self {
            start: Cow::Borrowed(start),
            end: Cow::Borrowed(end),
        }
    }

    /// Markers from values of an instance.
    pub const fn from_owned(start: String, end: String) -> Self {
        Self {
            start: Cow::Owned(start),
            end: Cow::Owned(end),
        }
    }

    /// The start marker.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// The end marker.
    pub fn end(&self) -> &str {
        &self.end
    }

    /// Whether both markers are empty.
    pub fn is_none(&self) -> bool {
        self.start.is_empty() && self.end.is_empty()
    }

    /// Bytes of both markers.
    pub fn len_bytes(&self) -> usize {
        self.start.len() + self.end.len()
    }

    /// Whether a text starts and ends with the markers.
    ///
    /// White space around the text is left aside, ASCII letters match in either case, and the two markers do not
    /// overlap. If either marker is empty nothing matches.
    ///
    /// **Cost**: the length of the markers and of the surrounding white space, whatever stands between.
    pub fn matches(&self, text: &str) -> bool {
        matches_trimmed(&self.start, &self.end, text.trim())
    }
}

/// The rule of [`Markers::matches`] on a text that is trimmed already.
pub(crate) fn matches_trimmed(start: &str, end: &str, trimmed: &str) -> bool {
    !start.is_empty()
        && !end.is_empty()
        && trimmed.len() >= start.len() + end.len()
        && starts_with_ignoring_case(trimmed, start)
        && ends_with_ignoring_case(trimmed, end)
}

/// Whether `text` starts with `prefix`, ASCII letters in either case.
pub(crate) fn starts_with_ignoring_case(text: &str, prefix: &str) -> bool {
    text.as_bytes()
        .get(..prefix.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(prefix.as_bytes()))
}

/// Whether `text` ends with `suffix`, ASCII letters in either case.
pub(crate) fn ends_with_ignoring_case(text: &str, suffix: &str) -> bool {
    text.len()
        .checked_sub(suffix.len())
        .and_then(|at| text.as_bytes().get(at..))
        .is_some_and(|tail| tail.eq_ignore_ascii_case(suffix.as_bytes()))
}
