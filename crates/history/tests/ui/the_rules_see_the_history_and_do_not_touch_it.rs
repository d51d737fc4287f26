//! The ledger behind a history is lent for looking.

use annals_history::{ContextManager, ItemEnvelope, ItemFacts};
use annals_protocol::RawJson;

fn main() {
    let history = ContextManager::new();
    let envelope = ItemEnvelope::new(RawJson::parse("{}").unwrap());
    history.ledger().push(ItemFacts::scan("{}"), envelope);
    let _ = history.ledger().roll_back(1);
}
