//! Snapshots: their bytes, their differences, what they share.

use super::{SectionSnapshot, WorldStateSnapshot};
use crate::{error::SnapshotFault, patch::WorldStatePatch, patch::tests::null_free};
use proptest::prelude::*;
use serde_json::{Value, json};

fn state(text: &str) -> WorldStateSnapshot {
    WorldStateSnapshot::parse(text).unwrap()
}

#[test]
fn null_members_are_dropped_and_nulls_in_lists_kept() {
    let read = state(r#"{"s":{"gone":null,"list":[{"value":null}]},"t":null}"#);
    assert_eq!(read.to_json(), r#"{"s":{"list":[{"value":null}]}}"#);
}

#[test]
fn equal_states_have_equal_bytes_whatever_the_order_of_keys() {
    let a = state(r#"{"zeta":1,"alpha":{"y":1,"x":2},"mid":[1,2]}"#);
    let b = state(r#"{ "alpha": {"x": 2, "y": 1}, "mid": [1, 2], "zeta": 1 }"#);
    assert_eq!(a.to_json(), b.to_json());
    assert_eq!(a.fingerprint(), b.fingerprint());
    assert_eq!(a.diff_from(&b), None);
}

#[test]
fn a_member_that_turns_null_is_removed_once_and_never_again() {
    let from = state(r#"{"net":{"proxy":"x"}}"#);
    let to = state(r#"{"net":{"proxy":null}}"#);
    let patch = to.diff_from(&from).unwrap();
    assert_eq!(patch.as_str(), r#"{"net":{"proxy":null}}"#);
    let stored = from.apply(&patch).unwrap();
    assert_eq!(stored.to_json(), r#"{"net":{}}"#);
    assert_eq!(to.diff_from(&stored), None);
}

#[test]
fn what_is_not_a_state_is_refused_with_the_reason() {
    assert_eq!(
        WorldStateSnapshot::parse("[]").unwrap_err().to_string(),
        "expected a JSON object keyed by section id, found a list"
    );
    assert!(
        WorldStateSnapshot::parse("{\"a\":")
            .unwrap_err()
            .to_string()
            .starts_with("not a JSON value: EOF while parsing")
    );
    assert_eq!(
        SectionSnapshot::from_serialize(&None::<u8>),
        Err(SnapshotFault::Null)
    );
}

#[test]
fn a_patch_leaves_the_sections_it_does_not_name_shared() {
    let before = state(r#"{"big":{"text":"long"},"small":1}"#);
    let after = before
        .apply(&WorldStatePatch::parse(r#"{"small":2}"#).unwrap())
        .unwrap();
    assert!(std::ptr::eq(
        before.get("big").unwrap().as_str(),
        after.get("big").unwrap().as_str()
    ));
    assert_eq!(before.get("small").unwrap().as_str(), "1");
    assert_eq!(after.get("small").unwrap().as_str(), "2");
}

#[test]
fn a_patch_made_for_another_state_is_noticed() {
    let base = state(r#"{"a":{"x":1},"b":2}"#);
    for (patch, fits) in [
        (r#"{"a":{"x":2}}"#, true),
        (r#"{"b":null}"#, true),
        (r#"{"a":{"x":1}}"#, false),
        (r#"{"a":{"x":2},"c":null}"#, false),
        ("{}", false),
    ] {
        let patch = WorldStatePatch::parse(patch).unwrap();
        assert_eq!(base.is_changed_by_all_of(&patch), fits, "{patch:?}");
    }
}

#[test]
fn sections_are_set_and_removed_in_a_copy() {
    let empty = WorldStateSnapshot::new();
    let one = empty.with_section("b", SectionSnapshot::from_serialize("text").unwrap());
    let two = one.with_section("a", SectionSnapshot::from_serialize(&1).unwrap());
    assert!(empty.is_empty());
    assert_eq!(one.n_sections(), 1);
    assert_eq!(two.to_json(), r#"{"a":1,"b":"text"}"#);
    assert_eq!(two.without_section("a"), one);
    assert_eq!(two.get("b").unwrap().decode::<String>().unwrap(), "text");
    assert!(two.get("b").unwrap().decode::<u8>().is_err());
}

#[test]
fn serde_writes_the_same_bytes() {
    let value = state(r#"{"b":{"d":1,"c":"é\u0001"},"a":[null,1.5]}"#);
    assert_eq!(serde_json::to_string(&value).unwrap(), value.to_json());
    let again: WorldStateSnapshot = serde_json::from_str(&value.to_json()).unwrap();
    assert_eq!(again, value);
}

#[test]
fn fractions_survive_being_written_and_read() {
    let odd = 0.1 + 0.2 + f64::EPSILON * 7.0;
    let made = WorldStateSnapshot::from_value(json!({"f": {"x": odd, "y": 1.1e-300}})).unwrap();
    assert_eq!(state(&made.to_json()), made);
}

fn states() -> impl Strategy<Value = WorldStateSnapshot> {
    prop::collection::btree_map("[a-d]", null_free(), 0..4).prop_map(|sections| {
        WorldStateSnapshot::from_value(Value::Object(sections.into_iter().collect())).unwrap()
    })
}

/// The same object with its keys written in the opposite order.
fn reversed(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members: Vec<_> = members
                .iter()
                .rev()
                .map(|(key, member)| format!("{}: {}", json!(key), reversed(member)))
                .collect();
            format!("{{{}}}", members.join(" ,"))
        }
        Value::Array(elements) => {
            let elements: Vec<_> = elements.iter().map(reversed).collect();
            format!("[ {} ]", elements.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn patches_lead_from_any_state_to_any_other(path in prop::collection::vec(states(), 1..6)) {
        let mut replayed = WorldStateSnapshot::new();
        for target in path {
            if let Some(patch) = target.diff_from(&replayed) {
                prop_assert!(replayed.is_changed_by_all_of(&patch));
                let read_back = WorldStatePatch::parse(patch.as_str()).unwrap();
                prop_assert_eq!(&read_back, &patch);
                replayed = replayed.apply(&read_back).unwrap();
            }
            prop_assert_eq!(replayed.to_json(), target.to_json());
        }
    }

    #[test]
    fn the_order_of_keys_never_reaches_the_bytes(one in states()) {
        let value = serde_json::to_value(&one).unwrap();
        prop_assert_eq!(state(&reversed(&value)).to_json(), one.to_json());
    }
}
