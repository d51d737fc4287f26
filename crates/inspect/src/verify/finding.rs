//! What can be wrong with a session, how bad each is, and what a resume does about it.

use std::path::Path;

use annals_history::RepairKind;
use annals_rollout::FaultKind;
use serde::Serialize;

use crate::window::LineWindow;

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What it is.
    pub kind: FindingKind,
    /// The file.
    pub file: String,
    /// The one-based line; 0 where it belongs to none.
    pub line: u64,
    /// Where in the file, in bytes from 0.
    pub byte_offset: Option<u64>,
    /// The details.
    pub message: String,
    /// Of a damaged line: what stands there.
    pub window: Option<LineWindow>,
    /// What a resume will do about it.
    pub on_resume: &'static str,
}

impl Finding {
    pub(super) fn new(kind: FindingKind, spot: Spot<'_>, message: String) -> Self {
        Self {
            severity: kind.severity(),
            kind,
            file: spot.path.display().to_string(),
            line: spot.line,
            byte_offset: spot.byte_offset,
            message,
            window: None,
            on_resume: kind.on_resume(),
        }
    }

    pub(super) fn place(&self) -> (&str, u64, Option<u64>, FindingKind) {
        (&self.file, self.line, self.byte_offset, self.kind)
    }
}

/// Where something is wrong.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot<'a> {
    path: &'a Path,
    line: u64,
    byte_offset: Option<u64>,
}

impl<'a> Spot<'a> {
    pub(super) const fn new(path: &'a Path, line: u64, byte_offset: Option<u64>) -> Self {
        Self {
            path,
            line,
            byte_offset,
        }
    }
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Severity {
    /// Something was lost, or the session can't be read whole.
    Error,
    /// The model will see something else than the file holds.
    Warning,
    /// Nothing is wrong with the file, and somebody may want to know.
    Note,
}

impl Severity {
    /// The stable lower-case name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// What can be wrong with a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FindingKind {
    /// No record says whose session this is.
    NoSessionMeta,
    /// A file that comes before this one was not found.
    ParentMissing,
    /// The chain of parents leads back to itself.
    ParentChain,
    /// A line that can't be read; what it held is lost.
    DamagedLine,
    /// Two records on one line; both were recovered.
    GluedLine,
    /// A record whose payload has not the shape of its kind.
    MalformedRecord,
    /// A record of a kind that nobody here knows.
    UnknownKind,
    /// Ordinals are missing: records are lost.
    LostOrdinals,
    /// Ordinals come twice or out of order.
    OrdinalsOutOfOrder,
    /// A call without an output.
    OrphanCall,
    /// An output without a call.
    OrphanOutput,
    /// A second output for one call.
    DuplicateOutput,
    /// An output that stands before its call.
    OutputBeforeCall,
    /// An item that would make a provider refuse the request.
    PoisonItem,
    /// An item that is not for the model.
    NotForModel,
    /// A patch of the world state that has no state to change.
    StateChainBroken,
    /// A patch of the world state that was made for another state.
    StatePatchMisfits,
    /// What counts as told is not in the input.
    BaselineTextGone,
    /// An injected fragment over its cap.
    OverCap,
    /// A user's own words that look like injected context.
    Spoofed,
}

impl FindingKind {
    /// How bad it is.
    pub const fn severity(self) -> Severity {
        match self {
            Self::NoSessionMeta
            | Self::ParentMissing
            | Self::ParentChain
            | Self::DamagedLine
            | Self::MalformedRecord
            | Self::LostOrdinals
            | Self::StateChainBroken => Severity::Error,
            Self::GluedLine
            | Self::OrdinalsOutOfOrder
            | Self::OrphanCall
            | Self::OrphanOutput
            | Self::DuplicateOutput
            | Self::OutputBeforeCall
            | Self::PoisonItem
            | Self::StatePatchMisfits
            | Self::BaselineTextGone
            | Self::OverCap => Severity::Warning,
            Self::UnknownKind | Self::NotForModel | Self::Spoofed => Severity::Note,
        }
    }

    /// What a resume does about it.
    pub const fn on_resume(self) -> &'static str {
        match self {
            Self::NoSessionMeta => "the session can't be resumed",
            Self::ParentMissing | Self::ParentChain => {
                "the session can't be resumed without its parents"
            }
            Self::DamagedLine | Self::MalformedRecord => "the record is passed over",
            Self::GluedLine => "both records are read",
            Self::UnknownKind => "the record is kept and passed over",
            Self::LostOrdinals => "the history goes on without what is missing",
            Self::OrdinalsOutOfOrder => "records count in the order of the file",
            Self::OrphanCall => "an output `aborted` stands in",
            Self::OrphanOutput | Self::DuplicateOutput => "the output is left out of the input",
            Self::OutputBeforeCall => "the output is shown behind its call",
            Self::PoisonItem => "the item is left out, or a text stands in its place",
            Self::NotForModel => "the item is left out of the input",
            Self::StateChainBroken | Self::BaselineTextGone => {
                "the next turn tells the model everything again"
            }
            Self::StatePatchMisfits => "the patch is applied as far as it goes",
            Self::OverCap => "the text stays as it was sent",
            Self::Spoofed => "the words stay the user's own",
        }
    }

    /// The stable lower-case name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoSessionMeta => "no_session_meta",
            Self::ParentMissing => "parent_missing",
            Self::ParentChain => "parent_chain",
            Self::DamagedLine => "damaged_line",
            Self::GluedLine => "glued_line",
            Self::MalformedRecord => "malformed_record",
            Self::UnknownKind => "unknown_kind",
            Self::LostOrdinals => "lost_ordinals",
            Self::OrdinalsOutOfOrder => "ordinals_out_of_order",
            Self::OrphanCall => "orphan_call",
            Self::OrphanOutput => "orphan_output",
            Self::DuplicateOutput => "duplicate_output",
            Self::OutputBeforeCall => "output_before_call",
            Self::PoisonItem => "poison_item",
            Self::NotForModel => "not_for_model",
            Self::StateChainBroken => "state_chain_broken",
            Self::StatePatchMisfits => "state_patch_misfits",
            Self::BaselineTextGone => "baseline_text_gone",
            Self::OverCap => "over_cap",
            Self::Spoofed => "spoofed",
        }
    }

    pub(super) const fn of_fault(kind: FaultKind) -> Self {
        match kind {
            FaultKind::Glued => Self::GluedLine,
            FaultKind::Malformed => Self::MalformedRecord,
            _ => Self::DamagedLine,
        }
    }

    pub(super) const fn of_repair(kind: RepairKind) -> Self {
        match kind {
            RepairKind::StandIn => Self::OrphanCall,
            RepairKind::OrphanOutput => Self::OrphanOutput,
            RepairKind::DuplicateOutput => Self::DuplicateOutput,
            RepairKind::OutputMoved => Self::OutputBeforeCall,
            RepairKind::NotForModel | RepairKind::SystemMessage => Self::NotForModel,
            _ => Self::PoisonItem,
        }
    }
}
