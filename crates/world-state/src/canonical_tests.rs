//! The canonical form of a value.

use super::{MAX_SNAPSHOT_DEPTH, canonicalize, write_value};
use crate::error::SnapshotFault;
use serde_json::{Value, json};

fn check(value: Value, expected: &str) {
    let mut out = String::new();
    write_value(&canonicalize(value).unwrap(), &mut out);
    assert_eq!(out, expected);
    let reread: Value = serde_json::from_str(&out).unwrap();
    let mut again = String::new();
    write_value(&canonicalize(reread).unwrap(), &mut again);
    assert_eq!(again, out, "the form is not stable");
}

#[test]
fn nulls_leave_objects_and_stay_in_lists() {
    check(
        json!({"b": null, "a": {"c": null, "d": {"e": null}}, "l": [null, {"z": null, "y": 1}]}),
        r#"{"a":{"d":{}},"l":[null,{"y":1,"z":null}]}"#,
    );
}

#[test]
fn scalars_and_strings_are_written_like_serde_json_does() {
    let odd = "quote \" slash \\ nl \n cr \r tab \t bs \u{8} ff \u{c} nul \0 esc \u{1b} \u{7f} \u{2028} é 🦀";
    for value in [
        json!(odd),
        json!(true),
        json!(false),
        json!(-7),
        json!(u64::MAX),
        json!(1.5e300),
        json!(0.1),
        json!([]),
        json!({}),
        json!({"k\n": odd}),
    ] {
        check(value.clone(), &serde_json::to_string(&value).unwrap());
    }
}

#[test]
fn a_value_that_no_reader_would_accept_is_refused() {
    let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    assert!(canonicalize(nested(MAX_SNAPSHOT_DEPTH)).is_ok());
    assert_eq!(
        canonicalize(nested(MAX_SNAPSHOT_DEPTH + 1)),
        Err(SnapshotFault::TooDeep {
            limit: MAX_SNAPSHOT_DEPTH
        })
    );
}
