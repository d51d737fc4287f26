//! `annals diff`: what the model was told between two points.

use std::io::{self, Write};

use annals_inspect::{LineFate, ReadUpTo, StateDiff, Told};

use super::state::scalar;
use crate::args::DiffArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out;
use crate::render::{Style, color, grouped, one_line, paint};
use crate::target::Lookup;

/// Kept lines that are shown around a change.
const AROUND: usize = 2;

/// Compares two points, or two sessions, and prints what differs.
pub(crate) fn run(args: &DiffArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let point = |text: &str| text.parse::<ReadUpTo>();
    let diff = match (point(&args.before), args.after.as_deref().map(point)) {
        (Ok(before), None) => {
            lookup.look_at(&args.file, |session| session.diff(before, ReadUpTo::End))?
        }
        (Ok(before), Some(Ok(after))) => {
            lookup.look_at(&args.file, |session| session.diff(before, after))?
        }
        (_, Some(Err(why))) => return Err(Failure::new(Exit::Usage, why)),
        (Err(why), _) => {
            let is_number = args.before.bytes().all(|byte| byte.is_ascii_digit());
            let is_file = !args.before.contains(':') && !is_number
                || lookup.path(&args.before).is_ok_and(|path| path.exists());
            if !is_file || args.after.is_some() {
                return Err(Failure::new(Exit::Usage, why));
            }
            let other = lookup.session(&args.before)?;
            lookup.look_at(&args.file, |session| {
                session.diff_with(ReadUpTo::End, &other, ReadUpTo::End)
            })?
        }
    };
    if args.look.json {
        out::json(&diff)?;
    } else {
        print(&diff, &Style::new(args.look.bytes))?;
    }
    Ok(Exit::Done)
}

fn print(diff: &StateDiff, style: &Style) -> Result<(), Failure> {
    let mut out = out::page();
    for (sign, side) in [("---", &diff.before), ("+++", &diff.after)] {
        let known = if side.is_known {
            ""
        } else {
            ", state not known"
        };
        let head = format!(
            "{sign} {} {} ({} items{known})",
            one_line(&side.file),
            side.at,
            side.n_items
        );
        writeln!(out, "{}", paint(&head, color::BOLD))?;
    }
    if diff.changes.is_empty() && diff.told.is_empty() && diff.gone.is_empty() {
        writeln!(out, "no difference")?;
        return Ok(out.flush()?);
    }
    for change in &diff.changes {
        writeln!(out, "{}", paint(&one_line(&change.path), color::CYAN))?;
        if let Some(lines) = &change.lines {
            let is_near = |idx: usize| {
                let from = idx.saturating_sub(AROUND);
                lines
                    .iter()
                    .skip(from)
                    .take(idx - from + AROUND + 1)
                    .any(|line| line.change != LineFate::Kept)
            };
            for (idx, line) in lines.iter().enumerate() {
                match line.change {
                    LineFate::Added => added(&mut out, &line.text)?,
                    LineFate::Removed => removed(&mut out, &line.text)?,
                    _ if is_near(idx) => writeln!(out, "    {}", one_line(&line.text))?,
                    _ => {}
                }
            }
            continue;
        }
        if let Some(before) = &change.before {
            removed(&mut out, &style.fit(&scalar(before), 4))?;
        }
        if let Some(after) = &change.after {
            added(&mut out, &style.fit(&scalar(after), 4))?;
        }
    }
    told(&mut out, "told in between", &diff.told, style)?;
    told(&mut out, "no more in the input", &diff.gone, style)?;
    Ok(out.flush()?)
}

fn added<W: Write>(out: &mut W, text: &str) -> io::Result<()> {
    writeln!(
        out,
        "  {}",
        paint(&format!("+ {}", one_line(text)), color::GREEN)
    )
}

fn removed<W: Write>(out: &mut W, text: &str) -> io::Result<()> {
    writeln!(
        out,
        "  {}",
        paint(&format!("- {}", one_line(text)), color::RED)
    )
}

fn told<W: Write>(out: &mut W, heading: &str, told: &[Told], style: &Style) -> io::Result<()> {
    if told.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", paint(heading, color::BOLD))?;
    for piece in told {
        writeln!(
            out,
            "  turn {}, line {}: {} as {}, about {} tokens",
            piece.turn,
            piece.line,
            piece.kind,
            piece.role,
            grouped(piece.tokens)
        )?;
        writeln!(out, "    {}", style.fit(&piece.text, 4))?;
    }
    Ok(())
}
