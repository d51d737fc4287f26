//! Bounded, recognisable context fragments for LLM agents.
