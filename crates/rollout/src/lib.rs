//! Durable JSONL persistence for LLM agent threads.
//!
//! A thread lives in a *rollout*: a text file with one JSON record a line, the format of Codex. This
//! crate reads such files whatever happened to them, and writes them so that nothing that was
//! acknowledged is lost.
//!
//! - [`Source`] opens a file, a compressed file, standard input or a pipe.
//! - [`Source::records`] reads it forward: records, and a [`Fault`] for everything damaged.
//! - [`Source::typed`] reads the same decoded into their types, and [`Source::backward`] from the end.
//! - [`Lineage`] puts the parents before a session that was forked or reverted.
//! - [`RolloutWriter`] appends, [`RolloutRecorder`] does so from async code, as safely as a
//!   [`Durability`] says.
//! - [`list()`], [`search()`] and [`lookup()`] find sessions in a [`Home`]; [`archive()`], [`compress()`],
//!   [`repair()`], [`fork_by_reference`] and their like change whole files.
//! - [`store`] is the port through which a thread keeps its records, here or elsewhere.
//!
//! What the records mean together, rollbacks and compactions heeded, the crate `annals-replay` says.
//!
//! # Example
//!
//! ```
//! use annals_rollout::{
//!     Durability, Home, NewRecord, RawJson, RecordKind, RolloutItem, RolloutName, RolloutWriter,
//!     Source, Timestamp, TypedEntry, WriterOptions,
//! };
//!
//! # let dir = std::env::temp_dir().join(format!("annals-doc-rollout-{}", std::process::id()));
//! let id = "01a22f4d-919e-7c60-8290-89a0ff8f876a".parse()?;
//! let path = Home::new(&dir).active_path(&RolloutName::new(Timestamp::now(), id));
//! let head = r#"{"id":"01a22f4d-919e-7c60-8290-89a0ff8f876a","timestamp":"2026-12-01T01:52:46.000Z"}"#;
//! let item = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}"#;
//!
//! let head = NewRecord::new(RecordKind::SessionMeta, RawJson::parse(head)?)?;
//! let writer = RolloutWriter::create(&path, head, WriterOptions::default())?;
//! let record = NewRecord::new(RecordKind::ResponseItem, RawJson::parse(item)?)?;
//! writer.append(&[record], Durability::Durable)?;
//! writer.close()?;
//!
//! let mut read = Vec::new();
//! for entry in Source::open(&path)?.typed() {
//!     match entry? {
//!         TypedEntry::Line(line) => {
//!             if let RolloutItem::ResponseItem(item) = line.record.item() {
//!                 read.push(item.raw().as_str().to_owned());
//!             }
//!         }
//!         TypedEntry::Fault(fault) => panic!("{fault}"),
//!     }
//! }
//! assert_eq!(read, [item]); // byte for byte
//! # std::fs::remove_dir_all(&dir)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compress;
mod error;
mod files;
mod layout;
mod lock;
mod read;
mod sessions;
pub mod store;
mod time;
mod write;

pub use compress::{compress, decompress};
pub use error::{Error, ErrorKind};
pub use layout::{Home, RolloutName};
pub use lock::{Holder, WriterLock, writer_of};
pub use read::backward::{BackwardReader, LineageBackward};
pub use read::fault::{Fault, FaultKind};
pub use read::head::{HistoryBase, SessionHead};
pub use read::lineage::{Lineage, LineageReader, MAX_LINEAGE_SEGMENTS, ParentSearch, Segment};
pub use read::lines::{DEFAULT_LINE_LIMIT_BYTES, Line, LineEnd, LineReader};
pub use read::records::{Check, Counts, Entry, ReadOptions, Record, RecordReader};
pub use read::source::{Source, SourceBytes, SourceKind, open_stream};
pub use read::typed::{RolloutReader, TypedEntry, TypedLine};
pub use sessions::archive::{archive, delete, unarchive};
pub use sessions::cut::CutPoint;
pub use sessions::folder::same_folder;
pub use sessions::fork::{fork_by_copy, fork_by_reference, revert};
pub use sessions::list::{Cursor, ListOptions, ListOrder, Page, SessionSummary, list};
pub use sessions::lookup::{files_of_thread, lookup};
pub use sessions::repair::{RepairReport, repair};
pub use sessions::search::{Hit, Search, search};
pub use sessions::stats::{KindStats, RolloutStats};
pub use sessions::walk::Scope;
pub use time::Timestamp;
pub use write::disk::{AppendFile, FileLook, FileSystem, StdFileSystem};
pub use write::durability::Durability;
pub use write::record::NewRecord;
pub use write::recorder::{RolloutRecorder, WriteOn};
pub use write::writer::{Appended, RolloutWriter, WriterOptions};

// What the signatures here name, so that a program needs no second crate to call them.
#[doc(no_inline)]
pub use annals_protocol::{
    DecodeError, Envelope, RawJson, RecordKind, ResponseItem, RolloutItem, RolloutLine,
};
#[doc(no_inline)]
pub use uuid::Uuid;
