//! Append-only, byte-stable history of what an LLM agent's model sees.
//!
//! A [`ContextManager`] takes items and gives prompts. An item's bytes are made once, when it is
//! recorded, and never change; a [`Prompt`] is those bytes in their order, with the few repairs that
//! a provider insists on made in the view alone. A step costs what it adds, whatever the length of
//! the history, and a prompt can prove that it extends an earlier one.
//!
//! The rules themselves (which output answers which call, what starts a turn, what a rollback takes
//! with it) are in [`Ledger`], which decides from [`ItemFacts`] and never looks at what an item holds:
//! a live history and a replay that leaves the bytes in their file are both one.
//!
//! Files, clocks and models are left to others. To rebuild the history of a stored session, recording
//! its items is not enough: rollbacks and compactions are records of their own, and the crate
//! `annals-replay` heeds them.
//!
//! # Example
//!
//! ```
//! use annals_history::{ContextManager, ItemEnvelope, PromptOptions};
//!
//! let user = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"list"}]}"#;
//! let call = r#"{"type":"function_call","name":"ls","arguments":"{}","call_id":"c1"}"#;
//! let output = r#"{"type":"function_call_output","call_id":"c1","output":"a.txt"}"#;
//!
//! let mut history = ContextManager::new();
//! let mut earlier = history.for_prompt(PromptOptions::default());
//! for step in [vec![user], vec![call, output]] {
//!     let items: Result<Vec<_>, _> = step.into_iter().map(ItemEnvelope::parse).collect();
//!     history.record(items?, None);
//!     let prompt = history.for_prompt(PromptOptions::default());
//!     assert!(prompt.compare(&earlier).is_prefix());
//!     earlier = prompt;
//! }
//! assert_eq!(earlier.to_vec(), format!("[{user},{call},{output}]").into_bytes());
//! # Ok::<(), annals_history::DecodeError>(())
//! ```
#![forbid(unsafe_code)]

mod body;
mod compaction;
mod delivered;
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

// What the signatures here name, so that a program needs no second crate to call them.
#[doc(no_inline)]
pub use annals_context_fragments::TruncationBudget;
#[doc(no_inline)]
pub use annals_protocol::{
    DecodeError, ItemMetadata, ItemType, PreviousTurnSettings, RawJson, ResponseItem,
    TruncationMode, TruncationPolicy, TurnAttribution,
};
#[doc(no_inline)]
pub use annals_world_state::WorldStateSnapshot;
