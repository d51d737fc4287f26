//! `cargo xtask bench`: every comparison, one process a suite, as one table.
//!
//! A suite is a benchmark target that prints one JSON object a row on standard output. Nothing is
//! asserted about time: the table says what was reached and what was not.

mod document;
mod instructions;

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use serde::{Deserialize, Serialize};

use crate::out;
use crate::sh;
use crate::task::TaskResult;

/// Every suite: its name and the package that holds it; the benchmark target has the suite's name.
const SUITES: &[(&str, &str)] = &[
    ("parse", "annals-protocol"),
    ("fragments", "annals-context-fragments"),
    ("state", "annals-world-state"),
    ("history", "annals-history"),
    ("prompt_input", "annals-inspect"),
    ("memory", "annals-inspect"),
    ("rollout", "annals-rollout"),
    ("resume", "annals-core"),
];

#[derive(Debug, Default)]
struct Options {
    suites: Vec<String>,
    is_quick: bool,
    json: Option<PathBuf>,
    /// Instructions are counted instead of time.
    counts: bool,
    /// The counts are put on record instead of compared with it.
    saves: bool,
}

/// A row as a suite prints it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[expect(
    clippy::struct_field_names,
    reason = "the names are those of the format"
)]
struct Row {
    suite: String,
    row: String,
    ours: f64,
    ours_range: (f64, f64),
    baseline: f64,
    baseline_range: (f64, f64),
    unit: String,
    ratio: f64,
    target: String,
    met: bool,
}

/// `cargo xtask bench [SUITE…] [--quick] [--json FILE]`, or `--instructions [--save]`
pub(crate) fn task(args: &[String]) -> TaskResult {
    let options = read_options(args)?;
    if options.counts {
        return instructions::compare(options.saves);
    }
    let mut rows = Vec::new();
    for (suite, package) in SUITES {
        if options.suites.is_empty() || options.suites.iter().any(|asked| asked == suite) {
            rows.extend(run(suite, package, options.is_quick)?);
        }
    }
    let table = table(&rows);
    out::line(&table);
    if let Some(path) = &options.json {
        let lines: Result<Vec<String>, _> = rows.iter().map(serde_json::to_string).collect();
        fs::write(path, lines?.join("\n") + "\n")?;
    }
    // A quick run shows that the suites work; its numbers are not worth keeping.
    if !options.is_quick && options.suites.is_empty() {
        document::write_timings(&table)?;
    }
    Ok(())
}

fn read_options(args: &[String]) -> Result<Options, Box<dyn std::error::Error>> {
    let mut options = Options::default();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--quick" => options.is_quick = true,
            "--instructions" => options.counts = true,
            "--save" => options.saves = true,
            "--json" => {
                options.json = Some(words.next().ok_or("--json needs a file")?.into());
            }
            name if SUITES.iter().any(|(suite, _)| *suite == name) => {
                options.suites.push(name.to_owned());
            }
            other => {
                let known: Vec<&str> = SUITES.iter().map(|(suite, _)| *suite).collect();
                return Err(format!(
                    "unknown argument {other:?} (known: --quick, --json FILE, --instructions, --save, {})",
                    known.join(", ")
                )
                .into());
            }
        }
    }
    if options.saves && !options.counts {
        return Err(
            "--save goes with --instructions; a full run without it saves its table".into(),
        );
    }
    Ok(options)
}

fn run(suite: &str, package: &str, is_quick: bool) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let mut words = format!("bench --quiet --package {package} --bench {suite} --");
    if is_quick {
        words.push_str(" --quick");
    }
    let output = sh::cargo(&words).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("the suite {suite} ended with {}", output.status).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let rows: Vec<Row> = text
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    if rows.is_empty() {
        return Err(format!("the suite {suite} printed no row").into());
    }
    Ok(rows)
}

fn table(rows: &[Row]) -> String {
    let mut table = String::from(
        "| suite | what | ours (range) | baseline (range) | ratio | target | met |\n\
         | --- | --- | ---: | ---: | ---: | --- | --- |",
    );
    for row in rows {
        let line = format!(
            "\n| {} | {} | {} | {} | {:.2} | {} | {} |",
            row.suite,
            row.row,
            measured(row.ours, row.ours_range, &row.unit),
            measured(row.baseline, row.baseline_range, &row.unit),
            row.ratio,
            row.target,
            if row.met { "yes" } else { "**no**" },
        );
        table.push_str(&line);
    }
    table
}

fn measured(median: f64, range: (f64, f64), unit: &str) -> String {
    if unit == "s" {
        format!(
            "{} ({}–{})",
            seconds(median),
            seconds(range.0),
            seconds(range.1)
        )
    } else if range.0.total_cmp(&range.1).is_eq() {
        format!("{median:.0} {unit}")
    } else {
        format!("{median:.0} ({:.0}–{:.0}) {unit}", range.0, range.1)
    }
}

/// Seconds in the unit in which they read best.
fn seconds(value: f64) -> String {
    match value {
        value if value >= 1.0 => format!("{value:.2} s"),
        value if value >= 1e-3 => format!("{:.2} ms", value * 1e3),
        value if value >= 1e-6 => format!("{:.2} µs", value * 1e6),
        value => format!("{:.0} ns", value * 1e9),
    }
}

#[cfg(test)]
#[path = "bench_tests.rs"]
mod tests;
