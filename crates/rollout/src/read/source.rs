//! Opens what a rollout can be read from: plain files, compressed files, standard input, pipes, memory.
//! All of them give random access afterwards; what the bytes mean is left to the readers.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use crate::error::{Error, ErrorKind};
use crate::read::backward::BackwardReader;
use crate::read::lines::LineReader;
use crate::read::records::{ReadOptions, RecordReader};
use crate::read::spool::{Spool, spool};
use crate::read::typed::RolloutReader;

/// The first bytes of a zstd frame.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// What a [`Source`] was opened from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourceKind {
    /// A plain file, read in place.
    Plain,
    /// A zstd file, decompressed into a private temporary file.
    Compressed,
    /// Standard input, a pipe or a device, copied into a private temporary file.
    Stream,
    /// Bytes in memory.
    Memory,
}

/// A rollout opened for reading, from the start, from the end, or anywhere.
///
/// A clone is cheap and shares the open file; every reader made from it has a place of its own.
/// Reading never takes a lock, so a live writer does not hinder it.
///
/// **Bounds**: a plain file is read in place. Compressed files and streams are decompressed or
/// copied once into a file without a name in the directory for temporary files, readable by its
/// owner alone. Nothing of the content is held in memory.
///
/// # Example
///
/// ```
/// use annals_rollout::{Entry, Source};
///
/// let line = r#"{"timestamp":"2026-01-01T00:00:00.000Z","type":"event_msg","payload":{"type":"x"}}"#;
/// let source = Source::from_reader("standard input", format!("{line}\n").as_bytes())?;
/// let mut records = source.records();
/// let Some(Entry::Record(record)) = records.next()? else { panic!() };
/// assert_eq!(record.envelope.tag, "event_msg");
/// let mut again = Vec::new();
/// source.read_at(record.byte_offset, record.text.len(), &mut again)?;
/// assert_eq!(again, line.as_bytes());
/// # Ok::<(), annals_rollout::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Source {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    path: Arc<Path>,
    kind: SourceKind,
    data: Data,
    len_bytes: u64,
    /// Why a compressed file could not be read to its end.
    cut_by: Option<String>,
    /// What is held in memory of the end, by [`Source::hold_from`].
    tail: OnceLock<Tail>,
}

#[derive(Debug)]
struct Tail {
    start: u64,
    bytes: Vec<u8>,
}

#[derive(Debug)]
enum Data {
    File(File),
    Memory(Bytes),
}

impl Source {
    /// Opens a file, a compressed file or a pipe by its path.
    ///
    /// Whether a file is compressed is seen by its first bytes. Where `path` is not there but the
    /// same name with `.zst` is (or the other way round), that one is opened: a file may be
    /// compressed at any moment.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`], [`ErrorKind::IsDirectory`], [`ErrorKind::PermissionDenied`],
    /// [`ErrorKind::Empty`], or [`ErrorKind::Io`] with the system's error as source.
    pub fn open<P: AsRef<Path>>(path: P) -> Result<Self, Error> {
        let asked = path.as_ref();
        let (path, file, metadata) = open_file(asked)?;
        if !metadata.is_file() {
            return Self::spooled(&path, file);
        }
        if metadata.len() == 0 {
            return Err(Error::new(ErrorKind::Empty, "the file is empty").at(asked));
        }
        if starts_compressed(&file).map_err(|e| Error::io("read", &path, e))? {
            return Self::spooled(&path, file);
        }
        let len_bytes = metadata.len();
        Ok(Self::new(
            &path,
            SourceKind::Plain,
            Data::File(file),
            len_bytes,
        ))
    }

    /// Copies standard input to its end.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Empty`] if nothing came, [`ErrorKind::Io`] if it can't be read or copied.
    pub fn stdin() -> Result<Self, Error> {
        Self::spooled(Path::new("<stdin>"), io::stdin().lock())
    }

    /// Copies a stream to its end; `name` stands for it in faults and errors.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Empty`] if nothing came, [`ErrorKind::Io`] if it can't be read or copied.
    pub fn from_reader<P: AsRef<Path>, R: Read>(name: P, stream: R) -> Result<Self, Error> {
        Self::spooled(name.as_ref(), stream)
    }

    /// Reads bytes that are in memory already; `name` stands for them in faults and errors.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Empty`] if there is not one byte.
    pub fn from_bytes<P: AsRef<Path>, B: Into<Bytes>>(name: P, bytes: B) -> Result<Self, Error> {
        let bytes = bytes.into();
        if bytes.is_empty() {
            return Err(Error::new(ErrorKind::Empty, "there is nothing to read").at(name.as_ref()));
        }
        let len_bytes = bytes.len() as u64;
        Ok(Self::new(
            name.as_ref(),
            SourceKind::Memory,
            Data::Memory(bytes),
            len_bytes,
        ))
    }

    fn new(path: &Path, kind: SourceKind, data: Data, len_bytes: u64) -> Self {
        Self {
            inner: Arc::new(Inner {
                path: path.into(),
                kind,
                data,
                len_bytes,
                cut_by: None,
                tail: OnceLock::new(),
            }),
        }
    }

    fn spooled<R: Read>(path: &Path, mut stream: R) -> Result<Self, Error> {
        let fail = |error| Error::io("copy to a temporary file", path, error);
        let mut head = Vec::with_capacity(ZSTD_MAGIC.len());
        stream
            .by_ref()
            .take(4)
            .read_to_end(&mut head)
            .map_err(|e| Error::io("read", path, e))?;
        let compressed = head == ZSTD_MAGIC;
        let whole = io::Cursor::new(head).chain(stream);
        let Spool {
            file,
            len_bytes,
            cut_by,
        } = if compressed {
            spool(zstd::Decoder::new(whole).map_err(fail)?).map_err(fail)?
        } else {
            let copied = spool(whole).map_err(fail)?;
            if let Some(error) = copied.cut_by {
                return Err(Error::io("read", path, error));
            }
            copied
        };
        if len_bytes == 0 {
            return Err(match cut_by {
                Some(error) => Error::io("decompress", path, error),
                None => Error::new(ErrorKind::Empty, "there is nothing to read").at(path),
            });
        }
        let kind = if compressed {
            SourceKind::Compressed
        } else {
            SourceKind::Stream
        };
        let cut_by = cut_by.map(|error| error.to_string());
        let data = Data::File(file);
        Ok(Self {
            inner: Arc::new(Inner {
                path: path.into(),
                kind,
                data,
                len_bytes,
                cut_by,
                tail: OnceLock::new(),
            }),
        })
    }

    /// The path or name under which it was opened.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    pub(crate) fn shared_path(&self) -> &Arc<Path> {
        &self.inner.path
    }

    /// What it was opened from.
    pub fn kind(&self) -> SourceKind {
        self.inner.kind
    }

    /// The length in bytes when it was opened, decompressed. A live file may have grown since.
    pub fn len_bytes(&self) -> u64 {
        self.inner.len_bytes
    }

    pub(crate) fn cut_by(&self) -> Option<&str> {
        self.inner.cut_by.as_deref()
    }

    /// Reads exactly `len_bytes` bytes at `offset` into `buffer`, which is cleared first.
    ///
    /// **Cost**: one or two system calls and one copy; `buffer` keeps its room.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] if there are fewer bytes (the file was truncated), or it can't be read.
    pub fn read_at(
        &self,
        offset: u64,
        len_bytes: usize,
        buffer: &mut Vec<u8>,
    ) -> Result<(), Error> {
        // A length taken from a damaged file must not reserve what the file does not have.
        if len_bytes as u64 > self.end_bytes().saturating_sub(offset) {
            buffer.clear();
            let short = io::Error::from(io::ErrorKind::UnexpectedEof);
            return Err(Error::io("read", self.path(), short));
        }
        // What it held is overwritten; clearing it first would cost as much as the reading.
        buffer.resize(len_bytes, 0);
        let mut filled = 0;
        while filled < len_bytes {
            let room = buffer.get_mut(filled..).unwrap_or_default();
            match self.read_some_at(offset + filled as u64, room) {
                Ok(0) => {
                    let short = io::Error::from(io::ErrorKind::UnexpectedEof);
                    return Err(Error::io("read", self.path(), short));
                }
                Ok(n_bytes) => filled += n_bytes,
                Err(error) => return Err(Error::io("read", self.path(), error)),
            }
        }
        Ok(())
    }

    /// Holds what stands from `start` to the end in memory, for one who reads it more than once.
    ///
    /// Does nothing the second time. What a live file gets afterwards is read from the file.
    ///
    /// # Errors
    ///
    /// As [`read_at`](Self::read_at).
    pub fn hold_from(&self, start: u64) -> Result<(), Error> {
        if self.inner.tail.get().is_none() {
            let len_bytes = self.len_bytes().saturating_sub(start);
            let mut bytes = Vec::new();
            self.read_at(
                start,
                usize::try_from(len_bytes).unwrap_or(usize::MAX),
                &mut bytes,
            )?;
            let _other_was_first = self.inner.tail.set(Tail { start, bytes });
        }
        Ok(())
    }

    /// Reads from the held tail, where the place is in it.
    fn read_held_at(&self, offset: u64, room: &mut [u8]) -> Option<usize> {
        let tail = self.inner.tail.get()?;
        let start = usize::try_from(offset.checked_sub(tail.start)?).ok()?;
        let mut rest = tail.bytes.get(start..).filter(|rest| !rest.is_empty())?;
        rest.read(room).ok()
    }

    /// The end of the content now: a live plain file may have grown since it was opened.
    pub(crate) fn end_bytes(&self) -> u64 {
        match (&self.inner.data, self.inner.kind) {
            (Data::File(file), SourceKind::Plain) => file
                .metadata()
                .map_or(self.inner.len_bytes, |metadata| metadata.len()),
            _ => self.inner.len_bytes,
        }
    }

    fn read_some_at(&self, offset: u64, room: &mut [u8]) -> io::Result<usize> {
        if let Some(n_bytes) = self.read_held_at(offset, room) {
            return Ok(n_bytes);
        }
        match &self.inner.data {
            Data::File(file) => loop {
                match file_read_at(file, offset, room) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    other => return other,
                }
            },
            Data::Memory(bytes) => {
                let start = usize::try_from(offset)
                    .unwrap_or(usize::MAX)
                    .min(bytes.len());
                let mut rest = bytes.get(start..).unwrap_or_default();
                rest.read(room)
            }
        }
    }

    /// Its bytes from `start` up to `end`, as a stream with a place of its own.
    pub(crate) fn bytes_between(&self, start: u64, end: u64) -> SourceBytes {
        SourceBytes {
            source: self.clone(),
            at: start,
            end,
        }
    }

    /// Its bytes from the start, as a stream with a place of its own.
    pub fn bytes(&self) -> SourceBytes {
        self.bytes_between(0, u64::MAX)
    }

    /// Its physical lines.
    pub fn lines(&self) -> LineReader<SourceBytes> {
        LineReader::new(self.bytes())
    }

    /// Its records, every one checked to be JSON, payloads left undecoded.
    pub fn records(&self) -> RecordReader {
        RecordReader::new(self, ReadOptions::default())
    }

    /// Its records, checked only for their outer structure: the fastest way to see what is there.
    ///
    /// What is used of a record afterwards must go through [`Record::check`](crate::Record::check)
    /// or a typed decode. UTF-8, torn and glued records are seen all the same.
    pub fn scan(&self) -> RecordReader {
        RecordReader::new(self, ReadOptions::structure_only())
    }

    /// Its records from the last to the first, every one checked to be JSON.
    pub fn backward(&self) -> BackwardReader {
        BackwardReader::new(self, ReadOptions::default())
    }

    /// Its records as typed lines.
    pub fn typed(&self) -> RolloutReader {
        RolloutReader::new(self, ReadOptions::default())
    }
}

/// The bytes of a [`Source`] as a stream.
#[derive(Debug)]
pub struct SourceBytes {
    source: Source,
    at: u64,
    end: u64,
}

impl Read for SourceBytes {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let room_len = room.len().min(left);
        let room = room.get_mut(..room_len).unwrap_or_default();
        let n_bytes = self.source.read_some_at(self.at, room)?;
        self.at += n_bytes as u64;
        Ok(n_bytes)
    }
}

/// A rollout as a forward stream of decompressed bytes, without a temporary file.
///
/// For readers that go through a file once and may stop early (listing, search).
///
/// # Errors
///
/// As [`Source::open`].
pub fn open_stream<P: AsRef<Path>>(path: P) -> Result<Box<dyn Read + Send>, Error> {
    let (path, mut file, metadata) = open_file(path.as_ref())?;
    if metadata.is_file() && metadata.len() == 0 {
        return Err(Error::new(ErrorKind::Empty, "the file is empty").at(&path));
    }
    let fail = |error| Error::io("read", &path, error);
    let mut head = Vec::with_capacity(ZSTD_MAGIC.len());
    file.by_ref().take(4).read_to_end(&mut head).map_err(fail)?;
    let compressed = head == ZSTD_MAGIC;
    let whole = io::Cursor::new(head).chain(file);
    if compressed {
        return Ok(Box::new(zstd::Decoder::new(whole).map_err(fail)?));
    }
    Ok(Box::new(whole))
}

/// The same name with `.zst` added, or taken away where it stands.
pub(crate) fn other_representation(path: &Path) -> PathBuf {
    match path.extension() {
        Some(extension) if extension == "zst" => path.with_extension(""),
        _ => {
            let mut name = path.as_os_str().to_os_string();
            name.push(".zst");
            PathBuf::from(name)
        }
    }
}

fn open_file(asked: &Path) -> Result<(PathBuf, File, Metadata), Error> {
    let other = other_representation(asked);
    // A swap of the two representations may fall between two tries; the third sees its result.
    for path in [asked, &other, asked] {
        match File::open(path) {
            Ok(file) => {
                let metadata = file.metadata().map_err(|e| Error::io("open", path, e))?;
                if metadata.is_dir() {
                    return Err(Error::new(ErrorKind::IsDirectory, "this is a directory").at(path));
                }
                return Ok((path.to_path_buf(), file, metadata));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                if path.is_dir() {
                    return Err(Error::new(ErrorKind::IsDirectory, "this is a directory").at(path));
                }
                return Err(Error::io("open", path, error));
            }
        }
    }
    Err(Error::io("open", asked, io::ErrorKind::NotFound.into()))
}

fn starts_compressed(file: &File) -> io::Result<bool> {
    let mut head = [0; ZSTD_MAGIC.len()];
    let n_bytes = file_read_at(file, 0, &mut head)?;
    Ok(n_bytes == head.len() && head == ZSTD_MAGIC)
}

#[cfg(unix)]
pub(crate) fn file_read_at(file: &File, offset: u64, room: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, room, offset)
}

#[cfg(windows)]
pub(crate) fn file_read_at(file: &File, offset: u64, room: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, room, offset)
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;
