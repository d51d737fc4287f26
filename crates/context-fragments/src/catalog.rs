//! The fragments that annals knows: one file each, and the list that recognition goes through.
//!
//! A file holds the struct, its row ([`FragmentSpec`]) and its body. Constructors say what they refuse; whatever they
//! accept renders within the cap.

use crate::FragmentSpec;

/// Takes role, kind, markers and cap of a fragment from its row, where they stand once.
macro_rules! facts_of_spec {
    () => {
        fn role(&self) -> $crate::Role {
            Self::SPEC.role()
        }
        fn content_kind(&self) -> $crate::ContentKind {
            Self::SPEC.content_kind()
        }
        fn markers(&self) -> $crate::Markers {
            Self::SPEC.markers()
        }
        fn type_markers() -> $crate::Markers {
            Self::SPEC.markers()
        }
        fn cap(&self) -> $crate::Cap {
            Self::SPEC.cap()
        }
    };
}

mod legacy;
mod model_switch;
mod turn_aborted;

pub use model_switch::ModelSwitchInstructions;
pub use turn_aborted::TurnAborted;

/// Every row, in the order in which texts are compared with them.
pub static ALL: &[FragmentSpec] = &[
    ModelSwitchInstructions::SPEC,
    TurnAborted::SPEC,
    legacy::COMPACTION_SUMMARY,
    legacy::USER_INSTRUCTIONS_TAG,
    legacy::GOAL_CONTEXT,
    legacy::PERSONALITY,
    legacy::TOKEN_BUDGET,
    legacy::ROLLOUT_BUDGET,
];
