//! Finds and loads AGENTS.md chains, and says what was read, cut and passed over.
