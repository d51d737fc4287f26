//! Reading back texts that other programs wrote.

use annals_context_fragments::ContextualUserFragment as _;
use annals_context_fragments::catalog::{
    EnvironmentContext, FilesystemKind, Known, PermissionProfile, SubagentNotification,
    UserInstructions, UserShellCommand,
};

#[test]
fn an_environment_of_the_reference_is_read() {
    let text = "<environment_context>\n  <cwd>/home/dev/proj</cwd>\n  <shell>bash</shell>\n  \
        <current_date>2026-12-01</current_date>\n  <timezone>Etc/UTC</timezone>\n  <filesystem><workspace_roots>\
        <root>/home/dev/proj</root></workspace_roots><permission_profile type=\"disabled\"><file_system \
        type=\"unrestricted\" /></permission_profile></filesystem>\n</environment_context>";
    let context = EnvironmentContext::read(text).unwrap();
    assert_eq!(context.cwd.as_deref(), Some("/home/dev/proj"));
    assert_eq!(context.shell, Some(Known::Value("bash".to_owned())));
    assert_eq!(context.timezone.as_deref(), Some("Etc/UTC"));
    let rules = context.filesystem.clone().unwrap();
    assert_eq!(rules.profile, PermissionProfile::Disabled);
    assert_eq!(rules.kind, FilesystemKind::Unrestricted);
    // And it is written as it was read.
    assert_eq!(context.render(), text);
}

#[test]
fn elements_of_older_programs_are_passed_over() {
    let text = "<environment_context>\n  <cwd>/r</cwd>\n  <approval_policy>on-request</approval_policy>\n  \
        <sandbox_mode>read-only</sandbox_mode>\n</environment_context>";
    assert_eq!(
        EnvironmentContext::read(text),
        Some(EnvironmentContext::in_directory("/r"))
    );
}

#[test]
fn what_is_not_well_formed_is_not_read() {
    let check = |body: &str| {
        let text = format!("<environment_context>{body}</environment_context>");
        assert_eq!(EnvironmentContext::read(&text), None, "{body}");
    };
    check("<cwd>/r</shell>");
    check("<cwd>/r");
    check("</cwd>");
    check("<cwd");
    check("<>x</>");
    check(&format!("{}{}", "<a>".repeat(50), "</a>".repeat(50)));
}

#[test]
fn instructions_of_the_reference_are_read() {
    let text = "# AGENTS.md instructions for /home/dev/proj\n\n<INSTRUCTIONS>\nhome\n\n--- project-doc ---\n\nrules\n\n</INSTRUCTIONS>";
    let read = UserInstructions::read(text).unwrap();
    assert_eq!(read.directory(), Some("/home/dev/proj"));
    assert_eq!(read.text(), Some("home\n\n--- project-doc ---\n\nrules\n"));
    let text = "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nThe previously provided AGENTS.md instructions no longer apply.\n</INSTRUCTIONS>";
    assert_eq!(
        UserInstructions::read(text),
        Some(UserInstructions::removed())
    );
}

#[test]
fn a_shell_command_of_the_reference_is_read() {
    let text = "<user_shell_command>\n<command>\necho hi; exit 2\n</command>\n<result>\nExit code: 2\n\
        Duration: 0.0207 seconds\nOutput:\nhi\n\n</result>\n</user_shell_command>";
    let read = UserShellCommand::read(text).unwrap();
    assert_eq!(
        read,
        UserShellCommand::new("echo hi; exit 2", 2, 0.0207, "hi\n")
    );
}

#[test]
fn a_notification_that_is_no_json_is_not_read() {
    for body in [
        "",
        "{}",
        "[]",
        "{\"agent_path\":\"/r\",\"status\":\"odd\"}",
        "{\"agent_path\":1,\"status\":\"running\"}",
    ] {
        let text = format!("<subagent_notification>\n{body}\n</subagent_notification>");
        assert_eq!(SubagentNotification::read(&text), None, "{body}");
    }
}
