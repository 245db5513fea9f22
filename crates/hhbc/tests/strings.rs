//! A unit's strings lie in a row, and keep their numbers.

use phlox_hhbc::Strings;

#[test]
fn strings_keep_their_numbers() {
    let mut strings: Strings = ["one", "", "three"].into_iter().collect();
    strings.push(b"\xff");
    assert_eq!(strings.len(), 4);
    assert_eq!(strings.iter().collect::<Vec<_>>(), [&b"one"[..], b"", b"three", b"\xff"]);
    assert!((0..4).all(|at| strings.get(at) == strings.iter().nth(at)));
    assert_eq!(strings.get(4), None);
    assert_eq!(format!("{strings:?}"), r#"["one", "", "three", "\\xff"]"#);
}
