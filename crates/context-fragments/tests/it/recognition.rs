//! Recognition: recorded kinds first, markers second, a message only if every part is context.

use annals_context_fragments::catalog::{ALL, TurnAborted};
use annals_context_fragments::{
    Cap, ContentKind, ContextualUserFragment, FragmentClass, FragmentSpec, Matching, PartClass,
    Recognizer, Role, classify_message, classify_part, is_contextual_developer_content,
    is_contextual_user_content,
};

const NO_KINDS: [&str; 0] = [];

#[test]
fn markers_tell_where_no_kind_was_recorded() {
    let check = |text: &str, expect: bool| {
        assert_eq!(
            is_contextual_user_content(&[text], &NO_KINDS),
            expect,
            "{text:?}"
        );
        assert_eq!(
            is_contextual_user_content(&[text], &["unknown"]),
            expect,
            "{text:?}"
        );
        assert_eq!(
            is_contextual_user_content(&[text], &["nodot"]),
            expect,
            "{text:?}"
        );
    };
    check(
        "<environment_context>\n  <cwd>/r</cwd>\n</environment_context>",
        true,
    );
    check(
        "# AGENTS.md instructions for /r\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>",
        true,
    );
    check(
        "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>",
        true,
    );
    check("<user_instructions>\n\nx\n\n</user_instructions>", true);
    check("<goal_context>x</goal_context>", true);
    check("<extension_context>x</extension_context>", true);
    check(
        " \n<SUBAGENT_NOTIFICATION>{}</subagent_notification>\n",
        true,
    );
    check("<external_cwd>x</external_cwd>", true);
    check("<external_cwd>x</external_other>", false);
    check("<external_>x</external_>", false);
    check("<external_cwd>", false);
    check("hello", false);
    check("", false);
    check("<environment_context>", false);
    check(
        "<environment_context>x</environment_context> and then",
        false,
    );
    check("see <environment_context>x</environment_context>", false);
    check("<turn_aborted></turn_aborted", false);
    check(
        "<permissions instructions>x</permissions instructions>",
        false,
    );
}

#[test]
fn developer_markers_count_in_developer_messages_only() {
    let check = |text: &str, expect: bool| {
        assert_eq!(
            is_contextual_developer_content(&[text], &NO_KINDS),
            expect,
            "{text:?}"
        );
    };
    check(
        "<permissions instructions>x</permissions instructions>",
        true,
    );
    check("<token_budget>\nYou have 10 tokens left", true);
    check("<personality_spec> warm", true);
    check(
        "The following tools are no longer available. Do not call them:\n- functions.x",
        true,
    );
    check("Approved command prefix saved:\n- [\"git\"]", true);
    check("<environment_context>x</environment_context>", false);
    check("Answer in French.", false);
}

#[test]
fn an_interrupt_counts_in_both_roles() {
    let text = TurnAborted::by_user().render();
    for role in ["user", "developer"] {
        let class = classify_message(role, [(Some(text.as_str()), None)]);
        assert!(class.is_contextual() && class.has_event(), "{role}");
    }
    assert!(!classify_message("assistant", [(Some(text.as_str()), None)]).is_contextual());
}

#[test]
fn recorded_kinds_win_over_markers() {
    let check = |text: &str, kind: &str, expect: bool| {
        assert_eq!(
            is_contextual_user_content(&[text], &[kind]),
            expect,
            "{text:?} {kind:?}"
        );
    };
    check(
        "<environment_context>x</environment_context>",
        "user.text",
        false,
    );
    check(
        "<environment_context>x</environment_context>",
        "user.anything",
        false,
    );
    check(
        "image content omitted because it could not be processed",
        "images.preparation_error",
        false,
    );
    check("anything", "agents_md.instructions", true);
    check("anything", "feature.nobody_knows", true);
}

#[test]
fn a_part_that_is_no_text_is_the_users() {
    let env = "<environment_context>x</environment_context>";
    let class = classify_message("user", [(Some(env), None), (None, None)]);
    assert!(class.is_mixed() && !class.is_contextual());
    let class = classify_message("user", [(None, Some("user.image"))]);
    assert!(!class.is_contextual() && !class.is_mixed());
}

#[test]
fn a_message_is_context_only_if_every_part_is() {
    let env = "<environment_context>x</environment_context>";
    assert!(!is_contextual_user_content(
        &[env, "Rename the helper"],
        &NO_KINDS
    ));
    assert!(is_contextual_user_content(
        &[env, env],
        &["environments.environment_context"]
    ));
    assert!(!is_contextual_user_content::<&str, &str>(&[], &[]));
}

#[test]
fn the_summary_of_a_compaction_is_no_turn_of_the_user() {
    let text = "Another language model started to solve this problem and produced a summary of its thinking process. So.";
    for kind in [None, Some("compaction.summary")] {
        let class = classify_message("user", [(Some(text), kind)]);
        assert!(class.is_contextual() && class.is_summary(), "{kind:?}");
    }
}

#[test]
fn roles_that_hold_no_fragments_hold_own_words_only() {
    let env = "<environment_context>x</environment_context>";
    for role in ["system", "tool", ""] {
        let class = classify_message(
            role,
            [(Some(env), Some("environments.environment_context"))],
        );
        assert!(!class.is_contextual(), "{role}");
    }
}

#[test]
fn a_host_adds_rows_of_its_own() {
    let cap = Cap::cutting_at::<10>();
    let spec = FragmentSpec::new("Note", Role::Developer, "host.note", ("NOTE:", ""), cap)
        .event()
        .matched_by(Matching::Start);
    let recognizer = Recognizer::new().with(spec);
    let part = recognizer.part(Role::Developer, Some("note: x"), None);
    assert_eq!(part.class(), Some(FragmentClass::Event));
    let part = recognizer.part(Role::Developer, Some("x"), Some("host.note"));
    assert!(matches!(part, PartClass::Known(row) if row.name() == "Note"));
    assert!(matches!(
        classify_part(Role::Developer, Some("x"), Some("host.note")),
        PartClass::Foreign
    ));
}

#[test]
fn rows_agree_with_each_other() {
    for (at, spec) in ALL.iter().enumerate() {
        assert!(
            spec.kind().is_empty() || ContentKind::is_well_formed(spec.kind()),
            "{}",
            spec.name()
        );
        for other in &ALL[at + 1..] {
            assert!(
                spec.kind().is_empty() || spec.kind() != other.kind(),
                "{}",
                spec.kind()
            );
            let one_is_empty = spec.start().is_empty() || other.start().is_empty();
            let is_family = spec.start() == other.start() && spec.end() == other.end();
            let shares_start =
                spec.start().starts_with(other.start()) || other.start().starts_with(spec.start());
            assert!(
                one_is_empty || is_family || !shares_start,
                "{} {}",
                spec.name(),
                other.name()
            );
        }
    }
}
