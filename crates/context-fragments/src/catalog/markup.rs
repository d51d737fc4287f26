//! Reads the XML-like bodies that fragments write. It is no XML parser: it knows elements, attributes and text.

use crate::xml_unescape;

/// An element that was read: its name, attributes, child elements, and its text if it has no children.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
    pub(super) children: Vec<Self>,
    text: String,
}

/// Deeper nesting is no fragment of ours.
const MAX_DEPTH: usize = 8;

impl Element {
    /// The elements of a body, side by side; nothing when it is not well formed.
    pub(super) fn read_all(body: &str) -> Option<Vec<Self>> {
        let mut open: Vec<Self> = vec![Self::default()];
        let mut rest = body;
        while let Some((text, after)) = rest.split_once('<') {
            open.last_mut()?.text.push_str(text);
            let (tag, tail) = after.split_once('>')?;
            rest = tail;
            if let Some(name) = tag.strip_prefix('/') {
                let closed = open.pop()?.closed();
                if closed.name != name {
                    return None;
                }
                open.last_mut()?.children.push(closed);
                continue;
            }
            let element = Self::opened(tag.strip_suffix('/').unwrap_or(tag))?;
            if tag.ends_with('/') {
                open.last_mut()?.children.push(element);
            } else if open.len() <= MAX_DEPTH {
                open.push(element);
            } else {
                return None;
            }
        }
        (open.len() == 1)
            .then(|| open.pop().map(|root| root.children))
            .flatten()
    }

    /// The text of an element without children, unescaped.
    pub(super) fn text(&self) -> String {
        xml_unescape(&self.text).into_owned()
    }

    /// The same as it is written.
    pub(super) fn raw_text(&self) -> &str {
        &self.text
    }

    /// The value of an attribute, unescaped.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// The first child with this name.
    pub(super) fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    fn opened(tag: &str) -> Option<Self> {
        let tag = tag.trim_end();
        let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = Vec::new();
        while let Some((key, after)) = rest.split_once("=\"") {
            let (value, tail) = after.split_once('"')?;
            attributes.push((key.trim().to_owned(), xml_unescape(value).into_owned()));
            rest = tail;
        }
        let element = Self {
            name: name.to_owned(),
            attributes,
            children: Vec::new(),
            text: String::new(),
        };
        (!name.is_empty() && rest.trim().is_empty()).then_some(element)
    }

    fn closed(mut self) -> Self {
        if !self.children.is_empty() {
            self.text.clear();
        }
        self
    }
}
