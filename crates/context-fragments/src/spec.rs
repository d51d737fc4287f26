//! What is known about a fragment type without an instance: the row of the catalogue that recognition works with.

use crate::markers::{matches_trimmed, starts_with_ignoring_case};
use crate::{Cap, ContentKind, Markers, Role};

/// How texts of a fragment type are recognized where no kind was recorded.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Matching {
    /// By both markers.
    Markers,
    /// By the start alone: for texts that older programs wrote without an end.
    Start,
    /// By a rule of its own, on the trimmed text.
    Custom(fn(&str) -> bool),
    /// Never: the text has no markers, only its recorded kind tells.
    KindOnly,
}

/// What a fragment is for the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FragmentClass {
    /// Tells the model of the state of the world; told again when the state changes.
    State,
    /// Tells the model of something that happened; it belongs to its turn and is never trimmed alone.
    Event,
    /// The summary of a compaction.
    Summary,
}

/// One row of the catalogue.
///
/// Fragments that share markers form a family: their texts are recognized as the first of them in the catalogue, and
/// only the recorded kind tells which of them it is.
#[derive(Debug, Clone, Copy)]
pub struct FragmentSpec {
    name: &'static str,
    role: Role,
    both_roles: bool,
    kind: &'static str,
    start: &'static str,
    end: &'static str,
    matching: Matching,
    cap: Cap,
    class: FragmentClass,
    legacy: bool,
}

impl FragmentSpec {
    /// A row for a fragment type: its name, role, kind, markers (may be empty) and cap.
    ///
    /// With markers it is recognized by both of them, without by its kind only.
    pub const fn new(
        name: &'static str,
        role: Role,
        kind: &'static str,
        markers: (&'static str, &'static str),
        cap: Cap,
    ) -> Self {
        let (start, end) = markers;
        let matching = if start.is_empty() || end.is_empty() {
            Matching::KindOnly
        } else {
            Matching::Markers
        };
        Self {
            name,
            role,
            both_roles: false,
            kind,
            start,
            end,
            matching,
            cap,
            class: FragmentClass::State,
            legacy: false,
        }
    }

    /// Says that the fragment tells of something that happened.
    #[must_use]
    pub const fn event(mut self) -> Self {
        self.class = FragmentClass::Event;
        self
    }

    /// Says that the fragment is the summary of a compaction.
    #[must_use]
    pub const fn summary(mut self) -> Self {
        self.class = FragmentClass::Summary;
        self
    }

    /// Says that the fragment is only read, never written.
    #[must_use]
    pub const fn legacy(mut self) -> Self {
        self.legacy = true;
        self
    }

    /// Says that the text is recognized in messages of the user and of the developer alike.
    #[must_use]
    pub const fn in_both_roles(mut self) -> Self {
        self.both_roles = true;
        self
    }

    /// Chooses another way of recognition.
    #[must_use]
    pub const fn matched_by(mut self, matching: Matching) -> Self {
        self.matching = matching;
        self
    }

    /// The name of the Rust type, or of the text that is only read.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The role it is written with.
    pub const fn role(&self) -> Role {
        self.role
    }

    /// Whether it is recognized in messages of this role.
    pub fn is_of_role(&self, role: Role) -> bool {
        self.role == role || (self.both_roles && role != Role::Assistant)
    }

    /// The content kind as text; empty for a text that never had one.
    pub const fn kind(&self) -> &'static str {
        self.kind
    }

    /// The content kind.
    pub const fn content_kind(&self) -> ContentKind {
        ContentKind::from_static(self.kind)
    }

    /// The markers.
    pub const fn markers(&self) -> Markers {
        Markers::new(self.start, self.end)
    }

    /// The start marker.
    pub const fn start(&self) -> &'static str {
        self.start
    }

    /// The end marker.
    pub const fn end(&self) -> &'static str {
        self.end
    }

    /// The cap.
    pub const fn cap(&self) -> Cap {
        self.cap
    }

    /// What it is for the history.
    pub const fn class(&self) -> FragmentClass {
        self.class
    }

    /// Whether it is only read, never written.
    pub const fn is_legacy(&self) -> bool {
        self.legacy
    }

    /// How it is recognized where no kind was recorded.
    pub const fn matching(&self) -> Matching {
        self.matching
    }

    /// Whether a text is one of this type by its markers.
    pub fn matches(&self, text: &str) -> bool {
        self.matches_trimmed(text.trim())
    }

    pub(crate) fn matches_trimmed(&self, trimmed: &str) -> bool {
        match self.matching {
            Matching::Markers => matches_trimmed(self.start, self.end, trimmed),
            Matching::Start => {
                !self.start.is_empty() && starts_with_ignoring_case(trimmed, self.start)
            }
            Matching::Custom(rule) => rule(trimmed),
            Matching::KindOnly => false,
        }
    }
}
