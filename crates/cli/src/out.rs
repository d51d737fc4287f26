//! The two streams: results on standard output, everything else on standard error.

use std::io::{self, BufWriter, Stdout, Write};

/// How many notes of one sort are printed before the rest is only counted.
const MAX_NOTES: usize = 20;

/// Standard output, buffered.
pub(crate) fn results() -> BufWriter<Stdout> {
    BufWriter::with_capacity(1 << 16, io::stdout())
}

/// Whether writing failed only because nobody reads any more, which is no error.
pub(crate) fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Prints a line on standard error.
pub(crate) fn note(text: &str) {
    // Standard error is the last resort; if it is gone there is nowhere to say so.
    let _gone = writeln!(io::stderr().lock(), "{text}");
}

/// Warnings of which the first few are printed as they come and the rest are counted.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    n_seen: usize,
}

impl Warnings {
    /// Prints or counts a warning.
    pub(crate) fn add(&mut self, text: &str) {
        self.n_seen += 1;
        if self.n_seen <= MAX_NOTES {
            note(&format!("warning: {text}"));
        }
    }

    /// Says how many were not printed.
    pub(crate) fn finish(&self, what: &str) {
        if let Some(more) = self.n_seen.checked_sub(MAX_NOTES).filter(|more| *more > 0) {
            note(&format!(
                "warning: {more} more {what}, {} in all",
                self.n_seen
            ));
        }
    }
}
