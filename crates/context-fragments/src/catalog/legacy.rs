//! Texts that older programs wrote and that are only recognized, never written.

use crate::{Cap, FragmentSpec, Matching, Role};

/// The cap of what is never written says nothing; the largest keeps it out of every comparison.
const READ_ONLY: Cap = Cap::cutting_at::<1_000>();

const fn read_only(
    name: &'static str,
    role: Role,
    kind: &'static str,
    markers: (&'static str, &'static str),
) -> FragmentSpec {
    FragmentSpec::new(name, role, kind, markers, READ_ONLY).legacy()
}

/// The project's rules as the first programs wrote them.
pub(super) const USER_INSTRUCTIONS_TAG: FragmentSpec = read_only(
    "LegacyUserInstructions",
    Role::User,
    "",
    ("<user_instructions>", "</user_instructions>"),
);

/// A goal, before it had a fragment of its own.
pub(super) const GOAL_CONTEXT: FragmentSpec = read_only(
    "LegacyGoalContext",
    Role::User,
    "",
    ("<goal_context>", "</goal_context>"),
);

/// A personality, when it still was context.
pub(super) const PERSONALITY: FragmentSpec = read_only(
    "PersonalitySpec",
    Role::Developer,
    "",
    ("<personality_spec>", "</personality_spec>"),
)
.matched_by(Matching::Start);

/// Reminders of what is left of the context window; they had no end marker.
pub(super) const TOKEN_BUDGET: FragmentSpec = read_only(
    "LegacyTokenBudget",
    Role::Developer,
    "",
    ("<token_budget>", ""),
)
.event()
.matched_by(Matching::Start);

/// Reminders of what is left of a budget over several windows.
pub(super) const ROLLOUT_BUDGET: FragmentSpec = read_only(
    "RolloutBudget",
    Role::Developer,
    "",
    ("<rollout_budget>", ""),
)
.event()
.matched_by(Matching::Start);
