//! Tests of the table and of the arguments.

use super::*;

fn row(unit: &str, met: bool) -> Row {
    Row {
        suite: "s".to_owned(),
        row: "work".to_owned(),
        ours: 0.001_5,
        ours_range: (0.001, 0.002),
        baseline: 3.0,
        baseline_range: (2.0, 4.0),
        unit: unit.to_owned(),
        ratio: 2000.0,
        target: ">= 10x".to_owned(),
        met,
    }
}

#[test]
fn a_row_shows_medians_ranges_and_whether_the_target_is_met() {
    let table = table(&[row("s", true), row("bytes", false)]);
    let lines: Vec<&str> = table.lines().skip(2).collect();
    assert_eq!(
        lines,
        [
            "| s | work | 1.50 ms (1.00 ms–2.00 ms) | 3.00 s (2.00 s–4.00 s) | 2000.00 | >= 10x | yes |",
            "| s | work | 0 (0–0) bytes | 3 (2–4) bytes | 2000.00 | >= 10x | **no** |",
        ]
    );
}

#[test]
fn seconds_read_well() {
    assert_eq!(seconds(2.5), "2.50 s");
    assert_eq!(seconds(0.25), "250.00 ms");
    assert_eq!(seconds(0.000_012), "12.00 µs");
    assert_eq!(seconds(0.000_000_2), "200 ns");
}

#[test]
fn unknown_words_are_refused_with_what_is_known() {
    let words = |words: &[&str]| {
        words
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    assert!(read_options(&words(&["--quick", "parse", "--json", "x"])).is_ok());
    let message = read_options(&words(&["--fast"]))
        .expect_err("unknown")
        .to_string();
    assert!(
        message.contains("--quick") && message.contains("parse"),
        "{message}"
    );
    assert!(read_options(&words(&["--json"])).is_err());
}
