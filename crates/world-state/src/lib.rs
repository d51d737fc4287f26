//! World state for LLM agents: told in full once, afterwards only what changed.
