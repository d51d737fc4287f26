//! Counts the instructions of the hot paths with callgrind: a number that a busy machine does not
//! change, so that a path that became slower is seen.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::document;
use crate::out;
use crate::sh;
use crate::task::TaskResult;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// How often a path runs while it is counted.
const ROUNDS: u64 = 3;

/// How much more than on record a path may take, in hundredths.
const TOLERANCE_PERCENT: u64 = 5;

/// One path and its instructions a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) path: String,
    pub(crate) instructions: u64,
}

/// Counts every path, then saves the counts or compares them with those on record.
pub(crate) fn compare(saves: bool) -> TaskResult {
    let program = program()?;
    let mut counts = Vec::new();
    for path in String::from_utf8(Command::new(&program).output()?.stdout)?.lines() {
        let idle = counted(&program, path, 0)?;
        let busy = counted(&program, path, ROUNDS)?;
        let instructions = busy.saturating_sub(idle) / ROUNDS;
        out::line(&format!("{path}: {instructions}"));
        counts.push(Count {
            path: path.to_owned(),
            instructions,
        });
    }
    if saves {
        return document::write_counts(&table(&counts));
    }
    let slower = slower(&of_table(&document::counts_on_record()?), &counts)?;
    if slower.is_empty() {
        return Ok(());
    }
    for line in &slower {
        out::line(line);
    }
    Err(format!(
        "{} of {} paths take over {TOLERANCE_PERCENT} % more instructions than on record",
        slower.len(),
        counts.len()
    )
    .into())
}

/// Builds the program that runs one path, and says where it is.
fn program() -> Outcome<PathBuf> {
    let words = "bench --quiet --package annals-inspect --bench instructions --no-run \
                 --message-format json";
    let output = sh::cargo(words).stderr(Stdio::inherit()).output()?;
    String::from_utf8(output.stdout)?
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message.pointer("/target/name") == Some(&"instructions".into()))
        .find_map(|message| message.get("executable")?.as_str().map(PathBuf::from))
        .ok_or_else(|| "the program that runs the paths was not built".into())
}

fn counted(program: &Path, path: &str, rounds: u64) -> Outcome<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args([path, &rounds.to_string()])
        .output()
        .map_err(|error| format!("starting valgrind: {error}; install the package valgrind"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("counting {path} ended with {}:\n{said}", output.status).into());
    }
    said.lines()
        .find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
        .ok_or_else(|| format!("callgrind told no count:\n{said}").into())
}

fn table(counts: &[Count]) -> String {
    let mut table = String::from("| path | instructions |\n| --- | ---: |");
    for count in counts {
        let _always_works = write!(table, "\n| {} | {} |", count.path, count.instructions);
    }
    table
}

/// The counts that stand in a table, whatever stands around it.
pub(crate) fn of_table(text: &str) -> Vec<Count> {
    text.lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
            let (path, number) = (cells.next()?, cells.next()?);
            Some(Count {
                path: path.to_owned(),
                instructions: number.parse().ok()?,
            })
        })
        .collect()
}

/// A line for every path that takes more than it may.
pub(crate) fn slower(on_record: &[Count], now: &[Count]) -> Outcome<Vec<String>> {
    let mut lines = Vec::new();
    for count in now {
        let before = on_record.iter().find(|before| before.path == count.path);
        let Some(before) = before else {
            return Err(format!(
                "{} is not on record: run `cargo xtask bench --instructions --save`",
                count.path
            )
            .into());
        };
        let (was, is) = (before.instructions, count.instructions);
        if is * 100 > was * (100 + TOLERANCE_PERCENT) {
            lines.push(format!("{}: {is} instead of {was}", count.path));
        }
    }
    Ok(lines)
}

#[cfg(test)]
#[path = "instructions_tests.rs"]
mod tests;
