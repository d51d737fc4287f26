//! Tokens, as a provider measured them.

use serde::{Deserialize, Serialize};

/// What one or more responses cost, measured by the provider.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TokenUsage {
    /// Tokens of the input, cached ones included.
    #[serde(default)]
    pub input_tokens: i64,
    /// Tokens of the input that came from the cache.
    #[serde(default)]
    pub cached_input_tokens: i64,
    /// Tokens of the input that were written to the cache.
    #[serde(default)]
    pub cache_write_input_tokens: i64,
    /// Tokens of the output, reasoning included.
    #[serde(default)]
    pub output_tokens: i64,
    /// Tokens of the reasoning.
    #[serde(default)]
    pub reasoning_output_tokens: i64,
    /// Input and output together.
    #[serde(default)]
    pub total_tokens: i64,
}

/// Usage so far, as a `token_count` event tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TokenUsageInfo {
    /// All responses of the thread together.
    pub total_token_usage: TokenUsage,
    /// The last response.
    pub last_token_usage: TokenUsage,
    /// How many tokens the model's context has room for.
    pub model_context_window: Option<i64>,
}

/// A `token_usage_record` line: what one response cost, and the sums so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TokenUsageRecord {
    /// The thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// The turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// The session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The turn at the root of it all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_turn_id: Option<String>,
    /// The response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_id: Option<String>,
    /// What the response cost.
    pub usage: TokenUsage,
    /// What its turn cost so far.
    pub turn_token_usage: TokenUsage,
    /// What its thread cost so far.
    pub thread_token_usage: TokenUsage,
}
