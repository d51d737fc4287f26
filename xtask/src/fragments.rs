//! `cargo xtask fragments`: reads every fragment from the code, audits it, and writes
//! `docs/fragments.md`.
//!
//! This file gathers; what is read stands in `scan`, what is a fault in `rules`, what is written
//! in `document`.

mod by_hand;
mod document;
mod eval;
mod rules;
mod scan;

use std::error::Error;
use std::fs;

use crate::finding::{Finding, plural, report};
use crate::out;
use crate::task::{TaskResult, flags};
use crate::workspace::{self, TextFile};

/// Where the list goes.
pub(crate) const DOCUMENT: &str = "docs/fragments.md";

/// `cargo xtask fragments [--check | --dry-run]`
pub(crate) fn task(args: &[String]) -> TaskResult {
    let [check, dry_run] = flags(args, ["--check", "--dry-run"])?;
    let files = workspace::text_files()?;
    let scanned = scan::files(&files);
    let mut findings = rules::findings(&scanned, &files);
    let new = document::text(&scanned) + "\n";
    let old = files.iter().find(|file| file.path == DOCUMENT);
    let is_stale = old.is_none_or(|old| old.text != new);
    if check && is_stale {
        let advice = "it is not what the code makes: run `cargo xtask fragments`";
        findings.push(Finding::new(DOCUMENT, 1, "stale-document", advice));
    }
    let n_fragments = plural(scanned.fragments.len(), "fragment", "fragments");
    report(
        findings,
        &format!("{n_fragments} are bounded, recognizable and reviewed"),
    )?;
    if dry_run && is_stale {
        out::line(&format!("{DOCUMENT} would change"));
    } else if !check && !dry_run && is_stale {
        fs::write(workspace::root().join(DOCUMENT), new)?;
        out::line(&format!("{DOCUMENT} written"));
    }
    Ok(())
}

/// The document as the code makes it, without the newline at its end.
pub(crate) fn generated() -> Result<String, Box<dyn Error>> {
    Ok(document::text(&scan::files(&workspace::text_files()?)))
}

/// The shipped code of the workspace's crates: neither tests and what they are made with, nor examples, nor these tasks.
fn is_shipped(file: &TextFile) -> bool {
    let is_test_file = file.path.ends_with("_tests.rs")
        || file.path.ends_with("/tests.rs")
        || file.path.starts_with("crates/test-support/");
    file.is("rs")
        && file.path.starts_with("crates/")
        && file.path.contains("/src/")
        && !is_test_file
}

#[cfg(test)]
#[path = "fragments_tests.rs"]
mod tests;
