//! The world state as its users see it: whole tellings, read as a model reads them.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, in its helpers too"
)]

mod assembly;
mod cases;
mod corpus;
mod host;
mod knowledge;
mod reader;
mod rows;
mod shared;
