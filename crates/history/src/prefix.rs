//! The proof that one prompt extends another: a running hash over item boundaries.
//!
//! It finds accidents. XXH3 is no cryptographic hash, so it is no defence against somebody who
//! makes two different histories with the same digest on purpose.

use std::fmt;

use twox_hash::xxhash3_128::{RawHasher, SecretBuffer};

/// The digest of everything up to an item boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub(crate) struct Digest([u64; 2]);

impl Digest {
    /// The digest one item further on; `pieces` are the item's bytes, cut anywhere.
    pub(crate) fn then(self, pieces: [&str; 2]) -> Self {
        let mut hasher = RawHasher::new(SecretBuffer::default());
        let mut len = 0_u64;
        for piece in pieces {
            hasher.write(piece.as_bytes());
            len += piece.len() as u64;
        }
        // The length keeps a boundary in its place; the digest before chains the items.
        hasher.write(&len.to_le_bytes());
        for half in self.0 {
            hasher.write(&half.to_le_bytes());
        }
        let hash = hasher.finish_128();
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the two halves of one number"
        )]
        Self([(hash >> 64) as u64, hash as u64])
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.0[0], self.0[1])
    }
}

/// How far a prompt holds the bytes of an earlier one, and why no further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "a report that nobody reads proves nothing"]
pub struct PrefixReport {
    /// How many elements are the same, from the start.
    pub same_items: usize,
    /// How many bytes those elements have, commas and brackets not counted.
    pub same_bytes: u64,
    /// Where the earlier prompt stops being a prefix; `None` if all of it is one.
    pub divergence: Option<Divergence>,
}

impl PrefixReport {
    /// Whether the earlier prompt is a byte prefix of the later one.
    pub const fn is_prefix(&self) -> bool {
        self.divergence.is_none()
    }
}

/// The first place at which a prompt differs from an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Divergence {
    /// The index of the first element that differs, in both prompts.
    pub item_idx: usize,
    /// How many bytes of the elements stand before it, commas and brackets not counted.
    pub byte_offset: u64,
    /// Why.
    pub cause: DivergenceCause,
}

/// Why a prompt does not extend an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DivergenceCause {
    /// A compaction replaced the history in between.
    Compaction,
    /// Turns were rolled back in between.
    Rollback,
    /// An output arrived, and took the place of its stand-in.
    LateOutput,
    /// The two prompts were made with other options.
    Options,
    /// None of these: the two do not come from the same history.
    Foreign,
}

impl fmt::Display for DivergenceCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Compaction => "a compaction",
            Self::Rollback => "a rollback",
            Self::LateOutput => "an output that arrived late",
            Self::Options => "other prompt options",
            Self::Foreign => "another history",
        })
    }
}
