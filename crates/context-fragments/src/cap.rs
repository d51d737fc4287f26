//! The hard cap of a fragment, checked when it is compiled. What happens at the cap is carried out by the trait's `render`.

/// What is done with a text that is over its cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Overflow {
    /// The text is cut by a fixed rule, with a visible mark, and the cut is reported.
    Cut,
    /// The text is refused with an error when the fragment is made, as a part of it could mean something else.
    Refuse,
}

/// The largest size of a rendered fragment, markers included.
///
/// **Units**: estimated tokens (4 bytes of UTF-8 each, rounded up).
///
/// **Bounds**: never more than [`Cap::MAX_TOKENS`]; a larger constant does not compile:
///
/// ```compile_fail
/// use annals_context_fragments::Cap;
///
/// const TOO_MUCH: Cap = Cap::cutting_at::<10_001>();
/// # fn main() { let _ = TOO_MUCH; }
/// ```
///
/// # Example
///
/// ```
/// use annals_context_fragments::Cap;
///
/// const CAP: Cap = Cap::cutting_at::<1_000>();
/// assert_eq!(CAP.tokens(), 1_000);
/// assert_eq!(CAP.bytes(), 4_000);
/// assert_eq!(CAP.lowered_to(50).tokens(), 50);
/// assert_eq!(CAP.lowered_to(50_000), CAP);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cap {
    tokens: u32,
    overflow: Overflow,
}

impl Cap {
    /// No injected item may be larger than this, in estimated tokens.
    pub const MAX_TOKENS: u32 = 10_000;

    /// A cap at which the text is cut. `TOKENS` is from 1 to [`Cap::MAX_TOKENS`], checked at compile time.
    pub const fn cutting_at<const TOKENS: u32>() -> Self {
        const {
            assert!(
                TOKENS >= 1 && TOKENS <= Self::MAX_TOKENS,
                "a cap is 1 to 10,000 tokens"
            );
        };
        Self {
            tokens: TOKENS,
            overflow: Overflow::Cut,
        }
    }

    /// A cap over which the text is refused. `TOKENS` is from 1 to [`Cap::MAX_TOKENS`], checked at compile time.
    pub const fn refusing_over<const TOKENS: u32>() -> Self {
        const {
            assert!(
                TOKENS >= 1 && TOKENS <= Self::MAX_TOKENS,
                "a cap is 1 to 10,000 tokens"
            );
        };
        Self {
            tokens: TOKENS,
            overflow: Overflow::Refuse,
        }
    }

    /// The cap in estimated tokens.
    pub const fn tokens(self) -> u32 {
        self.tokens
    }

    /// The cap in bytes of UTF-8: four for each token.
    pub const fn bytes(self) -> usize {
        self.tokens as usize * 4
    }

    /// What is done with a text that is over the cap.
    pub const fn overflow(self) -> Overflow {
        self.overflow
    }

    /// This cap, or a smaller one of `tokens` (at least 1). It never grows.
    #[must_use]
    pub const fn lowered_to(self, tokens: u32) -> Self {
        let wanted = if tokens == 0 { 1 } else { tokens };
        let tokens = if wanted < self.tokens {
            wanted
        } else {
            self.tokens
        };
        Self {
            tokens,
            overflow: self.overflow,
        }
    }
}
