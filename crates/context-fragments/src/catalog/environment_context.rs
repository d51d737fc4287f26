//! Where the model works: directories, shells, the date, and what it may reach.

use super::environment_rules::{FilesystemRules, NetworkRules};
use super::markup::Element;
use super::text::{self, escaped_within, list_within};
use crate::{Body, Cap, ContextualUserFragment, Cut, FragmentSpec, Role, xml_escape};

/// Gives the model the facts of its environments; after the first time only those that changed.
///
/// **Seen by**: the model, in the first context of a thread, after a compaction, and when a fact changes.
///
/// **Shape**: one element a line, indented by two; every value escaped.
///
/// ```text
/// <environment_context>
///   <cwd>/repo</cwd>
///   <shell>bash</shell>
///   <current_date>2026-12-01</current_date>
///   <timezone>Etc/UTC</timezone>
/// </environment_context>
/// ```
///
/// With several environments `cwd` and `shell` stand in `<environment id="…">` elements under `<environments>`.
///
/// **Bounds**: cap 2,000 tokens. A value keeps at most [`EnvironmentContext::MAX_VALUE_BYTES`] of its escaped form;
/// environments, rules and sub-agents that do not fit are counted in a line of their own. A block that is gone is one
/// line: `<network status="unavailable" />`.
///
/// **Source**: the reference's form. Unlike there the lists of domains are escaped too.
///
/// # Example
///
/// ```
/// use annals_context_fragments::ContextualUserFragment;
/// use annals_context_fragments::catalog::EnvironmentContext;
///
/// let mut context = EnvironmentContext::in_directory("/home/dev/R&D </cwd>");
/// context.shell = Some("bash".to_owned().into());
/// let text = context.render();
/// assert!(text.contains("  <cwd>/home/dev/R&amp;D &lt;/cwd&gt;</cwd>\n"));
/// assert_eq!(EnvironmentContext::read(&text), Some(context));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnvironmentContext {
    /// The working directory, where there is one environment.
    pub cwd: Option<String>,
    /// The shell, where there is one environment.
    pub shell: Option<Known>,
    /// The environments, where there are several or one is gone; in the order in which they are shown.
    pub environments: Vec<EnvironmentFacts>,
    /// The version of the shell.
    pub shell_version: Option<Known>,
    /// The date, `YYYY-MM-DD`, as the caller's clock has it.
    pub current_date: Option<String>,
    /// The time zone by its name.
    pub timezone: Option<String>,
    /// What of the network may be reached.
    pub network: Option<NetworkRules>,
    /// What of the file system may be read and written.
    pub filesystem: Option<FilesystemRules>,
    /// The running sub-agents by path, in order; at most [`EnvironmentContext::MAX_SUBAGENTS`] are shown.
    pub subagents: Vec<String>,
    /// The blocks that were told before and do not hold any more, in the order in which they are shown.
    pub unavailable: Vec<EnvironmentBlock>,
}

/// A block that is not of one environment, and that can be told to be gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum EnvironmentBlock {
    /// The date is not known any more.
    CurrentDate,
    /// The time zone is not known any more.
    Timezone,
    /// No rules are set for the network any more.
    Network,
    /// No rules are set for the file system any more.
    Filesystem,
    /// No sub-agent runs any more.
    Subagents,
}

impl EnvironmentBlock {
    const ALL: [Self; 5] = [
        Self::CurrentDate,
        Self::Timezone,
        Self::Network,
        Self::Filesystem,
        Self::Subagents,
    ];

    /// The name of the block's element.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CurrentDate => "current_date",
            Self::Timezone => "timezone",
            Self::Network => "network",
            Self::Filesystem => "filesystem",
            Self::Subagents => "subagents",
        }
    }
}

/// A fact that may be known to be gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// It has this value.
    Value(String),
    /// It was there before, and is not any more.
    Unavailable,
}

impl From<String> for Known {
    fn from(value: String) -> Self {
        Self::Value(value)
    }
}

/// What is told of one environment among several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentFacts {
    /// Its name.
    pub id: String,
    /// Whether it is the one that commands go to if none is named; nothing when that need not be told.
    pub is_primary: Option<bool>,
    /// Its state; nothing when that need not be told.
    pub status: Option<EnvironmentStatus>,
    /// Its working directory; nothing when that need not be told.
    pub cwd: Option<String>,
    /// Its shell; nothing when that need not be told.
    pub shell: Option<Known>,
}

impl EnvironmentFacts {
    /// An environment of which nothing is told yet.
    pub fn new<T: Into<String>>(id: T) -> Self {
        Self {
            id: id.into(),
            is_primary: None,
            status: None,
            cwd: None,
            shell: None,
        }
    }
}

/// The state of an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EnvironmentStatus {
    /// It is being made ready.
    Starting,
    /// It can be used.
    Available,
    /// It is gone; nothing else is told of it.
    Unavailable,
}

impl EnvironmentStatus {
    /// The state's name in the text.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Available => "available",
            Self::Unavailable => "unavailable",
        }
    }

    fn from_text(text: &str) -> Option<Self> {
        [Self::Starting, Self::Available, Self::Unavailable]
            .into_iter()
            .find(|status| status.as_str() == text)
    }
}

impl EnvironmentContext {
    // P0(2026-12-01): bound every value and every list has a room of its own; may grow: with the number of environments
    // and the rules of a file system profile. Worth it: without it the model works in the wrong place.
    const CAP: Cap = Cap::cutting_at::<2_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "EnvironmentContext",
        Role::User,
        "environments.environment_context",
        ("<environment_context>", "</environment_context>"),
        Self::CAP,
    );

    /// The largest escaped form of a value; longer ones are cut with a mark.
    pub const MAX_VALUE_BYTES: usize = 2_048;
    /// The largest escaped form of a date, a time zone or a version.
    pub const MAX_WORD_BYTES: usize = 128;
    /// The most sub-agents that are shown.
    pub const MAX_SUBAGENTS: usize = 8;
    /// The most bytes of the sub-agents' lines, with their tags and indents.
    pub const MAX_SUBAGENTS_BYTES: usize = 1_024;

    /// The context of one environment.
    pub fn in_directory<T: Into<String>>(cwd: T) -> Self {
        Self {
            cwd: Some(cwd.into()),
            ..Self::default()
        }
    }

    /// Whether nothing is told at all.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The sub-agents within their limits: one that is too long is passed over, later ones may still fit.
    ///
    /// Where some are left out there is room for a line that counts them.
    pub fn shown_subagents(&self) -> Vec<&str> {
        const TAGS_BYTES: usize = "  <subagents>\n  </subagents>\n".len();
        let room = Self::MAX_SUBAGENTS_BYTES - TAGS_BYTES;
        let all = self.subagents_within(room);
        if all.len() == self.subagents.len() {
            return all;
        }
        self.subagents_within(room.saturating_sub(omitted_subagents(self.subagents.len()).len()))
    }

    fn subagents_within(&self, mut room: usize) -> Vec<&str> {
        let mut shown = Vec::new();
        for name in &self.subagents {
            if shown.len() == Self::MAX_SUBAGENTS {
                break;
            }
            let bytes = xml_escape(name).len() + "    <agent name=\"\" />\n".len();
            if bytes <= room {
                room -= bytes;
                shown.push(name.as_str());
            }
        }
        shown
    }

    /// Reads a rendering back. Elements that are not known, as older programs wrote them, are passed over.
    pub fn read(rendered: &str) -> Option<Self> {
        let body = text::inner(&Self::SPEC, rendered)?;
        let mut context = Self::default();
        for element in Element::read_all(body)? {
            let is_gone = element.attribute("status") == Some("unavailable");
            let mut blocks = EnvironmentBlock::ALL.into_iter();
            if let Some(block) = blocks.find(|block| is_gone && block.as_str() == element.name) {
                context.unavailable.push(block);
                continue;
            }
            match element.name.as_str() {
                "cwd" => context.cwd = Some(element.text()),
                "shell" => context.shell = Some(read_known(&element)),
                "shell_version" => context.shell_version = Some(read_known(&element)),
                "current_date" => context.current_date = Some(element.text()),
                "timezone" => context.timezone = Some(element.text()),
                "network" => context.network = NetworkRules::read(&element),
                "filesystem" => context.filesystem = FilesystemRules::read(&element),
                "environments" => {
                    context.environments = element
                        .children
                        .iter()
                        .filter_map(read_environment)
                        .collect();
                }
                "subagents" => {
                    let names = element.children.iter().filter_map(|e| e.attribute("name"));
                    context.subagents = names.map(str::to_owned).collect();
                }
                _ => {}
            }
        }
        Some(context)
    }

    /// The lines behind the environments, and what was left out of them.
    fn context_lines(&self) -> (String, Option<Cut>) {
        let mut out = Lines::default();
        if let Some(version) = &self.shell_version {
            out.known("  ", "shell_version", version, Self::MAX_WORD_BYTES);
        }
        let words = [
            ("current_date", &self.current_date),
            ("timezone", &self.timezone),
        ];
        for (name, value) in words {
            if let Some(value) = value {
                out.value("  ", name, value, Self::MAX_WORD_BYTES);
            }
        }
        let rules = [
            self.network.as_ref().map(NetworkRules::render),
            self.filesystem.as_ref().map(FilesystemRules::render),
        ];
        for (line, cut) in rules.into_iter().flatten() {
            out.push(&["  ", &line, "\n"].concat(), cut);
        }
        if !self.subagents.is_empty() {
            let shown = self.shown_subagents();
            let all_bytes = self.subagents.iter().map(String::len).sum();
            let kept_bytes = shown.iter().map(|line| line.len()).sum();
            let cut = (kept_bytes < all_bytes).then(|| Cut::new(all_bytes, kept_bytes));
            out.push("  <subagents>\n", cut);
            for line in &shown {
                out.push(
                    &format!("    <agent name=\"{}\" />\n", xml_escape(line)),
                    None,
                );
            }
            if shown.len() < self.subagents.len() {
                out.push(&omitted_subagents(self.subagents.len() - shown.len()), None);
            }
            out.push("  </subagents>\n", None);
        }
        for block in &self.unavailable {
            out.push(
                &format!("  <{} status=\"unavailable\" />\n", block.as_str()),
                None,
            );
        }
        (out.text, out.cut)
    }
}

impl ContextualUserFragment for EnvironmentContext {
    facts_of_spec!();

    fn body(&self) -> Body {
        let (context, context_cut) = self.context_lines();
        let mut out = Lines::default();
        out.push("\n", None);
        if let Some(cwd) = &self.cwd {
            out.value("  ", "cwd", cwd, Self::MAX_VALUE_BYTES);
        }
        if let Some(shell) = &self.shell {
            out.known("  ", "shell", shell, Self::MAX_WORD_BYTES);
        }
        if !self.environments.is_empty() {
            const OPEN: &str = "  <environments>\n";
            const CLOSE: &str = "  </environments>\n";
            let markers_bytes = Self::SPEC.start().len() + Self::SPEC.end().len();
            let used = markers_bytes + out.text.len() + context.len() + OPEN.len() + CLOSE.len();
            let room = Self::CAP.bytes().saturating_sub(used);
            let parts: Vec<Lines> = self.environments.iter().map(environment_lines).collect();
            let cut = parts
                .iter()
                .fold(None, |cut, part| Cut::merged(cut, part.cut));
            let entries = parts.into_iter().map(|part| part.text);
            let (list, list_cut) = list_within(entries, room, |n| {
                format!("    <omitted environments=\"{n}\" />\n")
            });
            out.push(OPEN, cut);
            out.push(&list, list_cut);
            out.push(CLOSE, None);
        }
        out.push(&context, context_cut);
        Body::framed(out.text, "", "").with_cut(out.cut)
    }
}

fn omitted_subagents(count: usize) -> String {
    format!("    <omitted agents=\"{count}\" />\n")
}

fn environment_lines(facts: &EnvironmentFacts) -> Lines {
    let mut out = Lines::default();
    let (id, cut) = escaped_within(&facts.id, EnvironmentContext::MAX_WORD_BYTES);
    let primary = facts
        .is_primary
        .map_or(String::new(), |is| format!(" primary=\"{is}\""));
    if facts.status == Some(EnvironmentStatus::Unavailable) {
        out.push(
            &format!("    <environment id=\"{id}\"{primary} status=\"unavailable\" />\n"),
            cut,
        );
        return out;
    }
    out.push(&format!("    <environment id=\"{id}\"{primary}>\n"), cut);
    if let Some(cwd) = &facts.cwd {
        out.value("      ", "cwd", cwd, EnvironmentContext::MAX_VALUE_BYTES);
    }
    if let Some(status) = facts.status {
        out.value(
            "      ",
            "status",
            status.as_str(),
            EnvironmentContext::MAX_WORD_BYTES,
        );
    }
    if let Some(shell) = &facts.shell {
        out.known("      ", "shell", shell, EnvironmentContext::MAX_WORD_BYTES);
    }
    out.push("    </environment>\n", None);
    out
}

fn read_environment(element: &Element) -> Option<EnvironmentFacts> {
    let is_gone = element.attribute("status") == Some("unavailable");
    let status = element
        .child("status")
        .and_then(|e| EnvironmentStatus::from_text(&e.text()));
    Some(EnvironmentFacts {
        id: element.attribute("id")?.to_owned(),
        is_primary: element
            .attribute("primary")
            .map(|primary| primary == "true"),
        status: if is_gone {
            Some(EnvironmentStatus::Unavailable)
        } else {
            status
        },
        cwd: element.child("cwd").map(Element::text),
        shell: element.child("shell").map(read_known),
    })
}

fn read_known(element: &Element) -> Known {
    match element.attribute("status") {
        Some("unavailable") => Known::Unavailable,
        _ => Known::Value(element.text()),
    }
}

/// Lines of elements, and what was cut from their values.
#[derive(Default)]
struct Lines {
    text: String,
    cut: Option<Cut>,
}

impl Lines {
    fn push(&mut self, text: &str, cut: Option<Cut>) {
        self.text.push_str(text);
        self.cut = Cut::merged(self.cut, cut);
    }

    fn value(&mut self, indent: &str, name: &str, value: &str, room_bytes: usize) {
        let (value, cut) = escaped_within(value, room_bytes);
        self.push(&format!("{indent}<{name}>{value}</{name}>\n"), cut);
    }

    fn known(&mut self, indent: &str, name: &str, value: &Known, room_bytes: usize) {
        match value {
            Known::Value(value) => self.value(indent, name, value, room_bytes),
            Known::Unavailable => {
                self.push(
                    &format!("{indent}<{name} status=\"unavailable\" />\n"),
                    None,
                );
            }
        }
    }
}
