//! Shape renderer, faulty store, conformance suite and fixtures for annals and its users.

pub mod bench;
pub mod session;
