//! A command that the user ran aside, with what it printed.

use super::text;
use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Keep, Role, neutralize, restore};

const COMMAND_END: &str = "</command>";
const RESULT: &str = "\n</command>\n<result>\nExit code: ";
const TAIL: &str = "\n</result>\n";

/// Tells the model of a command that the user ran, and of its result.
///
/// **Seen by**: the model, where the user ran it.
///
/// **Shape**:
///
/// ```text
/// <user_shell_command>
/// <command>
/// make
/// </command>
/// <result>
/// Exit code: 2
/// Duration: 0.0207 seconds
/// Output:
/// no rule
/// </result>
/// </user_shell_command>
/// ```
///
/// **Bounds**: cap 10,000 tokens; a command keeps 8,000 bytes, the output what is left, head and tail around a mark.
/// Outputs are cut by the turn's own policy before they come here.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{ContextualUserFragment, catalog::UserShellCommand};
///
/// let ran = UserShellCommand::new("ls -l", 0, 0.02, "total 0\n");
/// assert_eq!(UserShellCommand::read(&ran.render()), Some(ran));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserShellCommand {
    command: String,
    exit_code: i32,
    duration: String,
    output: String,
}

impl UserShellCommand {
    // P0(2026-12-01): bound 10,000 tokens a command that the user ran by hand; may grow: with what the command prints,
    // which the turn's truncation policy cuts first. Worth it: the user ran it for the model to see.
    const CAP: Cap = Cap::cutting_at::<10_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "UserShellCommand",
        Role::User,
        "shell.user_command",
        ("<user_shell_command>", "</user_shell_command>"),
        Self::CAP,
    )
    .event();

    const MAX_COMMAND_BYTES: usize = 8_000;

    /// A command with its exit code, the seconds that it took and its output.
    pub fn new<C, O>(command: C, exit_code: i32, duration_seconds: f64, output: O) -> Self
    where
        C: Into<String>,
        O: Into<String>,
    {
        Self {
            command: command.into(),
            exit_code,
            duration: format!("{duration_seconds:.4}"),
            output: output.into(),
        }
    }

    /// The command.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Its exit code.
    pub const fn exit_code(&self) -> i32 {
        self.exit_code
    }

    /// How long it took, in seconds with four decimals.
    pub fn duration_seconds(&self) -> &str {
        &self.duration
    }

    /// What it printed.
    pub fn output(&self) -> &str {
        &self.output
    }

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        let inner = text::inner(&Self::SPEC, rendered)?;
        let inner = inner.strip_prefix("\n<command>\n")?.strip_suffix(TAIL)?;
        let (command, rest) = inner.split_once(RESULT)?;
        let (exit_code, rest) = rest.split_once("\nDuration: ")?;
        let (duration, output) = rest.split_once(" seconds\nOutput:\n")?;
        let command = restore(command, Self::SPEC.end());
        Some(Self {
            command: restore(&command, COMMAND_END).into_owned(),
            exit_code: exit_code.parse().ok()?,
            duration: duration.to_owned(),
            output: restore(output, Self::SPEC.end()).into_owned(),
        })
    }
}

impl ContextualUserFragment for UserShellCommand {
    facts_of_spec!();

    fn body(&self) -> Body {
        let command = neutralize(&self.command, COMMAND_END);
        let (command, cut) = Body::new(neutralize(&command, Self::SPEC.end()))
            .keeping(Keep::HeadAndTail)
            .fit(Self::MAX_COMMAND_BYTES);
        let lead = format!(
            "\n<command>\n{command}{RESULT}{}\nDuration: {} seconds\nOutput:\n",
            self.exit_code, self.duration
        );
        Body::framed(lead, neutralize(&self.output, Self::SPEC.end()), TAIL)
            .keeping(Keep::HeadAndTail)
            .with_cut(cut)
    }
}
