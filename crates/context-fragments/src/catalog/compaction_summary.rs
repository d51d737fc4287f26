//! The summary that a compaction leaves in the place of what it took away.

use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Matching, Role, notices};

/// Gives the model the summary of a conversation that was compacted.
///
/// **Seen by**: the model, last of what a compaction leaves. It is no turn of the user.
///
/// **Shape**: the fixed first sentence, a line break, the summary. There is no end marker; where no kind was recorded the
/// first sentence tells.
///
/// **Bounds**: cap 10,000 tokens; a longer summary is cut at its end with a mark.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{
///     ContextualUserFragment, catalog::CompactionSummary, is_contextual_user_content,
/// };
///
/// let summary = CompactionSummary::new("The parser is done.");
/// let text = summary.render();
/// assert!(text.ends_with("of its thinking process.\nThe parser is done."));
/// assert!(is_contextual_user_content(&[&text], &["unknown"]));
/// assert_eq!(CompactionSummary::read(&text), Some(summary));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompactionSummary {
    text: String,
}

impl CompactionSummary {
    // P0(2026-12-01): bound cut at 10,000 tokens, one in a context window; may grow: with what the model that compacts
    // writes. Worth it: it stands in for everything that was taken away.
    const CAP: Cap = Cap::cutting_at::<10_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "CompactionSummary",
        Role::User,
        "compaction.summary",
        (notices::COMPACTION_SUMMARY_LEAD_IN, ""),
        Self::CAP,
    )
    .summary()
    .matched_by(Matching::Start);

    /// A summary.
    pub fn new<T: Into<String>>(text: T) -> Self {
        Self { text: text.into() }
    }

    /// The summary.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        let text = rendered
            .strip_prefix(Self::SPEC.start())?
            .strip_prefix('\n')?;
        Some(Self::new(text))
    }
}

impl ContextualUserFragment for CompactionSummary {
    facts_of_spec!();

    fn body(&self) -> Body {
        Body::framed("\n", self.text.as_str(), "")
    }
}
