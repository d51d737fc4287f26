//! `cargo xtask tidy`: the rules of the house that no compiler checks.
//!
//! Each rule is a pure function from the files of the workspace to findings; this file gathers
//! them and knows no rule itself.

mod kinds;
mod manifests;
mod pins;
mod source;
mod tree;

use crate::finding::{Finding, plural, report};
use crate::task::{TaskResult, flags};
use crate::workspace::{self, TextFile};

/// `cargo xtask tidy`
pub(crate) fn task(args: &[String]) -> TaskResult {
    let [] = flags(args, [])?;
    let files = workspace::text_files()?;
    report(
        findings(&files),
        &format!("{} are tidy", plural(files.len(), "file", "files")),
    )
}

/// Everything that breaks a rule.
fn findings(files: &[TextFile]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = files.iter().flat_map(source::file).collect();
    findings.extend(tree::undeclared(files));
    findings.extend(tree::snapshots(files));
    findings.extend(tree::machine_paths(files, &tree::own_paths()));
    findings.extend(files.iter().flat_map(manifests::file));
    findings.extend(kinds::undescribed(files));
    findings.extend(pins::unpinned(files));
    findings
}

/// The words of a rule that must not stand in a file are put together here, so that the rule's
/// own source does not break it.
fn word(parts: &[&str]) -> String {
    parts.concat()
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::findings;
    use crate::finding::none;
    use crate::workspace;

    #[test]
    fn the_workspace_is_tidy() -> Result<(), Box<dyn Error>> {
        none(&findings(&workspace::text_files()?))
    }
}
