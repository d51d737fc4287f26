//! What is fixed when a thread is made.

use std::sync::Arc;

use annals_context_fragments::catalog::{BaseInstructions as BaseFragment, ThreadInstructions};
use annals_protocol::{
    BaseInstructions, ContextWindow, HistoryMode, RawJson, RecordKind, SessionMeta,
};
use annals_rollout::{Durability, NewRecord, Timestamp};
use uuid::Uuid;

use crate::ambient::{Ambient, SystemAmbient};
use crate::error::Error;

/// The member of a session's head that holds the host's instructions for one thread.
pub(crate) const THREAD_INSTRUCTIONS: &str = "thread_instructions";

/// What is fixed when a thread is made, and stands at the head of its rollout.
///
/// # Example
///
/// ```
/// use annals_core::ThreadSettings;
///
/// let settings = ThreadSettings::new("You are a careful engineer.")
///     .in_folder("/home/dev/proj")
///     .with_thread_instructions("Answer in one sentence.");
/// # let _ = settings;
/// ```
#[derive(Debug, Clone)]
pub struct ThreadSettings {
    base_instructions: String,
    instructions_of_model: Option<String>,
    thread_instructions: Option<String>,
    cwd: String,
    originator: String,
    source: String,
    model_provider: Option<String>,
    is_legacy: bool,
}

impl ThreadSettings {
    /// A thread with these base instructions. They never change afterwards.
    pub fn new<T: Into<String>>(base_instructions: T) -> Self {
        Self {
            base_instructions: base_instructions.into(),
            instructions_of_model: None,
            thread_instructions: None,
            cwd: "/".to_owned(),
            originator: "annals".to_owned(),
            source: "exec".to_owned(),
            model_provider: None,
            is_legacy: false,
        }
    }

    /// Names the model that the base instructions were written for.
    #[must_use = "settings are values"]
    pub fn for_model<T: Into<String>>(mut self, model: T) -> Self {
        self.instructions_of_model = Some(model.into());
        self
    }

    /// Adds instructions for this thread alone; more than 10,000 estimated tokens are refused when
    /// the thread is made.
    #[must_use = "settings are values"]
    pub fn with_thread_instructions<T: Into<String>>(mut self, text: T) -> Self {
        self.thread_instructions = Some(text.into());
        self
    }

    /// The folder that the thread works in, absolute.
    #[must_use = "settings are values"]
    pub fn in_folder<T: Into<String>>(mut self, cwd: T) -> Self {
        self.cwd = cwd.into();
        self
    }

    /// The program that makes the thread, and how it was started (`exec` if not set; also `cli`,
    /// `vscode`, `mcp`).
    #[must_use = "settings are values"]
    pub fn made_by<O: Into<String>, S: Into<String>>(mut self, originator: O, source: S) -> Self {
        self.originator = originator.into();
        self.source = source.into();
        self
    }

    /// Names the provider of the model.
    #[must_use = "settings are values"]
    pub fn at_provider<T: Into<String>>(mut self, provider: T) -> Self {
        self.model_provider = Some(provider.into());
        self
    }

    /// Writes records without ordinals, for programs from before there were any. Such a thread can
    /// be rolled back, but neither reverted nor forked by reference.
    #[must_use = "settings are values"]
    pub const fn without_ordinals(mut self) -> Self {
        self.is_legacy = true;
        self
    }

    /// The head of a thread with this id.
    pub(crate) fn head(&self, id: Uuid, ambient: &dyn Ambient) -> Result<RawJson, Error> {
        let _checked = BaseFragment::new(self.base_instructions.as_str())?;
        let provenance = match &self.instructions_of_model {
            Some(model) => serde_json::json!({"type": "model", "model": model}),
            None => serde_json::json!({"type": "custom"}),
        };
        let head = RawJson::from_serialize(&SessionMeta {
            account_scoped: None,
            creator_user_id: None,
            creator_account_id: None,
            session_id: Some(id.to_string()),
            id: id.to_string(),
            forked_from_id: None,
            forked_from_ordinal_exclusive: None,
            parent_thread_id: None,
            timestamp: Timestamp::from_unix_ms(ambient.now_unix_ms()).to_string(),
            cwd: self.cwd.clone(),
            runtime_workspace_roots: Some(vec![self.cwd.clone()]),
            originator: self.originator.clone(),
            cli_version: concat!("annals-", env!("CARGO_PKG_VERSION")).to_owned(),
            instructions: None,
            source: Some(RawJson::from_serialize(&self.source)?),
            thread_source: None,
            agent_nickname: None,
            agent_role: None,
            agent_path: None,
            model_provider: self.model_provider.clone(),
            base_instructions: Some(BaseInstructions {
                text: self.base_instructions.clone(),
                provenance: Some(RawJson::from_serialize(&provenance)?),
            }),
            dynamic_tools: None,
            selected_capability_roots: None,
            memory_mode: None,
            history_mode: Some(if self.is_legacy {
                HistoryMode::Legacy
            } else {
                HistoryMode::Paginated
            }),
            history_base: None,
            subagent_history_start_ordinal: None,
            multi_agent_version: None,
            context_window: Some(ContextWindow {
                window_id: ambient.new_id().to_string(),
            }),
            git: None,
        })?;
        Ok(match &self.thread_instructions {
            None => head,
            Some(text) => {
                let checked = ThreadInstructions::new(text.as_str())?;
                head.with_member(
                    THREAD_INSTRUCTIONS,
                    &RawJson::from_serialize(checked.text())?,
                )
            }
        })
    }
}

/// How a thread runs in this process; none of it is stored.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ThreadOptions {
    /// Where time and ids come from.
    pub ambient: Arc<dyn Ambient>,
    /// How safe records are when a call returns. Whatever this is, the end of a turn is durable.
    pub durability: Durability,
}

impl Default for ThreadOptions {
    fn default() -> Self {
        Self {
            ambient: Arc::new(SystemAmbient),
            durability: Durability::Written,
        }
    }
}

impl ThreadOptions {
    /// With another clock and other ids.
    #[must_use = "options are values"]
    pub fn with_ambient(mut self, ambient: Arc<dyn Ambient>) -> Self {
        self.ambient = ambient;
        self
    }

    /// With another durability of each call.
    #[must_use = "options are values"]
    pub const fn with_durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }
}

/// The first record of a thread.
pub(crate) fn head_record(head: &RawJson, now_unix_ms: u64) -> Result<NewRecord, Error> {
    let record = NewRecord::new(RecordKind::SessionMeta, head.clone())?;
    Ok(record.at(Timestamp::from_unix_ms(now_unix_ms)))
}
