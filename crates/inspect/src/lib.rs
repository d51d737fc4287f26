//! Read-only analysis of LLM agent sessions: what the model saw, what it cost, what is broken.
//!
//! Values in, values out: nothing here prints, and no file is changed. A command line, an editor
//! plugin or a check in CI each render the same values their own way.

mod blocks;
mod cache;
mod checkpoint;
mod context;
mod conversation;
mod error;
mod lines;
mod part;
mod places;
mod progress;
mod prompt_input;
mod redact;
mod report;
mod session;
mod state;
mod stats;
mod traced;
mod turns;
mod verify;
mod window;

pub use annals_history::{ItemDescription, PartDescription, PromptOptions};
pub use cache::{
    Break, CacheReport, CacheTotal, Cause, ItemBrief, MeasuredUsage, Prices, Request, SettingChange,
};
pub use context::{Change, ContextReport, FragmentUse, KnownBy, OriginShare};
pub use conversation::{Conversation, ConversationEntry, EntryKind};
pub use error::Error;
pub use lines::{LineChange, LineFate, diff_lines};
pub use part::Origin;
pub use progress::ReadProgress;
pub use prompt_input::{Notice, PromptInput, PromptInputError, PromptInputOptions, ReadUpTo};
pub use redact::Redactor;
pub use report::{Report, ReportEntry, ReportLimits, StateChange};
pub use session::{About, Session};
pub use state::{DiffSide, FieldChange, SectionState, StateDiff, StateReport, Told};
pub use stats::{Count, SessionStats};
pub use turns::TurnStart;
pub use verify::{Finding, FindingKind, Severity, VerifyReport, verify};
pub use window::LineWindow;
