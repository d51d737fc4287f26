//! A document that says that a test pins something must name a test that exists.
//!
//! Such a sentence ends in `pinned by` and one or more names in code style, each a file and a
//! function: `crates/history/tests/it/prefix.rs::a_clone_is_a_prefix`.

use std::collections::BTreeMap;

use crate::finding::Finding;
use crate::workspace::TextFile;

/// Names of tests in the documents that no file holds.
pub(super) fn unpinned(files: &[TextFile]) -> Vec<Finding> {
    let by_path: BTreeMap<_, _> = files
        .iter()
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .collect();
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.is("md")) {
        for (line_idx, line) in file.text.lines().enumerate() {
            for (path, test) in line.split('`').filter_map(named_test) {
                let holds = by_path
                    .get(path)
                    .is_some_and(|text| text.contains(&format!("fn {test}(")));
                if !holds {
                    let advice = format!("{path} holds no test {test}: name one that does");
                    findings.push(Finding::new(&file.path, line_idx + 1, "pin", &advice));
                }
            }
        }
    }
    findings
}

/// The file and the function in a name like `crates/a/src/x_tests.rs::it_holds`.
fn named_test(code: &str) -> Option<(&str, &str)> {
    let (path, test) = code.split_once(".rs::")?;
    let path = code.get(..path.len() + ".rs".len())?;
    Some((path, test))
}

#[cfg(test)]
mod tests {
    use super::unpinned;
    use crate::workspace::TextFile;

    #[test]
    fn a_test_that_no_file_holds_is_found() {
        let files = [
            ("crates/a/src/x_tests.rs", "#[test]\nfn it_holds() {}\n"),
            (
                "docs/architecture.md",
                "1. Yes. Pinned by `crates/a/src/x_tests.rs::it_holds`.\n\
                 2. No. Pinned by `crates/a/src/x_tests.rs::it_hold`, `crates/a/src/y.rs::it_holds`.\n\
                 3. See `crates/a/src/y.rs`.\n",
            ),
        ];
        let files = files.map(|(path, text)| TextFile {
            path: path.to_owned(),
            text: text.to_owned(),
        });
        let found: Vec<_> = unpinned(&files).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "docs/architecture.md:2: pin: crates/a/src/x_tests.rs holds no test it_hold: name one that does",
                "docs/architecture.md:2: pin: crates/a/src/y.rs holds no test it_holds: name one that does",
            ]
        );
    }
}
