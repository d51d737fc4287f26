//! A manifest as it should be, and each way to leave it.

use super::file;
use crate::workspace::TextFile;

const GOOD: &str = r#"[package]
name = "annals-grain"
description = "A grain"
version.workspace = true
edition.workspace = true
rust-version.workspace = true
license.workspace = true
repository.workspace = true
categories.workspace = true
keywords.workspace = true

[dependencies]
annals-soil.workspace = true
serde = { workspace = true, optional = true }

[dev-dependencies]
annals-test-support = { path = "../test-support" }
insta.workspace = true

[lints]
workspace = true
"#;

fn check(text: &str, expect: &[&str]) {
    let manifest = TextFile {
        path: "crates/grain/Cargo.toml".to_owned(),
        text: text.to_owned(),
    };
    let found: Vec<_> = file(&manifest)
        .iter()
        .map(|finding| format!("{}: {}", finding.line, finding.advice))
        .collect();
    assert_eq!(found, expect, "{text}");
}

#[test]
fn a_manifest_as_it_should_be_passes() {
    check(GOOD, &[]);
}

#[test]
fn what_is_said_once_for_all_crates_is_inherited() {
    check(
        &GOOD.replace("[lints]\nworkspace = true\n", ""),
        &["1: add `[lints]` with `workspace = true`"],
    );
    check(
        &GOOD.replace(
            "version.workspace = true\nedition",
            "version = \"0.1.0\"\nedition",
        ),
        &["1: write `version.workspace = true`"],
    );
    check(
        &GOOD.replace("description = \"A grain\"\n", ""),
        &["1: add a one-line `description`"],
    );
}

#[test]
fn a_crate_that_is_never_published_needs_no_version_of_ours() {
    let text = GOOD
        .replace(
            "version.workspace = true\nedition",
            "version = \"0.0.0\"\npublish = false\nedition",
        )
        .replace("repository.workspace = true\n", "");
    check(&text, &[]);
}

#[test]
fn a_version_of_its_own_is_found() {
    check(
        &GOOD.replace("insta.workspace = true", "insta = \"1\""),
        &["18: take insta from the workspace: `workspace = true`"],
    );
}

#[test]
fn a_dev_dependency_on_a_crate_of_ours_binds_no_version() {
    check(
        &GOOD.replace(
            "annals-test-support = { path = \"../test-support\" }",
            "annals-soil.workspace = true",
        ),
        &["17: give annals-soil a `path` and no version: tests bind none"],
    );
}

#[test]
fn dependencies_are_sorted() {
    check(
        &GOOD.replace(
            "insta.workspace = true",
            "zeta.workspace = true\ninsta.workspace = true",
        ),
        &["19: put insta before zeta: dependencies are sorted"],
    );
}
