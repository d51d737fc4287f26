//! Merge patches (RFC 7386): the least that turns one value into another, and its application.
//!
//! Making a patch is ours; applying one is `json_patch::merge`.

use crate::{canonical, error::SnapshotFault};
use serde_json::{Map, Value};
use std::sync::Arc;

/// A merge patch to a whole state: an object keyed by section id.
///
/// # Shape
/// `{"agents_md":{"text":"new"},"realtime":null}`: null removes, an object is merged, anything
/// else replaces. In a patch made here removals stand first at each level, then keys in byte order.
///
/// # Bounds and cost
/// Cheap to clone: the text and the parsed value are shared.
#[derive(Clone)]
pub struct WorldStatePatch {
    text: Arc<str>,
    value: Arc<Value>,
}

impl WorldStatePatch {
    /// Reads a patch as a file holds it; its own bytes are kept.
    ///
    /// # Errors
    /// When the text is not JSON or not an object.
    pub fn parse(text: &str) -> Result<Self, SnapshotFault> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| SnapshotFault::not_json(&error))?;
        match value {
            Value::Object(_) => Ok(Self {
                text: text.into(),
                value: Arc::new(value),
            }),
            other => Err(SnapshotFault::NotAnObject {
                found: kind_of(&other),
            }),
        }
    }

    /// The patch as JSON.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The patch as a parsed value, an object.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// What the patch says of each section that it names.
    pub fn sections(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.value
            .as_object()
            .into_iter()
            .flatten()
            .map(|(id, change)| (id.as_str(), change))
    }

    pub(crate) fn from_change(change: &Change<'_>) -> Self {
        let mut text = String::new();
        change.write(&mut text);
        Self {
            text: text.into(),
            value: Arc::new(change.to_value()),
        }
    }
}

impl PartialEq for WorldStatePatch {
    /// Equal when they say the same, whatever the order of the keys.
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl std::fmt::Debug for WorldStatePatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("WorldStatePatch").field(&self.text).finish()
    }
}

/// Makes the smallest merge patch that turns `from` into `to`; `None` when they are equal.
///
/// Lists and scalars are replaced whole; an object that replaces something else is given whole.
/// A null member cannot be told by a merge patch: `to` is compared as if it had none, so that
/// applying the patch gives `to` without its null members.
///
/// # Bounds and cost
/// One walk over both values; memory in proportion to what differs.
///
/// # Example
/// ```
/// use serde_json::json;
/// let patch = annals_world_state::merge_diff(
///     &json!({"roots": ["a"], "n": 1}),
///     &json!({"n": 2}),
/// );
/// assert_eq!(patch, Some(json!({"roots": null, "n": 2})));
/// assert_eq!(annals_world_state::merge_diff(&json!([1]), &json!([1])), None);
/// ```
///
/// Source: RFC 7386, section 1.
pub fn merge_diff(from: &Value, to: &Value) -> Option<Value> {
    Change::between(from, to).map(|change| change.to_value())
}

/// Applies a merge patch: null removes, objects merge, anything else replaces.
///
/// Nulls inside lists are kept; nulls inside an object that is new are dropped.
///
/// Source: RFC 7386, section 2.
pub fn merge_apply(target: &mut Value, patch: &Value) {
    json_patch::merge(target, patch);
}

/// One difference, borrowed from the value that it leads to.
pub(crate) enum Change<'a> {
    Set(&'a Value),
    Members {
        removed: Vec<&'a str>,
        changed: Vec<(&'a str, Self)>,
    },
}

impl<'a> Change<'a> {
    pub(crate) fn between(from: &'a Value, to: &'a Value) -> Option<Self> {
        match (from, to) {
            (Value::Object(from), Value::Object(to)) => Self::between_objects(from, to),
            (from, to) => (from != to).then_some(Change::Set(to)),
        }
    }

    fn between_objects(from: &'a Map<String, Value>, to: &'a Map<String, Value>) -> Option<Self> {
        let mut removed = Vec::new();
        let mut changed = Vec::new();
        let mut from_members = from.iter();
        let mut to_members = to.iter();
        // As long as both sides name the same keys in the same order no key is looked up.
        let parted = loop {
            match (from_members.next(), to_members.next()) {
                (Some((key, old)), Some((same, new))) if key == same => {
                    Self::note(key, old, new, &mut removed, &mut changed);
                }
                parted => break parted,
            }
        };
        let (from_next, to_next) = parted;
        for (key, old) in from_next.into_iter().chain(from_members) {
            // A null member is told by nothing and removed by nothing.
            if to.get(key).is_none_or(Value::is_null) && !old.is_null() {
                removed.push(key.as_str());
            }
        }
        for (key, new) in to_next.into_iter().chain(to_members) {
            match from.get(key) {
                Some(old) if !old.is_null() => {
                    if !new.is_null()
                        && let Some(change) = Self::between(old, new)
                    {
                        changed.push((key.as_str(), change));
                    }
                }
                _ if new.is_null() => {}
                _ => changed.push((key.as_str(), Change::Set(new))),
            }
        }
        (!removed.is_empty() || !changed.is_empty()).then_some(Change::Members { removed, changed })
    }

    fn note(
        key: &'a str,
        old: &'a Value,
        new: &'a Value,
        removed: &mut Vec<&'a str>,
        changed: &mut Vec<(&'a str, Self)>,
    ) {
        match (old.is_null(), new.is_null()) {
            (true, true) => {}
            (false, true) => removed.push(key),
            (true, false) => changed.push((key, Change::Set(new))),
            (false, false) => {
                if let Some(change) = Self::between(old, new) {
                    changed.push((key, change));
                }
            }
        }
    }

    fn to_value(&self) -> Value {
        match self {
            Change::Set(value) => (*value).clone(),
            Change::Members { removed, changed } => {
                let removed = removed.iter().map(|key| ((*key).to_owned(), Value::Null));
                let changed = changed
                    .iter()
                    .map(|(key, change)| ((*key).to_owned(), change.to_value()));
                Value::Object(removed.chain(changed).collect())
            }
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            Change::Set(value) => canonical::write_value(value, out),
            Change::Members { removed, changed } => {
                out.push('{');
                let mut first = true;
                for key in removed {
                    open_member(key, &mut first, out);
                    out.push_str("null");
                }
                for (key, change) in changed {
                    open_member(key, &mut first, out);
                    change.write(out);
                }
                out.push('}');
            }
        }
    }
}

fn open_member(key: &str, first: &mut bool, out: &mut String) {
    if !std::mem::take(first) {
        out.push(',');
    }
    canonical::write_string(key, out);
    out.push(':');
}

pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
#[path = "patch_tests.rs"]
pub(crate) mod tests;
