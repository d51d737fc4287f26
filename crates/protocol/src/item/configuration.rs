//! Items that configure the requests that follow: effort and tools.

use serde::{Deserialize, Serialize};

use crate::{RawJson, Role};

/// A change of request settings that holds from its place on.
///
/// # Shape
///
/// `{"type":"configuration_update","reasoning":{"effort":"high"}}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConfigurationUpdate {
    /// The settings of the model's reasoning.
    pub reasoning: ReasoningConfiguration,
}

/// The settings of the model's reasoning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReasoningConfiguration {
    /// How much the model reasons: `low`, `medium`, `high`, …
    pub effort: Option<String>,
}

/// Tools that are declared within the input.
///
/// # Shape
///
/// `{"type":"additional_tools","role":"developer","tools":[…]}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdditionalTools {
    /// `at_…`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Who declares them.
    pub role: Role,
    /// The declarations, as the provider wants them.
    pub tools: Vec<RawJson>,
}
