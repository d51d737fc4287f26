//! What commands that make, move or delete files say they did: a line a file, or one JSON object.

use std::io::Write as _;
use std::path::Path;

use serde::Serialize;

use crate::failure::{Failure, Listener};
use crate::out;

/// What was done with files, as JSON: `annals.changed/1`.
#[derive(Serialize)]
struct ChangedFiles {
    schema: &'static str,
    /// The command: `fork`, `rollback`, `compress`, `archive`, `delete`.
    command: &'static str,
    /// Whether it was only said what would be done.
    dry_run: bool,
    /// The files with which it was done; what went wrong with others stands on standard error.
    files: Vec<ChangedFile>,
}

/// One file with which something was done.
#[derive(Serialize)]
struct ChangedFile {
    /// The file as it was found.
    from: String,
    /// Where the session goes on, or the file lies now; none for one that was deleted.
    path: Option<String>,
}

/// What is done with files, told to whoever asked.
pub(super) struct Changed {
    told: ChangedFiles,
    listener: Listener,
}

impl Changed {
    pub(super) fn new(command: &'static str, json: bool) -> Self {
        Self {
            told: ChangedFiles {
                schema: "annals.changed/1",
                command,
                dry_run: false,
                files: Vec::new(),
            },
            listener: Listener::of(json),
        }
    }

    /// For a run that changes nothing.
    pub(super) fn dry(mut self, dry_run: bool) -> Self {
        self.told.dry_run = dry_run;
        self
    }

    /// Who is told of a failure.
    pub(super) const fn listener(&self) -> Listener {
        self.listener
    }

    /// Says what was done with a file; a person is told at once.
    pub(super) fn add(&mut self, from: &Path, path: Option<&Path>) -> Result<(), Failure> {
        let shown = |path: &Path| path.display().to_string();
        if self.listener == Listener::Person {
            let mut out = out::results();
            match path {
                Some(path) => writeln!(out, "{}", path.display())?,
                None if self.told.dry_run => writeln!(out, "would delete {}", from.display())?,
                None => writeln!(out, "deleted {}", from.display())?,
            }
            out.flush()?;
        }
        self.told.files.push(ChangedFile {
            from: shown(from),
            path: path.map(shown),
        });
        Ok(())
    }

    /// Says it all to a program.
    pub(super) fn finish(&self) -> Result<(), Failure> {
        match self.listener {
            Listener::Person => Ok(()),
            Listener::Program => out::json(&self.told),
        }
    }
}
