//! One element of the model's input: every kind that the wire knows, typed.

mod call;
mod compaction;
mod configuration;
mod head;
mod item_type;
mod media;
mod message;
mod output;
mod reasoning;
mod search;

pub use call::{
    CustomToolCall, ExecAction, FunctionCall, LocalShellAction, LocalShellCall, LocalShellStatus,
};
pub use compaction::{Compaction, CompactionTrigger, ContextCompaction, GhostSnapshot};
pub use configuration::{AdditionalTools, ConfigurationUpdate, ReasoningConfiguration};
pub use head::ItemHead;
pub(crate) use head::string;
pub use item_type::ItemType;
pub use media::ImageGenerationCall;
pub use message::{AgentMessage, Message, MessagePhase, Role};
pub use output::{CustomToolCallOutput, FunctionCallOutput, OutputPayload};
pub use reasoning::{Reasoning, ReasoningContent, ReasoningSummary, ReasoningText};
pub use search::{
    FindInPageAction, OpenPageAction, SearchAction, ToolSearchCall, ToolSearchOutput,
    WebSearchAction, WebSearchCall,
};

use crate::MessageMetadata;
use crate::tagged::tagged_enum;

tagged_enum! {
    /// One element of the model's input, as a typed view.
    ///
    /// # Shape
    ///
    /// An object told apart by `type`, such as `{"type":"message","role":"user","content":[…]}`.
    /// A kind that this version does not know is [`Other`](Self::Other) and keeps its object;
    /// members that it does not know are kept by [`Lossless`](crate::Lossless), in which items are
    /// read and stored.
    ResponseItem, "a response item" {
        /// Something said by the user, the model or the host.
        Message(Message) = "message",
        /// Something said by another agent.
        AgentMessage(AgentMessage) = "agent_message",
        /// The model's reasoning, in plain text or encrypted.
        Reasoning(Reasoning) = "reasoning",
        /// A call of the provider's own shell tool.
        LocalShellCall(LocalShellCall) = "local_shell_call",
        /// A call of a function tool.
        FunctionCall(FunctionCall) = "function_call",
        /// What a function tool or the local shell answered.
        FunctionCallOutput(FunctionCallOutput) = "function_call_output",
        /// A call of a tool that takes free text.
        CustomToolCall(CustomToolCall) = "custom_tool_call",
        /// What a custom tool answered.
        CustomToolCallOutput(CustomToolCallOutput) = "custom_tool_call_output",
        /// A search for tools.
        ToolSearchCall(ToolSearchCall) = "tool_search_call",
        /// The tools that were found.
        ToolSearchOutput(ToolSearchOutput) = "tool_search_output",
        /// A search in the web that the provider ran.
        WebSearchCall(WebSearchCall) = "web_search_call",
        /// An image that the provider made.
        ImageGenerationCall(ImageGenerationCall) = "image_generation_call",
        /// An encrypted summary of what came before.
        Compaction(Compaction) = "compaction" | "compaction_summary",
        /// A summary made by the provider within the stream.
        ContextCompaction(ContextCompaction) = "context_compaction",
        /// A change of request settings that holds from here on.
        ConfigurationUpdate(ConfigurationUpdate) = "configuration_update",
        /// Asks for a compaction; part of a request, never stored.
        CompactionTrigger(CompactionTrigger) = "compaction_trigger",
        /// Tools that are declared within the input.
        AdditionalTools(AdditionalTools) = "additional_tools",
        /// A reference to a commit of the work tree, from before 0.130; never model-visible.
        GhostSnapshot(GhostSnapshot) = "ghost_snapshot",
    }
}

impl ResponseItem {
    /// The kind as a small value.
    pub fn item_type(&self) -> ItemType {
        ItemType::from_tag(self.tag())
    }

    /// The item's id; an empty one counts as none.
    pub fn id(&self) -> Option<&str> {
        let id = match self {
            Self::Message(item) => &item.id,
            Self::AgentMessage(item) => &item.id,
            Self::Reasoning(item) => &item.id,
            Self::LocalShellCall(item) => &item.id,
            Self::FunctionCall(item) => &item.id,
            Self::FunctionCallOutput(item) => &item.id,
            Self::CustomToolCall(item) => &item.id,
            Self::CustomToolCallOutput(item) => &item.id,
            Self::ToolSearchCall(item) => &item.id,
            Self::ToolSearchOutput(item) => &item.id,
            Self::WebSearchCall(item) => &item.id,
            Self::ImageGenerationCall(item) => &item.id,
            Self::Compaction(item) => &item.id,
            Self::ContextCompaction(item) => &item.id,
            Self::AdditionalTools(item) => &item.id,
            Self::ConfigurationUpdate(_)
            | Self::CompactionTrigger(_)
            | Self::GhostSnapshot(_)
            | Self::Other(_) => return None,
        };
        id.as_deref().filter(|id| !id.is_empty())
    }

    /// The id that ties a call to its output, on kinds that have one.
    pub fn call_id(&self) -> Option<&str> {
        match self {
            Self::LocalShellCall(item) => item.call_id.as_deref(),
            Self::FunctionCall(item) => Some(&item.call_id),
            Self::FunctionCallOutput(item) => item.call_id.as_deref(),
            Self::CustomToolCall(item) => Some(&item.call_id),
            Self::CustomToolCallOutput(item) => Some(&item.call_id),
            Self::ToolSearchCall(item) => item.call_id.as_deref(),
            Self::ToolSearchOutput(item) => item.call_id.as_deref(),
            _ => None,
        }
    }

    /// What the host noted beside the item for its own use.
    pub fn metadata(&self) -> Option<&MessageMetadata> {
        match self {
            Self::Message(item) => item.metadata.as_ref(),
            Self::AgentMessage(item) => item.metadata.as_ref(),
            Self::Reasoning(item) => item.metadata.as_ref(),
            Self::LocalShellCall(item) => item.metadata.as_ref(),
            Self::FunctionCall(item) => item.metadata.as_ref(),
            Self::FunctionCallOutput(item) => item.metadata.as_ref(),
            Self::CustomToolCall(item) => item.metadata.as_ref(),
            Self::CustomToolCallOutput(item) => item.metadata.as_ref(),
            Self::ToolSearchCall(item) => item.metadata.as_ref(),
            Self::ToolSearchOutput(item) => item.metadata.as_ref(),
            Self::WebSearchCall(item) => item.metadata.as_ref(),
            Self::ImageGenerationCall(item) => item.metadata.as_ref(),
            Self::Compaction(item) => item.metadata.as_ref(),
            Self::ContextCompaction(item) => item.metadata.as_ref(),
            Self::AdditionalTools(_)
            | Self::ConfigurationUpdate(_)
            | Self::CompactionTrigger(_)
            | Self::GhostSnapshot(_)
            | Self::Other(_) => None,
        }
    }
}

#[cfg(test)]
#[path = "item_tests.rs"]
mod tests;
