//! How many tokens a history takes: what the server measured, and what came since by estimate.

/// A number of tokens, and whether anybody measured it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TokenCount {
    /// The number.
    pub tokens: u64,
    /// Whether a part of it, or all, is an estimate.
    pub is_estimated: bool,
}

/// Measured tokens, and estimates of what came after the measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Usage {
    measured: Option<u64>,
    /// The estimate of all items, and of those since the measure.
    all: u64,
    since: u64,
}

impl Usage {
    pub(crate) fn add(&mut self, tokens: u64) {
        self.all = self.all.saturating_add(tokens);
        self.since = self.since.saturating_add(tokens);
    }

    pub(crate) fn measure(&mut self, tokens: u64) {
        self.measured = Some(tokens);
        self.since = 0;
    }

    /// Counts tokens that came after the measure and are part of the estimate already.
    pub(crate) fn add_since(&mut self, tokens: u64) {
        self.since = self.since.saturating_add(tokens);
    }

    /// Starts anew with an estimate: what was measured is of another history.
    pub(crate) fn rewritten(estimate: u64) -> Self {
        Self {
            measured: None,
            all: estimate,
            since: 0,
        }
    }

    /// Never zero for a history that holds something, never less after it grew.
    pub(crate) fn count(&self, has_items: bool) -> TokenCount {
        let (tokens, is_estimated) = match self.measured {
            Some(measured) => (measured.saturating_add(self.since), self.since > 0),
            None => (self.all, true),
        };
        TokenCount {
            tokens: tokens.max(u64::from(has_items)),
            is_estimated,
        }
    }
}
