//! Which image references count as unreadable.

use super::is_bad_image_url;

#[test]
fn only_unreadable_references_are_bad() {
    for (url, bad) in [
        ("data:image/png;base64,AAAA", false),
        ("DATA:Image/PNG;charset=x;BASE64,AAA=", false),
        ("https://example.org/a.png", false),
        ("file-123", false),
        ("", true),
        ("  ", true),
        ("data:image;base64,AAAA", true),
        ("data:image/;base64,AAAA", true),
        ("data:text/plain;base64,AAAA", true),
        ("data:image/png,AAAA", true),
        ("data:image/png;base64,", true),
        ("data:image/png;base64,A", true),
        ("data:image/png;base64,A===", true),
        ("data:image/png;base64,A*AA", true),
        ("data:image/png;base64", true),
    ] {
        assert_eq!(is_bad_image_url(&format!("\"{url}\"")), bad, "{url}");
    }
    assert!(is_bad_image_url("7"));
}
