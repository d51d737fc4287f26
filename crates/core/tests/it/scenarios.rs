//! Whole requests: what a model is sent in each situation, and that a resumed thread sends the same.

use std::sync::Arc;

use annals_context_fragments::catalog::{ApprovalPolicy, PermissionsInstructions, SandboxMode};
use annals_core::{
    AbortReason, CompactionOutcome, Injection, Thread, ThreadSettings, TurnSettings, tool_output,
    user_message,
};
use annals_history::PromptOptions;
use annals_rollout::CutPoint;
use annals_rollout::store::RolloutStore;
use annals_test_support::request_shape;
use annals_world_state::sections::{EnvironmentState, RealtimeSection};

use crate::support::{
    TestResult, asks, calls, item, memory, options, resumed, says, settings, turn,
};

/// A thread and its store, in either form of file.
struct Scene {
    store: Arc<dyn RolloutStore>,
    thread: Thread,
}

impl Scene {
    async fn new(is_legacy: bool) -> TestResult<Self> {
        let store = memory();
        let mut made = ThreadSettings::new("Be careful.").with_thread_instructions("Be brief.");
        if is_legacy {
            made = made.without_ordinals();
        }
        let thread = Thread::create(Arc::clone(&store), made, options()).await?;
        Ok(Self { store, thread })
    }

    fn shape(&mut self) -> String {
        request_shape(&self.thread.prompt(PromptOptions::default()))
    }

    /// What the next request adds, and then what one after a resume adds to that.
    async fn ends(mut self, name: &str, settings: &TurnSettings) -> TestResult {
        if self.thread.turn_id().is_some() {
            self.thread.complete().await?;
        }
        let mut shape = self.shape();
        let bytes = self.thread.prompt(PromptOptions::default()).to_vec();
        let mut again = resumed(&self.store, &mut self.thread).await?;
        let before = again.prompt(PromptOptions::default());
        assert_eq!(before.to_vec(), bytes, "{name}: resumed is not live");
        let state = |thread: &Thread| thread.history().state().clone();
        assert_eq!(state(&again), state(&self.thread), "{name}: another state");
        asks(&mut again, settings, "after the resume").await?;
        let after = again.prompt(PromptOptions::default());
        assert!(
            after.compare(&before).is_prefix(),
            "{name}: the prefix broke"
        );
        shape.push_str("--- resumed, next turn adds ---\n");
        let lines = request_shape(&after);
        let own = format!("{}. ", before.len() + 1);
        let from = lines.find(&format!("\n{own}")).map_or(0, |at| at + 1);
        shape.push_str(lines.get(from..).unwrap_or_default());
        insta::assert_snapshot!(name, shape);
        Ok(())
    }
}

/// One turn, a change, another turn.
async fn change<F: FnOnce(&mut TurnSettings)>(name: &str, change: F) -> TestResult {
    let mut scene = Scene::new(false).await?;
    let mut now = settings();
    turn(&mut scene.thread, &now, "one").await?;
    change(&mut now);
    turn(&mut scene.thread, &now, "two").await?;
    scene.ends(name, &now).await
}

#[tokio::test]
async fn the_first_turn() -> TestResult {
    let mut scene = Scene::new(false).await?;
    asks(&mut scene.thread, &settings(), "one").await?;
    scene.ends("first_turn", &settings()).await
}

#[tokio::test]
async fn base_instructions_and_managed_rules_stand_at_the_ends() -> TestResult {
    let mut scene = Scene::new(false).await?;
    let mut now = settings();
    now.tells_base_instructions = true;
    now.managed_instructions = Some("Never push.".to_owned());
    now.collaboration_mode = Some(("plan".to_owned(), "Plan first.".to_owned()));
    turn(&mut scene.thread, &now, "one").await?;
    scene.ends("first_turn_with_everything", &now).await
}

#[tokio::test]
async fn each_kind_of_change() -> TestResult {
    change("change_cwd", |now| {
        let local = EnvironmentState::available("/other", "bash");
        now.environments
            .environments
            .insert("local".to_owned(), local);
        now.cwd = "/other".to_owned();
    })
    .await?;
    change("change_date", |now| {
        now.environments.current_date = Some("2024-01-02".to_owned());
    })
    .await?;
    change("change_permissions", |now| {
        let rules = PermissionsInstructions::new(SandboxMode::ReadOnly, ApprovalPolicy::Never);
        now.permissions = Some(rules);
    })
    .await?;
    change("change_approved_prefix", |now| {
        let prefix = vec!["git".to_owned(), "pull".to_owned()];
        if let Some(rules) = &mut now.permissions {
            rules.approved_prefixes.push(prefix);
        }
    })
    .await?;
    change("change_mode", |now| {
        now.collaboration_mode = Some(("plan".to_owned(), "Plan first.".to_owned()));
    })
    .await?;
    change("change_managed", |now| {
        now.managed_instructions = Some("Never push.".to_owned());
    })
    .await?;
    change("change_realtime", |now| {
        now.realtime = Some(RealtimeSection::active());
    })
    .await?;
    change("change_environments", |now| {
        let second = EnvironmentState::available("/box", "zsh");
        now.environments
            .environments
            .insert("box".to_owned(), second);
    })
    .await
}

#[tokio::test]
async fn rules_of_the_project_change_while_the_thread_runs() -> TestResult {
    change("agents_changed", |now| {
        *now = now.clone().with_agents_md(Some("/repo"), "Use spaces.");
    })
    .await?;
    change("agents_emptied", |now| {
        *now = now.clone().with_agents_md(Some("/repo"), "  \n");
    })
    .await?;
    change("agents_deleted", |now| now.agents_md = None).await
}

#[tokio::test]
async fn rules_of_the_project_change_while_nobody_runs() -> TestResult {
    let cases = [
        ("agents_changed_offline", Some("Use spaces.")),
        ("agents_emptied_offline", Some(" ")),
        ("agents_deleted_offline", None),
    ];
    for (name, text) in cases {
        let mut scene = Scene::new(false).await?;
        turn(&mut scene.thread, &settings(), "one").await?;
        let mut now = settings();
        now.agents_md = None;
        if let Some(text) = text {
            now = now.with_agents_md(Some("/repo"), text);
        }
        scene.ends(name, &now).await?;
    }
    Ok(())
}

#[tokio::test]
async fn several_changes_at_once_keep_the_order_of_the_sections() -> TestResult {
    change("change_several", |now| {
        *now = now
            .clone()
            .with_agents_md(Some("/repo"), "Use spaces.")
            .with_date("2024-01-02", "Etc/UTC")
            .with_model_instructions("You are model b.")
            .with_permissions(PermissionsInstructions::new(
                SandboxMode::ReadOnly,
                ApprovalPolicy::Never,
            ));
        now.model = "model-b".to_owned();
        now.collaboration_mode = Some(("plan".to_owned(), "Plan first.".to_owned()));
        now.managed_instructions = Some("Never push.".to_owned());
    })
    .await
}

#[tokio::test]
async fn a_change_inside_a_turn_is_told_between_its_requests() -> TestResult {
    let mut scene = Scene::new(false).await?;
    let mut now = settings();
    let thread = &mut scene.thread;
    asks(thread, &now, "one").await?;
    thread
        .record([calls("c1")?, tool_output("c1", "a\nb")?])
        .await?;
    now = now.with_date("2024-01-02", "Etc/UTC");
    let told = thread.step(thread.world_state(&now)?).await?;
    assert_eq!(told.n_items, 1);
    assert_eq!(thread.step(thread.world_state(&now)?).await?.n_items, 0);
    thread.record([says("done")?]).await?;
    scene.ends("change_inside_a_turn", &now).await
}

#[tokio::test]
async fn a_model_switch_is_told_and_a_compaction_tells_it_first() -> TestResult {
    change("model_switch", |now| {
        *now = now.clone().with_model_instructions("You are model b.");
        now.model = "model-b".to_owned();
    })
    .await?;
    let mut scene = Scene::new(false).await?;
    turn(&mut scene.thread, &settings(), "one").await?;
    let done = CompactionOutcome::Summary("half done".to_owned());
    scene.thread.compact(done, Injection::None).await?;
    let mut now = settings().with_model_instructions("You are model b.");
    now.model = "model-b".to_owned();
    turn(&mut scene.thread, &now, "two").await?;
    scene.ends("model_switch_after_compaction", &now).await
}

#[tokio::test]
async fn a_change_of_the_effort_is_appended_between_turns_and_inside_one() -> TestResult {
    let mut scene = Scene::new(false).await?;
    let high = settings().with_effort("high");
    turn(&mut scene.thread, &settings().with_effort("low"), "one").await?;
    asks(&mut scene.thread, &high, "two").await?;
    let thread = &mut scene.thread;
    thread
        .record([calls("c1")?, tool_output("c1", "a")?])
        .await?;
    thread.set_effort("medium").await?;
    thread.record([says("done")?]).await?;
    assert_eq!(thread.request_effort().as_deref(), Some("low"));
    // What the next turn asks for is not what holds by now: it is told, and only once.
    scene.ends("effort_changed", &high).await
}

#[tokio::test]
async fn the_effort_of_requests_is_pinned_until_a_compaction() -> TestResult {
    let mut scene = Scene::new(false).await?;
    let low = settings().with_effort("low");
    let high = settings().with_effort("high");
    turn(&mut scene.thread, &low, "one").await?;
    turn(&mut scene.thread, &high, "two").await?;
    asks(&mut scene.thread, &high, "three").await?;
    scene.thread.set_effort("high").await?;
    scene.thread.set_effort("low").await?;
    assert_eq!(scene.thread.request_effort().as_deref(), Some("low"));
    scene.thread.complete().await?;
    let done = CompactionOutcome::Summary("half done".to_owned());
    let n_before = scene.shape().matches("configuration_update").count();
    assert_eq!(n_before, 2);
    turn(&mut scene.thread, &high, "four").await?;
    scene.thread.compact(done, Injection::None).await?;
    turn(&mut scene.thread, &high, "five").await?;
    assert_eq!(scene.thread.request_effort().as_deref(), Some("high"));
    scene.ends("effort", &high).await
}

#[tokio::test]
async fn compactions_before_a_turn_inside_one_and_by_hand() -> TestResult {
    let summary = || CompactionOutcome::Summary("half done".to_owned());
    let mut scene = Scene::new(false).await?;
    turn(&mut scene.thread, &settings(), "one").await?;
    turn(&mut scene.thread, &settings(), "two").await?;
    scene.thread.compact(summary(), Injection::None).await?;
    turn(&mut scene.thread, &settings(), "three").await?;
    scene.ends("compaction_before_a_turn", &settings()).await?;

    let mut scene = Scene::new(false).await?;
    turn(&mut scene.thread, &settings(), "one").await?;
    asks(&mut scene.thread, &settings(), "two").await?;
    let work = [calls("c1")?, tool_output("c1", "a")?];
    scene.thread.record(work).await?;
    let inject = Injection::BeforeLastUserMessage;
    scene.thread.compact(summary(), inject).await?;
    scene.thread.record([says("done")?]).await?;
    scene.ends("compaction_inside_a_turn", &settings()).await?;

    let mut scene = Scene::new(true).await?;
    turn(&mut scene.thread, &settings(), "one").await?;
    scene.thread.compact(summary(), Injection::None).await?;
    scene.ends("compaction_by_hand", &settings()).await
}

#[tokio::test]
async fn what_changed_while_a_compaction_ran_is_told_once_afterwards() -> TestResult {
    let mut scene = Scene::new(false).await?;
    let mut now = settings();
    let thread = &mut scene.thread;
    asks(thread, &now, "one").await?;
    now = now.with_date("2024-01-02", "Etc/UTC");
    let done = CompactionOutcome::Summary("half done".to_owned());
    thread
        .compact(done, Injection::BeforeLastUserMessage)
        .await?;
    let shown = request_shape(&thread.prompt(PromptOptions::default()));
    assert!(!shown.contains("2024-01-02"), "{shown}");
    assert_eq!(thread.step(thread.world_state(&now)?).await?.n_items, 1);
    assert_eq!(thread.step(thread.world_state(&now)?).await?.n_items, 0);
    scene.ends("compaction_beside_a_change", &now).await
}

#[tokio::test]
async fn rollbacks() -> TestResult {
    for is_legacy in [false, true] {
        let form = if is_legacy { "legacy" } else { "paginated" };
        let mut scene = Scene::new(is_legacy).await?;
        let other = settings().with_date("2024-01-02", "Etc/UTC");
        turn(&mut scene.thread, &settings(), "one").await?;
        turn(&mut scene.thread, &other, "two").await?;
        assert_eq!(scene.thread.rollback(0).await?, 0);
        assert_eq!(scene.thread.rollback(1).await?, 1);
        scene
            .ends(&format!("rollback_of_one_{form}"), &other)
            .await?;

        let mut scene = Scene::new(is_legacy).await?;
        for text in ["one", "two", "three"] {
            turn(&mut scene.thread, &settings(), text).await?;
        }
        assert_eq!(scene.thread.rollback(9).await?, 3);
        scene
            .ends(&format!("rollback_of_all_{form}"), &settings())
            .await?;

        let mut scene = Scene::new(is_legacy).await?;
        turn(&mut scene.thread, &settings(), "one").await?;
        for text in ["two", "three"] {
            turn(&mut scene.thread, &other, text).await?;
        }
        assert_eq!(scene.thread.rollback(2).await?, 2);
        scene
            .ends(&format!("rollback_of_many_{form}"), &other)
            .await?;

        let mut scene = Scene::new(is_legacy).await?;
        for text in ["one", "two"] {
            turn(&mut scene.thread, &settings(), text).await?;
        }
        let done = CompactionOutcome::Summary("half done".to_owned());
        scene.thread.compact(done.clone(), Injection::None).await?;
        turn(&mut scene.thread, &settings(), "three").await?;
        assert_eq!(scene.thread.rollback(2).await?, 2);
        scene
            .ends(&format!("rollback_across_a_compaction_{form}"), &settings())
            .await?;

        let mut scene = Scene::new(is_legacy).await?;
        turn(&mut scene.thread, &settings(), "one").await?;
        asks(&mut scene.thread, &settings(), "two").await?;
        scene
            .thread
            .compact(done, Injection::BeforeLastUserMessage)
            .await?;
        scene.thread.record([says("done")?]).await?;
        scene.thread.complete().await?;
        assert_eq!(scene.thread.rollback(1).await?, 1);
        scene
            .ends(
                &format!("rollback_of_a_turn_that_compacted_{form}"),
                &settings(),
            )
            .await?;
    }
    Ok(())
}

#[tokio::test]
async fn reverts_and_what_undoes_them() -> TestResult {
    let mut scene = Scene::new(false).await?;
    let thread = &mut scene.thread;
    turn(thread, &settings(), "one").await?;
    asks(thread, &settings(), "two").await?;
    let second = thread.turn_id().unwrap_or_default().to_owned();
    thread.record([says("done")?]).await?;
    thread.complete().await?;
    let whole = thread.prompt(PromptOptions::default()).to_vec();
    thread.revert(CutPoint::BeforeTurn(second)).await?;
    let cut = thread.prompt(PromptOptions::default()).to_vec();
    assert!(cut.len() < whole.len());
    thread.undo_revert().await?;
    assert_eq!(thread.prompt(PromptOptions::default()).to_vec(), whole);
    thread.undo_revert().await?;
    assert_eq!(thread.prompt(PromptOptions::default()).to_vec(), cut);
    scene.ends("revert", &settings()).await
}

#[tokio::test]
async fn an_undone_compaction_brings_the_originals_back() -> TestResult {
    let mut scene = Scene::new(false).await?;
    let thread = &mut scene.thread;
    turn(thread, &settings(), "one").await?;
    turn(thread, &settings(), "two").await?;
    let whole = thread.prompt(PromptOptions::default()).to_vec();
    let done = CompactionOutcome::Summary("half done".to_owned());
    thread.compact(done, Injection::None).await?;
    thread.undo_compaction().await?;
    assert_eq!(thread.prompt(PromptOptions::default()).to_vec(), whole);
    scene.ends("compaction_undone", &settings()).await
}

#[tokio::test]
async fn a_fork_begins_with_the_same_bytes() -> TestResult {
    for is_legacy in [false, true] {
        let mut scene = Scene::new(is_legacy).await?;
        turn(&mut scene.thread, &settings(), "one").await?;
        let whole = scene.thread.prompt(PromptOptions::default()).to_vec();
        let mut fork = scene.thread.fork(CutPoint::End).await?;
        assert_ne!(fork.id(), scene.thread.id());
        assert_eq!(fork.prompt(PromptOptions::default()).to_vec(), whole);
        turn(&mut scene.thread, &settings(), "two").await?;
        let other = settings().with_date("2024-01-02", "Etc/UTC");
        turn(&mut fork, &other, "instead").await?;
        assert_eq!(scene.thread.rollback(1).await?, 1);
        assert_eq!(
            scene.thread.prompt(PromptOptions::default()).to_vec(),
            whole
        );
        scene.thread = fork;
        let form = if is_legacy { "legacy" } else { "paginated" };
        scene.ends(&format!("fork_{form}"), &other).await?;
    }
    Ok(())
}

#[tokio::test]
async fn interruptions_in_a_stream_and_in_a_tool() -> TestResult {
    let mut scene = Scene::new(false).await?;
    asks(&mut scene.thread, &settings(), "one").await?;
    let thought = r#"{"type":"reasoning","summary":[],"content":null,"encrypted_content":"ENC"}"#;
    scene.thread.record([item(thought)?]).await?;
    scene.thread.abort(AbortReason::Interrupted).await?;
    scene.ends("interrupted_in_a_stream", &settings()).await?;

    let mut scene = Scene::new(true).await?;
    asks(&mut scene.thread, &settings(), "one").await?;
    scene.thread.record([calls("c1")?]).await?;
    scene.thread.abort(AbortReason::Replaced).await?;
    scene.ends("interrupted_in_a_tool", &settings()).await
}

#[tokio::test]
async fn a_thread_that_died_in_a_tool_comes_back_with_a_stand_in() -> TestResult {
    let mut scene = Scene::new(false).await?;
    asks(&mut scene.thread, &settings(), "one").await?;
    scene.thread.record([calls("c1")?]).await?;
    let bytes = scene.thread.prompt(PromptOptions::default()).to_vec();
    let mut again = resumed(&scene.store, &mut scene.thread).await?;
    assert_eq!(again.turn_id(), None);
    assert_eq!(again.prompt(PromptOptions::default()).to_vec(), bytes);
    let world = again.world_state(&settings())?;
    let _told = again.begin_turn(&settings(), world).await?;
    again.record([user_message("go on")?]).await?;
    scene.thread = again;
    scene.ends("died_in_a_tool", &settings()).await
}
