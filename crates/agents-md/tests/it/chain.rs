//! The chain from the home file over the project's root to the working directory.

use annals_agents_md::{ErrorKind, LoadOptions, load};
use annals_context_fragments::ContextualUserFragment;
use insta::assert_snapshot;

use crate::tree::Tree;

#[test]
fn home_and_project_are_joined_from_the_root_down() {
    let tree = Tree::new(&[
        ("home/AGENTS.md", "\n home rule \n\n"),
        ("p/.git/HEAD", "x"),
        ("p/AGENTS.md", "root rule\n"),
        ("p/a/b/AGENTS.md", "leaf rule\r\nsecond\n"),
    ]);
    let loaded = tree.load("p/a/b");
    assert_eq!(
        loaded.text(),
        "home rule\n\n--- project-doc ---\n\nroot rule\n\nleaf rule\r\nsecond"
    );
    assert_eq!(loaded.directory(), Some(tree.path("p/a/b").as_path()));
    assert_eq!(loaded.root().path, tree.path("p"));
    assert!(tree.warnings(&loaded).is_empty());
    assert_snapshot!(tree.report(&loaded), @"
    home/AGENTS.md: read, 9 bytes
    p/AGENTS.md: read, 9 bytes
    p/a/b/AGENTS.md: read, 17 bytes
    ");
}

#[test]
fn the_home_file_alone_names_no_directory() {
    let tree = Tree::new(&[("home/AGENTS.md", "home"), ("p/", "")]);
    let loaded = tree.load("p");
    assert_eq!(loaded.text(), "home");
    assert_eq!(loaded.directory(), None);
    let text = loaded.fragment().unwrap().render();
    assert_eq!(
        text,
        "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nhome\n</INSTRUCTIONS>"
    );
}

#[test]
fn nothing_at_all_is_no_fragment() {
    let tree = Tree::new(&[("p/", "")]);
    let loaded = tree.load("p");
    assert_eq!(loaded.text(), "");
    assert_eq!(loaded.fragment(), None);
}

#[test]
fn an_override_takes_the_place_of_the_usual_file() {
    let tree = Tree::new(&[
        ("home/AGENTS.override.md", "home override"),
        ("home/AGENTS.md", "home"),
        ("p/.git/HEAD", "x"),
        ("p/AGENTS.override.md", "override"),
        ("p/AGENTS.md", "usual"),
    ]);
    let loaded = tree.load("p");
    assert_eq!(
        loaded.text(),
        "home override\n\n--- project-doc ---\n\noverride"
    );
    assert_snapshot!(tree.report(&loaded).replace(&tree.path("").display().to_string(), ""), @"
    home/AGENTS.override.md: read, 13 bytes
    home/AGENTS.md: passed over: hidden by home/AGENTS.override.md
    p/AGENTS.md: passed over: hidden by p/AGENTS.override.md
    p/AGENTS.override.md: read, 8 bytes
    ");
}

#[test]
fn an_empty_override_hides_in_a_project_and_not_at_home() {
    let tree = Tree::new(&[
        ("home/AGENTS.override.md", " \n"),
        ("home/AGENTS.md", "home"),
        ("p/.git/HEAD", "x"),
        ("p/AGENTS.override.md", "\t"),
        ("p/AGENTS.md", "usual"),
    ]);
    let loaded = tree.load("p");
    assert_eq!(loaded.text(), "home");
    assert_snapshot!(tree.report(&loaded), @"
    home/AGENTS.override.md: passed over: empty
    home/AGENTS.md: read, 4 bytes
    p/AGENTS.md: passed over: hidden by p/AGENTS.override.md
    p/AGENTS.override.md: passed over: empty
    ");
}

#[test]
fn fallback_names_count_where_there_is_no_usual_file() {
    let tree = Tree::new(&[
        ("p/.git/HEAD", "x"),
        ("p/RULES.md", "rules"),
        ("p/OTHER.md", "other"),
        ("p/a/AGENTS.md", "usual"),
        ("p/a/RULES.md", "hidden"),
        ("home/RULES.md", "not at home"),
    ]);
    let names = [
        "",
        " ",
        "../OTHER.md",
        "a/AGENTS.md",
        "AGENTS.md",
        "RULES.md",
        "RULES.md",
        "OTHER.md",
    ];
    let loaded = load(&tree.options("p/a").with_fallback_names(names)).unwrap();
    assert_eq!(loaded.text(), "rules\n\nusual");
    assert_eq!(
        loaded.files().iter().filter(|file| file.is_read()).count(),
        2
    );
}

#[test]
fn the_budget_is_filled_from_the_root_down() {
    let tree = Tree::new(&[
        ("p/.git/HEAD", "x"),
        ("p/AGENTS.md", "root\n"),
        ("p/a/AGENTS.md", " abcdef "),
        ("p/a/b/AGENTS.md", "deep"),
    ]);
    let loaded = load(&tree.options("p/a/b").with_max_project_bytes(7)).unwrap();
    assert_eq!(loaded.text(), "root\n\nabc\n[… 3 bytes of AGENTS.md cut …]");
    assert_snapshot!(tree.warnings(&loaded).join("\n"), @"
    p/a/AGENTS.md was cut: 3 bytes kept, 3 left out
    p/a/b/AGENTS.md was left out: the budget of the project's files is used up
    ");
}

#[test]
fn a_budget_of_zero_turns_project_files_off() {
    let tree = Tree::new(&[("home/AGENTS.md", "home"), ("p/AGENTS.md", "root")]);
    let loaded = load(&tree.options("p").with_max_project_bytes(0)).unwrap();
    assert_eq!(loaded.text(), "home");
    assert!(
        tree.report(&loaded)
            .ends_with("p/AGENTS.md: passed over: project files are turned off")
    );
    let loaded = load(&tree.options("p").without_project_files()).unwrap();
    assert_eq!(loaded.text(), "home");
    assert!(
        tree.report(&loaded)
            .ends_with("p/AGENTS.md: passed over: the project is not trusted")
    );
}

#[test]
fn without_a_marker_the_working_directory_stands_alone() {
    let tree = Tree::new(&[("p/AGENTS.md", "root"), ("p/a/AGENTS.md", "leaf")]);
    let loaded = load(
        &tree
            .options("p/a")
            .with_root_markers(["no such marker here"]),
    )
    .unwrap();
    assert_eq!(loaded.text(), "leaf");
    assert_eq!(loaded.root().marker, None);
    let none: [&str; 0] = [];
    let loaded = load(&tree.options("p/a").with_root_markers(none)).unwrap();
    assert_eq!(loaded.text(), "leaf");
    assert_snapshot!(tree.report(&loaded), @"
    p/a/AGENTS.md: read, 4 bytes
    p/AGENTS.md: passed over: above the project's root
    ");
}

#[test]
fn markers_may_be_files_of_any_name() {
    let tree = Tree::new(&[("p/.hg", ""), ("p/AGENTS.md", "root"), ("p/a/", "")]);
    let loaded = load(&tree.options("p/a").with_root_markers(["", ".jj", ".hg"])).unwrap();
    assert_eq!(loaded.text(), "root");
}

#[test]
fn a_huge_home_file_gives_way_to_the_project() {
    let tree = Tree::new(&[("p/.git", "x"), ("p/AGENTS.md", &"p".repeat(32_768))]);
    tree.write("home/AGENTS.md", "h".repeat(3 << 20));
    let loaded = tree.load("p");
    let fragment = loaded.fragment().unwrap().render_fragment();
    assert_eq!(fragment.cut(), None);
    assert!(fragment.tokens() <= 10_000);
    assert!(loaded.text().ends_with(&"p".repeat(32_768)));
    let kept = loaded.text().chars().filter(|&c| c == 'h').count();
    assert!(kept > 4_000);
    assert_eq!(
        tree.warnings(&loaded),
        [format!(
            "home/AGENTS.md was cut: {kept} bytes kept, {} left out",
            (3 << 20) - kept
        )]
    );
}

#[test]
fn a_huge_project_file_is_cut_without_being_read_whole() {
    let tree = Tree::new(&[("p/.git", "x")]);
    tree.write("p/AGENTS.md", "é漢".repeat(1 << 20));
    let loaded = tree.load("p");
    assert!(loaded.text().len() < 32_768 + 60);
    assert!(!loaded.text().contains('\u{fffd}'));
    assert!(loaded.text().ends_with(" bytes of AGENTS.md cut …]"));
    assert_eq!(tree.warnings(&loaded).len(), 1);
}

#[test]
fn a_directory_in_the_place_of_a_file_is_passed_over() {
    let tree = Tree::new(&[
        ("p/.git", "x"),
        ("p/AGENTS.override.md/", ""),
        ("p/AGENTS.md", "usual"),
        ("home/AGENTS.md/", ""),
    ]);
    let loaded = tree.load("p");
    assert_eq!(loaded.text(), "usual");
    assert_snapshot!(tree.warnings(&loaded).join("\n"), @"
    home/AGENTS.md was passed over: not a regular file
    p/AGENTS.override.md was passed over: not a regular file
    ");
}

#[test]
fn a_relative_directory_is_an_error() {
    let error = load(&LoadOptions::new("p")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RelativeDirectory);
    assert_eq!(
        error.to_string(),
        "working directory p is not an absolute path"
    );
}

#[test]
fn a_directory_that_does_not_exist_has_no_files() {
    let tree = Tree::new(&[("p/.git", "x"), ("p/AGENTS.md", "root")]);
    let loaded = tree.load("p/gone/deeper");
    assert_eq!(loaded.text(), "root");
}

#[test]
fn parents_in_a_path_are_resolved() {
    let tree = Tree::new(&[
        ("p/.git", "x"),
        ("p/AGENTS.md", "root"),
        ("p/a/AGENTS.md", "a"),
        ("p/b/AGENTS.md", "b"),
    ]);
    assert_eq!(tree.load("p/a/../b/./").text(), "root\n\nb");
}

#[test]
fn two_loads_of_one_tree_are_equal() {
    let tree = Tree::new(&[
        ("home/AGENTS.md", "home"),
        ("p/.git", "x"),
        ("p/AGENTS.md", "root"),
    ]);
    assert_eq!(tree.load("p"), tree.load("p"));
}
