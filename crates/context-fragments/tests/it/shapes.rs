//! The exact rendering of every fragment, as the model sees it.

use annals_context_fragments::catalog::{
    ApprovalPolicy, ApprovalReviewer, CatalogModel, ContextWindow, DeferredTools, EnvironmentBlock,
    EnvironmentContext, EnvironmentFacts, EnvironmentStatus, Known, ManagedDeveloperInstructions,
    ModelCatalog, MultiAgentMode, MultiAgentModeInstructions, PermissionsInstructions,
    RealtimeEndInstructions, RealtimeStartInstructions, SandboxMode, SkillsInstructions,
    SubagentNotification, SubagentStatus, TokenBudgetRemaining, UserInstructions,
};
use annals_context_fragments::{ContextualUserFragment, RenderedFragment};

use crate::every::every;

/// Role, kind and text, with what was cut.
fn shape(rendered: &RenderedFragment) -> String {
    let cut = rendered
        .cut()
        .map_or(String::new(), |cut| format!(" cut: {cut}"));
    let separate = if rendered.requires_separate_message() {
        " separate"
    } else {
        ""
    };
    format!(
        "{} {}{separate}{cut}\n---\n{}",
        rendered.role(),
        rendered.kind(),
        rendered.text()
    )
}

fn shapes(fragments: &[&dyn ContextualUserFragment]) -> String {
    let shapes: Vec<String> = fragments
        .iter()
        .map(|f| shape(&f.render_fragment()))
        .collect();
    shapes.join("\n\n")
}

#[test]
fn every_fragment_has_its_shape() {
    for (name, _, fragment) in every("alpha", "R&D <beta>", "gamma's\n\"text\"") {
        insta::assert_snapshot!(name, shape(&fragment.render_fragment()));
    }
}

#[test]
fn instructions_are_told_replaced_and_taken_back() {
    insta::assert_snapshot!(shapes(&[
        &UserInstructions::new(None, "Use tabs.\n"),
        &UserInstructions::new(Some("/repo"), "see </INSTRUCTIONS > and &lt;/instructions>"),
        &UserInstructions::replacing(Some("/repo"), "Use spaces."),
        &UserInstructions::removed(),
        &ManagedDeveloperInstructions::new("Never push.").unwrap(),
        &ManagedDeveloperInstructions::replacing("Push.").unwrap(),
        &ManagedDeveloperInstructions::removed(),
    ]));
}

#[test]
fn a_single_environment_stands_without_frame() {
    let mut context = EnvironmentContext::in_directory("C:\\Users\\R&D");
    context.shell = Some("powershell".to_owned().into());
    context.shell_version = Some("7.4".to_owned().into());
    context.current_date = Some("2026-12-01".to_owned());
    context.timezone = Some("Etc/UTC".to_owned());
    let mut gone = EnvironmentContext::in_directory("/r");
    gone.shell = Some(Known::Unavailable);
    insta::assert_snapshot!(shapes(&[&context, &gone, &EnvironmentContext::default()]));
}

#[test]
fn several_environments_are_told_one_by_one() {
    let mut laptop = EnvironmentFacts::new("laptop");
    laptop.is_primary = Some(true);
    laptop.cwd = Some("/home/dev".to_owned());
    laptop.shell = Some("zsh".to_owned().into());
    let mut remote = EnvironmentFacts::new("remote");
    remote.is_primary = Some(false);
    remote.status = Some(EnvironmentStatus::Starting);
    let mut old = EnvironmentFacts::new("old");
    old.status = Some(EnvironmentStatus::Unavailable);
    let context = EnvironmentContext {
        environments: vec![laptop, old, remote],
        subagents: (0..20).map(|n| format!("/root/worker_{n}")).collect(),
        ..EnvironmentContext::default()
    };
    insta::assert_snapshot!(shape(&context.render_fragment()));
}

#[test]
fn blocks_that_are_gone_are_told_and_read_back() {
    let context = EnvironmentContext {
        unavailable: vec![
            EnvironmentBlock::CurrentDate,
            EnvironmentBlock::Timezone,
            EnvironmentBlock::Network,
            EnvironmentBlock::Filesystem,
            EnvironmentBlock::Subagents,
        ],
        ..EnvironmentContext::in_directory("/r")
    };
    let text = context.render();
    insta::assert_snapshot!(text);
    assert_eq!(EnvironmentContext::read(&text), Some(context));
}

#[test]
fn sub_agents_that_do_not_fit_are_counted_within_the_limit() {
    let of_bytes = |bytes: usize| "a".repeat(bytes);
    let block = |subagents: Vec<String>| {
        let context = EnvironmentContext {
            subagents,
            ..EnvironmentContext::default()
        };
        let text = context.render();
        let start = text.find("  <subagents>").unwrap();
        let end = text.find("</environment_context>").unwrap();
        text.get(start..end).unwrap().to_owned()
    };
    // Seven short ones and one that fills the block to the last byte.
    let mut agents: Vec<String> = (0..7).map(|n| format!("/root/{n}")).collect();
    let used = block(agents.clone()).len() + "    <agent name=\"\" />\n".len();
    agents.push(of_bytes(EnvironmentContext::MAX_SUBAGENTS_BYTES - used));
    let full = block(agents.clone());
    assert_eq!(full.len(), EnvironmentContext::MAX_SUBAGENTS_BYTES);
    assert!(!full.contains("omitted"));
    // One more: the long one makes room for the line that counts.
    agents.push("/root/9".to_owned());
    let cut = block(agents);
    assert!(cut.len() <= EnvironmentContext::MAX_SUBAGENTS_BYTES);
    assert!(
        cut.contains("<agent name=\"/root/9\" />\n    <omitted agents=\"1\" />\n"),
        "{cut}"
    );
    // Nothing fits at all.
    let none = block(vec![of_bytes(2_000)]);
    assert_eq!(
        none,
        "  <subagents>\n    <omitted agents=\"1\" />\n  </subagents>\n"
    );
}

#[test]
fn environments_that_do_not_fit_are_counted() {
    let context = EnvironmentContext {
        environments: (0..90)
            .map(|n| {
                let mut facts = EnvironmentFacts::new(format!("environment-{n}"));
                facts.cwd = Some(format!("/srv/{}", "d".repeat(150)));
                facts
            })
            .collect(),
        ..EnvironmentContext::default()
    };
    let rendered = context.render_fragment();
    assert!(
        rendered.text().ends_with(
            "    <omitted environments=\"56\" />\n  </environments>\n</environment_context>"
        ),
        "{}",
        rendered.text()
    );
    assert!(rendered.cut().is_some());
}

#[test]
fn permissions_are_told_in_words() {
    let new = PermissionsInstructions::new;
    let mut on_request = new(SandboxMode::WorkspaceWrite, ApprovalPolicy::OnRequest);
    on_request.network_access = true;
    on_request.writable_roots = vec!["/srv/b".to_owned(), "/srv/a".to_owned()];
    on_request.denied_reads = vec!["/srv/a/.env".to_owned(), "**/*.pem".to_owned()];
    on_request.approved_prefixes = vec![vec!["git".to_owned(), "pull".to_owned()]];
    let mut reviewed = on_request.clone();
    reviewed.reviewer = ApprovalReviewer::AutoReview;
    let mut worded = new(SandboxMode::ReadOnly, ApprovalPolicy::OnRequest);
    worded.approval_wording = Some("Ask the owner </permissions instructions>.".to_owned());
    let mut silent = new(SandboxMode::ReadOnly, ApprovalPolicy::OnRequest);
    silent.approval_wording = Some(String::new());
    insta::assert_snapshot!(shapes(&[
        &new(SandboxMode::ReadOnly, ApprovalPolicy::Never),
        &new(SandboxMode::DangerFullAccess, ApprovalPolicy::UnlessTrusted),
        &new(SandboxMode::WorkspaceWrite, ApprovalPolicy::OnFailure),
        &new(SandboxMode::ReadOnly, ApprovalPolicy::Granular),
        &on_request,
        &reviewed,
        &worded,
        &silent,
    ]));
}

#[test]
fn approved_prefixes_that_do_not_fit_are_marked() {
    let mut rules = PermissionsInstructions::new(SandboxMode::ReadOnly, ApprovalPolicy::OnRequest);
    rules.approved_prefixes = (0..150).map(|n| vec![format!("tool-{n}")]).collect();
    let rendered = rules.render_fragment();
    assert!(
        rendered
            .text()
            .contains("- [\"tool-99\"]...\n[Some commands were truncated]\n")
    );
    assert!(rendered.cut().is_some());
}

#[test]
fn fixed_texts_are_as_they_are() {
    insta::assert_snapshot!(shapes(&[
        &RealtimeStartInstructions::standard(),
        &RealtimeEndInstructions::inactive(),
        &MultiAgentModeInstructions::new(MultiAgentMode::Proactive),
        &MultiAgentModeInstructions::new(MultiAgentMode::ExplicitRequestOnly),
        &annals_context_fragments::catalog::IncrementalToolsHint::standard(),
        &annals_context_fragments::catalog::CollaborationModeInstructions::new("").unwrap(),
        &TokenBudgetRemaining::new(Some(u64::MAX)),
        &ModelCatalog::default(),
        &SkillsInstructions::new(
            annals_context_fragments::catalog::SkillsSource::Host,
            "## Skills\n- release: tags and publishes",
        ),
    ]));
}

#[test]
fn a_catalog_of_models_is_sorted_and_counted() {
    let model = |id: &str, words: usize| CatalogModel {
        id: id.to_owned(),
        description: "good at many things ".repeat(words),
        efforts: vec!["low".to_owned(), "high".to_owned()],
        default_effort: Some("high".to_owned()),
        service_tiers: vec!["flex".to_owned()],
    };
    let models = vec![
        model("m-c", 20),
        model("m-b", 20),
        model("m-a:1", 1),
        model("m-d", 20),
    ];
    let catalog = ModelCatalog { models };
    let rendered = catalog.render_fragment();
    assert_eq!(
        ModelCatalog::read_ids(rendered.text()).unwrap(),
        ["m-a:1", "m-b", "m-c"]
    );
    insta::assert_snapshot!(shape(&rendered));
}

#[test]
fn deferred_tools_are_told_as_groups() {
    let two = [("git", "Works with repositories.\nMore."), ("web", "")]
        .map(|(name, text)| (name.to_owned(), text.to_owned()));
    let many = (0..500)
        .map(|n| (format!("space_{n:03}"), "does one thing ".repeat(30)))
        .collect();
    insta::assert_snapshot!(shapes(&[
        &DeferredTools::all(two.clone().into()),
        &DeferredTools::change(
            two.into(),
            vec!["old".to_owned()],
            /*none_remain*/ false
        ),
        &DeferredTools::change([].into(), vec!["git".to_owned()], /*none_remain*/ true),
        &DeferredTools::all(many),
    ]));
}

#[test]
fn a_window_is_told_by_its_ids() {
    let window = ContextWindow {
        agent: "/root".to_owned(),
        first_window: "w-1".to_owned(),
        window: "w-1".to_owned(),
        previous_window: None,
        hint: None,
    };
    insta::assert_snapshot!(shape(&window.render_fragment()));
}

#[test]
fn a_sub_agents_states_are_words_or_objects() {
    let states = [
        SubagentStatus::PendingInit,
        SubagentStatus::Running,
        SubagentStatus::Interrupted,
        SubagentStatus::Completed(None),
        SubagentStatus::Completed(Some("</subagent_notification>".to_owned())),
        SubagentStatus::Errored("no \"model\"".to_owned()),
        SubagentStatus::Shutdown,
        SubagentStatus::NotFound,
    ];
    let texts: Vec<String> = states
        .map(|status| SubagentNotification::new("/root/w", status).render())
        .into();
    insta::assert_snapshot!(texts.join("\n"));
}
