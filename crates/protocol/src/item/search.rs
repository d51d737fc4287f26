//! Searches: for tools, which ask for an output, and in the web, which the provider runs alone.

use serde::{Deserialize, Serialize};

use crate::tagged::tagged_enum;
use crate::{MessageMetadata, RawJson};

/// A search for tools.
///
/// # Shape
///
/// `{"type":"tool_search_call","call_id":null,"execution":"server","arguments":{…}}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolSearchCall {
    /// `tsc_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What its output will name; written as null when there is none.
    pub call_id: Option<String>,
    /// The provider's status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Who runs it: `client` and `server` matter, any text is allowed.
    pub execution: String,
    /// What is searched for.
    pub arguments: RawJson,
    /// The provider's own form of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    /// What the host noted beside it.
    #[serde(
        rename = "internal_chat_message_metadata_passthrough",
        skip_serializing_if = "Option::is_none"
    )]
    pub metadata: Option<MessageMetadata>,
}

/// The tools that a search found.
///
/// # Shape
///
/// `{"type":"tool_search_output","call_id":"c","status":"completed","execution":"client","tools":[]}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolSearchOutput {
    /// `tso_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The search that it answers; written as null when there is none.
    pub call_id: Option<String>,
    /// The status.
    pub status: String,
    /// Who ran it. What a `server` found needs no call beside it.
    pub execution: String,
    /// The declarations, as the provider wants them.
    pub tools: Vec<RawJson>,
    /// What the host noted beside it.
    #[serde(
        rename = "internal_chat_message_metadata_passthrough",
        skip_serializing_if = "Option::is_none"
    )]
    pub metadata: Option<MessageMetadata>,
}

/// A search in the web that the provider ran.
///
/// # Shape
///
/// `{"type":"web_search_call","status":"completed","action":{"type":"search","query":"…"}}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebSearchCall {
    /// `ws_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The provider's status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// What was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<WebSearchAction>,
    /// The provider's own form of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    /// What the host noted beside it.
    #[serde(
        rename = "internal_chat_message_metadata_passthrough",
        skip_serializing_if = "Option::is_none"
    )]
    pub metadata: Option<MessageMetadata>,
}

tagged_enum! {
    /// What a web search did.
    WebSearchAction, "a web search action" {
        /// Asked a search engine.
        Search(SearchAction) = "search",
        /// Opened a page.
        OpenPage(OpenPageAction) = "open_page",
        /// Looked for a text in a page.
        FindInPage(FindInPageAction) = "find_in_page",
    }
}

/// One or more queries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchAction {
    /// The query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Several queries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<Vec<String>>,
}

/// A page that was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpenPageAction {
    /// Its address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// A text that was looked for in a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindInPageAction {
    /// The page's address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
}
