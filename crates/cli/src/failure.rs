//! Why a command could not do its work: one line on standard error, a hint, an exit code.

use std::process::ExitCode;

use annals_inspect::PromptInputError;
use annals_rollout::ErrorKind;

use crate::exit::Exit;
use crate::render::one_line;
use crate::{mistake, out};

/// A command that could not do its work.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    message: String,
    hint: Option<String>,
    is_closed_pipe: bool,
}

impl Failure {
    /// A failure with words of its own.
    pub(crate) fn new<M: Into<String>>(exit: Exit, message: M) -> Self {
        Self {
            exit,
            message: message.into(),
            hint: None,
            is_closed_pipe: false,
        }
    }

    /// Says what to do about it.
    pub(crate) fn hint<H: Into<String>>(mut self, hint: H) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Prints the failure and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        self.print().into()
    }

    /// Prints the failure, and says how a command ends that goes on after it.
    ///
    /// What is not there is told in one line, with its hint; else the hint has a line of its own.
    /// That nobody reads any more is no failure.
    pub(crate) fn print(self) -> Exit {
        if self.is_closed_pipe {
            return Exit::Done;
        }
        // The names of files are in it, which may hold anything.
        let message = one_line(&self.message);
        match self.hint {
            Some(hint) if self.exit == Exit::NotThere => {
                out::note(&format!("error: {message}; {hint}"));
            }
            Some(hint) => {
                out::note(&format!("error: {message}"));
                out::note(&format!("hint: {hint}"));
            }
            None => out::note(&format!("error: {message}")),
        }
        self.exit
    }
}

impl From<annals_rollout::Error> for Failure {
    fn from(error: annals_rollout::Error) -> Self {
        let exit = match error.kind() {
            ErrorKind::NotFound | ErrorKind::PermissionDenied | ErrorKind::IsDirectory => {
                Exit::NotThere
            }
            // A path that goes on below a file leads nowhere.
            ErrorKind::Io if error.io_kind() == Some(std::io::ErrorKind::NotADirectory) => {
                Exit::NotThere
            }
            ErrorKind::Ambiguous | ErrorKind::InvalidInput => Exit::Usage,
            _ => Exit::Bad,
        };
        let failure = Self::new(exit, words(&error));
        let is_no_session = matches!(
            error.kind(),
            ErrorKind::Unreadable | ErrorKind::NoSessionMeta
        );
        let mistake = error
            .path()
            .filter(|_| is_no_session)
            .and_then(mistake::guess);
        match mistake.or_else(|| error.hint()) {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

/// An error and its causes on one line, in the words that people know for what happens most.
fn words(error: &annals_rollout::Error) -> String {
    let is_of_system = error.io_kind().is_some();
    match (error.kind(), error.path()) {
        (ErrorKind::NotFound, Some(path)) if is_of_system => {
            format!("no such file: {}", path.display())
        }
        (ErrorKind::AlreadyExists, Some(path)) if is_of_system => {
            format!("there is a file already: {}", path.display())
        }
        _ => {
            let mut message = error.to_string();
            let mut cause = std::error::Error::source(error);
            while let Some(error) = cause {
                message.push_str(": ");
                message.push_str(&error.to_string());
                cause = error.source();
            }
            message
        }
    }
}

impl From<PromptInputError> for Failure {
    fn from(error: PromptInputError) -> Self {
        match error {
            PromptInputError::Rollout(error) => error.into(),
            PromptInputError::NoSuchTurn { .. } => Self::new(Exit::Usage, error.to_string()),
            _ => Self::new(Exit::Bad, error.to_string()),
        }
    }
}

impl From<annals_inspect::Error> for Failure {
    fn from(error: annals_inspect::Error) -> Self {
        match error {
            annals_inspect::Error::Rollout(error) => error.into(),
            annals_inspect::Error::NoSuchTurn { .. } => Self::new(Exit::Usage, error.to_string()),
            _ => Self::new(Exit::Bad, error.to_string()),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        let is_closed_pipe = out::is_closed_pipe(&error);
        Self {
            is_closed_pipe,
            ..Self::new(Exit::Bad, format!("writing the result: {error}"))
        }
    }
}
