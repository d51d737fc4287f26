//! A fragment that does not say how large it may become is none.

use annals_context_fragments::{ContextualUserFragment, Role};

struct Unbounded;

impl ContextualUserFragment for Unbounded {
    fn role(&self) -> Role {
        Role::User
    }
}

fn main() {}
