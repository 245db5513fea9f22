//! `docs/t3.md` agrees with the instruction table. `PHLOX_BLESS=1` writes it anew.

use phlox_t3_image::docs;

#[test]
fn the_document_has_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/t3.md");
    let document = std::fs::read_to_string(path).expect("docs/t3.md");
    let renewed = docs::renew(&document).expect("the marks of the generated part");
    if std::env::var_os("PHLOX_BLESS").is_some() {
        std::fs::write(path, &renewed).expect("docs/t3.md can be written");
    }
    assert!(document == renewed || std::env::var_os("PHLOX_BLESS").is_some(), "run with PHLOX_BLESS=1");
}
