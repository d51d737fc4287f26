//! The beginning and the end of a spoken conversation. The two share their markers: they are one family.

use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Role, neutralize};

const TAG: (&str, &str) = ("<realtime_conversation>", "</realtime_conversation>");

const START_TEXT: &str = "The conversation goes on by voice from here. \
    What the user says arrives as a transcript and may hold words that were heard wrongly; ask when it matters. \
    Answer in short sentences that can be spoken, without tables, code blocks or links.";

const END_TEXT: &str = "The conversation goes on in writing from here. \
    Instructions on spoken answers no longer hold.";

/// Tells the model that the conversation is spoken from now on.
///
/// **Seen by**: the model, when a realtime session is on in the first context, and when one begins.
///
/// **Shape**: `<realtime_conversation>`, a line break, the text, a line break, `</realtime_conversation>`.
///
/// **Bounds**: cap 8,000 tokens; a longer text is cut with a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RealtimeStartInstructions {
    text: Option<String>,
}

impl RealtimeStartInstructions {
    // P0(2026-12-01): bound cut at 8,000 tokens, once per spoken session; may grow: with the text that a host configures;
    // without one it is 70 tokens. Worth it: a host that speaks has its own rules for it.
    const CAP: Cap = Cap::cutting_at::<8_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "RealtimeStartInstructions",
        Role::Developer,
        "realtime.start_instructions",
        TAG,
        Self::CAP,
    );

    /// The text of this crate.
    pub const fn standard() -> Self {
        Self { text: None }
    }

    /// The host's own text.
    pub fn custom<T: Into<String>>(text: T) -> Self {
        Self {
            text: Some(text.into()),
        }
    }
}

impl ContextualUserFragment for RealtimeStartInstructions {
    facts_of_spec!();

    fn body(&self) -> Body {
        let text = self.text.as_deref().unwrap_or(START_TEXT);
        Body::framed("\n", neutralize(text, TAG.1), "\n")
    }
}

/// Tells the model that the conversation is written again.
///
/// **Seen by**: the model, when a realtime session has ended.
///
/// **Shape**: as [`RealtimeStartInstructions`]; without a text of the host, a line `Reason: …` follows the text.
///
/// **Bounds**: cap 1,000 tokens; a longer text is cut with a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RealtimeEndInstructions {
    text: Option<String>,
}

impl RealtimeEndInstructions {
    const CAP: Cap = Cap::cutting_at::<1_000>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "RealtimeEndInstructions",
        Role::Developer,
        "realtime.end_instructions",
        TAG,
        Self::CAP,
    );

    /// The text of this crate, with the reason `inactive`.
    pub const fn inactive() -> Self {
        Self { text: None }
    }

    /// The host's own text.
    pub fn custom<T: Into<String>>(text: T) -> Self {
        Self {
            text: Some(text.into()),
        }
    }
}

impl ContextualUserFragment for RealtimeEndInstructions {
    facts_of_spec!();

    fn body(&self) -> Body {
        match &self.text {
            None => Body::framed("\n", [END_TEXT, "\nReason: inactive"].concat(), "\n"),
            Some(text) => Body::framed("\n", neutralize(text, TAG.1), "\n"),
        }
    }
}
