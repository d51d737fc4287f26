//! What can be wrong with one JSON text; files and lines are the business of `annals-rollout`.

/// Why a text could not be taken as the value that it was meant to be.
///
/// The text of an error says what is wrong and where inside the text (bytes of UTF-8, from 0); it
/// never repeats the text itself, which may be megabytes long.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The text is not one JSON value. A record cut short ends here.
    #[error("not valid JSON at byte {byte_offset}: {reason}")]
    Syntax {
        /// Where the parser stopped.
        byte_offset: usize,
        /// The parser's own words.
        reason: String,
        /// Whether the text simply ended too early, as a torn write leaves it.
        is_eof: bool,
    },
    /// Arrays and objects stand deeper inside each other than [`MAX_DEPTH`](crate::MAX_DEPTH).
    #[error("nested deeper than {limit} levels at byte {byte_offset}")]
    TooDeep {
        /// The bracket that opens the level beyond the limit.
        byte_offset: usize,
        /// The limit.
        limit: usize,
    },
    /// A `\uD800`–`\uDFFF` escape without its other half: no UTF-8 string can hold it.
    #[error("lone surrogate escape at byte {byte_offset}")]
    LoneSurrogate {
        /// The backslash of the escape.
        byte_offset: usize,
    },
    /// The text is larger than one value may be.
    #[error("{len_bytes} bytes are more than the {limit_bytes} that one value may have")]
    TooLarge {
        /// The size of the text.
        len_bytes: usize,
        /// The largest size.
        limit_bytes: usize,
    },
    /// The value is no JSON object where one is needed.
    #[error("not a JSON object")]
    NotObject,
    /// A member that every such object has is not there.
    #[error("no member `{member}`")]
    MissingMember {
        /// The member's key.
        member: &'static str,
    },
    /// The JSON is fine, but a known member does not have the shape that its kind demands.
    #[error("malformed {kind}: {reason}")]
    Malformed {
        /// What was being read.
        kind: String,
        /// The decoder's own words.
        reason: String,
    },
}

impl DecodeError {
    pub(crate) fn malformed<E: std::fmt::Display>(kind: &str, reason: E) -> Self {
        let reason = reason.to_string();
        // serde_json ends its words with a line and a column. A record is one line, and the column
        // counts from the start of the payload: said in bytes, it can be found.
        let reason = match reason.rsplit_once(" at line 1 column ") {
            Some((words, column)) => match column.parse::<usize>() {
                Ok(column) => format!("{words}, at byte {} of it", column.saturating_sub(1)),
                Err(_) => reason,
            },
            None => reason,
        };
        Self::Malformed {
            kind: kind.to_owned(),
            reason,
        }
    }

    /// Where in the text the fault is, in bytes from 0, as far as that is known.
    pub fn byte_offset(&self) -> Option<usize> {
        match self {
            Self::Syntax { byte_offset, .. }
            | Self::TooDeep { byte_offset, .. }
            | Self::LoneSurrogate { byte_offset } => Some(*byte_offset),
            Self::TooLarge { .. }
            | Self::NotObject
            | Self::MissingMember { .. }
            | Self::Malformed { .. } => None,
        }
    }
}
