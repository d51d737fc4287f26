//! Bounded, recognizable context fragments for LLM agents.
//!
//! Whatever a host puts into a model's context beside the conversation (rules, the environment, notices) is a *fragment*:
//! a struct with a role, a content kind, markers and a hard [`Cap`].
//! A fragment renders to a text that can never exceed its cap, and that can be told from a user's own words ever after,
//! by its recorded kind first and by its markers second.
//!
//! The crate is pure: no files, no clock, no environment, no randomness.
//!
//! # Example
//!
//! ```
//! use annals_context_fragments::{
//!     Body, Cap, ContentKind, ContextualUserFragment, Markers, Role, merge_by_role,
//! };
//!
//! /// Tells the model which ticket is being worked on.
//! #[derive(Debug)]
//! struct Ticket(String);
//!
//! impl ContextualUserFragment for Ticket {
//!     fn role(&self) -> Role {
//!         Role::Developer
//!     }
//!     fn content_kind(&self) -> ContentKind {
//!         ContentKind::from_static("tracker.ticket")
//!     }
//!     fn markers(&self) -> Markers {
//!         Self::type_markers()
//!     }
//!     fn type_markers() -> Markers {
//!         Markers::new("<ticket>", "</ticket>")
//!     }
//!     fn body(&self) -> Body {
//!         Body::neutralized(&self.0, "</ticket>")
//!     }
//!     fn cap(&self) -> Cap {
//!         Cap::cutting_at::<200>()
//!     }
//! }
//!
//! let rendered = Ticket("fix the parser".to_owned()).render_fragment();
//! assert_eq!(rendered.text(), "<ticket>fix the parser</ticket>");
//! assert!(Ticket::matches_text(rendered.text()));
//! assert_eq!(merge_by_role([rendered]).len(), 1);
//! ```
#![forbid(unsafe_code)]

mod body;
mod cap;
mod error;
mod escape;
mod estimate;
mod fragment;
mod kind;
mod markers;
mod message;
mod recognize;
mod rendered;
mod role;
mod spec;
#[cfg(feature = "tokenizer")]
mod tokenizer;
mod truncate;

pub mod catalog;
pub mod notices;

pub use body::{Body, Keep};
pub use cap::{Cap, Overflow};
pub use error::FragmentError;
pub use escape::{neutralize, restore, xml_escape, xml_unescape};
pub use estimate::{
    BytesPerFour, KindDivisors, TextKind, TokenEstimator, estimate_tokens, tokens_for_bytes,
};
pub use fragment::ContextualUserFragment;
pub use kind::ContentKind;
pub use markers::Markers;
pub use message::{ContextMessage, merge_by_role};
pub use recognize::{
    MessageClass, PartClass, PartText, Recognizer, classify_message, classify_part,
    is_contextual_developer_content, is_contextual_user_content,
};
pub use rendered::{Cut, RenderedFragment};
pub use role::Role;
pub use spec::{FragmentClass, FragmentSpec, Matching};
#[cfg(feature = "tokenizer")]
pub use tokenizer::O200k;
pub use truncate::{
    MergedOutput, OutputPart, PartFate, PartsTruncation, TruncatedText, TruncationBudget,
    truncate_formatted, truncate_merged, truncate_parts, truncate_text,
};
