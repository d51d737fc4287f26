//! What takes fixed guidance back: apps, plugins and environments that can no longer be used.

use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Role};

/// Tells the model that no connected app can be used any more.
///
/// **Seen by**: the model, when the last usable app is gone.
///
/// **Shape**: the markers of [`AppsInstructions`](super::AppsInstructions), and between them a line break, a fixed text, a line break.
///
/// **Bounds**: a fixed text; cap 100 tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct AppsWithdrawn;

impl AppsWithdrawn {
    const CAP: Cap = Cap::cutting_at::<100>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "AppsWithdrawn",
        Role::Developer,
        "apps.withdrawn",
        ("<apps_instructions>", "</apps_instructions>"),
        Self::CAP,
    );
}

impl ContextualUserFragment for AppsWithdrawn {
    facts_of_spec!();

    fn body(&self) -> Body {
        let text = "No connected app can be used any more. \
             The previously provided instructions on apps no longer apply.";
        Body::framed("\n", text, "\n")
    }
}

/// Tells the model that no plugin can be used any more.
///
/// **Seen by**: the model, when the last plugin is gone.
///
/// **Shape**: the markers of [`AvailablePluginsInstructions`](super::AvailablePluginsInstructions), and between them a line break, a fixed text, a line break.
///
/// **Bounds**: a fixed text; cap 100 tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PluginsWithdrawn;

impl PluginsWithdrawn {
    const CAP: Cap = Cap::cutting_at::<100>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "PluginsWithdrawn",
        Role::Developer,
        "plugins.withdrawn",
        ("<plugins_instructions>", "</plugins_instructions>"),
        Self::CAP,
    );
}

impl ContextualUserFragment for PluginsWithdrawn {
    facts_of_spec!();

    fn body(&self) -> Body {
        let text = "No plugin can be used any more. \
             The previously provided instructions on plugins no longer apply.";
        Body::framed("\n", text, "\n")
    }
}

/// Tells the model that environments no longer come and go.
///
/// **Seen by**: the model, when there is only the one environment from then on.
///
/// **Shape**: the markers of [`EnvironmentsInstructions`](super::EnvironmentsInstructions), and between them a line break, a fixed text, a line break.
///
/// **Bounds**: a fixed text; cap 100 tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct EnvironmentsWithdrawn;

impl EnvironmentsWithdrawn {
    const CAP: Cap = Cap::cutting_at::<100>();

    /// Its row in the catalogue.
    pub const SPEC: FragmentSpec = FragmentSpec::new(
        "EnvironmentsWithdrawn",
        Role::Developer,
        "environments.withdrawn",
        (
            "<environments_instructions>",
            "</environments_instructions>",
        ),
        Self::CAP,
    );
}

impl ContextualUserFragment for EnvironmentsWithdrawn {
    facts_of_spec!();

    fn body(&self) -> Body {
        let text = "Work is no longer spread over several environments. \
             The previously provided instructions on environments no longer apply.";
        Body::framed("\n", text, "\n")
    }
}
