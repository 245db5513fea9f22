//! Writes the rules that are built in: `cargo run -p phlox-ext-fileinfo --example pack -- php.mgc data/rules.bin`.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(source), Some(target)) = (arguments.next(), arguments.next()) else {
        eprintln!("pack COMPILED_RULES PACKED_RULES");
        std::process::exit(1);
    };
    let Some(packed) = phlox_ext_fileinfo::pack(&std::fs::read(source)?) else {
        eprintln!("these are no compiled rules of the right version");
        std::process::exit(1);
    };
    let mut encoder = ZlibEncoder::new(std::fs::File::create(target)?, Compression::best());
    encoder.write_all(&packed)?;
    encoder.finish()?;
    Ok(())
}
