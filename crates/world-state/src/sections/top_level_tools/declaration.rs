//! One declaration: a tool, or a namespace with its members.

use crate::fingerprint::Fingerprint;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Why a list of declarations is not usable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// A name stands twice. Give one of the tools another name.
    #[error("tool `{name}` is declared twice")]
    Duplicate {
        /// The name, with its namespace.
        name: String,
    },
    /// A declaration is no object, or has neither name nor type.
    #[error("declaration {position} has neither a name nor a type")]
    NoName {
        /// Its place in its list, from 0.
        position: usize,
    },
    /// A name holds a dot, which parts a namespace from its member.
    #[error("tool name `{name}` holds a dot")]
    DottedName {
        /// The name.
        name: String,
    },
    /// A declaration nests deeper than a record may.
    #[error("declaration of `{name}` is nested too deep")]
    TooDeep {
        /// The name.
        name: String,
    },
}

/// How deep a declaration may nest: it travels inside an item, a payload and a line.
const MAX_DEPTH: usize = 100;

#[derive(Debug, Clone)]
pub(super) struct Declaration {
    pub(super) name: String,
    pub(super) body: Body,
}

#[derive(Debug, Clone)]
pub(super) enum Body {
    Tool(Part),
    Namespace {
        /// The namespace without its members.
        head: Map<String, Value>,
        digest: Fingerprint,
        members: Vec<(String, Part)>,
    },
}

#[derive(Debug, Clone)]
pub(super) struct Part {
    value: Value,
    digest: Fingerprint,
}

impl Part {
    fn new(value: Value) -> Self {
        let digest = Fingerprint::of_json(&value);
        Self { value, digest }
    }
}

impl Declaration {
    pub(super) fn new(position: usize, value: Value) -> Result<Self, ToolError> {
        let name = name_of(position, &value)?;
        if is_deeper_than(&value, MAX_DEPTH) {
            return Err(ToolError::TooDeep { name });
        }
        let body = match value {
            Value::Object(mut head) => match head.remove("tools") {
                Some(Value::Array(list)) => Body::Namespace {
                    digest: Fingerprint::of_json(&Value::Object(head.clone())),
                    members: members(&name, list)?,
                    head,
                },
                Some(other) => {
                    head.insert("tools".to_owned(), other);
                    Body::Tool(Part::new(Value::Object(head)))
                }
                None => Body::Tool(Part::new(Value::Object(head))),
            },
            other => Body::Tool(Part::new(other)),
        };
        Ok(Self { name, body })
    }

    /// The digests by which a change is noticed.
    pub(super) fn digests(&self) -> Vec<(String, Fingerprint)> {
        match &self.body {
            Body::Tool(tool) => vec![(self.name.clone(), tool.digest)],
            Body::Namespace {
                digest, members, ..
            } => {
                let head = (self.name.clone(), *digest);
                let members = members
                    .iter()
                    .map(|(member, part)| (format!("{}.{member}", self.name), part.digest));
                std::iter::once(head).chain(members).collect()
            }
        }
    }

    pub(super) fn whole(&self) -> Value {
        match &self.body {
            Body::Tool(tool) => tool.value.clone(),
            Body::Namespace { head, members, .. } => {
                with_members(head, members.iter().map(|(_, part)| part))
            }
        }
    }

    /// What has to be declared to a model that knows these digests.
    pub(super) fn changed_since(&self, known: &BTreeMap<String, Fingerprint>) -> Option<Value> {
        match &self.body {
            Body::Tool(tool) => {
                (known.get(&self.name) != Some(&tool.digest)).then(|| tool.value.clone())
            }
            Body::Namespace {
                head,
                digest,
                members,
            } => {
                let is_new = |member: &str, part: &Part| {
                    known.get(&format!("{}.{member}", self.name)) != Some(&part.digest)
                };
                let changed: Vec<&Part> = members
                    .iter()
                    .filter(|(member, part)| is_new(member, part))
                    .map(|(_, part)| part)
                    .collect();
                if !changed.is_empty() {
                    return Some(with_members(head, changed));
                }
                (known.get(&self.name) != Some(digest)).then(|| self.whole())
            }
        }
    }
}

fn with_members<'a, M>(head: &Map<String, Value>, members: M) -> Value
where
    M: IntoIterator<Item = &'a Part>,
{
    let members = members.into_iter().map(|part| part.value.clone()).collect();
    let mut namespace = head.clone();
    namespace.insert("tools".to_owned(), Value::Array(members));
    Value::Object(namespace)
}

fn members(namespace: &str, list: Vec<Value>) -> Result<Vec<(String, Part)>, ToolError> {
    let mut names = BTreeSet::new();
    let mut members = Vec::with_capacity(list.len());
    for (position, value) in list.into_iter().enumerate() {
        let name = name_of(position, &value)?;
        if !names.insert(name.clone()) {
            return Err(ToolError::Duplicate {
                name: format!("{namespace}.{name}"),
            });
        }
        members.push((name, Part::new(value)));
    }
    Ok(members)
}

fn name_of(position: usize, value: &Value) -> Result<String, ToolError> {
    let name = value
        .get("name")
        .or_else(|| value.get("type"))
        .and_then(Value::as_str);
    match name {
        None | Some("") => Err(ToolError::NoName { position }),
        Some(name) if name.contains('.') => Err(ToolError::DottedName {
            name: name.to_owned(),
        }),
        Some(name) => Ok(name.to_owned()),
    }
}

fn is_deeper_than(value: &Value, levels: usize) -> bool {
    let inner = |value: &Value| match levels.checked_sub(1) {
        None => true,
        Some(levels) => is_deeper_than(value, levels),
    };
    match value {
        Value::Object(members) => levels == 0 || members.values().any(inner),
        Value::Array(elements) => levels == 0 || elements.iter().any(inner),
        _ => false,
    }
}
