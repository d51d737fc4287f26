//! A request as a person can read it: one line an item and one a part, for snapshots.

use std::fmt::Write as _;

use annals_history::{ItemDescription, Prompt};

/// The whole request as text: each item with its number and title, each part with its first words and
/// its size, stand-ins marked, and what was repaired.
///
/// Texts are shown with their first 72 characters; sizes are of all bytes, so that a change anywhere
/// in a text shows. Nothing is redacted: make ids and times repeat instead.
///
/// # Example
///
/// ```
/// use annals_history::{ContextManager, ItemEnvelope, PromptOptions};
/// use annals_protocol::RawJson;
///
/// let item = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}"#;
/// let mut history = ContextManager::new();
/// history.record([ItemEnvelope::new(RawJson::parse(item)?)], None);
/// let prompt = history.for_prompt(PromptOptions::default());
/// assert_eq!(annals_test_support::request_shape(&prompt), "1. user message\n  hi (2 bytes)\n");
/// # Ok::<(), annals_protocol::DecodeError>(())
/// ```
pub fn request_shape(prompt: &Prompt) -> String {
    let mut out = String::new();
    for (idx, item) in prompt.iter().enumerate() {
        let mark = if item.is_stand_in() {
            " [stand-in]"
        } else {
            ""
        };
        let description = ItemDescription::of(&item.to_text()).to_string();
        let (title, parts) = description
            .split_once('\n')
            .unwrap_or((description.as_str(), ""));
        // Writing to a text cannot fail.
        let _written = writeln!(out, "{}. {title}{mark}", idx + 1);
        out.push_str(parts);
    }
    for repair in prompt.repairs() {
        let _written = writeln!(out, "repair: {repair}");
    }
    out
}
