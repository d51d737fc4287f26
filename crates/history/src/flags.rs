//! Yes-or-no facts about one item, packed into one word so that a million of them stay small.

use std::fmt;
use std::ops::BitOr;

/// A set of yes-or-no facts about one item.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct ItemFlags(u32);

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $bit:literal;)*) => {
        impl ItemFlags {
            $($(#[$doc])* pub const $name: Self = Self(1 << $bit);)*
            const NAMES: &'static [(&'static str, Self)] = &[$((stringify!($name), Self::$name)),*];
        }
    };
}

flags! {
    /// A message of which every part is injected context.
    CONTEXTUAL = 0;
    /// A message of which at least one part is injected context.
    ANY_CONTEXTUAL = 1;
    /// Injected context that tells of something that happened; it belongs to the turn before it.
    EVENT = 2;
    /// The item starts a turn: somebody other than the model said something.
    BOUNDARY = 3;
    /// The summary that a compaction left behind.
    SUMMARY = 4;
    /// A message of which every part is the empty string (or that has no part).
    EMPTY_TEXT = 5;
    /// An output list with at least one text part that is the empty string.
    EMPTY_PART = 6;
    /// Holds an image.
    IMAGE = 7;
    /// Holds sound.
    AUDIO = 8;
    /// Holds an image that no service can read.
    BAD_MEDIA = 9;
    /// A message of the role `system`.
    SYSTEM = 10;
    /// A tool search that the service itself ran.
    SERVER_SIDE = 11;
    /// Made by the model, and able to stand behind a reasoning item.
    MODEL_MADE = 12;
    /// Lacks a member that its type must have.
    MALFORMED = 13;
    /// A call that no service takes: its name or its call id is the empty string.
    BAD_CALL = 14;
    /// Carries `internal_chat_message_metadata_passthrough`.
    PASSTHROUGH = 15;
    /// Has an item id that is not the empty string.
    ITEM_ID = 16;
    /// A message whose text is an envelope of one agent to another, as old files have it.
    LEGACY_ENVELOPE = 17;
    /// A message with text parts only.
    TEXT_ONLY = 18;
    /// Told by the host, with its word in the sidecar that the item may change the configuration.
    HARNESS_AUTHORED = 19;
    /// Has a call id, the empty string included.
    CALL_ID = 20;
    /// Made by the model, whether or not a reasoning item may lean on it.
    GENERATED = 21;
    /// Role `user`.
    USER = 22;
    /// Role `developer`.
    DEVELOPER = 23;
    /// Said to the user from inside a script: shown to them, and not sent to the model.
    DELIVERED = 24;
}

impl ItemFlags {
    /// No fact at all.
    pub const NONE: Self = Self(0);

    /// Whether all of `other` hold.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether at least one of `other` holds.
    pub const fn has_any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Adds `other` if `holds`.
    #[must_use = "the set itself does not change"]
    pub const fn with(self, other: Self, holds: bool) -> Self {
        if holds {
            Self(self.0 | other.0)
        } else {
            Self(self.0 & !other.0)
        }
    }
}

impl BitOr for ItemFlags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl fmt::Debug for ItemFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held = Self::NAMES.iter().filter(|(_, flag)| self.has(*flag));
        f.debug_set()
            .entries(held.map(|(name, _)| format_args!("{name}").to_string()))
            .finish()
    }
}
