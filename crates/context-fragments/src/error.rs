//! What a fragment's constructor refuses, and why.

use thiserror::Error;

/// A fragment that cannot be made from the given values.
///
/// Only values whose cutting would change the meaning of a rule are refused for their size; all others are cut and
/// the cut is reported by [`RenderedFragment::cut`](crate::RenderedFragment::cut).
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FragmentError {
    /// The text is over the cap of a fragment that must not be cut.
    /// Shorten the text at its source; nothing was injected.
    #[error(
        "`{kind}` is {tokens} estimated tokens with its markers, over its cap of {cap_tokens}; it is never cut"
    )]
    TooLarge {
        /// The content kind of the fragment.
        kind: String,
        /// Estimated tokens of the whole rendering, markers included.
        tokens: u64,
        /// The fragment's cap in estimated tokens.
        cap_tokens: u32,
    },
    /// A content kind that is not of the form `<feature>.<name>`.
    /// Use ASCII letters, digits, `_` and `-` with at least one dot between the parts.
    #[error("content kind {kind:?} is not of the form `<feature>.<name>`")]
    BadKind {
        /// The kind as given, at most its first 80 characters.
        kind: String,
    },
    /// A name that becomes part of a marker holds a character that a marker cannot hold, or is too long.
    #[error("{what} {value:?} may only hold {allowed}, and 1 to {max_bytes} bytes")]
    BadName {
        /// Which name.
        what: &'static str,
        /// The name as given, at most its first 80 characters.
        value: String,
        /// The characters that are allowed.
        allowed: &'static str,
        /// The longest allowed name in bytes.
        max_bytes: usize,
    },
    /// Markers of which only one is empty, or an end marker that could stand inside an ordinary text.
    #[error("markers {start:?} and {end:?} cannot delimit a fragment: {why}")]
    BadMarkers {
        /// The start marker, at most its first 80 characters.
        start: String,
        /// The end marker, at most its first 80 characters.
        end: String,
        /// What is wrong with them.
        why: &'static str,
    },
}

impl FragmentError {
    /// What to do about it, in one sentence.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => {
                "shorten the text, or move the details to a file that the model can read"
            }
            Self::BadKind { .. } => "name the feature and the thing, as in `tracker.ticket`",
            Self::BadName { .. } => "choose a shorter name of the allowed characters",
            Self::BadMarkers { .. } => "use a pair such as `<name>` and `</name>`",
        }
    }

    /// The first 80 characters of a value, for a message that must stay short.
    pub(crate) fn excerpt(value: &str) -> String {
        value.chars().take(80).collect()
    }
}
