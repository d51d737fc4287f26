//! What a program that calls this one learns from the exit code.

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};

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
