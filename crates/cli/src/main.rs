//! See what an agent's model really received, why its cache missed, and mend session files.
fn main() {}
