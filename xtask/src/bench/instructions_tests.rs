//! Tables read back, and a path that takes more is told.

use super::*;
use crate::bench::document::Parts;

fn count(path: &str, instructions: u64) -> Count {
    Count {
        path: path.to_owned(),
        instructions,
    }
}

#[test]
fn a_table_reads_back() {
    let counts = [count("parse", 1_000), count("prompt-input", 5)];
    let parts = Parts {
        times: "\n| suite | what |\n| --- | --- |\n| a | 7 |\n".to_owned(),
        counts: format!("\nWords.\n\n{}\n", table(&counts)),
    };
    let again = Parts::of(&parts.to_text());
    assert_eq!(again, parts);
    assert_eq!(of_table(&again.counts), counts);
}

#[test]
fn five_percent_more_is_allowed_and_no_more() {
    let on_record = [count("a", 1_000), count("b", 1_000), count("c", 1_000)];
    let now = [count("a", 1_050), count("b", 1_051), count("c", 10)];
    assert_eq!(
        slower(&on_record, &now).unwrap(),
        ["b: 1051 instead of 1000"]
    );
}

#[test]
fn a_path_that_is_not_on_record_is_an_error() {
    let error = slower(&[], &[count("a", 1)]).unwrap_err();
    assert!(error.to_string().contains("--save"), "{error}");
}
