//! What is told of the models for sub-agents.

use super::ModelCatalogSection;
use crate::TextPart;
use crate::testing::{change, first, removal, stored, unknown};
use annals_context_fragments::catalog::CatalogModel;

fn catalog(ids: &[&str]) -> ModelCatalogSection {
    let model = |id: &&str| CatalogModel {
        id: (*id).to_owned(),
        description: format!("Model {id}."),
        ..CatalogModel::default()
    };
    ModelCatalogSection::new(ids.iter().map(model).collect())
}

#[test]
fn the_list_is_told_whole_when_it_differs() {
    insta::assert_snapshot!("first", first(catalog(&["b", "a"])));
    insta::assert_snapshot!("changed", change(catalog(&["a"]), catalog(&["a", "b"])));
    insta::assert_snapshot!("emptied", change(catalog(&["a"]), catalog(&[])));
}

#[test]
fn the_order_of_the_models_is_no_change() {
    assert_eq!(
        change(catalog(&["a", "b"]), catalog(&["b", "a"])),
        "nothing told\nnothing stored"
    );
}

#[test]
fn an_empty_list_is_told_only_where_there_may_be_another() {
    assert!(first(catalog(&[])).starts_with("nothing told\nfull"));
    let told = TextPart::new("developer", "<model_catalog>\n- z: Z.\n</model_catalog>");
    insta::assert_snapshot!("unknown_empty", unknown(catalog(&[]), told));
    insta::assert_snapshot!(
        "undecodable",
        stored(r#"{"model_catalog":1}"#, catalog(&["a"]))
    );
}

#[test]
fn a_section_that_is_gone_takes_its_list_back() {
    insta::assert_snapshot!("removed", removal(catalog(&["a"])));
    assert_eq!(
        removal(catalog(&[])),
        "nothing told\npatch {\"model_catalog\":null}"
    );
}
