//! Sessions on the disk: finding, listing, searching, moving, forking, mending.

pub(crate) mod archive;
pub(crate) mod cut;
pub(crate) mod folder;
pub(crate) mod fork;
pub(crate) mod list;
pub(crate) mod lookup;
pub(crate) mod preview;
pub(crate) mod repair;
pub(crate) mod search;
pub(crate) mod stats;
pub(crate) mod threads;
pub(crate) mod walk;
