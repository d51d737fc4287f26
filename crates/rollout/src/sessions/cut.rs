//! Where to cut a thread: names a place as a person or a program would, finds it in the files.

use annals_protocol::{Envelope, RecordKind};
use serde::Deserialize;

use crate::error::{Error, ErrorKind};
use crate::read::lineage::Lineage;
use crate::read::records::Entry;

/// A place in a thread; what stands before it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CutPoint {
    /// The end: everything is kept.
    End,
    /// Before the record with this ordinal.
    Ordinal(u64),
    /// Before the first record of the turn with this id.
    BeforeTurn(String),
    /// Before the response item with this id.
    BeforeItem(String),
}

/// A cut as it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FoundCut {
    /// The first ordinal that is not kept; records without one count on from the one before.
    pub(crate) end_ordinal: u64,
    /// The file of the last record that is kept, and the offset in it behind that record.
    pub(crate) segment_idx: usize,
    pub(crate) end_byte_offset: u64,
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, default)]
    r#type: Option<&'a str>,
    #[serde(borrow, default)]
    turn_id: Option<&'a str>,
    #[serde(borrow, default)]
    id: Option<&'a str>,
}

impl CutPoint {
    /// Finds the place, reading the lineage up to it.
    pub(crate) fn find(&self, lineage: &Lineage) -> Result<FoundCut, Error> {
        let mut found = FoundCut {
            end_ordinal: 0,
            segment_idx: 0,
            end_byte_offset: 0,
        };
        let mut records = lineage.scan();
        while let Some((segment_idx, entry)) = records.next()? {
            let Entry::Record(record) = entry else {
                continue;
            };
            let ordinal = record.envelope.ordinal.unwrap_or(found.end_ordinal);
            if self.is_at(&record.envelope, ordinal) {
                return Ok(found);
            }
            // Lines end with one byte; a last line without it ends where the file does.
            let end = record.byte_offset + record.text.len() as u64 + 1;
            found = FoundCut {
                end_ordinal: ordinal.saturating_add(1),
                segment_idx,
                end_byte_offset: end,
            };
        }
        match self {
            Self::End => Ok(found),
            Self::Ordinal(ordinal) if *ordinal == found.end_ordinal => Ok(found),
            _ => Err(self.missing(lineage)),
        }
    }

    pub(crate) fn is_at(&self, record: &Envelope<'_>, ordinal: u64) -> bool {
        match self {
            Self::End => false,
            Self::Ordinal(wanted) => ordinal >= *wanted,
            Self::BeforeTurn(turn) => {
                let kind = record.kind;
                let may_start = kind == RecordKind::EventMsg || kind == RecordKind::TurnContext;
                may_start
                    && memchr::memmem::find(record.payload.as_bytes(), turn.as_bytes()).is_some()
                    && serde_json::from_str(record.payload).is_ok_and(|event: Event<'_>| {
                        let starts =
                            matches!(event.r#type, None | Some("task_started" | "turn_started"));
                        starts && event.turn_id == Some(turn)
                    })
            }
            Self::BeforeItem(item) => {
                record.kind == RecordKind::ResponseItem
                    && serde_json::from_str(record.payload)
                        .is_ok_and(|found: Event<'_>| found.id == Some(item))
            }
        }
    }

    fn missing(&self, lineage: &Lineage) -> Error {
        let what = match self {
            Self::End => "nothing can be kept".to_owned(),
            Self::Ordinal(ordinal) => format!("the thread has no ordinal {ordinal}"),
            Self::BeforeTurn(turn) => format!("the thread has no turn {turn:?}"),
            Self::BeforeItem(item) => format!("the thread has no item {item:?}"),
        };
        let error = Error::new(ErrorKind::NotFound, what);
        match lineage.segments().last() {
            Some(segment) => error.at(segment.path()),
            None => error,
        }
    }
}
