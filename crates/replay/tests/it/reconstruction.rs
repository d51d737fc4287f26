//! A replay goes forwards, the rules go backwards: on sessions of the shapes that programs write,
//! both must find the same.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::reference::{Found, find};
use crate::session::{Session, user};

/// One turn.
#[derive(Debug, Clone)]
struct Turn {
    is_users: bool,
    /// A compaction before the turn's context, as an automatic one is.
    before: Option<Compaction>,
    told: Option<(bool, u8)>,
    context: Option<u8>,
    /// A compaction between the model's answers.
    midway: Option<Compaction>,
    context_after: Option<u8>,
    end: End,
}

#[derive(Debug, Clone)]
struct Compaction {
    has_items: bool,
    window: Option<u64>,
    /// The settings of the turn before, null where it says that there are none.
    resume: Option<Value>,
    told: Option<u8>,
}

#[derive(Debug, Clone, Copy)]
enum End {
    Completed,
    Aborted,
    AbortedNameless,
    Open,
}

fn settings() -> impl Strategy<Value = Value> {
    prop::option::of(0_u8..4).prop_map(|model| match model {
        Some(model) => {
            json!({"model": format!("r{model}"), "comp_hash": null, "realtime_active": null})
        }
        None => Value::Null,
    })
}

fn compaction() -> impl Strategy<Value = Compaction> {
    (
        prop::bool::weighted(0.8),
        prop::option::weighted(0.8, 1_u64..9),
        prop::option::of(settings()),
        prop::option::of(0_u8..4),
    )
        .prop_map(|(has_items, window, resume, told)| Compaction {
            has_items,
            window,
            resume,
            told,
        })
}

fn turn() -> impl Strategy<Value = Turn> {
    (
        prop::bool::weighted(0.7),
        prop::option::weighted(0.15, compaction()),
        prop::option::weighted(0.6, (any::<bool>(), 0_u8..4)),
        prop::option::weighted(0.8, 0_u8..4),
        prop::option::weighted(0.15, compaction()),
        prop::option::weighted(0.3, 0_u8..4),
        prop::sample::select(vec![
            End::Completed,
            End::Completed,
            End::Aborted,
            End::AbortedNameless,
            End::Open,
        ]),
    )
        .prop_map(
            |(is_users, before, told, context, midway, context_after, end)| Turn {
                is_users,
                before,
                told,
                context,
                midway,
                context_after,
                end,
            },
        )
}

fn compacted(session: Session, compaction: &Compaction, with_resume: bool) -> Session {
    let mut payload = json!({"message": "s"});
    if compaction.has_items {
        payload["replacement_history"] = json!([user("kept"), user("s")]);
    }
    if let Some(window) = compaction.window {
        payload["window_number"] = json!(window);
    }
    // What a compaction says of the turn before is younger than windows with numbers.
    let is_whole = compaction.has_items && compaction.window.is_some();
    let resume = compaction.resume.as_ref();
    if let Some(settings) = resume.filter(|_| with_resume && is_whole) {
        payload["resume_metadata"] = json!({
            "multi_agent_version": null, "last_started_turn_id": null, "turn_attribution": null,
            "previous_turn_settings": settings,
        });
    }
    let session = session.line("compacted", payload);
    match compaction.told {
        Some(told) => session.full(json!({"a": {"n": told}})),
        None => session,
    }
}

fn written(session: Session, number: usize, turn: &Turn, with_resume: bool) -> Session {
    let id = format!("t{number}");
    let model = |model: u8| format!("m{model}");
    let mut session = session.started(&id);
    if let Some(compaction) = &turn.before {
        session = compacted(session, compaction, with_resume);
    }
    match turn.told {
        Some((true, n)) => session = session.full(json!({"a": {"n": n}})),
        Some((false, n)) => session = session.patch(json!({"a": {"p": n, "n": null}})),
        None => {}
    }
    if let Some(context) = turn.context {
        session = session.context(&id, &model(context));
    }
    if turn.is_users {
        session = session.user("ask").said("ask");
    }
    session = session.assistant("answer");
    if let Some(compaction) = &turn.midway {
        session = compacted(session, compaction, with_resume);
    }
    if let Some(context) = turn.context_after {
        session = session.context(&id, &model(context));
    }
    match turn.end {
        End::Completed => session.completed(&id),
        End::Aborted => session.event(json!({"type": "turn_aborted", "turn_id": id})),
        End::AbortedNameless => session.event(json!({"type": "turn_aborted"})),
        End::Open => session,
    }
}

fn check(session: &Session, is_paginated: bool) -> Result<(), TestCaseError> {
    let expected = find(session.lines(), is_paginated);
    let got = session.replay();
    let found = Found {
        settings: got.model,
        reference: got.reference_model,
        baseline: got
            .baseline
            .map(|text| serde_json::from_str::<Value>(&text).unwrap()),
        window: got.history.state().window.number,
    };
    prop_assert_eq!(found, expected);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn a_legacy_session_gives_what_the_rules_find(
        turns in prop::collection::vec((turn(), prop::option::weighted(0.25, 1_u32..3)), 1..9),
    ) {
        let mut session = Session::new();
        // A rollback of all turns leaves what was told before the first of them, on purpose.
        let mut n_turns = 0;
        for (number, (turn, rollback)) in turns.iter().enumerate() {
            session = written(session, number, turn, /*with_resume*/ false);
            n_turns += u32::from(turn.is_users);
            if let Some(rollback) = rollback.filter(|rollback| *rollback < n_turns) {
                session = session.rollback(rollback);
                n_turns -= rollback;
            }
            check(&session, false)?;
        }
    }

    #[test]
    fn a_paginated_session_gives_what_the_rules_find(
        turns in prop::collection::vec(turn(), 1..9),
    ) {
        let mut session = Session::paginated();
        for (number, turn) in turns.iter().enumerate() {
            session = written(session, number, turn, /*with_resume*/ true);
            check(&session, true)?;
        }
    }
}
