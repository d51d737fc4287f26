//! What must not compile does not, and the compiler says why in words that help.

#[test]
fn what_is_promised_by_type_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
