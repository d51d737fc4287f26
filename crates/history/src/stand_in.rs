//! The output that a prompt shows for a call that never had one.

use std::borrow::Cow;

use annals_context_fragments::notices::ABORTED_OUTPUT;
use annals_protocol::{ItemType, members};
use uuid::Uuid;

use crate::facts::ItemFacts;
use crate::options::PromptOptions;
use crate::text::{push_string, string};

/// The namespace of all ids made here.
///
/// It may never change: the same call must get the same id in every process and every version, or
/// every provider's cache of every running thread is lost at the first prompt after an update.
const NAMESPACE: Uuid = Uuid::from_u128(0x5e1f_6a0c_8d5b_4f0e_9a52_0d3c_7be4_41a6);

/// The output that stands in for the one that `call` never had.
///
/// Its id is a UUID v5 made from the call's item id, or from its call id and how often that was
/// used before: the same call has the same stand-in in every prompt of every process.
pub fn stand_in(call: &str, facts: &ItemFacts, used_before: u32, options: PromptOptions) -> String {
    let mut item_id = None;
    let mut call_id = Cow::Borrowed("");
    for member in members(call) {
        if member.is("id") {
            item_id = string(member.value).filter(|id| !id.is_empty());
        } else if member.is("call_id") {
            call_id = string(member.value).unwrap_or_default();
        }
    }
    let (tag, prefix) = match facts.item_type() {
        ItemType::CustomToolCall => ("custom_tool_call_output", "ctco"),
        ItemType::ToolSearchCall => ("tool_search_output", "tso"),
        _ => ("function_call_output", "fco"),
    };
    let name = match item_id {
        Some(id) => format!("{prefix}:{id}"),
        None => format!("{prefix}:call {used_before}:{call_id}"),
    };
    let mut out = format!("{{\"type\":\"{tag}\",");
    if !options.no_ids {
        let id = Uuid::new_v5(&NAMESPACE, name.as_bytes());
        out.push_str("\"id\":");
        push_string(&mut out, &format!("{prefix}_{id}"));
        out.push(',');
    }
    out.push_str("\"call_id\":");
    push_string(&mut out, &call_id);
    if facts.item_type() == ItemType::ToolSearchCall {
        out.push_str(",\"status\":\"completed\",\"execution\":\"client\",\"tools\":[]}");
    } else {
        out.push_str(",\"output\":");
        push_string(&mut out, ABORTED_OUTPUT);
        out.push('}');
    }
    out
}
