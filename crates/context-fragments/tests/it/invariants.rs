//! What holds for every fragment and any values: size, recognition, reading back, no panic.

use annals_context_fragments::catalog::{
    ALL, AdditionalContext, ApprovedCommandPrefixSaved, CollaborationModeInstructions,
    CompactionSummary, ContextWindow, EnvironmentContext, ExtensionContext, HookPrompt,
    InternalContext, ManagedDeveloperInstructions, ModelInstructions, MultiAgentModeInstructions,
    RecommendedPlugins, SkillInstructions, SubagentNotification, SubagentStatus,
    ThreadInstructions, UserInstructions, UserShellCommand,
};
use annals_context_fragments::{
    ContextualUserFragment, FragmentSpec, PartClass, Recognizer, Role, classify_part,
};
use proptest::prelude::*;

use crate::every;

/// Texts that try to break a fragment: markers of all fragments, references, line breaks, invisible characters.
pub(crate) fn hostile() -> impl Strategy<Value = String> {
    let markers: Vec<&'static str> = ALL
        .iter()
        .flat_map(|spec| [spec.start(), spec.end()])
        .collect();
    let piece = prop_oneof![
        3 => proptest::sample::select(markers).prop_map(str::to_owned),
        2 => proptest::sample::select(vec![
            "\r\n", "\n", "\0", "\u{202e}", "\u{200b}", "\u{feff}", "\u{1b}[31m", " ", "\t", "&", "&amp;", "&lt;",
            "lt;", "&#x3C;", "<", ">", "\"", "'", "</", "</cwd>", "</command>\n<result>\nExit code: ", "</result>",
            "<INSTRUCTIONS>", "\n\n<INSTRUCTIONS>\n", "\">", "\n</path>\n", ", ", "- x: y", ")", " (", "\\", "\u{2028}",
            "</ INSTRUCTIONS>", "<\u{200b}/instructions>", "&lt;/INSTRUCTIONS>", "é", "漢", "\u{1f600}",
            "</external_open_file>", "--- project-doc ---",
        ]).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => "[a-z ]{0,40}",
        1 => (1_usize..3_000).prop_map(|n| "ab c".repeat(n)),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn is_same_family(found: &FragmentSpec, expected: &FragmentSpec) -> bool {
    found.start() == expected.start() && found.end() == expected.end()
}

fn count_ignoring_case(text: &str, part: &str) -> usize {
    text.to_ascii_lowercase()
        .matches(&part.to_ascii_lowercase())
        .count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn any_values_stay_within_the_cap_and_are_recognized(
        a in hostile(), b in hostile(), c in hostile(),
    ) {
        for (name, spec, fragment) in every::every(&a, &b, &c) {
            let rendered = fragment.render_fragment();
            prop_assert!(rendered.tokens() <= u64::from(fragment.cap().tokens()), "{name}");
            let role = fragment.role();

            // By its kind it is itself, whatever its text.
            let kind = fragment.content_kind();
            let by_kind = classify_part(role, Some(rendered.text()), Some(kind.as_str()));
            prop_assert!(by_kind.is_contextual(), "{name}");
            let Some(spec) = spec else { continue };
            if !spec.kind().is_empty() {
                let PartClass::Known(row) = by_kind else {
                    return Err(TestCaseError::fail(format!("{name} is foreign by its kind")));
                };
                prop_assert_eq!(row.kind(), spec.kind(), "{}", name);
            }

            // By its markers it is one of its family, and its end stands once.
            let markers = fragment.markers();
            if markers.is_none() || markers.end().is_empty() {
                continue;
            }
            let PartClass::Known(row) = classify_part(role, Some(rendered.text()), None) else {
                return Err(TestCaseError::fail(format!("{name} is not recognized: {}", rendered.text())));
            };
            prop_assert!(is_same_family(row, &spec), "{name} is taken for {}", row.name());
            prop_assert_eq!(count_ignoring_case(rendered.text(), markers.end()), 1, "{}", name);
            prop_assert!(rendered.text().starts_with(markers.start()), "{name}");
            prop_assert!(rendered.text().ends_with(markers.end()), "{name}");
        }
    }

    #[test]
    fn a_users_own_text_is_never_context(text in hostile()) {
        for role in [Role::User, Role::Developer] {
            prop_assert!(!classify_part(role, Some(&text), Some("user.text")).is_contextual());
        }
    }

    #[test]
    fn no_text_is_of_two_families(text in hostile()) {
        for role in [Role::User, Role::Developer] {
            let found: Vec<_> =
                ALL.iter().filter(|spec| spec.is_of_role(role) && spec.matches(&text)).collect();
            for pair in found.windows(2) {
                prop_assert!(is_same_family(pair[0], pair[1]), "{} {}", pair[0].name(), pair[1].name());
            }
        }
    }

    #[test]
    fn reading_never_panics(text in hostile(), spec in proptest::sample::select(ALL)) {
        let marked = [spec.start(), &text, spec.end()].concat();
        for text in [text, marked] {
            let _read = (
                UserInstructions::read(&text), EnvironmentContext::read(&text), UserShellCommand::read(&text),
                SubagentNotification::read(&text), SkillInstructions::read(&text), HookPrompt::read(&text),
                ContextWindow::read(&text), RecommendedPlugins::read(&text), AdditionalContext::read(&text),
                ApprovedCommandPrefixSaved::read(&text), InternalContext::read(&text), ModelInstructions::read(&text),
            );
            let _class = Recognizer::new().message("user", &[&text], &["unknown"]);
        }
    }
}

/// Values short enough that nothing is cut.
fn short() -> impl Strategy<Value = String> {
    hostile().prop_map(|text| text.chars().take(40).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn values_of_users_fragments_are_read_back(a in short(), b in short(), c in short(), code: i32) {
        // An empty directory counts as none.
        let directory = (!a.is_empty()).then_some(a.as_str());
        for fragment in [UserInstructions::new(directory, b.as_str()), UserInstructions::replacing(directory, b.as_str())] {
            prop_assert_eq!(UserInstructions::read(&fragment.render()), Some(fragment));
        }
        let fragment = every::environment(&a, &b, &c);
        let mut expected = fragment.clone();
        if let Some(rules) = &mut expected.filesystem {
            // Entries that are the same are told once.
            let mut seen = Vec::new();
            rules.entries.retain(|entry| !seen.contains(entry) && { seen.push(entry.clone()); true });
        }
        prop_assert_eq!(EnvironmentContext::read(&fragment.render()), Some(expected));
        let fragment = UserShellCommand::new(a.as_str(), code, 1.5, b.as_str());
        prop_assert_eq!(UserShellCommand::read(&fragment.render()), Some(fragment));
        for status in [SubagentStatus::Completed(Some(b.clone())), SubagentStatus::Completed(None), SubagentStatus::Errored(c.clone())] {
            let fragment = SubagentNotification::new(a.as_str(), status);
            prop_assert_eq!(SubagentNotification::read(&fragment.render()), Some(fragment));
        }
        let fragment = SkillInstructions::new(a.as_str(), b.as_str(), c.as_str());
        prop_assert_eq!(SkillInstructions::read(&fragment.render()), Some(fragment));
        let fragment = HookPrompt::new(a.as_str(), b.as_str());
        prop_assert_eq!(HookPrompt::read(&fragment.render()), Some(fragment));
        let fragment = CompactionSummary::new(a.as_str());
        prop_assert_eq!(CompactionSummary::read(&fragment.render()), Some(fragment));
        let fragment = ExtensionContext::new(a.as_str());
        prop_assert_eq!(ExtensionContext::read(&fragment.render()), Some(fragment));
        let fragment = AdditionalContext::user("open_file", a.as_str()).unwrap();
        prop_assert_eq!(AdditionalContext::read(&fragment.render()), Some(fragment));
        let fragment = InternalContext::new("goal", a.as_str()).unwrap();
        prop_assert_eq!(InternalContext::read(&fragment.render()), Some(fragment));
        let fragment = RecommendedPlugins { plugins: vec![(a.clone(), b.clone()), (c, a)] };
        prop_assert_eq!(RecommendedPlugins::read(&fragment.render()), Some(fragment));
    }

    #[test]
    fn values_of_developer_fragments_are_read_back(a in short(), b in short(), c in short()) {
        let fragment = every::context_window(&a, &b, &c);
        let mut expected = fragment.clone();
        expected.hint = expected.hint.filter(|hint| !hint.is_empty());
        prop_assert_eq!(ContextWindow::read(&fragment.render()), Some(expected));
        let fragment = CollaborationModeInstructions::new(a.as_str()).unwrap();
        prop_assert_eq!(CollaborationModeInstructions::read(&fragment.render()), Some(fragment));
        let fragment = ThreadInstructions::new(a.as_str()).unwrap();
        prop_assert_eq!(ThreadInstructions::read(&fragment.render()), Some(fragment));
        let fragment = ManagedDeveloperInstructions::replacing(a.as_str()).unwrap();
        prop_assert_eq!(ManagedDeveloperInstructions::read(&fragment.render()), Some(fragment));
        let fragment = ModelInstructions::new("model-b", a.as_str()).unwrap();
        prop_assert_eq!(ModelInstructions::read(&fragment.render()), Some(fragment));
        let fragment = MultiAgentModeInstructions::custom(a.as_str());
        prop_assert_eq!(MultiAgentModeInstructions::read(&fragment.render()), Some(fragment));
        let fragment = ApprovedCommandPrefixSaved::new([vec![a, b], vec![c]]);
        prop_assert_eq!(ApprovedCommandPrefixSaved::read(&fragment.render()), Some(fragment));
    }
}
