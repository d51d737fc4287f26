//! The roles a fragment may speak in. What a role means to a provider is the provider's matter.

use std::fmt;

/// The role of the message that carries a fragment.
///
/// **Shape**: `"user"`, `"developer"` or `"assistant"` on the wire.
///
/// # Example
///
/// ```
/// use annals_context_fragments::Role;
///
/// assert_eq!(Role::Developer.as_str(), "developer");
/// assert_eq!(Role::from_wire("user"), Some(Role::User));
/// assert_eq!(Role::from_wire("system"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Context in the place of the user: rules of the project, the environment, notices.
    User,
    /// Instructions of the host to the model.
    Developer,
    /// Text in the place of the model; only messages between agents use it.
    Assistant,
}

impl Role {
    /// The role's name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Developer => "developer",
            Self::Assistant => "assistant",
        }
    }

    /// The role with this wire name, if a fragment may have it.
    pub fn from_wire(name: &str) -> Option<Self> {
        match name {
            "user" => Some(Self::User),
            "developer" => Some(Self::Developer),
            "assistant" => Some(Self::Assistant),
            _ => None,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<Role> for annals_protocol::Role {
    fn from(role: Role) -> Self {
        match role {
            Role::User => Self::User,
            Role::Developer => Self::Developer,
            Role::Assistant => Self::Assistant,
        }
    }
}
