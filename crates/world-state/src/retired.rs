//! Sections that a host knows but does not build now: they state their own removal.

use crate::{
    error::SnapshotFault,
    section::{PreviousSectionState, WorldStateSection},
    snapshot::SectionSnapshot,
    update::SectionUpdate,
};
use serde_json::Value;
use std::sync::Arc;

type RemovalFn = dyn Fn(&SectionSnapshot) -> Removal + Send + Sync;

/// What is told of a removal, and why the stored snapshot could not be used if it could not.
pub(crate) struct Removal {
    pub(crate) updates: Vec<SectionUpdate>,
    pub(crate) undecodable: Option<SnapshotFault>,
}

/// How the removal of one section is told.
#[derive(Clone)]
pub(crate) struct RetiredSection {
    pub(crate) id: Box<str>,
    render: Arc<RemovalFn>,
}

impl RetiredSection {
    pub(crate) fn of<S: WorldStateSection>() -> Self {
        Self {
            id: S::ID.into(),
            render: Arc::new(|stored| match stored.decode::<S::Snapshot>() {
                Ok(known) => Removal {
                    updates: S::render_removal(PreviousSectionState::Known(&known)),
                    undecodable: None,
                },
                Err(fault) => Removal {
                    updates: S::render_removal(PreviousSectionState::Unknown),
                    undecodable: Some(fault),
                },
            }),
        }
    }

    pub(crate) fn from_fn<F>(id: &str, render: F) -> Self
    where
        F: Fn(&Value) -> Option<SectionUpdate> + Send + Sync + 'static,
    {
        Self {
            id: id.into(),
            render: Arc::new(move |stored| Removal {
                updates: render(stored.value()).into_iter().collect(),
                undecodable: None,
            }),
        }
    }

    pub(crate) fn render(&self, stored: &SectionSnapshot) -> Removal {
        (self.render)(stored)
    }
}
