//! `cargo xtask bench`: every comparison, one process a suite, as one table.
//!
//! A suite is a benchmark target that prints one JSON object a row on standard output. Nothing is
//! asserted about time: the table says what was reached and what was not.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use serde::{Deserialize, Serialize};

use crate::out;
use crate::sh;
use crate::task::TaskResult;
use crate::workspace;

/// Every suite: its name and the package that holds it; the benchmark target has the suite's name.
const SUITES: &[(&str, &str)] = &[
    ("parse", "annals-protocol"),
    ("fragments", "annals-context-fragments"),
    ("state", "annals-world-state"),
    ("history", "annals-history"),
    ("prompt_input", "annals-inspect"),
    ("rollout", "annals-rollout"),
];

/// Where the table goes.
const DOCUMENT: &str = "docs/benchmarks.md";

#[derive(Debug, Default)]
struct Options {
    suites: Vec<String>,
    is_quick: bool,
    json: Option<PathBuf>,
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

/// `cargo xtask bench [SUITE…] [--quick] [--json FILE]`
pub(crate) fn task(args: &[String]) -> TaskResult {
    let options = read_options(args)?;
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
        fs::write(workspace::root().join(DOCUMENT), document(&table)?)?;
    }
    Ok(())
}

fn read_options(args: &[String]) -> Result<Options, Box<dyn std::error::Error>> {
    let mut options = Options::default();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--quick" => options.is_quick = true,
            "--json" => {
                options.json = Some(words.next().ok_or("--json needs a file")?.into());
            }
            name if SUITES.iter().any(|(suite, _)| *suite == name) => {
                options.suites.push(name.to_owned());
            }
            other => {
                let known: Vec<&str> = SUITES.iter().map(|(suite, _)| *suite).collect();
                return Err(format!(
                    "unknown argument {other:?} (known: --quick, --json FILE, {})",
                    known.join(", ")
                )
                .into());
            }
        }
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

fn document(table: &str) -> Result<String, Box<dyn std::error::Error>> {
    let compiler = String::from_utf8(
        std::process::Command::new("rustc")
            .arg("--version")
            .output()?
            .stdout,
    )?;
    let processor = fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            line.split(": ").nth(1).map(str::to_owned)
        })
        .unwrap_or_else(|| "unknown processor".to_owned());
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Ok(format!(
        "# Benchmarks\n\nWritten by `cargo xtask bench`.\nEvery row was measured in one run, candidates in turns, \
         after a warm-up; the numbers are medians with the quickest and the slowest run.\nA ratio says how many times \
         as long the baseline takes; where the target is a bound on ours (`<=`), how many times as long ours takes.\n\n\
         Machine: {processor}, {cores} cores.\nCompiler: {}.\n\n{table}\n",
        compiler.trim()
    ))
}

#[cfg(test)]
#[path = "bench_tests.rs"]
mod tests;
