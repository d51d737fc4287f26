//! A resume that reads from the end only as far as it must gives what reading everything gives.

use annals_replay::CheckpointRule;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::session::{Session, assistant, call, developer, output, user};

#[derive(Debug, Clone)]
enum Step {
    /// A turn's start and context, in a model of its own.
    Turn(u8),
    End,
    Item(Value),
    Full(u8),
    Patch(u8),
    Rollback(u32),
    /// A compaction: its items, its window's number, and what it says about the turn before.
    Compact(Option<Vec<Value>>, Option<u64>, Option<u8>),
}

fn model(number: u8) -> String {
    format!("model-{}", number % 3)
}

fn item() -> impl Strategy<Value = Value> {
    let id = || prop::sample::select(vec!["a", "b"]);
    prop_oneof![
        4 => "[a-z]{1,3}".prop_map(|said| user(&said)),
        3 => "[a-z]{1,3}".prop_map(|said| assistant(&said)),
        3 => id().prop_map(call),
        3 => (id(), "[a-z]{1,2}").prop_map(|(id, body)| output(id, &body)),
        // Longer than any budget that its turn may have.
        1 => id().prop_map(|id| output(id, &"long output ".repeat(60))),
        2 => Just(developer(&["<permissions instructions>\nask\n</permissions instructions>"])),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let items = || prop::collection::vec(item(), 0..4);
    prop_oneof![
        5 => any::<u8>().prop_map(Step::Turn),
        3 => Just(Step::End),
        14 => item().prop_map(Step::Item),
        2 => any::<u8>().prop_map(Step::Full),
        2 => any::<u8>().prop_map(Step::Patch),
        1 => (0_u32..3).prop_map(Step::Rollback),
        2 => (prop::option::weighted(0.8, items()), prop::option::weighted(0.8, 1_u64..9), prop::option::of(any::<u8>()))
            .prop_map(|(items, window, before)| Step::Compact(items, window, before)),
    ]
}

fn compacted(items: Option<Vec<Value>>, window: Option<u64>, before: Option<u8>) -> Value {
    let mut payload = json!({"message": "a summary"});
    if let Some(items) = items {
        payload["replacement_history"] = json!(items);
    }
    if let Some(window) = window {
        payload["window_number"] = json!(window);
    }
    if let Some(before) = before {
        payload["resume_metadata"] = json!({
            "multi_agent_version": null, "last_started_turn_id": "t0", "turn_attribution": null,
            "previous_turn_settings": {"model": model(before), "comp_hash": null, "realtime_active": null},
        });
    }
    payload
}

fn session(steps: Vec<Step>, paginated: bool) -> Session {
    let mut session = if paginated {
        Session::paginated()
    } else {
        Session::new()
    };
    for (idx, step) in steps.into_iter().enumerate() {
        let turn = format!("t{idx}");
        session = match step {
            Step::Turn(number) => session.started(&turn).context(&turn, &model(number)),
            Step::End => session.completed(&turn),
            Step::Item(item) => session.item(item),
            Step::Full(value) => session.full(json!({"s": {"full": value}})),
            Step::Patch(value) => session.patch(json!({"s": {"patch": value}})),
            Step::Rollback(turns) => session.rollback(turns),
            Step::Compact(items, window, before) => {
                session.line("compacted", compacted(items, window, before))
            }
        };
    }
    session
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn reading_from_the_end_equals_reading_everything(
        steps in prop::collection::vec(step(), 1..60),
        paginated in any::<bool>(),
    ) {
        let session = session(steps, paginated);
        let all = session.replay();
        let (items, _) = session.replay_from_end(CheckpointRule::for_items());
        prop_assert_eq!(&items.bytes, &all.bytes);
        let (resumed, _) = session.replay_from_end(CheckpointRule::for_resume(paginated));
        prop_assert_eq!(&resumed.bytes, &all.bytes);
        prop_assert_eq!(&resumed.model, &all.model);
        prop_assert_eq!(&resumed.reference_model, &all.reference_model);
        prop_assert_eq!(&resumed.baseline, &all.baseline);
        prop_assert_eq!(&resumed.attribution, &all.attribution);
    }
}
