//! Whether the model may start sub-agents of its own accord.

use super::text;
use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Role, neutralize, restore};

const PROACTIVE: &str = "Sub-agents can be started without being asked for. \
    Hand a part of the work to one when that part can be done apart from the rest and doing it aside saves time; \
    do small and dependent steps yourself.";

const EXPLICIT_ONLY: &str = "Start sub-agents only when the user, an AGENTS.md file or a skill asks for them. \
    Earlier instructions to start them of your own accord no longer hold.";

/// Tells the model when it may start sub-agents.
///
/// **Seen by**: the model, in the first context if a mode is set, and when it changes.
///
/// **Shape**: `<multi_agent_mode>`, the text, `</multi_agent_mode>`.
///
/// **Bounds**: cap 450 tokens; a host's own text keeps at most 400 and is cut with a mark.
///
/// # Example
///
/// ```
/// use annals_context_fragments::{ContextualUserFragment, catalog::MultiAgentModeInstructions};
///
/// let text = MultiAgentModeInstructions::custom("Two at most.").render();
/// assert_eq!(text, "<multi_agent_mode>Two at most.</multi_agent_mode>");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MultiAgentModeInstructions {
    mode: MultiAgentMode,
}

/// When sub-agents may be started.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MultiAgentMode {
    /// Of the model's own accord.
    Proactive,
    /// Only when asked for.
    ExplicitRequestOnly,
    /// As the host's own text says.
    Custom(String),
}

impl MultiAgentModeInstructions {
    const CAP: Cap = Cap::cutting_at::<450>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "MultiAgentModeInstructions",
        Role::Developer,
        "multi_agent.mode_instructions",
        ("<multi_agent_mode>", "</multi_agent_mode>"),
        Self::CAP,
    );

    /// The most bytes of a host's own text: 400 tokens.
    pub const MAX_CUSTOM_BYTES: usize = 1_600;

    /// The instructions of a mode.
    pub const fn new(mode: MultiAgentMode) -> Self {
        Self { mode }
    }

    /// The host's own text.
    pub fn custom<T: Into<String>>(text: T) -> Self {
        Self::new(MultiAgentMode::Custom(text.into()))
    }

    /// Reads a rendering back.
    pub fn read(rendered: &str) -> Option<Self> {
        let text = text::inner(&Self::SPEC, rendered)?;
        Some(Self::new(match text {
            PROACTIVE => MultiAgentMode::Proactive,
            EXPLICIT_ONLY => MultiAgentMode::ExplicitRequestOnly,
            text => MultiAgentMode::Custom(restore(text, Self::SPEC.end()).into_owned()),
        }))
    }
}

impl ContextualUserFragment for MultiAgentModeInstructions {
    facts_of_spec!();

    fn body(&self) -> Body {
        match &self.mode {
            MultiAgentMode::Proactive => Body::new(PROACTIVE),
            MultiAgentMode::ExplicitRequestOnly => Body::new(EXPLICIT_ONLY),
            MultiAgentMode::Custom(text) => {
                let (kept, cut) =
                    Body::new(neutralize(text, Self::SPEC.end())).fit(Self::MAX_CUSTOM_BYTES);
                Body::new(kept).with_cut(cut)
            }
        }
    }
}
