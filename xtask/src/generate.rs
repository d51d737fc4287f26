//! `cargo xtask gen`: the documents that are made from the code, and the check that they are
//! the ones that stand in the tree.
//!
//! A document is a whole file or a region of one, between `<!-- gen:NAME -->` and
//! `<!-- /gen:NAME -->`. A new one is a line in [`documents`].

mod schemas;

use std::error::Error;
use std::fs;

use crate::arrows;
use crate::examples;
use crate::finding::{Finding, plural, report};
use crate::fragments;
use crate::out;
use crate::sh;
use crate::task::{TaskResult, flags};
use crate::workspace;

/// Makes the text of a document, without the newline at its end.
type Make = fn() -> Result<String, Box<dyn Error>>;

/// One generated text and its place.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    /// The file, from the root.
    path: String,
    /// The name of a region of that file; none means all of it.
    region: Option<&'static str>,
    make: Make,
}

impl Document {
    /// A file that is generated from its first line to its last.
    pub(crate) fn whole(path: &str, make: Make) -> Self {
        Self {
            path: path.to_owned(),
            region: None,
            make,
        }
    }

    /// A region of a file that is otherwise written by hand.
    pub(crate) fn region(path: &str, region: &'static str, make: Make) -> Self {
        Self {
            path: path.to_owned(),
            region: Some(region),
            make,
        }
    }
}

/// The command whose output `.ci/run` compares with the transcript in the README.
const TRANSCRIPT: &str = "annals prompt-input --format shape examples/sample-session.jsonl";

/// What `annals cache` prints of the session in which the cache missed, as a test pins it.
const CACHE_SNAPSHOT: &str = "crates/cli/tests/it/snapshots/it__samples__cache_without_prices.snap";

/// Every generated document.
fn documents() -> Vec<Document> {
    let mut documents = vec![
        Document::region("docs/architecture.md", "arrows", || Ok(arrows::document())),
        Document::region("README.md", "crates", || Ok(arrows::crates_table())),
        Document::region("README.md", "transcript", || {
            let shown = workspace::read("examples/sample-session.shape.txt")?;
            Ok(format!(
                "```console\n$ {TRANSCRIPT}\n{}\n```",
                shown.trim_end()
            ))
        }),
        Document::region("README.md", "cache", || {
            // The test of the program keeps what it prints here.
            let kept = workspace::read(CACHE_SNAPSHOT)?;
            let shown = kept.split_once("--- stdout\n").map(|(_, shown)| shown);
            Ok(format!(
                "```console\n$ annals cache examples/cache-misses.jsonl\n{}\n```",
                shown.unwrap_or_default().trim_end()
            ))
        }),
        Document::region("README.md", "example", || examples::README.document()),
        Document::whole("docs/rollout.schema.json", || {
            let schema = annals_protocol::rollout_line_schema();
            Ok(serde_json::to_string_pretty(&schema)?)
        }),
        Document::whole(fragments::DOCUMENT, fragments::generated),
        Document::whole("docs/cli.md", manual),
        Document::whole("docs/json.md", schemas::document),
    ];
    for (_, folder) in arrows::pure_crates() {
        let path = format!("{folder}/clippy.toml");
        documents.push(Document::whole(&path, arrows::pure_clippy));
    }
    documents
}

/// The manual of the command line, as the program itself gives it.
///
/// It is built in the profile of the tests, which have built it already.
fn manual() -> Result<String, Box<dyn Error>> {
    sh::cargo_answer("run --quiet --profile=test --package=annals-cli -- man-markdown")
}

/// `cargo xtask gen [--check | --dry-run]`
pub(crate) fn task(args: &[String]) -> TaskResult {
    let [check, dry_run] = flags(args, ["--check", "--dry-run"])?;
    let documents = documents();
    let n_documents = plural(documents.len(), "generated document", "generated documents");
    if check {
        return report(
            stale(&documents)?,
            &format!("{n_documents} are as the code makes them"),
        );
    }
    let mut n_changed = 0;
    for document in &documents {
        let (old, new) = versions(document)?;
        if old.as_deref() == Some(new.as_str()) {
            continue;
        }
        n_changed += 1;
        out::line(&format!(
            "{} {}",
            if dry_run { "would write" } else { "wrote" },
            document.path
        ));
        if !dry_run {
            fs::write(workspace::root().join(&document.path), new)?;
        }
    }
    out::line(&format!("{n_documents}, {n_changed} changed"));
    Ok(())
}

/// The documents that differ from what the code makes.
pub(crate) fn stale(documents: &[Document]) -> Result<Vec<Finding>, Box<dyn Error>> {
    let mut findings = Vec::new();
    for document in documents {
        let (old, new) = versions(document)?;
        let old = old.unwrap_or_default();
        if old != new {
            let same = old
                .lines()
                .zip(new.lines())
                .take_while(|(old, new)| old == new)
                .count();
            let advice = "run `cargo xtask gen` and commit what it writes";
            findings.push(Finding::new(&document.path, same + 1, "generated", advice));
        }
    }
    Ok(findings)
}

/// The file as it stands, if it does, and as it should.
fn versions(document: &Document) -> Result<(Option<String>, String), Box<dyn Error>> {
    let old = workspace::read(&document.path);
    let made = (document.make)().map_err(|error| format!("{}: {error}", document.path))?;
    match document.region {
        None => Ok((old.ok(), format!("{}\n", made.trim_end()))),
        Some(region) => {
            let old = old?;
            let new = with_region(&old, region, &made)
                .ok_or_else(|| format!("{}: no region gen:{region}", document.path))?;
            Ok((Some(old), new))
        }
    }
}

/// The text with one region replaced; nothing if the region is not there, or not closed.
fn with_region(text: &str, region: &str, made: &str) -> Option<String> {
    let (before, rest) = text.split_once(&format!("<!-- gen:{region} -->\n"))?;
    let (_, after) = rest.split_once(&format!("<!-- /gen:{region} -->"))?;
    let made = made.trim_end();
    Some(format!(
        "{before}<!-- gen:{region} -->\n{made}\n<!-- /gen:{region} -->{after}"
    ))
}

#[cfg(test)]
#[path = "generate_tests.rs"]
mod tests;
