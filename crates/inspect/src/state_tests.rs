//! Tests of what differs between two states.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;

fn snapshot(value: &Value) -> WorldStateSnapshot {
    WorldStateSnapshot::from_value(value.clone()).expect("an object")
}

fn section() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Bool(true)),
        (0..3_i64).prop_map(Value::from),
        "[ab\n]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            object(inner),
        ]
    })
}

fn object(of: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::btree_map("[a-d]", of, 0..4)
        .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>()))
}

/// Sets a member at a path, or takes it away.
fn set(state: &mut Value, path: &str, value: Option<Value>) {
    let (ancestors, key) = match path.rsplit_once('.') {
        Some((ancestors, key)) => (ancestors.split('.').collect(), key),
        None => (Vec::new(), path),
    };
    let object = ancestors
        .into_iter()
        .fold(state, |at, key| &mut at[key])
        .as_object_mut()
        .expect("an object on the way");
    match value {
        Some(value) => object.insert(key.to_owned(), value),
        None => object.remove(key),
    };
}

#[test]
fn a_state_that_is_not_known_has_no_member() {
    let state = snapshot(&json!({"env": {"cwd": "/a"}}));
    assert_eq!(changes_between(None, None), []);
    let told = changes_between(None, Some(&state));
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].path, "env");
    assert_eq!(told[0].before, None);
    assert_eq!(told[0].after, Some(json!({"cwd": "/a"})));
    let forgotten = changes_between(Some(&state), None);
    assert_eq!(forgotten[0].after, None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_changes_turn_one_state_into_the_other(
        before in object(section()),
        after in object(section()),
    ) {
        let (old, new) = (snapshot(&before), snapshot(&after));
        let mut state = before.clone();
        for change in changes_between(Some(&old), Some(&new)) {
            prop_assert_ne!(&change.before, &change.after);
            set(&mut state, &change.path, change.after);
        }
        prop_assert_eq!(state, after);
        prop_assert_eq!(changes_between(Some(&old), Some(&old)), []);
    }
}
