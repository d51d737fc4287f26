//! Tests of physical lines.

use annals_rollout::ParentSearch;

use super::*;

const HEAD: &str =
    r#"{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"x"}}"#;

fn check(text: &str, asked: u64) -> Result<(), String> {
    let source = Source::from_bytes("memory", text.to_owned()).expect("not empty");
    let lineage = Lineage::resolve(source, &ParentSearch::default()).expect("a session");
    check_line(&lineage, ReadUpTo::Line(asked)).map_err(|error| error.to_string())
}

#[test]
fn a_bound_must_name_a_line_that_is_there() {
    let three = format!("{HEAD}\n\nnot json\n");
    for asked in 1..=3 {
        assert_eq!(check(&three, asked), Ok(()));
    }
    let none = |asked| format!("there is no line {asked}, the file has 3: give 1 to 3");
    assert_eq!(check(&three, 0), Err(none(0)));
    assert_eq!(check(&three, 4), Err(none(4)));
    assert_eq!(check(&three, u64::MAX), Err(none(u64::MAX)));
    // A last line without an end is one too.
    assert_eq!(check(&format!("{three}{{\"torn"), 4), Ok(()));
    let one = "there is no line 2, the file has 1".to_owned();
    assert_eq!(check(HEAD, 2), Err(one));
}

#[test]
fn a_byte_belongs_to_the_line_that_it_stands_in() {
    let source = Source::from_bytes("memory", "ab\ncd\n\nef").expect("not empty");
    let offsets = [0, 1, 2, 3, 6, 7, 8];
    let lines = lines_of(&source, &offsets).expect("readable");
    assert_eq!(lines, [1, 1, 1, 2, 3, 4, 4]);
    // What is not there any more has no line.
    assert_eq!(lines_of(&source, &[3, 99]).expect("readable"), [2]);
}

#[test]
fn what_is_missing_is_told_with_what_is_there() {
    let turn = |asked, count| no_such("user turn", asked, "the session has", count);
    assert_eq!(turn(1, 0), "there is no user turn 1, the session has none");
    assert_eq!(turn(2, 1), "there is no user turn 2, the session has 1");
    assert_eq!(
        turn(0, 7),
        "there is no user turn 0, the session has 7: give 1 to 7"
    );
}
