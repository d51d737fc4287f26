//! What a section may ask of the history: which texts stand in it.
//!
//! The history itself is kept elsewhere; it lends its texts one by one.

use annals_context_fragments::{ContentKind, ContextualUserFragment};
use std::ops::ControlFlow;

/// One text part of a message in the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPart<'a> {
    role: &'a str,
    text: &'a str,
    kind: Option<&'a str>,
}

impl<'a> TextPart<'a> {
    /// A part of which only role and text are known.
    pub fn new(role: &'a str, text: &'a str) -> Self {
        Self {
            role,
            text,
            kind: None,
        }
    }

    /// The part with the content kind that was recorded beside it, if one was.
    #[must_use]
    pub fn with_kind(mut self, kind: Option<&'a str>) -> Self {
        self.kind = kind;
        self
    }

    /// The role of the message, as on the wire.
    pub fn role(self) -> &'a str {
        self.role
    }

    /// The text.
    pub fn text(self) -> &'a str {
        self.text
    }

    /// The recorded content kind.
    pub fn kind(self) -> Option<&'a str> {
        self.kind
    }

    /// Whether this is a fragment of type `F` in a message of this role.
    ///
    /// A part that is recorded as the user's own words is none, whatever it says.
    pub fn is<F: ContextualUserFragment>(self, role: &str) -> bool {
        self.role == role && self.kind != Some(ContentKind::USER_TEXT) && F::matches_text(self.text)
    }
}

/// The texts of a history, lent one by one.
///
/// The trait is open: whoever keeps a history implements it.
pub trait HistoryTexts {
    /// Calls `visit` with each text part of each message, **newest first**, until it breaks.
    fn visit_newest_first(&self, visit: &mut dyn FnMut(TextPart<'_>) -> ControlFlow<()>);
}

/// Parts in the order in which they were told, oldest first.
impl<'a, T: Copy + Into<TextPart<'a>>> HistoryTexts for &[T] {
    fn visit_newest_first(&self, visit: &mut dyn FnMut(TextPart<'_>) -> ControlFlow<()>) {
        for part in self.iter().rev() {
            if visit((*part).into()).is_break() {
                return;
            }
        }
    }
}

impl<'a, T: Copy + Into<TextPart<'a>>> HistoryTexts for Vec<T> {
    fn visit_newest_first(&self, visit: &mut dyn FnMut(TextPart<'_>) -> ControlFlow<()>) {
        self.as_slice().visit_newest_first(visit);
    }
}

impl<'a, T: Copy + Into<TextPart<'a>>, const N: usize> HistoryTexts for [T; N] {
    fn visit_newest_first(&self, visit: &mut dyn FnMut(TextPart<'_>) -> ControlFlow<()>) {
        self.as_slice().visit_newest_first(visit);
    }
}

impl<'a> From<(&'a str, &'a str)> for TextPart<'a> {
    fn from((role, text): (&'a str, &'a str)) -> Self {
        Self::new(role, text)
    }
}

/// What is known of the history when a change is told.
#[derive(Clone, Copy)]
pub enum HistoryView<'a> {
    /// Everything that was told since the baseline was set is still there. No text is looked at:
    /// this is the view of a running thread, where a step must not cost the length of its history.
    Intact,
    /// Texts may be missing, or there may be some that no baseline knows: after a resume, and after
    /// a history was rewritten. The texts are walked once, and only if a section needs them.
    Texts(&'a dyn HistoryTexts),
}

impl std::fmt::Debug for HistoryView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Intact => "Intact",
            Self::Texts(_) => "Texts",
        })
    }
}
