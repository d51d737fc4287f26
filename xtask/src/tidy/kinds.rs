//! Every kind of record and every kind of fault that the code knows stands in the document of
//! the format.

use crate::finding::Finding;
use crate::workspace::TextFile;

/// Where the kinds are, and what stands before the name of each.
const CODE: &[(&str, &str)] = &[
    ("crates/protocol/src/record_kind.rs", " = \""),
    ("crates/rollout/src/read/fault.rs", " => \""),
];

/// Where they are described.
const DOCUMENT: &str = "docs/format.md";

/// Kinds that the document does not name.
pub(super) fn undescribed(files: &[TextFile]) -> Vec<Finding> {
    let text = |path: &str| {
        files
            .iter()
            .find(|file| file.path == path)
            .map(|file| &file.text)
    };
    let document = text(DOCUMENT).map_or("", String::as_str);
    let mut findings = Vec::new();
    for (path, before) in CODE {
        let code = text(path).map_or("", String::as_str);
        let mut n_names = 0;
        for (line_idx, line) in code.lines().enumerate() {
            let Some(name) = quoted_name(line, before) else {
                continue;
            };
            n_names += 1;
            if !document.contains(&format!("`{name}`")) {
                let advice = format!("describe `{name}` in {DOCUMENT}");
                findings.push(Finding::new(path, line_idx + 1, "format", &advice));
            }
        }
        if n_names == 0 {
            let advice = "no kind is found here any more: mend xtask/src/tidy/kinds.rs";
            findings.push(Finding::new(path, 1, "format", advice));
        }
    }
    findings
}

/// The name that ends a line, such as `= "session_meta",`; texts with blanks are no names.
fn quoted_name<'a>(line: &'a str, before: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(before)?;
    let name = rest.strip_suffix("\",")?;
    let is_name = name
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || b"_0123456789".contains(&byte));
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{CODE, DOCUMENT, undescribed};
    use crate::workspace::TextFile;

    fn check(files: &[(&str, &str)], expect: &[&str]) {
        let files: Vec<_> = files
            .iter()
            .map(|(path, text)| TextFile {
                path: (*path).to_owned(),
                text: (*text).to_owned(),
            })
            .collect();
        let found: Vec<_> = undescribed(&files)
            .iter()
            .map(|found| found.advice.clone())
            .collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn a_kind_without_a_word_in_the_document_is_found() {
        let [(records, _), (faults, _)] = CODE else {
            panic!("two places")
        };
        let records = (
            *records,
            "record_kinds! {\n    /// A.\n    A = \"a\",\n    B = \"b\",\n}\n",
        );
        let faults = (
            *faults,
            "Self::Torn => \"torn\",\nSelf::Torn => \"torn record\",\n",
        );
        check(&[records, faults, (DOCUMENT, "`a`, `b`, `torn`")], &[]);
        check(
            &[records, faults, (DOCUMENT, "`a`, `torn`")],
            &["describe `b` in docs/format.md"],
        );
        check(
            &[records, faults, (DOCUMENT, "`a`, `b`")],
            &["describe `torn` in docs/format.md"],
        );
    }

    #[test]
    fn a_place_without_kinds_is_found() {
        let gone = "no kind is found here any more: mend xtask/src/tidy/kinds.rs";
        check(&[], &[gone, gone]);
    }
}
