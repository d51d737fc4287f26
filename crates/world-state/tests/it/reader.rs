//! Whatever happens: a model that was told everything once and then only changes knows what one
//! knows that was told the last state in full.

use crate::host::{Settings, Thread};
use crate::knowledge::Knowledge;
use annals_context_fragments::catalog::{
    ApprovalPolicy, FilesystemRules, MultiAgentMode, NetworkRules, PermissionsInstructions,
    SandboxMode,
};
use annals_world_state::sections::{EnvironmentReadiness, EnvironmentState, EnvironmentsSection};
use annals_world_state::{BaselineChain, HistoryView, WorldStateSnapshot};
use proptest::prelude::*;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => Just(String::new()),
        1 => Just("one".to_owned()),
        1 => Just("two\r\nlines".to_owned()),
        1 => Just("a & b < c > </INSTRUCTIONS> \"'".to_owned()),
    ]
}

fn environment() -> impl Strategy<Value = EnvironmentState> {
    let shell = prop::option::of(prop_oneof![Just("sh".to_owned()), Just("zsh".to_owned())]);
    ("/[ab<]", any::<bool>(), shell, any::<bool>()).prop_map(|(cwd, starts, shell, is_primary)| {
        let status = if starts {
            EnvironmentReadiness::Starting
        } else {
            EnvironmentReadiness::Available
        };
        EnvironmentState {
            cwd,
            status,
            shell,
            is_primary,
        }
    })
}

fn surroundings() -> impl Strategy<Value = EnvironmentsSection> {
    let maybe = |pattern: &'static str| prop::option::of(pattern);
    let network = prop::option::of(prop::collection::vec("[ab]", 1..3));
    let files = prop::option::of(prop::collection::vec("/[ab]", 0..2));
    (
        prop::collection::btree_map("[abc]", environment(), 0..3),
        maybe("7.[45]"),
        maybe("2026-12-0[12]"),
        maybe("UTC|CET"),
        network,
        files,
        prop::collection::vec("/root/[ab]", 0..2),
    )
        .prop_map(
            |(environments, shell_version, date, zone, network, files, subagents)| {
                EnvironmentsSection {
                    environments,
                    shell_version,
                    current_date: date,
                    timezone: zone,
                    network: network.map(|allowed| NetworkRules {
                        allowed,
                        denied: Vec::new(),
                    }),
                    filesystem: files.map(|workspace_roots| FilesystemRules {
                        workspace_roots,
                        ..FilesystemRules::default()
                    }),
                    subagents,
                }
            },
        )
}

fn permissions() -> impl Strategy<Value = PermissionsInstructions> {
    let policy = prop_oneof![
        3 => Just(ApprovalPolicy::OnRequest),
        1 => Just(ApprovalPolicy::Never),
    ];
    let prefixes = prop::collection::vec(prop::collection::vec("[ab]", 1..3), 0..4);
    (policy, any::<bool>(), prefixes).prop_map(|(policy, network, prefixes)| {
        let mut rules = PermissionsInstructions::new(SandboxMode::ReadOnly, policy);
        rules.network_access = network;
        rules.approved_prefixes = prefixes;
        rules
    })
}

fn agent_mode() -> impl Strategy<Value = Option<MultiAgentMode>> {
    prop_oneof![
        Just(None),
        Just(Some(MultiAgentMode::Proactive)),
        Just(Some(MultiAgentMode::ExplicitRequestOnly)),
        Just(Some(MultiAgentMode::Custom("Ask.".to_owned()))),
    ]
}

fn settings() -> impl Strategy<Value = Settings> {
    let texts = (text(), text(), text(), text(), text());
    let flags = prop::array::uniform4(any::<bool>());
    let lists = (
        prop::collection::btree_map("[ab]", "[XY]", 0..3),
        prop::collection::vec("[mn]", 0..3),
        "[hi]",
        agent_mode(),
        "/root(/a)?",
    );
    (
        texts,
        flags,
        lists,
        surroundings(),
        permissions(),
        "model-[ab]",
    )
        .prop_map(|(texts, flags, lists, environments, permissions, model)| {
            let (guidance, agents_md, mode, persistent, managed) = texts;
            let [is_spoken, has_apps, has_plugins, has_several_environments] = flags;
            let (deferred, catalog, hint, agent_mode, agent) = lists;
            Settings {
                model,
                model_of_turn_before: None,
                guidance,
                agent,
                is_spoken,
                agents_md,
                permissions,
                mode,
                persistent,
                environments,
                has_several_environments,
                has_apps,
                has_plugins,
                deferred: deferred.into_iter().collect(),
                catalog,
                hint,
                agent_mode,
                managed,
            }
        })
}

/// Settings that follow each other: some steps change nothing.
fn path() -> impl Strategy<Value = Vec<Settings>> {
    let step = (settings(), any::<bool>());
    prop::collection::vec(step, 1..6).prop_map(|steps| {
        let mut path: Vec<Settings> = Vec::new();
        for (next, stays) in steps {
            match path.last() {
                Some(last) if stays => path.push(last.clone()),
                _ => path.push(next),
            }
        }
        path
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn changes_lead_to_the_same_knowledge_as_a_full_telling(path in path()) {
        let mut thread = Thread::default();
        let mut tellings = Vec::new();
        for settings in &path {
            let telling = thread.tell(&settings.world());
            tellings.push(telling);
            let full = settings.world().render_full();
            prop_assert_eq!(
                Knowledge::of(&tellings),
                Knowledge::of(std::slice::from_ref(&full)),
                "told: {:#?}", thread.parts
            );
            prop_assert_eq!(thread.baseline.as_ref(), Some(full.snapshot()));
        }
    }

    #[test]
    fn what_did_not_change_is_not_told(settings in settings()) {
        let known = settings.world().render_full();
        let again = settings.world().render_diff(Some(known.snapshot()), HistoryView::Intact);
        prop_assert!(again.is_silent());
        prop_assert_eq!(again.record().unwrap(), None);
    }

    #[test]
    fn records_replayed_give_the_state_that_was_told(path in path()) {
        let mut thread = Thread::default();
        let mut chain = BaselineChain::new();
        for settings in &path {
            if let Some(record) = thread.tell(&settings.world()).record().unwrap() {
                let line = serde_json::to_string(&record).unwrap();
                chain.record(&serde_json::from_str(&line).unwrap());
            }
            prop_assert_eq!(chain.baseline(), thread.baseline.as_ref());
        }
        let written = thread.baseline.unwrap().to_json();
        prop_assert_eq!(WorldStateSnapshot::parse(&written).unwrap().to_json(), written);
    }

    #[test]
    fn a_history_from_which_nothing_is_gone_tells_no_more_when_it_is_walked(path in path()) {
        let mut thread = Thread::default();
        for settings in &path {
            if thread.baseline.is_some() {
                let world = settings.world();
                let baseline = thread.baseline.as_ref();
                let texts = thread.texts();
                let walked = world.render_diff(baseline, HistoryView::Texts(&texts));
                let intact = world.render_diff(baseline, HistoryView::Intact);
                prop_assert_eq!(walked.updates(), intact.updates());
                prop_assert_eq!(walked.snapshot(), intact.snapshot());
            }
            let told = thread.tell(&settings.world());
            prop_assert_eq!(thread.baseline.as_ref(), Some(told.snapshot()));
        }
    }

    /// Where the state is lost the texts are what is known. Environments and namespaces of which
    /// nobody knows any more that they were told cannot be told to be gone; they are left out here.
    #[test]
    fn a_lost_state_is_made_good_from_the_texts(path in path(), last in settings()) {
        let without_lists = |settings: &Settings| Settings {
            environments: EnvironmentsSection::default(),
            deferred: Vec::new(),
            ..settings.clone()
        };
        let mut thread = Thread::default();
        let mut tellings: Vec<_> =
            path.iter().map(|settings| thread.tell(&without_lists(settings).world())).collect();
        let texts = thread.texts();
        let last = without_lists(&last).world();
        tellings.push(last.render_diff(None, HistoryView::Texts(&texts)));
        prop_assert_eq!(
            Knowledge::of(&tellings),
            Knowledge::of(&[last.render_full()]),
            "told: {:#?}", thread.parts
        );
    }
}
