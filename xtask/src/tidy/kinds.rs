//! Every kind of record that the code knows stands in the document of the format.

use crate::finding::Finding;
use crate::workspace::TextFile;

/// Where the kinds are.
const CODE: &str = "crates/protocol/src/record_kind.rs";

/// Where they are described.
const DOCUMENT: &str = "docs/format.md";

/// Kinds of records that the document does not name.
pub(super) fn undescribed(files: &[TextFile]) -> Vec<Finding> {
    let text = |path: &str| {
        files
            .iter()
            .find(|file| file.path == path)
            .map(|file| &file.text)
    };
    let (Some(code), Some(document)) = (text(CODE), text(DOCUMENT)) else {
        let advice = format!("keep {CODE} and {DOCUMENT} where they are, or mend this rule");
        return vec![Finding::new(DOCUMENT, 1, "format", &advice)];
    };
    let mut findings = Vec::new();
    for (line_idx, line) in code.lines().enumerate() {
        let tag = line
            .split_once(" = \"")
            .and_then(|(_, rest)| rest.strip_suffix("\","));
        if let Some(tag) = tag
            && !document.contains(&format!("`{tag}`"))
        {
            let advice = format!("describe `{tag}` in {DOCUMENT}");
            findings.push(Finding::new(CODE, line_idx + 1, "format", &advice));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{CODE, DOCUMENT, undescribed};
    use crate::workspace::TextFile;

    #[test]
    fn a_kind_without_a_word_in_the_document_is_found() {
        let files = [
            (
                CODE,
                "record_kinds! {\n    /// A.\n    A = \"a\",\n    B = \"b\",\n}\n",
            ),
            (DOCUMENT, "| `a` | what it is |\n"),
        ];
        let files = files.map(|(path, text)| TextFile {
            path: path.to_owned(),
            text: text.to_owned(),
        });
        let found: Vec<_> = undescribed(&files)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            found,
            [format!("{CODE}:4: format: describe `b` in {DOCUMENT}")]
        );
        assert_eq!(undescribed(&[]).len(), 1);
    }
}
