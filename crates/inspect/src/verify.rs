//! A doctor for session files: everything that is wrong, where, how bad, and what a resume does.

mod finding;
mod ordinals;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use annals_context_fragments::{Recognizer, Role};
use annals_history::{ItemFacts, ItemFlags, Ledger, RepairKind, Slot};
use annals_protocol::{ItemHead, RecordKind, WorldStateRecord};
use annals_replay::{Ignored, IgnoredReason, Replayed};
use annals_rollout::{ErrorKind, Fault, Lineage, ParentSearch, Source};
use annals_world_state::{BaselineChain, ChainStep};
use serde::Serialize;

use crate::error::Error;
use crate::part::{Part, parts_of};
use crate::progress::ReadProgress;
use crate::prompt_input::ReadUpTo;
use crate::session::{About, At, Session, TracedReplay, Watch};
use crate::traced::Traced;
use crate::window::LineWindow;

use finding::Spot;
pub use finding::{Finding, FindingKind, Severity};
use ordinals::Ordinals;

/// How many findings of one kind are listed one by one; the rest is counted.
const LISTED_PER_KIND: u64 = 1_000;

/// What is wrong with a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct VerifyReport {
    /// `annals.verify/1`
    pub schema: &'static str,
    /// Which session.
    pub session: About,
    /// Lines of the session and its parents that were looked at.
    pub n_records: u64,
    /// Findings by severity: errors, warnings, notes.
    pub n_errors: u64,
    /// Warnings.
    pub n_warnings: u64,
    /// Notes.
    pub n_notes: u64,
    /// Every finding, by file and place; of one kind at most a thousand.
    pub findings: Vec<Finding>,
    /// Findings that are counted above and not listed.
    pub n_unlisted: u64,
}

impl VerifyReport {
    /// Whether nothing was lost and nothing will be.
    pub fn is_sound(&self) -> bool {
        self.n_errors == 0
    }
}

/// Looks for everything that can be wrong with a session.
///
/// A file whose head or parents are missing is looked at as far as it goes: what is missing is a
/// finding.
///
/// **Cost**: one pass. **Bounds**: about a hundred bytes an item, and a thousand findings a kind.
///
/// # Errors
///
/// [`Error::Rollout`] if a file can't be read.
///
/// # Example
///
/// ```
/// use annals_inspect::{FindingKind, ReadProgress, verify};
/// use annals_rollout::{ParentSearch, Source};
///
/// let source = Source::from_bytes("memory", "{\"torn")?;
/// let report = verify(source, &ParentSearch::default(), &ReadProgress::default())?;
/// assert!(!report.is_sound());
/// assert_eq!(report.findings[0].kind, FindingKind::NoSessionMeta);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(
    source: Source,
    parents: &ParentSearch,
    progress: &ReadProgress,
) -> Result<VerifyReport, Error> {
    let path = source.path().to_path_buf();
    let mut doctor = Doctor::default();
    let kept = source.clone();
    let lineage = match Lineage::resolve(source, parents) {
        Ok(lineage) => lineage,
        Err(error) => {
            let kind = match error.kind() {
                ErrorKind::NoSessionMeta | ErrorKind::Unreadable => FindingKind::NoSessionMeta,
                ErrorKind::ParentNotFound => FindingKind::ParentMissing,
                ErrorKind::ParentChain | ErrorKind::InvalidId => FindingKind::ParentChain,
                _ => return Err(error.into()),
            };
            doctor.find(kind, Spot::new(&path, 0, None), error.to_string());
            Lineage::resolve_from(kept, None, parents)?
        }
    };
    let session = Session::of(lineage).with_progress(progress);
    doctor.paths = session
        .lineage
        .segments()
        .iter()
        .map(|segment| segment.path().to_path_buf())
        .collect();
    let replayed = session.walk(ReadUpTo::End, &mut doctor)?;
    doctor.close(&session, &replayed)?;
    for (idx, fault) in std::mem::take(&mut doctor.faults) {
        if let Some(finding) = doctor.findings.get_mut(idx) {
            finding.window = LineWindow::of_fault(&session.lineage, &fault);
        }
    }
    Ok(doctor.report(session.about(&replayed)))
}

/// Looks at every record as it goes by.
#[derive(Debug, Default)]
struct Doctor {
    paths: Vec<PathBuf>,
    findings: Vec<Finding>,
    /// Damaged lines, by the finding that tells of them.
    faults: Vec<(usize, Fault)>,
    counts: BTreeMap<FindingKind, u64>,
    ordinals: Ordinals,
    n_records: u64,
    /// Repairs of windows that a compaction closed, by place, so that none is told twice.
    repairs: BTreeMap<(usize, u64, u8), (u64, RepairKind)>,
    /// Ignored records that are told in other words already.
    told_ignored: usize,
}

impl Doctor {
    fn find(&mut self, kind: FindingKind, spot: Spot<'_>, message: String) {
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        if *count <= LISTED_PER_KIND {
            self.findings.push(Finding::new(kind, spot, message));
        }
    }

    fn find_at(&mut self, kind: FindingKind, at: &At<'_>, message: String) {
        let path = self.paths.get(at.segment).cloned().unwrap_or_default();
        let spot = Spot::new(&path, at.line, Some(at.byte_offset));
        self.find(kind, spot, message);
    }

    /// Notes what a prompt would have to mend in the window that is shown now.
    fn note_repairs(&mut self, ledger: &Ledger<Traced>) {
        for repair in ledger.repairs() {
            let Some(body) = ledger.body(repair.at) else {
                continue;
            };
            let place = body.located.place();
            let key = (
                place.map_or(usize::MAX, |place| place.segment as usize),
                place.map_or(repair.at as u64, |place| place.offset),
                repair.kind as u8,
            );
            self.repairs.insert(key, (body.line, repair.kind));
        }
    }

    fn close(&mut self, session: &Session, replayed: &Replayed<Traced>) -> Result<(), Error> {
        let ledger = &replayed.ledger;
        self.note_repairs(ledger);
        for ((segment, offset, _), (line, kind)) in std::mem::take(&mut self.repairs) {
            let path = self.paths.get(segment).cloned().unwrap_or_default();
            let finding = FindingKind::of_repair(kind);
            let is_last_turn = matches!(kind, RepairKind::StandIn)
                && replayed.last_turn == annals_replay::LastTurn::Unfinished;
            let message = if is_last_turn {
                format!("{} (the last turn never ended)", kind.why())
            } else {
                kind.why().to_owned()
            };
            self.find(finding, Spot::new(&path, line, Some(offset)), message);
        }
        self.look_at_input(session, ledger)?;
        self.look_at_baseline(session, ledger)
    }

    /// Caps and borrowed markers, over what the model sees now.
    fn look_at_input(&mut self, session: &Session, ledger: &Ledger<Traced>) -> Result<(), Error> {
        let mut texts = session.texts();
        for slot in ledger.slots() {
            let Slot::Item { facts, body, .. } = slot else {
                continue;
            };
            let flags = facts.flags();
            if !flags.has_any(ItemFlags::USER | ItemFlags::DEVELOPER) {
                continue;
            }
            let item = texts.of(body, facts)?;
            let Some(head) = ItemHead::scan(&item) else {
                continue;
            };
            let place = body.located.place();
            let path = place
                .and_then(|place| self.paths.get(place.segment as usize))
                .cloned()
                .unwrap_or_default();
            let spot = Spot::new(&path, body.line, place.map(|place| place.offset));
            for part in parts_of(&item, &head) {
                self.look_at_part(&part, spot);
            }
        }
        Ok(())
    }

    fn look_at_part(&mut self, part: &Part<'_>, spot: Spot<'_>) {
        if let Some(spec) = part.spec
            && part.tokens() > u64::from(spec.cap().tokens())
        {
            let message = format!(
                "{} has {} tokens, its cap is {}",
                spec.name(),
                part.tokens(),
                spec.cap().tokens()
            );
            self.find(FindingKind::OverCap, spot, message);
        }
        let is_own = |kind: &str| kind.starts_with("user.");
        if part.kind.as_deref().is_some_and(is_own)
            && let Some(text) = &part.text
            && let Some(spec) = Recognizer::new().by_text(Role::User, text)
        {
            let name = spec.name();
            let message = format!("a user's own words have the markers of {name}");
            self.find(FindingKind::Spoofed, spot, message);
        }
    }

    /// Whether the texts of what counts as told are still there.
    fn look_at_baseline(
        &mut self,
        session: &Session,
        ledger: &Ledger<Traced>,
    ) -> Result<(), Error> {
        let Some(baseline) = &ledger.state().world_state_baseline else {
            return Ok(());
        };
        let told = session.kinds_in(ledger)?;
        for (section, kind, member) in [
            ("agents_md", "agents_md.instructions", Some("text")),
            ("environments", "environments.environment_context", None),
            (
                "permissions",
                "permissions.instructions",
                Some("instructions"),
            ),
        ] {
            let is_stored = baseline.get(section).is_some_and(|state| {
                let value = state.value();
                member
                    .map_or(Some(value), |member| value.get(member))
                    .is_some()
            });
            if is_stored && !told.contains(kind) {
                let path = self.paths.last().cloned().unwrap_or_default();
                let message = format!(
                    "the state says that {section} was told, and the input does not hold its text"
                );
                let spot = Spot::new(&path, 0, None);
                self.find(FindingKind::BaselineTextGone, spot, message);
            }
        }
        Ok(())
    }

    fn report(mut self, session: About) -> VerifyReport {
        self.findings
            .sort_by(|one, other| one.place().cmp(&other.place()));
        let of = |severity: Severity| {
            self.counts
                .iter()
                .filter(|(kind, _)| kind.severity() == severity)
                .map(|(_, count)| count)
                .sum::<u64>()
        };
        let (n_errors, n_warnings) = (of(Severity::Error), of(Severity::Warning));
        let n_notes = of(Severity::Note);
        VerifyReport {
            schema: "annals.verify/1",
            session,
            n_records: self.n_records,
            n_errors,
            n_warnings,
            n_notes,
            n_unlisted: (n_errors + n_warnings + n_notes)
                .saturating_sub(self.findings.len() as u64),
            findings: self.findings,
        }
    }
}

impl Watch for Doctor {
    fn fault(&mut self, _segment: usize, fault: Fault) {
        let kind = FindingKind::of_fault(fault.kind());
        let reason = if fault.reason().is_empty() {
            fault.kind().to_string()
        } else {
            format!("{}: {}", fault.kind(), fault.reason())
        };
        let path = fault.path().to_path_buf();
        let spot = Spot::new(&path, fault.line(), Some(fault.byte_offset()));
        let idx = self.findings.len();
        self.find(kind, spot, reason);
        if idx < self.findings.len() {
            self.faults.push((idx, fault));
        }
    }

    fn before(&mut self, at: &At<'_>, replay: &mut TracedReplay) {
        self.n_records += 1;
        if let Some((kind, message)) = self.ordinals.next(at.segment, at.envelope.ordinal) {
            self.find_at(kind, at, message);
        }
        match at.envelope.kind {
            RecordKind::Compacted => self.note_repairs(replay.ledger()),
            // A head is read leniently: what of it could not be understood is told here.
            RecordKind::SessionMeta => {
                if let Err(error) = annals_protocol::RolloutLine::parse(at.text) {
                    self.find_at(FindingKind::MalformedRecord, at, error.to_string());
                }
            }
            RecordKind::WorldState => {
                let before = replay.ledger().state().world_state_baseline.clone();
                let Ok(record) = serde_json::from_str::<WorldStateRecord>(at.envelope.payload)
                else {
                    return;
                };
                let step = BaselineChain::from_baseline(before).record(&record);
                if let ChainStep::Patched { fits: false } = step {
                    let message = "a patch of the world state changes less than it says: one before it is missing, or it stands twice";
                    self.find_at(FindingKind::StatePatchMisfits, at, message.to_owned());
                }
            }
            _ => {}
        }
    }

    fn after(&mut self, at: &At<'_>, replay: &TracedReplay) {
        let ignored = replay.ignored();
        let news: Vec<Ignored> = ignored.iter().skip(self.told_ignored).copied().collect();
        self.told_ignored = ignored.len();
        for ignored in news {
            let kind = match ignored.reason {
                IgnoredReason::UnknownKind => FindingKind::UnknownKind,
                IgnoredReason::PatchWithoutBase => FindingKind::StateChainBroken,
                _ => FindingKind::MalformedRecord,
            };
            let mut message = ignored.reason.text().to_owned();
            if kind == FindingKind::MalformedRecord
                && let Err(error) = annals_protocol::RolloutLine::parse(at.text)
            {
                message = error.to_string();
            }
            self.find_at(kind, at, message);
        }
    }
}

impl Session {
    /// The content kinds of everything injected that the input holds, by record or by markers.
    fn kinds_in(&self, ledger: &Ledger<Traced>) -> Result<BTreeSet<String>, Error> {
        let mut texts = self.texts();
        let mut kinds = BTreeSet::new();
        for slot in ledger.slots() {
            let Slot::Item { facts, body, .. } = slot else {
                continue;
            };
            if !ItemFacts::flags(facts).has(ItemFlags::ANY_CONTEXTUAL) {
                continue;
            }
            let item = texts.of(body, facts)?;
            let Some(head) = ItemHead::scan(&item) else {
                continue;
            };
            for part in parts_of(&item, &head) {
                let marked = part.spec.map(|spec| spec.kind().to_owned());
                kinds.extend(part.kind.into_iter().chain(marked));
            }
        }
        Ok(kinds)
    }
}

#[cfg(test)]
#[path = "verify_tests.rs"]
mod tests;
