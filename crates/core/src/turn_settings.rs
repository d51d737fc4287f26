//! The settings of a turn: what the model is told of them, and what is written of them.

use annals_context_fragments::catalog::{
    ApprovalReviewer, MultiAgentMode, PermissionsInstructions, SandboxMode,
};
use annals_protocol::{RawJson, TruncationPolicy, TurnContext};
use annals_world_state::WorldState;
use annals_world_state::sections::{
    AgentsMdSection, AppsInstructionsSection, BaseInstructionsSection, CollaborationModeSection,
    ContextWindowGuidanceSection, ContextWindowSection, DeferredToolsSection, EnvironmentState,
    EnvironmentsInstructionsSection, EnvironmentsSection, ManagedInstructionsSection,
    ModelCatalogSection, ModelSection, MultiAgentModeSection, MultiAgentUsageHintSection,
    PermissionsSection, PersistentModeSection, PluginsInstructionsSection, RealtimeSection,
    ThreadInstructionsSection, TopLevelToolsSection,
};
use serde_json::json;

use crate::error::Error;

/// The settings with which a turn, or a step of one, runs.
///
/// What is set is told, and told again only as far as it changed; what was told and is not set any
/// more is taken back.
///
/// # Example
///
/// ```
/// use annals_context_fragments::catalog::{ApprovalPolicy, PermissionsInstructions, SandboxMode};
/// use annals_core::TurnSettings;
///
/// let mut settings = TurnSettings::new("model-a", "/home/dev/proj")
///     .with_shell("bash")
///     .with_date("2026-12-01", "Etc/UTC")
///     .with_agents_md(Some("/home/dev/proj"), "Use tabs.");
/// settings.permissions =
///     Some(PermissionsInstructions::new(SandboxMode::WorkspaceWrite, ApprovalPolicy::Never));
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TurnSettings {
    /// The model.
    pub model: String,
    /// What is told when a conversation goes over to this model.
    pub model_instructions: Option<String>,
    /// What makes two models compatible without a compaction.
    pub comp_hash: Option<String>,
    /// How much the model reasons.
    pub effort: Option<String>,
    /// The folder that the turn works in, absolute.
    pub cwd: String,
    /// More folders that belong to the work.
    pub workspace_roots: Vec<String>,
    /// Where the model works, with date, network and file system.
    pub environments: EnvironmentsSection,
    /// What the model may do.
    pub permissions: Option<PermissionsInstructions>,
    /// The instructions of the AGENTS.md files.
    pub agents_md: Option<AgentsMdSection>,
    /// The collaboration mode by its name, and its instructions.
    pub collaboration_mode: Option<(String, String)>,
    /// The rules of a managed configuration.
    pub managed_instructions: Option<String>,
    /// The instructions of persistent mode, where it is on.
    pub persistent_mode: Option<String>,
    /// Whether a realtime conversation is on.
    pub realtime: Option<RealtimeSection>,
    /// Which context window it is, for models that are told.
    pub context_window: Option<ContextWindowSection>,
    /// How to treat the context window.
    pub context_window_guidance: Option<String>,
    /// Whether to tell how several environments are used.
    pub environments_instructions: Option<bool>,
    /// Whether to tell how apps are used.
    pub apps_instructions: Option<bool>,
    /// Whether to tell how plugins are used.
    pub plugins_instructions: Option<bool>,
    /// Tools that are loaded when they are asked for.
    pub deferred_tools: Option<DeferredToolsSection>,
    /// Tools that are declared as an item of the input.
    pub tools: Option<TopLevelToolsSection>,
    /// Whether the base instructions travel as an item of the input.
    pub tells_base_instructions: bool,
    /// Models that sub-agents may use.
    pub model_catalog: Option<ModelCatalogSection>,
    /// How sub-agents are used.
    pub multi_agent_hint: Option<MultiAgentUsageHintSection>,
    /// When sub-agents may be started.
    pub multi_agent_mode: Option<MultiAgentMode>,
    /// How tool outputs are shortened; 10,000 tokens where nothing is set.
    pub truncation: Option<TruncationPolicy>,
    /// How many tokens the model's context has room for.
    pub context_window_tokens: Option<i64>,
}

impl TurnSettings {
    /// A model that works in a folder.
    pub fn new<M: Into<String>, C: Into<String>>(model: M, cwd: C) -> Self {
        let cwd = cwd.into();
        let mut environments = EnvironmentsSection::default();
        let mut local = EnvironmentState::available(cwd.as_str(), "sh");
        local.shell = None;
        environments.environments.insert(LOCAL.to_owned(), local);
        Self {
            model: model.into(),
            model_instructions: None,
            comp_hash: None,
            effort: None,
            workspace_roots: vec![cwd.clone()],
            cwd,
            environments,
            permissions: None,
            agents_md: None,
            collaboration_mode: None,
            managed_instructions: None,
            persistent_mode: None,
            realtime: None,
            context_window: None,
            context_window_guidance: None,
            environments_instructions: None,
            apps_instructions: None,
            plugins_instructions: None,
            deferred_tools: None,
            tools: None,
            tells_base_instructions: false,
            model_catalog: None,
            multi_agent_hint: None,
            multi_agent_mode: None,
            truncation: None,
            context_window_tokens: None,
        }
    }

    /// The shell of the local environment.
    #[must_use = "settings are values"]
    pub fn with_shell<T: Into<String>>(mut self, shell: T) -> Self {
        if let Some(local) = self.environments.environments.get_mut(LOCAL) {
            local.shell = Some(shell.into());
        }
        self
    }

    /// The date, `YYYY-MM-DD`, and the time zone by its name.
    #[must_use = "settings are values"]
    pub fn with_date<D: Into<String>, Z: Into<String>>(mut self, date: D, timezone: Z) -> Self {
        self.environments.current_date = Some(date.into());
        self.environments.timezone = Some(timezone.into());
        self
    }

    /// The text of the AGENTS.md files, and the folder where it belongs to one.
    #[must_use = "settings are values"]
    pub fn with_agents_md<T: Into<String>>(mut self, directory: Option<&str>, text: T) -> Self {
        self.agents_md = Some(AgentsMdSection::new(directory, text));
        self
    }

    /// What is told when a conversation goes over to this model.
    #[must_use = "settings are values"]
    pub fn with_model_instructions<T: Into<String>>(mut self, text: T) -> Self {
        self.model_instructions = Some(text.into());
        self
    }

    /// How much the model reasons.
    #[must_use = "settings are values"]
    pub fn with_effort<T: Into<String>>(mut self, effort: T) -> Self {
        self.effort = Some(effort.into());
        self
    }

    /// What the model may do.
    #[must_use = "settings are values"]
    pub fn with_permissions(mut self, permissions: PermissionsInstructions) -> Self {
        self.permissions = Some(permissions);
        self
    }

    /// The world as these settings have it, in a thread that is like this.
    pub(crate) fn world_state(&self, thread: &OfThread<'_>) -> Result<WorldState, Error> {
        let mut world = WorldState::new();
        world.retire_standard_sections();
        if let Some(tools) = &self.tools {
            world.insert(tools.clone())?;
        }
        if self.tells_base_instructions {
            world.insert(BaseInstructionsSection::new(thread.base_instructions)?)?;
        }
        let mut model = ModelSection::new(self.model.as_str());
        if let Some(text) = &self.model_instructions {
            model = model.with_instructions(text.as_str())?;
        }
        if let Some(previous) = thread.previous_model {
            model = model.after(previous);
        }
        world.insert(model)?;
        if let Some(text) = thread.thread_instructions {
            world.insert(ThreadInstructionsSection::new(text)?)?;
        }
        self.insert_window(&mut world)?;
        if let Some(agents_md) = &self.agents_md {
            world.insert(agents_md.clone())?;
        }
        if let Some(permissions) = &self.permissions {
            world.insert(PermissionsSection::new(permissions.clone()))?;
        }
        if let Some((mode, text)) = &self.collaboration_mode {
            world.insert(CollaborationModeSection::new(mode, &self.model, text)?)?;
        }
        if let Some(text) = &self.persistent_mode {
            world.insert(PersistentModeSection::new(text)?)?;
        }
        world.insert(self.environments.clone())?;
        self.insert_guidance(&mut world)?;
        if let Some(text) = &self.managed_instructions {
            world.insert(ManagedInstructionsSection::new(text)?)?;
        }
        Ok(world)
    }

    fn insert_window(&self, world: &mut WorldState) -> Result<(), Error> {
        if let Some(window) = &self.context_window {
            world.insert(window.clone())?;
        }
        if let Some(text) = &self.context_window_guidance {
            world.insert(ContextWindowGuidanceSection::new(text)?)?;
        }
        if let Some(realtime) = &self.realtime {
            world.insert(realtime.clone())?;
        }
        Ok(())
    }

    fn insert_guidance(&self, world: &mut WorldState) -> Result<(), Error> {
        if let Some(is_on) = self.environments_instructions {
            world.insert(EnvironmentsInstructionsSection::from(is_on))?;
        }
        if let Some(is_on) = self.apps_instructions {
            world.insert(AppsInstructionsSection::from(is_on))?;
        }
        if let Some(is_on) = self.plugins_instructions {
            world.insert(PluginsInstructionsSection::from(is_on))?;
        }
        if let Some(tools) = &self.deferred_tools {
            world.insert(tools.clone())?;
        }
        if let Some(catalog) = &self.model_catalog {
            world.insert(catalog.clone())?;
        }
        let hint = self.multi_agent_hint.as_ref();
        if let Some(hint) = hint {
            world.insert(hint.clone())?;
        }
        if let Some(mode) = &self.multi_agent_mode {
            let section = MultiAgentModeSection::new(mode.clone());
            world.insert(match hint {
                Some(hint) => section.following(hint),
                None => section,
            })?;
        }
        Ok(())
    }

    /// The payload of the `turn_context` of a turn with these settings.
    pub(crate) fn turn_context(&self, turn_id: &str) -> Result<RawJson, Error> {
        let raw = |value: serde_json::Value| RawJson::from_serialize(&value);
        let permissions = self.permissions.as_ref();
        let approval = permissions.map_or("never", |rules| rules.approval.as_str());
        let asks_user = permissions.is_none_or(|rules| rules.reviewer == ApprovalReviewer::User);
        let mode = self.collaboration_mode.as_ref();
        Ok(RawJson::from_serialize(&TurnContext {
            turn_id: Some(turn_id.to_owned()),
            root_turn_id: Some(turn_id.to_owned()),
            disabled_plugin_ids: Some(Vec::new()),
            cwd: self.cwd.clone(),
            workspace_roots: Some(self.workspace_roots.clone()),
            current_date: self.environments.current_date.clone(),
            timezone: self.environments.timezone.clone(),
            approval_policy: Some(raw(json!(approval))?),
            approvals_reviewer: asks_user.then(|| "user".to_owned()),
            sandbox_policy: Some(raw(sandbox_policy(permissions))?),
            permission_profile: None,
            active_permission_profile: None,
            file_system_sandbox_policy: None,
            model: self.model.clone(),
            comp_hash: self.comp_hash.clone(),
            personality: None,
            collaboration_mode: mode
                .map(|(mode, _)| {
                    raw(json!({"mode": mode, "settings": {"model": self.model,
                        "reasoning_effort": self.effort, "developer_instructions": null}}))
                })
                .transpose()?,
            multi_agent_version: None,
            realtime_active: Some(false),
            cyber_access_program: None,
            effort: self.effort.clone(),
            summary: Some(raw(json!("auto"))?),
            user_instructions: None,
            truncation_policy: None,
        })?)
    }
}

/// The environment that commands go to where there is one.
const LOCAL: &str = "local";

fn sandbox_policy(permissions: Option<&PermissionsInstructions>) -> serde_json::Value {
    match permissions.map(|rules| rules.sandbox) {
        Some(SandboxMode::ReadOnly) => json!({"type": "read-only"}),
        Some(SandboxMode::WorkspaceWrite) => json!({"type": "workspace-write",
            "writable_roots": permissions.map_or(&[][..], |rules| &rules.writable_roots),
            "network_access": permissions.is_some_and(|rules| rules.network_access),
            "exclude_tmpdir_env_var": false, "exclude_slash_tmp": false}),
        _ => json!({"type": "danger-full-access"}),
    }
}

/// What a world state needs to know of its thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfThread<'a> {
    pub(crate) base_instructions: &'a str,
    pub(crate) thread_instructions: Option<&'a str>,
    pub(crate) previous_model: Option<&'a str>,
}
