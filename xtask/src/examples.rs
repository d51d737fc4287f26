//! The examples of the crates that documents show: each is run, so that it keeps its word.

use std::error::Error;

use crate::workspace;

/// One example that a document shows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Example {
    /// Folder of its crate below `crates/`.
    dir: &'static str,
    /// The name of the program.
    pub(crate) name: &'static str,
}

/// The example that opens the README.
pub(crate) const README: Example = Example {
    dir: "history",
    name: "append_only",
};

/// Every example that a document shows.
pub(crate) const SHOWN: &[Example] = &[README];

impl Example {
    /// The words after `cargo` that run it, in the profile of the tests, which have built
    /// everything already.
    pub(crate) fn run(self) -> String {
        format!(
            "run --profile=test --package=annals-{} --example={}",
            self.dir, self.name
        )
    }

    /// Its source as a block of Markdown, without the lines at its head.
    pub(crate) fn document(self) -> Result<String, Box<dyn Error>> {
        let path = format!("crates/{}/examples/{}.rs", self.dir, self.name);
        Ok(fenced(&workspace::read(&path)?))
    }
}

/// A source as a block of Markdown, without its `//!` lines.
fn fenced(source: &str) -> String {
    let lines = source
        .lines()
        .skip_while(|line| line.starts_with("//!") || line.is_empty());
    format!("```rust\n{}\n```", lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::fenced;

    #[test]
    fn a_document_shows_the_source_without_its_head() {
        let source = "//! Head.\n//! More.\n\nuse a::b;\n\nfn main() {}\n";
        assert_eq!(fenced(source), "```rust\nuse a::b;\n\nfn main() {}\n```");
    }
}
