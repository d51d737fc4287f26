//! What a program that calls this one learns from the exit code.

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};

use crate::failure::{Failure, Listener};
use crate::out;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// It did what it says.
    Done = 0,
    /// The data is bad, or the check failed.
    Bad = 1,
    /// It was called in a wrong way.
    Usage = 2,
    /// There is no such file or id, or it may not be read.
    NotThere = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Prints what clap has to say: help and version are results, the rest is a wrong call.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    // The arguments could not be read, so this one is looked for as it was typed.
    let is_json = std::env::args_os()
        .take_while(|word| word != "--")
        .any(|word| word == "--json");
    if is_json && error.use_stderr() {
        return in_short(&error.to_string()).report(Listener::Program);
    }
    // Nobody may be listening any more, and then there is nobody to tell.
    let _gone = error.print();
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && (std::path::Path::new(word).exists() || word == "-")
    {
        out::note(&format!(
            "\nhint: say what to do with it, as in: annals show {word}"
        ));
    }
    if error.use_stderr() {
        Exit::Usage.into()
    } else {
        Exit::Done.into()
    }
}

/// What clap says in several paragraphs: the first is what is wrong, and one may be a tip.
fn in_short(text: &str) -> Failure {
    let mut paragraphs = text
        .split("\n\n")
        .map(|lines| lines.split_whitespace().collect::<Vec<_>>().join(" "));
    let first = paragraphs.next().unwrap_or_default();
    let what = first.strip_prefix("error: ").unwrap_or(&first);
    let failure = Failure::new(Exit::Usage, what);
    match paragraphs.find_map(|words| words.strip_prefix("tip: ").map(str::to_owned)) {
        Some(tip) => failure.hint(tip),
        None => failure,
    }
}
