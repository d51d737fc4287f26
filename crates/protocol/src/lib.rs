//! Lossless wire types for LLM agent histories and rollout files.
