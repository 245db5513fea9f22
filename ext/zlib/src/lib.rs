//! The `zlib` extension, on zlib itself, so that compressed texts are those of PHP to the byte.
//!
//! `deflate_init()` uses `phlox-zlib`, which takes the memory level and the strategy; the rest uses `flate2`.
#![forbid(unsafe_code)]

mod codec;
mod contexts;
mod files;
mod filters;
mod functions;
mod output;

use phlox_ext_standard_file::stream::filter::NativeFilters;
use phlox_ext_standard_file::stream::open::{self, Wrapper};
use phlox_runtime::ConstValue::{Int, LibraryInt, LibraryStr};
use phlox_runtime::{ConstValue, Extension, Vm};

const CONSTANTS: &[(&str, ConstValue)] = &[
    ("FORCE_GZIP", Int(codec::GZIP)),
    ("FORCE_DEFLATE", Int(codec::ZLIB)),
    ("ZLIB_ENCODING_RAW", Int(codec::RAW)),
    ("ZLIB_ENCODING_GZIP", Int(codec::GZIP)),
    ("ZLIB_ENCODING_DEFLATE", Int(codec::ZLIB)),
    ("ZLIB_NO_FLUSH", Int(0)),
    ("ZLIB_PARTIAL_FLUSH", Int(1)),
    ("ZLIB_SYNC_FLUSH", Int(2)),
    ("ZLIB_FULL_FLUSH", Int(3)),
    ("ZLIB_BLOCK", Int(5)),
    ("ZLIB_FINISH", Int(4)),
    ("ZLIB_FILTERED", Int(1)),
    ("ZLIB_HUFFMAN_ONLY", Int(2)),
    ("ZLIB_RLE", Int(3)),
    ("ZLIB_FIXED", Int(4)),
    ("ZLIB_DEFAULT_STRATEGY", Int(0)),
    ("ZLIB_VERSION", LibraryStr(phlox_zlib::version)),
    ("ZLIB_VERNUM", LibraryInt(version_number)),
    ("ZLIB_OK", Int(0)),
    ("ZLIB_STREAM_END", Int(1)),
    ("ZLIB_NEED_DICT", Int(2)),
    ("ZLIB_ERRNO", Int(-1)),
    ("ZLIB_STREAM_ERROR", Int(-2)),
    ("ZLIB_DATA_ERROR", Int(-3)),
    ("ZLIB_MEM_ERROR", Int(-4)),
    ("ZLIB_BUF_ERROR", Int(-5)),
    ("ZLIB_VERSION_ERROR", Int(-6)),
];

/// zlib's version in its own form of a number: 0x1310 for 1.3.1.
fn version_number() -> i64 {
    let parts = phlox_zlib::version().split(['.', '-']).map(|part| part.parse().unwrap_or(0));
    parts.chain([0; 4]).take(4).fold(0, |number, part: i64| number << 4 | part)
}

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "zlib",
    functions: &[functions::FUNCTIONS, contexts::FUNCTIONS, files::FUNCTIONS, output::FUNCTIONS],
    classes: &[contexts::CLASSES],
    constants: &[CONSTANTS],
    ini: &[&output::COMPRESSION.def, &output::COMPRESSION_LEVEL.def, &output::HANDLER.def],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    output::startup(vm);
    let wrappers = open::wrappers(vm);
    wrappers.table.borrow_mut().push((b"compress.zlib".to_vec(), Wrapper::Native(files::WRAPPER)));
    vm.data::<NativeFilters>("native filters").0.borrow_mut().push(("zlib.*", filters::make));
}
