//! Which directories and which names are looked at. What is in the files is the load's matter.

use std::path::{Component, Path, PathBuf};

use crate::disk::{Entry, FileSystem};
use crate::options::LoadOptions;
use crate::report::{ProjectRoot, RootMarker};

/// Takes the place of `AGENTS.md` in its directory.
pub(crate) const OVERRIDE_NAME: &str = "AGENTS.override.md";
/// The usual name.
pub(crate) const NAME: &str = "AGENTS.md";

/// The root of the project that a directory lies in: the nearest directory that holds a marker, from the directory
/// itself upward. Parents are those of the path as it is written, links are not followed.
///
/// What cannot be looked at counts as not there.
pub(crate) fn project_root(fs: &dyn FileSystem, options: &LoadOptions, cwd: &Path) -> ProjectRoot {
    for directory in cwd.ancestors() {
        for marker in options
            .root_markers
            .iter()
            .filter(|marker| !marker.trim().is_empty())
        {
            let path = directory.join(marker);
            let Ok(entry) = fs.entry(&path) else { continue };
            let is_empty =
                entry == Entry::Directory && fs.is_empty_directory(&path).unwrap_or(false);
            let marker = Some(RootMarker {
                path,
                is_empty_directory: is_empty,
            });
            return ProjectRoot {
                path: directory.to_owned(),
                marker,
            };
        }
    }
    ProjectRoot {
        path: cwd.to_owned(),
        marker: None,
    }
}

/// The directories from the root down to the working directory, both included.
pub(crate) fn chain<'a>(root: &Path, cwd: &'a Path) -> Vec<&'a Path> {
    let mut chain: Vec<&Path> = cwd
        .ancestors()
        .take_while(|directory| directory.starts_with(root))
        .collect();
    chain.reverse();
    chain
}

/// The names that are looked for in a directory of a project, in order.
pub(crate) fn project_names(options: &LoadOptions) -> Vec<&str> {
    let mut names = vec![OVERRIDE_NAME, NAME];
    for name in &options.fallback_names {
        let name = name.trim();
        if is_plain_name(name) && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Whether a name is that of a file and no path to one.
fn is_plain_name(name: &str) -> bool {
    let mut components = Path::new(name).components();
    matches!(components.next(), Some(Component::Normal(_)))
        && components.next().is_none()
        && !name.contains(['/', '\\'])
}

/// The working directory without `..`, of which the parents cannot be told from the text.
pub(crate) fn plain_directory(fs: &dyn FileSystem, cwd: &Path) -> PathBuf {
    if cwd
        .components()
        .any(|component| component == Component::ParentDir)
        && let Ok(canonical) = fs.canonical(cwd)
    {
        return canonical;
    }
    cwd.components().collect()
}
