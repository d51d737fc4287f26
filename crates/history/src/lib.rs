//! Append-only, byte-stable history of what an LLM agent's model sees.
