//! Puts what is told into messages.

use crate::{
    telling::ToldItem,
    update::{Placement, SectionUpdate, UpdateContent},
};
use annals_context_fragments::{ContextMessage, RenderedFragment, Role, merge_by_role};

/// Changes: nothing is moved; neighbours of one role that may share a message do.
pub(crate) fn changes(updates: impl IntoIterator<Item = SectionUpdate>) -> Vec<ToldItem> {
    let mut items = Vec::new();
    let mut run = Vec::new();
    for update in updates {
        match update.into_parts() {
            (Placement::Mergeable, UpdateContent::Fragment(fragment)) => run.push(fragment),
            (_, content) => {
                flush(&mut run, &mut items);
                items.push(alone(content));
            }
        }
    }
    flush(&mut run, &mut items);
    items
}

/// Full: each run between two ready items is put in the order of a first telling.
pub(crate) fn full(updates: impl IntoIterator<Item = SectionUpdate>) -> Vec<ToldItem> {
    let mut prefix = Vec::new();
    let mut items = Vec::new();
    let mut last = Vec::new();
    let mut segment = Segment::default();
    for update in updates {
        match update.into_parts() {
            (Placement::Prefix, content) => prefix.push(alone(content)),
            (Placement::Last, content) => last.push(alone(content)),
            (placement, UpdateContent::Fragment(fragment)) => segment.take(placement, fragment),
            (_, content @ UpdateContent::Item(_)) => {
                std::mem::take(&mut segment).flush(&mut items);
                items.push(alone(content));
            }
        }
    }
    segment.flush(&mut items);
    prefix.append(&mut items);
    prefix.append(&mut last);
    prefix
}

#[derive(Default)]
struct Segment {
    lead: Vec<RenderedFragment>,
    developer: Vec<RenderedFragment>,
    alone: Vec<RenderedFragment>,
    others: Vec<RenderedFragment>,
}

impl Segment {
    fn take(&mut self, placement: Placement, fragment: RenderedFragment) {
        let list = match (placement, fragment.role()) {
            (Placement::Lead, Role::Developer) => &mut self.lead,
            (Placement::Mergeable, Role::Developer) => &mut self.developer,
            (Placement::Mergeable | Placement::Lead, _) => &mut self.others,
            _ => &mut self.alone,
        };
        list.push(fragment);
    }

    fn flush(mut self, items: &mut Vec<ToldItem>) {
        self.lead.append(&mut self.developer);
        flush(&mut self.lead, items);
        items.extend(
            self.alone
                .into_iter()
                .map(|f| alone(UpdateContent::Fragment(f))),
        );
        flush(&mut self.others, items);
    }
}

fn alone(content: UpdateContent) -> ToldItem {
    match content {
        UpdateContent::Fragment(fragment) => {
            ToldItem::Message(ContextMessage::from_fragment(fragment))
        }
        UpdateContent::Item(item) => ToldItem::Item(item),
    }
}

fn flush(run: &mut Vec<RenderedFragment>, items: &mut Vec<ToldItem>) {
    items.extend(
        merge_by_role(std::mem::take(run))
            .into_iter()
            .map(ToldItem::Message),
    );
}
