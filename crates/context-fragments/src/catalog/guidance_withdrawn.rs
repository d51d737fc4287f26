//! What takes fixed guidance back: apps, plugins and environments that can no longer be used.

use crate::{Body, Cap, ContextualUserFragment, FragmentSpec, Role};

macro_rules! withdrawn {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $tag:literal, $text:literal) => {
        $(#[$doc])*
        ///
        /// **Shape**: the markers of the guidance that it takes back, and between them a line break, a fixed text, a
        /// line break.
        ///
        /// **Bounds**: a fixed text; cap 100 tokens.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
        pub struct $name;

        impl $name {
            const CAP: Cap = Cap::cutting_at::<100>();

            /// Its row in the catalogue.
            pub const SPEC: FragmentSpec = FragmentSpec::new(
                stringify!($name),
                Role::Developer,
                $kind,
                (concat!("<", $tag, ">"), concat!("</", $tag, ">")),
                Self::CAP,
            );
        }

        impl ContextualUserFragment for $name {
            facts_of_spec!();

            fn body(&self) -> Body {
                Body::framed("\n", $text, "\n")
            }
        }
    };
}

withdrawn!(
    /// Tells the model that no connected app can be used any more.
    ///
    /// **Seen by**: the model, when the last usable app is gone.
    AppsWithdrawn,
    "apps.withdrawn",
    "apps_instructions",
    "No connected app can be used any more. The previously provided instructions on apps no longer apply."
);
withdrawn!(
    /// Tells the model that no plugin can be used any more.
    ///
    /// **Seen by**: the model, when the last plugin is gone.
    PluginsWithdrawn,
    "plugins.withdrawn",
    "plugins_instructions",
    "No plugin can be used any more. The previously provided instructions on plugins no longer apply."
);
withdrawn!(
    /// Tells the model that environments no longer come and go.
    ///
    /// **Seen by**: the model, when there is only the one environment from then on.
    EnvironmentsWithdrawn,
    "environments.withdrawn",
    "environments_instructions",
    "Work is no longer spread over several environments. The previously provided instructions on environments no longer apply."
);
