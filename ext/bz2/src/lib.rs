//! The `bz2` extension: bzip2's format for texts, files and stream filters.
#![forbid(unsafe_code)]

mod codec;
mod files;
mod filters;
mod functions;

use phlox_ext_standard::about;
use phlox_ext_standard_file::stream::filter::NativeFilters;
use phlox_ext_standard_file::stream::open::{self, Wrapper};
use phlox_runtime::{Extension, Vm};

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "bz2",
    functions: &[files::FUNCTIONS, functions::FUNCTIONS],
    classes: &[],
    constants: &[],
    ini: &[],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    let wrappers = open::wrappers(vm);
    wrappers.table.borrow_mut().push((b"compress.bzip2".to_vec(), Wrapper::Native(files::WRAPPER)));
    vm.data::<NativeFilters>("native filters").0.borrow_mut().push(("bzip2.*", filters::make));
    about::describe(vm, EXTENSION.name, |_| {
        vec![
            ("BZip2 Support", "Enabled".to_owned()),
            ("Stream Wrapper support", "compress.bzip2://".to_owned()),
            ("Stream Filter support", "bzip2.decompress, bzip2.compress".to_owned()),
            ("BZip2 Version", codec::VERSION.to_owned()),
        ]
    });
}
