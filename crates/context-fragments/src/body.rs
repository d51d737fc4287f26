//! The text between a fragment's markers, with the part of it that may be cut. The size it must fit is the cap's.

use crate::escape;
use crate::rendered::Cut;

/// Which end of a text stays when it is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Keep {
    /// The beginning stays; the mark stands at the end. For rules and lists.
    Head,
    /// The beginning and the end stay; the mark stands between. For output.
    HeadAndTail,
}

/// The body of a fragment: a lead and a tail that are always whole, and between them the text that may be cut.
///
/// A fragment says with it what may be cut; the trait's `render` decides whether it is.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{Body, Keep};
///
/// let body = Body::framed("<log>", "x".repeat(1_000), "</log>").keeping(Keep::HeadAndTail);
/// let (text, cut) = body.fit(100);
/// assert!(text.len() <= 100);
/// assert!(text.starts_with("<log>x") && text.ends_with("x</log>"));
/// assert!(cut.is_some_and(|cut| cut.removed_bytes() > 900));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    lead: String,
    text: String,
    tail: String,
    keep: Keep,
    cut: Option<Cut>,
}

impl Body {
    /// A body that may be cut anywhere.
    pub fn new<T: Into<String>>(text: T) -> Self {
        Self::framed("", text, "")
    }

    /// A body of which only `text` may be cut; `lead` and `tail` frame it and stay whole.
    pub fn framed<L, T, E>(lead: L, text: T, tail: E) -> Self
    where
        L: Into<String>,
        T: Into<String>,
        E: Into<String>,
    {
        Self {
            lead: lead.into(),
            text: text.into(),
            tail: tail.into(),
            keep: Keep::Head,
            cut: None,
        }
    }

    /// A body of free text in which nothing reads as `end_marker` any more.
    ///
    /// [`restore`](crate::restore) gives the text back.
    pub fn neutralized(text: &str, end_marker: &str) -> Self {
        Self::new(escape::neutralize(text, end_marker))
    }

    /// Chooses which end stays when the text is cut; [`Keep::Head`] if not called.
    #[must_use]
    pub fn keeping(mut self, keep: Keep) -> Self {
        self.keep = keep;
        self
    }

    /// Tells of a cut that the fragment made itself, such as entries that it left out of a list.
    #[must_use]
    pub fn with_cut(mut self, cut: Option<Cut>) -> Self {
        self.cut = Cut::merged(self.cut, cut);
        self
    }

    /// Bytes of the uncut body.
    pub fn len_bytes(&self) -> usize {
        self.lead.len() + self.text.len() + self.tail.len()
    }

    /// The body as text of at most `room_bytes`, and what was cut from it.
    ///
    /// If lead, tail and mark alone do not fit, the whole body is cut like a text, and if not even the mark fits,
    /// only as much of the text as fits is kept.
    ///
    /// **Cost**: O(bytes kept).
    pub fn fit(&self, room_bytes: usize) -> (String, Option<Cut>) {
        if self.len_bytes() <= room_bytes {
            let mut whole = String::with_capacity(self.len_bytes());
            for part in [&self.lead, &self.text, &self.tail] {
                whole.push_str(part);
            }
            return (whole, self.cut);
        }
        let frame_bytes = self.lead.len() + self.tail.len();
        let text_room = room_bytes.checked_sub(frame_bytes);
        if let Some((middle, cut)) =
            text_room.and_then(|room| cut_text(&self.text, room, self.keep))
        {
            let text = [self.lead.as_str(), &middle, &self.tail].concat();
            return (text, Cut::merged(self.cut, Some(cut)));
        }
        let whole = [self.lead.as_str(), &self.text, &self.tail].concat();
        let (text, cut) = cut_text(&whole, room_bytes, self.keep).unwrap_or_else(|| {
            let kept = prefix(&whole, room_bytes);
            (kept.to_owned(), Cut::new(whole.len(), kept.len()))
        });
        (text, Cut::merged(self.cut, Some(cut)))
    }
}

impl From<String> for Body {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<&str> for Body {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

/// The mark that stands in the place of what was cut.
pub(crate) fn cut_mark(removed_bytes: usize) -> String {
    format!("[… {removed_bytes} bytes cut …]")
}

/// Cuts a text that is too long to `room_bytes` with the mark; nothing when the mark itself does not fit.
///
/// The room is counted with the mark of the largest possible number, so the result depends on the text and the room
/// alone.
pub(crate) fn cut_text(text: &str, room_bytes: usize, keep: Keep) -> Option<(String, Cut)> {
    let kept_room = room_bytes.checked_sub(cut_mark(text.len()).len())?;
    let (head, tail) = match keep {
        Keep::Head => (prefix(text, kept_room), ""),
        Keep::HeadAndTail => {
            let head_room = kept_room / 2;
            (prefix(text, head_room), suffix(text, kept_room - head_room))
        }
    };
    let cut = Cut::new(text.len(), head.len() + tail.len());
    let text = [head, &cut_mark(cut.removed_bytes()), tail].concat();
    Some((text, cut))
}

/// The longest start of a text that is at most `bytes` long and ends on a char boundary.
pub(crate) fn prefix(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes))
        .unwrap_or_default()
}

/// The longest end of a text that is at most `bytes` long and starts on a char boundary.
pub(crate) fn suffix(text: &str, bytes: usize) -> &str {
    let at = text.len().saturating_sub(bytes);
    text.get(text.ceil_char_boundary(at)..).unwrap_or_default()
}
