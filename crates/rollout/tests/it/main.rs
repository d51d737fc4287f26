//! Integration tests of the rollout crate, one binary.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "a test that fails by panicking, and says what it left out, is what is wanted"
)]

mod bug_inputs;
mod closing;
mod compressing;
mod damage;
mod disk_faults;
mod forking;
mod golden;
mod real_sessions;
mod recording;
mod sessions;
mod shared_home;
mod stores;
mod support;
mod waking;
mod writing;
