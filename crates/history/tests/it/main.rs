//! Integration tests of the history.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod cases;
mod compaction;
mod estimates;
mod items;
mod model;
mod promises;
mod properties;
mod rules;
