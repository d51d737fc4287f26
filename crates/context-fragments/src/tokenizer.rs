//! A real tokenizer behind the port: exact counts for those who want them and pay for them.
//! Caps are not counted with it.

use crate::{TextKind, TokenEstimator};

/// Counts with the vocabulary `o200k_base`, as current models of the service have it.
///
/// Exact for that vocabulary, whatever the kind of text is said to be; special tokens in the text
/// count as text.
///
/// **Cost**: linear in the text, tens of megabytes a second; the vocabulary is built at the first
/// count and stays in memory. Needs the feature `tokenizer`.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{O200k, TextKind, TokenEstimator};
///
/// assert_eq!(O200k.count("hello world", TextKind::Prose), 2);
/// assert_eq!(O200k.count("", TextKind::Prose), 0);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct O200k;

impl TokenEstimator for O200k {
    fn count(&self, text: &str, _kind: TextKind) -> u64 {
        bpe_openai::o200k_base().count(text) as u64
    }
}

#[cfg(test)]
#[path = "tokenizer_tests.rs"]
mod tests;
