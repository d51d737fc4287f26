//! Writers, readers, a compressor and an archiver on one home.

#[test]
fn nothing_is_lost_and_nothing_read_wrongly_in_a_home_that_many_share() {
    let dir = tempfile::tempdir().unwrap();
    let report =
        annals_test_support::soak(dir.path().to_path_buf(), 11, |round| round < 150).unwrap();
    assert_eq!(report.wrongs, Vec::<String>::new());
    assert!(
        report.appended > 100 && report.reads > 20 && report.moved > 10,
        "{report:?}"
    );
}
