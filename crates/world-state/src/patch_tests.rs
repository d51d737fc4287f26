//! Merge patches: the appendix of the RFC, the kinds of change that others got wrong, and the laws.

use super::{WorldStatePatch, merge_apply, merge_diff};
use crate::{error::SnapshotFault, snapshot::WorldStateSnapshot};
use proptest::prelude::*;
use serde_json::Value;

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Target, patch and result, as appendix A of RFC 7386 lists them.
const APPENDIX: [(&str, &str, &str); 15] = [
    (r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
    (r#"{"a":"b"}"#, r#"{"b":"c"}"#, r#"{"a":"b","b":"c"}"#),
    (r#"{"a":"b"}"#, r#"{"a":null}"#, "{}"),
    (r#"{"a":"b","b":"c"}"#, r#"{"a":null}"#, r#"{"b":"c"}"#),
    (r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
    (r#"{"a":"c"}"#, r#"{"a":["b"]}"#, r#"{"a":["b"]}"#),
    (
        r#"{"a":{"b":"c"}}"#,
        r#"{"a":{"b":"d","c":null}}"#,
        r#"{"a":{"b":"d"}}"#,
    ),
    (r#"{"a":[{"b":"c"}]}"#, r#"{"a":[1]}"#, r#"{"a":[1]}"#),
    (r#"["a","b"]"#, r#"["c","d"]"#, r#"["c","d"]"#),
    (r#"{"a":"b"}"#, r#"["c"]"#, r#"["c"]"#),
    (r#"{"a":"foo"}"#, "null", "null"),
    (r#"{"a":"foo"}"#, r#""bar""#, r#""bar""#),
    (r#"{"e":null}"#, r#"{"a":1}"#, r#"{"e":null,"a":1}"#),
    ("[1,2]", r#"{"a":"b","c":null}"#, r#"{"a":"b"}"#),
    ("{}", r#"{"a":{"bb":{"ccc":null}}}"#, r#"{"a":{"bb":{}}}"#),
];

#[test]
fn the_appendix_of_the_rfc_holds() {
    for (target, patch, expected) in APPENDIX {
        let mut value = parse(target);
        merge_apply(&mut value, &parse(patch));
        assert_eq!(value, parse(expected), "{target} patched by {patch}");
    }
}

#[test]
fn nulls_in_lists_are_kept_and_lists_are_replaced_whole() {
    for (target, patch, expected) in [
        (
            r#"{"t":["a","b"]}"#,
            r#"{"t":["a",null,"c"]}"#,
            r#"{"t":["a",null,"c"]}"#,
        ),
        (
            r#"{"e":[{"b":"c"}]}"#,
            r#"{"e":[{"d":null}]}"#,
            r#"{"e":[{"d":null}]}"#,
        ),
        (
            "{}",
            r#"{"n":{"k":[null,{"x":null}],"gone":null}}"#,
            r#"{"n":{"k":[null,{"x":null}]}}"#,
        ),
    ] {
        let mut value = parse(target);
        merge_apply(&mut value, &parse(patch));
        assert_eq!(value, parse(expected), "{target} patched by {patch}");
    }
}

/// From, to, and the patch between them ("-" for none).
const CHANGES: [(&str, &str, &str); 18] = [
    // A whole list is removed; an empty list appears.
    (
        r#"{"roots":["a"],"n":1}"#,
        r#"{"n":1}"#,
        r#"{"roots":null}"#,
    ),
    (r#"{"n":1}"#, r#"{"n":1,"roots":[]}"#, r#"{"roots":[]}"#),
    // An object becomes a list, and a list an object.
    (
        r#"{"s":{"ref":"x"}}"#,
        r#"{"s":[{"ref":"y"}]}"#,
        r#"{"s":[{"ref":"y"}]}"#,
    ),
    (
        r#"{"s":["x"]}"#,
        r#"{"s":{"ref":"x"}}"#,
        r#"{"s":{"ref":"x"}}"#,
    ),
    // A null member counts as none on either side.
    (
        r#"{"net":{"proxy":"x"}}"#,
        r#"{"net":{"proxy":null}}"#,
        r#"{"net":{"proxy":null}}"#,
    ),
    (r#"{"net":{}}"#, r#"{"net":{"proxy":null}}"#, "-"),
    (r#"{"net":{"proxy":null}}"#, r#"{"net":{}}"#, "-"),
    (r#"{"a":null}"#, r#"{"a":1}"#, r#"{"a":1}"#),
    // Lists differ in a null only.
    (r#"{"l":[1,null]}"#, r#"{"l":[1]}"#, r#"{"l":[1]}"#),
    // Keys that look like indices are keys.
    (
        r#"{"0":"a","1":"b"}"#,
        r#"{"0":"a","1":"c","10":"d"}"#,
        r#"{"1":"c","10":"d"}"#,
    ),
    // An object becomes empty, and appears empty.
    (r#"{"a":{"x":1}}"#, r#"{"a":{}}"#, r#"{"a":{"x":null}}"#),
    ("{}", r#"{"a":{}}"#, r#"{"a":{}}"#),
    (r#"{"a":1}"#, r#"{"a":{}}"#, r#"{"a":{}}"#),
    // Whole and broken numbers are two values.
    (r#"{"a":1}"#, r#"{"a":1.0}"#, r#"{"a":1.0}"#),
    // The order of keys is no difference.
    (
        r#"{"z":1,"a":{"y":1,"x":2}}"#,
        r#"{"a":{"x":2,"y":1},"z":1}"#,
        "-",
    ),
    // Only what differs is told, however deep it is.
    (
        r#"{"a":{"b":{"c":1,"d":2},"e":3},"f":4}"#,
        r#"{"a":{"b":{"c":1,"d":5},"e":3},"f":4}"#,
        r#"{"a":{"b":{"d":5}}}"#,
    ),
    // Removed, changed and new members at once.
    (
        r#"{"a":1,"b":2,"c":3}"#,
        r#"{"b":3,"c":3,"d":4}"#,
        r#"{"a":null,"b":3,"d":4}"#,
    ),
    ("[1]", "[2]", "[2]"),
];

#[test]
fn the_patch_is_the_least_one() {
    for (from, to, expected) in CHANGES {
        let patch = merge_diff(&parse(from), &parse(to));
        let expected = (expected != "-").then(|| parse(expected));
        assert_eq!(patch, expected, "{from} to {to}");
        if let Some(patch) = patch {
            let mut value = parse(from);
            merge_apply(&mut value, &patch);
            assert_eq!(merge_diff(&value, &parse(to)), None, "{from} to {to}");
        }
    }
}

#[test]
fn removals_are_written_first_at_each_level() {
    let from = WorldStateSnapshot::parse(r#"{"z":1,"m":{"y":1,"a":2,"k":3},"q":2}"#).unwrap();
    let to = WorldStateSnapshot::parse(r#"{"a":"new","m":{"a":3,"b":1,"k":3}}"#).unwrap();
    assert_eq!(
        to.diff_from(&from).unwrap().as_str(),
        r#"{"q":null,"z":null,"a":"new","m":{"y":null,"a":3,"b":1}}"#
    );
}

#[test]
fn a_patch_must_be_an_object() {
    assert_eq!(
        WorldStatePatch::parse("[1]"),
        Err(SnapshotFault::NotAnObject { found: "a list" })
    );
    assert!(matches!(
        WorldStatePatch::parse("{"),
        Err(SnapshotFault::NotJson { .. })
    ));
}

#[test]
fn a_patch_keeps_the_bytes_that_it_was_read_from() {
    let text = r#"{ "b": null, "a": {"z": 1, "y": 2} }"#;
    assert_eq!(WorldStatePatch::parse(text).unwrap().as_str(), text);
}

/// Values with no null member in any object; few keys, so that both sides share some.
pub(crate) fn null_free() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        (-3_i64..3).prop_map(Value::from),
        "[a-c]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(
                prop_oneof![1 => Just(Value::Null), 5 => inner.clone()],
                0..4
            )
            .prop_map(Value::from),
            prop::collection::btree_map("[a-e0]", inner, 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Whether each member of the patch differs from what it is applied to.
fn changes_something_everywhere(patch: &Value, target: Option<&Value>) -> bool {
    match (patch, target) {
        (Value::Object(members), Some(Value::Object(target))) => {
            !members.is_empty()
                && members
                    .iter()
                    .all(|(key, member)| changes_something_everywhere(member, target.get(key)))
        }
        (Value::Null, target) => target.is_some(),
        (patch, target) => target != Some(patch),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn applying_the_difference_gives_the_other_value(from in null_free(), to in null_free()) {
        match merge_diff(&from, &to) {
            None => prop_assert_eq!(&from, &to),
            Some(patch) => {
                prop_assert_ne!(&from, &to);
                prop_assert!(changes_something_everywhere(&patch, Some(&from)), "{}", patch);
                let mut value = from;
                merge_apply(&mut value, &patch);
                prop_assert_eq!(value, to);
            }
        }
    }

    #[test]
    fn a_value_does_not_differ_from_itself(value in null_free()) {
        prop_assert_eq!(merge_diff(&value, &value), None);
    }
}
