//! One thing to tell, with its place.

use annals_context_fragments::{ContextualUserFragment, RenderedFragment};
use annals_protocol::RawJson;

/// Where an update goes when a state is told.
///
/// In a full telling places decide the order. In a telling of changes nothing is moved: the order is
/// that of the sections, and places only say what may share a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Placement {
    /// Full: an item of its own before everything else. Changes: an item of its own.
    Prefix,
    /// Full: the first part of the developer bundle. Changes: a message of its own.
    Lead,
    /// May share a message with neighbours of its role.
    Mergeable,
    /// A message of its own; in a full telling between the developer bundle and the user bundle.
    Standalone,
    /// Full: a message of its own after everything else. Changes: a message of its own.
    Last,
}

/// One thing that a section tells.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionUpdate {
    placement: Placement,
    content: UpdateContent,
}

/// What is told: text within its cap, or a ready item.
#[derive(Debug, Clone, PartialEq)]
pub enum UpdateContent {
    /// Text that becomes a content part of a message.
    Fragment(RenderedFragment),
    /// An item of the model's input that is no message of text, such as a list of tools. It is
    /// handed on byte for byte; keeping it bounded is its maker's duty.
    Item(RawJson),
}

impl SectionUpdate {
    /// Tells a fragment in the place that it asks for: alone if it requires a message of its own,
    /// else together with its neighbours.
    pub fn of<F: ContextualUserFragment + ?Sized>(fragment: &F) -> Self {
        Self::from(fragment.render_fragment())
    }

    /// Tells a fragment in the given place.
    pub fn placed<F: ContextualUserFragment + ?Sized>(placement: Placement, fragment: &F) -> Self {
        Self {
            placement,
            content: UpdateContent::Fragment(fragment.render_fragment()),
        }
    }

    /// Tells a fragment that is rendered already in the given place.
    pub fn rendered(placement: Placement, fragment: RenderedFragment) -> Self {
        Self {
            placement,
            content: UpdateContent::Fragment(fragment),
        }
    }

    /// Tells a ready item in the given place; one that is mergeable stands in the place of its
    /// section, and nothing is merged across it.
    pub fn item(placement: Placement, item: RawJson) -> Self {
        Self {
            placement,
            content: UpdateContent::Item(item),
        }
    }

    /// Where it goes.
    pub fn placement(&self) -> Placement {
        self.placement
    }

    /// What it says.
    pub fn content(&self) -> &UpdateContent {
        &self.content
    }

    /// The fragment, unless it is a ready item.
    pub fn fragment(&self) -> Option<&RenderedFragment> {
        match &self.content {
            UpdateContent::Fragment(fragment) => Some(fragment),
            UpdateContent::Item(_) => None,
        }
    }

    pub(crate) fn into_parts(self) -> (Placement, UpdateContent) {
        (self.placement, self.content)
    }
}

impl From<RenderedFragment> for SectionUpdate {
    fn from(fragment: RenderedFragment) -> Self {
        let placement = if fragment.requires_separate_message() {
            Placement::Standalone
        } else {
            Placement::Mergeable
        };
        Self {
            placement,
            content: UpdateContent::Fragment(fragment),
        }
    }
}
