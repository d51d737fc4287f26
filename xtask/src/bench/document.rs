//! `docs/benchmarks.md`: one part with times, one with counts of instructions.
//! Each is written by its own run; the other one stays as it is.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::task::TaskResult;
use crate::workspace;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const TITLE: &str = "# Benchmarks\n";
const TIMES: &str = "\n## Times\n";
const COUNTS: &str = "\n## Instructions\n";

fn path() -> PathBuf {
    workspace::root().join("docs/benchmarks.md")
}

/// The parts of the document that is there, each without its heading.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) times: String,
    pub(crate) counts: String,
}

impl Parts {
    pub(crate) fn of(text: &str) -> Self {
        let (before, counts) = text.split_once(COUNTS).unwrap_or((text, ""));
        let times = before.split_once(TIMES).map_or("", |(_, times)| times);
        Self {
            times: times.to_owned(),
            counts: counts.to_owned(),
        }
    }

    fn on_disk() -> Outcome<Self> {
        match fs::read_to_string(path()) {
            Ok(text) => Ok(Self::of(&text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn to_text(&self) -> String {
        let mut text = TITLE.to_owned();
        for (heading, part) in [(TIMES, &self.times), (COUNTS, &self.counts)] {
            if !part.is_empty() {
                text.push_str(heading);
                text.push_str(part);
            }
        }
        text
    }
}

/// The counts on record, as they stand in the document.
pub(crate) fn counts_on_record() -> Outcome<String> {
    Ok(Parts::on_disk()?.counts)
}

pub(crate) fn write_timings(table: &str) -> TaskResult {
    let mut parts = Parts::on_disk()?;
    parts.times = format!(
        "\nWritten by `cargo xtask bench`.\nEvery row was measured in one run, candidates in turns, \
         after a warm-up; the numbers are medians with the quickest and the slowest run.\nA ratio says how many \
         times as long the baseline takes; where the target is a bound on ours (`<=`), how many times as long ours \
         takes.\n\n{}\n{table}\n",
        circumstances()?
    );
    Ok(fs::write(path(), parts.to_text())?)
}

pub(crate) fn write_counts(table: &str) -> TaskResult {
    let mut parts = Parts::on_disk()?;
    parts.counts = format!(
        "\nWritten by `cargo xtask bench --instructions --save`, counted by callgrind.\nWithout `--save` the same \
         command counts again and fails where a path takes 5 % more than is written here.\nThe counts hold for one \
         compiler and one kind of processor: after a change of either, save them anew.\n\n{}\n{table}\n",
        circumstances()?
    );
    Ok(fs::write(path(), parts.to_text())?)
}

/// The machine and the compiler, a line each.
fn circumstances() -> Outcome<String> {
    let compiler = Command::new("rustc").arg("--version").output()?.stdout;
    let compiler = String::from_utf8(compiler)?;
    let processor = fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            line.split(": ").nth(1).map(str::to_owned)
        })
        .unwrap_or_else(|| "unknown processor".to_owned());
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Ok(format!(
        "Machine: {processor}, {cores} cores.\nCompiler: {}.\n",
        compiler.trim()
    ))
}
