//! Shape renderer, faulty store, conformance suite and fixtures for annals and its users.

pub mod bench;
mod faulty_disk;
pub mod session;

pub use faulty_disk::{DiskCall, DiskFault, FaultyDisk};
