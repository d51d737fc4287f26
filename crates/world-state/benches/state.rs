//! What a step costs when little or nothing of the state changed, beside a diff by JSON Patch
//! (RFC 6902) and beside telling everything each time.

use annals_context_fragments::catalog::{
    ApprovalPolicy, CatalogModel, ContextWindow, MultiAgentMode, PermissionsInstructions,
    SandboxMode,
};
use annals_test_support::bench::{Spread, Suite, Target, in_turns};
use annals_world_state::sections::{
    AgentsMdSection, ApprovedCommandPrefixesSection, AppsInstructionsSection,
    BaseInstructionsSection, CollaborationModeSection, ContextWindowGuidanceSection,
    ContextWindowSection, DeferredToolsSection, EnvironmentState, EnvironmentsInstructionsSection,
    EnvironmentsSection, ManagedInstructionsSection, ModelCatalogSection, ModelSection,
    MultiAgentModeSection, MultiAgentUsageHintSection, PermissionsSection, PersistentModeSection,
    PluginsInstructionsSection, RealtimeSection, TopLevelToolsSection,
};
use annals_world_state::{
    HistoryView, PreparedSection, SectionSnapshot, StateError, WorldState, WorldStateSnapshot,
};
use serde_json::{Value, json};
use std::error::Error;
use std::hint::black_box;

fn main() -> Result<(), Box<dyn Error>> {
    let suite = Suite::new("state");
    differences(&suite)?;
    steps(&suite)
}

/// A state of about 100 KB: a thousand entries, 5,000 leaves.
fn large(changed: bool) -> Value {
    let entry = |n: usize| {
        let status = if changed && n == 500 {
            "failed"
        } else {
            "available"
        };
        json!({
            "path": format!("/home/dev/projects/entry-{n:04}"),
            "status": status,
            "size": n * 37,
            "tags": ["one", "two"],
        })
    };
    (0..1_000)
        .map(|n| (format!("entry-{n:04}"), entry(n)))
        .collect()
}

fn snapshot(value: &Value) -> Result<WorldStateSnapshot, Box<dyn Error>> {
    let section = SectionSnapshot::from_value(value.clone())?;
    Ok(WorldStateSnapshot::new().with_section("large", section))
}

fn differences(suite: &Suite) -> Result<(), Box<dyn Error>> {
    let (before, after) = (large(false), large(true));
    // Built apart, so that equality is found in their bytes and not in a shared pointer.
    let (known, same, other) = (snapshot(&before)?, snapshot(&before)?, snapshot(&after)?);
    let kilobytes = known.to_json().len() / 1_000;
    let rounds = suite.size(400, 40);
    let by_json_patch = |to: &Value| {
        (0..rounds)
            .map(|_| json_patch::diff(black_box(&before), black_box(to)).0.len())
            .sum::<usize>()
    };
    let by_merge_patch = |to: &WorldStateSnapshot| {
        (0..rounds)
            .map(|_| {
                black_box(to)
                    .diff_from(black_box(&known))
                    .map_or(0, |p| p.as_str().len())
            })
            .sum::<usize>()
    };
    suite
        .row(
            &format!(
                "{rounds} differences of an unchanged section of {kilobytes} KB, beside RFC 6902"
            ),
            Target::Faster(50.0),
        )
        .compare(|| by_merge_patch(&same), || by_json_patch(&before));
    suite
        .row(
            &format!("{rounds} differences of that section with one leaf changed, beside RFC 6902"),
            Target::Faster(5.0),
        )
        .compare(|| by_merge_patch(&other), || by_json_patch(&after));
    Ok(())
}

/// Twenty sections with texts of the sizes that they have in practice.
fn sections() -> Result<Vec<PreparedSection>, Box<dyn Error>> {
    let text = |bytes: usize| "Sixteen bytes. \n".repeat(bytes / 16);
    let mut rules =
        PermissionsInstructions::new(SandboxMode::WorkspaceWrite, ApprovalPolicy::OnRequest);
    let prefixes: Vec<Vec<String>> = (0..20)
        .map(|n| vec!["cargo".to_owned(), format!("task-{n}")])
        .collect();
    rules.approved_prefixes.clone_from(&prefixes);
    let mut environments = EnvironmentsSection::default();
    environments.environments.insert(
        "local".to_owned(),
        EnvironmentState::available("/home/dev/project", "bash"),
    );
    environments.current_date = Some("2026-12-01".to_owned());
    environments.timezone = Some("Etc/UTC".to_owned());
    let model = |n: usize| CatalogModel {
        id: format!("model-{n}"),
        ..CatalogModel::default()
    };
    let tools = (0..20).map(|n| json!({"name": format!("tool_{n}"), "about": text(400)}));
    let deferred = (0..10).map(|n| (format!("space_{n}"), text(200)));
    let hint = MultiAgentUsageHintSection::hint(text(1_000));
    let mode = MultiAgentModeSection::new(MultiAgentMode::ExplicitRequestOnly).following(&hint);
    Ok(vec![
        PreparedSection::new(TopLevelToolsSection::new(tools.collect())?)?,
        PreparedSection::new(BaseInstructionsSection::new(&text(20_000))?)?,
        PreparedSection::new(ModelSection::new("model-a").with_instructions(text(20_000))?)?,
        PreparedSection::new(ContextWindowSection::new(ContextWindow::default()))?,
        PreparedSection::new(ContextWindowGuidanceSection::new(&text(1_000))?)?,
        PreparedSection::new(RealtimeSection::inactive())?,
        PreparedSection::new(AgentsMdSection::new(
            Some("/home/dev/project"),
            text(16_000),
        ))?,
        PreparedSection::new(PermissionsSection::new(rules))?,
        PreparedSection::new(ApprovedCommandPrefixesSection::new(prefixes))?,
        PreparedSection::new(CollaborationModeSection::new(
            "plan",
            "model-a",
            &text(8_000),
        )?)?,
        PreparedSection::new(PersistentModeSection::new(&text(2_000))?)?,
        PreparedSection::new(environments)?,
        PreparedSection::new(EnvironmentsInstructionsSection::off())?,
        PreparedSection::new(AppsInstructionsSection::on())?,
        PreparedSection::new(PluginsInstructionsSection::on())?,
        PreparedSection::new(DeferredToolsSection::new(deferred))?,
        PreparedSection::new(ModelCatalogSection::new((0..5).map(model).collect()))?,
        PreparedSection::new(hint)?,
        PreparedSection::new(mode)?,
        PreparedSection::new(ManagedInstructionsSection::new(&text(4_000))?)?,
    ])
}

/// A world as a step builds it.
fn world(sections: &[PreparedSection]) -> Result<WorldState, StateError> {
    let mut world = WorldState::new();
    for section in sections {
        world.insert_prepared(section)?;
    }
    Ok(world)
}

fn steps(suite: &Suite) -> Result<(), Box<dyn Error>> {
    let kept = sections()?;
    let first = world(&kept)?;
    let n_sections = kept.len();
    let known = WorldStateSnapshot::parse(&first.render_full().snapshot().to_json())?;
    let rounds = suite.size(2_000, 100);
    let step = || {
        let world = world(black_box(&kept)).unwrap_or_default();
        world
            .render_diff(black_box(Some(&known)), HistoryView::Intact)
            .n_updates()
    };
    let full = || black_box(&first).render_full().items().len();
    let (told, everything) = in_turns(
        suite.size(9, 3),
        || (0..rounds).map(|_| step()).sum::<usize>(),
        || (0..rounds).map(|_| full()).sum::<usize>(),
    );
    suite
        .row(
            &format!("a step: {n_sections} unchanged sections built and compared, beside all told"),
            Target::ValueAtMost(20.0),
        )
        .record("µs", micros(&told, rounds), micros(&everything, rounds));
    Ok(())
}

fn micros(spread: &Spread, rounds: usize) -> Spread {
    #[expect(clippy::cast_precision_loss, reason = "a few thousand rounds")]
    let each = |seconds: f64| seconds * 1e6 / rounds as f64;
    Spread {
        median: each(spread.median),
        least: each(spread.least),
        largest: each(spread.largest),
    }
}
