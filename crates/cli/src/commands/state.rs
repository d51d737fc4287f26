//! `annals state`: what the model was last told of the world.

use std::io::{self, Write};

use annals_inspect::StateReport;
use serde_json::Value;

use crate::args::StateArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out;
use crate::render::{Style, color, one_line, paint, plural};
use crate::target::Lookup;

/// Finds out what was told, and prints it.
pub(crate) fn run(args: &StateArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let report = lookup.look_at(&args.file, |session| session.state(args.part.up_to()))?;
    if args.look.json {
        out::json(&report)?;
    } else {
        print(&report, &Style::new(args.look.bytes))?;
    }
    Ok(Exit::Done)
}

fn print(report: &StateReport, style: &Style) -> Result<(), Failure> {
    let mut out = out::page();
    if !report.is_known {
        writeln!(
            out,
            "not known: nothing was told, or it was told before a compaction; the next turn tells everything"
        )?;
    }
    for (id, section) in &report.sections {
        let line = format!("(line {})", section.told_at_line);
        writeln!(
            out,
            "{} {}",
            paint(id, color::BOLD),
            paint(&line, color::DIM)
        )?;
        value(&mut out, &section.value, 1, style)?;
    }
    if report.window_number > 0 {
        writeln!(
            out,
            "after {}",
            plural(report.window_number, "compaction", "compactions")
        )?;
    }
    if let Some(model) = &report.model {
        writeln!(out, "model of the last turn: {model}")?;
    }
    Ok(out.flush()?)
}

/// Writes a JSON value as indented lines, long texts cut to the width.
pub(super) fn value<W: Write>(
    out: &mut W,
    value: &Value,
    depth: usize,
    style: &Style,
) -> io::Result<()> {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(members) if depth < 16 => {
            for (key, member) in members {
                if member.is_object() {
                    writeln!(out, "{indent}{}", paint(&one_line(key), color::CYAN))?;
                    self::value(out, member, depth + 1, style)?;
                } else {
                    let used = indent.len() + key.chars().count() + 2;
                    let text = style.fit(&scalar(member), used);
                    writeln!(
                        out,
                        "{indent}{}: {text}",
                        paint(&one_line(key), color::CYAN)
                    )?;
                }
            }
            Ok(())
        }
        other => writeln!(out, "{indent}{}", style.fit(&scalar(other), indent.len())),
    }
}

/// A value that is no object, on one line.
pub(super) fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => one_line(text),
        other => other.to_string(),
    }
}
