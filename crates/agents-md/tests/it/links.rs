//! The same file by two paths, and links.
#![cfg(unix)]

use std::os::unix::fs::symlink;

use insta::assert_snapshot;

use crate::tree::Tree;

#[test]
fn a_file_that_is_reached_twice_is_read_once() {
    let tree = Tree::new(&[
        ("p/.git", "x"),
        ("p/AGENTS.md", "only once"),
        ("p/a/b/", ""),
    ]);
    symlink(tree.path("p/AGENTS.md"), tree.path("p/a/AGENTS.md")).unwrap();
    symlink("../AGENTS.md", tree.path("p/a/b/AGENTS.md")).unwrap();
    let loaded = tree.load("p/a/b");
    assert_eq!(loaded.text(), "only once");
    let lines = tree
        .report(&loaded)
        .replace(&tree.path("").display().to_string(), "");
    assert_snapshot!(lines, @"
    p/AGENTS.md: read, 9 bytes
    p/a/AGENTS.md: passed over: already read as p/AGENTS.md
    p/a/b/AGENTS.md: passed over: already read as p/AGENTS.md
    ");
}

#[test]
fn a_link_to_another_file_is_followed() {
    let tree = Tree::new(&[("p/.git", "x"), ("p/docs/rules.md", "linked")]);
    symlink("docs/rules.md", tree.path("p/AGENTS.md")).unwrap();
    assert_eq!(tree.load("p").text(), "linked");
}

#[test]
fn a_link_that_leads_nowhere_is_reported() {
    let tree = Tree::new(&[("p/.git", "x")]);
    symlink("gone.md", tree.path("p/AGENTS.override.md")).unwrap();
    tree.write("p/AGENTS.md", "usual");
    let loaded = tree.load("p");
    assert_eq!(loaded.text(), "usual");
    assert_eq!(
        tree.warnings(&loaded),
        ["p/AGENTS.override.md was passed over: a link that leads nowhere"]
    );
}

#[test]
fn links_in_a_circle_are_reported() {
    let tree = Tree::new(&[("p/.git", "x")]);
    symlink("AGENTS.md", tree.path("p/AGENTS.md")).unwrap();
    let loaded = tree.load("p");
    assert_eq!(loaded.text(), "");
    assert_eq!(tree.warnings(&loaded).len(), 1);
}

#[test]
fn a_linked_working_directory_keeps_its_written_parents() {
    let tree = Tree::new(&[
        ("real/.git", "x"),
        ("real/AGENTS.md", "real root"),
        ("real/pkg/AGENTS.md", "package"),
        ("p/.git", "x"),
        ("p/AGENTS.md", "written root"),
    ]);
    symlink(tree.path("real/pkg"), tree.path("p/pkg")).unwrap();
    assert_eq!(tree.load("p/pkg").text(), "written root\n\npackage");
}

#[test]
fn a_pipe_is_not_waited_for() {
    let tree = Tree::new(&[("p/.git", "x"), ("p/AGENTS.md", "usual")]);
    let listener =
        std::os::unix::net::UnixListener::bind(tree.path("p/AGENTS.override.md")).unwrap();
    let loaded = tree.load("p");
    drop(listener);
    assert_eq!(loaded.text(), "usual");
}
