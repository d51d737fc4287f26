//! The order and grouping of whole tellings.

use crate::host::{Settings, shapes};
use annals_context_fragments::catalog::{ApprovalPolicy, MultiAgentMode};
use annals_world_state::sections::{ORDER, TopLevelToolsSection};
use annals_world_state::{HistoryView, ToldItem, WorldState};
use std::fmt::Write as _;

fn texts(telling: &annals_world_state::Telling) -> String {
    let mut out = String::new();
    for item in telling.items() {
        match item {
            ToldItem::Message(message) => {
                writeln!(out, "{}", message.role()).unwrap();
                for fragment in message.fragments() {
                    writeln!(out, "  {}", fragment.text().replace('\n', "\n  ")).unwrap();
                }
            }
            ToldItem::Item(item) => writeln!(out, "item {}", item.as_str()).unwrap(),
            _ => out.push_str("something else\n"),
        }
    }
    out
}

#[test]
fn a_first_telling_of_everything_in_its_order() {
    let mut settings = Settings::rich();
    settings.model_of_turn_before = Some("model-z".to_owned());
    let told = settings.world().render_full();
    insta::assert_debug_snapshot!(shapes(&told));
    insta::assert_snapshot!(texts(&told));
}

#[test]
fn a_first_telling_of_little() {
    let told = Settings::plain().small_world().render_full();
    insta::assert_snapshot!(texts(&told));
}

#[test]
fn a_change_of_everything_in_the_order_of_the_sections() {
    let before = Settings::rich().world().render_full();
    let mut settings = Settings::rich();
    settings.model = "model-b".to_owned();
    settings.model_of_turn_before = Some("model-a".to_owned());
    settings.guidance = "Keep few notes.".to_owned();
    settings.agent = "/root/worker".to_owned();
    settings.is_spoken = false;
    settings.agents_md = "Use blanks.".to_owned();
    settings.permissions.approval = ApprovalPolicy::Never;
    settings.mode = "Pair.".to_owned();
    settings.persistent = String::new();
    settings.set_cwd("/elsewhere");
    settings.has_several_environments = false;
    settings.has_apps = false;
    settings.has_plugins = false;
    settings.deferred = vec![("db".to_owned(), "Tables.".to_owned())];
    settings.catalog = vec!["model-b".to_owned()];
    settings.hint = "Three at most.".to_owned();
    settings.agent_mode = Some(MultiAgentMode::ExplicitRequestOnly);
    settings.managed = "Ask first.".to_owned();
    let told = settings
        .world()
        .render_diff(Some(before.snapshot()), HistoryView::Intact);
    insta::assert_debug_snapshot!(shapes(&told));
    insta::assert_snapshot!(texts(&told));
}

#[test]
fn a_host_that_builds_nothing_any_more_takes_back_what_it_can() {
    let known = Settings::rich().world().render_full();
    let mut nothing = WorldState::new();
    let untold = nothing.render_diff(Some(known.snapshot()), HistoryView::Intact);
    assert!(untold.is_silent());
    assert_eq!(untold.snapshot(), known.snapshot());
    nothing.retire_standard_sections();
    let told = nothing.render_diff(Some(known.snapshot()), HistoryView::Intact);
    assert!(told.snapshot().is_empty());
    insta::assert_debug_snapshot!(shapes(&told), @r#"
    [
        "developer[token_budget.context_window_guidance, realtime.end_instructions]",
        "user[agents_md.instructions]",
        "developer[collaboration_mode.instructions, persistent_mode.instructions]",
        "user[environments.environment_context]",
        "developer[environments.withdrawn, apps.withdrawn, plugins.withdrawn, tools.deferred_namespaces, multi_agent.model_catalog]",
        "developer[multi_agent.mode_instructions]",
        "developer[managed_config.developer_instructions]",
    ]
    "#);
}

#[test]
fn sections_are_told_in_the_order_that_is_documented() {
    let world = Settings::rich().world();
    let place = |id: &str| ORDER.iter().position(|known| *known == id);
    let places: Vec<_> = world.section_ids().map(place).collect();
    assert!(places.iter().all(Option::is_some), "{places:?}");
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn declared_tools_stand_in_front_of_everything_else() {
    let mut world = WorldState::new();
    let tools = vec![serde_json::json!({"name": "run"})];
    world
        .insert(TopLevelToolsSection::new(tools).unwrap())
        .unwrap();
    let told = {
        let mut first = Settings::plain().small_world();
        first
            .insert(TopLevelToolsSection::new(vec![serde_json::json!({"name": "run"})]).unwrap())
            .unwrap();
        first.render_full()
    };
    let items = told.items();
    assert!(
        matches!(&items[0], ToldItem::Item(item) if item.as_str().contains("additional_tools"))
    );
    assert_eq!(items.len(), 3);
    assert_eq!(world.render_full().items().len(), 1);
}
