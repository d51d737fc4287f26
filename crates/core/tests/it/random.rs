//! Random lives of threads: at every point, and after a crash at any record, what is stored is what
//! was live.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use annals_core::{
    AbortReason, CompactionOutcome, Injection, Thread, ThreadSettings, TurnSettings, tool_output,
    user_message,
};
use annals_history::PromptOptions;
use annals_protocol::TokenUsage;
use annals_rollout::CutPoint;
use annals_rollout::store::{MemoryStore, ReadFrom, RolloutStore, StoredRecord};
use annals_test_support::block_on;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};

use crate::support::{TestResult, calls, options, options_from, says, settings};

/// One thing that happens to a thread.
#[derive(Debug, Clone)]
enum Op {
    Begin(u8),
    Ask,
    Answer,
    Call,
    Output,
    Think,
    Step(u8),
    Effort(u8),
    Measure(u8),
    Complete,
    Abort,
    Compact {
        inject: bool,
    },
    /// A compactor of the host's own brings a message of the user's, a call and its output.
    Replace {
        inject: bool,
    },
    Rollback(u8),
    RevertTurn,
    UndoRevert,
    UndoCompaction,
    Fork,
    Resume,
    /// The process dies when so many of the last operation's records are stored.
    Crash(u8),
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        4 => (0..4_u8).prop_map(Op::Begin),
        4 => Just(Op::Ask),
        3 => Just(Op::Answer),
        2 => Just(Op::Call),
        2 => Just(Op::Output),
        1 => Just(Op::Think),
        2 => (0..4_u8).prop_map(Op::Step),
        1 => (0..2_u8).prop_map(Op::Effort),
        1 => (0..9_u8).prop_map(Op::Measure),
        4 => Just(Op::Complete),
        1 => Just(Op::Abort),
        1 => any::<bool>().prop_map(|inject| Op::Compact { inject }),
        1 => any::<bool>().prop_map(|inject| Op::Replace { inject }),
        2 => (0..4_u8).prop_map(Op::Rollback),
        1 => Just(Op::RevertTurn),
        1 => Just(Op::UndoRevert),
        1 => Just(Op::UndoCompaction),
        1 => Just(Op::Fork),
        1 => Just(Op::Resume),
        2 => (0..6_u8).prop_map(Op::Crash),
    ];
    prop::collection::vec(op, 1..24)
}

/// A world that says of itself which one it is.
fn world(n: u8) -> TurnSettings {
    let mut settings = settings()
        .with_agents_md(Some("/repo"), format!("rule-{}.", n % 2))
        .with_date(format!("2024-01-0{}", n + 1), "Etc/UTC")
        .with_model_instructions(format!("You are model {}.", n / 2))
        .with_effort(if n == 3 { "high" } else { "low" });
    settings.model = format!("model-{}", n / 2);
    settings
}

struct Life {
    store: Arc<dyn RolloutStore>,
    thread: Thread,
    /// How many records there were before the last operation.
    before: usize,
    calls: u32,
    n_resumed: u64,
    n_proven: u64,
}

impl Life {
    async fn new(is_legacy: bool) -> TestResult<Self> {
        let store: Arc<dyn RolloutStore> = Arc::new(MemoryStore::default());
        let mut made = ThreadSettings::new("Be careful.").with_thread_instructions("Be brief.");
        if is_legacy {
            made = made.without_ordinals();
        }
        let thread = Thread::create(Arc::clone(&store), made, options()).await?;
        Ok(Self {
            store,
            thread,
            before: 0,
            calls: 0,
            n_resumed: 0,
            n_proven: 0,
        })
    }

    async fn records(&self) -> TestResult<Vec<StoredRecord>> {
        let id = self.thread.id();
        let page = self.store.read(id, ReadFrom::START, usize::MAX).await;
        Ok(page.map(|page| page.records).unwrap_or_default())
    }

    /// The first records in a store of their own, and a thread resumed from there.
    async fn copied(
        &mut self,
        records: &[StoredRecord],
    ) -> TestResult<(Arc<dyn RolloutStore>, Thread)> {
        let store = MemoryStore::default();
        let lines = records.iter().map(StoredRecord::decode);
        store.insert(self.thread.id(), lines.collect::<Result<_, _>>()?)?;
        let store: Arc<dyn RolloutStore> = Arc::new(store);
        self.n_resumed += 1;
        let options = options_from(self.n_resumed * 100_000);
        let thread = Thread::resume(Arc::clone(&store), self.thread.id(), options).await?;
        Ok((store, thread))
    }

    async fn run(&mut self, op: &Op) -> TestResult {
        let is_running = self.thread.turn_id().is_some();
        if !matches!(op, Op::Crash(_)) {
            self.before = self.records().await?.len();
        }
        let thread = &mut self.thread;
        match op {
            Op::Begin(n) if !is_running => {
                let settings = world(*n);
                let world = thread.world_state(&settings)?;
                let _told = thread.begin_turn(&settings, world).await?;
                self.knows(*n)?;
            }
            Op::Step(n) if is_running => {
                let world = thread.world_state(&world(*n))?;
                let _told = thread.step(world).await?;
            }
            Op::Ask => thread.record([user_message("and then?")?]).await?,
            Op::Answer => thread.record([says("so")?]).await?,
            Op::Call => {
                self.calls += 1;
                thread.record([calls(&format!("c{}", self.calls))?]).await?;
            }
            Op::Output => {
                let text = "0123456789".repeat(6_000);
                let output = tool_output(format!("c{}", self.calls), text)?;
                thread.record([output]).await?;
            }
            Op::Think => {
                let item =
                    r#"{"type":"reasoning","summary":[],"content":null,"encrypted_content":"E"}"#;
                thread.record([crate::support::item(item)?]).await?;
            }
            Op::Effort(n) if is_running => {
                let effort = if *n == 0 { "low" } else { "high" };
                thread.set_effort(effort).await?;
            }
            Op::Measure(n) if is_running => {
                let usage = TokenUsage {
                    total_tokens: 1_000 + i64::from(*n),
                    ..TokenUsage::default()
                };
                thread.record_usage(usage, None).await?;
            }
            Op::Complete if is_running => thread.complete().await?,
            Op::Abort if is_running => thread.abort(AbortReason::Interrupted).await?,
            Op::Compact { inject } | Op::Replace { inject } => {
                let injection = if *inject && is_running {
                    Injection::BeforeLastUserMessage
                } else {
                    Injection::None
                };
                let outcome = if matches!(op, Op::Compact { .. }) {
                    CompactionOutcome::Summary("half done".to_owned())
                } else {
                    self.calls += 1;
                    let call = format!("c{}", self.calls);
                    let output = tool_output(call.clone(), "kept")?;
                    CompactionOutcome::Items(vec![user_message("and?")?, calls(&call)?, output])
                };
                self.thread.compact(outcome, injection).await?;
            }
            _ if !is_running || matches!(op, Op::Resume | Op::Crash(_)) => {
                self.rewrite(op).await?;
            }
            _ => {}
        }
        self.check().await
    }

    /// What goes back, goes on elsewhere or dies.
    async fn rewrite(&mut self, op: &Op) -> TestResult {
        let thread = &mut self.thread;
        match op {
            Op::Rollback(n) => {
                // Its turns are counted alike by whoever was there and by whoever came later.
                let records = self.records().await?;
                let dropped = self.thread.rollback(usize::from(*n)).await?;
                if !records.is_empty() {
                    let (_store, mut again) = self.copied(&records).await?;
                    assert_eq!(again.rollback(usize::from(*n)).await?, dropped);
                    let bytes =
                        |thread: &mut Thread| thread.prompt(PromptOptions::default()).to_vec();
                    assert_eq!(
                        String::from_utf8(bytes(&mut again))?,
                        String::from_utf8(bytes(&mut self.thread))?
                    );
                }
            }
            Op::RevertTurn => {
                let at = CutPoint::Ordinal(self.before as u64 / 2 + 1);
                let _may_be_legacy = thread.revert(at).await;
            }
            Op::UndoRevert => {
                let _may_be_none = thread.undo_revert().await;
            }
            Op::UndoCompaction => {
                let _may_be_none = thread.undo_compaction().await;
            }
            Op::Fork if self.before > 0 => {
                let fork = thread.fork(CutPoint::End).await?;
                self.thread = fork;
            }
            Op::Resume => {
                let records = self.records().await?;
                if !records.is_empty() {
                    (self.store, self.thread) = self.copied(&records).await?;
                }
            }
            Op::Crash(n) => {
                let records = self.records().await?;
                let kept = (self.before + usize::from(*n)).clamp(1, records.len().max(1));
                if let Some(kept) = records.get(..kept) {
                    (self.store, self.thread) = self.copied(kept).await?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What is told last is what holds, whatever died before.
    fn knows(&mut self, n: u8) -> TestResult {
        let prompt = self.thread.prompt(PromptOptions::default()).to_vec();
        let text = String::from_utf8(prompt)?;
        let last = |key: &str| {
            let at = text.rfind(key)? + key.len();
            text.get(at..at + 1)
        };
        let told = (last("rule-"), last("<current_date>2024-01-0"));
        let rule = format!("{}", n % 2);
        let day = format!("{}", n + 1);
        assert_eq!(told, (Some(rule.as_str()), Some(day.as_str())), "{text}");
        Ok(())
    }

    async fn check(&mut self) -> TestResult {
        let records = self.records().await?;
        if records.is_empty() {
            return Ok(());
        }
        let (_store, mut again) = self.copied(&records).await?;
        let n_before = self.thread.prefix_checks();
        let bytes = |thread: &mut Thread| thread.prompt(PromptOptions::default()).to_vec();
        assert_eq!(
            String::from_utf8(bytes(&mut again))?,
            String::from_utf8(bytes(&mut self.thread))?
        );
        self.n_proven += self.thread.prefix_checks() - n_before;
        assert_eq!(again.history().state(), self.thread.history().state());
        assert_eq!(again.token_usage(), self.thread.token_usage());
        assert_eq!(again.request_effort(), self.thread.request_effort());
        assert_eq!(again.previous_model(), self.thread.previous_model());
        Ok(())
    }
}

/// How many prompts must have been proven to extend the one before them, at the least.
const ENOUGH_STEPS: u64 = 500;

#[test]
fn live_equals_resumed_after_everything_that_can_happen() {
    let config = ProptestConfig {
        max_shrink_iters: 4_000,
        source_file: Some(file!()),
        ..ProptestConfig::default()
    };
    let n_proven = AtomicU64::new(0);
    let lives = (any::<bool>(), ops());
    let outcome = TestRunner::new(config).run(&lives, |(is_legacy, ops)| {
        let lived = block_on(async {
            let mut life = Life::new(is_legacy).await?;
            for op in &ops {
                life.run(op).await?;
            }
            TestResult::Ok(life.n_proven)
        });
        let lived = lived.map_err(|error| TestCaseError::fail(error.to_string()))?;
        let lived = lived.map_err(|error| TestCaseError::fail(error.to_string()))?;
        n_proven.fetch_add(lived, Ordering::Relaxed);
        Ok(())
    });
    assert!(outcome.is_ok(), "{outcome:?}");
    let n_proven = n_proven.into_inner();
    assert!(n_proven > ENOUGH_STEPS, "only {n_proven} steps were proven");
}
