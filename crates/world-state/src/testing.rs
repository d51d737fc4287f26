//! What the unit tests share: plain fragments, a view of what is told, and a thread in small.

use crate::{
    HistoryView, Placement, SectionUpdate, Telling, TextPart, ToldItem, WorldState,
    WorldStateSnapshot,
};
use annals_context_fragments::{
    Body, Cap, ContentKind, ContextualUserFragment, Markers, RenderedFragment, Role,
};
use annals_protocol::RawJson;
use std::fmt::Write as _;

/// A fragment that says what it is given.
pub(crate) struct Plain {
    pub(crate) role: Role,
    pub(crate) text: String,
}

pub(crate) fn developer(text: &str) -> Plain {
    Plain {
        role: Role::Developer,
        text: text.to_owned(),
    }
}

pub(crate) fn user(text: &str) -> Plain {
    Plain {
        role: Role::User,
        text: text.to_owned(),
    }
}

impl ContextualUserFragment for Plain {
    fn role(&self) -> Role {
        self.role
    }
    fn content_kind(&self) -> ContentKind {
        ContentKind::from_static("test.plain")
    }
    fn markers(&self) -> Markers {
        Self::type_markers()
    }
    fn type_markers() -> Markers {
        Markers::NONE
    }
    fn body(&self) -> Body {
        Body::new(self.text.as_str())
    }
    fn cap(&self) -> Cap {
        Cap::cutting_at::<10_000>()
    }
}

pub(crate) fn item(text: &str) -> SectionUpdate {
    SectionUpdate::item(Placement::Mergeable, raw(text))
}

pub(crate) fn raw(text: &str) -> RawJson {
    RawJson::parse(format!(
        "{{\"type\":\"additional_tools\",\"tools\":[\"{text}\"]}}"
    ))
    .unwrap()
}

/// The messages in a short form: `developer[a | b]`, ready items as they are.
pub(crate) fn shapes(telling: &Telling) -> Vec<String> {
    telling
        .items()
        .iter()
        .map(|item| match item {
            ToldItem::Message(message) => {
                let texts: Vec<_> = message
                    .fragments()
                    .iter()
                    .map(RenderedFragment::text)
                    .collect();
                format!("{}[{}]", message.role(), texts.join(" | "))
            }
            ToldItem::Item(item) => item.as_str().to_owned(),
        })
        .collect()
}

/// Everything that is told and stored, byte for byte, for snapshots.
pub(crate) fn view(telling: &Telling) -> String {
    let mut out = String::new();
    for item in telling.items() {
        match item {
            ToldItem::Message(message) => {
                writeln!(out, "{}", message.role()).unwrap();
                for fragment in message.fragments() {
                    writeln!(out, "  ({})", fragment.kind()).unwrap();
                    for line in fragment.text().split('\n') {
                        writeln!(out, "  |{line}").unwrap();
                    }
                }
            }
            ToldItem::Item(item) => writeln!(out, "item {}", item.as_str()).unwrap(),
        }
    }
    if telling.is_silent() {
        out.push_str("nothing told\n");
    }
    match telling.record().unwrap() {
        None => out.push_str("nothing stored"),
        Some(record) => {
            let form = if record.full { "full" } else { "patch" };
            write!(out, "{form} {}", record.state.as_str()).unwrap();
        }
    }
    for issue in telling.issues() {
        write!(out, "\nissue: {issue}").unwrap();
    }
    out
}

/// A state of one section.
pub(crate) fn world<S: crate::WorldStateSection>(section: S) -> WorldState {
    let mut world = WorldState::new();
    world.insert(section).unwrap();
    world
}

/// What a section tells a model that knows nothing.
pub(crate) fn first<S: crate::WorldStateSection>(section: S) -> String {
    view(&world(section).render_full())
}

/// What is told when a section goes from one state to the next, and that it is told once.
pub(crate) fn change<S: crate::WorldStateSection>(before: S, after: S) -> String {
    let known = world(before).render_full();
    let after = world(after);
    let told = after.render_diff(Some(known.snapshot()), HistoryView::Intact);
    let again = after.render_diff(Some(told.snapshot()), HistoryView::Intact);
    assert!(again.is_silent(), "told twice: {}", view(&again));
    assert_eq!(again.record().unwrap(), None);
    view(&told)
}

/// What a section tells where its text is in the history and no state was stored.
pub(crate) fn unknown<S: crate::WorldStateSection>(section: S, told: TextPart<'_>) -> String {
    view(&world(section).render_diff(None, HistoryView::Texts(&[told])))
}

/// What a section tells after a snapshot that it stored in another form.
pub(crate) fn stored<S: crate::WorldStateSection>(snapshot: &str, section: S) -> String {
    let previous = WorldStateSnapshot::parse(snapshot).unwrap();
    view(&world(section).render_diff(Some(&previous), HistoryView::Intact))
}

/// What is told when a section is not built any more.
pub(crate) fn removal<S: crate::WorldStateSection>(before: S) -> String {
    let known = world(before).render_full();
    let mut after = WorldState::new();
    after.retire::<S>();
    view(&after.render_diff(Some(known.snapshot()), HistoryView::Intact))
}
