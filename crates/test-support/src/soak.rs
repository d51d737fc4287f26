//! Two writers, eight readers, a compressor and an archiver on one home: what a shared home lives
//! through, in as many rounds as are asked for.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use annals_protocol::RecordKind;
use annals_rollout::{
    Durability, Entry, Error, ErrorKind, FaultKind, Home, NewRecord, RolloutName, RolloutWriter,
    Source, Timestamp, WriterOptions, archive, compress, lookup, unarchive,
};
use serde_json::json;
use uuid::Uuid;

/// How many threads of conversation the home holds.
const SESSIONS: u64 = 4;

/// What a soak did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SoakReport {
    /// Records that were acknowledged.
    pub appended: u64,
    /// Whole readings of a session.
    pub reads: u64,
    /// Times that a writer was refused because another had the session.
    pub refused: u64,
    /// Times that a session was compressed or moved.
    pub moved: u64,
    /// What went wrong; empty if nothing did.
    pub wrongs: Vec<String>,
}

struct Soak {
    home: Home,
    /// The next number of each session, held while it is written.
    acknowledged: Vec<AtomicU64>,
    done: AtomicBool,
    report: Mutex<SoakReport>,
}

/// A small generator of numbers, so that runs differ by seed and by nothing else.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Starts at a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// A number below `limit`, or 0 if that is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
            .wrapping_mul(0x2545_F491_4F6C_DD1D)
            .checked_rem(limit)
            .unwrap_or(0)
    }
}

/// Runs the soak in an empty directory until `go_on` says no; it is asked once a round of a writer.
///
/// # Errors
///
/// If the sessions can't be made. What goes wrong later stands in the report.
pub fn soak<F>(directory: PathBuf, seed: u64, go_on: F) -> Result<SoakReport, Error>
where
    F: Fn(u64) -> bool + Send + Sync,
{
    let soak = Soak {
        home: Home::new(directory),
        acknowledged: (0..SESSIONS).map(|_| AtomicU64::new(0)).collect(),
        done: AtomicBool::new(false),
        report: Mutex::default(),
    };
    for session in 0..SESSIONS {
        soak.create(session)?;
    }
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..2)
            .map(|writer| {
                let (soak, go_on) = (&soak, &go_on);
                scope.spawn(move || soak.write(&mut Dice::new(seed + writer * 7919), go_on))
            })
            .collect();
        for reader in 0..8 {
            let soak = &soak;
            scope.spawn(move || soak.read(&mut Dice::new(seed + 104_729 + reader)));
        }
        scope.spawn(|| soak.shuffle(&mut Dice::new(seed + 15_485_863), Soak::compress));
        scope.spawn(|| soak.shuffle(&mut Dice::new(seed + 32_452_843), Soak::archive));
        for writer in writers {
            if writer.join().is_err() {
                soak.wrong("a writer panicked");
            }
        }
        soak.done.store(true, Ordering::Release);
    });
    for session in 0..SESSIONS {
        soak.check(session, true);
    }
    Ok(soak
        .report
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner))
}

fn id(session: u64) -> Uuid {
    Uuid::from_u128(0x01a2_2f4d_919e_7c60_8290_0000_0000_0000 | u128::from(session))
}

fn event(number: u64) -> Result<NewRecord, Error> {
    let filler = "x".repeat(usize::try_from(number % 50 * 40).unwrap_or(0));
    let payload = json!({"type": "soak", "n": number, "filler": filler});
    NewRecord::serialize(RecordKind::EventMsg, &payload)
}

/// A refusal that a shared home brings with it: try again later.
fn is_passing(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::AlreadyOpen | ErrorKind::NotFound | ErrorKind::AlreadyExists
    )
}

impl Soak {
    fn create(&self, session: u64) -> Result<(), Error> {
        let payload = json!({"session_id": id(session).to_string(), "id": id(session).to_string(), "cwd": "/w",
            "timestamp": "2026-12-01T01:52:46.402Z", "originator": "soak", "cli_version": "0.0.0",
            "history_mode": if session.is_multiple_of(2) { "paginated" } else { "legacy" }});
        let head = NewRecord::serialize(RecordKind::SessionMeta, &payload)?;
        let name = RolloutName::new(Timestamp::from_unix_ms(1_796_089_966_402), id(session));
        let path = self.home.active_path(&name);
        let writer = RolloutWriter::create(path, head, WriterOptions::default())?;
        writer.persist(Durability::Written)?;
        writer.close()
    }

    fn note<F: FnOnce(&mut SoakReport)>(&self, change: F) {
        change(&mut self.report.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn wrong(&self, what: &str) {
        self.note(|report| {
            if report.wrongs.len() < 20 {
                report.wrongs.push(what.to_owned());
            }
        });
    }

    fn path(&self, session: u64) -> Result<PathBuf, Error> {
        lookup(&self.home, &id(session).to_string())
    }

    fn write<F: Fn(u64) -> bool>(&self, dice: &mut Dice, go_on: &F) {
        let mut round = 0;
        while go_on(round) {
            round += 1;
            let session = dice.below(SESSIONS);
            match self.write_some(session, dice) {
                Ok(()) => {}
                Err(error) if is_passing(&error) => self.note(|report| report.refused += 1),
                Err(error) => self.wrong(&format!("a writer failed: {error}")),
            }
        }
    }

    fn write_some(&self, session: u64, dice: &mut Dice) -> Result<(), Error> {
        let writer = RolloutWriter::resume(self.path(session)?, WriterOptions::default())?;
        // From here on the session is this writer's alone, and so is its count.
        let Some(count) = self.acknowledged.get(usize::try_from(session).unwrap_or(0)) else {
            return Ok(());
        };
        for _ in 0..=dice.below(8) {
            let number = count.load(Ordering::Acquire) + 1;
            let durability = if dice.below(10) == 0 {
                Durability::Durable
            } else {
                Durability::Written
            };
            writer.append(&[event(number)?], durability)?;
            count.store(number, Ordering::Release);
            self.note(|report| report.appended += 1);
        }
        writer.close()
    }

    fn read(&self, dice: &mut Dice) {
        while !self.done.load(Ordering::Acquire) {
            self.check(dice.below(SESSIONS), false);
        }
    }

    /// Reads a session whole: its numbers run from 1 without gap, at least as far as they were
    /// acknowledged before the reading began.
    fn check(&self, session: u64, at_rest: bool) {
        let before = self
            .acknowledged
            .get(usize::try_from(session).unwrap_or(0))
            .map_or(0, |count| count.load(Ordering::Acquire));
        match self.count(session) {
            Ok((last, faults)) => {
                self.note(|report| report.reads += 1);
                if last < before || (at_rest && last != before) {
                    self.wrong(&format!(
                        "session {session}: read {last} of {before} records"
                    ));
                }
                if faults
                    .iter()
                    .any(|kind| at_rest || *kind != FaultKind::TornTail)
                {
                    self.wrong(&format!("session {session}: faults {faults:?}"));
                }
            }
            Err(error) if is_passing(&error) && !at_rest => {}
            Err(error) => self.wrong(&format!("session {session}: a reader failed: {error}")),
        }
    }

    fn count(&self, session: u64) -> Result<(u64, Vec<FaultKind>), Error> {
        let source = Source::open(self.path(session)?)?;
        let mut records = source.records();
        let (mut last, mut faults) = (0, Vec::new());
        while let Some(entry) = records.next()? {
            match entry {
                Entry::Fault(fault) => faults.push(fault.kind()),
                Entry::Record(record) if record.envelope.kind == RecordKind::EventMsg => {
                    let wanted = format!("\"n\":{},", last + 1);
                    if record.envelope.payload.contains(&wanted) {
                        last += 1;
                    } else {
                        self.wrong(&format!(
                            "session {session}: no record {} in place",
                            last + 1
                        ));
                        break;
                    }
                }
                Entry::Record(_) => {}
            }
        }
        Ok((last, faults))
    }

    fn shuffle<F: Fn(&Self, u64) -> Result<(), Error>>(&self, dice: &mut Dice, act: F) {
        while !self.done.load(Ordering::Acquire) {
            match act(self, dice.below(SESSIONS)) {
                Ok(()) => self.note(|report| report.moved += 1),
                Err(error) if is_passing(&error) => {}
                Err(error) => self.wrong(&format!("a session was not moved: {error}")),
            }
        }
    }

    fn compress(&self, session: u64) -> Result<(), Error> {
        compress(self.path(session)?).map(drop)
    }

    fn archive(&self, session: u64) -> Result<(), Error> {
        let path = self.path(session)?;
        if path.starts_with(self.home.archive_dir()) {
            unarchive(&self.home, &path).map(drop)
        } else {
            archive(&self.home, &path).map(drop)
        }
    }
}
