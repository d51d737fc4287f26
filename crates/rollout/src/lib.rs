//! Durable JSONL persistence for LLM agent threads.
//!
//! A thread lives in a *rollout*: a text file with one JSON record a line, the format of Codex. This
//! crate reads such files whatever happened to them, and writes them so that nothing that was
//! acknowledged is lost.
//!
//! - [`Source`] opens a file, a compressed file, standard input or a pipe.
//! - [`Source::records`] reads it forward: records, and a [`Fault`] for everything damaged.
//! - [`Lineage`] puts the parents before a session that was forked or reverted.

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
pub use sessions::lookup::lookup;
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
