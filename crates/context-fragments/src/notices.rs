//! Notices whose exact text is part of the wire format: programs compare them, so they never change.

/// Stands first in an AGENTS.md fragment whose text takes the place of all earlier ones.
pub const AGENTS_MD_REPLACED: &str =
    "These AGENTS.md instructions replace all previously provided AGENTS.md instructions.";

/// The whole text of an AGENTS.md fragment that takes the earlier ones back.
pub const AGENTS_MD_REMOVED: &str =
    "The previously provided AGENTS.md instructions no longer apply.";

/// Leads in the instructions of a model that takes over from another.
pub const MODEL_SWITCH_LEAD_IN: &str = "The user was previously using a different model. \
     Please continue the conversation according to the following instructions:";

/// The output that stands in for that of a call which never got one.
pub const ABORTED_OUTPUT: &str = "aborted";

/// Stands in for an image that the model cannot see.
pub const IMAGE_UNSUPPORTED: &str = "image content omitted because you do not support image input";

/// Stands in for audio that the model cannot hear.
pub const AUDIO_UNSUPPORTED: &str = "audio content omitted because you do not support audio input";

/// Stands in for an image that could not be decoded.
pub const IMAGE_UNPROCESSABLE: &str = "image content omitted because it could not be processed";

/// Stands first in the summary that a compaction leaves, as far as programs agree on it.
pub const COMPACTION_SUMMARY_LEAD_IN: &str = "Another language model started to solve this problem and produced a summary of its thinking process.";

/// Stands first in managed developer instructions that take the place of all earlier ones.
pub const MANAGED_REPLACED: &str = "These managed developer instructions replace all previously provided managed developer instructions.";

/// The whole text that takes managed developer instructions back.
pub const MANAGED_REMOVED: &str =
    "The previously provided managed developer instructions no longer apply.";

/// Stands first in persistent-mode instructions that take the place of all earlier ones.
pub const PERSISTENT_MODE_REPLACED: &str = "These persistent-mode instructions replace all previously provided persistent-mode instructions.";

/// The whole text that takes persistent-mode instructions back.
pub const PERSISTENT_MODE_REMOVED: &str =
    "The previously provided persistent-mode instructions no longer apply.";

/// Stands first in context-window guidance that takes the place of all earlier ones.
pub const CONTEXT_WINDOW_GUIDANCE_REPLACED: &str =
    "This context-window guidance replaces all previously provided context-window guidance.";

/// The whole text that takes context-window guidance back.
pub const CONTEXT_WINDOW_GUIDANCE_REMOVED: &str =
    "The previously provided context-window guidance no longer applies.";
