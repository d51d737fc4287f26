//! `annals context`: every injected piece of the input.

use std::io::Write as _;

use annals_inspect::{Change, ContextReport, FragmentUse};

use crate::args::ContextArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out;
use crate::render::{Style, Table, color, grouped, one_line, paint, percent, plural};
use crate::target::Lookup;

/// Finds out what was injected, and prints it.
pub(crate) fn run(args: &ContextArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let report = lookup.look_at(&args.file, |session| session.context(args.part.up_to()))?;
    if args.look.json {
        out::json(&report)?;
    } else {
        print(&report, &Style::new(args.look.bytes))?;
    }
    Ok(Exit::Done)
}

fn print(report: &ContextReport, style: &Style) -> Result<(), Failure> {
    let mut out = out::page();
    writeln!(
        out,
        "{} in {}, about {} tokens; injected: {} ({})",
        plural(report.n_items as u64, "item", "items"),
        one_line(&report.session.file),
        grouped(report.tokens),
        grouped(report.injected_tokens),
        percent(share(report.injected_tokens, report.tokens)),
    )?;
    writeln!(out)?;
    let mut origins = Table::new(&["origin", "#items", "#tokens", "#share"]);
    for row in &report.origins {
        origins.row([
            row.origin.as_str().replace('_', " "),
            grouped(row.n_items as u64),
            grouped(row.tokens),
            percent(row.share),
        ]);
        if row.origin.is_injected() {
            origins.color(0, color::CYAN);
        }
    }
    origins.write(&mut out, style)?;
    if report.fragments.is_empty() {
        return Ok(out.flush()?);
    }
    writeln!(out)?;
    let mut table = Table::new(&[
        "#turn", "#line", "role", "kind", "#tokens", "#share", "#cap", "change", "text",
    ]);
    for fragment in &report.fragments {
        table.row(row(fragment));
        if fragment.is_over_cap {
            table.color(6, color::RED);
        }
        if matches!(fragment.change, Change::Repeated) {
            table.color(7, color::YELLOW);
        }
    }
    table.write(&mut out, style)?;
    let over = report
        .fragments
        .iter()
        .filter(|used| used.is_over_cap)
        .count();
    if over > 0 {
        let text = format!(
            "{} over its cap",
            plural(over as u64, "piece is", "pieces are")
        );
        writeln!(out, "{}", paint(&text, color::RED))?;
    }
    Ok(out.flush()?)
}

fn row(fragment: &FragmentUse) -> [String; 9] {
    let change = match fragment.change {
        Change::First => "first".to_owned(),
        Change::Repeated => "same again".to_owned(),
        Change::Changed {
            lines_added,
            lines_removed,
        } => format!("+{lines_added} -{lines_removed} lines"),
        _ => "?".to_owned(),
    };
    let cap = fragment.cap_tokens.map(|cap| grouped(u64::from(cap)));
    [
        fragment.turn.to_string(),
        fragment.line.to_string(),
        fragment.role.clone(),
        fragment.kind.clone(),
        grouped(fragment.tokens),
        percent(fragment.share),
        cap.unwrap_or_else(|| "-".to_owned()),
        change,
        fragment.preview.clone(),
    ]
}

#[expect(clippy::cast_precision_loss, reason = "a share need not be exact")]
fn share(part: u64, all: u64) -> f64 {
    part as f64 / all.max(1) as f64
}
