//! Tools that are not declared until they are asked for.

use std::collections::BTreeMap;

use super::text::{description, list_within};
use crate::{Body, Cap, ContextualUserFragment, Cut, FragmentSpec, Role, neutralize, xml_escape};

/// Tells the model of namespaces of tools that it can load.
///
/// **Seen by**: the model, all namespaces in the first context, afterwards what was added and removed.
///
/// **Shape**: `<tools>`, for each group a heading and one line `- namespace: description` each, `</tools>`.
///
/// **Bounds**: cap 1,024 tokens (4,096 bytes); a description keeps 250 characters of its first line, fewer
/// where not all fit; namespaces whose names do not fit are counted in a line of their group.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{ContextualUserFragment, catalog::DeferredTools};
///
/// let tools = DeferredTools::all([("git".to_owned(), "Works with\nrepositories.".to_owned())].into());
/// assert_eq!(tools.render(), "<tools>\nDeferred tool namespaces:\n- git: Works with\n</tools>");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeferredTools {
    news: News,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum News {
    All(BTreeMap<String, String>),
    Change {
        added: BTreeMap<String, String>,
        removed: Vec<String>,
        none_remain: bool,
    },
}

impl DeferredTools {
    // P0(2026-12-01): bound 4,096 bytes, told again only as changes; may grow: with the number of tool servers that are
    // connected. Worth it: it is what keeps the declarations themselves out of the context.
    const CAP: Cap = Cap::cutting_at::<1_024>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "DeferredTools",
        Role::Developer,
        "tools.deferred_namespaces",
        ("<tools>", "</tools>"),
        Self::CAP,
    );

    const MAX_DESCRIPTION_CHARS: usize = 250;

    /// All namespaces with their descriptions.
    pub const fn all(namespaces: BTreeMap<String, String>) -> Self {
        Self {
            news: News::All(namespaces),
        }
    }

    /// What was added or described anew, and what was removed; `none_remain` says that nothing is left.
    pub const fn change(
        added: BTreeMap<String, String>,
        removed: Vec<String>,
        none_remain: bool,
    ) -> Self {
        Self {
            news: News::Change {
                added,
                removed,
                none_remain,
            },
        }
    }
}

/// A heading and its lines within a room; nothing when there are no lines.
fn group(heading: &str, lines: Vec<String>, room_bytes: usize) -> (String, Option<Cut>) {
    if lines.is_empty() {
        return (String::new(), None);
    }
    let room = room_bytes.saturating_sub(heading.len() + 1);
    let (list, cut) = list_within(lines, room, |n| {
        format!("... {n} additional namespaces omitted.\n")
    });
    ([heading, "\n", &list].concat(), cut)
}

/// The same for namespaces with descriptions. Names come first to the room: where not everything fits all descriptions
/// are cut to one length, and only if the names alone are too long are namespaces left out.
fn described(
    heading: &str,
    namespaces: &BTreeMap<String, String>,
    room_bytes: usize,
) -> (String, Option<Cut>) {
    let lines = |max_chars: usize| -> Vec<String> {
        namespaces
            .iter()
            .map(|(name, text)| line(name, text, max_chars))
            .collect()
    };
    let size = |lines: &[String]| heading.len() + 1 + lines.iter().map(String::len).sum::<usize>();
    let whole = lines(DeferredTools::MAX_DESCRIPTION_CHARS);
    let whole_bytes = size(&whole);
    if whole_bytes <= room_bytes {
        return group(heading, whole, room_bytes);
    }
    // The largest length that fits lies in `fits..too_long`, if any does.
    let (mut fits, mut too_long) = (0, DeferredTools::MAX_DESCRIPTION_CHARS);
    while too_long - fits > 1 {
        let middle = usize::midpoint(fits, too_long);
        if size(&lines(middle)) <= room_bytes {
            fits = middle;
        } else {
            too_long = middle;
        }
    }
    let (text, _) = group(heading, lines(fits), room_bytes);
    let cut = Cut::new(whole_bytes, text.len().min(whole_bytes));
    (text, Some(cut))
}

fn line(name: &str, text: &str, max_chars: usize) -> String {
    let what = if max_chars == 0 {
        String::new()
    } else {
        description(text, max_chars)
    };
    let what = neutralize(&what, DeferredTools::SPEC.end());
    let colon = if what.is_empty() { "" } else { ": " };
    ["- ", &xml_escape(name), colon, &what, "\n"].concat()
}

impl ContextualUserFragment for DeferredTools {
    facts_of_spec!();

    fn body(&self) -> Body {
        let room = Self::CAP.bytes() - Self::SPEC.start().len() - Self::SPEC.end().len() - 1;
        let mut out = "\n".to_owned();
        let mut cut = None;
        match &self.news {
            News::All(namespaces) => {
                let (text, list_cut) = described("Deferred tool namespaces:", namespaces, room);
                out.push_str(&text);
                cut = list_cut;
            }
            News::Change {
                added,
                removed,
                none_remain,
            } => {
                const NONE_REMAIN: &str = "No deferred tool namespaces remain.\n";
                let room = room - NONE_REMAIN.len();
                let removed = removed
                    .iter()
                    .map(|name| format!("- {}\n", xml_escape(name)))
                    .collect();
                // Whatever was removed must be known, so its group comes first to the room that both share.
                let (gone, gone_cut) =
                    group("Removed deferred tool namespaces:", removed, room * 2 / 3);
                let (new, new_cut) =
                    described("Added deferred tool namespaces:", added, room - gone.len());
                out.push_str(&[new, gone].concat());
                if *none_remain {
                    out.push_str(NONE_REMAIN);
                }
                cut = Cut::merged(Cut::merged(cut, gone_cut), new_cut);
            }
        }
        Body::framed(out, "", "").with_cut(cut)
    }
}
