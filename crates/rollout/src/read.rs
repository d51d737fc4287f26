//! Reading: lines, records, faults, sources and lineages.

pub(crate) mod backward;
pub(crate) mod fault;
pub(crate) mod head;
pub(crate) mod lineage;
pub(crate) mod lines;
pub(crate) mod records;
pub(crate) mod recover;
pub(crate) mod source;
pub(crate) mod spans;
pub(crate) mod spool;
pub(crate) mod typed;
