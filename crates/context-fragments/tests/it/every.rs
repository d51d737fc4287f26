//! One instance of every fragment of the catalogue, made of whatever texts are given.

use annals_context_fragments::catalog::{
    AdditionalContext, ApprovalPolicy, ApprovedCommandPrefixSaved, AppsInstructions, AppsWithdrawn,
    AvailablePluginsInstructions, BaseInstructions, CatalogModel, CollaborationModeInstructions,
    CompactionSummary, ContextWindow, ContextWindowGuidance, DeferredTools, DeveloperInstructions,
    EnvironmentContext, EnvironmentFacts, EnvironmentsInstructions, EnvironmentsWithdrawn,
    ExtensionContext, ExtensionSectionText, FileAccess, FileTarget, FilesystemRules,
    HookAdditionalContext, HookPrompt, IncrementalToolsHint, InternalContext,
    ManagedDeveloperInstructions, ModelCatalog, ModelInstructions, ModelSwitchInstructions,
    MultiAgentModeInstructions, MultiAgentRoleInstructions, MultiAgentUsageHint, NetworkRules,
    PermissionsInstructions, PersistentModeInstructions, PluginsWithdrawn, RealtimeEndInstructions,
    RealtimeStartInstructions, RecommendedPlugins, RemovedTools, SandboxMode, SkillInstructions,
    SkillsInstructions, SkillsSource, SubagentNotification, SubagentStatus, ThreadInstructions,
    TokenBudgetRemaining, TokenBudgetReminder, TurnAborted, UserInstructions, UserShellCommand,
};
use annals_context_fragments::{ContextualUserFragment, FragmentError, FragmentSpec};

/// A fragment with the row that it should be recognized as.
pub(crate) type Instance = (
    &'static str,
    Option<FragmentSpec>,
    Box<dyn ContextualUserFragment>,
);

/// Every fragment, with `a`, `b` and `c` in all places that take a text. What refuses a text is left out.
pub(crate) fn every(a: &str, b: &str, c: &str) -> Vec<Instance> {
    let mut all = developer(a, b, c);
    all.extend(tools_and_agents(a, b, c));
    all.extend(user(a, b, c));
    all.extend(refusing(a).into_iter().filter_map(Result::ok));
    all
}

fn boxed<F: ContextualUserFragment + 'static>(
    name: &'static str,
    spec: FragmentSpec,
    fragment: F,
) -> Instance {
    (name, Some(spec), Box::new(fragment))
}

fn developer(a: &str, b: &str, c: &str) -> Vec<Instance> {
    vec![
        boxed(
            "permissions",
            PermissionsInstructions::SPEC,
            permissions(a, b, c),
        ),
        boxed(
            "approved_prefixes",
            ApprovedCommandPrefixSaved::SPEC,
            ApprovedCommandPrefixSaved::new([vec![a, b], vec![c]]),
        ),
        boxed(
            "realtime_start",
            RealtimeStartInstructions::SPEC,
            RealtimeStartInstructions::custom(a),
        ),
        boxed(
            "realtime_end",
            RealtimeEndInstructions::SPEC,
            RealtimeEndInstructions::custom(a),
        ),
        boxed(
            "context_window",
            ContextWindow::SPEC,
            context_window(a, b, c),
        ),
        boxed(
            "environments_instructions",
            EnvironmentsInstructions::SPEC,
            EnvironmentsInstructions,
        ),
        boxed(
            "apps_instructions",
            AppsInstructions::SPEC,
            AppsInstructions,
        ),
        boxed(
            "plugins_instructions",
            AvailablePluginsInstructions::SPEC,
            AvailablePluginsInstructions,
        ),
        boxed(
            "environments_withdrawn",
            EnvironmentsWithdrawn::SPEC,
            EnvironmentsWithdrawn,
        ),
        boxed("apps_withdrawn", AppsWithdrawn::SPEC, AppsWithdrawn),
        boxed(
            "plugins_withdrawn",
            PluginsWithdrawn::SPEC,
            PluginsWithdrawn,
        ),
        boxed(
            "skills_catalog",
            SkillsInstructions::SPEC,
            SkillsInstructions::new(SkillsSource::Selected, a),
        ),
        boxed(
            "host_skills_catalog",
            SkillsInstructions::HOST_SPEC,
            SkillsInstructions::new(SkillsSource::Host, a),
        ),
        boxed(
            "hook_context",
            HookAdditionalContext::SPEC,
            HookAdditionalContext::new(a),
        ),
        boxed(
            "token_budget_remaining",
            TokenBudgetRemaining::SPEC,
            TokenBudgetRemaining::new(None),
        ),
        boxed(
            "token_budget_reminder",
            TokenBudgetReminder::SPEC,
            TokenBudgetReminder::new(a, 7),
        ),
    ]
}

fn tools_and_agents(a: &str, b: &str, c: &str) -> Vec<Instance> {
    let models = [(a, b), (b, c)].map(|(id, text)| CatalogModel {
        id: id.to_owned(),
        description: text.to_owned(),
        efforts: vec![c.to_owned(), "low".to_owned()],
        default_effort: Some("low".to_owned()),
        service_tiers: vec![a.to_owned()],
    });
    let added = [(a.to_owned(), b.to_owned()), (b.to_owned(), c.to_owned())].into();
    vec![
        boxed(
            "multi_agent_mode",
            MultiAgentModeInstructions::SPEC,
            MultiAgentModeInstructions::custom(a),
        ),
        boxed(
            "multi_agent_usage_hint",
            MultiAgentUsageHint::SPEC,
            MultiAgentUsageHint::new(a),
        ),
        boxed(
            "multi_agent_role",
            MultiAgentRoleInstructions::SPEC,
            MultiAgentRoleInstructions::new(a),
        ),
        boxed(
            "model_catalog",
            ModelCatalog::SPEC,
            ModelCatalog {
                models: models.into(),
            },
        ),
        boxed(
            "deferred_tools",
            DeferredTools::SPEC,
            DeferredTools::change(added, vec![c.to_owned()], /*none_remain*/ true),
        ),
        boxed(
            "incremental_tools",
            IncrementalToolsHint::SPEC,
            IncrementalToolsHint::custom(a),
        ),
        boxed(
            "removed_tools",
            RemovedTools::SPEC,
            RemovedTools {
                namespaces: vec![a.to_owned()],
                tools: vec![b.to_owned(), c.to_owned()],
            },
        ),
    ]
}

fn user(a: &str, b: &str, c: &str) -> Vec<Instance> {
    let status = SubagentStatus::Completed(Some(b.to_owned()));
    let plugins = vec![(a.to_owned(), b.to_owned()), (b.to_owned(), c.to_owned())];
    vec![
        boxed(
            "user_instructions",
            UserInstructions::SPEC,
            UserInstructions::replacing(Some(a), b),
        ),
        boxed(
            "environment_context",
            EnvironmentContext::SPEC,
            environment(a, b, c),
        ),
        boxed(
            "recommended_plugins",
            RecommendedPlugins::SPEC,
            RecommendedPlugins { plugins },
        ),
        boxed(
            "compaction_summary",
            CompactionSummary::SPEC,
            CompactionSummary::new(a),
        ),
        boxed("turn_aborted", TurnAborted::SPEC, TurnAborted::by_user()),
        boxed(
            "turn_aborted_by_host",
            TurnAborted::SPEC,
            TurnAborted::by_host(),
        ),
        boxed(
            "user_shell_command",
            UserShellCommand::SPEC,
            UserShellCommand::new(a, -1, 0.25, b),
        ),
        boxed(
            "subagent_notification",
            SubagentNotification::SPEC,
            SubagentNotification::new(a, status),
        ),
        boxed(
            "skill",
            SkillInstructions::SPEC,
            SkillInstructions::new(a, b, c),
        ),
        boxed("hook_prompt", HookPrompt::SPEC, HookPrompt::new(a, b)),
        boxed(
            "extension_context",
            ExtensionContext::SPEC,
            ExtensionContext::new(a),
        ),
    ]
}

/// The fragments whose constructors may refuse.
pub(crate) fn refusing(a: &str) -> Vec<Result<Instance, FragmentError>> {
    vec![
        ModelSwitchInstructions::new(a)
            .map(|f| boxed("model_switch", ModelSwitchInstructions::SPEC, f)),
        ModelInstructions::new("model-b", a)
            .map(|f| boxed("model_instructions", ModelInstructions::SPEC, f)),
        BaseInstructions::new(a).map(|f| boxed("base_instructions", BaseInstructions::SPEC, f)),
        DeveloperInstructions::new(a)
            .map(|f| boxed("developer_instructions", DeveloperInstructions::SPEC, f)),
        ThreadInstructions::new(a)
            .map(|f| boxed("thread_instructions", ThreadInstructions::SPEC, f)),
        CollaborationModeInstructions::new(a)
            .map(|f| boxed("collaboration_mode", CollaborationModeInstructions::SPEC, f)),
        ManagedDeveloperInstructions::new(a).map(|f| {
            boxed(
                "managed_instructions",
                ManagedDeveloperInstructions::SPEC,
                f,
            )
        }),
        PersistentModeInstructions::new(a)
            .map(|f| boxed("persistent_mode", PersistentModeInstructions::SPEC, f)),
        ContextWindowGuidance::new(a)
            .map(|f| boxed("context_window_guidance", ContextWindowGuidance::SPEC, f)),
        InternalContext::new("goal", a)
            .map(|f| boxed("internal_context", InternalContext::SPEC, f)),
        AdditionalContext::user("open_file", a)
            .map(|f| boxed("additional_context", AdditionalContext::SPEC, f)),
        AdditionalContext::developer("open_file", a)
            .map(|f| ("additional_context_developer", None, Box::new(f) as Box<_>)),
        ExtensionSectionText::developer("weather", a)
            .map(|f| ("extension_section", None, Box::new(f) as Box<_>)),
    ]
}

pub(crate) fn environment(a: &str, b: &str, c: &str) -> EnvironmentContext {
    let mut first = EnvironmentFacts::new(a);
    first.is_primary = Some(true);
    first.cwd = Some(b.to_owned());
    first.shell = Some(c.to_owned().into());
    EnvironmentContext {
        environments: vec![first, EnvironmentFacts::new(b)],
        shell_version: Some(a.to_owned().into()),
        current_date: Some(b.to_owned()),
        timezone: Some(c.to_owned()),
        network: Some(NetworkRules {
            allowed: vec![a.to_owned(), b.to_owned()],
            denied: vec![c.to_owned()],
        }),
        filesystem: Some(FilesystemRules {
            workspace_roots: vec![a.to_owned()],
            entries: vec![
                (FileAccess::Write, FileTarget::Path(a.to_owned())),
                (FileAccess::Deny, FileTarget::Glob(b.to_owned())),
                (FileAccess::Read, FileTarget::Special(c.to_owned())),
            ],
            ..FilesystemRules::default()
        }),
        subagents: vec![a.to_owned(), b.to_owned()],
        ..EnvironmentContext::default()
    }
}

pub(crate) fn permissions(a: &str, b: &str, c: &str) -> PermissionsInstructions {
    let mut rules =
        PermissionsInstructions::new(SandboxMode::WorkspaceWrite, ApprovalPolicy::OnRequest);
    rules.approval_wording = Some(a.to_owned());
    rules.writable_roots = vec![b.to_owned(), a.to_owned()];
    rules.denied_reads = vec![c.to_owned()];
    rules.approved_prefixes = vec![vec![a.to_owned(), b.to_owned()]];
    rules
}

pub(crate) fn context_window(a: &str, b: &str, c: &str) -> ContextWindow {
    ContextWindow {
        agent: a.to_owned(),
        first_window: b.to_owned(),
        window: c.to_owned(),
        previous_window: Some(a.to_owned()),
        hint: Some(b.to_owned()),
    }
}
