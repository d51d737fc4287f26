//! Append-only, byte-stable history of what an LLM agent's model sees.
#![forbid(unsafe_code)]

mod body;
mod facts;
mod flags;
mod ledger;
mod media;
mod options;
mod pairing;
mod render;
mod repair;
mod stand_in;
mod state;
mod text;
mod truncation;

pub use body::{ItemBody, KeptItem};
pub use facts::ItemFacts;
pub use flags::ItemFlags;
pub use ledger::{Ledger, Rollback, RollbackStyle, Slot, Slots};
pub use options::PromptOptions;
pub use render::{IMAGE_REPLACED, Rendered, render_item};
pub use repair::{Repair, RepairKind};
pub use stand_in::stand_in;
pub use state::ThreadState;
pub use truncation::{
    DEFAULT_OUTPUT_TOKENS, cut_output, cut_user_message, output_budget, user_message,
};
