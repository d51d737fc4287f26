//! Messages: neighbors of one role share one, and every part keeps its kind.

use annals_context_fragments::catalog::{
    CollaborationModeInstructions, ExtensionSectionText, MultiAgentUsageHint, TurnAborted,
};
use annals_context_fragments::{
    ContextualUserFragment, MessageClass, RenderedFragment, Role, merge_by_role,
};
use annals_protocol::ResponseItem;

fn dev(name: &str) -> RenderedFragment {
    ExtensionSectionText::developer(name, "x")
        .unwrap()
        .render_fragment()
}

fn user(name: &str) -> RenderedFragment {
    ExtensionSectionText::user(name, "x")
        .unwrap()
        .render_fragment()
}

#[test]
fn neighbors_of_one_role_share_a_message() {
    let alone = MultiAgentUsageHint::new("hint").render_fragment();
    let fragments = [
        dev("a"),
        dev("b"),
        user("c"),
        user("d"),
        dev("e"),
        alone.clone(),
        dev("f"),
        alone.clone(),
        alone,
    ];
    let shape: Vec<(Role, usize)> = merge_by_role(fragments)
        .iter()
        .map(|message| (message.role(), message.fragments().len()))
        .collect();
    let (d, u) = (Role::Developer, Role::User);
    assert_eq!(
        shape,
        [(d, 2), (u, 2), (d, 1), (d, 1), (d, 1), (d, 1), (d, 1)]
    );
    assert!(merge_by_role([]).is_empty());
}

#[test]
fn a_message_carries_one_kind_a_part() {
    let mode = CollaborationModeInstructions::new("Plan first.").unwrap();
    let messages = merge_by_role([mode.render_fragment(), dev("weather")]);
    assert_eq!(messages[0].tokens(), 13 + 6);
    let message = messages[0].clone().into_message();
    assert!(MessageClass::from(&message).is_contextual());
    let item = ResponseItem::Message(message);
    insta::assert_snapshot!(serde_json::to_string(&item).unwrap(), @r#"{"type":"message","role":"developer","content":[{"type":"input_text","text":"<collaboration_mode>Plan first.</collaboration_mode>"},{"type":"input_text","text":"<weather>\nx\n</weather>"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["collaboration_mode.instructions","weather.instructions"]}}"#);
}

#[test]
fn fragments_are_usable_as_trait_objects() {
    let boxed: Vec<Box<dyn ContextualUserFragment>> = vec![
        Box::new(TurnAborted::by_user()),
        Box::new(MultiAgentUsageHint::new("x")),
    ];
    let messages = merge_by_role(boxed.iter().map(|fragment| fragment.render_fragment()));
    assert_eq!(messages.len(), 2);
}
