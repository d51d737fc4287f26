//! `annals repair`: a mended copy of a damaged session.

use std::io::Write as _;
use std::path::Path;

use annals_rollout::RepairReport;
use serde::Serialize;

use crate::args::RepairArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out::{self, Warnings};
use crate::render::plural;
use crate::target::Lookup;

/// A mended copy, as JSON: `annals.repair/1`.
#[derive(Serialize)]
struct Repaired {
    schema: &'static str,
    /// Where the copy lies.
    path: String,
    /// How many records it has.
    records: u64,
    /// What was wrong with the original, by kind.
    faults: Vec<RepairedFaults>,
}

/// Faults of one kind.
#[derive(Serialize)]
struct RepairedFaults {
    /// What is wrong, by the names that `docs/format.md` lists.
    kind: &'static str,
    /// How many there were.
    count: u64,
    /// Whether what stood there is missing in the copy, or stands there mended.
    left_out: bool,
}

impl Repaired {
    fn of(report: &RepairReport, path: &Path) -> Self {
        let faults = report.fault_counts.iter();
        Self {
            schema: "annals.repair/1",
            path: path.display().to_string(),
            records: report.records,
            faults: faults
                .map(|(kind, count)| RepairedFaults {
                    kind: kind.as_str(),
                    count: *count,
                    left_out: kind.loses_data(),
                })
                .collect(),
        }
    }
}

/// Writes the copy, and says what was left out.
pub(crate) fn run(args: &RepairArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let source = lookup.open(&args.file)?;
    let report = annals_rollout::repair(&source, &args.output)?;
    let mut warnings = Warnings::default();
    for fault in &report.faults {
        warnings.add(&fault.to_string());
    }
    warnings.finish("damaged lines");
    if args.form.json {
        out::json(&Repaired::of(&report, &args.output))?;
        return Ok(Exit::Done);
    }
    let mut out = out::page();
    let records = plural(report.records, "record", "records");
    writeln!(out, "{}: {records}", args.output.display())?;
    for (kind, count) in &report.fault_counts {
        let fate = if kind.loses_data() {
            "left out"
        } else {
            "mended"
        };
        writeln!(out, "  {count} {fate}: {kind}")?;
    }
    out.flush()?;
    Ok(Exit::Done)
}
