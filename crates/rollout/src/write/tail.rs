//! What a writer has to know of a file before it goes on with it.

use std::path::Path;

use crate::error::Error;
use crate::read::head::SessionHead;
use crate::read::records::Entry;
use crate::read::source::Source;

/// Where an existing rollout stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tail {
    pub(crate) head: SessionHead,
    pub(crate) len_bytes: u64,
    /// The last line has no line end, so the next record must start a fresh one.
    pub(crate) unfinished: bool,
    /// The next ordinal, in a paginated thread.
    pub(crate) next_ordinal: Option<u64>,
}

impl Tail {
    /// Reads the head, the last byte, and as many records from the end as it takes to find an ordinal.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let source = Source::open(path)?;
        let head = SessionHead::read(&source)?;
        let len_bytes = source.end_bytes();
        let mut last = Vec::new();
        source.read_at(len_bytes.saturating_sub(1), 1, &mut last)?;
        let next_ordinal = if head.paginated {
            Some(next_ordinal(&source, &head)?)
        } else {
            None
        };
        Ok(Self {
            head,
            len_bytes,
            unfinished: last != b"\n",
            next_ordinal,
        })
    }
}

/// One more than the last record's ordinal; a record without one counts one up from those before it.
fn next_ordinal(source: &Source, head: &SessionHead) -> Result<u64, Error> {
    let mut backward = source.backward();
    let mut unnumbered = 0_u64;
    while let Some(entry) = backward.next()? {
        let Entry::Record(record) = entry else {
            continue;
        };
        match record.envelope.ordinal {
            Some(ordinal) => return Ok(ordinal.saturating_add(1).saturating_add(unnumbered)),
            None => unnumbered += 1,
        }
    }
    let base = head
        .history_base
        .as_ref()
        .map_or(0, |base| base.end_ordinal_exclusive);
    Ok(base.saturating_add(unnumbered))
}
