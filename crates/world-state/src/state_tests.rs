//! The container: order, ids, what each section sees, what is stored.

use super::WorldState;
use crate::{
    ExtensionSection, ExtensionTransition, Fingerprint, HistoryTexts, HistoryView, Placement,
    PreparedSection, PreviousSectionState, SectionTransition, SectionUpdate, StateError, TextPart,
    WorldStateSection, WorldStateSnapshot,
    testing::{Plain, developer, item, raw, shapes, user, view, world},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{
    cell::Cell,
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Says its value, and what it knew before.
struct Value1(&'static str);

impl WorldStateSection for Value1 {
    const ID: &'static str = "value";
    type Snapshot = String;
    fn snapshot(&self) -> String {
        self.0.to_owned()
    }
    fn render_diff(&self, previous: PreviousSectionState<'_, String>) -> SectionTransition {
        let text = match previous {
            PreviousSectionState::Absent => self.0.to_owned(),
            PreviousSectionState::Unknown => format!("{} (instead of what it was)", self.0),
            PreviousSectionState::Known(known) => format!("{} (was {known})", self.0),
        };
        SectionTransition::telling(SectionUpdate::of(&developer(&text)))
    }
    fn matches_legacy(&self, part: TextPart<'_>) -> bool {
        part.role() == "developer"
    }
    fn render_removal(previous: PreviousSectionState<'_, String>) -> Vec<SectionUpdate> {
        let text = match previous.known() {
            Some(known) => format!("{known} holds no more"),
            None => "what was said of the value holds no more".to_owned(),
        };
        vec![SectionUpdate::of(&developer(&text))]
    }
}

fn state(text: &str) -> WorldStateSnapshot {
    WorldStateSnapshot::parse(text).unwrap()
}

fn diff(world: &WorldState, previous: &str) -> String {
    view(&world.render_diff(Some(&state(previous)), HistoryView::Intact))
}

#[test]
fn a_snapshot_drops_null_members_and_keeps_nulls_in_lists() {
    #[derive(Serialize, Deserialize)]
    struct Odd {
        gone: Option<u8>,
        list: Vec<Value>,
    }
    struct Section;
    impl WorldStateSection for Section {
        const ID: &'static str = "odd";
        type Snapshot = Odd;
        fn snapshot(&self) -> Odd {
            Odd {
                gone: None,
                list: vec![json!({"value": null})],
            }
        }
        fn render_diff(&self, _: PreviousSectionState<'_, Odd>) -> SectionTransition {
            SectionTransition::silent()
        }
    }
    assert_eq!(
        view(&world(Section).render_full()),
        "nothing told\nfull {\"odd\":{\"list\":[{\"value\":null}]}}"
    );
}

#[test]
fn a_second_section_with_one_id_is_an_error_and_no_panic() {
    let mut world = world(Value1("one"));
    let error = world.insert(Value1("two")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "duplicate world-state section id `value`"
    );
    let extension = ExtensionSection::new("value", |_| ExtensionTransition::nothing()).unwrap();
    assert_eq!(
        world.insert_extension(extension),
        Err(StateError::DuplicateSection {
            id: "value".to_owned()
        })
    );
    assert_eq!(shapes(&world.render_full()), ["developer[one]"]);
}

#[test]
fn a_prepared_section_serves_many_states_and_each_of_them_once() {
    let prepared = PreparedSection::new(Value1("kept")).unwrap();
    assert_eq!(prepared.id(), "value");
    for _ in 0..2 {
        let mut world = WorldState::new();
        world.insert_prepared(&prepared).unwrap();
        assert_eq!(shapes(&world.render_full()), ["developer[kept]"]);
        assert_eq!(
            world.insert_prepared(&prepared.clone()),
            Err(StateError::DuplicateSection {
                id: "value".to_owned()
            })
        );
    }
    let extension = ExtensionSection::new("x", |_| ExtensionTransition::nothing()).unwrap();
    let mut world = WorldState::new();
    world
        .insert_prepared(&PreparedSection::from(extension))
        .unwrap();
    assert_eq!(world.section_ids().collect::<Vec<_>>(), ["x"]);
}

#[test]
fn a_snapshot_that_cannot_be_stored_is_an_error() {
    struct Nothing;
    impl WorldStateSection for Nothing {
        const ID: &'static str = "nothing";
        type Snapshot = Option<u8>;
        fn snapshot(&self) -> Option<u8> {
            None
        }
        fn render_diff(&self, _: PreviousSectionState<'_, Option<u8>>) -> SectionTransition {
            SectionTransition::silent()
        }
    }
    let error = WorldState::new().insert(Nothing).unwrap_err();
    assert_eq!(
        error.to_string(),
        "snapshot of section `nothing` cannot be stored"
    );
    assert_eq!(
        std::error::Error::source(&error).unwrap().to_string(),
        "a section's snapshot may not be null"
    );
}

#[test]
fn a_stored_snapshot_that_does_not_decode_is_unknown_and_reported() {
    insta::assert_snapshot!(diff(&world(Value1("after")), r#"{"value":{"of":"the future"}}"#), @r#"
    developer
      (test.plain)
      |after (instead of what it was)
    patch {"value":"after"}
    issue: stored state of section `value` is not usable: not a JSON value: invalid type: map, expected a string
    "#);
}

#[test]
fn a_stored_value_that_differs_is_told_once() {
    let after = world(Value1("after"));
    insta::assert_snapshot!(diff(&after, r#"{"value":"before"}"#), @r#"
    developer
      (test.plain)
      |after (was before)
    patch {"value":"after"}
    "#);
    assert_eq!(
        diff(&after, r#"{"value":"after"}"#),
        "nothing told\nnothing stored"
    );
}

#[test]
fn sections_that_nobody_registered_are_carried_over() {
    insta::assert_snapshot!(
        diff(&world(Value1("after")), r#"{"of_another":{"x":[null]},"value":"before"}"#), @r#"
    developer
      (test.plain)
      |after (was before)
    patch {"value":"after"}
    "#);
    let told = world(Value1("after")).render_diff(
        Some(&state(r#"{"of_another":1,"value":"before"}"#)),
        HistoryView::Intact,
    );
    assert_eq!(
        told.snapshot().to_json(),
        r#"{"of_another":1,"value":"after"}"#
    );
}

#[test]
fn a_section_that_is_not_built_any_more_states_its_removal() {
    let mut world = WorldState::new();
    world.retire::<Value1>();
    world.retire_extension("weather", |stored| {
        Some(SectionUpdate::of(&developer(&format!(
            "no more weather {stored}"
        ))))
    });
    insta::assert_snapshot!(diff(&world, r#"{"value":"before","weather":"rain"}"#), @r#"
    developer
      (test.plain)
      |before holds no more
      (test.plain)
      |no more weather "rain"
    patch {"value":null,"weather":null}
    "#);
    insta::assert_snapshot!(diff(&world, r#"{"value":7}"#), @r#"
    developer
      (test.plain)
      |what was said of the value holds no more
    patch {"value":null}
    issue: stored state of section `value` is not usable: not a JSON value: invalid type: integer `7`, expected a string
    "#);
    assert_eq!(diff(&world, "{}"), "nothing told\nnothing stored");

    // Built and declared: it is there, so nothing is removed.
    world.insert(Value1("before")).unwrap();
    assert_eq!(
        diff(&world, r#"{"value":"before"}"#),
        "nothing told\nnothing stored"
    );
}

#[test]
fn a_text_that_is_in_the_history_already_is_not_told_again() {
    let world = world(Value1("now"));
    let told = |text: &str| {
        let history = [("developer", "old"), ("developer", text), ("user", "now")];
        view(&world.render_diff(None, HistoryView::Texts(&history)))
    };
    for same in ["now", "now (instead of what it was)"] {
        assert_eq!(told(same), "nothing told\nfull {\"value\":\"now\"}");
    }
    insta::assert_snapshot!(told("something else"), @r#"
    developer
      (test.plain)
      |now (instead of what it was)
    full {"value":"now"}
    "#);
    assert_eq!(
        shapes(&world.render_diff(None, HistoryView::Texts(&[("user", "now")]))),
        ["developer[now]"],
        "a text of another role is none of the section's"
    );
}

#[test]
fn a_text_that_was_true_once_is_told_again() {
    let world = world(Value1("now"));
    let history = [("developer", "now"), ("developer", "then")];
    assert_eq!(
        shapes(&world.render_diff(None, HistoryView::Texts(&history))),
        ["developer[now (instead of what it was)]"]
    );
}

/// An extension with a stored value and a text that must be in the history.
fn weather(seen: &Arc<AtomicUsize>) -> WorldState {
    let seen = Arc::clone(seen);
    let mut world = WorldState::new();
    let section = ExtensionSection::new("weather", move |previous| {
        seen.fetch_add(1, Ordering::Relaxed);
        match previous {
            PreviousSectionState::Known(stored) if *stored == json!({"value": "rain"}) => {
                ExtensionTransition::nothing()
            }
            _ => ExtensionTransition::nothing()
                .storing(json!({"value": "rain", "optional": null}))
                .telling(&user("it rains")),
        }
    })
    .unwrap()
    .with_retained_matcher(|part| part.text() == "it rains");
    world.insert_extension(section).unwrap();
    world
}

#[test]
fn an_extension_stores_what_it_returns_without_nulls() {
    let seen = Arc::new(AtomicUsize::new(0));
    insta::assert_snapshot!(view(&weather(&seen).render_full()), @r#"
    user
      (test.plain)
      |it rains
    full {"weather":{"value":"rain"}}
    "#);
}

#[test]
fn an_extension_whose_text_left_the_history_tells_itself_again() {
    let seen = Arc::new(AtomicUsize::new(0));
    let world = weather(&seen);
    let stored = state(r#"{"weather":{"value":"rain"}}"#);
    let gone = world.render_diff(Some(&stored), HistoryView::Texts(&[("user", "hello")]));
    assert_eq!(shapes(&gone), ["user[it rains]"]);
    let there = world.render_diff(Some(&stored), HistoryView::Texts(&[("user", "it rains")]));
    assert!(there.is_silent());
    assert!(
        world
            .render_diff(Some(&stored), HistoryView::Intact)
            .is_silent()
    );
    assert_eq!(seen.load(Ordering::Relaxed), 3);
}

#[test]
fn an_extension_that_returns_null_is_removed() {
    let mut world = WorldState::new();
    let section =
        ExtensionSection::new("x", |_| ExtensionTransition::nothing().storing(Value::Null));
    world.insert_extension(section.unwrap()).unwrap();
    assert_eq!(
        diff(&world, r#"{"x":1}"#),
        "nothing told\npatch {\"x\":null}"
    );
    assert_eq!(diff(&world, "{}"), "nothing told\nnothing stored");
}

#[test]
fn an_extension_that_returns_no_snapshot_keeps_the_stored_one() {
    let mut world = WorldState::new();
    let section = ExtensionSection::new("x", |previous| {
        assert_eq!(previous, PreviousSectionState::Absent);
        ExtensionTransition::nothing()
    })
    .unwrap()
    .with_retained_matcher(|_| false);
    world.insert_extension(section).unwrap();
    let stored = state(r#"{"x":1}"#);
    let told = world.render_diff(Some(&stored), HistoryView::Texts(&[("user", "hello")]));
    assert_eq!(view(&told), "nothing told\nnothing stored");
    assert_eq!(told.snapshot().to_json(), r#"{"x":1}"#);
}

#[test]
fn an_extension_whose_state_cannot_be_stored_is_told_again_and_reported() {
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    let mut world = WorldState::new();
    let section = ExtensionSection::new("x", move |_| {
        ExtensionTransition::nothing()
            .storing(deep.clone())
            .telling(&user("deep"))
    });
    world.insert_extension(section.unwrap()).unwrap();
    insta::assert_snapshot!(diff(&world, r#"{"x":1}"#), @r#"
    user
      (test.plain)
      |deep
    patch {"x":null}
    issue: stored state of section `x` is not usable: nested deeper than 100 levels
    "#);
}

#[test]
fn the_id_of_an_extension_is_one_word() {
    for bad in ["", "a b", "a.b", "é", "a\n"] {
        let made = ExtensionSection::new(bad, |_| ExtensionTransition::nothing());
        assert!(
            matches!(made, Err(StateError::BadSectionId { .. })),
            "{bad:?}"
        );
    }
    assert!(ExtensionSection::new("host_skills-2", |_| ExtensionTransition::nothing()).is_ok());
}

/// Says several things in several places.
struct Mixed(u8);

impl WorldStateSection for Mixed {
    const ID: &'static str = "mixed";
    type Snapshot = u8;
    fn snapshot(&self) -> u8 {
        self.0
    }
    fn render_diff(&self, _: PreviousSectionState<'_, u8>) -> SectionTransition {
        SectionTransition::telling_all(vec![
            SectionUpdate::of(&developer("fragment 1")),
            SectionUpdate::item(Placement::Prefix, raw("prefix item")),
            SectionUpdate::placed(Placement::Prefix, &developer("prefix fragment")),
            SectionUpdate::item(Placement::Standalone, raw("standalone item")),
            SectionUpdate::of(&developer("fragment 2")),
        ])
    }
}

#[test]
fn a_change_tells_prefixes_in_their_place() {
    let after = world(Mixed(2));
    let told = after.render_diff(Some(&state(r#"{"mixed":1}"#)), HistoryView::Intact);
    insta::assert_debug_snapshot!(shapes(&told), @r#"
    [
        "developer[fragment 1]",
        "{\"type\":\"additional_tools\",\"tools\":[\"prefix item\"]}",
        "developer[prefix fragment]",
        "{\"type\":\"additional_tools\",\"tools\":[\"standalone item\"]}",
        "developer[fragment 2]",
    ]
    "#);
    assert_eq!(told.snapshot().to_json(), r#"{"mixed":2}"#);
    assert!(
        after
            .render_diff(Some(told.snapshot()), HistoryView::Intact)
            .is_silent()
    );
}

#[test]
fn a_first_telling_puts_prefixes_in_front() {
    insta::assert_debug_snapshot!(shapes(&world(Mixed(2)).render_full()), @r#"
    [
        "{\"type\":\"additional_tools\",\"tools\":[\"prefix item\"]}",
        "developer[prefix fragment]",
        "developer[fragment 1]",
        "{\"type\":\"additional_tools\",\"tools\":[\"standalone item\"]}",
        "developer[fragment 2]",
    ]
    "#);
}

#[test]
fn equal_texts_with_other_line_ends_have_one_fingerprint() {
    assert_eq!(
        Fingerprint::of_fragment("user", "a\r\nb"),
        Fingerprint::of_fragment("user", "a\nb")
    );
}

#[test]
fn a_section_goes_where_it_is_put() {
    struct Other;
    impl WorldStateSection for Other {
        const ID: &'static str = "other";
        type Snapshot = bool;
        fn snapshot(&self) -> bool {
            true
        }
        fn render_diff(&self, _: PreviousSectionState<'_, bool>) -> SectionTransition {
            SectionTransition::telling(SectionUpdate::of(&developer("other")))
        }
    }
    let skills = |id| {
        ExtensionSection::new(id, |_| {
            ExtensionTransition::nothing().telling(&developer("skills"))
        })
        .unwrap()
    };
    let mut world = world(Value1("value"));
    world.insert_before("value", Other).unwrap();
    world
        .insert_extension_before("value", skills("host_skills"))
        .unwrap();
    world
        .insert_extension_before("not there", skills("more_skills"))
        .unwrap();
    let order: Vec<_> = world.section_ids().collect();
    assert_eq!(order, ["other", "host_skills", "value", "more_skills"]);
    assert_eq!(
        shapes(&world.render_full()),
        ["developer[other | skills | value | skills]"]
    );
}

#[test]
fn what_is_not_to_be_stored_is_told_each_time() {
    struct Fleeting;
    impl WorldStateSection for Fleeting {
        const ID: &'static str = "fleeting";
        type Snapshot = u8;
        fn snapshot(&self) -> u8 {
            1
        }
        fn is_stored(&self) -> bool {
            false
        }
        fn render_diff(&self, _: PreviousSectionState<'_, u8>) -> SectionTransition {
            SectionTransition::telling(SectionUpdate::of(&developer("now")))
        }
    }
    assert_eq!(
        diff(&world(Fleeting), r#"{"fleeting":1}"#),
        "developer\n  (test.plain)\n  |now\npatch {\"fleeting\":null}"
    );
}

/// Counts how many texts are looked at.
struct Counting(Cell<usize>);

impl HistoryTexts for Counting {
    fn visit_newest_first(&self, visit: &mut dyn FnMut(TextPart<'_>) -> ControlFlow<()>) {
        for at in (0..1_000).rev() {
            self.0.set(self.0.get() + 1);
            let text = if at == 990 { "here" } else { "talk" };
            if visit(TextPart::new(
                if at == 990 { "developer" } else { "user" },
                text,
            ))
            .is_break()
            {
                return;
            }
        }
    }
}

#[test]
fn the_history_is_looked_at_only_as_far_as_a_section_needs_it() {
    let history = Counting(Cell::new(0));
    let world = world(Value1("now"));
    // Stored, and the section does not need its text.
    let _unused = world.render_diff(
        Some(&state(r#"{"value":"old"}"#)),
        HistoryView::Texts(&history),
    );
    assert_eq!(history.0.get(), 0);
    // Not stored: until the newest text is found.
    let _unused = world.render_diff(None, HistoryView::Texts(&history));
    assert_eq!(history.0.get(), 10);
    // No section at all.
    let _unused = WorldState::new().render_diff(None, HistoryView::Texts(&history));
    assert_eq!(history.0.get(), 10);
}

#[test]
fn an_unchanged_section_is_not_rendered() {
    struct Counted(Arc<AtomicUsize>);
    impl WorldStateSection for Counted {
        const ID: &'static str = "counted";
        type Snapshot = u8;
        fn snapshot(&self) -> u8 {
            1
        }
        fn render_diff(&self, _: PreviousSectionState<'_, u8>) -> SectionTransition {
            self.0.fetch_add(1, Ordering::Relaxed);
            SectionTransition::silent()
        }
    }
    let renders = Arc::new(AtomicUsize::new(0));
    let world = world(Counted(Arc::clone(&renders)));
    let _unused = world.render_diff(Some(&state(r#"{"counted":1}"#)), HistoryView::Intact);
    assert_eq!(renders.load(Ordering::Relaxed), 0);
    let _unused = world.render_diff(Some(&state(r#"{"counted":2}"#)), HistoryView::Intact);
    assert_eq!(renders.load(Ordering::Relaxed), 1);
}

/// Updates as a list, each with the section's place in the order.
struct Listed(Vec<SectionUpdate>);

impl WorldStateSection for Listed {
    const ID: &'static str = "listed";
    type Snapshot = bool;
    fn snapshot(&self) -> bool {
        true
    }
    fn render_diff(&self, _: PreviousSectionState<'_, bool>) -> SectionTransition {
        SectionTransition::telling_all(self.0.clone())
    }
}

fn of(fragment: &Plain) -> SectionUpdate {
    SectionUpdate::of(fragment)
}

#[test]
fn a_change_merges_neighbours_of_one_role_and_moves_nothing() {
    let updates = vec![
        of(&developer("a")),
        of(&developer("b")),
        SectionUpdate::placed(Placement::Prefix, &developer("p")),
        of(&developer("c")),
        SectionUpdate::item(Placement::Prefix, raw("T")),
        of(&developer("d")),
        SectionUpdate::placed(Placement::Standalone, &developer("s")),
        of(&developer("e")),
        of(&user("u")),
        SectionUpdate::item(Placement::Standalone, raw("T")),
    ];
    let told = world(Listed(updates))
        .render_diff(Some(&state(r#"{"listed":false}"#)), HistoryView::Intact);
    let tools = r#"{"type":"additional_tools","tools":["T"]}"#;
    assert_eq!(
        shapes(&told),
        [
            "developer[a | b]",
            "developer[p]",
            "developer[c]",
            tools,
            "developer[d]",
            "developer[s]",
            "developer[e]",
            "user[u]",
            tools
        ]
    );
}

#[test]
fn a_first_telling_is_ordered_between_ready_items() {
    let updates = vec![
        of(&developer("A")),
        of(&user("B")),
        SectionUpdate::placed(Placement::Standalone, &developer("C")),
        item("1"),
        item("2"),
        of(&developer("D")),
        of(&user("E")),
        item("3"),
        SectionUpdate::placed(Placement::Prefix, &developer("P")),
    ];
    let told = world(Listed(updates)).render_full();
    let tools = |text: &str| raw(text).as_str().to_owned();
    assert_eq!(
        shapes(&told),
        [
            "developer[P]".to_owned(),
            "developer[A]".to_owned(),
            "developer[C]".to_owned(),
            "user[B]".to_owned(),
            tools("1"),
            tools("2"),
            "developer[D]".to_owned(),
            "user[E]".to_owned(),
            tools("3"),
        ]
    );
}

#[test]
fn a_first_telling_starts_with_the_lead_and_ends_with_the_last() {
    let updates = || {
        vec![
            of(&developer("bundle")),
            of(&user("about the user")),
            SectionUpdate::placed(Placement::Last, &developer("last word")),
            SectionUpdate::placed(Placement::Lead, &developer("lead")),
            of(&developer("more")),
            SectionUpdate::placed(Placement::Standalone, &developer("alone")),
        ]
    };
    assert_eq!(
        shapes(&world(Listed(updates())).render_full()),
        [
            "developer[lead | bundle | more]",
            "developer[alone]",
            "user[about the user]",
            "developer[last word]"
        ]
    );
    assert_eq!(
        shapes(
            &world(Listed(updates()))
                .render_diff(Some(&state(r#"{"listed":false}"#)), HistoryView::Intact)
        ),
        [
            "developer[bundle]",
            "user[about the user]",
            "developer[last word]",
            "developer[lead]",
            "developer[more]",
            "developer[alone]"
        ]
    );
}

#[test]
fn the_items_carry_the_kind_of_each_part() {
    let told = world(Listed(vec![of(&developer("a")), of(&developer("b\n"))])).render_full();
    let items = told.items();
    assert_eq!(
        items[0].to_raw().unwrap().as_str(),
        r#"{"type":"message","role":"developer","content":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b\n"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["test.plain","test.plain"]}}"#
    );
}
