//! The `libxml` extension: settings and errors that all extensions on libxml2 share, and where it reads from.
#![forbid(unsafe_code)]

mod errors;
pub mod loading;

pub use errors::{clear, emit, emit_by_frame, report_html};
pub use loading::{NUL_IN_URI, has_encoded_nul, read_uri};

use phlox_runtime::ConstValue::{Int, Str};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{ConstValue, Extension, NativeClass, Vm};

const CLASSES: &[NativeClass] = &[NativeClass {
    name: "LibXMLError",
    decl: include_str!("../stubs/LibXMLError.stub.php"),
    methods: &[],
    hooks: NativeHooks::NONE,
}];

#[rustfmt::skip]
const CONSTANTS: &[(&str, ConstValue)] = &[
    ("LIBXML_VERSION", Int(20914)),
    ("LIBXML_DOTTED_VERSION", Str("2.9.14")),
    ("LIBXML_LOADED_VERSION", Str("20914")),
    ("LIBXML_RECOVER", Int(1)),
    ("LIBXML_NOENT", Int(2)),
    ("LIBXML_DTDLOAD", Int(4)),
    ("LIBXML_DTDATTR", Int(8)),
    ("LIBXML_DTDVALID", Int(16)),
    ("LIBXML_NOERROR", Int(32)),
    ("LIBXML_NOWARNING", Int(64)),
    ("LIBXML_NOBLANKS", Int(256)),
    ("LIBXML_XINCLUDE", Int(1024)),
    ("LIBXML_NSCLEAN", Int(8192)),
    ("LIBXML_NOCDATA", Int(16384)),
    ("LIBXML_NONET", Int(2048)),
    ("LIBXML_PEDANTIC", Int(128)),
    ("LIBXML_COMPACT", Int(65536)),
    ("LIBXML_NOXMLDECL", Int(2)),
    ("LIBXML_PARSEHUGE", Int(524288)),
    ("LIBXML_BIGLINES", Int(4194304)),
    ("LIBXML_NOEMPTYTAG", Int(4)),
    ("LIBXML_SCHEMA_CREATE", Int(1)),
    ("LIBXML_HTML_NOIMPLIED", Int(8192)),
    ("LIBXML_HTML_NODEFDTD", Int(4)),
    ("LIBXML_ERR_NONE", Int(0)),
    ("LIBXML_ERR_WARNING", Int(1)),
    ("LIBXML_ERR_ERROR", Int(2)),
    ("LIBXML_ERR_FATAL", Int(3)),
];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "libxml",
    functions: &[errors::FUNCTIONS, loading::FUNCTIONS],
    classes: &[CLASSES],
    constants: &[CONSTANTS],
    ini: &[],
    startup: Some(startup),
    shutdown: Some(shutdown),
};

fn startup(vm: &Vm) {
    errors::reset(vm);
    loading::install();
}

fn shutdown(vm: &Vm) {
    errors::reset(vm);
    loading::forget(vm);
}
