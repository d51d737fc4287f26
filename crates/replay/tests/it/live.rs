//! A resumed thread is the thread that ran: the same bytes, and the same knowledge of what was told.

use annals_history::{ContextManager, ItemEnvelope, PromptOptions};
use annals_protocol::RawJson;
use annals_replay::CheckpointRule;
use annals_world_state::BaselineChain;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::session::{Session, assistant, call, developer, output, user};

#[derive(Debug, Clone)]
enum Step {
    Begin,
    Item(Value),
    Full(u8),
    Patch(u8),
    RollBack(u32),
    Compact(Vec<Value>),
}

fn item() -> impl Strategy<Value = Value> {
    let id = || prop::sample::select(vec!["a", "b"]);
    prop_oneof![
        4 => "[a-z]{1,3}".prop_map(|said| user(&said)),
        3 => "[a-z]{1,3}".prop_map(|said| assistant(&said)),
        3 => id().prop_map(call),
        3 => (id(), "[a-z]{1,2}").prop_map(|(id, body)| output(id, &body)),
        1 => Just(json!({"type": "reasoning", "summary": [], "content": null, "encrypted_content": "E"})),
        1 => Just(user("<turn_aborted>\nx\n</turn_aborted>")),
        2 => Just(developer(&["<permissions instructions>\nask\n</permissions instructions>"])),
        1 => Just(developer(&["<permissions instructions>\nask\n</permissions instructions>", "own"])),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => Just(Step::Begin),
        16 => item().prop_map(Step::Item),
        3 => any::<u8>().prop_map(Step::Full),
        3 => any::<u8>().prop_map(Step::Patch),
        2 => (0_u32..4).prop_map(Step::RollBack),
        1 => prop::collection::vec(item(), 0..4).prop_map(Step::Compact),
    ]
}

fn envelope(item: &Value) -> ItemEnvelope {
    ItemEnvelope::new(RawJson::parse(item.to_string()).unwrap())
}

fn told(history: &mut ContextManager, tell: impl FnOnce(&mut BaselineChain)) {
    let mut chain = BaselineChain::from_baseline(history.world_state_baseline().cloned());
    tell(&mut chain);
    history.set_world_state_baseline(chain.into_baseline());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_replay_equals_the_live_thread(steps in prop::collection::vec(step(), 1..50)) {
        let mut live = ContextManager::new();
        let mut session = Session::new();
        for (idx, step) in steps.into_iter().enumerate() {
            match step {
                Step::Begin => {
                    live.begin_turn();
                    session = session.started(&format!("t{idx}"));
                }
                Step::Item(item) => {
                    live.record([envelope(&item)], None);
                    session = session.item(item);
                }
                Step::Full(value) => {
                    let state = json!({"s": {"full": value}});
                    told(&mut live, |chain| { let _step = chain.full(&state.to_string()); });
                    session = session.full(state);
                }
                Step::Patch(value) => {
                    let state = json!({"s": {"patch": value}});
                    told(&mut live, |chain| { let _step = chain.patch(&state.to_string()); });
                    session = session.patch(state);
                }
                Step::RollBack(turns) => {
                    let _done = live.drop_last_n_user_turns(turns as usize);
                    session = session.rollback(turns);
                }
                Step::Compact(items) => {
                    live.replace_compacted(items.iter().map(envelope));
                    session = session.compacted("a summary of its own", json!(items));
                }
            }
        }
        let resumed = session.replay();
        let prompt = live.for_prompt(PromptOptions::default());
        prop_assert_eq!(&prompt.to_vec(), &resumed.bytes);
        prop_assert_eq!(live.world_state_baseline(), resumed.history.world_state_baseline());
        prop_assert_eq!(live.n_turns(), resumed.history.n_turns());
        let (from_end, _) = session.replay_from_end(CheckpointRule::for_items());
        prop_assert_eq!(&from_end.bytes, &resumed.bytes);
        if let Some(watched) = session.replay_watched() {
            prop_assert_eq!(&watched.bytes, &resumed.bytes);
        }
    }
}
