//! A session together with the parents that its `history_base` refers to, oldest first.
//! Finding and cutting them is done here; what their records mean is not.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use uuid::Uuid;

use crate::error::{Error, ErrorKind};
use crate::layout::{Home, RolloutName, find_in_folder, require_id};
use crate::read::backward::LineageBackward;
use crate::read::head::{HistoryBase, SessionHead};
use crate::read::records::{Entry, Found, ReadOptions, RecordReader};
use crate::read::recover::Piece;
use crate::read::source::Source;

/// How many files one lineage may have.
pub const MAX_LINEAGE_SEGMENTS: usize = 512;

/// How many records beyond the cut are looked at for one that stands out of order.
const DISORDER_RECORDS: u64 = 1024;

/// Where parents are looked for, besides the file's own folder and its own home.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ParentSearch {
    /// Homes whose sessions and archive are searched, in order.
    pub homes: Vec<Home>,
}

impl ParentSearch {
    /// Searches one home beside the file's own.
    pub fn in_home(home: Home) -> Self {
        Self { homes: vec![home] }
    }

    fn find(&self, child: &Path, id: Uuid) -> Result<Option<PathBuf>, Error> {
        if let Some(folder) = child.parent() {
            let folder = if folder.as_os_str().is_empty() {
                Path::new(".")
            } else {
                folder
            };
            if let Some(found) = find_in_folder(folder, id)? {
                return Ok(Some(found));
            }
        }
        for home in Home::of_rollout(child).iter().chain(&self.homes) {
            if let Some(found) = home.find_rollout(id)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

/// One file of a lineage.
#[derive(Debug)]
pub struct Segment {
    path: PathBuf,
    source: OnceLock<Source>,
    rollout_id: Option<Uuid>,
    end_ordinal_exclusive: Option<u64>,
}

impl Segment {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The id at the end of its name; `None` for a stream or a file with another name.
    pub fn rollout_id(&self) -> Option<Uuid> {
        self.rollout_id
    }

    /// The first ordinal of it that no longer belongs to the lineage; `None` for the last file.
    pub fn end_ordinal_exclusive(&self) -> Option<u64> {
        self.end_ordinal_exclusive
    }

    /// The opened file; opened at the first call.
    ///
    /// # Errors
    ///
    /// As [`Source::open`].
    pub fn source(&self) -> Result<&Source, Error> {
        if let Some(source) = self.source.get() {
            return Ok(source);
        }
        let opened = Source::open(&self.path)?;
        Ok(self.source.get_or_init(|| opened))
    }
}

/// A session and its parents: files in the order in which their records are read.
///
/// # Example
///
/// ```
/// use annals_rollout::{Entry, Lineage, ParentSearch, Source};
///
/// let dir = std::env::temp_dir().join(format!("annals-doc-{}", std::process::id()));
/// std::fs::create_dir_all(&dir)?;
/// let parent = "01a22f4d-61ba-71f3-bdff-1c2826445fc9";
/// let child = "01a22f4d-63b2-7ad3-ac40-363afb136e2a";
/// let line = |ordinal: u64, kind: &str, payload: &str| format!(
///     "{{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"ordinal\":{ordinal},\"type\":\"{kind}\",\"payload\":{payload}}}\n");
/// std::fs::write(dir.join(format!("rollout-2026-01-01T00-00-00-{parent}.jsonl")), [
///     line(0, "session_meta", &format!("{{\"id\":\"{parent}\"}}")),
///     line(1, "event_msg", "{}"),
///     line(2, "event_msg", "{}"),
/// ].concat())?;
/// let path = dir.join(format!("rollout-2026-01-01T00-00-01-{child}.jsonl"));
/// std::fs::write(&path, line(2, "session_meta", &format!(
///     "{{\"id\":\"{child}\",\"history_base\":{{\"thread_id\":\"{parent}\",\"end_ordinal_exclusive\":2}}}}")))?;
///
/// let lineage = Lineage::resolve(Source::open(&path)?, &ParentSearch::default())?;
/// assert_eq!(lineage.segments().len(), 2);
/// let mut records = lineage.records();
/// let mut ordinals = Vec::new();
/// while let Some((_, Entry::Record(record))) = records.next()? {
///     ordinals.push(record.envelope.ordinal.unwrap());
/// }
/// assert_eq!(ordinals, [0, 1, 2]); // two of the parent, then the child's own head
/// # std::fs::remove_dir_all(&dir)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Lineage {
    segments: Vec<Segment>,
}

impl Lineage {
    /// Follows `history_base` from `source` to the oldest parent.
    ///
    /// A parent is looked for in its child's own folder, then in the child's own home (date tree,
    /// archive), then in the homes of `search`, by the id at the end of file names.
    ///
    /// **Cost**: reads the first record of each file.
    ///
    /// # Errors
    ///
    /// As [`SessionHead::read`] for each file; [`ErrorKind::ParentNotFound`] with the id;
    /// [`ErrorKind::ParentChain`] if the chain comes back to itself or has more than
    /// [`MAX_LINEAGE_SEGMENTS`] files.
    pub fn resolve(source: Source, search: &ParentSearch) -> Result<Self, Error> {
        let head = SessionHead::read(&source)?;
        Self::resolve_from(source, head.history_base, search)
    }

    /// As [`resolve`](Self::resolve), for a caller that has read the head already.
    ///
    /// # Errors
    ///
    /// As [`resolve`](Self::resolve), but nothing of `source` itself is read.
    pub fn resolve_from(
        source: Source,
        base: Option<HistoryBase>,
        search: &ParentSearch,
    ) -> Result<Self, Error> {
        let mut segments = vec![Segment {
            path: source.path().to_path_buf(),
            rollout_id: RolloutName::parse(source.path()).map(|name| name.rollout_id()),
            source: OnceLock::from(source),
            end_ordinal_exclusive: None,
        }];
        let mut next = base;
        let mut end = u64::MAX;
        while let Some(base) = next {
            // A cut of a child cuts everything before it too.
            end = end.min(base.end_ordinal_exclusive);
            let child = segments
                .last()
                .map(|segment| segment.path.clone())
                .unwrap_or_default();
            let id = require_id(&base.rollout_id).map_err(|error| error.at(&child))?;
            if segments
                .iter()
                .any(|segment| segment.rollout_id == Some(id))
            {
                let what = format!("the parent {id} is its own descendant");
                return Err(Error::new(ErrorKind::ParentChain, what).at(&child));
            }
            if segments.len() >= MAX_LINEAGE_SEGMENTS {
                let what = format!("more than {MAX_LINEAGE_SEGMENTS} parents");
                return Err(Error::new(ErrorKind::ParentChain, what).at(&child));
            }
            let Some(path) = search.find(&child, id)? else {
                let what = format!("the parent {id} was not found");
                return Err(Error::new(ErrorKind::ParentNotFound, what).at(&child));
            };
            let source = Source::open(&path)?;
            next = SessionHead::read(&source)?.history_base;
            // Only the first few stay open: a long chain must not use up the file handles.
            let source = if segments.len() < 64 {
                OnceLock::from(source)
            } else {
                OnceLock::new()
            };
            segments.push(Segment {
                path,
                source,
                rollout_id: Some(id),
                end_ordinal_exclusive: Some(end),
            });
        }
        segments.reverse();
        Ok(Self { segments })
    }

    /// The files, oldest parent first, the session itself last.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// All records of the lineage in order, fully checked.
    pub fn records(&self) -> LineageReader<'_> {
        self.reader(ReadOptions::default())
    }

    /// All records of the lineage in order, checked as [`Source::scan`] does.
    pub fn scan(&self) -> LineageReader<'_> {
        self.reader(ReadOptions::structure_only())
    }

    /// All records of the lineage in order.
    pub fn reader(&self, options: ReadOptions) -> LineageReader<'_> {
        LineageReader {
            lineage: self,
            options,
            segment_idx: 0,
            from: None,
            open: None,
        }
    }

    /// All records from a line's start in one of the files on; `position` is that of its record.
    pub(crate) fn reader_from(
        &self,
        segment_idx: usize,
        byte_offset: u64,
        position: u64,
        options: ReadOptions,
    ) -> LineageReader<'_> {
        let mut reader = self.reader(options);
        reader.segment_idx = segment_idx;
        reader.from = Some((byte_offset, position));
        reader
    }

    /// The records of the session's own file, the last of the lineage, from a line's start on.
    ///
    /// Lines are counted from there.
    pub fn own_records_from(&self, byte_offset: u64, options: ReadOptions) -> LineageReader<'_> {
        let own = self.segments.len().saturating_sub(1);
        self.reader_from(own, byte_offset, 0, options)
    }

    /// All records of the lineage from the last to the first.
    pub fn backward(&self, options: ReadOptions) -> LineageBackward<'_> {
        LineageBackward::new(self, options)
    }

    /// Reads bytes of one of its files; see [`Source::read_at`].
    ///
    /// # Errors
    ///
    /// As [`Source::read_at`]; [`ErrorKind::InvalidInput`] if there is no such segment.
    pub fn read_at(
        &self,
        segment_idx: usize,
        byte_offset: u64,
        len_bytes: usize,
        buffer: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let Some(segment) = self.segments.get(segment_idx) else {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("no segment {segment_idx}"),
            ));
        };
        segment.source()?.read_at(byte_offset, len_bytes, buffer)
    }
}

/// Keeps the records below a cut, and knows when there can be no more of them.
#[derive(Debug, Clone)]
pub(crate) struct Cut {
    end_ordinal_exclusive: u64,
    /// The ordinal of a record that carries none: one more than that of the record before it.
    implied: u64,
    beyond: u64,
}

impl Cut {
    pub(crate) fn new(end_ordinal_exclusive: u64) -> Self {
        Self {
            end_ordinal_exclusive,
            implied: 0,
            beyond: 0,
        }
    }

    /// For a reader that starts at the record with this position.
    fn going_on_at(mut self, position: u64) -> Self {
        self.implied = position;
        self
    }

    pub(crate) fn keeps(&mut self, ordinal: Option<u64>) -> bool {
        let ordinal = ordinal.unwrap_or(self.implied);
        self.implied = ordinal.saturating_add(1);
        let keep = ordinal < self.end_ordinal_exclusive;
        self.beyond = if keep { 0 } else { self.beyond + 1 };
        keep
    }

    /// Whether something without an ordinal, here, lies before the cut.
    pub(crate) fn keeps_fault(&self) -> bool {
        self.implied < self.end_ordinal_exclusive
    }

    pub(crate) fn is_past(&self) -> bool {
        self.beyond > DISORDER_RECORDS
    }
}

/// A forward reader over all files of a [`Lineage`]; lends like [`RecordReader`].
#[derive(Debug)]
pub struct LineageReader<'l> {
    lineage: &'l Lineage,
    options: ReadOptions,
    segment_idx: usize,
    /// Where the first file is gone into, and the position of the record there.
    from: Option<(u64, u64)>,
    open: Option<(RecordReader, Option<Cut>)>,
}

impl LineageReader<'_> {
    /// The next record or fault with the index of its file, or `None` at the end.
    ///
    /// Records of a parent that lie behind the cut are passed over.
    ///
    /// # Errors
    ///
    /// As [`RecordReader::next`], and as [`Source::open`] where a parent has gone meanwhile.
    #[expect(
        clippy::should_implement_trait,
        reason = "it lends, which an iterator can't"
    )]
    pub fn next(&mut self) -> Result<Option<(usize, Entry<'_>)>, Error> {
        let Some(found) = self.step()? else {
            return Ok(None);
        };
        let segment_idx = self.segment_idx;
        let Some((reader, _)) = &mut self.open else {
            return Ok(None);
        };
        let entry = match found {
            Found::Line => reader.look(),
            Found::Piece(Piece::Fault(fault)) => Entry::Fault(fault),
            Found::Piece(Piece::Record(start, end)) => Entry::Record(reader.record(start, end)?),
        };
        Ok(Some((segment_idx, entry)))
    }

    fn step(&mut self) -> Result<Option<Found>, Error> {
        loop {
            let Some((reader, cut)) = &mut self.open else {
                let Some(segment) = self.lineage.segments.get(self.segment_idx) else {
                    return Ok(None);
                };
                let mut cut = segment.end_ordinal_exclusive.map(Cut::new);
                let reader = match self.from.take() {
                    Some((offset, position)) => {
                        cut = cut.map(|cut| cut.going_on_at(position));
                        RecordReader::from_offset(segment.source()?, offset, self.options)
                    }
                    None => RecordReader::new(segment.source()?, self.options),
                };
                self.open = Some((reader, cut));
                continue;
            };
            let Some(cut) = cut else {
                match reader.step_on()? {
                    Some(found) => return Ok(Some(found)),
                    None => self.next_segment(),
                }
                continue;
            };
            match reader.step()? {
                Some(Piece::Record(start, end)) => {
                    if cut.keeps(reader.record(start, end)?.envelope.ordinal) {
                        return Ok(Some(Found::Piece(Piece::Record(start, end))));
                    }
                    if cut.is_past() {
                        self.next_segment();
                    }
                }
                Some(Piece::Fault(fault)) => {
                    if cut.keeps_fault() {
                        return Ok(Some(Found::Piece(Piece::Fault(fault))));
                    }
                }
                None => self.next_segment(),
            }
        }
    }

    fn next_segment(&mut self) {
        self.open = None;
        self.segment_idx += 1;
    }

    /// The file that the reader stands in, for faults that a caller finds.
    pub fn path(&self) -> Option<&Path> {
        self.lineage
            .segments
            .get(self.segment_idx)
            .map(Segment::path)
    }
}

#[cfg(test)]
#[path = "lineage_tests.rs"]
mod tests;
