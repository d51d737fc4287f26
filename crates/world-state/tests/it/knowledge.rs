//! What a model knows that reads everything it was told from top to bottom: the last word on each
//! field wins.

use annals_context_fragments::RenderedFragment;
use annals_context_fragments::catalog::{
    ApprovedCommandPrefixSaved, CollaborationModeInstructions, ContextWindow,
    ContextWindowGuidance, EnvironmentBlock, EnvironmentContext, EnvironmentFacts,
    EnvironmentStatus, FilesystemRules, Known, ManagedDeveloperInstructions, ModelCatalog,
    MultiAgentMode, MultiAgentModeInstructions, NetworkRules, PersistentModeInstructions,
    UserInstructions,
};
use annals_world_state::{Telling, ToldItem};
use std::collections::{BTreeMap, BTreeSet};

#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing that is on or off"
)]
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Knowledge {
    agents_md: Option<String>,
    rules: Option<String>,
    prefixes: BTreeSet<String>,
    mode: Option<String>,
    guidance: Option<String>,
    persistent: Option<String>,
    managed: Option<String>,
    is_spoken: bool,
    has_several_environments: bool,
    has_apps: bool,
    has_plugins: bool,
    deferred: BTreeMap<String, String>,
    catalog: Option<String>,
    agent: Option<String>,
    hint: Option<String>,
    agent_mode: Option<MultiAgentModeInstructions>,
    world: Surroundings,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Surroundings {
    environments: BTreeMap<String, Place>,
    shell_version: Option<String>,
    date: Option<String>,
    zone: Option<String>,
    network: Option<NetworkRules>,
    files: Option<FilesystemRules>,
    agents: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Place {
    cwd: Option<String>,
    shell: Option<String>,
    is_starting: bool,
    is_primary: Option<bool>,
}

/// The name of an environment that stands alone: nobody told its id.
const ALONE: &str = "";

impl Knowledge {
    pub(crate) fn of(tellings: &[Telling]) -> Self {
        let mut knowledge = Self::default();
        for telling in tellings {
            knowledge.read(telling);
        }
        knowledge.settled()
    }

    fn read(&mut self, telling: &Telling) {
        for item in telling.items() {
            if let ToldItem::Message(message) = item {
                for fragment in message.fragments() {
                    self.read_fragment(fragment);
                }
            }
        }
    }

    /// Without what is no knowledge: the id of a single environment, which one is its primary one,
    /// and a mode that allows what no mode allows.
    fn settled(mut self) -> Self {
        let places = &mut self.world.environments;
        if places.len() == 1
            && let Some((_, mut place)) = places.pop_first()
        {
            place.is_primary = None;
            let name = if place.is_starting { "starting" } else { ALONE };
            places.insert(name.to_owned(), place);
        }
        let on_request = MultiAgentModeInstructions::new(MultiAgentMode::ExplicitRequestOnly);
        self.agent_mode = self.agent_mode.filter(|mode| *mode != on_request);
        self
    }

    fn read_fragment(&mut self, fragment: &RenderedFragment) {
        let text = fragment.text();
        let owned = |text: Option<&str>| text.map(str::to_owned);
        match fragment.kind().as_str() {
            "agents_md.instructions" => {
                self.agents_md = owned(UserInstructions::read(text).unwrap().text());
            }
            "permissions.instructions" => self.read_rules(text),
            "permissions.approved_command_prefix_saved" => {
                let saved = ApprovedCommandPrefixSaved::read(text).unwrap();
                self.prefixes
                    .extend(saved.prefixes().iter().map(|words| words.join(" ")));
            }
            "collaboration_mode.instructions" => {
                let mode = CollaborationModeInstructions::read(text).unwrap();
                self.mode = Some(mode.text().to_owned()).filter(|text| !text.is_empty());
            }
            "token_budget.context_window_guidance" => {
                self.guidance = owned(ContextWindowGuidance::read(text).unwrap().text());
            }
            "persistent_mode.instructions" => {
                self.persistent = owned(PersistentModeInstructions::read(text).unwrap().text());
            }
            "managed_config.developer_instructions" => {
                self.managed = owned(ManagedDeveloperInstructions::read(text).unwrap().text());
            }
            "realtime.start_instructions" => self.is_spoken = true,
            "realtime.end_instructions" => self.is_spoken = false,
            "environments.instructions" => self.has_several_environments = true,
            "environments.withdrawn" => self.has_several_environments = false,
            "apps.instructions" => self.has_apps = true,
            "apps.withdrawn" => self.has_apps = false,
            "plugins.usage_instructions" => self.has_plugins = true,
            "plugins.withdrawn" => self.has_plugins = false,
            "tools.deferred_namespaces" => self.read_deferred(text),
            "multi_agent.model_catalog" => {
                let ids = ModelCatalog::read_ids(text).unwrap();
                self.catalog = (!ids.is_empty()).then(|| text.to_owned());
            }
            "token_budget.context_window" => {
                self.agent = Some(ContextWindow::read(text).unwrap().agent);
            }
            "multi_agent.usage_hint" => self.hint = Some(text.to_owned()),
            "multi_agent.mode_instructions" => {
                self.agent_mode = MultiAgentModeInstructions::read(text);
            }
            "environments.environment_context" => {
                self.world.read(EnvironmentContext::read(text).unwrap());
            }
            // A switch of the model is an event: it says nothing of what holds now.
            "model_switch.instructions" => {}
            other => panic!("nobody reads {other}"),
        }
    }

    fn read_rules(&mut self, text: &str) {
        let is_prefix = |line: &&str| line.starts_with("- [");
        self.prefixes = text
            .lines()
            .filter(is_prefix)
            .filter_map(|line| serde_json::from_str::<Vec<String>>(line.get(2..)?).ok())
            .map(|words| words.join(" "))
            .collect();
        let rules: Vec<&str> = text
            .lines()
            .filter(|line| !is_prefix(line))
            .filter(|line| !line.contains("pproved"))
            .collect();
        self.rules = Some(rules.join("\n"));
    }

    fn read_deferred(&mut self, text: &str) {
        let mut is_removed = false;
        for line in text.lines() {
            if line.ends_with(':') {
                is_removed = line.starts_with("Removed");
            }
            let Some(entry) = line.strip_prefix("- ") else {
                continue;
            };
            if is_removed {
                self.deferred.remove(entry);
            } else if let Some((name, what)) = entry.split_once(": ") {
                self.deferred.insert(name.to_owned(), what.to_owned());
            }
        }
    }
}

fn value(known: Known) -> Option<String> {
    match known {
        Known::Value(value) => Some(value),
        Known::Unavailable => None,
    }
}

impl Surroundings {
    fn read(&mut self, told: EnvironmentContext) {
        if told.cwd.is_some() || told.shell.is_some() {
            // Told without a name: of the only environment, and it can be used.
            let (id, mut place) = match self.environments.len() {
                1 => self.environments.pop_first().unwrap(),
                0 => (ALONE.to_owned(), Place::default()),
                n => panic!("{n} environments, and a directory of none of them"),
            };
            place.is_starting = false;
            place.cwd = told.cwd.or(place.cwd);
            place.shell = told.shell.map_or(place.shell, value);
            self.environments.insert(id, place);
        }
        if !told.environments.is_empty() {
            // Whatever stood alone is told by its name from here.
            self.environments.remove(ALONE);
        }
        for facts in told.environments {
            self.read_environment(facts);
        }
        self.shell_version = told.shell_version.map_or(self.shell_version.take(), value);
        self.date = told.current_date.or(self.date.take());
        self.zone = told.timezone.or(self.zone.take());
        self.network = told.network.or(self.network.take());
        self.files = told.filesystem.or(self.files.take());
        if !told.subagents.is_empty() {
            self.agents = told.subagents;
        }
        for block in told.unavailable {
            match block {
                EnvironmentBlock::CurrentDate => self.date = None,
                EnvironmentBlock::Timezone => self.zone = None,
                EnvironmentBlock::Network => self.network = None,
                EnvironmentBlock::Filesystem => self.files = None,
                EnvironmentBlock::Subagents => self.agents.clear(),
                other => panic!("nobody reads {other:?}"),
            }
        }
    }

    fn read_environment(&mut self, facts: EnvironmentFacts) {
        if facts.status == Some(EnvironmentStatus::Unavailable) {
            self.environments.remove(&facts.id);
            return;
        }
        let place = self.environments.entry(facts.id).or_default();
        place.cwd = facts.cwd.or(place.cwd.take());
        place.shell = facts.shell.map_or(place.shell.take(), value);
        place.is_primary = facts.is_primary.or(place.is_primary);
        if let Some(status) = facts.status {
            place.is_starting = status == EnvironmentStatus::Starting;
        }
    }
}
