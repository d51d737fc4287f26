//! Which crate may import what: the one table, the check against cargo's own view of the
//! workspace, and the same table as a document.

mod check;
mod document;
mod table;

pub(crate) use document::{crates_table, document, pure_clippy};

use std::error::Error;

use crate::finding::{Finding, plural, report};
use crate::sh;
use crate::task::{TaskResult, flags};
use table::CRATES;

/// Most packages that `Cargo.lock` may name; raised by a decision record only.
const MAX_LOCKED_PACKAGES: usize = 200;

/// `cargo xtask arrows`
pub(crate) fn task(args: &[String]) -> TaskResult {
    let [] = flags(args, [])?;
    report(
        findings()?,
        &format!(
            "{} keep their arrows",
            plural(CRATES.len(), "crate", "crates")
        ),
    )
}

/// The pure crates, as cargo names them and where they lie.
pub(crate) fn pure_crates() -> Vec<(String, String)> {
    CRATES
        .iter()
        .filter(|row| row.pure)
        .map(|row| (row.package(), row.folder()))
        .collect()
}

/// Everything in the workspace that breaks the table.
pub(crate) fn findings() -> Result<Vec<Finding>, Box<dyn Error>> {
    // Packages for other systems need not have been fetched.
    let metadata = sh::cargo_answer("metadata --format-version=1 --filter-platform=host-tuple")?;
    let metadata = cargo_metadata::MetadataCommand::parse(metadata)?;
    let mut findings = check::direct(&metadata.workspace_packages(), CRATES);
    findings.extend(check::msrv(&metadata.packages));
    for pure in CRATES.iter().filter(|row| row.pure) {
        let package = pure.package();
        let tree = sh::cargo_answer(&format!(
            "tree --package={package} --edges=normal,build --prefix=none --format={{p}}"
        ))?;
        findings.extend(check::closure(pure, &tree));
    }
    let lock = crate::workspace::read("Cargo.lock")?;
    findings.extend(check::locked(&lock, MAX_LOCKED_PACKAGES));
    Ok(findings)
}

#[cfg(test)]
#[path = "arrows_tests.rs"]
mod tests;
