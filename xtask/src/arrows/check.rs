//! Compares what cargo says of the workspace with the table. Values in, findings out: it runs
//! nothing itself.

use cargo_metadata::{Dependency, DependencyKind, Package};

use super::table::{Crate, NEVER_BELOW_PURE, TEST_PACKAGES, TEST_SUPPORT};
use crate::finding::Finding;

const RULE: &str = "arrow";
const TABLE: &str = "xtask/src/arrows/table.rs";

/// What the manifests of all crates name directly.
pub(super) fn direct(packages: &[&Package], crates: &[Crate]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let Some(row) = crates
            .iter()
            .find(|row| row.package() == package.name.as_str())
        else {
            let advice = format!("add a row for the package {} to the table", package.name);
            findings.push(Finding::new(TABLE, 1, RULE, &advice));
            continue;
        };
        for dependency in &package.dependencies {
            let judged = judge(row, dependency);
            findings.extend(judged.map(|advice| {
                Finding::new(&format!("{}/Cargo.toml", row.folder()), 1, RULE, &advice)
            }));
        }
    }
    for row in crates {
        let package = row.package();
        if !packages.iter().any(|known| known.name.as_str() == package) {
            let advice = format!("remove the row of {package}: no such crate in the workspace");
            findings.push(Finding::new(TABLE, 1, RULE, &advice));
        }
    }
    findings
}

/// What is wrong with one dependency of one crate, if anything is.
fn judge(row: &Crate, dependency: &Dependency) -> Option<String> {
    let name = dependency.name.as_str();
    let dir = internal_dir(dependency);
    let shipped = match dir {
        Some(dir) => row.imports.contains(&dir),
        None => row.packages.contains(&name),
    };
    // A feature that exports test strategies may bring their library along.
    let strategies = dependency.optional && name == "proptest";
    let allowed = match dependency.kind {
        DependencyKind::Normal => shipped || strategies,
        DependencyKind::Development => {
            shipped
                || match dir {
                    Some(dir) => dir == TEST_SUPPORT,
                    None => TEST_PACKAGES.contains(&name),
                }
        }
        // No crate of the workspace runs code while it is built.
        _ => false,
    };
    if allowed {
        return None;
    }
    let section = match dependency.kind {
        DependencyKind::Normal => "dependencies",
        DependencyKind::Development => "dev-dependencies",
        _ => "build-dependencies",
    };
    Some(format!(
        "take {name} out of [{section}], or allow it for {} in {TABLE} with a decision record",
        row.package()
    ))
}

/// The folder of a crate of this workspace; nothing for a package from elsewhere.
fn internal_dir(dependency: &Dependency) -> Option<&str> {
    dependency.path.as_ref()?;
    Some(
        dependency
            .name
            .strip_prefix("annals-")
            .unwrap_or(&dependency.name),
    )
}

/// What a pure crate reaches through others, in the words of `cargo tree`.
pub(super) fn closure(row: &Crate, tree: &str) -> Vec<Finding> {
    let manifest = format!("{}/Cargo.toml", row.folder());
    let names = tree
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    let mut found: Vec<_> = names
        .filter(|name| NEVER_BELOW_PURE.contains(name))
        .collect();
    found.sort_unstable();
    found.dedup();
    let advice = |name| {
        format!(
            "{} is pure, yet {name} stands below it: see `cargo tree -p {} -e normal -i {name}`",
            row.dir,
            row.package()
        )
    };
    found
        .into_iter()
        .map(|name| Finding::new(&manifest, 1, "pure", &advice(name)))
        .collect()
}

/// The ceiling on the number of packages that the lock file names.
pub(super) fn locked(lock: &str, max_packages: usize) -> Option<Finding> {
    let n_packages = lock.lines().filter(|line| *line == "[[package]]").count();
    (n_packages > max_packages).then(|| {
        let advice = format!(
            "{n_packages} packages are more than {max_packages}: drop one, or raise the ceiling \
             in xtask/src/arrows.rs with a decision record"
        );
        Finding::new("Cargo.lock", 1, "packages", &advice)
    })
}

/// Packages that ask for a newer compiler than the crates of this workspace promise to need.
pub(super) fn msrv(packages: &[Package]) -> Vec<Finding> {
    let ours = |package: &&Package| package.source.is_none();
    let Some(promise) = packages
        .iter()
        .find(ours)
        .and_then(|package| package.rust_version.clone())
    else {
        return vec![Finding::new(
            "Cargo.toml",
            1,
            "msrv",
            "state `rust-version` for all crates",
        )];
    };
    let newer = packages.iter().filter(|package| {
        package
            .rust_version
            .as_ref()
            .is_some_and(|needed| *needed > promise)
    });
    newer
        .map(|package| {
            let needed = package
                .rust_version
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default();
            let advice = format!(
                "take an older {}: {} needs Rust {needed}, and {promise} is promised",
                package.name, package.version
            );
            Finding::new("Cargo.lock", 1, "msrv", &advice)
        })
        .collect()
}
