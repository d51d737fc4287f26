//! Why a command could not do its work: words on standard error, or one JSON object, and an exit code.

use std::path::Path;
use std::process::ExitCode;

use annals_inspect::PromptInputError;
use annals_rollout::ErrorKind;
use serde::Serialize;

use crate::exit::Exit;
use crate::render::one_line;
use crate::{mistake, out};

/// Who is told of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listener {
    /// Somebody who reads words.
    Person,
    /// Something that asked for JSON.
    Program,
}

impl Listener {
    /// Who asked, given whether `--json` was.
    pub(crate) const fn of(json: bool) -> Self {
        if json { Self::Program } else { Self::Person }
    }
}

/// Why a command could not do its work, as a line of JSON on standard error: `annals.error/1`.
///
/// Standard output holds whole results only, then: nothing, or those before the failure.
#[derive(Serialize)]
struct ErrorLine<'a> {
    schema: &'static str,
    /// What kind of failure: `usage` for a wrong call, `bad_data`, `not_there`, `no_such_turn`, `no_such_line`, `nothing_readable`, or what the session's files gave, as `not_found`, `is_directory`, `empty`, `permission_denied`, `no_session_meta`, `unreadable`, `ambiguous`, `already_exists`, `already_open`, `io`.
    kind: &'a str,
    /// The same in words, on one line.
    message: &'a str,
    /// What to do about it.
    hint: Option<&'a str>,
    /// The file or folder that it is about.
    path: Option<&'a str>,
    /// The code that the program exits with if nothing worse follows.
    exit_code: u32,
}

/// A command that could not do its work.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    kind: &'static str,
    message: String,
    hint: Option<String>,
    path: Option<String>,
    is_closed_pipe: bool,
}

impl Failure {
    /// A failure with words of its own.
    pub(crate) fn new<M: Into<String>>(exit: Exit, message: M) -> Self {
        Self {
            exit,
            kind: match exit {
                Exit::Usage => "usage",
                Exit::NotThere => "not_there",
                Exit::Done | Exit::Bad => "bad_data",
            },
            message: message.into(),
            hint: None,
            path: None,
            is_closed_pipe: false,
        }
    }

    /// Names the kind more closely than the exit code does.
    fn kind(mut self, kind: &'static str) -> Self {
        self.kind = kind;
        self
    }

    fn path(mut self, path: Option<&Path>) -> Self {
        self.path = path.map(|path| path.display().to_string());
        self
    }

    /// Says what to do about it.
    pub(crate) fn hint<H: Into<String>>(mut self, hint: H) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Prints the failure and gives the exit code.
    pub(crate) fn report(self, listener: Listener) -> ExitCode {
        self.print(listener).into()
    }

    /// Prints the failure, and says how a command ends that goes on after it.
    ///
    /// What is not there is told in one line, with its hint; else the hint has a line of its own.
    /// That nobody reads any more is no failure.
    pub(crate) fn print(self, listener: Listener) -> Exit {
        if self.is_closed_pipe {
            return Exit::Done;
        }
        // The names of files are in it, which may hold anything.
        let message = one_line(&self.message);
        if listener == Listener::Program {
            out::note_json(&ErrorLine {
                schema: "annals.error/1",
                kind: self.kind,
                message: &message,
                hint: self.hint.as_deref(),
                path: self.path.as_deref(),
                exit_code: self.exit as u32,
            });
            return self.exit;
        }
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
        let failure = Self::new(exit, words(&error))
            .kind(error.kind().as_str())
            .path(error.path());
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
        let message = error.to_string();
        match error {
            PromptInputError::Rollout(error) => error.into(),
            PromptInputError::NoSuchTurn { .. } => {
                Self::new(Exit::Usage, message).kind("no_such_turn")
            }
            PromptInputError::NoSuchLine { .. } => {
                Self::new(Exit::Usage, message).kind("no_such_line")
            }
            PromptInputError::NothingReadable { path, .. } => Self::new(Exit::Bad, message)
                .kind("nothing_readable")
                .path(Some(&path)),
            PromptInputError::Write(error) => error.into(),
            _ => Self::new(Exit::Bad, message),
        }
    }
}

impl From<annals_inspect::Error> for Failure {
    fn from(error: annals_inspect::Error) -> Self {
        let message = error.to_string();
        match error {
            annals_inspect::Error::Rollout(error) => error.into(),
            annals_inspect::Error::NoSuchTurn { .. } => {
                Self::new(Exit::Usage, message).kind("no_such_turn")
            }
            annals_inspect::Error::NoSuchLine { .. } => {
                Self::new(Exit::Usage, message).kind("no_such_line")
            }
            _ => Self::new(Exit::Bad, message),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        let is_closed_pipe = out::is_closed_pipe(&error);
        Self {
            is_closed_pipe,
            ..Self::new(Exit::Bad, format!("writing the result: {error}")).kind("io")
        }
    }
}
