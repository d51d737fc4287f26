//! `cargo xtask ci`: every check of this workspace, in one order, one line a step.
//!
//! What a step prints is kept back, and shown when the step fails. The result lines of the tests
//! are always shown. All steps run, whatever an earlier one found.

mod snapshots;
mod step;
mod tally;

use std::error::Error;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::examples;
use crate::finding::plural;
use crate::out;
use crate::sh;
use crate::task::{TaskResult, flags};
use crate::workspace;
use step::{Ran, When};
use tally::Tally;

/// The checks that are tasks of their own, with their arguments.
const AUDITS: &[&str] = &["arrows", "tidy", "fragments --check", "gen --check"];

/// The oldest toolchain that must compile the crates, as `Cargo.toml` says.
const MSRV: &str = "1.91";

/// The target without files, threads and clock that the pure crates must fit.
const WASM: &str = "wasm32-unknown-unknown";

/// What a run keeps while it goes through the steps.
#[derive(Debug, Default)]
struct Run {
    n_steps: usize,
    failed: Vec<String>,
    tests: Tally,
}

/// `cargo xtask ci [--fast]`
pub(crate) fn task(args: &[String]) -> TaskResult {
    let [fast] = flags(args, ["--fast"])?;
    let began = Instant::now();
    let mut run = Run::default();

    run.cargo("fmt", "fmt --all -- --check");
    run.cargo(
        "clippy",
        "clippy --workspace --all-targets --all-features -- -Dwarnings",
    );
    run.tests()?;
    if !fast {
        for example in examples::SHOWN {
            run.cargo(&format!("example {}", example.name), &example.run());
        }
        // Not the task of that name: it would build everything once more, optimized.
        run.cargo(
            "crash",
            "run --quiet --package annals-test-support --example crash -- --runs 200",
        );
        run.cargo("doctests", "test --workspace --all-features --doc");
        let mut docs = sh::cargo("doc --workspace --all-features --no-deps");
        run.step(
            "docs",
            &When::Always,
            docs.env("RUSTDOCFLAGS", "-Dwarnings"),
        );
        // A feature may only add: without any, everything compiles as well.
        run.cargo("no features", "check --workspace --no-default-features");
    }
    for audit in AUDITS {
        run.cargo(audit, &format!("run --quiet --package xtask -- {audit}"));
    }
    if !fast {
        let mut pages = sh::cargo("run --quiet --package xtask -- report-test");
        run.step("report pages", &When::Browser, &mut pages);
        run.msrv();
        run.wasm();
    }
    run.end(began.elapsed())
}

impl Run {
    /// A step that is one cargo command, and can run everywhere.
    fn cargo(&mut self, name: &str, words: &str) {
        self.step(name, &When::Always, &mut sh::cargo(words));
    }

    /// Runs one step, and says in a line how it went.
    fn step(&mut self, name: &str, when: &When, command: &mut Command) -> bool {
        self.n_steps += 1;
        let began = Instant::now();
        let ran = step::run(when, command, &mut |line| {
            if let Some(tally) = Tally::of_line(line) {
                self.tests += tally;
                if tally != Tally::default() {
                    out::line(line);
                }
            }
        });
        let seconds = began.elapsed().as_secs_f64();
        match ran {
            Ran::Done => out::line(&format!("{name}: ok ({seconds:.1} s)")),
            Ran::Skipped { why } => out::line(&format!("{name}: skipped: {why}")),
            Ran::Failed { output } => {
                out::line(&output);
                out::line(&format!("{name}: FAILED ({seconds:.1} s)"));
                self.failed.push(name.to_owned());
                return false;
            }
        }
        true
    }

    /// Unit and integration tests; after them no snapshot may be left that no test asked for.
    fn tests(&mut self) -> TaskResult {
        let folder = workspace::root().join("target/xtask");
        fs::create_dir_all(&folder)?;
        let asked_for = folder.join("snapshots.txt");
        if asked_for.exists() {
            fs::remove_file(&asked_for)?;
        }
        let mut command = sh::cargo(
            "test --workspace --all-features --no-fail-fast --lib --bins --tests --examples",
        );
        command
            .env("INSTA_UPDATE", "no")
            .env("INSTA_SNAPSHOT_REFERENCES_FILE", &asked_for);
        let passed = self.step("tests", &When::Always, &mut command);
        // After a failure the list may lack what the failed test would have asked for.
        if passed {
            self.n_steps += 1;
            let unused = snapshots::unused(&asked_for)?;
            if unused.is_empty() {
                out::line("snapshots: ok");
            } else {
                for finding in unused {
                    out::line(&finding.to_string());
                }
                out::line("snapshots: FAILED");
                self.failed.push("snapshots".to_owned());
            }
        }
        Ok(())
    }

    /// The crates compile on the oldest toolchain that they promise to.
    fn msrv(&mut self) {
        let mut command = Command::new("rustup");
        command
            .args([
                "run",
                MSRV,
                "cargo",
                "check",
                "--workspace",
                "--target-dir=target/msrv",
            ])
            .current_dir(workspace::root());
        self.step("msrv", &When::Toolchain(MSRV), &mut command);
    }

    /// The pure crates compile where there is no file, thread or clock.
    fn wasm(&mut self) {
        let packages = crate::arrows::pure_crates();
        let mut command = sh::cargo("check --target");
        command.arg(WASM);
        for (package, _) in packages {
            command.args(["--package", &package]);
        }
        self.step("wasm", &When::Target(WASM), &mut command);
    }

    /// Closes the run with the sum of the tests and the names of the steps that failed.
    fn end(self, took: Duration) -> TaskResult {
        let seconds = took.as_secs();
        let minutes = format!("{}:{:02} min", seconds / 60, seconds % 60);
        let n_steps = plural(self.n_steps, "step", "steps");
        out::line(&self.tests.to_string());
        if self.failed.is_empty() {
            out::line(&format!("{n_steps} in {minutes}: all is well"));
            return Ok(());
        }
        let failed: Box<dyn Error> = format!(
            "{} of {n_steps} failed in {minutes}: {}",
            self.failed.len(),
            self.failed.join(", ")
        )
        .into();
        Err(failed)
    }
}
