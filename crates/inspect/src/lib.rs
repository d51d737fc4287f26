//! Read-only analysis of LLM agent sessions: what the model saw, what it cost, what is broken.
//!
//! Values in, values out: nothing here prints, and no file is changed. A command line, an editor
//! plugin or a check in CI each render the same values their own way.

mod blocks;
mod checkpoint;
mod prompt_input;

pub use annals_history::{ItemDescription, PartDescription, PromptOptions};
pub use prompt_input::{Notice, PromptInput, PromptInputError, PromptInputOptions, ReadUpTo};
