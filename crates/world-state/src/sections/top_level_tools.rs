//! Tools that are declared as an item of the input. What they do is left to the caller.

mod declaration;

pub use self::declaration::ToolError;

use self::declaration::{Body, Declaration};
use crate::{
    canonical,
    fingerprint::Fingerprint,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::{Placement, SectionUpdate},
};
use annals_context_fragments::catalog::{IncrementalToolsHint, RemovedTools};
use annals_protocol::{DecodeError, RawJson};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The declarations of tools, told in front of everything else, afterwards as additions and removals.
///
/// A tool that is new or differs is declared again; of a namespace only the members that are new or
/// differ, under its head, and all of them where nothing but the head differs. What is gone is
/// listed. A hint says that a namespace adds to what was declared before.
///
/// # Shape
/// Stored as digests by name: `{"functions":"<of the head>","functions.run":"<digest>"}`; `{}` where
/// there are none, which is not the same as nothing stored. Told as an item
/// `{"type":"additional_tools","role":"developer","tools":[…]}`, the keys of declarations in byte order.
///
/// # Bounds and cost
/// Declarations are handed on as they are: keeping them bounded is the duty of who declares them.
///
/// # Example
/// ```
/// use annals_world_state::{HistoryView, WorldState, sections::TopLevelToolsSection};
/// use serde_json::json;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let world = |tools: Vec<serde_json::Value>| -> Result<_, Box<dyn std::error::Error>> {
///     let mut world = WorldState::new();
///     world.insert(TopLevelToolsSection::new(tools)?)?;
///     Ok(world)
/// };
/// let told = world(vec![json!({"name": "run"}), json!({"name": "look"})])?.render_full();
/// assert_eq!(told.n_updates(), 1);
/// let told = world(vec![json!({"name": "run"})])?
///     .render_diff(Some(told.snapshot()), HistoryView::Intact);
/// assert!(told.updates()[0].fragment().is_some_and(|f| f.text().ends_with("- look")));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct TopLevelToolsSection {
    tools: Vec<Declaration>,
}

type Digests = BTreeMap<String, Fingerprint>;

impl TopLevelToolsSection {
    /// These declarations, each as it goes to the model; one with a list `tools` is a namespace.
    ///
    /// # Errors
    /// When a name stands twice, is missing, or holds a dot.
    pub fn new(declarations: Vec<Value>) -> Result<Self, ToolError> {
        let mut tools = Vec::with_capacity(declarations.len());
        let mut names = BTreeSet::new();
        for (position, value) in declarations.into_iter().enumerate() {
            let declaration = Declaration::new(position, value)?;
            if !names.insert(declaration.name.clone()) {
                return Err(ToolError::Duplicate {
                    name: declaration.name,
                });
            }
            tools.push(declaration);
        }
        Ok(Self { tools })
    }

    fn changes(&self, known: &Digests) -> Vec<SectionUpdate> {
        let emitted: Vec<(&Declaration, Value)> = self
            .tools
            .iter()
            .filter_map(|tool| tool.changed_since(known).map(|value| (tool, value)))
            .collect();
        let mut updates = Vec::new();
        if emitted
            .iter()
            .any(|(tool, _)| matches!(tool.body, Body::Namespace { .. }))
        {
            let hint = IncrementalToolsHint::standard();
            updates.push(SectionUpdate::placed(Placement::Prefix, &hint));
        }
        updates.extend(declare(
            emitted.into_iter().map(|(_, value)| value).collect(),
        ));
        let removed = removed_since(known, &self.snapshot());
        if removed != RemovedTools::default() {
            updates.push(SectionUpdate::placed(Placement::Standalone, &removed));
        }
        updates
    }
}

/// The item that declares these tools; none where there are none.
fn declare(tools: Vec<Value>) -> Option<SectionUpdate> {
    if tools.is_empty() {
        return None;
    }
    let mut text = r#"{"type":"additional_tools","role":"developer","tools":"#.to_owned();
    canonical::write_sorted(&Value::Array(tools), &mut text);
    text.push('}');
    // What was a value, and nests no deeper than a declaration may, is JSON.
    let item: Result<RawJson, DecodeError> = RawJson::parse(text);
    item.ok()
        .map(|item| SectionUpdate::item(Placement::Prefix, item))
}

fn removed_since(known: &Digests, now: &Digests) -> RemovedTools {
    let mut removed = RemovedTools::default();
    for name in known.keys().filter(|name| !now.contains_key(*name)) {
        match name.split_once('.') {
            // A namespace that is gone takes its members with it.
            Some((namespace, _)) if !now.contains_key(namespace) => {}
            Some(_) => removed.tools.push(name.clone()),
            None => {
                let members = format!("{name}.");
                let has_members = known
                    .range(members.clone()..)
                    .next()
                    .is_some_and(|(n, _)| n.starts_with(&members));
                let list = if has_members {
                    &mut removed.namespaces
                } else {
                    &mut removed.tools
                };
                list.push(name.clone());
            }
        }
    }
    removed
}

impl WorldStateSection for TopLevelToolsSection {
    const ID: &'static str = "top_level_tools";
    type Snapshot = BTreeMap<String, Fingerprint>;

    fn snapshot(&self) -> Digests {
        self.tools.iter().flat_map(Declaration::digests).collect()
    }

    fn render_diff(&self, previous: PreviousSectionState<'_, Digests>) -> SectionTransition {
        let updates = match previous.known() {
            Some(known) => self.changes(known),
            None => declare(self.tools.iter().map(Declaration::whole).collect())
                .into_iter()
                .collect(),
        };
        SectionTransition::telling_all(updates)
    }

    fn render_removal(previous: PreviousSectionState<'_, Digests>) -> Vec<SectionUpdate> {
        previous
            .known()
            .map(|known| Self::default().changes(known))
            .unwrap_or_default()
    }
}

#[cfg(test)]
#[path = "top_level_tools_tests.rs"]
mod tests;
