//! A fragment that has become text: its size and its cut are known. How texts share a message is the message's.

use std::fmt;

use crate::estimate::estimate_tokens;
use crate::{ContentKind, Role};

/// What was left out of a text that was over its limit.
///
/// **Units**: bytes of UTF-8 of the text as it would have been rendered, without the mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cut {
    original_bytes: usize,
    kept_bytes: usize,
}

impl Cut {
    /// A cut from `original_bytes` to `kept_bytes`.
    pub const fn new(original_bytes: usize, kept_bytes: usize) -> Self {
        Self {
            original_bytes,
            kept_bytes,
        }
    }

    /// Size of the text before.
    pub const fn original_bytes(self) -> usize {
        self.original_bytes
    }

    /// How much of it was kept.
    pub const fn kept_bytes(self) -> usize {
        self.kept_bytes
    }

    /// How much of it was left out.
    pub const fn removed_bytes(self) -> usize {
        self.original_bytes.saturating_sub(self.kept_bytes)
    }

    /// An earlier cut of a part and a later cut of the whole, as one: what the first removed was never in the second.
    pub(crate) fn merged(earlier: Option<Self>, later: Option<Self>) -> Option<Self> {
        match (earlier, later) {
            (Some(a), Some(b)) => Some(Self::new(
                b.original_bytes.saturating_add(a.removed_bytes()),
                b.kept_bytes,
            )),
            (cut, None) | (None, cut) => cut,
        }
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} bytes left out",
            self.removed_bytes(),
            self.original_bytes
        )
    }
}

/// A fragment as text, within its cap.
///
/// It can only be made by rendering a fragment, so its size is bounded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedFragment {
    role: Role,
    kind: ContentKind,
    text: String,
    cut: Option<Cut>,
    separate: bool,
}

impl RenderedFragment {
    pub(crate) const fn new(
        role: Role,
        kind: ContentKind,
        text: String,
        cut: Option<Cut>,
        separate: bool,
    ) -> Self {
        Self {
            role,
            kind,
            text,
            cut,
            separate,
        }
    }

    /// The role of the message that carries the text.
    pub const fn role(&self) -> Role {
        self.role
    }

    /// The label that is recorded beside the text.
    pub const fn kind(&self) -> &ContentKind {
        &self.kind
    }

    /// The text, markers included.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Estimated tokens of the text: 4 bytes each, rounded up.
    pub fn tokens(&self) -> u64 {
        estimate_tokens(&self.text)
    }

    /// What was left out to stay within the cap.
    pub const fn cut(&self) -> Option<Cut> {
        self.cut
    }

    /// Whether the text must have a message of its own.
    pub const fn requires_separate_message(&self) -> bool {
        self.separate
    }

    /// The text alone.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Role, kind and text.
    pub fn into_parts(self) -> (Role, ContentKind, String) {
        (self.role, self.kind, self.text)
    }
}
