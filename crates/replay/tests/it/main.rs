//! Integration tests of the replay.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod bug_inputs;
mod cases;
mod corpus;
mod display;
mod from_end;
mod lines;
mod live;
mod reconstruction;
mod reference;
mod rows;
mod rules;
mod session;
mod shapes;
mod turns;
