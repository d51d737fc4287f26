//! The fragments of the catalogue from outside: their shapes, their caps, and how they are recognized.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do"
)]

mod caps;
mod cases;
mod every;
mod invariants;
mod merging;
mod promises;
mod reading;
mod recognition;
mod shapes;
