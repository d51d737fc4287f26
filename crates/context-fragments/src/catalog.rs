//! The fragments that annals knows: one file each, and the list that recognition goes through.
//!
//! A file holds the struct, its row ([`FragmentSpec`]) and its body. Constructors say what they refuse; whatever they
//! accept renders within the cap.

use crate::FragmentSpec;

/// Takes role, kind, markers and cap of a fragment from its row, where they stand once.
macro_rules! facts_of_spec {
    () => {
        fn role(&self) -> $crate::Role {
            Self::SPEC.role()
        }
        fn content_kind(&self) -> $crate::ContentKind {
            Self::SPEC.content_kind()
        }
        fn markers(&self) -> $crate::Markers {
            Self::SPEC.markers()
        }
        fn type_markers() -> $crate::Markers {
            Self::SPEC.markers()
        }
        fn cap(&self) -> $crate::Cap {
            Self::SPEC.cap()
        }
    };
}

mod additional_context;
mod approved_prefixes;
mod apps_instructions;
mod base_instructions;
mod collaboration_mode;
mod compaction_summary;
mod context_window;
mod context_window_guidance;
mod deferred_tools;
mod developer_instructions;
mod environment_context;
mod environment_rules;
mod environments_instructions;
mod extension_context;
mod extension_section;
mod guidance_withdrawn;
mod hook_context;
mod hook_prompt;
mod internal_context;
mod legacy;
mod managed_instructions;
mod markup;
mod model_catalog;
mod model_instructions;
mod model_switch;
mod multi_agent_mode;
mod multi_agent_role;
mod multi_agent_usage_hint;
mod permissions;
mod persistent_mode;
mod plugins_instructions;
mod realtime;
mod recommended_plugins;
mod replaceable;
mod skill;
mod skills_catalog;
mod subagent_notification;
mod text;
mod thread_instructions;
mod token_budget;
mod tool_updates;
mod turn_aborted;
mod user_instructions;
mod user_shell_command;

pub use additional_context::AdditionalContext;
pub use approved_prefixes::ApprovedCommandPrefixSaved;
pub use apps_instructions::AppsInstructions;
pub use base_instructions::BaseInstructions;
pub use collaboration_mode::CollaborationModeInstructions;
pub use compaction_summary::CompactionSummary;
pub use context_window::ContextWindow;
pub use context_window_guidance::ContextWindowGuidance;
pub use deferred_tools::DeferredTools;
pub use developer_instructions::DeveloperInstructions;
pub use environment_context::{
    EnvironmentBlock, EnvironmentContext, EnvironmentFacts, EnvironmentStatus, Known,
};
pub use environment_rules::{
    FileAccess, FileTarget, FilesystemKind, FilesystemRules, NetworkRules, PermissionProfile,
};
pub use environments_instructions::EnvironmentsInstructions;
pub use extension_context::ExtensionContext;
pub use extension_section::ExtensionSectionText;
pub use guidance_withdrawn::{AppsWithdrawn, EnvironmentsWithdrawn, PluginsWithdrawn};
pub use hook_context::HookAdditionalContext;
pub use hook_prompt::HookPrompt;
pub use internal_context::InternalContext;
pub use managed_instructions::ManagedDeveloperInstructions;
pub use model_catalog::{CatalogModel, ModelCatalog};
pub use model_instructions::ModelInstructions;
pub use model_switch::ModelSwitchInstructions;
pub use multi_agent_mode::{MultiAgentMode, MultiAgentModeInstructions};
pub use multi_agent_role::MultiAgentRoleInstructions;
pub use multi_agent_usage_hint::MultiAgentUsageHint;
pub use permissions::{ApprovalPolicy, ApprovalReviewer, PermissionsInstructions, SandboxMode};
pub use persistent_mode::PersistentModeInstructions;
pub use plugins_instructions::AvailablePluginsInstructions;
pub use realtime::{RealtimeEndInstructions, RealtimeStartInstructions};
pub use recommended_plugins::RecommendedPlugins;
pub use skill::SkillInstructions;
pub use skills_catalog::{SkillsInstructions, SkillsSource};
pub use subagent_notification::{SubagentNotification, SubagentStatus};
pub use thread_instructions::ThreadInstructions;
pub use token_budget::{TokenBudgetRemaining, TokenBudgetReminder};
pub use tool_updates::{IncrementalToolsHint, RemovedTools};
pub use turn_aborted::TurnAborted;
pub use user_instructions::{JoinedInstructions, UserInstructions};
pub use user_shell_command::UserShellCommand;

/// Every row, in the order in which texts are compared with them: the most frequent first.
pub static ALL: &[FragmentSpec] = &[
    UserInstructions::SPEC,
    EnvironmentContext::SPEC,
    PermissionsInstructions::SPEC,
    SkillsInstructions::HOST_SPEC,
    SkillsInstructions::SPEC,
    CollaborationModeInstructions::SPEC,
    ModelSwitchInstructions::SPEC,
    ModelInstructions::SPEC,
    BaseInstructions::SPEC,
    DeveloperInstructions::SPEC,
    ThreadInstructions::SPEC,
    ManagedDeveloperInstructions::SPEC,
    PersistentModeInstructions::SPEC,
    ContextWindowGuidance::SPEC,
    ContextWindow::SPEC,
    RealtimeStartInstructions::SPEC,
    RealtimeEndInstructions::SPEC,
    MultiAgentModeInstructions::SPEC,
    MultiAgentUsageHint::SPEC,
    MultiAgentRoleInstructions::SPEC,
    ModelCatalog::SPEC,
    EnvironmentsInstructions::SPEC,
    EnvironmentsWithdrawn::SPEC,
    AppsInstructions::SPEC,
    AppsWithdrawn::SPEC,
    AvailablePluginsInstructions::SPEC,
    PluginsWithdrawn::SPEC,
    RecommendedPlugins::SPEC,
    DeferredTools::SPEC,
    IncrementalToolsHint::SPEC,
    RemovedTools::SPEC,
    ApprovedCommandPrefixSaved::SPEC,
    CompactionSummary::SPEC,
    TurnAborted::SPEC,
    UserShellCommand::SPEC,
    SkillInstructions::SPEC,
    SubagentNotification::SPEC,
    HookPrompt::SPEC,
    HookAdditionalContext::SPEC,
    InternalContext::SPEC,
    ExtensionContext::SPEC,
    AdditionalContext::SPEC,
    TokenBudgetRemaining::SPEC,
    TokenBudgetReminder::SPEC,
    legacy::USER_INSTRUCTIONS_TAG,
    legacy::GOAL_CONTEXT,
    legacy::PERSONALITY,
    legacy::TOKEN_BUDGET,
    legacy::ROLLOUT_BUDGET,
];
