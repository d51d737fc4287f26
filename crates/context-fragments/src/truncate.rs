//! Cuts tool outputs to a budget, with the arithmetic and the marks of the reference format.
//! Which budget an output has is decided by whoever records it.

use std::borrow::Cow;

use annals_protocol::{TruncationMode, TruncationPolicy};

use crate::body::{prefix, suffix};
use crate::estimate::{estimate_tokens, tokens_for_bytes};

/// How much of an output is kept, and in which unit the mark counts.
///
/// **Units**: bytes of UTF-8, or estimated tokens of 4 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TruncationBudget {
    /// So many bytes; the mark counts characters.
    Bytes(u64),
    /// So many tokens of 4 bytes; the mark counts tokens.
    Tokens(u64),
}

impl TruncationBudget {
    /// The budget in bytes: four for a token.
    pub fn bytes(self) -> usize {
        let bytes = match self {
            Self::Bytes(bytes) => bytes,
            Self::Tokens(tokens) => tokens.saturating_mul(4),
        };
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }

    /// The budget in tokens: a quarter of its bytes, rounded up.
    pub const fn tokens(self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.div_ceil(4),
            Self::Tokens(tokens) => tokens,
        }
    }

    /// The budget with the allowance of a fifth (rounded up) that is granted when an output is recorded, so that an
    /// output that was cut once already is not cut again.
    #[must_use]
    pub const fn with_allowance(self) -> Self {
        match self {
            Self::Bytes(bytes) => Self::Bytes(bytes.saturating_add(bytes.div_ceil(5))),
            Self::Tokens(tokens) => Self::Tokens(tokens.saturating_add(tokens.div_ceil(5))),
        }
    }

    /// The budget of a policy as it stands on the wire; nothing for a mode that is not known.
    pub fn from_policy(policy: &TruncationPolicy) -> Option<Self> {
        match policy.mode {
            TruncationMode::Bytes => Some(Self::Bytes(policy.limit)),
            TruncationMode::Tokens => Some(Self::Tokens(policy.limit)),
            _ => None,
        }
    }

    /// What a text costs in the budget's unit.
    fn cost(self, text_bytes: usize) -> u64 {
        match self {
            Self::Bytes(_) => text_bytes as u64,
            Self::Tokens(_) => tokens_for_bytes(text_bytes),
        }
    }

    const fn limit(self) -> u64 {
        match self {
            Self::Bytes(limit) | Self::Tokens(limit) => limit,
        }
    }

    const fn with_limit(self, limit: u64) -> Self {
        match self {
            Self::Bytes(_) => Self::Bytes(limit),
            Self::Tokens(_) => Self::Tokens(limit),
        }
    }
}

/// A text within a budget, and how much of it is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TruncatedText<'a> {
    /// The text with the mark; borrowed when it fits.
    pub text: Cow<'a, str>,
    /// Bytes of the original that are gone; 0 when it fits.
    pub removed_bytes: usize,
}

/// Keeps the beginning and the end of a text, and puts a mark with what is gone between them.
///
/// The mark is `…N chars truncated…` for a budget in bytes (N characters are gone) and `…N tokens truncated…` for one
/// in tokens (N is a quarter of the bytes over the budget, rounded up). It is not counted: the result may be longer than
/// the budget by the mark. A text that fits is unchanged; a budget of 0 leaves the mark alone.
///
/// **Cost**: O(length) where it is cut, O(1) where it fits.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{TruncationBudget, truncate_text};
///
/// let cut = truncate_text("abcdefghijklmn", TruncationBudget::Tokens(1));
/// assert_eq!(cut.text, "ab…3 tokens truncated…mn");
/// assert_eq!(cut.removed_bytes, 10);
/// ```
pub fn truncate_text(text: &str, budget: TruncationBudget) -> TruncatedText<'_> {
    let budget_bytes = budget.bytes();
    if text.len() <= budget_bytes {
        return TruncatedText {
            text: Cow::Borrowed(text),
            removed_bytes: 0,
        };
    }
    let head_bytes = budget_bytes / 2;
    let head = prefix(text, head_bytes);
    let tail = suffix(text, budget_bytes - head_bytes);
    let removed = text
        .get(head.len()..text.len() - tail.len())
        .unwrap_or_default();
    let mark = match budget {
        TruncationBudget::Bytes(_) => format!("…{} chars truncated…", removed.chars().count()),
        TruncationBudget::Tokens(_) => {
            format!(
                "…{} tokens truncated…",
                tokens_for_bytes(text.len() - budget_bytes)
            )
        }
    };
    TruncatedText {
        text: Cow::Owned([head, &mark, tail].concat()),
        removed_bytes: removed.len(),
    }
}

/// As [`truncate_text`], with the number of lines of the original in front where it is cut.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{TruncationBudget, truncate_formatted};
///
/// let cut = truncate_formatted("one\ntwo", TruncationBudget::Bytes(2));
/// assert_eq!(cut.text, "Total output lines: 2\n\no…5 chars truncated…o");
/// ```
pub fn truncate_formatted(text: &str, budget: TruncationBudget) -> TruncatedText<'_> {
    let cut = truncate_text(text, budget);
    match cut.text {
        Cow::Borrowed(_) => cut,
        Cow::Owned(kept) => TruncatedText {
            text: Cow::Owned(format!(
                "Total output lines: {}\n\n{kept}",
                text.lines().count()
            )),
            removed_bytes: cut.removed_bytes,
        },
    }
}

/// A part of an output, as far as a budget is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputPart<'a> {
    /// A text.
    Text(&'a str),
    /// Audio whose encoded data has so many bytes. It is kept whole or left out.
    Audio {
        /// Bytes of the encoded data.
        bytes: usize,
    },
    /// An image or anything else. It is always kept and costs nothing.
    Free,
}

/// What becomes of one part of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartFate {
    /// It stays as it is.
    Kept,
    /// This text takes its place.
    Replaced(String),
    /// It is left out.
    Omitted,
}

/// What becomes of the parts of an output under one shared budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartsTruncation {
    /// One fate a part, in order.
    pub fates: Vec<PartFate>,
    /// Texts to append: how many texts and audio parts were left out.
    pub notes: Vec<String>,
}

impl PartsTruncation {
    /// Whether all parts stay as they are.
    pub fn is_unchanged(&self) -> bool {
        self.notes.is_empty() && self.fates.iter().all(|fate| *fate == PartFate::Kept)
    }
}

/// Applies one budget to the parts of an output, in order.
///
/// Texts that fit are kept; the first that does not is cut to what is left; later ones are left out and counted.
/// Images are free.
///
/// **Cost**: O(bytes of the text that is cut + number of parts).
///
/// # Example
///
/// ```
/// use annals_context_fragments::{OutputPart, PartFate, TruncationBudget, truncate_parts};
///
/// let parts = [OutputPart::Text("abc"), OutputPart::Free, OutputPart::Text("defg"), OutputPart::Text("h")];
/// let cut = truncate_parts(parts, TruncationBudget::Bytes(5));
/// assert_eq!(cut.fates[2], PartFate::Replaced("d…2 chars truncated…g".to_owned()));
/// assert_eq!(cut.notes, ["[omitted 1 text items ...]"]);
/// ```
pub fn truncate_parts<'a, I>(parts: I, budget: TruncationBudget) -> PartsTruncation
where
    I: IntoIterator<Item = OutputPart<'a>>,
{
    let mut left = budget.limit();
    let (mut texts, mut audios) = (0_usize, 0_usize);
    let mut fates = Vec::new();
    for part in parts {
        let fate = match part {
            OutputPart::Free => PartFate::Kept,
            OutputPart::Text(text) => text_fate(text, budget, &mut left),
            OutputPart::Audio { bytes } => match left.checked_sub(budget.cost(bytes)) {
                Some(rest) => {
                    left = rest;
                    PartFate::Kept
                }
                None => PartFate::Omitted,
            },
        };
        match (&fate, part) {
            (PartFate::Omitted, OutputPart::Text(_)) => texts += 1,
            (PartFate::Omitted, OutputPart::Audio { .. }) => audios += 1,
            _ => {}
        }
        fates.push(fate);
    }
    let notes = [(texts, "text"), (audios, "audio")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("[omitted {count} {what} items ...]"))
        .collect();
    PartsTruncation { fates, notes }
}

fn text_fate(text: &str, budget: TruncationBudget, left: &mut u64) -> PartFate {
    if *left == 0 {
        return PartFate::Omitted;
    }
    if let Some(rest) = left.checked_sub(budget.cost(text.len())) {
        *left = rest;
        return PartFate::Kept;
    }
    let cut = truncate_text(text, budget.with_limit(*left));
    *left = 0;
    match cut.text.into_owned() {
        text if text.is_empty() => PartFate::Omitted,
        text => PartFate::Replaced(text),
    }
}

/// The texts of an output as one, cut, with the estimate of what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedOutput {
    /// One text in the place of all texts; images follow it in their order.
    pub text: String,
    /// Estimated tokens of the joined texts before the cut.
    pub original_tokens: u64,
}

/// Joins the texts of an output with line breaks and cuts the whole, for tools that answer with one text.
///
/// Nothing when there is no text, or when the joined text is within the budget: then the parts stay as they are.
pub fn truncate_merged<'a, I>(texts: I, budget: TruncationBudget) -> Option<MergedOutput>
where
    I: IntoIterator<Item = &'a str>,
{
    let mut joined = String::new();
    for text in texts {
        if !joined.is_empty() {
            joined.push('\n');
        }
        joined.push_str(text);
    }
    match truncate_formatted(&joined, budget).text {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(MergedOutput {
            text,
            original_tokens: estimate_tokens(&joined),
        }),
    }
}

#[cfg(test)]
#[path = "truncate_tests.rs"]
mod tests;
