//! Physical lines of a file: which one a byte stands in, and whether there is one of a number.

use annals_rollout::{ErrorKind, LineReader, Lineage, Source, SourceBytes};

use crate::error::Error;
use crate::prompt_input::ReadUpTo;

/// A place in a file that has too few of something, in words.
pub(crate) fn no_such(what: &str, asked: u64, has: &str, count: u64) -> String {
    match count {
        0 => format!("there is no {what} {asked}, {has} none"),
        1 => format!("there is no {what} {asked}, {has} 1"),
        _ => format!("there is no {what} {asked}, {has} {count}: give 1 to {count}"),
    }
}

/// Refuses a bound on lines that the session's own file does not have.
///
/// **Cost**: a search for line ends up to that line; nothing for other bounds.
pub(crate) fn check_line(lineage: &Lineage, up_to: ReadUpTo) -> Result<(), Error> {
    let ReadUpTo::Line(asked) = up_to else {
        return Ok(());
    };
    let Some(own) = lineage.segments().last() else {
        return Ok(());
    };
    let source = own.source()?;
    let mut lines = source.lines();
    let mut n_lines = 0;
    while asked == 0 || n_lines < asked {
        match next_line(&mut lines, source)? {
            Some((number, _)) => n_lines = number,
            None => return Err(Error::NoSuchLine { asked, n_lines }),
        }
    }
    Ok(())
}

/// The one-based lines in which these bytes stand; the offsets must ascend.
///
/// **Cost**: a search for line ends up to the last of them.
pub(crate) fn lines_of(source: &Source, offsets: &[u64]) -> Result<Vec<u64>, Error> {
    let mut lines = source.lines();
    let mut found = Vec::with_capacity(offsets.len());
    let mut offsets = offsets.iter().peekable();
    while offsets.peek().is_some() {
        let Some((number, end)) = next_line(&mut lines, source)? else {
            break;
        };
        while offsets.next_if(|offset| **offset < end).is_some() {
            found.push(number);
        }
    }
    Ok(found)
}

/// The number of the next line, and where the one behind it starts.
fn next_line(
    lines: &mut LineReader<SourceBytes>,
    source: &Source,
) -> Result<Option<(u64, u64)>, Error> {
    match lines.next_line() {
        Ok(line) => Ok(line.map(|line| (line.number, line.offset + line.len_bytes))),
        Err(error) => {
            let what = format!("cannot read {}: {error}", source.path().display());
            Err(annals_rollout::Error::other(ErrorKind::Io, &what).into())
        }
    }
}

#[cfg(test)]
#[path = "places_tests.rs"]
mod tests;
