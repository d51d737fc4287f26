//! The kinds of records as a small copyable value.

macro_rules! record_kinds {
    ($( $(#[$meta:meta])* $variant:ident = $tag:literal, )+) => {
        /// The kind of a record in a rollout.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum RecordKind {
            $( $(#[$meta])* $variant, )+
            /// A kind that this version does not know.
            Other,
        }

        impl RecordKind {
            /// The kind that a `type` names.
            pub fn from_tag(tag: &str) -> Self {
                match tag {
                    $( $tag => Self::$variant, )+
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
        }
    };
}

record_kinds! {
    /// Who the thread is; the first line of a file.
    SessionMeta = "session_meta",
    /// An element of the model's input.
    ResponseItem = "response_item",
    /// A message between agents that becomes an item of the input.
    InterAgentCommunication = "inter_agent_communication",
    /// What a host notes about such a message.
    InterAgentCommunicationMetadata = "inter_agent_communication_metadata",
    /// The history was replaced by a summary.
    Compacted = "compacted",
    /// The settings of a turn.
    TurnContext = "turn_context",
    /// Tokens that a response cost.
    TokenUsageRecord = "token_usage_record",
    /// What the model was told of the world, in full or as a patch.
    WorldState = "world_state",
    /// Facts that outlive a compaction.
    RetainedContext = "retained_context",
    /// A score that a safety check gave.
    SecurityRiskScore = "security_risk_score",
    /// Something happened.
    EventMsg = "event_msg",
    /// An item of a realtime conversation.
    RealtimeItem = "realtime_item",
}

impl RecordKind {
    /// Whether decoding a payload of this kind looks at all of it.
    pub(crate) fn is_typed(self) -> bool {
        !matches!(
            self,
            Self::RetainedContext | Self::SecurityRiskScore | Self::RealtimeItem | Self::Other
        )
    }
}
