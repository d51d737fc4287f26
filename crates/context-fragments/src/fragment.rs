//! The trait that everything injected into a model's context implements, and the one place where a cap is applied.

use crate::body::{Body, prefix};
use crate::cap::{Cap, Overflow};
use crate::estimate::tokens_for_bytes;
use crate::rendered::{Cut, RenderedFragment};
use crate::{ContentKind, FragmentError, Markers, Role};

/// A bounded, recognizable piece of context. The name is historical: developer text is made of the same.
///
/// The trait is open: hosts implement it for their own context. It is object safe; the two static functions need a
/// sized type.
///
/// **Bounds**: [`render`](Self::render) never returns more than [`cap`](Self::cap) allows, whatever the values are.
pub trait ContextualUserFragment {
    /// The role of the message that carries this fragment.
    fn role(&self) -> Role;

    /// The stable label that is recorded beside the text.
    fn content_kind(&self) -> ContentKind;

    /// Whether the fragment must have a message of its own instead of sharing one with its neighbours.
    fn requires_separate_message(&self) -> bool {
        false
    }

    /// The markers of this instance; may be [`Markers::NONE`] even where the type has markers.
    fn markers(&self) -> Markers;

    /// The markers by which texts of this type are recognized.
    fn type_markers() -> Markers
    where
        Self: Sized;

    /// The exact text between the markers, with the line breaks that are wanted, and what of it may be cut.
    fn body(&self) -> Body;

    /// The largest size of the rendering, markers included.
    fn cap(&self) -> Cap;

    /// Whether a text is one of this type, by the type's markers.
    fn matches_text(text: &str) -> bool
    where
        Self: Sized,
    {
        Self::type_markers().matches(text)
    }

    /// Whether the uncut rendering is allowed.
    ///
    /// Constructors of fragments that refuse instead of cutting call it, so that a fragment in hand always renders
    /// whole; whoever injects fragments of others calls it first.
    ///
    /// # Errors
    ///
    /// [`FragmentError::TooLarge`] when the cap is a refusing one and the uncut rendering is over it.
    fn check(&self) -> Result<(), FragmentError> {
        let cap = self.cap();
        let size_bytes = self.markers().len_bytes() + self.body().len_bytes();
        if cap.overflow() == Overflow::Refuse && size_bytes > cap.bytes() {
            return Err(FragmentError::TooLarge {
                kind: self.content_kind().as_str().to_owned(),
                tokens: tokens_for_bytes(size_bytes),
                cap_tokens: cap.tokens(),
            });
        }
        Ok(())
    }

    /// The text that the model sees: start marker, body, end marker, with nothing between them.
    fn render(&self) -> String {
        render_bounded(&self.markers(), &self.body(), self.cap()).0
    }

    /// The text with its role, kind, size and cut: what messages are made of.
    fn render_fragment(&self) -> RenderedFragment {
        let (text, cut) = render_bounded(&self.markers(), &self.body(), self.cap());
        RenderedFragment::new(
            self.role(),
            self.content_kind(),
            text,
            cut,
            self.requires_separate_message(),
        )
    }
}

/// Joins markers and body within the cap.
///
/// Markers that leave no room for a body can only come from an implementation outside the catalogue; then the text is
/// cut as a whole, for a bound that holds is worth more than a marker that matches.
fn render_bounded(markers: &Markers, body: &Body, cap: Cap) -> (String, Option<Cut>) {
    let Some(room_bytes) = cap.bytes().checked_sub(markers.len_bytes()) else {
        let whole = [markers.start(), &body.fit(cap.bytes()).0, markers.end()].concat();
        let kept = prefix(&whole, cap.bytes());
        let size_bytes = markers.len_bytes() + body.len_bytes();
        return (kept.to_owned(), Some(Cut::new(size_bytes, kept.len())));
    };
    let (body, cut) = body.fit(room_bytes);
    ([markers.start(), &body, markers.end()].concat(), cut)
}
