//! What the model was last told, in the form in which it is compared and stored.
//!
//! A snapshot knows its bytes; what they mean is known to the sections alone.

use crate::{
    canonical,
    error::SnapshotFault,
    fingerprint::Fingerprint,
    patch::{self, Change, WorldStatePatch},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeMap as _};
use serde_json::Value;
use std::{collections::BTreeMap, sync::Arc};

/// One section's stored state: a JSON value without null members, and its bytes.
///
/// # Bounds and cost
/// Cheap to clone. Comparing two is comparing their bytes, and nothing at all when they are the
/// same one.
#[derive(Clone)]
pub struct SectionSnapshot {
    shared: Arc<Canonical>,
}

struct Canonical {
    text: Box<str>,
    value: Value,
}

impl SectionSnapshot {
    /// Makes a snapshot from anything that can be written as JSON.
    ///
    /// # Errors
    /// When the value cannot be written as JSON, is null, or nests too deep.
    pub fn from_serialize<T: Serialize + ?Sized>(state: &T) -> Result<Self, SnapshotFault> {
        let value = serde_json::to_value(state).map_err(|error| SnapshotFault::not_json(&error))?;
        Self::from_value(value)
    }

    /// Makes a snapshot from a JSON value: null members are stripped, keys are put in order.
    ///
    /// # Errors
    /// When the value is null or nests too deep.
    pub fn from_value(value: Value) -> Result<Self, SnapshotFault> {
        if value.is_null() {
            return Err(SnapshotFault::Null);
        }
        let value = canonical::canonicalize(value)?;
        let mut text = String::new();
        canonical::write_value(&value, &mut text);
        Ok(Self {
            shared: Arc::new(Canonical {
                text: text.into(),
                value,
            }),
        })
    }

    /// The snapshot as compact JSON with sorted keys.
    pub fn as_str(&self) -> &str {
        &self.shared.text
    }

    /// The snapshot as a JSON value.
    pub fn value(&self) -> &Value {
        &self.shared.value
    }

    /// Reads the snapshot as a section's own type.
    ///
    /// # Errors
    /// When the stored value has another shape, as one from another version may have.
    pub fn decode<'a, T: Deserialize<'a>>(&'a self) -> Result<T, SnapshotFault> {
        T::deserialize(&self.shared.value).map_err(|error| SnapshotFault::not_json(&error))
    }
}

impl PartialEq for SectionSnapshot {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared) || self.shared.text == other.shared.text
    }
}

impl Eq for SectionSnapshot {}

impl std::fmt::Debug for SectionSnapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What the model knows of the world: one snapshot a section, in the order of their ids.
///
/// Equal states have equal bytes in every process, however they came to be: built, read from a
/// file, or patched. This is the value that a history keeps as its baseline.
///
/// # Shape
/// `{"agents_md":{"text":"Use tabs."},"realtime":{"active":false}}`
///
/// # Bounds and cost
/// Cloning is O(1). A change of one section copies one pointer a section, never a section's bytes.
///
/// # Example
/// ```
/// use annals_world_state::WorldStateSnapshot;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let before = WorldStateSnapshot::parse(r#"{"env":{"cwd":"/a","shell":null}}"#)?;
/// let after = WorldStateSnapshot::parse(r#"{"env":{"cwd":"/b"}}"#)?;
/// assert_eq!(before.to_json(), r#"{"env":{"cwd":"/a"}}"#);
/// let patch = after.diff_from(&before).ok_or("they differ")?;
/// assert_eq!(patch.as_str(), r#"{"env":{"cwd":"/b"}}"#);
/// assert_eq!(before.apply(&patch)?, after);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct WorldStateSnapshot {
    sections: Arc<BTreeMap<Arc<str>, SectionSnapshot>>,
}

impl WorldStateSnapshot {
    /// A state of which nothing was told.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a state as a file holds it.
    ///
    /// A section that is null counts as not there.
    ///
    /// # Errors
    /// When the text is not JSON, not an object, or a section nests too deep.
    pub fn parse(text: &str) -> Result<Self, SnapshotFault> {
        Self::from_value(
            serde_json::from_str(text).map_err(|error| SnapshotFault::not_json(&error))?,
        )
    }

    /// Makes a state from a JSON object keyed by section id.
    ///
    /// # Errors
    /// When the value is not an object, or a section nests too deep.
    pub fn from_value(value: Value) -> Result<Self, SnapshotFault> {
        let Value::Object(members) = value else {
            return Err(SnapshotFault::NotAnObject {
                found: patch::kind_of(&value),
            });
        };
        members
            .into_iter()
            .filter(|(_, state)| !state.is_null())
            .map(|(id, state)| Ok((Arc::from(id), SectionSnapshot::from_value(state)?)))
            .collect::<Result<BTreeMap<_, _>, _>>()
            .map(Self::from_sections)
    }

    pub(crate) fn from_sections(sections: BTreeMap<Arc<str>, SectionSnapshot>) -> Self {
        Self {
            sections: Arc::new(sections),
        }
    }

    /// The snapshot of one section.
    pub fn get(&self, id: &str) -> Option<&SectionSnapshot> {
        self.sections.get(id)
    }

    /// All sections in the byte order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &SectionSnapshot)> {
        self.sections.iter().map(|(id, state)| (&**id, state))
    }

    /// How many sections there are.
    pub fn n_sections(&self) -> usize {
        self.sections.len()
    }

    /// Whether nothing is known at all.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// The same state with one section set.
    #[must_use = "the state itself is not changed"]
    pub fn with_section(&self, id: &str, state: SectionSnapshot) -> Self {
        let mut sections = BTreeMap::clone(&self.sections);
        sections.insert(id.into(), state);
        Self::from_sections(sections)
    }

    /// The same state without one section.
    #[must_use = "the state itself is not changed"]
    pub fn without_section(&self, id: &str) -> Self {
        let mut sections = BTreeMap::clone(&self.sections);
        sections.remove(id);
        Self::from_sections(sections)
    }

    /// The same state with some sections set or removed; the very same one if that changes nothing.
    pub(crate) fn with_changes(&self, changes: Vec<(Box<str>, Option<SectionSnapshot>)>) -> Self {
        let changes: Vec<_> = changes
            .into_iter()
            .filter(|(id, state)| self.get(id) != state.as_ref())
            .collect();
        if changes.is_empty() {
            return self.clone();
        }
        let mut sections = BTreeMap::clone(&self.sections);
        for (id, state) in changes {
            match state {
                Some(state) => sections.insert(id.into(), state),
                None => sections.remove(&*id),
            };
        }
        Self::from_sections(sections)
    }

    /// The whole state as compact JSON: equal states give equal bytes.
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(
            self.iter()
                .map(|(id, state)| id.len() + state.as_str().len() + 4)
                .sum::<usize>()
                + 2,
        );
        out.push('{');
        for (position, (id, state)) in self.iter().enumerate() {
            if position > 0 {
                out.push(',');
            }
            canonical::write_string(id, &mut out);
            out.push(':');
            out.push_str(state.as_str());
        }
        out.push('}');
        out
    }

    /// A digest of [`to_json`](Self::to_json).
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_bytes(self.to_json().as_bytes())
    }

    /// The smallest patch that turns `earlier` into this state; `None` when they are equal.
    ///
    /// # Bounds and cost
    /// Sections with equal bytes are not looked into. A changed section costs one walk over its
    /// two values.
    pub fn diff_from(&self, earlier: &Self) -> Option<WorldStatePatch> {
        if Arc::ptr_eq(&self.sections, &earlier.sections) {
            return None;
        }
        let removed: Vec<&str> = earlier
            .iter()
            .map(|(id, _)| id)
            .filter(|id| self.get(id).is_none())
            .collect();
        let changed: Vec<(&str, Change<'_>)> = self
            .iter()
            .filter_map(|(id, state)| {
                let change = match earlier.get(id) {
                    Some(old) if old == state => None,
                    Some(old) => Change::between(old.value(), state.value()),
                    None => Some(Change::Set(state.value())),
                };
                change.map(|change| (id, change))
            })
            .collect();
        (!removed.is_empty() || !changed.is_empty())
            .then(|| WorldStatePatch::from_change(&Change::Members { removed, changed }))
    }

    /// Applies a patch; sections that it does not name are shared with this state.
    ///
    /// # Errors
    /// When a section of the result nests too deep.
    pub fn apply(&self, patch: &WorldStatePatch) -> Result<Self, SnapshotFault> {
        let mut sections = BTreeMap::clone(&self.sections);
        for (id, change) in patch.sections() {
            if change.is_null() {
                sections.remove(id);
                continue;
            }
            let mut value = sections
                .get(id)
                .map_or(Value::Null, |state| state.value().clone());
            patch::merge_apply(&mut value, change);
            sections.insert(id.into(), SectionSnapshot::from_value(value)?);
        }
        Ok(Self::from_sections(sections))
    }

    /// Whether every member of the patch changes something here, as in a patch made for this state.
    ///
    /// A patch for which this is false was made for another state, or written twice.
    pub fn is_changed_by_all_of(&self, patch: &WorldStatePatch) -> bool {
        self.apply(patch)
            .is_ok_and(|after| after.diff_from(self).as_ref() == Some(patch))
    }
}

impl std::fmt::Debug for WorldStateSnapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_json())
    }
}

impl Serialize for WorldStateSnapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(Some(self.n_sections()))?;
        for (id, state) in self.iter() {
            members.serialize_entry(id, state.value())?;
        }
        members.end()
    }
}

impl<'de> Deserialize<'de> for WorldStateSnapshot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_value(Value::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
#[path = "snapshot_tests.rs"]
mod tests;
