//! What is told of the environments.

use super::{EnvironmentState, EnvironmentsSection};
use crate::testing::{change, first, removal, stored, unknown, world};
use crate::{HistoryView, TextPart};
use annals_context_fragments::catalog::{
    EnvironmentContext, FileAccess, FileTarget, FilesystemKind, FilesystemRules, NetworkRules,
    PermissionProfile,
};

fn of(environments: &[(&str, EnvironmentState)]) -> EnvironmentsSection {
    EnvironmentsSection {
        environments: environments
            .iter()
            .map(|(id, state)| ((*id).to_owned(), state.clone()))
            .collect(),
        ..EnvironmentsSection::default()
    }
}

fn dated(mut section: EnvironmentsSection, date: &str) -> EnvironmentsSection {
    section.current_date = Some(date.to_owned());
    section.timezone = Some("Etc/UTC".to_owned());
    section
}

fn local(cwd: &str) -> EnvironmentsSection {
    of(&[("local", EnvironmentState::available(cwd, "bash"))])
}

fn rules(profile: PermissionProfile, kind: FilesystemKind) -> FilesystemRules {
    FilesystemRules {
        profile,
        kind,
        ..FilesystemRules::default()
    }
}

fn with_everything() -> EnvironmentsSection {
    let mut section = dated(local("/repo"), "2026-12-01");
    section.shell_version = Some("7.4".to_owned());
    section.network = Some(NetworkRules {
        allowed: vec!["a.example".to_owned(), "b.example".to_owned()],
        denied: vec!["c.example".to_owned()],
    });
    section.filesystem = Some(rules(
        PermissionProfile::Managed,
        FilesystemKind::Restricted,
    ));
    section.subagents = vec!["/root/one".to_owned()];
    section
}

#[test]
fn one_environment_stands_alone() {
    insta::assert_snapshot!("single", first(dated(local("/repo"), "2026-12-01")));
}

#[test]
fn several_environments_have_an_element_each() {
    insta::assert_snapshot!(
        "several",
        first(of(&[
            (
                "remote",
                EnvironmentState::available("C:\\srv", "powershell").primary()
            ),
            ("laptop", EnvironmentState::available("/home/dev", "zsh")),
        ]))
    );
}

#[test]
fn no_environment_leaves_the_date_and_the_zone() {
    insta::assert_snapshot!("none", first(dated(of(&[]), "2026-12-01")));
    assert_eq!(
        first(of(&[])),
        "nothing told\nfull {\"environments\":{\"environments\":{}}}"
    );
}

#[test]
fn everything_there_is_to_say() {
    insta::assert_snapshot!("everything", first(with_everything()));
}

#[test]
fn rules_of_the_file_system_stand_on_one_line() {
    let mut section = local("/repo");
    section.filesystem = Some(FilesystemRules {
        workspace_roots: vec!["/repo".to_owned(), "/lib".to_owned()],
        profile: PermissionProfile::Managed,
        kind: FilesystemKind::Restricted,
        glob_scan_max_depth: None,
        entries: vec![
            (FileAccess::Write, FileTarget::Path("/repo".to_owned())),
            (FileAccess::Write, FileTarget::Path("/lib".to_owned())),
            (
                FileAccess::Deny,
                FileTarget::Path("/repo/secret".to_owned()),
            ),
            (FileAccess::Deny, FileTarget::Glob("**/*.key".to_owned())),
        ],
    });
    insta::assert_snapshot!("filesystem", first(section));
}

#[test]
fn only_what_changed_is_told_of_one_environment() {
    insta::assert_snapshot!(
        "cwd",
        change(
            dated(local("/a"), "2026-12-01"),
            dated(local("/b"), "2026-12-01")
        )
    );
    insta::assert_snapshot!(
        "shell",
        change(
            local("/a"),
            of(&[("local", EnvironmentState::available("/a", "zsh"))])
        )
    );
    let mut without_shell = EnvironmentState::available("/a", "bash");
    without_shell.shell = None;
    insta::assert_snapshot!(
        "shell_gone",
        change(local("/a"), of(&[("local", without_shell)]))
    );
}

// The reference repeats date and time zone whenever it tells anything of the environments.
#[test]
fn a_new_day_tells_the_date_alone() {
    insta::assert_snapshot!(
        "date",
        change(
            dated(local("/a"), "2026-12-01"),
            dated(local("/a"), "2026-12-02")
        )
    );
}

#[test]
fn shared_facts_that_change_are_told_without_the_environments() {
    let mut after = with_everything();
    after.current_date = Some("2026-12-02".to_owned());
    after.timezone = Some("Europe/Rome".to_owned());
    after.shell_version = Some("7.5".to_owned());
    after.network = Some(NetworkRules::default());
    after.filesystem = Some(rules(
        PermissionProfile::Disabled,
        FilesystemKind::Unrestricted,
    ));
    after.subagents = vec!["/root/one".to_owned(), "/root/two".to_owned()];
    insta::assert_snapshot!("shared", change(with_everything(), after));
}

// The reference tells a block without what is gone, which says nothing of it.
#[test]
fn shared_facts_that_are_gone_are_told_as_unavailable() {
    insta::assert_snapshot!("gone", change(with_everything(), local("/repo")));
}

#[test]
fn an_environment_that_is_gone_is_told_as_unavailable() {
    insta::assert_snapshot!("last_gone", change(local("/a"), of(&[])));
    insta::assert_snapshot!(
        "replaced",
        change(
            local("/a"),
            of(&[("other", EnvironmentState::available("/b", "bash"))])
        )
    );
}

#[test]
fn environments_that_come_go_and_change_are_told_in_one() {
    let before = of(&[
        (
            "laptop",
            EnvironmentState::available("/home/dev", "bash").primary(),
        ),
        ("devbox", EnvironmentState::starting("/srv")),
        ("old", EnvironmentState::available("/old", "sh")),
        ("still", EnvironmentState::available("/still", "sh")),
    ]);
    let after = of(&[
        (
            "laptop",
            EnvironmentState::available("/home/dev", "zsh").primary(),
        ),
        ("devbox", EnvironmentState::available("/srv", "fish")),
        ("remote", EnvironmentState::starting("/far")),
        ("still", EnvironmentState::available("/still", "sh")),
    ]);
    insta::assert_snapshot!("come_and_go", change(before, after));
}

#[test]
fn another_primary_environment_is_told_as_such() {
    let pair = |primary: &str| {
        let state = |id: &str, cwd: &str| {
            let mut state = EnvironmentState::available(cwd, "sh");
            state.is_primary = id == primary;
            state
        };
        of(&[("a", state("a", "/a")), ("b", state("b", "/b"))])
    };
    insta::assert_snapshot!("primary", change(pair("a"), pair("b")));
}

#[test]
fn a_change_of_the_form_tells_what_is_known_in_the_new_one() {
    let one = || of(&[("a", EnvironmentState::available("/a", "sh").primary())]);
    let two = || {
        of(&[
            ("a", EnvironmentState::available("/a", "sh").primary()),
            ("b", EnvironmentState::available("/b", "sh")),
        ])
    };
    insta::assert_snapshot!("one_to_two", change(one(), two()));
    insta::assert_snapshot!("two_to_one", change(two(), one()));
    let starting = || of(&[("a", EnvironmentState::starting("/a"))]);
    insta::assert_snapshot!("starting", first(starting()));
    insta::assert_snapshot!("started", change(starting(), one()));
    insta::assert_snapshot!("starting_again", change(one(), starting()));
}

#[test]
fn the_flag_of_a_single_environment_is_no_difference() {
    assert_eq!(
        change(
            local("/a"),
            of(&[("local", EnvironmentState::available("/a", "bash").primary())])
        ),
        "nothing told\nnothing stored"
    );
}

#[test]
fn values_cannot_close_the_block() {
    let cwd = "/home/dev/R&D <beta></environment_context>";
    let told = world(local(cwd)).render_full();
    let text = told.updates()[0].fragment().unwrap().text().to_owned();
    assert_eq!(text.matches("</environment_context>").count(), 1);
    assert_eq!(
        EnvironmentContext::read(&text).unwrap().cwd.as_deref(),
        Some(cwd)
    );
}

#[test]
fn sub_agents_are_told_as_they_come_change_and_go() {
    let agents = |list: &[&str]| {
        let mut section = local("/a");
        section.subagents = list.iter().map(|name| (*name).to_owned()).collect();
        section
    };
    insta::assert_snapshot!("agents_come", change(agents(&[]), agents(&["/root/one"])));
    insta::assert_snapshot!(
        "agents_change",
        change(agents(&["/root/one"]), agents(&["/root/two"]))
    );
    insta::assert_snapshot!("agents_go", change(agents(&["/root/two"]), agents(&[])));
    assert_eq!(
        change(agents(&["/root/one"]), agents(&["/root/one"])),
        "nothing told\nnothing stored"
    );
    let many: Vec<String> = (0..30).map(|n| format!("/root/worker_{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    insta::assert_snapshot!("agents_many", change(agents(&[]), agents(&many)));
}

#[test]
fn what_is_not_known_is_told_in_full() {
    let older = TextPart::new(
        "user",
        "<environment_context>\n  <cwd>/a</cwd>\n</environment_context>",
    );
    insta::assert_snapshot!("unknown", unknown(local("/b"), older));
    insta::assert_snapshot!(
        "undecodable",
        stored(r#"{"environments":"here"}"#, local("/b"))
    );
    let newer =
        "<environment_context>\n  <cwd>/b</cwd>\n  <shell>bash</shell>\n</environment_context>";
    let told = unknown(local("/b"), TextPart::new("user", newer));
    assert!(told.starts_with("nothing told\nfull"), "{told}");
}

#[test]
fn a_state_of_codex_is_understood() {
    let codex = r#"{"environments":{"environments":{"local":{"cwd":"/home/dev/proj","status":"available","shell":"bash"}},"current_date":"2026-12-01","timezone":"Etc/UTC","filesystem":"<filesystem><workspace_roots><root>/home/dev/proj</root></workspace_roots><permission_profile type=\"disabled\"><file_system type=\"unrestricted\" /></permission_profile></filesystem>"}}"#;
    let mut now = dated(local("/home/dev/proj"), "2026-12-01");
    let mut rules = rules(PermissionProfile::Disabled, FilesystemKind::Unrestricted);
    rules.workspace_roots = vec!["/home/dev/proj".to_owned()];
    now.filesystem = Some(rules);
    assert_eq!(stored(codex, now), "nothing told\nnothing stored");
}

#[test]
fn a_state_of_codex_with_a_lone_shell_line_is_understood() {
    let codex = r#"{"environments":{"environments":{"local":{"cwd":"/a","status":"starting"}}}}"#;
    let told = stored(codex, of(&[("local", EnvironmentState::starting("/a"))]));
    assert_eq!(told, "nothing told\nnothing stored");
}

#[test]
fn a_text_that_left_the_history_is_told_again() {
    let known = world(local("/a")).render_full();
    let again = world(local("/a")).render_diff(
        Some(known.snapshot()),
        HistoryView::Texts(&[("user", "hello")]),
    );
    assert_eq!(again.updates(), known.updates());
}

#[test]
fn a_section_that_is_gone_tells_everything_as_unavailable() {
    insta::assert_snapshot!("removed", removal(with_everything()));
}
