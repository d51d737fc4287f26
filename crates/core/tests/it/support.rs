//! What the tests of threads share: a clock and ids that repeat, settings, a scripted model.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use annals_context_fragments::catalog::{ApprovalPolicy, PermissionsInstructions, SandboxMode};
use annals_core::{Ambient, Thread, ThreadOptions, TurnSettings, user_message};
use annals_history::{ItemEnvelope, PromptOptions};
use annals_protocol::RawJson;
use annals_rollout::store::{MemoryStore, RolloutStore};
use uuid::Uuid;

/// The result of a test and of what it is made of.
pub(crate) type TestResult<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// A clock that goes on by a second a look, and ids in a row.
#[derive(Debug, Default)]
pub(crate) struct Counted(AtomicU64);

impl Ambient for Counted {
    fn now_unix_ms(&self) -> u64 {
        1_704_067_200_000 + self.0.load(Ordering::Relaxed)
    }

    fn new_id(&self) -> Uuid {
        let n = self.0.fetch_add(1, Ordering::Relaxed);
        Uuid::from_u128(0x018c_0000_0000_7000_8000_0000_0000_0000 + u128::from(n))
    }
}

/// Options with a clock of their own.
pub(crate) fn options() -> ThreadOptions {
    options_from(0)
}

/// Options of a process that starts later: its ids are others.
pub(crate) fn options_from(n: u64) -> ThreadOptions {
    ThreadOptions::default().with_ambient(Arc::new(Counted(AtomicU64::new(n))))
}

/// A store in memory.
pub(crate) fn memory() -> Arc<dyn RolloutStore> {
    Arc::new(MemoryStore::default())
}

/// The settings that most tests start from.
pub(crate) fn settings() -> TurnSettings {
    TurnSettings::new("model-a", "/repo")
        .with_shell("bash")
        .with_date("2024-01-01", "Etc/UTC")
        .with_agents_md(Some("/repo"), "Use tabs.")
        .with_permissions(PermissionsInstructions::new(
            SandboxMode::WorkspaceWrite,
            ApprovalPolicy::OnRequest,
        ))
}

/// An item from its JSON.
pub(crate) fn item(json: &str) -> TestResult<ItemEnvelope> {
    Ok(ItemEnvelope::new(RawJson::parse(json)?))
}

/// What the model says.
pub(crate) fn says(text: &str) -> TestResult<ItemEnvelope> {
    let text = serde_json::to_string(text)?;
    item(&format!(
        r#"{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":{text}}}]}}"#
    ))
}

/// A call of the shell tool.
pub(crate) fn calls(call_id: &str) -> TestResult<ItemEnvelope> {
    item(&format!(
        r#"{{"type":"function_call","name":"shell","arguments":"{{\"cmd\":\"ls\"}}","call_id":"{call_id}"}}"#
    ))
}

/// Begins a turn with these settings and the user's words; gives the prompt's bytes.
pub(crate) async fn asks(
    thread: &mut Thread,
    settings: &TurnSettings,
    text: &str,
) -> TestResult<Vec<u8>> {
    let world = thread.world_state(settings)?;
    let _told = thread.begin_turn(settings, world).await?;
    thread.record([user_message(text)?]).await?;
    Ok(thread.prompt(PromptOptions::default()).to_vec())
}

/// A whole turn: the user asks, the model answers.
pub(crate) async fn turn(
    thread: &mut Thread,
    settings: &TurnSettings,
    text: &str,
) -> TestResult<Vec<u8>> {
    let sent = asks(thread, settings, text).await?;
    thread.record([says(&format!("re: {text}"))?]).await?;
    thread.complete().await?;
    Ok(sent)
}

/// The same thread, shut down and resumed from what is stored.
pub(crate) async fn resumed(
    store: &Arc<dyn RolloutStore>,
    thread: &mut Thread,
) -> TestResult<Thread> {
    thread.shutdown().await?;
    Ok(Thread::resume(Arc::clone(store), thread.id(), options_from(100_000)).await?)
}
