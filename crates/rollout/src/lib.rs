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
pub use time::Timestamp;
pub use write::disk::{AppendFile, FileLook, FileSystem, StdFileSystem};
pub use write::durability::Durability;
pub use write::record::NewRecord;
pub use write::recorder::{RolloutRecorder, WriteOn};
pub use write::writer::{Appended, RolloutWriter, WriterOptions};
