//! Loading chains of AGENTS.md files from real directories.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod cases;
mod chain;
mod links;
mod tree;
