//! The settings that stand before the input in a request, and so decide what a cache knows.

use super::SettingChange;
use crate::part::{decoded, member};

/// The members of a `turn_context` that matter for a cache.
const NAMES: [&str; 6] = [
    "model",
    "effort",
    "approval_policy",
    "personality",
    "multi_agent_version",
    "realtime_active",
];

/// Settings of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Settings([Option<String>; NAMES.len()]);

impl Settings {
    pub(super) fn of(turn_context: &str) -> Self {
        Self(NAMES.map(|name| {
            let value = member(turn_context, name).filter(|value| *value != "null")?;
            Some(decoded(value).map_or_else(|| value.to_owned(), std::borrow::Cow::into_owned))
        }))
    }

    pub(super) fn model(&self) -> Option<&str> {
        self.0.first().and_then(Option::as_deref)
    }

    pub(super) fn changes_since(&self, before: &Self) -> Vec<SettingChange> {
        let pairs = before.0.iter().zip(&self.0);
        NAMES
            .into_iter()
            .zip(pairs)
            .filter(|(_, (before, now))| before != now)
            .map(|(setting, (before, now))| SettingChange {
                setting,
                before: before.clone(),
                now: now.clone(),
            })
            .collect()
    }
}
