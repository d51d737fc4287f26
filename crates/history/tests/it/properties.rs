//! A history against its model: whatever is done to it, in whatever order.

use annals_history::{ContextManager, DivergenceCause, Prompt, PromptOptions};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::items::{
    ABORTED, AGENTS, PERMISSIONS, assistant, call, custom, custom_output, developer, envelope,
    output, reasoning, user,
};
use crate::model::{Entry, Model};

#[derive(Debug, Clone)]
enum Step {
    Record(Value),
    Begin,
    Prompt,
    /// Goes on with a clone; the original must stay what it was.
    Clone,
    RollBack(usize),
    Compact(Vec<Value>),
    Text,
}

fn item() -> impl Strategy<Value = Value> {
    let id = || prop::sample::select(vec!["a", "b", "c"]);
    prop_oneof![
        4 => "[a-z]{1,3}".prop_map(|said| user(&said)),
        3 => "[a-z]{1,3}".prop_map(|said| assistant(&said)),
        2 => "[a-z]{1,3}".prop_map(|content| reasoning(&content)),
        4 => id().prop_map(call),
        1 => id().prop_map(|id| {
            let mut call = call(id);
            call["id"] = json!(format!("fc_{id}"));
            call
        }),
        2 => id().prop_map(custom),
        4 => (id(), "[a-z]{1,2}").prop_map(|(id, body)| output(id, json!(body))),
        2 => (id(), "[a-z]{1,2}").prop_map(|(id, body)| custom_output(id, json!(body))),
        1 => Just(user(AGENTS)),
        1 => Just(user(ABORTED)),
        1 => Just(developer(&[PERMISSIONS])),
        1 => Just(developer(&[PERMISSIONS, "own words"])),
        1 => Just(assistant("")),
        1 => Just(json!({"type": "message", "role": "system", "content": [{"type": "input_text", "text": "s"}]})),
        1 => Just(json!({"type": "function_call_output", "name": "n", "output": "external"})),
        1 => id().prop_map(|id| json!({"type": "function_call", "name": "", "arguments": "{}", "call_id": id})),
        1 => Just(json!({"type": "ghost_snapshot", "x": 1})),
        2 => id().prop_map(|id| json!({"type": "local_shell_call", "call_id": id, "status": "completed", "action": {}})),
        2 => id().prop_map(|id| json!({"type": "tool_search_call", "call_id": id, "execution": "client", "arguments": {}})),
        2 => (id(), prop::sample::select(vec!["client", "server"])).prop_map(|(id, by)| {
            json!({"type": "tool_search_output", "call_id": id, "status": "completed", "execution": by, "tools": []})
        }),
        1 => Just(json!({"type": "web_search_call", "status": "completed"})),
        1 => Just(json!({"type": "agent_message", "author": "a", "recipient": "b", "content": []})),
        // Each lacks what its type must have.
        1 => id().prop_map(|id| json!({"type": "function_call", "name": "run", "call_id": id})),
        1 => id().prop_map(|id| json!({"type": "function_call_output", "call_id": id, "output": {}})),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        20 => item().prop_map(Step::Record),
        3 => Just(Step::Begin),
        6 => Just(Step::Prompt),
        2 => Just(Step::Clone),
        2 => (0_usize..4).prop_map(Step::RollBack),
        1 => prop::collection::vec(item(), 0..5).prop_map(Step::Compact),
        1 => Just(Step::Text),
    ]
}

/// The prompt's items as the model writes them: stand-ins by the call that they answer.
fn lines(prompt: &Prompt) -> Vec<String> {
    prompt
        .iter()
        .map(|item| {
            if item.is_stand_in() {
                format!("stand-in for {}", item.at())
            } else {
                item.to_text()
            }
        })
        .collect()
}

fn is_bytewise_prefix(earlier: &Prompt, later: &Prompt) -> bool {
    let texts = |prompt: &Prompt| prompt.iter().map(|item| item.to_text()).collect::<Vec<_>>();
    texts(later).starts_with(&texts(earlier))
}

fn check_prompt(history: &mut ContextManager, model: &Model) -> Prompt {
    let prompt = history.for_prompt(PromptOptions::default());
    assert_eq!(lines(&prompt), model.prompt());
    let bytes = prompt.to_vec();
    assert_eq!(bytes.len() as u64, prompt.len_bytes());
    let parsed: Vec<Value> = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(parsed.len(), prompt.len());
    // Built in one go from the same items, it is the same.
    let mut rebuilt = ContextManager::new();
    rebuilt.record(history.items().map(|item| item.envelope().clone()), None);
    let again = rebuilt.for_prompt(PromptOptions::default());
    assert_eq!(again.to_vec(), bytes);
    assert!(again.compare(&prompt).is_prefix());
    assert_eq!(again.digest(again.len()), prompt.digest(prompt.len()));
    // Made from its own output, it changes nothing and repairs nothing but what is in the parts.
    let mut normalized = ContextManager::new();
    normalized.record(parsed.iter().map(envelope), None);
    let twice = normalized.for_prompt(PromptOptions::default());
    assert_eq!(
        serde_json::from_slice::<Vec<Value>>(&twice.to_vec()).unwrap(),
        parsed,
        "normalized twice"
    );
    prompt
}

fn check_report(earlier: &Prompt, later: &Prompt) {
    let report = later.compare(earlier);
    assert_eq!(report.is_prefix(), is_bytewise_prefix(earlier, later));
    let common = earlier
        .iter()
        .zip(later.iter())
        .take_while(|(earlier, later)| earlier.to_text() == later.to_text());
    let common: Vec<u64> = common.map(|(item, _)| item.len_bytes() as u64).collect();
    assert_eq!(report.same_items, common.len());
    assert_eq!(report.same_bytes, common.iter().sum::<u64>());
    if earlier.version() == later.version() {
        // Between rewrites only an output that arrives late breaks the prefix.
        let cause = report.divergence.map(|divergence| divergence.cause);
        assert!(
            matches!(cause, None | Some(DivergenceCause::LateOutput)),
            "{cause:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_history_does_what_its_model_does(steps in prop::collection::vec(step(), 1..60)) {
        let mut history = ContextManager::new();
        let mut model = Model::default();
        let mut earlier: Option<Prompt> = None;
        for step in steps {
            match step {
                Step::Record(item) => {
                    history.record([envelope(&item)], None);
                    model.log.push(Entry::Item(item));
                }
                Step::Begin => {
                    history.begin_turn();
                    model.log.push(Entry::Begin);
                }
                Step::Prompt => {
                    let prompt = check_prompt(&mut history, &model);
                    if let Some(earlier) = &earlier {
                        check_report(earlier, &prompt);
                    }
                    earlier = Some(prompt);
                }
                Step::Clone => {
                    let mut original = history.clone();
                    history.record([envelope(&user("other future"))], None);
                    let _done = history.drop_last_n_user_turns(1);
                    let _prompt = check_prompt(&mut original, &model);
                    history = original;
                }
                Step::RollBack(turns) => {
                    let version = history.version();
                    let _done = history.drop_last_n_user_turns(turns);
                    prop_assert_eq!(history.version() > version, turns > 0);
                    model.roll_back(turns);
                    let _prompt = check_prompt(&mut history, &model);
                }
                Step::Compact(items) => {
                    history.replace_compacted(items.iter().map(envelope));
                    model.log.push(Entry::Compacted(items));
                    let _prompt = check_prompt(&mut history, &model);
                }
                Step::Text => {
                    // Another view in between changes nothing about the first.
                    let text = history.for_prompt(PromptOptions::default().without_images());
                    prop_assert_eq!(lines(&text), model.prompt());
                }
            }
        }
        let _prompt = check_prompt(&mut history, &model);
    }
}
