//! What tokens cost.

use serde::Serialize;

/// Prices for a million tokens, in whatever currency.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Prices {
    /// A million tokens of the input that the cache does not know.
    pub input: f64,
    /// A million tokens that it knows.
    pub cached_input: f64,
}

impl Prices {
    /// Prices for a million tokens.
    pub const fn new(input: f64, cached_input: f64) -> Self {
        Self {
            input,
            cached_input,
        }
    }

    /// What it cost that the cache did not know so many tokens.
    #[expect(clippy::cast_precision_loss, reason = "money is told to a thousandth")]
    pub fn of_miss(self, tokens: u64) -> f64 {
        tokens as f64 / 1_000_000.0 * (self.input - self.cached_input).max(0.0)
    }
}
