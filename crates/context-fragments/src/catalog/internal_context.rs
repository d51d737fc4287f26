//! Context by which a feature of the host steers the model.

use super::text;
use crate::{
    Body, Cap, ContentKind, ContextualUserFragment, FragmentError, FragmentSpec, Markers, Role,
    neutralize, restore,
};

/// Steers the model on behalf of a feature, such as a goal that outlives a turn.
///
/// **Seen by**: the model, when the feature says so.
///
/// **Shape**: `<codex_internal_context source="SOURCE">`, a line break, the text, a line break,
/// `</codex_internal_context>`. The kind is `SOURCE.internal_context`.
///
/// **Bounds**: cap 2,500 tokens; a longer text is cut with a mark.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{ContextualUserFragment, catalog::InternalContext};
///
/// let goal = InternalContext::new("goal", "Go on.")?;
/// let text = goal.render();
/// assert_eq!(text, "<codex_internal_context source=\"goal\">\nGo on.\n</codex_internal_context>");
/// assert_eq!(InternalContext::read(&text), Some(goal));
/// assert!(InternalContext::new("Not a word", "").is_err());
/// # Ok::<(), annals_context_fragments::FragmentError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InternalContext {
    source: String,
    text: String,
}

const START: &str = "<codex_internal_context";
const END: &str = "</codex_internal_context>";

impl InternalContext {
    // P0(2026-12-01): bound cut at 2,500 tokens; may grow: with the text of a feature of the host, 5 KB for a goal today.
    // Worth it: a feature that steers over many turns has nothing else to steer by.
    const CAP: Cap = Cap::cutting_at::<2_500>();

    /// Its row in the catalogue; its kind is that of goals, other sources have kinds of their own.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "InternalContext",
        Role::User,
        "goal.internal_context",
        (START, END),
        Self::CAP,
    )
    .event();

    /// The text of a source.
    ///
    /// # Errors
    ///
    /// [`FragmentError::BadName`] when the source is not a lower-case letter followed by lower-case letters, digits and
    /// `_`, or is longer than 64 bytes.
    pub fn new<T: Into<String>>(source: &str, text: T) -> Result<Self, FragmentError> {
        if !is_source(source) {
            return Err(FragmentError::BadName {
                what: "source",
                value: FragmentError::excerpt(source),
                allowed: "lower-case ASCII letters, digits and `_`, a letter first",
                max_bytes: 64,
            });
        }
        Ok(Self {
            source: source.to_owned(),
            text: text.into(),
        })
    }

    /// The source.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        let inner = text::inner(&Self::SPEC, rendered)?.strip_prefix(" source=\"")?;
        let (source, text) = inner.split_once("\">\n")?;
        let text = restore(text.strip_suffix('\n')?, END).into_owned();
        is_source(source).then(|| Self {
            source: source.to_owned(),
            text,
        })
    }
}

fn is_source(source: &str) -> bool {
    source.len() <= 64
        && source.starts_with(|c: char| c.is_ascii_lowercase())
        && source
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

impl ContextualUserFragment for InternalContext {
    fn role(&self) -> Role {
        Self::SPEC.role()
    }

    fn content_kind(&self) -> ContentKind {
        // A source is a word, so this is always a well-formed kind.
        let kind = ContentKind::new(format!("{}.internal_context", self.source));
        kind.unwrap_or_else(|_| Self::SPEC.content_kind())
    }

    fn markers(&self) -> Markers {
        Self::SPEC.markers()
    }

    fn type_markers() -> Markers {
        Self::SPEC.markers()
    }

    fn cap(&self) -> Cap {
        Self::CAP
    }

    fn body(&self) -> Body {
        let lead = format!(" source=\"{}\">\n", self.source);
        Body::framed(lead, neutralize(&self.text, END), "\n")
    }
}
