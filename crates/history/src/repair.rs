//! What a prompt shows otherwise than the history holds it, and why.

use std::fmt;

/// One place where the prompt differs from the history that it was made from.
///
/// Repairs live in the view alone; the history and the file keep what they hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The item's index in the history, from 0.
    pub at: usize,
    /// What was done about it.
    pub kind: RepairKind,
}

impl Repair {
    /// Why it was done, as a sentence fragment for a person.
    pub const fn why(&self) -> &'static str {
        self.kind.why()
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "item {}: {}", self.at, self.why())
    }
}

/// What a prompt does about an item that cannot be sent as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RepairKind {
    /// A call has no output: a stand-in with the text `aborted` follows it.
    StandIn,
    /// An output stood before its call: it is shown right behind it.
    OutputMoved,
    /// An output whose call is nowhere: left out.
    OrphanOutput,
    /// A second output for a call that has one: left out.
    DuplicateOutput,
    /// A call that no service takes, its name or id being empty: left out.
    BadCall,
    /// The output of such a call: left out with it.
    BadCallOutput,
    /// A reasoning item with nothing of the model's behind it: left out.
    DanglingReasoning,
    /// A message with no text in any of its parts: left out.
    EmptyMessage,
    /// A message of the role `system`: left out.
    SystemMessage,
    /// An item that lacks a member its type must have: left out.
    Malformed,
    /// An item that is not for the model, or of a type that nobody knows: left out.
    NotForModel,
    /// A text part without text beside others, or in an output's list: the part is left out.
    EmptyPart,
    /// An image that no service can read: a text stands in its place.
    BadImage,
}

impl RepairKind {
    /// Why the repair is made, as a sentence fragment.
    pub const fn why(self) -> &'static str {
        match self {
            Self::StandIn => "the call has no output, so a stand-in follows it",
            Self::OutputMoved => "the output stood before its call, so it is shown behind it",
            Self::OrphanOutput => "the output belongs to no call, so it is left out",
            Self::DuplicateOutput => "the call has an output already, so this one is left out",
            Self::BadCall => "the call has no name or no id, so it is left out",
            Self::BadCallOutput => "its call is left out, so the output is left out too",
            Self::DanglingReasoning => {
                "nothing of the model's follows the reasoning, so it is left out"
            }
            Self::EmptyMessage => "the message has no text, so it is left out",
            Self::SystemMessage => "system messages are no part of the input, so it is left out",
            Self::Malformed => "the item lacks a member that its type must have, so it is left out",
            Self::NotForModel => "such items are not for the model, so it is left out",
            Self::EmptyPart => "a text part has no text, so the part is left out",
            Self::BadImage => "the image cannot be read, so a text stands in its place",
        }
    }
}
