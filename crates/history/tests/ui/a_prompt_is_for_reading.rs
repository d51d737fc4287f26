//! A prompt can be written out and compared; its parts can't be taken away.

use annals_history::{ContextManager, PromptOptions};

fn main() {
    let mut history = ContextManager::new();
    let mut prompt = history.for_prompt(PromptOptions::default());
    prompt.slots.clear();
    for chunk in prompt.chunks() {
        chunk[0] = b' ';
    }
}
