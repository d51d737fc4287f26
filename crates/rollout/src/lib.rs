//! Durable JSONL persistence for LLM agent threads.
