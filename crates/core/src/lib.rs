//! The thread of an LLM agent: turns, steps, compaction, rollback, fork and exact resume.
//!
//! [`Thread`] runs the other crates in the one order that is right, and decides nothing itself: the
//! rules of a history, of a world state and of a replay stand in their crates.
//!
//! 1. [`Thread::create`] with [`ThreadSettings`], or [`Thread::resume`], over any
//!    [`RolloutStore`](annals_rollout::store::RolloutStore).
//! 2. [`begin_turn`](Thread::begin_turn) tells the model what it does not know yet,
//!    [`record`](Thread::record) takes what the user said, [`prompt`](Thread::prompt) is what to send.
//! 3. The model's items and the tools' outputs are recorded; [`step`](Thread::step) tells what changed
//!    meanwhile; the next prompt extends the last one, byte for byte.
//! 4. [`complete`](Thread::complete) or [`abort`](Thread::abort).
//!
//! # Observers
//!
//! [`Thread::subscribe`] gives a bounded channel ([`OBSERVER_EVENTS`]) that never waits for its reader:
//! a slow one misses the oldest events and is told how many. Events come after the store has what they
//! tell, as safe as [`ThreadOptions::durability`] asks.
//!
//! # Example
//!
//! `examples/agent_loop` is a whole agent with one tool.
#![forbid(unsafe_code)]

mod ambient;
mod error;
mod items;
mod load;
mod log;
mod moving;
mod narrate;
mod observe;
mod response;
mod rewrite;
mod settings;
mod settled;
mod stamp;
mod thread;
mod turn;
mod turn_settings;

pub use ambient::{Ambient, SystemAmbient};
pub use error::{Error, ErrorKind};
pub use items::{tool_output, user_message};
pub use observe::{OBSERVER_EVENTS, Subscription, ThreadEvent};
pub use response::ResponseOrder;
pub use rewrite::{CompactionOutcome, Injection};
pub use settings::{ThreadOptions, ThreadSettings};
pub use thread::Thread;
pub use turn::{AbortReason, Told};
pub use turn_settings::TurnSettings;
