//! How to work where there are several environments.

use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Role};

const TEXT: &str = "Work may be spread over several environments, each with its own files, directory and shell. \
    Name the environment when you run a command anywhere but in the primary one. \
    An environment that is `starting` cannot be used yet; one that is `unavailable` is gone with everything in it. \
    A file in one environment is not there in another unless you copy it.";

/// Tells the model how to choose among environments.
///
/// **Seen by**: the model, in the first context if environments can come and go, and when that becomes so.
///
/// **Shape**: `<environments_instructions>`, a line break, a fixed text, a line break, `</environments_instructions>`.
///
/// **Bounds**: a fixed text; cap 200 tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct EnvironmentsInstructions;

impl EnvironmentsInstructions {
    const CAP: Cap = Cap::cutting_at::<200>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "EnvironmentsInstructions",
        Role::Developer,
        "environments.instructions",
        (
            "<environments_instructions>",
            "</environments_instructions>",
        ),
        Self::CAP,
    );
}

impl ContextualUserFragment for EnvironmentsInstructions {
    facts_of_spec!();

    fn body(&self) -> Body {
        Body::framed("\n", TEXT, "\n")
    }
}
