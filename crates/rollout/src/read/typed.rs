//! Records decoded into their types, as an ordinary iterator.

use std::path::Path;

use annals_protocol::RolloutLine;

use crate::error::Error;
use crate::read::fault::Fault;
use crate::read::records::{Check, Counts, Entry, ReadOptions, RecordReader};
use crate::read::source::Source;

/// A typed line and where it stands.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TypedLine {
    /// The one-based physical line.
    pub line: u64,
    /// Offset of its first byte in the (decompressed) file.
    pub byte_offset: u64,
    /// The record.
    pub record: RolloutLine,
}

/// What a [`RolloutReader`] yields: a typed line, or something wrong.
#[derive(Debug, Clone)]
pub enum TypedEntry {
    /// A record.
    Line(Box<TypedLine>),
    /// A fault; the reader goes on behind it.
    Fault(Fault),
}

/// A forward reader of typed lines. Made by [`Source::typed`].
///
/// **Bounds**: holds one line at a time; what it yields is the caller's.
///
/// # Example
///
/// ```
/// use annals_protocol::RolloutItem;
/// use annals_rollout::{Source, TypedEntry};
///
/// let text = "{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"type\":\"world_state\",\"payload\":{\"full\":true,\"state\":{}}}\n";
/// for entry in Source::from_bytes("memory", text)?.typed() {
///     let TypedEntry::Line(line) = entry? else { panic!() };
///     assert!(matches!(line.record.item(), RolloutItem::WorldState(_)));
/// }
/// # Ok::<(), annals_rollout::Error>(())
/// ```
#[derive(Debug)]
pub struct RolloutReader {
    records: RecordReader,
}

impl RolloutReader {
    /// Reads a source from its start.
    pub fn new(source: &Source, options: ReadOptions) -> Self {
        // The typed decode checks the whole text, so the reader need not.
        let options = ReadOptions {
            check: Check::Structure,
            ..options
        };
        Self {
            records: RecordReader::new(source, options),
        }
    }

    /// The file, as it was named when it was opened.
    pub fn path(&self) -> &Path {
        self.records.path()
    }

    /// What was seen so far; a record whose decode failed counts as a record here.
    pub fn counts(&self) -> Counts {
        self.records.counts()
    }
}

impl Iterator for RolloutReader {
    type Item = Result<TypedEntry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let path = self.records.shared_path();
        match self.records.next() {
            Err(error) => Some(Err(error)),
            Ok(None) => None,
            Ok(Some(Entry::Fault(fault))) => Some(Ok(TypedEntry::Fault(fault))),
            Ok(Some(Entry::Record(record))) => Some(Ok(match record.decode(&path) {
                Ok(line) => TypedEntry::Line(Box::new(TypedLine {
                    line: record.line,
                    byte_offset: record.byte_offset,
                    record: line,
                })),
                Err(fault) => TypedEntry::Fault(fault),
            })),
        }
    }
}
