//! The text of a skill that was chosen.

use super::text;
use crate::{
    Body, Cap, ContextualUserFragment, Cut, FragmentSpec, Role, neutralize, restore, xml_unescape,
};

/// Gives the model the text of a skill that the user named.
///
/// **Seen by**: the model, behind the user's message that names the skill.
///
/// **Shape**: `<skill>`, a line each with `<name>…</name>` and `<path>…</path>` (escaped), the file's text, a line break,
/// `</skill>`.
///
/// **Bounds**: cap 8,000 tokens; a longer text is cut with a mark. Name and path keep 256 and 2,048 bytes.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{ContextualUserFragment, catalog::SkillInstructions};
///
/// let skill = SkillInstructions::new("release", "/skills/release/SKILL.md", "Tag first.\n");
/// assert_eq!(
///     skill.render(),
///     "<skill>\n<name>release</name>\n<path>/skills/release/SKILL.md</path>\nTag first.\n\n</skill>"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillInstructions {
    name: String,
    path: String,
    text: String,
}

impl SkillInstructions {
    // P0(2026-12-01): bound cut at 8,000 tokens a skill that the user named; may grow: with the files that authors of
    // skills write. Worth it: the user asked for the skill by name.
    const CAP: Cap = Cap::cutting_at::<8_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "SkillInstructions",
        Role::User,
        "skills.selected_skill_instructions",
        ("<skill>", "</skill>"),
        Self::CAP,
    )
    .event();

    /// A skill by its name, the path of its file and the file's text.
    pub fn new<N, P, T>(name: N, path: P, text: T) -> Self
    where
        N: Into<String>,
        P: Into<String>,
        T: Into<String>,
    {
        Self {
            name: name.into(),
            path: path.into(),
            text: text.into(),
        }
    }

    /// The skill's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path of its file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        let inner = text::inner(&Self::SPEC, rendered)?.strip_prefix("\n<name>")?;
        let (name, rest) = inner.split_once("</name>\n<path>")?;
        let (path, text) = rest.split_once("</path>\n")?;
        Some(Self {
            name: xml_unescape(name).into_owned(),
            path: xml_unescape(path).into_owned(),
            text: restore(text.strip_suffix('\n')?, Self::SPEC.end()).into_owned(),
        })
    }
}

impl ContextualUserFragment for SkillInstructions {
    facts_of_spec!();

    fn body(&self) -> Body {
        let (name, name_cut) = text::escaped_within(&self.name, 256);
        let (path, path_cut) = text::escaped_within(&self.path, 2_048);
        let lead = format!("\n<name>{name}</name>\n<path>{path}</path>\n");
        Body::framed(lead, neutralize(&self.text, Self::SPEC.end()), "\n")
            .with_cut(Cut::merged(name_cut, path_cut))
    }
}
