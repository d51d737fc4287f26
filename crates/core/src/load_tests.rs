//! A reading from the newest compaction on gives what a reading of everything gives.

use std::sync::Arc;

use annals_history::PromptOptions;
use annals_rollout::store::MemoryStore;
use proptest::prelude::*;

use super::*;
use crate::{
    CompactionOutcome, Injection, Thread, ThreadOptions, ThreadSettings, TurnSettings, tool_output,
    user_message,
};

/// What a thread lives through.
#[derive(Debug, Clone)]
enum Step {
    /// A turn of a few items, with these settings.
    Turn {
        model: u8,
        n_outputs: usize,
    },
    Compact,
    CompactInside,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0_u8..2, 0_usize..3).prop_map(|(model, n_outputs)| Step::Turn { model, n_outputs }),
        1 => Just(Step::Compact),
        1 => Just(Step::CompactInside),
    ]
}

fn settings(model: u8) -> TurnSettings {
    TurnSettings::new(if model == 0 { "model-a" } else { "model-b" }, "/repo")
        .with_agents_md(Some("/repo"), "Use tabs.")
}

async fn live(thread: &mut Thread, step: &Step) -> Result<(), Error> {
    let compacts = |thread: &Thread| thread.history().n_turns() > 0;
    match step {
        Step::Compact if compacts(thread) => {
            let outcome = CompactionOutcome::Summary("so far".to_owned());
            thread.compact(outcome, Injection::None).await
        }
        Step::Turn { .. } | Step::CompactInside => {
            let (model, n_outputs) = match step {
                Step::Turn { model, n_outputs } => (*model, *n_outputs),
                _ => (0, 1),
            };
            let settings = settings(model);
            let world = thread.world_state(&settings)?;
            thread.begin_turn(&settings, world).await?;
            thread.record([user_message("please")?]).await?;
            for n in 0..n_outputs {
                let call = format!(
                    r#"{{"type":"function_call","name":"shell","arguments":"","call_id":"c{n}"}}"#
                );
                let call = annals_history::ItemEnvelope::new(RawJson::parse(call)?);
                let output = tool_output(format!("c{n}"), "x".repeat(n * 400))?;
                thread.record([call, output]).await?;
                let _sent = thread.prompt(PromptOptions::default());
            }
            if matches!(step, Step::CompactInside) {
                let outcome = CompactionOutcome::Summary("midway".to_owned());
                thread
                    .compact(outcome, Injection::BeforeLastUserMessage)
                    .await?;
            }
            thread.complete().await
        }
        Step::Compact => Ok(()),
    }
}

/// All of what was loaded that decides how the thread goes on.
fn shown(loaded: Loaded) -> (Vec<u8>, String) {
    let mut history = loaded.history;
    let prompt = history.for_prompt(PromptOptions::default()).to_vec();
    let rest = format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        history.state(),
        history.n_turns(),
        loaded.session,
        loaded.marks.sequence,
        loaded.marks.sampled_through,
        loaded.usage,
        loaded.last_started_turn,
    );
    (prompt, rest)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn from_the_newest_compaction_or_from_the_start_is_the_same(
        steps in proptest::collection::vec(step(), 1..8),
        rolls_back in 0_usize..4,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let store: Arc<dyn RolloutStore> = Arc::new(MemoryStore::default());
            let options = ThreadOptions::default();
            let mut thread =
                Thread::create(Arc::clone(&store), ThreadSettings::new("Base."), options).await.unwrap();
            for step in &steps {
                live(&mut thread, step).await.unwrap();
            }
            thread.shutdown().await.unwrap();
            let id = thread.id();
            prop_assume!(store.head(id).await.is_ok());
            let short = Loaded::read(&*store, id).await.unwrap();
            let whole = Loaded::read_whole(&*store, id).await.unwrap();
            let is_short = !short.marks.has_all_cuts;
            let has_compaction = Loaded::last_compaction(&*store, id).await.is_ok();
            prop_assert_eq!(is_short, has_compaction, "the short way is taken where it can be");
            let (short, whole) = (shown(short), shown(whole));
            prop_assert_eq!(String::from_utf8(short.0), String::from_utf8(whole.0));
            prop_assert_eq!(short.1, whole.1);

            // A rollback past the compaction finds the turns that were passed over.
            drop(thread);
            let mut thread =
                Thread::resume(Arc::clone(&store), id, ThreadOptions::default()).await.unwrap();
            let n_turns = thread.history().n_turns();
            let dropped = thread.rollback(rolls_back).await.unwrap();
            prop_assert_eq!(dropped, rolls_back.min(n_turns));
            Ok(())
        })?;
    }
}
