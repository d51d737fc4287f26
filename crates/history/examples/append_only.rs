//! Two steps of a conversation: the second prompt extends the first, and is whole.

use annals_history::{ContextManager, ItemEnvelope, PromptOptions};
use annals_protocol::RawJson;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let question = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"When is high water?"}]}"#;
    let call = r#"{"type":"function_call","name":"tide_table","arguments":"{}","call_id":"c1"}"#;

    let mut history = ContextManager::new();
    history.record([ItemEnvelope::new(RawJson::parse(question)?)], None);
    let first = history.for_prompt(PromptOptions::default());

    history.record([ItemEnvelope::new(RawJson::parse(call)?)], None);
    let second = history.for_prompt(PromptOptions::default());

    assert!(second.compare(&first).is_prefix()); // what was sent kept every byte
    assert_eq!(second.len(), 3); // the tool never answered: an output `aborted` stands in
    second.write_to(std::io::stdout())?;
    Ok(())
}
