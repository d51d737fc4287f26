//! One walk over the history for all sections that need to know what stands in it.

use crate::{
    erased::ErasedSection,
    history::{HistoryView, TextPart},
    snapshot::WorldStateSnapshot,
};
use std::{ops::ControlFlow, sync::Arc};

/// What the history holds of each section, in the order of the sections.
pub(crate) struct Scan {
    found: Vec<Found>,
}

/// What the history holds of one section.
#[derive(Default)]
pub(crate) struct Found {
    /// The stored snapshot's text was looked for and is not there.
    gone: bool,
    /// The newest text of a section of which no snapshot is stored.
    legacy_text: Option<Box<str>>,
}

impl Found {
    pub(crate) fn is_retained(&self) -> bool {
        !self.gone
    }

    pub(crate) fn legacy_text(&self) -> Option<&str> {
        self.legacy_text.as_deref()
    }
}

impl Scan {
    pub(crate) fn of(
        sections: &[Arc<dyn ErasedSection>],
        previous: Option<&WorldStateSnapshot>,
        history: HistoryView<'_>,
    ) -> Self {
        let mut found: Vec<Found> = sections.iter().map(|_| Found::default()).collect();
        let HistoryView::Texts(texts) = history else {
            return Self { found };
        };
        let mut wanted: Vec<Wanted<'_>> = sections
            .iter()
            .zip(&mut found)
            .filter_map(|(section, found)| {
                let is_stored = previous.is_some_and(|state| state.get(section.id()).is_some());
                if is_stored && !section.needs_text() {
                    return None;
                }
                found.gone = is_stored;
                Some(Wanted {
                    section: &**section,
                    is_stored,
                    found,
                })
            })
            .collect();
        if !wanted.is_empty() {
            texts.visit_newest_first(&mut |part| {
                wanted.retain_mut(|wanted| !wanted.finds(part));
                if wanted.is_empty() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
        }
        Self { found }
    }

    pub(crate) fn per_section(&self) -> &[Found] {
        &self.found
    }
}

struct Wanted<'a> {
    section: &'a dyn ErasedSection,
    is_stored: bool,
    found: &'a mut Found,
}

impl Wanted<'_> {
    fn finds(&mut self, part: TextPart<'_>) -> bool {
        if self.is_stored {
            let matches = self.section.matches_retained(part);
            self.found.gone &= !matches;
            matches
        } else {
            let matches = self.section.matches_legacy(part);
            if matches {
                self.found.legacy_text = Some(part.text().into());
            }
            matches
        }
    }
}
