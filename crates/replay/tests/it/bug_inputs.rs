//! Faults that users of other programs reported, as files, where they are at hand: what the model
//! is shown of each. `cases.rs` has the same faults in sessions of our own making.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "reads files that lie outside the project, and says what it left out"
)]

use std::path::Path;

use annals_history::PromptOptions;

use crate::lines;
use crate::session::shape;

/// The cases whose prompt is known whole.
const CASES: &[(&str, &[&str])] = &[
    ("B36", &["U\"hello\"", "A\"hi\""]),
    (
        "B37",
        &[
            "U\"check three\"",
            "FC(call_a)",
            "FC(call_b)",
            "FO(call_b)=aborted",
            "FC(call_c)",
            "FO(call_a)=A",
            "FO(call_c)=C",
            "A\"done\"",
        ],
    ),
    (
        "B39",
        &["U\"run\"", "FC(call_1)", "FO(call_1)=real", "A\"ok\""],
    ),
    (
        "B41",
        &["U\"run\"", "FC(call_1)", "FO(call_1)=early", "A\"ok\""],
    ),
    (
        "B47",
        &[
            "U\"look|image content omitted because it could not be processed\"",
            "U\"skip that\"",
            "A\"ok\"",
        ],
    ),
    (
        "B49",
        &["U\"touch it\"", "FC(call_1)", "FO(call_1)=", "A\"done\""],
    ),
    (
        "B52",
        &[
            "U\"a\"",
            "FC(call_1)",
            "FO(call_1)=aborted",
            "U\"b\"",
            "A\"ok\"",
            "FC(call_2)",
            "FO(call_2)=aborted",
            "U\"c\"",
        ],
    ),
    ("B55", &["D\"developer text\"", "U\"hi\"", "A\"ok\""]),
    ("B60", &["D\"rules\"", "U\"hi\"", "A\"ok\""]),
    (
        "B76",
        &["U\"hi\"", "A\"ok\"", "U\"written by an older build\""],
    ),
    ("B80", &["U\"one\"", "A\"ok 1\""]),
    ("B81", &["U\"one\"", "A\"ok 1\""]),
    ("B84", &["U\"A\"", "A\"ra\""]),
    (
        "B92",
        &[
            "U\"one\"",
            "A\"ok 1\"",
            "U\"two\"",
            "FC(call_1)",
            "FO(call_1)=aborted",
        ],
    ),
    ("B97", &["U\"build it\"", "A\"summary: half done\""]),
    ("B105", &["U\"one\"", "A\"ok 1\""]),
];

/// What the model is shown of a case's file; none, with a note, where the files are not at hand.
fn shown(case: &str) -> Option<Vec<String>> {
    let Some(root) = std::env::var_os("ANNALS_SHARED") else {
        println!("ANNALS_SHARED is not set: {case} is not looked at");
        return None;
    };
    let path = Path::new(&root).join(format!("cases/bug-inputs/{case}.jsonl"));
    let replay = lines::replay(&lines::lineage(&path, usize::MAX));
    let mut history = replay.finish().into_history();
    let prompt = history.for_prompt(PromptOptions::default());
    Some(prompt.iter().map(|item| shape(&item.to_text())).collect())
}

#[test]
fn cases_b36_to_b105_are_shown_as_they_should_be() {
    for (case, expected) in CASES {
        let Some(got) = shown(case) else { return };
        assert_eq!(got, *expected, "{case}");
    }
}

#[test]
fn cases_b12_b43_b57_b77_and_b85_hold_what_they_must() {
    let Some(b12) = shown("B12") else { return };
    assert_eq!(b12.len(), 6, "{b12:?}");
    assert_eq!(
        b12[..3],
        ["U\"push the branch\"", "FC(call_1)", "FO(call_1)=aborted"]
    );
    let b43 = shown("B43").unwrap();
    assert!(!b43.contains(&"R(ENC-a)".to_owned()), "{b43:?}");
    let kept = b43.iter().position(|item| item == "R(ENC-b)").unwrap();
    assert_eq!(b43[kept + 1], "A\"answer\"");
    let b57 = shown("B57").unwrap();
    assert_eq!(b57.len(), 2, "{b57:?}");
    let b77 = shown("B77").unwrap();
    assert_eq!(b77.len(), 10, "{b77:?}");
    assert!(!b77.iter().any(|item| item.ends_with("=aborted")));
    let b85 = shown("B85").unwrap();
    assert_eq!(b85.len(), 3, "{b85:?}");
    assert!(b85[0].contains("AGENTS.md"));
    assert_eq!(b85[1..], ["U\"D\"", "A\"rd\""]);
}
