//! The sections that annals knows, one file each.
//!
//! A host builds those it needs at each step and puts them into a [`WorldState`](crate::WorldState).

mod model;

pub use model::{ModelSection, ModelSnapshot};
