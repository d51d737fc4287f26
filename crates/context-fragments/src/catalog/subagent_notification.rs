//! News of a sub-agent.

use serde_json::{Value, json};

use super::text;
use crate::{Body, Cap, ContextualUserFragment, Cut, FragmentSpec, Role};

/// Tells the model that a sub-agent's state has changed.
///
/// **Seen by**: the model, when it happens.
///
/// **Shape**: `<subagent_notification>`, a line break, a JSON object with `agent_path` and `status`, a line break,
/// `</subagent_notification>`. A status is a word, or an object of a word and a message. `<` and `>` are written as
/// `\u003c` and `\u003e`.
///
/// ```json
/// {"agent_path":"/root/worker","status":{"completed":"done"}}
/// ```
///
/// **Bounds**: cap 1,000 tokens; a path keeps 512 bytes, a message what is left, both of their JSON form and cut with a
/// mark.
///
/// # Example
///
/// ```
/// use annals_context_fragments::ContextualUserFragment;
/// use annals_context_fragments::catalog::{SubagentNotification, SubagentStatus};
///
/// let news = SubagentNotification::new("/root/worker", SubagentStatus::Completed(Some("done".to_owned())));
/// assert_eq!(SubagentNotification::read(&news.render()), Some(news));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubagentNotification {
    agent_path: String,
    status: SubagentStatus,
}

/// The state of a sub-agent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SubagentStatus {
    /// It is being made ready.
    PendingInit,
    /// It works.
    Running,
    /// It was stopped and can go on.
    Interrupted,
    /// It has ended, with its last message.
    Completed(Option<String>),
    /// It has failed, with the reason.
    Errored(String),
    /// It was shut down.
    Shutdown,
    /// There is no such agent.
    NotFound,
}

impl SubagentNotification {
    const CAP: Cap = Cap::cutting_at::<1_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "SubagentNotification",
        Role::User,
        "multi_agent.subagent_notification",
        ("<subagent_notification>", "</subagent_notification>"),
        Self::CAP,
    )
    .event();

    const MAX_PATH_BYTES: usize = 512;
    /// The cap less markers, path and the longest frame of a status.
    const MAX_MESSAGE_BYTES: usize = 3_300;

    /// The state of the agent at this path.
    pub fn new<T: Into<String>>(agent_path: T, status: SubagentStatus) -> Self {
        Self {
            agent_path: agent_path.into(),
            status,
        }
    }

    /// The agent's path.
    pub fn agent_path(&self) -> &str {
        &self.agent_path
    }

    /// Its state.
    pub const fn status(&self) -> &SubagentStatus {
        &self.status
    }

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text::inner(&Self::SPEC, rendered)?).ok()?;
        let agent_path = value.get("agent_path")?.as_str()?.to_owned();
        let status = value.get("status")?;
        let message = |key: &str| status.get(key);
        let status = match status.as_str() {
            Some("pending_init") => SubagentStatus::PendingInit,
            Some("running") => SubagentStatus::Running,
            Some("interrupted") => SubagentStatus::Interrupted,
            Some("shutdown") => SubagentStatus::Shutdown,
            Some("not_found") => SubagentStatus::NotFound,
            Some(_) => return None,
            None => match (message("completed"), message("errored")) {
                (Some(text), _) => SubagentStatus::Completed(text.as_str().map(str::to_owned)),
                (None, Some(text)) => SubagentStatus::Errored(text.as_str()?.to_owned()),
                (None, None) => return None,
            },
        };
        Some(Self { agent_path, status })
    }
}

impl ContextualUserFragment for SubagentNotification {
    facts_of_spec!();

    fn body(&self) -> Body {
        let (path, path_cut) = json_within(&self.agent_path, Self::MAX_PATH_BYTES);
        let (status, status_cut) = match &self.status {
            SubagentStatus::PendingInit => (json!("pending_init"), None),
            SubagentStatus::Running => (json!("running"), None),
            SubagentStatus::Interrupted => (json!("interrupted"), None),
            SubagentStatus::Shutdown => (json!("shutdown"), None),
            SubagentStatus::NotFound => (json!("not_found"), None),
            SubagentStatus::Completed(None) => (json!({ "completed": null }), None),
            SubagentStatus::Completed(Some(text)) => {
                let (text, cut) = json_within(text, Self::MAX_MESSAGE_BYTES);
                (json!({ "completed": text }), cut)
            }
            SubagentStatus::Errored(text) => {
                let (text, cut) = json_within(text, Self::MAX_MESSAGE_BYTES);
                (json!({ "errored": text }), cut)
            }
        };
        let object = format!(
            "{{\"agent_path\":{},\"status\":{}}}",
            safe_json(&json!(path)),
            safe_json(&status)
        );
        Body::framed(["\n", &object, "\n"].concat(), "", "")
            .with_cut(path_cut)
            .with_cut(status_cut)
    }
}

/// JSON in which no marker can stand.
fn safe_json(value: &Value) -> String {
    value
        .to_string()
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
}

/// A text whose JSON form has at most `room_bytes`; cut with a mark if it must be.
fn json_within(value: &str, room_bytes: usize) -> (String, Option<Cut>) {
    let mut room = room_bytes;
    let (mut kept, mut cut) = Body::new(value).fit(room);
    while safe_json(&json!(kept)).len() > room_bytes && room > 0 {
        // A character takes at most six bytes in JSON, so a few halvings are enough.
        room /= 2;
        (kept, cut) = Body::new(value).fit(room);
    }
    (kept, cut)
}
