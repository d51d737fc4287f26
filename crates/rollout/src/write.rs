//! Writing: records in, lines on disk, and a promise of how safe they are.

pub(crate) mod close;
pub(crate) mod depth;
pub(crate) mod disk;
pub(crate) mod durability;
pub(crate) mod line;
pub(crate) mod pending;
pub(crate) mod record;
pub(crate) mod recorder;
pub(crate) mod shared;
pub(crate) mod state;
pub(crate) mod sync;
pub(crate) mod tail;
pub(crate) mod writer;
