//! `annals prompt-input`: the exact input that the model received.

use std::io::Write as _;

use annals_inspect::{
    ItemDescription, Notice, PromptInput, PromptInputError, PromptInputOptions, PromptOptions,
};

use crate::args::{Format, PromptInputArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out::{self, Warnings};
use crate::render::{Style, harmless};
use crate::target::Lookup;

/// Rebuilds the input, says what is odd about the session, and prints.
pub(crate) fn run(args: &PromptInputArgs, lookup: &Lookup) -> Result<Exit, Failure> {
    let up_to = args.part.up_to();
    let mut prompt = PromptOptions::default();
    if args.no_images {
        prompt = prompt.without_images();
    }
    if args.no_audio {
        prompt = prompt.without_audio();
    }
    let source = lookup.open(&args.file)?;
    let input = PromptInput::read(
        source,
        &lookup.parents(),
        PromptInputOptions::new(up_to, prompt),
    )?;
    warn(&input);
    match print(&input, args.format) {
        Err(PromptInputError::Write(error)) if out::is_closed_pipe(&error) => Ok(Exit::Done),
        Err(error) => Err(error.into()),
        Ok(()) => Ok(Exit::Done),
    }
}

fn warn(input: &PromptInput) {
    let style = Style::new(/*exact_bytes*/ false);
    let (mut faults, mut repairs) = (Warnings::default(), Warnings::default());
    for notice in input.notices() {
        match notice {
            Notice::Repair { .. } => repairs.add(&notice.to_string()),
            Notice::Fault(ref fault) => faults.add_with(&notice.to_string(), || {
                Some(style.window(&input.window(fault)?))
            }),
            _ => faults.add(&notice.to_string()),
        }
    }
    faults.finish("lines that could not be used");
    repairs.finish("items that are shown otherwise or left out");
}

fn print(input: &PromptInput, format: Format) -> Result<(), PromptInputError> {
    let mut results = out::results();
    match format {
        Format::Json => input.write_json(&mut results),
        Format::Shape => {
            input.for_each(|item| write!(results, "{}", ItemDescription::of(item)))?;
            Ok(results.flush()?)
        }
        Format::Text => {
            let mut number = 0_usize;
            input.for_each(|item| {
                number += 1;
                let item = ItemDescription::of(item);
                writeln!(results, "== {number}: {}", item.title)?;
                for part in &item.parts {
                    if let Some(label) = &part.label {
                        writeln!(results, "[{label}]")?;
                    }
                    // JSON holds every character; what people read moves no cursor.
                    writeln!(results, "{}", harmless(&part.text))?;
                }
                writeln!(results)
            })?;
            Ok(results.flush()?)
        }
    }
}
