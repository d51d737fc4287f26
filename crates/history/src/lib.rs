//! Append-only, byte-stable history of what an LLM agent's model sees.
#![forbid(unsafe_code)]

mod body;
mod compaction;
mod describe;
mod estimate;
mod facts;
mod flags;
mod image;
mod ledger;
mod manager;
mod media;
mod options;
mod overflow;
mod pairing;
mod parts;
mod prefix;
mod prompt;
mod render;
mod repair;
mod stand_in;
mod state;
mod text;
mod truncation;
mod usage;
mod version;
mod view;

pub use body::{ItemBody, ItemEnvelope};
pub use compaction::{ContextInjection, KEPT_MESSAGE_TOKENS, newest_user_messages, summary_item};
pub use describe::{ItemDescription, PartDescription};
pub use estimate::estimate_item_tokens;
pub use facts::ItemFacts;
pub use flags::ItemFlags;
pub use ledger::{Ledger, Rollback, RollbackStyle, Slot, Slots, TranscriptEntry};
pub use manager::{ContextManager, HistoryItem};
pub use options::PromptOptions;
pub use overflow::CompactionPrompt;
pub use prefix::{Divergence, DivergenceCause, PrefixReport};
pub use prompt::{Prompt, PromptItem};
pub use render::{IMAGE_REPLACED, Rendered, render_item};
pub use repair::{Repair, RepairKind};
pub use stand_in::stand_in;
pub use state::{ThreadState, WindowIdentity};
pub use truncation::{
    DEFAULT_OUTPUT_TOKENS, cut_output, cut_user_message, output_budget, user_message,
};
pub use usage::TokenCount;
pub use version::{HistoryVersion, Rewrite};
