//! Command prefixes that were approved for good, told as they are added.

use crate::{Body, Cap, ContextualUserFragment, Cut, FragmentSpec, Matching, Role};

const LEAD: &str = "Approved command prefix saved:\n";
const MAX_PREFIXES: usize = 100;
const MAX_BYTES: usize = 5_000;
const CUT_MARK: &str = "...\n[Some commands were truncated]";

/// Tells the model of command prefixes that were approved since it was last told.
///
/// **Seen by**: the model, when the list has grown and nothing else of the permissions has changed.
///
/// **Shape**: a fixed line, then one prefix a line as a JSON array of its words: `- ["git","pull"]`.
///
/// **Bounds**: cap 1,300 tokens: 100 prefixes, 5,000 bytes, then a fixed line that says that there are more.
///
/// # Example
///
/// ```
/// use annals_context_fragments::ContextualUserFragment;
/// use annals_context_fragments::catalog::ApprovedCommandPrefixSaved;
///
/// let saved = ApprovedCommandPrefixSaved::new([["git", "pull"]]);
/// assert_eq!(saved.render(), "Approved command prefix saved:\n- [\"git\",\"pull\"]");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovedCommandPrefixSaved {
    prefixes: Vec<Vec<String>>,
}

impl ApprovedCommandPrefixSaved {
    // P0(2026-12-01): bound 100 prefixes and 5,000 bytes; may grow: with what a user approves between two turns, a few
    // lines as a rule. Worth it: far smaller than telling all permissions again.
    const CAP: Cap = Cap::cutting_at::<1_300>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "ApprovedCommandPrefixSaved",
        Role::Developer,
        "permissions.approved_command_prefix_saved",
        (LEAD, ""),
        Self::CAP,
    )
    .matched_by(Matching::Start);

    /// These prefixes, each a list of words.
    pub fn new<P, W>(prefixes: P) -> Self
    where
        P: IntoIterator<Item = W>,
        W: IntoIterator,
        W::Item: Into<String>,
    {
        let prefixes = prefixes
            .into_iter()
            .map(|words| words.into_iter().map(Into::into).collect());
        Self {
            prefixes: prefixes.collect(),
        }
    }

    /// The prefixes.
    pub fn prefixes(&self) -> &[Vec<String>] {
        &self.prefixes
    }

    /// Reads a rendering back; a cut one gives the prefixes that are in it.
    pub fn read(rendered: &str) -> Option<Self> {
        let list = rendered.trim().strip_prefix(LEAD)?;
        let prefixes = list
            .lines()
            .map_while(|line| serde_json::from_str(line.strip_prefix("- ")?).ok())
            .collect();
        Some(Self { prefixes })
    }
}

impl ContextualUserFragment for ApprovedCommandPrefixSaved {
    facts_of_spec!();

    fn body(&self) -> Body {
        let (list, cut) = prefix_list(&self.prefixes);
        Body::new(list).with_cut(cut)
    }
}

/// The prefixes as lines, within their limits.
pub(super) fn prefix_list(prefixes: &[Vec<String>]) -> (String, Option<Cut>) {
    let lines: Vec<String> = prefixes
        .iter()
        .map(|words| format!("- {}", serde_json::json!(words)))
        .collect();
    let all_bytes = lines.iter().map(|line| line.len() + 1).sum();
    let mut out = String::new();
    let mut n_kept = 0;
    for line in lines.iter().take(MAX_PREFIXES) {
        let separator = if out.is_empty() { "" } else { "\n" };
        if out.len() + separator.len() + line.len() > MAX_BYTES {
            break;
        }
        out.push_str(separator);
        out.push_str(line);
        n_kept += 1;
    }
    if n_kept == lines.len() {
        return (out, None);
    }
    let cut = Cut::new(all_bytes, out.len());
    out.push_str(CUT_MARK);
    (out, Some(cut))
}
