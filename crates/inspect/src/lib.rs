//! Read-only analysis of LLM agent sessions: verify, context, cache, state, statistics.
