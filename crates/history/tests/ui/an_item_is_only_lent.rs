//! An item that was handed out can't be exchanged.

use annals_history::ContextManager;
use annals_protocol::RawJson;

fn main() {
    let history = ContextManager::new();
    for item in history.items() {
        item.raw = &RawJson::parse("{}").unwrap();
    }
}
