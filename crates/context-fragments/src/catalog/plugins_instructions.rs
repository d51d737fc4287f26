//! How to use plugins.

use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Role};

const TEXT: &str = "Plugins add skills and tools for a purpose of their own. \
    When the user names a plugin, use what it brings before anything else of the kind. \
    When a task fits a plugin that was not named, you may use it and say so. \
    Do not guess what a plugin holds: read its description first.";

/// Tells the model how to use plugins.
///
/// **Seen by**: the model, in the first context if there are plugins, and when the first one appears.
///
/// **Shape**: `<plugins_instructions>`, a line break, a fixed text, a line break, `</plugins_instructions>`.
///
/// **Bounds**: a fixed text; cap 200 tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct AvailablePluginsInstructions;

impl AvailablePluginsInstructions {
    const CAP: Cap = Cap::cutting_at::<200>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "AvailablePluginsInstructions",
        Role::Developer,
        "plugins.usage_instructions",
        ("<plugins_instructions>", "</plugins_instructions>"),
        Self::CAP,
    );
}

impl ContextualUserFragment for AvailablePluginsInstructions {
    facts_of_spec!();

    fn body(&self) -> Body {
        Body::framed("\n", TEXT, "\n")
    }
}
