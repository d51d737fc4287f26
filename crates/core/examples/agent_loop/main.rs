//! A small agent: one shell tool, any endpoint of the Responses kind, and a thread that comes back.
//!
//! ```sh
//! export AGENT_BASE_URL=https://api.example.com/v1 AGENT_MODEL=some-model AGENT_API_KEY=…
//! cargo run -p annals-core --example agent_loop -- "What is in this folder?"
//! cargo run -p annals-core --example agent_loop -- --resume THREAD_ID "And how large is it?"
//! ```
//!
//! The thread is kept under `~/.annals-example`; `annals show`, `cache` and `prompt-input` read it.
#![expect(clippy::print_stdout, reason = "a program talks to its user")]

mod agent;

use std::env;
use std::path::PathBuf;
use std::sync::Arc;

use agent::{Agent, Outcome};
use annals_core::{Thread, ThreadOptions, ThreadSettings};
use annals_rollout::Home;
use annals_rollout::store::{JsonlStore, RolloutStore};

const BASE_INSTRUCTIONS: &str =
    "You are a careful assistant in a terminal. Look before you answer.";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let mut words: Vec<String> = env::args().skip(1).collect();
    let resumed = match words.first() {
        Some(word) if word == "--resume" && words.len() > 1 => words.drain(..2).nth(1),
        _ => None,
    };
    let home = PathBuf::from(env::var("HOME")?).join(".annals-example");
    let store: Arc<dyn RolloutStore> = Arc::new(JsonlStore::new(Home::new(home)));
    let options = ThreadOptions::default();
    // Everything that the model ever saw comes back with the thread, byte for byte.
    let thread = match resumed {
        Some(id) => Thread::resume(store, id.parse()?, options).await?,
        None => Thread::create(store, ThreadSettings::new(BASE_INSTRUCTIONS), options).await?,
    };
    println!("thread {}", thread.id());
    let mut agent = Agent {
        thread,
        base_url: env::var("AGENT_BASE_URL")?,
        model: env::var("AGENT_MODEL")?,
        key: env::var("AGENT_API_KEY").unwrap_or_default(),
        shell: agent::run_in_shell,
        show: |text| print!("{text}"),
    };
    let outcome = agent.turn(&words.join(" ")).await;
    println!();
    agent.thread.shutdown().await?;
    outcome
}
