//! The sections that annals knows, one file each.
//!
//! A host builds those it needs at each step and puts them into a [`WorldState`]
//! in the order of [`ORDER`], its own among them where it likes.

mod agents_md;
mod base_instructions;
mod collaboration_mode;
mod context_window;
mod context_window_guidance;
mod deferred_tools;
mod environments;
mod guidance;
mod managed_instructions;
mod model;
mod model_catalog;
mod multi_agent;
mod permissions;
mod persistent_mode;
mod realtime;
mod replaceable;
mod thread_instructions;
mod top_level_tools;

pub use agents_md::{AgentsMdSection, AgentsMdSnapshot};
pub use base_instructions::BaseInstructionsSection;
pub use collaboration_mode::{CollaborationModeSection, CollaborationModeSnapshot};
pub use context_window::ContextWindowSection;
pub use context_window_guidance::ContextWindowGuidanceSection;
pub use deferred_tools::DeferredToolsSection;
pub use environments::{
    EnvironmentReadiness, EnvironmentState, EnvironmentsSection, EnvironmentsSnapshot,
};
pub use guidance::{
    AppsInstructionsSection, EnvironmentsInstructionsSection, PluginsInstructionsSection,
};
pub use managed_instructions::ManagedInstructionsSection;
pub use model::{ModelSection, ModelSnapshot};
pub use model_catalog::ModelCatalogSection;
pub use multi_agent::{MultiAgentModeSection, MultiAgentModeSnapshot, MultiAgentUsageHintSection};
pub use permissions::{ApprovedCommandPrefixesSection, PermissionsSection, PermissionsSnapshot};
pub use persistent_mode::PersistentModeSection;
pub use realtime::{RealtimeSection, RealtimeSnapshot};
pub use replaceable::InstructionsSnapshot;
pub use thread_instructions::ThreadInstructionsSection;
pub use top_level_tools::{ToolError, TopLevelToolsSection};

use crate::{WorldState, WorldStateSection};

/// The ids of the sections in the order in which a state is told.
///
/// A host puts its extensions where they belong: those that describe skills in front of
/// `permissions`, all others behind `tools`.
pub const ORDER: [&str; 21] = [
    TopLevelToolsSection::ID,
    BaseInstructionsSection::ID,
    ModelSection::ID,
    ThreadInstructionsSection::ID,
    ContextWindowSection::ID,
    ContextWindowGuidanceSection::ID,
    RealtimeSection::ID,
    AgentsMdSection::ID,
    PermissionsSection::ID,
    ApprovedCommandPrefixesSection::ID,
    CollaborationModeSection::ID,
    PersistentModeSection::ID,
    EnvironmentsSection::ID,
    EnvironmentsInstructionsSection::ID,
    AppsInstructionsSection::ID,
    PluginsInstructionsSection::ID,
    DeferredToolsSection::ID,
    ModelCatalogSection::ID,
    MultiAgentUsageHintSection::ID,
    MultiAgentModeSection::ID,
    ManagedInstructionsSection::ID,
];

impl WorldState {
    /// Declares all sections of this module as the host's own, as [`retire`](Self::retire) does:
    /// one that is not built any more states its removal where it can.
    pub fn retire_standard_sections(&mut self) {
        self.retire::<TopLevelToolsSection>();
        self.retire::<BaseInstructionsSection>();
        self.retire::<ModelSection>();
        self.retire::<ContextWindowSection>();
        self.retire::<ContextWindowGuidanceSection>();
        self.retire::<RealtimeSection>();
        self.retire::<AgentsMdSection>();
        self.retire::<PermissionsSection>();
        self.retire::<ApprovedCommandPrefixesSection>();
        self.retire::<CollaborationModeSection>();
        self.retire::<PersistentModeSection>();
        self.retire::<EnvironmentsSection>();
        self.retire::<EnvironmentsInstructionsSection>();
        self.retire::<AppsInstructionsSection>();
        self.retire::<PluginsInstructionsSection>();
        self.retire::<DeferredToolsSection>();
        self.retire::<ModelCatalogSection>();
        self.retire::<MultiAgentUsageHintSection>();
        self.retire::<MultiAgentModeSection>();
        self.retire::<ManagedInstructionsSection>();
    }
}
