//! `annals repair`: a mended copy of a damaged session.

use std::io::Write as _;

use crate::args::RepairArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out::{self, Warnings};
use crate::render::plural;
use crate::target::Lookup;

/// Writes the copy, and says what was left out.
pub(crate) fn run(args: &RepairArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let source = lookup.open(&args.file)?;
    let report = annals_rollout::repair(&source, &args.output)?;
    let mut warnings = Warnings::default();
    for fault in &report.faults {
        warnings.add(&fault.to_string());
    }
    warnings.finish("damaged lines");
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
