//! A directory tree for one test.

use std::fs;
use std::path::{Path, PathBuf};

use annals_agents_md::{AgentsMd, LoadOptions, load};

/// A temporary tree; it is gone when this is dropped.
pub(crate) struct Tree {
    root: tempfile::TempDir,
}

impl Tree {
    /// A tree of these files. A name that ends in a slash is an empty directory.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let tree = Self {
            root: tempfile::tempdir().unwrap(),
        };
        for (name, text) in files {
            tree.write(name, text);
        }
        tree
    }

    pub(crate) fn write<B: AsRef<[u8]>>(&self, name: &str, bytes: B) {
        let path = self.path(name);
        if name.ends_with('/') {
            fs::create_dir_all(path).unwrap();
            return;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// What is loaded for a directory of the tree, with `home/` as home.
    pub(crate) fn load(&self, cwd: &str) -> AgentsMd {
        load(&self.options(cwd)).unwrap()
    }

    pub(crate) fn options(&self, cwd: &str) -> LoadOptions {
        LoadOptions::new(self.path(cwd)).with_home(self.path("home"))
    }

    /// The report, a line a file, with paths from the tree's root. Files outside of the tree are not shown.
    pub(crate) fn report(&self, loaded: &AgentsMd) -> String {
        let root = self.root.path();
        let is_inside = |path: &Path| path.starts_with(root);
        let lines: Vec<String> = loaded
            .files()
            .iter()
            .filter(|file| is_inside(&file.path))
            .map(|file| self.short(&file.to_string()))
            .collect();
        lines.join("\n")
    }

    pub(crate) fn warnings(&self, loaded: &AgentsMd) -> Vec<String> {
        loaded
            .warnings()
            .map(|warning| self.short(&warning.to_string()))
            .collect()
    }

    fn short(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.root.path().display()), "")
    }
}
