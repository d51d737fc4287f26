//! Faults that other programs had: what a state may never do.
//!
//! Each is shown on input of our own; where shared inputs of the same kind are at hand, on those too.

use crate::host::shape;
use crate::shared;
use annals_context_fragments::ContextualUserFragment;
use annals_context_fragments::catalog::{EnvironmentContext, UserInstructions};
use annals_world_state::sections::{AgentsMdSection, EnvironmentState, EnvironmentsSection};
use annals_world_state::{
    BaselineChain, HistoryView, PreviousSectionState, SectionTransition, SectionUpdate, WorldState,
    WorldStateSection, WorldStateSnapshot, merge_apply, merge_diff,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn inputs(own: Value, name: &str) -> Vec<Value> {
    let shared = shared::case(name).map(|text| serde_json::from_str(&text).unwrap());
    std::iter::once(own).chain(shared).collect()
}

#[test]
fn lists_are_replaced_as_they_stand() {
    let own = json!({"cases": [
        {"target": {"l": [1, 2]}, "patch": {"l": [null, 3]}, "result": {"l": [null, 3]}},
        {"target": {"l": [{"a": 1}]}, "patch": {"l": [{"b": null}]}, "result": {"l": [{"b": null}]}},
    ]});
    for input in inputs(own, "B15.json") {
        for case in input["cases"].as_array().unwrap() {
            let mut value = case["target"].clone();
            merge_apply(&mut value, &case["patch"]);
            assert_eq!(value, case["result"], "{case}");
        }
    }
}

fn check_differences(input: &Value) {
    for case in input["diff"].as_array().unwrap() {
        assert_eq!(
            merge_diff(&case["from"], &case["to"]).as_ref(),
            Some(&case["patch"]),
            "{case}"
        );
        let mut value = case["from"].clone();
        merge_apply(&mut value, &case["patch"]);
        assert_eq!(value, case["to"], "{case}");
    }
}

#[test]
fn a_list_that_is_gone_is_removed() {
    let own = json!({"diff": [
        {"from": {"l": [1], "k": 2}, "to": {"k": 2}, "patch": {"l": null}},
        {"from": {"k": 2}, "to": {"k": 2, "l": []}, "patch": {"l": []}},
    ]});
    for input in inputs(own, "B19.json") {
        check_differences(&input);
    }
}

#[test]
fn an_object_becomes_a_list_and_a_list_an_object() {
    let own = json!({"diff": [
        {"from": {"a": {"x": 1}}, "to": {"a": [2]}, "patch": {"a": [2]}},
        {"from": {"a": [2, 3]}, "to": {"a": {"x": 1}}, "patch": {"a": {"x": 1}}},
    ]});
    for input in inputs(own, "B20.json") {
        check_differences(&input);
    }
}

#[test]
fn a_member_that_turns_null_is_told_once() {
    let own = json!({
        "from": {"a": {"b": 1, "c": 2}}, "to": {"a": {"b": null, "c": 2}},
        "stored_to": {"a": {"c": 2}}, "patch": {"a": {"b": null}},
    });
    for input in inputs(own, "B22.json") {
        let from = WorldStateSnapshot::from_value(input["from"].clone()).unwrap();
        let to = WorldStateSnapshot::from_value(input["to"].clone()).unwrap();
        let patch = to.diff_from(&from).unwrap();
        assert_eq!(patch.value(), &input["patch"]);
        let stored = from.apply(&patch).unwrap();
        assert_eq!(serde_json::to_value(&stored).unwrap(), input["stored_to"]);
        assert_eq!(to.diff_from(&stored), None);
    }
}

#[test]
fn the_order_of_keys_is_no_difference_and_reaches_no_byte() {
    let own = json!({"a": {"z": {"b": 1, "a": [2, 1]}}, "b": {"z": {"a": [2, 1], "b": 1}}});
    let mut texts = vec![(own["a"].to_string(), own["b"].to_string())];
    // As text, for a parsed value may have lost its order already.
    texts.push((
        r#"{"q":{"y":[{"n":1,"m":2}],"x":null},"p":0}"#.to_owned(),
        r#"{"p":0,"q":{"x":null,"y":[{"m":2,"n":1}]}}"#.to_owned(),
    ));
    if let Some(shared) = shared::case("B33.json") {
        let shared: serde_json::Map<String, Value> = serde_json::from_str(&shared).unwrap();
        texts.push((shared["a"].to_string(), shared["b"].to_string()));
    }
    for (a, b) in texts {
        let (a, b) = (
            WorldStateSnapshot::parse(&a).unwrap(),
            WorldStateSnapshot::parse(&b).unwrap(),
        );
        assert_eq!(a.diff_from(&b), None);
        let lines: BTreeSet<String> = (0..100).flat_map(|_| [a.to_json(), b.to_json()]).collect();
        assert_eq!(lines.len(), 1);
    }
}

/// The bytes of a state are the same in every process. The digest was made by another program over
/// the bytes as they should be.
#[test]
fn bytes_are_those_of_another_process() {
    let state = WorldStateSnapshot::parse(r#"{"b":{"y":1.5,"x":"é\n"},"a":[null,true]}"#).unwrap();
    assert_eq!(
        state.to_json(),
        "{\"a\":[null,true],\"b\":{\"x\":\"é\\n\",\"y\":1.5}}"
    );
    assert_eq!(
        state.fingerprint().to_string(),
        "fc5adf0dd67d58fe2072b8ba6601153990fad22d"
    );
}

fn place(cwd: &str) -> EnvironmentsSection {
    let mut section = EnvironmentsSection::default();
    section
        .environments
        .insert("local".to_owned(), EnvironmentState::available(cwd, "bash"));
    section
}

fn rules_and_place(text: &str, cwd: &str) -> WorldState {
    let mut world = WorldState::new();
    world
        .insert(AgentsMdSection::new(Some("/home/dev/demo"), text))
        .unwrap();
    world.insert(place(cwd)).unwrap();
    world
}

#[test]
fn after_a_compaction_without_texts_everything_is_told_once() {
    let world = rules_and_place("Use tabs.", "/home/dev/demo");
    let told = world.render_full();
    let mut chain = BaselineChain::new();
    chain.record(&told.record().unwrap().unwrap());
    assert_eq!(chain.baseline(), Some(told.snapshot()));
    chain.compacted();
    assert_eq!(chain.baseline(), None);

    // Also where somebody believes the old state: the texts are gone, so it is worth nothing.
    let left = [("user", "keep me"), ("assistant", "summary: work so far")];
    for previous in [chain.baseline(), Some(told.snapshot())] {
        let next = world.render_diff(previous, HistoryView::Texts(&left));
        let shapes: Vec<_> = next.items().iter().map(shape).collect();
        assert_eq!(
            shapes,
            ["user[agents_md.instructions, environments.environment_context]"]
        );
        assert_eq!(next.updates(), told.updates());
    }
    let next = world.render_full();
    assert!(next.record().unwrap().unwrap().full);
    assert!(
        world
            .render_diff(Some(next.snapshot()), HistoryView::Intact)
            .is_silent()
    );
}

/// A state of a single word.
struct Status(&'static str);

struct StatusText(&'static str);

impl ContextualUserFragment for StatusText {
    fn role(&self) -> annals_context_fragments::Role {
        annals_context_fragments::Role::User
    }
    fn content_kind(&self) -> annals_context_fragments::ContentKind {
        annals_context_fragments::ContentKind::from_static("test.status")
    }
    fn markers(&self) -> annals_context_fragments::Markers {
        Self::type_markers()
    }
    fn type_markers() -> annals_context_fragments::Markers {
        annals_context_fragments::Markers::new("<status>", "</status>")
    }
    fn body(&self) -> annals_context_fragments::Body {
        annals_context_fragments::Body::new(self.0)
    }
    fn cap(&self) -> annals_context_fragments::Cap {
        annals_context_fragments::Cap::cutting_at::<50>()
    }
}

impl WorldStateSection for Status {
    const ID: &'static str = "environment";
    type Snapshot = Value;
    fn snapshot(&self) -> Value {
        json!({"status": self.0})
    }
    fn render_diff(&self, _: PreviousSectionState<'_, Value>) -> SectionTransition {
        SectionTransition::telling(SectionUpdate::of(&StatusText(self.0)))
    }
}

#[test]
fn a_compaction_is_built_from_what_was_told_and_what_is_newer_is_told_after_it() {
    let world = |status| {
        let mut world = WorldState::new();
        world.insert(Status(status)).unwrap();
        world
    };
    let shown = world("starting");
    let told = shown.render_full();
    // The state moves on; the compaction installs what the last request showed.
    let installed = shown.render_full();
    assert_eq!(installed.updates(), told.updates());
    let now = world("ready");
    let next = now.render_diff(Some(installed.snapshot()), HistoryView::Intact);
    assert_eq!(
        next.updates()[0].fragment().unwrap().text(),
        "<status>ready</status>"
    );
    assert!(
        now.render_diff(Some(next.snapshot()), HistoryView::Intact)
            .is_silent()
    );
}

#[test]
fn a_crash_between_text_and_state_tells_again_and_never_stays_silent() {
    let before = rules_and_place("", "/a").render_full();
    let mut chain = BaselineChain::new();
    chain.record(&before.record().unwrap().unwrap());
    // The text for /b was recorded, its state was not.
    let lost = rules_and_place("", "/b").render_diff(chain.baseline(), HistoryView::Intact);
    let text = lost.updates()[0].fragment().unwrap().text().to_owned();
    assert_eq!(
        text,
        "<environment_context>\n  <cwd>/b</cwd>\n</environment_context>"
    );
    assert_eq!(chain.baseline(), Some(before.snapshot()));
    let history = [("user", text.as_str())];
    let again =
        rules_and_place("", "/b").render_diff(chain.baseline(), HistoryView::Texts(&history));
    assert_eq!(again.updates(), lost.updates());
    let record = again.record().unwrap().unwrap();
    assert!(!record.full);
    chain.record(&record);
    assert!(
        rules_and_place("", "/b")
            .render_diff(chain.baseline(), HistoryView::Intact)
            .is_silent()
    );
    // Back to what the baseline says: the model was told otherwise by the text in between.
    assert_eq!(
        EnvironmentContext::read(&text).unwrap().cwd.as_deref(),
        Some("/b")
    );
}

#[test]
fn a_text_that_an_old_file_holds_is_not_told_a_second_time() {
    let own = UserInstructions::new(Some("/home/dev/demo"), "Use tabs.").render();
    let mut histories = vec![(own, "Use tabs.".to_owned())];
    if let (Some(file), Some(now)) = (shared::case("B29.jsonl"), shared::case("B29-now.md")) {
        let text = file
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter_map(|line| {
                let text = line["payload"]["content"][0]["text"].as_str()?;
                text.starts_with("# AGENTS.md").then(|| text.to_owned())
            })
            .next_back();
        histories.push((text.unwrap(), now));
    }
    for (told, now) in histories {
        let history = [
            ("user", told.as_str()),
            ("user", "hi"),
            ("assistant", "hello"),
        ];
        let tell = |text: &str| {
            let mut world = WorldState::new();
            world
                .insert(AgentsMdSection::new(Some("/home/dev/demo"), text))
                .unwrap();
            world.render_diff(None, HistoryView::Texts(&history))
        };
        let same = tell(&now);
        assert!(same.is_silent());
        assert!(same.record().unwrap().unwrap().full);
        let other = tell("Use blanks.");
        assert_eq!(other.n_updates(), 1);
        let text = other.updates()[0].fragment().unwrap().text();
        assert!(
            text.contains("replace all previously provided AGENTS.md instructions.\n\nUse blanks.")
        );
    }
}
