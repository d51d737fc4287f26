//! Finds snapshots that no test asked for in a whole run: each is a promise that nobody checks.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use crate::finding::Finding;
use crate::workspace;

/// Snapshot files that are not in the list which the tests wrote, a path a line.
pub(super) fn unused(asked_for: &Path) -> Result<Vec<Finding>, Box<dyn Error>> {
    // Where no test has a snapshot there is no list.
    let list = if asked_for.exists() {
        fs::read_to_string(asked_for)?
    } else {
        String::new()
    };
    let asked_for: BTreeSet<PathBuf> = list
        .lines()
        .filter_map(|line| fs::canonicalize(line).ok())
        .collect();
    let root = workspace::root();
    let mut findings = Vec::new();
    for file in workspace::text_files()?
        .iter()
        .filter(|file| file.is("snap"))
    {
        if !asked_for.contains(&fs::canonicalize(root.join(&file.path))?) {
            let advice = "remove it, or mend the test that should ask for it";
            findings.push(Finding::new(&file.path, 1, "unused-snapshot", advice));
        }
    }
    Ok(findings)
}
