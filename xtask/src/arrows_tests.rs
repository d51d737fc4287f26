//! The workspace keeps its arrows, and the check would see it if it did not.

use std::error::Error;

use cargo_metadata::Package;
use serde_json::{Value, json};

use super::check::{closure, direct, locked, msrv};
use super::findings;
use super::table::{CRATES, Crate};
use crate::finding::none;

type TestResult = Result<(), Box<dyn Error>>;

const PURE: Crate = Crate {
    dir: "grain",
    is: "a pure crate",
    pure: true,
    imports: &["soil"],
    packages: &["serde"],
};

/// A package as cargo describes it, with dependencies of (name, kind, internal, optional).
fn package(
    name: &str,
    dependencies: &[(&str, Option<&str>, bool, bool)],
) -> Result<Package, serde_json::Error> {
    let dependencies: Vec<Value> = dependencies
        .iter()
        .map(|(name, kind, internal, optional)| {
            json!({
                "name": name, "req": "*", "kind": kind, "optional": optional,
                "uses_default_features": true, "features": [], "target": null, "rename": null,
                "registry": null, "source": null,
                "path": internal.then(|| format!("/garden/crates/{name}")),
            })
        })
        .collect();
    serde_json::from_value(json!({
        "name": name, "version": "0.1.0", "id": name, "source": null, "authors": [],
        "dependencies": dependencies, "targets": [], "features": {}, "edition": "2024",
        "manifest_path": format!("/garden/crates/{name}/Cargo.toml"),
    }))
}

fn advice(
    dependencies: &[(&str, Option<&str>, bool, bool)],
) -> Result<Vec<String>, Box<dyn Error>> {
    let package = package("annals-grain", dependencies)?;
    Ok(direct(&[&package], &[PURE])
        .into_iter()
        .map(|finding| finding.to_string())
        .collect())
}

#[test]
fn the_workspace_keeps_its_arrows() -> TestResult {
    none(&findings()?)
}

#[test]
fn the_table_itself_has_no_cycle_and_names_only_its_own_rows() {
    for (row_idx, row) in CRATES.iter().enumerate() {
        for import in row.imports {
            let place = CRATES.iter().position(|other| other.dir == *import);
            assert!(
                place.is_some_and(|place| place < row_idx),
                "{} imports {import}",
                row.dir
            );
        }
        assert!(
            !row.imports.contains(&"test-support") || row.dir == "xtask",
            "{}",
            row.dir
        );
    }
}

#[test]
fn what_the_table_allows_is_no_finding() -> TestResult {
    let allowed = [
        ("annals-soil", None, true, false),
        ("serde", None, false, false),
        ("proptest", None, false, true),
        ("annals-soil", Some("dev"), true, false),
        ("annals-test-support", Some("dev"), true, false),
        ("insta", Some("dev"), false, false),
    ];
    assert_eq!(advice(&allowed)?, Vec::<String>::new());
    Ok(())
}

#[test]
fn normal_dev_and_build_dependencies_are_judged_apart() -> TestResult {
    let refused = [
        ("annals-sky", None, true, false),
        ("annals-test-support", None, true, false),
        ("insta", None, false, false),
        ("tokio", None, false, true),
        ("tokio", Some("dev"), false, false),
        ("annals-sky", Some("dev"), true, false),
        ("serde", Some("build"), false, false),
    ];
    for dependency in refused {
        let advice = advice(&[dependency])?;
        let [only] = advice.as_slice() else {
            return Err(format!("{dependency:?} gave {advice:?}").into());
        };
        let section = dependency.1.map_or("[dependencies]".to_owned(), |kind| {
            format!("[{kind}-dependencies]")
        });
        assert!(
            only.starts_with("crates/grain/Cargo.toml:1: arrow: take "),
            "{only}"
        );
        assert!(
            only.contains(dependency.0) && only.contains(&section),
            "{only}"
        );
    }
    Ok(())
}

#[test]
fn a_crate_without_a_row_and_a_row_without_a_crate_are_findings() -> TestResult {
    let stranger = package("annals-weed", &[])?;
    let findings = direct(&[&stranger], &[PURE]);
    let shown: Vec<_> = findings
        .iter()
        .map(|finding| finding.advice.as_str())
        .collect();
    assert_eq!(
        shown,
        [
            "add a row for the package annals-weed to the table",
            "remove the row of annals-grain: no such crate in the workspace",
        ]
    );
    Ok(())
}

#[test]
fn what_a_pure_crate_reaches_through_others_counts_once() {
    let tree = "annals-grain v0.1.0 (/garden)\nuuid v1.2.3\ngetrandom v0.4.3\nrand v0.9.0\ngetrandom v0.4.3 (*)\n";
    let found = closure(&PURE, tree);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|finding| finding.rule == "pure"));
    assert_eq!(
        closure(
            &PURE,
            "annals-grain v0.1.0\nserde v1.0.0\nrandom-names v1.0.0\n"
        ),
        []
    );
}

#[test]
fn a_package_that_needs_a_newer_compiler_than_promised_is_found() -> TestResult {
    let mut grain = package("annals-grain", &[])?;
    let mut weed = package("weed", &[])?;
    weed.source = serde_json::from_value(json!("registry+somewhere"))?;
    for (promised, needed, n_findings) in [
        ("1.91.0", "1.91.0", 0),
        ("1.91.0", "1.91.1", 1),
        ("1.91.0", "1.100.0", 1),
        ("1.91.0", "1.9.0", 0),
    ] {
        grain.rust_version = Some(promised.parse()?);
        weed.rust_version = Some(needed.parse()?);
        assert_eq!(
            msrv(&[grain.clone(), weed.clone()]).len(),
            n_findings,
            "{needed}"
        );
    }
    grain.rust_version = None;
    assert_eq!(msrv(&[grain]).len(), 1);
    Ok(())
}

#[test]
fn the_ceiling_on_packages_is_the_last_number_allowed() {
    let lock = "version = 4\n\n[[package]]\nname = \"a\"\n\n[[package]]\nname = \"b\"\n";
    assert_eq!(locked(lock, 2), None);
    assert!(locked(lock, 1).is_some_and(|finding| finding.advice.starts_with("2 packages")));
}
