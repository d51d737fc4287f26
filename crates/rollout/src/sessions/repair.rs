//! A mended copy of a damaged rollout: every record that can be read, each on a line of its own.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::error::{Error, ErrorKind};
use crate::files::TempBeside;
use crate::read::fault::{Fault, FaultKind};
use crate::read::head::SessionHead;
use crate::read::records::Entry;
use crate::read::source::Source;

/// How many faults a report names one by one.
const NAMED_FAULTS: usize = 1000;

/// What a repair kept and left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
#[must_use = "a repair that left something out should be told"]
pub struct RepairReport {
    /// Records in the copy.
    pub records: u64,
    /// Faults of the original by kind.
    pub fault_counts: BTreeMap<FaultKind, u64>,
    /// The first faults, one by one.
    pub faults: Vec<Fault>,
}

impl RepairReport {
    /// Whether the original had nothing to mend.
    pub fn is_clean(&self) -> bool {
        self.fault_counts.is_empty()
    }
}

/// Writes a mended copy of `source` to the new file `out`; the original is only read.
///
/// The copy has no line-level fault: reading it reports nothing, but for a `session_meta` of an odd
/// shape, which is kept as long as it has an id. Records keep their bytes and their order, ordinals
/// too. What is wrong between records (a call without its output, a rollback of too
/// much) is not touched.
///
/// # Errors
///
/// [`ErrorKind::Unreadable`] if no record can be read, [`ErrorKind::AlreadyExists`] if `out` is
/// there, or what the system says; no file is left behind then.
pub fn repair(source: &Source, out: &Path) -> Result<RepairReport, Error> {
    if out.exists() {
        return Err(Error::io(
            "create",
            out,
            std::io::ErrorKind::AlreadyExists.into(),
        ));
    }
    let temp = TempBeside::create(out)?;
    let fail = |error| Error::io("write", out, error);
    let mut report = RepairReport::default();
    let mut copy = BufWriter::with_capacity(256 * 1024, &temp.file);
    let mut records = source.scan();
    while let Some(entry) = records.next()? {
        let checked = match entry {
            Entry::Fault(fault) => Err(fault),
            Entry::Record(record) => match record.decode(source.path()) {
                // A head of an odd shape still says whose file this is.
                Err(_) if SessionHead::of(&record).is_some() => Ok(record.text),
                decoded => decoded.map(|_| record.text),
            },
        };
        match checked {
            Ok(text) => {
                report.records += 1;
                copy.write_all(text.as_bytes())
                    .and_then(|()| copy.write_all(b"\n"))
                    .map_err(fail)?;
            }
            Err(fault) => {
                *report.fault_counts.entry(fault.kind()).or_default() += 1;
                if report.faults.len() < NAMED_FAULTS {
                    report.faults.push(fault);
                }
            }
        }
    }
    copy.flush().map_err(fail)?;
    drop(copy);
    if report.records == 0 {
        return Err(Error::new(ErrorKind::Unreadable, "no record can be read").at(source.path()));
    }
    temp.keep_as(out)?;
    Ok(report)
}
