//! The rules of the user and of the project, from AGENTS.md files.

use super::text;
use crate::body::{Keep, cut_text};
use crate::{
    Body, Cap, ContextualUserFragment, Cut, FragmentSpec, Role, neutralize, notices, restore,
};

const OPEN: &str = "\n\n<INSTRUCTIONS>\n";
const INNER_START: &str = "<INSTRUCTIONS>";
const JOINER: &str = "\n\n--- project-doc ---\n\n";
/// What stays for a text that is cut to nothing: its mark.
const MARK_ROOM_BYTES: usize = 64;

/// Gives the model the text of the AGENTS.md files that hold for a directory.
///
/// **Seen by**: the model, in the first context of a thread, after a compaction, and when the text changes: then whole
/// again, with a notice that it replaces all earlier ones; never as a textual difference.
///
/// **Shape**: `# AGENTS.md instructions`, ` for DIR` where the text belongs to one directory, a blank line,
/// `<INSTRUCTIONS>`, the text, `</INSTRUCTIONS>`; the last three on lines of their own.
///
/// **Bounds**: cap 10,000 tokens; a longer text is cut at its end with a mark. [`UserInstructions::join`] cuts the home
/// text before the project's, so that a joined text is never cut here.
///
/// **Source**: the reference's form, except that a text cannot close the fragment: what reads as `</INSTRUCTIONS>` in
/// it is neutralized.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{ContextualUserFragment, catalog::UserInstructions};
///
/// let rules = UserInstructions::new(Some("/repo"), "Use tabs.");
/// assert_eq!(
///     rules.render(),
///     "# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>"
/// );
/// assert_eq!(UserInstructions::read(&rules.render()), Some(rules));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserInstructions {
    directory: Option<String>,
    content: Content,
}

/// The home text and the project text as one, within the room of the fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinedInstructions {
    /// The text, with a mark in the place of what was cut.
    pub text: String,
    /// What was cut from the home text.
    pub home_cut: Option<Cut>,
    /// What was cut from the project text.
    pub project_cut: Option<Cut>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    First(String),
    Replacing(String),
    Removed,
}

impl UserInstructions {
    // P0(2026-12-01): bound 32 KiB for the project's files, the rest up to the cap for the home file, told again only
    // when it changes; may grow: with the files that users write. Worth it: these are the user's own rules.
    const CAP: Cap = Cap::cutting_at::<10_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "UserInstructions",
        Role::User,
        "agents_md.instructions",
        ("# AGENTS.md instructions", "</INSTRUCTIONS>"),
        Self::CAP,
    );

    /// The longest directory that is shown; a longer one keeps its end.
    pub const MAX_DIRECTORY_BYTES: usize = 1_024;

    /// The text told for the first time. An empty directory counts as none.
    pub fn new<T: Into<String>>(directory: Option<&str>, text: T) -> Self {
        Self {
            directory: shown_directory(directory),
            content: Content::First(text.into()),
        }
    }

    /// The text that takes the place of all earlier ones.
    pub fn replacing<T: Into<String>>(directory: Option<&str>, text: T) -> Self {
        Self {
            directory: shown_directory(directory),
            content: Content::Replacing(text.into()),
        }
    }

    /// The notice that earlier texts no longer hold.
    pub const fn removed() -> Self {
        Self {
            directory: None,
            content: Content::Removed,
        }
    }

    /// The directory that the text belongs to.
    pub fn directory(&self) -> Option<&str> {
        self.directory.as_deref()
    }

    /// The text; nothing for the notice of removal.
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            Content::First(text) | Content::Replacing(text) => Some(text),
            Content::Removed => None,
        }
    }

    /// Whether the text takes the place of earlier ones.
    pub const fn is_replacement(&self) -> bool {
        matches!(self.content, Content::Replacing(_))
    }

    /// Joins the home text and the project text, so that the result fits into the fragment in every form.
    ///
    /// Where both together are too long the home text is cut first, at its end and with a mark; only if nothing but its
    /// mark is left is the project text cut. Either may be empty.
    ///
    /// # Example
    ///
    /// ```
    /// use annals_context_fragments::catalog::UserInstructions;
    ///
    /// let joined = UserInstructions::join("home", "project");
    /// assert_eq!(joined.text, "home\n\n--- project-doc ---\n\nproject");
    /// assert_eq!((joined.home_cut, joined.project_cut), (None, None));
    ///
    /// let joined = UserInstructions::join(&"h".repeat(50_000), "project");
    /// assert!(joined.text.ends_with("bytes cut …]\n\n--- project-doc ---\n\nproject"));
    /// assert!(joined.home_cut.is_some() && joined.project_cut.is_none());
    /// ```
    pub fn join(home: &str, project: &str) -> JoinedInstructions {
        let room = Self::text_room_bytes();
        // Neutralizing may lengthen a text; its length is what counts.
        let size = |text: &str| neutralize(text, Self::SPEC.end()).len();
        let joiner = if home.is_empty() || project.is_empty() {
            ""
        } else {
            JOINER
        };
        let home_room = room
            .saturating_sub(size(project) + joiner.len())
            .max(MARK_ROOM_BYTES);
        let (home, home_cut) = fit(home, home_room);
        let project_room = room.saturating_sub(size(&home) + joiner.len());
        let (project, project_cut) = fit(project, project_room);
        let text = [home.as_str(), joiner, &project].concat();
        JoinedInstructions {
            text,
            home_cut,
            project_cut,
        }
    }

    /// How long a home text may be beside this project text, so that [`join`](Self::join) does not cut it, if nothing in it
    /// has to be neutralized.
    pub fn home_room_bytes(project: &str) -> usize {
        let project = neutralize(project, Self::SPEC.end());
        let taken_bytes = if project.is_empty() {
            0
        } else {
            JOINER.len() + project.len()
        };
        Self::text_room_bytes()
            .saturating_sub(taken_bytes)
            .max(MARK_ROOM_BYTES)
    }

    /// The room for a text in the longest form of the fragment.
    fn text_room_bytes() -> usize {
        Self::CAP.bytes()
            - Self::SPEC.start().len()
            - Self::SPEC.end().len()
            - " for ".len()
            - Self::MAX_DIRECTORY_BYTES
            - OPEN.len()
            - notices::AGENTS_MD_REPLACED.len()
            - "\n\n\n".len()
    }

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        let inner = text::inner(&Self::SPEC, rendered)?;
        let (head, content) = inner.split_once(OPEN)?;
        let content = content.strip_suffix('\n')?;
        let directory = match head {
            "" => None,
            head => {
                let head = restore(head.strip_prefix(" for ")?, Self::SPEC.end());
                Some(restore(&head, INNER_START).into_owned())
            }
        };
        if directory.is_none() && content == notices::AGENTS_MD_REMOVED {
            return Some(Self::removed());
        }
        let replaced = content
            .strip_prefix(notices::AGENTS_MD_REPLACED)
            .and_then(|rest| rest.strip_prefix("\n\n"));
        let given = |text: &str| restore(text, Self::SPEC.end()).into_owned();
        let content = match replaced {
            Some(text) => Content::Replacing(given(text)),
            None => Content::First(given(content)),
        };
        Some(Self { directory, content })
    }
}

impl ContextualUserFragment for UserInstructions {
    facts_of_spec!();

    fn body(&self) -> Body {
        let mut lead = String::new();
        if let Some(directory) = &self.directory {
            let safe = neutralize(directory, INNER_START);
            lead.push_str(" for ");
            lead.push_str(&neutralize(&safe, Self::SPEC.end()));
        }
        lead.push_str(OPEN);
        let text = match &self.content {
            Content::First(text) => text.as_str(),
            Content::Replacing(text) => {
                lead.push_str(notices::AGENTS_MD_REPLACED);
                lead.push_str("\n\n");
                text
            }
            Content::Removed => {
                lead.push_str(notices::AGENTS_MD_REMOVED);
                ""
            }
        };
        Body::framed(lead, neutralize(text, Self::SPEC.end()), "\n")
    }
}

/// A directory as it is shown: not empty, and if it is too long, its end behind an ellipsis.
fn shown_directory(directory: Option<&str>) -> Option<String> {
    let directory = directory.filter(|directory| !directory.is_empty())?;
    // Neutralizing may lengthen it, and it must fit whatever it holds.
    let size =
        |text: &str| neutralize(&neutralize(text, INNER_START), UserInstructions::SPEC.end()).len();
    let max = UserInstructions::MAX_DIRECTORY_BYTES;
    if size(directory) <= max {
        return Some(directory.to_owned());
    }
    let mut room = max - "…".len();
    loop {
        let shown = ["…", crate::body::suffix(directory, room)].concat();
        if size(&shown) <= max || room == 0 {
            return Some(shown);
        }
        room /= 2;
    }
}

/// The text, cut if it must be so that it fits when neutralized.
fn fit(text: &str, room_bytes: usize) -> (String, Option<Cut>) {
    let size = |text: &str| neutralize(text, UserInstructions::SPEC.end()).len();
    if size(text) <= room_bytes {
        return (text.to_owned(), None);
    }
    let mut room = room_bytes;
    while let Some((kept, cut)) = cut_text(text, room, Keep::Head) {
        if size(&kept) <= room_bytes {
            return (kept, Some(cut));
        }
        room /= 2;
    }
    (String::new(), Some(Cut::new(text.len(), 0)))
}
