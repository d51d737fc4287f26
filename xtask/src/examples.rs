//! The programs in the `examples` folders of the crates: which there are, and how one of them
//! reads in a document.

use std::error::Error;

use crate::workspace::{self, TextFile};

/// One example: the package that it belongs to, and its name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Example {
    /// The package, as cargo knows it.
    pub(crate) package: String,
    /// The name of the program.
    pub(crate) name: String,
}

/// Every example of every crate, in the order of their paths.
pub(crate) fn all(files: &[TextFile]) -> Vec<Example> {
    files
        .iter()
        .filter_map(|file| of_path(&file.path))
        .collect()
}

/// The example at a path such as `crates/history/examples/append_only.rs`.
fn of_path(path: &str) -> Option<Example> {
    let (dir, file) = path.strip_prefix("crates/")?.split_once("/examples/")?;
    let name = file.strip_suffix(".rs")?;
    let alone = !dir.contains('/') && !name.contains('/');
    alone.then(|| Example {
        package: format!("annals-{dir}"),
        name: name.to_owned(),
    })
}

/// An example for a document: its source without the lines at its head.
pub(crate) fn document(path: &str) -> Result<String, Box<dyn Error>> {
    Ok(fenced(&workspace::read(path)?))
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
    use super::{Example, fenced, of_path};

    #[test]
    fn an_example_lies_directly_in_its_folder() {
        let example = Example {
            package: "annals-history".to_owned(),
            name: "append".to_owned(),
        };
        assert_eq!(of_path("crates/history/examples/append.rs"), Some(example));
        for path in [
            "crates/history/src/examples/x.rs",
            "crates/a/examples/x/y.rs",
            "examples/x.jsonl",
        ] {
            assert_eq!(of_path(path), None, "{path}");
        }
    }

    #[test]
    fn a_document_shows_the_source_without_its_head() {
        let source = "//! Head.\n//! More.\n\nuse a::b;\n\nfn main() {}\n";
        assert_eq!(fenced(source), "```rust\nuse a::b;\n\nfn main() {}\n```");
    }
}
