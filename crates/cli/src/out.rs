//! The two streams: results on standard output, everything else on standard error.

use std::io::{self, BufWriter, Stdout, StdoutLock, Write};

use anstream::AutoStream;
use serde::Serialize;

use crate::failure::Failure;
use crate::render::{harmless, one_line};

/// How many notes of one sort are printed before the rest is only counted.
const MAX_NOTES: usize = 20;

/// Standard output, buffered, for results of any size; written as it is.
pub(crate) fn results() -> BufWriter<Stdout> {
    BufWriter::with_capacity(1 << 16, io::stdout())
}

/// Standard output for people: colors are taken out where there is no terminal, and with `NO_COLOR`.
pub(crate) fn page() -> BufWriter<AutoStream<StdoutLock<'static>>> {
    BufWriter::with_capacity(1 << 16, AutoStream::auto(io::stdout().lock()))
}

/// Prints a value as one JSON document.
pub(crate) fn json<T: Serialize>(value: &T) -> Result<(), Failure> {
    let mut out = results();
    serde_json::to_writer_pretty(&mut out, value).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// Prints a value as one line of JSON.
pub(crate) fn json_line<W: Write, T: Serialize>(out: &mut W, value: &T) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    Ok(out.write_all(b"\n")?)
}

/// Whether writing failed only because nobody reads any more, which is no error.
pub(crate) fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Prints a note on standard error, without anything that moves a cursor.
pub(crate) fn note(text: &str) {
    // Standard error is the last resort; if it is gone there is nowhere to say so.
    let _gone = writeln!(io::stderr().lock(), "{}", harmless(text));
}

/// Prints a line of JSON on standard error.
pub(crate) fn note_json<T: Serialize>(value: &T) {
    // Only words and numbers go in, of which JSON takes all.
    if let Ok(line) = serde_json::to_string(value) {
        note(&line);
    }
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
            note(&one_line(&format!("warning: {text}")));
        }
    }

    /// The same for a damaged line, with the piece of it that is damaged.
    pub(crate) fn add_with<F>(&mut self, text: &str, window: F)
    where
        F: FnOnce() -> Option<String>,
    {
        self.add(text);
        if self.n_seen <= MAX_NOTES
            && let Some(window) = window()
        {
            note(&window);
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
