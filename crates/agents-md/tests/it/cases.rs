//! Faults that other programs had: the deepest file loses its end in silence, a badly encoded byte takes a file away, one
//! file is loaded as two, a stray marker makes another root.
//!
//! Each has an input of its own here; where the shared inputs are at hand they are used too.

use annals_agents_md::load;

use crate::tree::Tree;

/// The bytes of a shared input, where the machine has them.
#[expect(clippy::print_stderr, reason = "a test says what it passed over")]
fn shared(name: &str) -> Option<Vec<u8>> {
    let Ok(root) = std::env::var("ANNALS_SHARED") else {
        eprintln!("note: ANNALS_SHARED is not set, {name} is not looked at");
        return None;
    };
    Some(std::fs::read(format!("{root}/cases/bug-inputs/{name}")).unwrap())
}

fn the_deepest_file_is_cut_where_it_shows(root: &[u8], nested: &[u8], budget: usize, absent: &str) {
    let tree = Tree::new(&[("p/.git/HEAD", "x")]);
    tree.write("p/AGENTS.md", root);
    tree.write("p/sub/AGENTS.md", nested);
    let loaded = load(&tree.options("p/sub").with_max_project_bytes(budget)).unwrap();
    let root = std::str::from_utf8(root).unwrap().trim();
    assert!(loaded.text().starts_with(root));
    assert!(!loaded.text().contains(absent));
    assert!(!loaded.text().contains('\u{fffd}'));
    let (text, mark) = loaded.text().split_once("\n[… ").unwrap();
    assert!(mark.ends_with(" cut …]"));
    assert!(text.len() - "\n\n".len() <= budget);
    let warnings = tree.warnings(&loaded);
    assert_eq!(warnings.len(), 1);
    assert!(warnings.concat().starts_with("p/sub/AGENTS.md was cut: "));
}

#[test]
fn the_deepest_file_does_not_lose_its_end_in_silence() {
    let nested = "Vérifie d'abord : çà et là, où l'on écrit. LAST";
    the_deepest_file_is_cut_where_it_shows(b"Short root rule.", nested.as_bytes(), 30, "LAST");
    let (Some(root), Some(nested)) = (shared("B01-root.md"), shared("B01-nested.md")) else {
        return;
    };
    the_deepest_file_is_cut_where_it_shows(&root, &nested, 80, "FIN");
}

fn a_bad_byte_is_replaced(bytes: &[u8], expect: &str) {
    let tree = Tree::new(&[("p/.git/HEAD", "x")]);
    tree.write("p/AGENTS.md", bytes);
    let loaded = tree.load("p");
    assert_eq!(loaded.text(), expect);
    assert_eq!(
        tree.warnings(&loaded),
        ["p/AGENTS.md is not UTF-8: U+FFFD was put in 2 places"]
    );

    let tree = Tree::new(&[("p/", "")]);
    tree.write("home/AGENTS.md", bytes);
    let loaded = tree.load("p");
    assert_eq!(loaded.text(), expect);
    assert_eq!(tree.warnings(&loaded).len(), 1);
}

#[test]
fn a_badly_encoded_byte_does_not_take_the_file_away() {
    a_bad_byte_is_replaced(b"Say \x93yes\x94.\n", "Say \u{fffd}yes\u{fffd}.");
    let Some(bytes) = shared("B02.md") else {
        return;
    };
    let expect = String::from_utf8_lossy(&bytes);
    a_bad_byte_is_replaced(&bytes, expect.trim());
}

fn one_file_is_told_once(bytes: &[u8], line: &str) {
    let tree = Tree::new(&[("home/.git/HEAD", "x")]);
    tree.write("home/AGENTS.md", bytes);
    let loaded = tree.load("home");
    assert_eq!(loaded.text().matches(line).count(), 1);
    let report = tree
        .report(&loaded)
        .replace(&tree.path("").display().to_string(), "");
    assert!(
        report.ends_with("home/AGENTS.md: passed over: already read as home/AGENTS.md"),
        "{report}"
    );
}

#[test]
fn a_home_that_is_the_project_is_loaded_once() {
    one_file_is_told_once(b"# ONE MARK\nrest\n", "# ONE MARK");
    let Some(bytes) = shared("B03.md") else {
        return;
    };
    one_file_is_told_once(&bytes, "# MARKER-ONE");
}

#[cfg(unix)]
#[test]
fn a_home_that_is_the_project_by_a_link_is_loaded_once() {
    let tree = Tree::new(&[("p/.git/HEAD", "x"), ("p/AGENTS.md", "once")]);
    std::os::unix::fs::symlink(tree.path("p"), tree.path("home")).unwrap();
    assert_eq!(tree.load("p").text(), "once");
}

#[test]
fn a_stray_marker_is_named() {
    // The shape of the shared input, of which only the names matter.
    let tree = Tree::new(&[
        (".git/HEAD", "ref: x\n"),
        ("AGENTS.md", "Root rule.\n"),
        ("app/.git/", ""),
        ("app/src/", ""),
    ]);
    let loaded = tree.load("app");
    assert_eq!(loaded.root().path, tree.path("app"));
    assert!(loaded.root().marker.as_ref().unwrap().is_empty_directory);
    assert_eq!(
        tree.report(&loaded),
        "AGENTS.md: passed over: above the project's root"
    );
    assert_eq!(
        tree.warnings(&loaded),
        ["app/.git is an empty directory, yet it makes app the project's root"]
    );
}
