//! Rules on a single source file: its head, its size, and words that must not stand in it.

use super::word;
use crate::finding::Finding;
use crate::workspace::TextFile;

/// Most lines of a file that are not tests.
const MAX_LINES: usize = 500;

/// Files that may be longer: path, most lines, and why.
const LONGER: &[(&str, usize, &str)] = &[];

/// All rules on one file; nothing for a file that is not Rust.
pub(super) fn file(file: &TextFile) -> Vec<Finding> {
    let mut findings = notes(file);
    if !file.is("rs") {
        return findings;
    }
    findings.extend(head(file));
    findings.extend(size(file));
    findings.extend(words(file));
    findings
}

/// Whether a file holds tests alone.
fn is_test(path: &str) -> bool {
    path.ends_with("_tests.rs") || path.contains("/tests/") || path.contains("/benches/")
}

/// A file opens with what it knows, and what it leaves to others.
fn head(file: &TextFile) -> Option<Finding> {
    let says = file
        .text
        .strip_prefix("//! ")
        .is_some_and(|rest| !rest.trim_start().is_empty());
    (!says).then(|| {
        let advice = "open the file with a `//!` sentence: what it knows, what it leaves to others";
        Finding::new(&file.path, 1, "head", advice)
    })
}

/// A file that is too long holds more than one idea.
fn size(file: &TextFile) -> Option<Finding> {
    if is_test(&file.path) {
        return None;
    }
    let listed = LONGER.iter().find(|(path, _, _)| *path == file.path);
    let max_lines = listed.map_or(MAX_LINES, |(_, max_lines, _)| *max_lines);
    let n_lines = shipped_lines(&file.text);
    (n_lines > max_lines).then(|| {
        let advice =
            format!("{n_lines} lines without tests are more than {max_lines}: split it by idea");
        Finding::new(&file.path, max_lines + 1, "size", &advice)
    })
}

/// The lines of a file without its inline test module.
fn shipped_lines(text: &str) -> usize {
    let mut n_lines = 0;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let opens_tests = line == "#[cfg(test)]"
            && lines
                .peek()
                .is_some_and(|next| next.starts_with("mod ") && next.ends_with('{'));
        if opens_tests {
            // A module at the margin ends with the first brace at the margin.
            lines.by_ref().find(|line| *line == "}");
        } else {
            n_lines += 1;
        }
    }
    n_lines
}

/// Left-overs, and tests that do not run.
fn words(file: &TextFile) -> Vec<Finding> {
    let left_over = "take it out: write the code, or return an error that says what is missing";
    let never_runs = "make the test run everywhere, or take it out";
    let rules = [
        (word(&["to", "do!("]), "left-over", left_over),
        (word(&["unimpl", "emented!("]), "left-over", left_over),
        (word(&["db", "g!("]), "left-over", left_over),
        (word(&["#[ign", "ore"]), "skipped", never_runs),
        (
            word(&["```ign", "ore"]),
            "skipped",
            "make the example compile, or mark it as `text`",
        ),
        (
            word(&["#[should", "_panic"]),
            "panicking-test",
            "return the error as a value and assert on it",
        ),
    ];
    let mut findings = Vec::new();
    for (line_idx, line) in file.text.lines().enumerate() {
        for (word, rule, advice) in &rules {
            if line.contains(word.as_str()) {
                findings.push(Finding::new(&file.path, line_idx + 1, rule, advice));
            }
        }
    }
    findings
}

/// A note of something left for later says where it is followed up.
fn notes(file: &TextFile) -> Vec<Finding> {
    let is_source = ["rs", "toml", "yml", "sh", "py"]
        .iter()
        .any(|kind| file.is(kind));
    if !is_source && !file.path.starts_with(".ci/") {
        return Vec::new();
    }
    let marks = [
        word(&["TO", "DO"]),
        word(&["FIX", "ME"]),
        word(&["XX", "X"]),
    ];
    let mut findings = Vec::new();
    for (line_idx, line) in file.text.lines().enumerate() {
        let Some(mark) = marks.iter().find(|mark| has_word(line, mark)) else {
            continue;
        };
        if !line.contains("https://") {
            let advice = format!("give the {mark} the link of its issue, or do it now");
            findings.push(Finding::new(&file.path, line_idx + 1, "note", &advice));
        }
    }
    findings
}

/// Whether a word stands in a line with no letter, digit or underscore beside it.
fn has_word(line: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(start, found)| {
        let before = line.get(..start).and_then(|text| text.chars().next_back());
        let after = line
            .get(start + found.len()..)
            .and_then(|text| text.chars().next());
        !before.is_some_and(part) && !after.is_some_and(part)
    })
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;
