//! Where the model works: environments, date, time zone, rules, sub-agents.
//!
//! Asking the clock and the machine is left to the caller.

mod difference;

use self::difference::Difference;
use crate::{
    history::TextPart,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::SectionUpdate,
};
use annals_context_fragments::catalog::{
    EnvironmentContext, EnvironmentStatus, FilesystemRules, NetworkRules,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The environments with all that is the same in each of them.
///
/// Everything is told at first; afterwards only the facts that changed. A fact that is gone is told
/// as unavailable, and so is an environment. Where there is one environment its directory and shell
/// stand alone; where there are several each has an element of its own, and when the one form takes
/// the place of the other what is known is told again in the new form.
///
/// # Shape
/// ```json
/// {"environments":{"local":{"cwd":"/repo","shell":"bash","status":"available"}},
///  "current_date":"2026-12-01","timezone":"Etc/UTC","filesystem":"<filesystem>…</filesystem>"}
/// ```
///
/// # Example
/// ```
/// use annals_world_state::{
///     HistoryView, WorldState,
///     sections::{EnvironmentsSection, EnvironmentState},
/// };
/// # fn main() -> Result<(), annals_world_state::StateError> {
/// let world = |cwd: &str| {
///     let mut section = EnvironmentsSection::default();
///     section.environments.insert("local".to_owned(), EnvironmentState::available(cwd, "bash"));
///     section.current_date = Some("2026-12-01".to_owned());
///     let mut world = WorldState::new();
///     world.insert(section).map(|()| world)
/// };
/// let told = world("/a")?.render_full();
/// let told = world("/b")?.render_diff(Some(told.snapshot()), HistoryView::Intact);
/// assert_eq!(
///     told.updates()[0].fragment().map(|f| f.text()),
///     Some("<environment_context>\n  <cwd>/b</cwd>\n</environment_context>")
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnvironmentsSection {
    /// The environments by id.
    pub environments: BTreeMap<String, EnvironmentState>,
    /// The version of the shell.
    pub shell_version: Option<String>,
    /// The date, `YYYY-MM-DD`.
    pub current_date: Option<String>,
    /// The time zone by its name.
    pub timezone: Option<String>,
    /// What of the network may be reached.
    pub network: Option<NetworkRules>,
    /// What of the file system may be read and written.
    pub filesystem: Option<FilesystemRules>,
    /// The running sub-agents by path, in order. The fragment shows eight, within 1,024 bytes, and
    /// counts the rest.
    pub subagents: Vec<String>,
}

/// One environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvironmentState {
    /// Its working directory, in the style of its own system.
    pub cwd: String,
    /// Whether it can be used.
    pub status: EnvironmentReadiness,
    /// Its shell, once it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shell: Option<String>,
    /// Whether commands go to it if none is named. It counts only where there are several.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_primary: bool,
}

/// Whether an environment can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EnvironmentReadiness {
    /// It is being made ready.
    Starting,
    /// It can be used.
    Available,
}

impl EnvironmentReadiness {
    fn status(self) -> EnvironmentStatus {
        match self {
            Self::Starting => EnvironmentStatus::Starting,
            Self::Available => EnvironmentStatus::Available,
        }
    }
}

impl EnvironmentState {
    /// An environment that can be used.
    pub fn available<C: Into<String>, S: Into<String>>(cwd: C, shell: S) -> Self {
        Self {
            cwd: cwd.into(),
            status: EnvironmentReadiness::Available,
            shell: Some(shell.into()),
            is_primary: false,
        }
    }

    /// An environment that is being made ready.
    pub fn starting<C: Into<String>>(cwd: C) -> Self {
        Self {
            cwd: cwd.into(),
            status: EnvironmentReadiness::Starting,
            shell: None,
            is_primary: false,
        }
    }

    /// The same, as the one that commands go to if none is named.
    #[must_use]
    pub fn primary(mut self) -> Self {
        self.is_primary = true;
        self
    }
}

/// The stored form of an [`EnvironmentsSection`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EnvironmentsSnapshot {
    environments: BTreeMap<String, EnvironmentState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shell_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timezone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    filesystem: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subagents: Option<String>,
}

impl WorldStateSection for EnvironmentsSection {
    const ID: &'static str = "environments";
    const RETAINED: bool = true;
    type Snapshot = EnvironmentsSnapshot;

    fn snapshot(&self) -> EnvironmentsSnapshot {
        let several = self.environments.len() > 1;
        let stored = |state: &EnvironmentState| {
            let mut state = state.clone();
            state.is_primary &= several;
            state
        };
        EnvironmentsSnapshot {
            environments: self
                .environments
                .iter()
                .map(|(id, state)| (id.clone(), stored(state)))
                .collect(),
            shell_version: self.shell_version.clone(),
            current_date: self.current_date.clone(),
            timezone: self.timezone.clone(),
            network: self.network.as_ref().map(|rules| rules.render().0),
            filesystem: self.filesystem.as_ref().map(|rules| rules.render().0),
            subagents: (!self.subagents.is_empty()).then(|| self.subagents.join("\n")),
        }
    }

    fn render_diff(
        &self,
        previous: PreviousSectionState<'_, EnvironmentsSnapshot>,
    ) -> SectionTransition {
        let nothing = EnvironmentsSnapshot::default();
        let known = previous.known().unwrap_or(&nothing);
        let context = Difference {
            section: self,
            known,
            now: &self.snapshot(),
        }
        .context();
        (!context.is_empty())
            .then(|| SectionUpdate::of(&context))
            .into()
    }

    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        part.is::<EnvironmentContext>("user")
    }

    fn render_removal(
        previous: PreviousSectionState<'_, EnvironmentsSnapshot>,
    ) -> Vec<SectionUpdate> {
        Self::default().render_diff(previous).updates
    }
}

#[cfg(test)]
#[path = "environments_tests.rs"]
mod tests;
