//! Shape renderer, faulty store, conformance suite and fixtures for annals and its users.

pub mod bench;
pub mod conformance;
mod faulty_disk;
mod faulty_store;
pub mod session;
mod shapes;
mod soak;

pub use faulty_disk::{DiskCall, DiskFault, FaultyDisk};
pub use faulty_store::{FaultyStore, StoreCall, StoreFault};
pub use shapes::request_shape;
pub use soak::{Dice, SoakReport, soak};

/// Runs a future on a small runtime of its own, for tests that are not async themselves.
///
/// # Errors
///
/// What the system says, if the runtime can't be made.
pub fn block_on<F: Future>(future: F) -> std::io::Result<F::Output> {
    Ok(tokio::runtime::Builder::new_current_thread()
        .build()?
        .block_on(future))
}
