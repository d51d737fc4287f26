//! The kinds of response items as a small copyable value.

macro_rules! item_types {
    ($( $(#[$meta:meta])* $variant:ident = $tag:literal $(| $alias:literal)*, $prefix:expr; )+) => {
        /// The kind of a response item, without its contents.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ItemType {
            $( $(#[$meta])* $variant, )+
            /// A kind that this version does not know.
            Other,
        }

        impl ItemType {
            /// The kind that a `type` names.
            pub fn from_tag(tag: &str) -> Self {
                match tag {
                    $( $tag $(| $alias)* => Self::$variant, )+
                    _ => Self::Other,
                }
            }

            /// The `type` that names this kind; `None` for [`Other`](Self::Other).
            pub fn tag(self) -> Option<&'static str> {
                match self {
                    $( Self::$variant => Some($tag), )+
                    Self::Other => None,
                }
            }

            /// What the ids of such items start with, before the `_`; `None` for kinds without ids.
            pub fn id_prefix(self) -> Option<&'static str> {
                match self {
                    $( Self::$variant => $prefix, )+
                    Self::Other => None,
                }
            }
        }
    };
}

item_types! {
    /// `message`
    Message = "message", Some("msg");
    /// `agent_message`
    AgentMessage = "agent_message", Some("amsg");
    /// `reasoning`
    Reasoning = "reasoning", Some("rs");
    /// `local_shell_call`
    LocalShellCall = "local_shell_call", Some("lsh");
    /// `function_call`
    FunctionCall = "function_call", Some("fc");
    /// `function_call_output`
    FunctionCallOutput = "function_call_output", Some("fco");
    /// `custom_tool_call`
    CustomToolCall = "custom_tool_call", Some("ctc");
    /// `custom_tool_call_output`
    CustomToolCallOutput = "custom_tool_call_output", Some("ctco");
    /// `tool_search_call`
    ToolSearchCall = "tool_search_call", Some("tsc");
    /// `tool_search_output`
    ToolSearchOutput = "tool_search_output", Some("tso");
    /// `web_search_call`
    WebSearchCall = "web_search_call", Some("ws");
    /// `image_generation_call`
    ImageGenerationCall = "image_generation_call", Some("ig");
    /// `compaction`, formerly `compaction_summary`
    Compaction = "compaction" | "compaction_summary", Some("cmp");
    /// `context_compaction`
    ContextCompaction = "context_compaction", Some("cmp");
    /// `configuration_update`
    ConfigurationUpdate = "configuration_update", None;
    /// `compaction_trigger`
    CompactionTrigger = "compaction_trigger", None;
    /// `additional_tools`
    AdditionalTools = "additional_tools", Some("at");
    /// `ghost_snapshot`
    GhostSnapshot = "ghost_snapshot", None;
}

impl ItemType {
    /// Whether such an item asks for an output.
    pub fn is_call(self) -> bool {
        matches!(
            self,
            Self::FunctionCall | Self::CustomToolCall | Self::ToolSearchCall | Self::LocalShellCall
        )
    }

    /// Whether such an item answers a call.
    pub fn is_output(self) -> bool {
        matches!(
            self,
            Self::FunctionCallOutput | Self::CustomToolCallOutput | Self::ToolSearchOutput
        )
    }

    /// Whether a model can be shown such an item at all.
    pub fn is_model_visible(self) -> bool {
        !matches!(
            self,
            Self::CompactionTrigger | Self::GhostSnapshot | Self::Other
        )
    }
}
