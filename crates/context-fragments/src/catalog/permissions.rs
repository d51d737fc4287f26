//! What the model may do without asking, and how it asks for more.

use super::approved_prefixes::prefix_list;
use super::text::{self, list_within, one_line};
use crate::{Body, Cap, ContextualUserFragment, Cut, FragmentSpec, Role, neutralize, restore};

/// Tells the model what its commands may do, and when somebody must be asked.
///
/// **Seen by**: the model, in the first context, and in full when the rules change. If only approved command prefixes
/// were added, [`ApprovedCommandPrefixSaved`](super::ApprovedCommandPrefixSaved) tells those alone.
///
/// **Shape**: `<permissions instructions>`, a line break, the sandbox and approval paragraphs, the writable roots, the
/// lists of denied reads and approved prefixes where there are any, `</permissions instructions>`.
///
/// **Bounds**: cap 4,000 tokens. Host wording is cut at 6,000 bytes, each list at its own limit, with a line that counts
/// the rest.
///
/// # Example
///
/// ```
/// use annals_context_fragments::ContextualUserFragment;
/// use annals_context_fragments::catalog::{ApprovalPolicy, PermissionsInstructions, SandboxMode};
///
/// let mut rules = PermissionsInstructions::new(SandboxMode::ReadOnly, ApprovalPolicy::Never);
/// rules.approved_prefixes = vec![vec!["git".to_owned(), "pull".to_owned()]];
/// let text = rules.render();
/// assert!(text.starts_with("<permissions instructions>\nThe sandbox mode is `read-only`"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionsInstructions {
    /// How commands are confined.
    pub sandbox: SandboxMode,
    /// Whether commands may use the network.
    pub network_access: bool,
    /// When somebody is asked.
    pub approval: ApprovalPolicy,
    /// Who is asked.
    pub reviewer: ApprovalReviewer,
    /// The host's own words on approval, in the place of the paragraph of `approval`. Empty words say nothing at all.
    pub approval_wording: Option<String>,
    /// Directories that may be written to, shown in sorted order.
    pub writable_roots: Vec<String>,
    /// Paths and patterns that may not even be read.
    pub denied_reads: Vec<String>,
    /// Commands that were approved for good, by their first words.
    pub approved_prefixes: Vec<Vec<String>>,
}

/// How commands are confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SandboxMode {
    /// They may read files and write none.
    ReadOnly,
    /// They may write in the workspace.
    WorkspaceWrite,
    /// They are not confined.
    DangerFullAccess,
}

impl SandboxMode {
    /// The mode's name in settings and texts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::WorkspaceWrite => "workspace-write",
            Self::DangerFullAccess => "danger-full-access",
        }
    }

    const fn meaning(self) -> &'static str {
        match self {
            Self::ReadOnly => "commands can read files and cannot write any",
            Self::WorkspaceWrite => {
                "commands can read files, and can write in the working directory and the writable roots only"
            }
            Self::DangerFullAccess => "commands are not confined and can read and write everything",
        }
    }
}

/// When somebody is asked before a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ApprovalPolicy {
    /// Never.
    Never,
    /// Before every command that is not known to be harmless.
    UnlessTrusted,
    /// After a command failed in the sandbox.
    OnFailure,
    /// When the model asks to leave the sandbox.
    OnRequest,
    /// As the host's rules say for each kind of request.
    Granular,
}

impl ApprovalPolicy {
    /// The policy's name in settings and texts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::UnlessTrusted => "unless-trusted",
            Self::OnFailure => "on-failure",
            Self::OnRequest => "on-request",
            Self::Granular => "granular",
        }
    }

    const fn meaning(self) -> &'static str {
        match self {
            Self::Never => {
                "Nobody can be asked. A command that the sandbox forbids fails: \
                 do not ask for more permissions, find a way within the sandbox."
            }
            Self::UnlessTrusted => {
                "Every command that is not on the list of harmless ones waits for approval before it runs."
            }
            Self::OnFailure => {
                "A command runs in the sandbox first. If it fails there, approval is asked to run it outside."
            }
            Self::OnRequest => {
                "A command runs in the sandbox unless you ask to run it outside. \
                 Ask only for a command that needs it, with one sentence that says why, \
                 and do not try to get around a refusal."
            }
            Self::Granular => {
                "Whether a request can be approved depends on its kind, as the host has set. \
                 A request of a kind that cannot be approved fails at once: do not repeat it."
            }
        }
    }

    const fn shows_prefixes(self) -> bool {
        matches!(self, Self::OnRequest | Self::Granular)
    }
}

/// Who is asked for an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ApprovalReviewer {
    /// The user.
    User,
    /// Another model, on the user's behalf.
    AutoReview,
}

impl PermissionsInstructions {
    // P0(2026-12-01): bound 6,000 bytes of host wording, 100 approved prefixes within 5,000 bytes, 2,000 bytes of roots
    // and of denied reads each; may grow: with the lists that users collect. Worth it: a model that does not know its
    // limits wastes turns on commands that fail.
    const CAP: Cap = Cap::cutting_at::<4_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "PermissionsInstructions",
        Role::Developer,
        "permissions.instructions",
        ("<permissions instructions>", "</permissions instructions>"),
        Self::CAP,
    );

    const WORDING_BYTES: usize = 6_000;
    const LIST_BYTES: usize = 2_000;

    /// The rules of a sandbox mode and an approval policy, without network, roots or lists; the user is asked.
    pub const fn new(sandbox: SandboxMode, approval: ApprovalPolicy) -> Self {
        Self {
            sandbox,
            network_access: false,
            approval,
            reviewer: ApprovalReviewer::User,
            approval_wording: None,
            writable_roots: Vec::new(),
            denied_reads: Vec::new(),
            approved_prefixes: Vec::new(),
        }
    }

    /// The text between the markers as it was before it was made safe, for a comparison with what was told.
    pub fn read_text(rendered: &str) -> Option<String> {
        let inner = text::inner(&Self::SPEC, rendered)?;
        Some(restore(inner, Self::SPEC.end()).into_owned())
    }

    fn paragraphs(&self) -> (String, Option<Cut>) {
        let network = if self.network_access {
            "enabled"
        } else {
            "restricted"
        };
        let mut out = format!(
            "The sandbox mode is `{}`: {}. Network access is {network}.\n",
            self.sandbox.as_str(),
            self.sandbox.meaning()
        );
        let mut cut = None;
        match &self.approval_wording {
            None => {
                out.push_str(&["The approval policy is `", self.approval.as_str(), "`. "].concat());
                out.push_str(self.approval.meaning());
                if self.reviewer == ApprovalReviewer::AutoReview
                    && self.approval != ApprovalPolicy::Never
                {
                    out.push_str(
                        " Requests are judged by another model on the user's behalf; it sees the command and your reason.",
                    );
                }
                out.push('\n');
            }
            Some(words) if words.trim().is_empty() => {}
            Some(words) => {
                let (kept, words_cut) = Body::new(words.trim()).fit(Self::WORDING_BYTES);
                out.push_str(&kept);
                out.push('\n');
                cut = words_cut;
            }
        }
        (out, cut)
    }

    fn lists(&self) -> (String, Option<Cut>) {
        let mut out = String::new();
        let mut cut = None;
        let mut list = |head: &str, entries: Vec<String>| {
            if entries.is_empty() {
                return;
            }
            let lines = entries
                .into_iter()
                .map(|entry| format!("- `{}`\n", one_line(&entry)));
            let (lines, list_cut) =
                list_within(lines, Self::LIST_BYTES, |n| format!("- and {n} more\n"));
            out.push_str(&[head, "\n", &lines].concat());
            cut = Cut::merged(cut, list_cut);
        };
        let mut roots = self.writable_roots.clone();
        roots.sort();
        roots.dedup();
        list("These directories can be written to:", roots);
        list("## Denied filesystem reads", self.denied_reads.clone());
        let shows = self.approval.shows_prefixes() && self.reviewer == ApprovalReviewer::User;
        if shows && !self.approved_prefixes.is_empty() {
            let (prefixes, prefixes_cut) = prefix_list(&self.approved_prefixes);
            out.push_str("## Approved command prefixes\nCommands that start with these words are approved already:\n");
            out.push_str(&prefixes);
            out.push('\n');
            cut = Cut::merged(cut, prefixes_cut);
        }
        (out, cut)
    }
}

impl ContextualUserFragment for PermissionsInstructions {
    facts_of_spec!();

    fn body(&self) -> Body {
        let (paragraphs, paragraphs_cut) = self.paragraphs();
        let (lists, lists_cut) = self.lists();
        let text = [paragraphs, lists].concat();
        Body::framed(
            "\n",
            neutralize(text.trim_end_matches('\n'), Self::SPEC.end()),
            "\n",
        )
        .with_cut(paragraphs_cut)
        .with_cut(lists_cut)
    }
}
