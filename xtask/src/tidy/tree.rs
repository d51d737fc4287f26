//! Rules on how files belong together: sources that are compiled, snapshots that have a source,
//! and no file that names the machine on which it was written.

use crate::finding::Finding;
use crate::workspace::{self, TextFile};

/// Sources that no other file declares: they compile nothing and test nothing.
pub(super) fn undeclared(files: &[TextFile]) -> Vec<Finding> {
    let sources: Vec<_> = files.iter().filter(|file| file.is("rs")).collect();
    let lost = sources.iter().filter(|file| {
        let Some(name) = declared_name(&file.path) else {
            return false;
        };
        let by_name = [format!("mod {name};"), format!("\"{name}.rs\"")];
        let package = package_folder(&file.path);
        !sources.iter().any(|other| {
            other.path != file.path
                && package_folder(&other.path) == package
                && by_name.iter().any(|text| other.text.contains(text))
        })
    });
    let advice = "declare it with `mod`, or remove it: nothing compiles it";
    lost.map(|file| Finding::new(&file.path, 1, "undeclared", advice))
        .collect()
}

/// The module name under which a file must be declared; nothing for files that cargo finds by
/// itself, and for inputs of tests that are compiled one by one.
fn declared_name(path: &str) -> Option<&str> {
    let (folder, file) = path.rsplit_once('/')?;
    let found_by_cargo = ["tests", "benches", "examples", "bin", "fuzz_targets"];
    let alone = found_by_cargo
        .iter()
        .any(|last| folder.ends_with(&format!("/{last}")))
        || folder.contains("/tests/ui")
        || folder.contains("/tests/compile");
    match file {
        "lib.rs" | "main.rs" | "build.rs" => None,
        _ if alone => None,
        _ => file.strip_suffix(".rs"),
    }
}

/// The folder of the package in which a file lies.
fn package_folder(path: &str) -> &str {
    ["/src/", "/tests/", "/benches/", "/examples/"]
        .iter()
        .filter_map(|part| path.split_once(part).map(|(package, _)| package))
        .min_by_key(|package| package.len())
        .unwrap_or("")
}

/// Snapshots that nobody accepted, and snapshots whose test file is gone.
pub(super) fn snapshots(files: &[TextFile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        if file.path.ends_with(".snap.new") || file.is("pending-snap") {
            let advice = "read it, then accept it or mend the code";
            findings.push(Finding::new(&file.path, 1, "pending-snapshot", advice));
        } else if file.is("snap") {
            let source = file
                .text
                .lines()
                .find_map(|line| line.strip_prefix("source: "));
            let known = source.is_some_and(|source| {
                let source = source.trim_matches('"');
                files.iter().any(|file| file.path == source)
            });
            if !known {
                let advice = "remove it: the test file that it names is gone";
                findings.push(Finding::new(&file.path, 1, "orphan-snapshot", advice));
            }
        }
    }
    findings
}

/// Paths that stand for this very machine: of the workspace, of cargo, of the shared inputs.
pub(super) fn own_paths() -> Vec<String> {
    let mut paths = vec![workspace::root().display().to_string()];
    for name in ["CARGO_HOME", "RUSTUP_HOME", "ANNALS_SHARED"] {
        paths.extend(std::env::var(name));
    }
    // A folder at the top, like /root or /build, may be meant in general.
    paths.retain(|path| path.matches(['/', '\\']).count() > 1);
    paths
}

/// Files that name a path of the machine on which they were written.
pub(super) fn machine_paths(files: &[TextFile], own_paths: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        for (line_idx, line) in file.text.lines().enumerate() {
            if let Some(path) = own_paths.iter().find(|path| line.contains(path.as_str())) {
                let advice = format!("write it without {path}, which only this machine has");
                findings.push(Finding::new(
                    &file.path,
                    line_idx + 1,
                    "machine-path",
                    &advice,
                ));
            }
        }
    }
    findings
}

#[cfg(test)]
#[path = "tree_tests.rs"]
mod tests;
