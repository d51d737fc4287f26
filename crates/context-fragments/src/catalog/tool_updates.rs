//! Changes of the tools that are declared: what came in addition, and what is gone.

use super::text::{list_within, one_line};
use crate::{Body, Cap, ContextualUserFragment, Cut, FragmentSpec, Matching, Role};

const HINT: &str = "This is an update of the tools: those declared before can still be called unless they are \
    said to be gone, and a tool that is declared again is as its latest declaration says.";

const REMOVED_TOOLS: &str = "The following tools are no longer available. Do not call them:\n";
const REMOVED_NAMESPACES: &str = "The following tool namespaces are no longer available. Do not call their tools unless they are declared again:\n";

/// Tells the model that the declarations that follow come in addition to earlier ones.
///
/// **Seen by**: the model, right before tools that are declared in the middle of a thread.
///
/// **Shape**: the text alone, without markers: it is recognized by its recorded kind only.
///
/// **Bounds**: cap 130 tokens; a host's own text of more than 512 bytes is left aside for the fixed one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncrementalToolsHint {
    text: Option<String>,
}

impl IncrementalToolsHint {
    const CAP: Cap = Cap::cutting_at::<130>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "IncrementalToolsHint",
        Role::Developer,
        "tools.incremental_update",
        ("", ""),
        Self::CAP,
    );

    /// The most bytes of a host's own text.
    pub const MAX_CUSTOM_BYTES: usize = 512;

    /// The fixed text.
    pub const fn standard() -> Self {
        Self { text: None }
    }

    /// The host's own text, or the fixed one if it is empty or too long.
    pub fn custom(text: &str) -> Self {
        let fits = !text.trim().is_empty() && text.len() <= Self::MAX_CUSTOM_BYTES;
        Self {
            text: fits.then(|| text.to_owned()),
        }
    }
}

impl ContextualUserFragment for IncrementalToolsHint {
    facts_of_spec!();

    fn body(&self) -> Body {
        Body::new(self.text.as_deref().unwrap_or(HINT))
    }
}

/// Tells the model which tools it can no longer call.
///
/// **Seen by**: the model, as a message of its own, when declared tools are gone.
///
/// **Shape**: a heading and one line `- name` each, first for namespaces, then, behind a blank line, for tools; both
/// sorted. There are no markers; where no kind was recorded the heading tells.
///
/// **Bounds**: cap 1,000 tokens; names that do not fit are counted.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{ContextualUserFragment, catalog::RemovedTools};
///
/// let removed = RemovedTools { namespaces: vec![], tools: vec!["functions.x".to_owned()] };
/// let expect = "The following tools are no longer available. Do not call them:\n- functions.x";
/// assert_eq!(removed.render(), expect);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemovedTools {
    /// Namespaces that are gone with all their tools.
    pub namespaces: Vec<String>,
    /// Tools that are gone.
    pub tools: Vec<String>,
}

impl RemovedTools {
    const CAP: Cap = Cap::cutting_at::<1_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "RemovedTools",
        Role::Developer,
        "tools.removed_definition",
        ("", ""),
        Self::CAP,
    )
    .matched_by(Matching::Custom(is_removed_tools));

    fn group(heading: &str, names: &[String], room_bytes: usize) -> (String, Option<Cut>) {
        if names.is_empty() {
            return (String::new(), None);
        }
        let mut names: Vec<&String> = names.iter().collect();
        names.sort();
        names.dedup();
        let lines = names
            .into_iter()
            .map(|name| format!("- {}\n", one_line(name)));
        let room = room_bytes.saturating_sub(heading.len());
        let (list, cut) = list_within(lines, room, |n| format!("- and {n} more\n"));
        ([heading, &list].concat(), cut)
    }
}

fn is_removed_tools(trimmed: &str) -> bool {
    [REMOVED_TOOLS, REMOVED_NAMESPACES]
        .iter()
        .any(|heading| trimmed.starts_with(heading.trim_end()))
}

impl ContextualUserFragment for RemovedTools {
    facts_of_spec!();

    fn requires_separate_message(&self) -> bool {
        true
    }

    fn body(&self) -> Body {
        let room = Self::CAP.bytes() - 1;
        let (namespaces, first_cut) = Self::group(REMOVED_NAMESPACES, &self.namespaces, room / 2);
        let (tools, second_cut) = Self::group(REMOVED_TOOLS, &self.tools, room - namespaces.len());
        let blank = if namespaces.is_empty() || tools.is_empty() {
            ""
        } else {
            "\n"
        };
        let text = [namespaces.as_str(), blank, &tools].concat();
        Body::framed(text.trim_end(), "", "")
            .with_cut(first_cut)
            .with_cut(second_cut)
    }
}
