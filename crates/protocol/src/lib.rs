//! Lossless wire types for the history of an LLM agent and for the files that keep it.
//!
//! Pure data: no file, clock or network. Everything that is read is written back byte for byte,
//! whatever this version knows of it; see [`Lossless`]. Lines are decoded in two steps, the frame
//! ([`Envelope`]) and what it holds ([`RolloutLine`]), so that a reader pays only for what it
//! looks at.
//!
//! ```
//! use annals_protocol::{ContentPart, Lossless, Message, ResponseItem, Role};
//!
//! let message = Message::new(Role::User, vec![ContentPart::input_text("hello")]);
//! let item = Lossless::new(ResponseItem::Message(message))?;
//! assert_eq!(
//!     item.raw().as_str(),
//!     r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}"#
//! );
//! # Ok::<(), annals_protocol::DecodeError>(())
//! ```
#![forbid(unsafe_code)]

mod check;
mod compacted;
mod content;
mod envelope;
mod error;
mod event;
mod find;
mod item;
mod lenient;
mod line;
mod lossless;
mod meta;
mod metadata;
mod quick;
mod raw;
mod record_kind;
#[cfg(feature = "schema")]
mod schema;
mod tagged;
mod turn_context;
mod turn_item;
mod usage;
mod walk;

#[cfg(any(test, feature = "proptest"))]
pub mod strategies;

pub use check::{MAX_DEPTH, is_deeper_than, validate};
pub use compacted::{Compacted, PreviousTurnSettings, ResumeMetadata, TurnAttribution};
pub use content::{
    AgentContentPart, AudioPart, ContentPart, EncryptedPart, ImageDetail, ImagePart, OutputPart,
    OutputTextPart, TextPart,
};
pub use envelope::{Envelope, first_record_end};
pub use error::DecodeError;
pub use event::{
    AgentMessageEvent, AgentReasoning, ContextCompacted, EventMsg, ItemCompleted, TaskComplete,
    TaskStarted, ThreadGoalUpdated, ThreadRolledBack, ThreadSettingsApplied, TokenCount,
    TurnAborted, UserMessage,
};
pub use find::next_record_start;
pub use item::{
    AdditionalTools, AgentMessage, Compaction, CompactionTrigger, ConfigurationUpdate,
    ContextCompaction, CustomToolCall, CustomToolCallOutput, ExecAction, FindInPageAction,
    FunctionCall, FunctionCallOutput, GhostSnapshot, ImageGenerationCall, ItemHead, ItemType,
    LocalShellAction, LocalShellCall, LocalShellStatus, Message, MessagePhase, OpenPageAction,
    OutputPayload, Reasoning, ReasoningConfiguration, ReasoningContent, ReasoningSummary,
    ReasoningText, ResponseItem, Role, SearchAction, ToolSearchCall, ToolSearchOutput,
    WebSearchAction, WebSearchCall,
};
pub use line::{LineParts, RolloutItem, RolloutLine, write_line};
pub use lossless::Lossless;
pub use meta::{BaseInstructions, ContextWindow, GitInfo, HistoryBase, HistoryMode, SessionMeta};
pub use metadata::{ItemMetadata, MessageMetadata};
pub use quick::shape::ItemOutline;
pub use raw::RawJson;
pub use record_kind::RecordKind;
#[cfg(feature = "schema")]
pub use schema::rollout_line_schema;
pub use tagged::Unknown;
pub use turn_context::{
    InterAgentCommunication, InterAgentCommunicationMetadata, TruncationMode, TruncationPolicy,
    TurnContext, WorldStateRecord,
};
pub use turn_item::{
    AgentMessageItem, CommandExecutionItem, ContextCompactionItem, FileChangeItem, ImageViewItem,
    ReasoningItem, SubAgentActivityItem, TurnItem, UserMessageItem, WebSearchItem,
};
pub use usage::{TokenUsage, TokenUsageInfo, TokenUsageRecord};
pub use walk::{Elements, Member, Members, elements, members};
