//! `annals verify`: everything that is wrong with sessions.

use std::io::Write;

use annals_inspect::{Severity, VerifyReport};

use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::failure::{Failure, Listener};
use crate::out;
use crate::progress::Bar;
use crate::render::{Style, color, one_line, paint, plural};
use crate::target::Lookup;

/// How many findings of a file are printed one by one.
const MAX_SHOWN: usize = 200;

/// The same for a file that is no session at all: the first line has said it.
const MAX_SHOWN_OF_NONE: usize = 20;

/// Looks at each file; bad if one of them has an error in it.
pub(crate) fn run(args: &VerifyArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let mut out = out::page();
    for file in &args.files {
        let report = match look(file, lookup) {
            Ok(report) => report,
            // Of several files the others are still looked at.
            Err(failure) if args.files.len() > 1 => {
                exit = exit.max(failure.print(Listener::of(args.json)));
                continue;
            }
            Err(failure) => return Err(failure),
        };
        if !report.is_sound() {
            exit = exit.max(Exit::Bad);
        }
        if args.json {
            out::json_line(&mut out, &report)?;
        } else {
            print(&mut out, &report)?;
        }
        out.flush()?;
    }
    Ok(exit)
}

fn look(file: &str, lookup: &Lookup) -> Result<VerifyReport, Failure> {
    let source = lookup.open(file)?;
    let bar = Bar::start();
    Ok(annals_inspect::verify(
        source,
        &lookup.parents(),
        bar.progress(),
    )?)
}

fn print<W: Write>(out: &mut W, report: &VerifyReport) -> Result<(), Failure> {
    let style = Style::new(/*exact_bytes*/ false);
    let most = match report.n_records {
        0 => MAX_SHOWN_OF_NONE,
        _ => MAX_SHOWN,
    };
    for finding in report.findings.iter().take(most) {
        let color = match finding.severity {
            Severity::Error => color::RED,
            Severity::Warning => color::YELLOW,
            _ => color::CYAN,
        };
        let mut place = one_line(&finding.file);
        if finding.line > 0 {
            place = format!("{place}:{}", finding.line);
        }
        if let Some(offset) = finding.byte_offset {
            place = format!("{place}: byte {offset}");
        }
        writeln!(
            out,
            "{}: {place}: {}: {}",
            paint(finding.severity.as_str(), color),
            finding.kind.as_str(),
            one_line(&finding.message),
        )?;
        if let Some(window) = &finding.window {
            writeln!(out, "{}", style.window(window))?;
        }
        writeln!(out, "  on resume: {}", finding.on_resume)?;
    }
    let hidden = report.findings.len().saturating_sub(most) as u64 + report.n_unlisted;
    if hidden > 0 {
        writeln!(out, "… {}", plural(hidden, "more finding", "more findings"))?;
    }
    let sum = format!(
        "{}, {}, {}",
        plural(report.n_errors, "error", "errors"),
        plural(report.n_warnings, "warning", "warnings"),
        plural(report.n_notes, "note", "notes"),
    );
    let is_sound = report.is_sound();
    let sum = paint(&sum, if is_sound { color::GREEN } else { color::RED });
    let records = plural(report.n_records, "record", "records");
    writeln!(out, "{}: {records}, {sum}", one_line(&report.session.file))?;
    Ok(())
}
