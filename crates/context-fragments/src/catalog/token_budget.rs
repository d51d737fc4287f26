//! What is left of the context window.

use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Role};

/// Tells the model how many tokens are left in its context window.
///
/// **Seen by**: the model, when it asks for it.
///
/// **Shape**: one sentence, without markers: it is recognized by its recorded kind only.
///
/// **Bounds**: one of two fixed sentences with a number; cap 30 tokens.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{ContextualUserFragment, catalog::TokenBudgetRemaining};
///
/// let left = TokenBudgetRemaining::new(Some(1_200));
/// assert_eq!(left.render(), "You have 1200 tokens left in this context window.");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenBudgetRemaining {
    n_tokens: Option<u64>,
}

impl TokenBudgetRemaining {
    const CAP: Cap = Cap::cutting_at::<30>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "TokenBudgetRemaining",
        Role::Developer,
        "token_budget.remaining_tokens",
        ("", ""),
        Self::CAP,
    )
    .event();

    /// So many tokens, or nobody knows how many.
    pub const fn new(n_tokens: Option<u64>) -> Self {
        Self { n_tokens }
    }
}

impl ContextualUserFragment for TokenBudgetRemaining {
    facts_of_spec!();

    fn body(&self) -> Body {
        let n_tokens = self
            .n_tokens
            .map_or_else(|| "unknown".to_owned(), |n| n.to_string());
        Body::new(format!(
            "You have {n_tokens} tokens left in this context window."
        ))
    }
}

/// Reminds the model that its context window is running out.
///
/// **Seen by**: the model, once per window, when a threshold is passed.
///
/// **Shape**: the host's template with `{n_remaining}` filled in, without markers: it is recognized by its recorded kind
/// only.
///
/// **Bounds**: cap 500 tokens; a longer text is cut with a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenBudgetReminder {
    text: String,
}

impl TokenBudgetReminder {
    const CAP: Cap = Cap::cutting_at::<500>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "TokenBudgetReminder",
        Role::Developer,
        "token_budget.reminder",
        ("", ""),
        Self::CAP,
    )
    .event();

    /// A template with the number that is left.
    pub fn new(template: &str, n_remaining: u64) -> Self {
        Self {
            text: template.replace("{n_remaining}", &n_remaining.to_string()),
        }
    }
}

impl ContextualUserFragment for TokenBudgetReminder {
    facts_of_spec!();

    fn body(&self) -> Body {
        Body::new(self.text.as_str())
    }
}
