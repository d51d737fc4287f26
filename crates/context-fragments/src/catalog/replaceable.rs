//! Texts that are told, replaced and taken back with a notice each.

use super::text;
use crate::{Body, FragmentSpec, neutralize};

/// The two notices of a fragment.
pub(super) struct Wording {
    pub(super) replaced: &'static str,
    pub(super) removed: &'static str,
}

/// The three forms of such a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Replaceable {
    First(String),
    Replacing(String),
    Removed,
}

impl Replaceable {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::First(text) | Self::Replacing(text) => Some(text),
            Self::Removed => None,
        }
    }

    pub(super) fn into_first(self) -> Self {
        match self {
            Self::First(text) | Self::Replacing(text) => Self::First(text),
            Self::Removed => Self::Removed,
        }
    }

    pub(super) fn body(&self, spec: &FragmentSpec, wording: &Wording) -> Body {
        match self {
            Self::First(text) => Body::framed("\n", neutralize(text, spec.end()), "\n"),
            Self::Replacing(text) => {
                let lead = ["\n", wording.replaced, "\n\n"].concat();
                Body::framed(lead, neutralize(text, spec.end()), "\n")
            }
            Self::Removed => Body::framed(["\n", wording.removed].concat(), "", "\n"),
        }
    }

    pub(super) fn read(spec: &FragmentSpec, wording: &Wording, rendered: &str) -> Option<Self> {
        let text = text::read_text(spec, rendered, ("\n", "\n"))?;
        if text == wording.removed {
            return Some(Self::Removed);
        }
        let replaced = text
            .strip_prefix(wording.replaced)
            .and_then(|rest| rest.strip_prefix("\n\n"));
        Some(match replaced {
            Some(text) => Self::Replacing(text.to_owned()),
            None => Self::First(text),
        })
    }
}
