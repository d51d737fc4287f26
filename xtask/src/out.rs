//! The one place that writes to the terminal.

use std::io::{self, Write};

/// One line, or several, on standard output.
pub(crate) fn line(text: &str) {
    // A reader that has closed the pipe has seen enough: no failure of the task.
    drop(writeln!(io::stdout().lock(), "{text}"));
}

/// Why a task failed, on standard error.
pub(crate) fn error(text: &str) {
    drop(writeln!(io::stderr().lock(), "error: {text}"));
}
