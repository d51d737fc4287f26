//! The program as a person runs it: arguments in, two streams and an exit code out.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail as tests do"
)]

mod cases;
mod errors;
mod habits;
mod prompt_input;
mod rewriting;
mod samples;
mod support;
mod targets;
mod walk;
