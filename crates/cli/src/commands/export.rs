//! `annals export`: a session for other eyes, as Markdown or as records without secrets.

use std::io::Write;

use annals_inspect::{ConversationEntry, EntryKind, ReadUpTo, Redactor};
use annals_rollout::{Entry, Lineage};

use crate::args::{ExportArgs, ExportFormat};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out::{self, Warnings};
use crate::render::{harmless, one_line};
use crate::target::Lookup;

/// Prints the session.
pub(crate) fn run(args: &ExportArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let mut redactor = (!args.keep_secrets).then(Redactor::default);
    match args.format {
        ExportFormat::Markdown => markdown(args, lookup, &mut redactor)?,
        ExportFormat::Jsonl => records(args, lookup, &mut redactor)?,
    }
    if let Some(redactor) = redactor
        && redactor.n_replaced() > 0
    {
        out::note(&format!(
            "{} places were replaced; look through the result before you hand it on",
            redactor.n_replaced()
        ));
    }
    Ok(Exit::Done)
}

fn markdown(
    args: &ExportArgs,
    lookup: &Lookup,
    redactor: &mut Option<Redactor>,
) -> Result<(), Failure> {
    let session = lookup.session(&args.file)?;
    let talk = session.conversation(ReadUpTo::End)?;
    let mut out = out::results();
    let mut hide = |text: &str| match redactor {
        Some(redactor) => redactor.text(text),
        None => text.to_owned(),
    };
    let id = talk.about.id.clone().unwrap_or_default();
    writeln!(out, "# Session {id}\n")?;
    for (label, value) in [
        ("Started", &talk.about.started),
        ("Folder", &talk.about.cwd),
        ("Written by", &talk.about.written_by),
    ] {
        if let Some(value) = value {
            writeln!(out, "- {label}: {}", hide(value))?;
        }
    }
    let mut last_turn = 0;
    talk.for_each(|entry| {
        if entry.turn != last_turn {
            last_turn = entry.turn;
            writeln!(out, "\n## Turn {last_turn}")?;
        }
        // Whoever prints the page on a terminal shall not have the cursor moved by a tool's output.
        let text = harmless(&hide(&entry.text));
        Ok::<(), Failure>(markdown_entry(&mut out, &entry, &text)?)
    })?;
    Ok(out.flush()?)
}

fn markdown_entry<W: Write>(
    out: &mut W,
    entry: &ConversationEntry,
    text: &str,
) -> std::io::Result<()> {
    let name = one_line(entry.name.as_deref().unwrap_or("tool")).replace(['`', '<'], "?");
    let text = text.trim_end();
    match entry.kind {
        EntryKind::User => writeln!(out, "\n**User**\n\n{text}"),
        EntryKind::Assistant => writeln!(out, "\n**Assistant**\n\n{text}"),
        EntryKind::Reasoning => {
            let quoted = text.replace('\n', "\n> ");
            writeln!(out, "\n> {quoted}")
        }
        EntryKind::Call => fenced(out, &format!("Call of `{name}`"), text),
        EntryKind::Output => fenced(out, "Output", text),
        EntryKind::Compaction => fenced(out, "A compaction: this summary took over", text),
        EntryKind::Aborted => writeln!(out, "\n*The turn was cut off ({text}).*"),
        _ => Ok(()),
    }
}

/// A text in a fence that is longer than any within.
fn fenced<W: Write>(out: &mut W, heading: &str, text: &str) -> std::io::Result<()> {
    let mut longest = 2;
    let mut run = 0;
    for character in text.chars() {
        run = if character == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    writeln!(
        out,
        "\n<details><summary>{heading}</summary>\n\n{fence}text\n{text}\n{fence}\n\n</details>"
    )
}

fn records(
    args: &ExportArgs,
    lookup: &Lookup,
    redactor: &mut Option<Redactor>,
) -> Result<(), Failure> {
    let lineage = Lineage::resolve(lookup.open(&args.file)?, &lookup.parents())?;
    let mut out = out::results();
    let mut faults = Warnings::default();
    let mut records = lineage.records();
    while let Some((_, entry)) = records.next()? {
        match entry {
            Entry::Record(record) => {
                let line = match redactor {
                    Some(redactor) => redactor.json(record.text),
                    None => record.text.to_owned(),
                };
                writeln!(out, "{line}")?;
            }
            Entry::Fault(fault) => faults.add(&fault.to_string()),
        }
    }
    faults.finish("lines that could not be used");
    Ok(out.flush()?)
}
