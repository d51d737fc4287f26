//! A conversation as its user saw it.

use annals_history::TranscriptEntry;
use annals_replay::TurnItem;
use serde_json::json;

use crate::session::{Outcome, Session, assistant, call, developer, output, user};

const ENVIRONMENT: &str = "<environment_context>\n  <cwd>/p</cwd>\n</environment_context>";
const PERMISSIONS: &str = "<permissions instructions>\nask\n</permissions instructions>";

fn shown(outcome: &Outcome) -> Vec<TurnItem> {
    let entries = outcome.replayed.ledger.transcript();
    entries
        .flat_map(|entry| match entry {
            TranscriptEntry::Item {
                facts,
                body,
                output,
            } => {
                let output = output.map(|(_, body)| body.raw().as_str());
                TurnItem::of(body.raw().as_str(), facts, output)
            }
            TranscriptEntry::Compaction { summary } => {
                vec![TurnItem::compaction(
                    summary.map(|body| body.raw().as_str()),
                )]
            }
        })
        .collect()
}

#[test]
fn a_conversation_is_shown_as_it_was_held() {
    let picture = json!({"type": "message", "role": "user", "content": [
        {"type": "input_text", "text": ENVIRONMENT},
        {"type": "input_text", "text": "Rename the helper"},
        {"type": "input_text", "text": "<image name=[Image #1]>"},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
        {"type": "input_text", "text": "</image>"},
    ]});
    let got = Session::new()
        .item(developer(&[PERMISSIONS, "be brief"]))
        .user(ENVIRONMENT)
        .item(picture)
        .item(json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}))
        .item(call("c1"))
        .item(output("c1", "ok"))
        .item(call("c2"))
        .user("<turn_aborted>\nstopped\n</turn_aborted>")
        .user("go on")
        .assistant("done")
        .compacted("all of it", json!([user("go on"), user("all of it")]))
        .user("thanks")
        .replay();
    insta::assert_debug_snapshot!(shown(&got));
}

#[test]
fn a_users_own_words_stay_his_whatever_they_look_like() {
    let spoof = json!({"type": "message", "role": "user",
        "content": [{"type": "input_text", "text": ENVIRONMENT}],
        "internal_chat_message_metadata_passthrough": {"content_item_kinds": ["user.text"]}});
    let got = Session::new().item(spoof).item(assistant("seen")).replay();
    assert_eq!(
        shown(&got)[0],
        TurnItem::UserMessage {
            text: ENVIRONMENT.to_owned(),
            n_images: 0,
            n_audio: 0
        }
    );
}

#[test]
fn rolled_back_turns_are_not_shown() {
    let got = Session::new()
        .turn("t1", "m", "one")
        .turn("t2", "m", "two")
        .rollback(1)
        .replay();
    assert_eq!(shown(&got).len(), 2);
}
