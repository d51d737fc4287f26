//! Tells injected context from a user's own words: recorded kinds first, markers second.
//! What follows from it (turns, trimming, display) is the history's.

use crate::catalog;
use crate::{ContentKind, FragmentClass, FragmentSpec, Role};

/// What one part of a message is.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum PartClass<'a> {
    /// The words of whoever has the role: the user, the client, the model.
    Own,
    /// A fragment of the catalogue, or one that was registered.
    Known(&'a FragmentSpec),
    /// A fragment by its recorded kind, of a type that is not known here.
    Foreign,
}

impl PartClass<'_> {
    /// Whether the part was injected by a host.
    pub const fn is_contextual(&self) -> bool {
        !matches!(self, Self::Own)
    }

    /// What the part is for the history; nothing for a person's own words.
    pub const fn class(&self) -> Option<FragmentClass> {
        match self {
            Self::Own => None,
            Self::Known(spec) => Some(spec.class()),
            Self::Foreign => Some(FragmentClass::State),
        }
    }
}

/// How the parts of one message are divided.
///
/// A message is contextual only if every part is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageClass {
    /// All parts.
    pub n_parts: usize,
    /// Parts that were injected; state, events and summaries together.
    pub n_contextual: usize,
    /// Those of them that tell of an event.
    pub n_events: usize,
    /// Those of them that are the summary of a compaction.
    pub n_summaries: usize,
}

impl MessageClass {
    /// Whether every part was injected. A message without parts is not contextual.
    pub const fn is_contextual(&self) -> bool {
        self.n_parts > 0 && self.n_contextual == self.n_parts
    }

    /// Whether some parts were injected and some were not.
    pub const fn is_mixed(&self) -> bool {
        self.n_contextual > 0 && self.n_contextual < self.n_parts
    }

    /// Whether every part is a compaction's summary.
    pub const fn is_summary(&self) -> bool {
        self.n_parts > 0 && self.n_summaries == self.n_parts
    }

    /// Whether the message is context that holds an event: it goes with its turn and is never trimmed alone.
    pub const fn has_event(&self) -> bool {
        self.n_events > 0
    }

    fn add(&mut self, part: &PartClass<'_>) {
        self.n_parts += 1;
        self.n_contextual += usize::from(part.is_contextual());
        match part.class() {
            Some(FragmentClass::Event) => self.n_events += 1,
            Some(FragmentClass::Summary) => self.n_summaries += 1,
            Some(FragmentClass::State) | None => {}
        }
    }
}

/// Anything that may be a part of a message: its text, or nothing for images and other parts without text.
pub trait PartText {
    /// The text of the part.
    fn part_text(&self) -> Option<&str>;
}

impl PartText for str {
    fn part_text(&self) -> Option<&str> {
        Some(self)
    }
}

impl PartText for String {
    fn part_text(&self) -> Option<&str> {
        Some(self)
    }
}

impl PartText for annals_protocol::ContentPart {
    fn part_text(&self) -> Option<&str> {
        self.text()
    }
}

impl<T: PartText + ?Sized> PartText for &T {
    fn part_text(&self) -> Option<&str> {
        (**self).part_text()
    }
}

impl<T: PartText> PartText for Option<T> {
    fn part_text(&self) -> Option<&str> {
        self.as_ref().and_then(PartText::part_text)
    }
}

/// How the parts of a typed message are divided, with the kinds that were recorded beside them.
///
/// **Cost**: as [`Recognizer::part`] for each part; nothing is copied.
impl From<&annals_protocol::Message> for MessageClass {
    fn from(message: &annals_protocol::Message) -> Self {
        let kinds = message
            .metadata
            .as_ref()
            .and_then(|found| found.content_item_kinds.as_deref());
        Recognizer::new().message(
            message.role.as_str(),
            &message.content,
            kinds.unwrap_or_default(),
        )
    }
}

/// Recognition over the catalogue and the rows that a host adds for its own fragments.
///
/// **Cost**: a part costs O(length of the markers and of the white space around the text), whatever its length.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{Cap, FragmentSpec, Recognizer, Role};
///
/// let ticket = FragmentSpec::new(
///     "Ticket", Role::User, "tracker.ticket", ("<ticket>", "</ticket>"), Cap::cutting_at::<200>(),
/// );
/// let recognizer = Recognizer::new().with(ticket);
/// assert!(recognizer.part(Role::User, Some("<ticket>7</ticket>"), None).is_contextual());
/// assert!(!recognizer.part(Role::User, Some("<ticket>7</ticket>"), Some("user.text")).is_contextual());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Recognizer {
    added: Vec<FragmentSpec>,
}

impl Recognizer {
    /// The catalogue alone.
    pub const fn new() -> Self {
        Self { added: Vec::new() }
    }

    /// The same with one more row.
    #[must_use]
    pub fn with(mut self, spec: FragmentSpec) -> Self {
        self.added.push(spec);
        self
    }

    /// What a part is, given the role of its message, its text (if it is one) and its recorded kind (if any).
    ///
    /// The rules in order:
    /// 1. the kinds `user.*` and `images.*` are the user's own, whatever the text says;
    /// 2. any other well-formed kind but `unknown` says that the part was injected;
    /// 3. without a kind the markers decide, those of this role only;
    /// 4. a part that is not text and has no kind is the sender's own.
    pub fn part(&self, role: Role, text: Option<&str>, kind: Option<&str>) -> PartClass<'_> {
        if let Some(kind) = kind.filter(|kind| ContentKind::is_well_formed(kind)) {
            if kind.starts_with("user.") || kind.starts_with("images.") {
                return PartClass::Own;
            }
            return self
                .by_kind(kind)
                .map_or(PartClass::Foreign, PartClass::Known);
        }
        text.and_then(|text| self.by_text(role, text))
            .map_or(PartClass::Own, PartClass::Known)
    }

    /// How the parts of a message are divided. `kinds` runs beside `parts`; where it is shorter the rest have none.
    ///
    /// Roles that a fragment cannot have (`system`, unknown ones) hold the sender's own words only.
    pub fn message<P, K>(&self, role: &str, parts: &[P], kinds: &[K]) -> MessageClass
    where
        P: PartText,
        K: AsRef<str>,
    {
        let kinds = kinds
            .iter()
            .map(|kind| Some(kind.as_ref()))
            .chain(std::iter::repeat(None));
        let parts = parts.iter().map(PartText::part_text).zip(kinds);
        self.message_parts(role, parts)
    }

    /// The same from pairs of text and kind, for callers that hold neither in a slice.
    pub fn message_parts<'p, I>(&self, role: &str, parts: I) -> MessageClass
    where
        I: IntoIterator<Item = (Option<&'p str>, Option<&'p str>)>,
    {
        let role = Role::from_wire(role);
        let mut class = MessageClass::default();
        for (text, kind) in parts {
            let part = role.map_or(PartClass::Own, |role| self.part(role, text, kind));
            class.add(&part);
        }
        class
    }

    /// The row of a recorded kind.
    pub fn by_kind(&self, kind: &str) -> Option<&FragmentSpec> {
        self.rows().find(|spec| spec.kind() == kind)
    }

    /// The row whose markers a text of this role has.
    pub fn by_text(&self, role: Role, text: &str) -> Option<&FragmentSpec> {
        let trimmed = text.trim();
        self.rows()
            .find(|spec| spec.is_of_role(role) && spec.matches_trimmed(trimmed))
    }

    fn rows(&self) -> impl Iterator<Item = &FragmentSpec> {
        catalog::ALL.iter().chain(&self.added)
    }
}

/// [`Recognizer::part`] over the catalogue.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{Role, classify_part};
///
/// let notice = "<turn_aborted>\nstopped\n</turn_aborted>";
/// assert!(classify_part(Role::User, Some(notice), None).is_contextual());
/// assert!(!classify_part(Role::User, Some(notice), Some("user.text")).is_contextual());
/// ```
pub fn classify_part(role: Role, text: Option<&str>, kind: Option<&str>) -> PartClass<'static> {
    const CATALOG: &Recognizer = &Recognizer::new();
    CATALOG.part(role, text, kind)
}

/// [`Recognizer::message_parts`] over the catalogue.
///
/// # Example
///
/// ```
/// use annals_context_fragments::classify_message;
///
/// let parts = [
///     (Some("<turn_aborted>\n</turn_aborted>"), None),
///     (Some("Rename the helper"), None),
/// ];
/// let class = classify_message("user", parts);
/// assert!(class.is_mixed() && !class.is_contextual());
/// ```
pub fn classify_message<'p, I>(role: &str, parts: I) -> MessageClass
where
    I: IntoIterator<Item = (Option<&'p str>, Option<&'p str>)>,
{
    Recognizer::new().message_parts(role, parts)
}

/// Whether a user message is injected context in every part.
///
/// # Example
///
/// ```
/// use annals_context_fragments::is_contextual_user_content;
///
/// let text = "<turn_aborted>\n</turn_aborted>";
/// let no_kinds: [&str; 0] = [];
/// assert!(is_contextual_user_content(&[text], &no_kinds));
/// assert!(!is_contextual_user_content(&[text], &["user.text"]));
/// assert!(!is_contextual_user_content(&[text, "hello"], &no_kinds));
/// ```
pub fn is_contextual_user_content<P, K>(parts: &[P], kinds: &[K]) -> bool
where
    P: PartText,
    K: AsRef<str>,
{
    Recognizer::new()
        .message(Role::User.as_str(), parts, kinds)
        .is_contextual()
}

/// Whether a developer message is context of the catalogue in every part.
///
/// # Example
///
/// ```
/// use annals_context_fragments::is_contextual_developer_content;
///
/// let no_kinds: [&str; 0] = [];
/// assert!(is_contextual_developer_content(&["<model_switch>\n…</model_switch>"], &no_kinds));
/// assert!(!is_contextual_developer_content(&["Answer in French."], &no_kinds));
/// assert!(is_contextual_developer_content(&["Answer in French."], &["generic.developer_instructions"]));
/// ```
pub fn is_contextual_developer_content<P, K>(parts: &[P], kinds: &[K]) -> bool
where
    P: PartText,
    K: AsRef<str>,
{
    Recognizer::new()
        .message(Role::Developer.as_str(), parts, kinds)
        .is_contextual()
}
