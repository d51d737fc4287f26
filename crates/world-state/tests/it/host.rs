//! A host in small: settings in, a world state out, and the history that grows of it.

use annals_context_fragments::catalog::{
    ApprovalPolicy, CatalogModel, ContextWindow, MultiAgentMode, PermissionsInstructions,
    SandboxMode,
};
use annals_world_state::sections::{
    AgentsMdSection, AppsInstructionsSection, CollaborationModeSection,
    ContextWindowGuidanceSection, ContextWindowSection, DeferredToolsSection, EnvironmentState,
    EnvironmentsInstructionsSection, EnvironmentsSection, ManagedInstructionsSection,
    ModelCatalogSection, ModelSection, MultiAgentModeSection, MultiAgentUsageHintSection,
    PermissionsSection, PersistentModeSection, PluginsInstructionsSection, RealtimeSection,
};
use annals_world_state::{
    HistoryView, Telling, TextPart, ToldItem, WorldState, WorldStateSnapshot,
};

/// Everything that a host has to say.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing that is on or off"
)]
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) model: String,
    pub(crate) model_of_turn_before: Option<String>,
    pub(crate) guidance: String,
    pub(crate) agent: String,
    pub(crate) is_spoken: bool,
    pub(crate) agents_md: String,
    pub(crate) permissions: PermissionsInstructions,
    pub(crate) mode: String,
    pub(crate) persistent: String,
    pub(crate) environments: EnvironmentsSection,
    pub(crate) has_several_environments: bool,
    pub(crate) has_apps: bool,
    pub(crate) has_plugins: bool,
    pub(crate) deferred: Vec<(String, String)>,
    pub(crate) catalog: Vec<String>,
    pub(crate) hint: String,
    pub(crate) agent_mode: Option<MultiAgentMode>,
    pub(crate) managed: String,
}

impl Settings {
    /// A host with an environment, rules and a file of instructions, and nothing else.
    pub(crate) fn plain() -> Self {
        let mut environments = EnvironmentsSection::default();
        environments.environments.insert(
            "local".to_owned(),
            EnvironmentState::available("/repo", "bash"),
        );
        environments.current_date = Some("2026-12-01".to_owned());
        environments.timezone = Some("Etc/UTC".to_owned());
        Self {
            model: "model-a".to_owned(),
            model_of_turn_before: None,
            guidance: String::new(),
            agent: "/root".to_owned(),
            is_spoken: false,
            agents_md: "Use tabs.".to_owned(),
            permissions: PermissionsInstructions::new(
                SandboxMode::WorkspaceWrite,
                ApprovalPolicy::OnRequest,
            ),
            mode: String::new(),
            persistent: String::new(),
            environments,
            has_several_environments: false,
            has_apps: false,
            has_plugins: false,
            deferred: Vec::new(),
            catalog: Vec::new(),
            hint: "Two at most.".to_owned(),
            agent_mode: None,
            managed: String::new(),
        }
    }

    /// A host that uses everything.
    pub(crate) fn rich() -> Self {
        Self {
            guidance: "Keep notes.".to_owned(),
            is_spoken: true,
            mode: "Plan first.".to_owned(),
            persistent: "Work on.".to_owned(),
            has_several_environments: true,
            has_apps: true,
            has_plugins: true,
            deferred: vec![("git".to_owned(), "Repositories.".to_owned())],
            catalog: vec!["model-a".to_owned()],
            agent_mode: Some(MultiAgentMode::Proactive),
            managed: "Never push.".to_owned(),
            ..Self::plain()
        }
    }

    pub(crate) fn set_cwd(&mut self, cwd: &str) {
        self.environments
            .environments
            .insert("local".to_owned(), EnvironmentState::available(cwd, "bash"));
    }

    fn directory(&self) -> Option<&str> {
        self.environments
            .environments
            .values()
            .next()
            .map(|state| state.cwd.as_str())
    }

    /// All sections in their order; those that this host has no use for are left out.
    pub(crate) fn world(&self) -> WorldState {
        let mut world = self.small_world();
        let window = ContextWindow {
            agent: self.agent.clone(),
            ..ContextWindow::default()
        };
        let hint = MultiAgentUsageHintSection::hint(self.hint.as_str());
        let mode = match &self.agent_mode {
            Some(mode) => MultiAgentModeSection::new(mode.clone()),
            None => MultiAgentModeSection::none(),
        };
        let model = |id: &String| CatalogModel {
            id: id.clone(),
            ..CatalogModel::default()
        };
        let catalog = self.catalog.iter().map(model).collect();
        world
            .insert_before("context_window_guidance", ContextWindowSection::new(window))
            .unwrap();
        world
            .insert(DeferredToolsSection::new(self.deferred.clone()))
            .unwrap();
        world.insert(ModelCatalogSection::new(catalog)).unwrap();
        world.insert(hint.clone()).unwrap();
        world.insert(mode.following(&hint)).unwrap();
        world
            .insert(ManagedInstructionsSection::new(&self.managed).unwrap())
            .unwrap();
        world
    }

    /// Without sub-agents, deferred tools and managed rules.
    pub(crate) fn small_world(&self) -> WorldState {
        let mut model = ModelSection::new(self.model.as_str())
            .with_instructions(format!("Work as {} does.", self.model))
            .unwrap();
        if let Some(before) = &self.model_of_turn_before {
            model = model.after(before.as_str());
        }
        let realtime = if self.is_spoken {
            RealtimeSection::active()
        } else {
            RealtimeSection::inactive()
        };
        let agents_md = AgentsMdSection::new(self.directory(), self.agents_md.as_str());
        let several = EnvironmentsInstructionsSection::from(self.has_several_environments);
        let mode = CollaborationModeSection::new("mode", &self.model, &self.mode).unwrap();
        let persistent = PersistentModeSection::new(&self.persistent).unwrap();
        let guidance = ContextWindowGuidanceSection::new(&self.guidance).unwrap();
        let mut world = WorldState::new();
        world.insert(model).unwrap();
        world.insert(guidance).unwrap();
        world.insert(realtime).unwrap();
        world.insert(agents_md).unwrap();
        world
            .insert(PermissionsSection::new(self.permissions.clone()))
            .unwrap();
        world.insert(mode).unwrap();
        world.insert(persistent).unwrap();
        world.insert(self.environments.clone()).unwrap();
        world.insert(several).unwrap();
        world
            .insert(AppsInstructionsSection::from(self.has_apps))
            .unwrap();
        world
            .insert(PluginsInstructionsSection::from(self.has_plugins))
            .unwrap();
        world
    }
}

/// A history that only grows: the text parts with their roles and kinds, and the baseline.
#[derive(Debug, Clone, Default)]
pub(crate) struct Thread {
    pub(crate) parts: Vec<(String, String, Option<String>)>,
    pub(crate) baseline: Option<WorldStateSnapshot>,
    pub(crate) messages: Vec<String>,
}

impl Thread {
    /// Records what is told first, and the state second.
    pub(crate) fn record(&mut self, telling: &Telling) {
        for item in telling.items() {
            self.messages.push(shape(&item));
            if let ToldItem::Message(message) = item {
                for fragment in message.fragments() {
                    self.parts.push((
                        message.role().as_str().to_owned(),
                        fragment.text().to_owned(),
                        Some(fragment.kind().as_str().to_owned()),
                    ));
                }
            }
        }
        self.baseline = Some(telling.snapshot().clone());
    }

    /// What a turn has to tell, told.
    pub(crate) fn tell(&mut self, world: &WorldState) -> Telling {
        let telling = match &self.baseline {
            None => world.render_full(),
            Some(baseline) => world.render_diff(Some(baseline), HistoryView::Intact),
        };
        self.record(&telling);
        telling
    }

    /// A turn of the small world: what it has to tell, then the words of the user.
    pub(crate) fn turn(&mut self, settings: &Settings) {
        let telling = self.tell(&settings.small_world());
        assert_eq!(self.baseline.as_ref(), Some(telling.snapshot()));
        let text = "go on".to_owned();
        self.messages.push(format!("user text {text}"));
        self.parts
            .push(("user".to_owned(), text, Some("user.text".to_owned())));
    }

    pub(crate) fn texts(&self) -> Vec<TextPart<'_>> {
        self.parts
            .iter()
            .map(|(role, text, kind)| TextPart::new(role, text).with_kind(kind.as_deref()))
            .collect()
    }
}

/// A message by the kinds of its parts: `developer[permissions.instructions]`.
pub(crate) fn shape(item: &ToldItem) -> String {
    match item {
        ToldItem::Message(message) => {
            let kinds: Vec<_> = message
                .fragments()
                .iter()
                .map(|fragment| fragment.kind().as_str())
                .collect();
            format!("{}[{}]", message.role(), kinds.join(", "))
        }
        other => format!("{other:?}"),
    }
}

/// All messages of a telling by the kinds of their parts.
pub(crate) fn shapes(telling: &Telling) -> Vec<String> {
    telling.items().iter().map(shape).collect()
}
