//! Guidance that is on or off and always reads the same: apps, plugins, several environments.

use crate::{
    history::TextPart,
    section::{PreviousSectionState, SectionTransition, WorldStateSection},
    update::SectionUpdate,
};
use annals_context_fragments::{
    ContextualUserFragment,
    catalog::{
        AppsInstructions, AppsWithdrawn, AvailablePluginsInstructions, EnvironmentsInstructions,
        EnvironmentsWithdrawn, PluginsWithdrawn,
    },
};

/// Tells guidance that turns on, and takes it back when it turns off.
fn tell<F, G>(
    previous: PreviousSectionState<'_, bool>,
    is_on: bool,
    guidance: &F,
    withdrawn: &G,
) -> SectionTransition
where
    F: ContextualUserFragment,
    G: ContextualUserFragment,
{
    match (previous, is_on) {
        (
            PreviousSectionState::Absent
            | PreviousSectionState::Unknown
            | PreviousSectionState::Known(false),
            true,
        ) => SectionTransition::telling(SectionUpdate::of(guidance)),
        (PreviousSectionState::Unknown | PreviousSectionState::Known(true), false) => {
            SectionTransition::telling(SectionUpdate::of(withdrawn))
        }
        (PreviousSectionState::Absent | PreviousSectionState::Known(false), false)
        | (PreviousSectionState::Known(true), true) => SectionTransition::silent(),
    }
}

macro_rules! guidance_section {
    ($(#[$doc:meta])* $name:ident, $id:literal, $guidance:ident, $withdrawn:ident) => {
        $(#[$doc])*
        ///
        /// Told when it turns on, and taken back when it turns off. Text whose state was not stored
        /// counts as told if it reads the same.
        ///
        /// # Shape
        /// Stored as `true` or `false`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name {
            is_on: bool,
        }

        impl $name {
            /// The guidance holds.
            pub const fn on() -> Self {
                Self { is_on: true }
            }

            /// The guidance does not hold.
            pub const fn off() -> Self {
                Self { is_on: false }
            }
        }

        impl From<bool> for $name {
            fn from(is_on: bool) -> Self {
                Self { is_on }
            }
        }

        impl WorldStateSection for $name {
            const ID: &'static str = $id;
            const RETAINED: bool = true;
            type Snapshot = bool;

            fn snapshot(&self) -> bool {
                self.is_on
            }

            fn render_diff(&self, previous: PreviousSectionState<'_, bool>) -> SectionTransition {
                tell(previous, self.is_on, &$guidance, &$withdrawn)
            }

            fn matches_legacy(&self, part: TextPart<'_>) -> bool {
                part.is::<$guidance>("developer")
            }

            // Whatever its wording, guidance that nobody took back is in force.
            fn is_told_by(&self, text: &str) -> bool {
                self.is_on == (text != $withdrawn.render())
            }

            fn render_removal(previous: PreviousSectionState<'_, bool>) -> Vec<SectionUpdate> {
                Self::off().render_diff(previous).updates
            }
        }
    };
}

guidance_section!(
    /// How to choose among several environments.
    EnvironmentsInstructionsSection,
    "environments_instructions",
    EnvironmentsInstructions,
    EnvironmentsWithdrawn
);
guidance_section!(
    /// How to use connected apps.
    AppsInstructionsSection,
    "apps_instructions",
    AppsInstructions,
    AppsWithdrawn
);
guidance_section!(
    /// How to use plugins.
    PluginsInstructionsSection,
    "plugins_instructions",
    AvailablePluginsInstructions,
    PluginsWithdrawn
);

#[cfg(test)]
#[path = "guidance_tests.rs"]
mod tests;
