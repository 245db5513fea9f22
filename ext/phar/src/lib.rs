//! The `phar` extension: programs in one file, and tar and zip archives, read and written.
//!
//! Functions for files inside of archives work through `phar://` only: `Phar::interceptFileFuncs` changes nothing, and
//! `Phar::mount` and `Phar::webPhar`'s web part are not there.
#![forbid(unsafe_code)]

pub mod archive;
mod classes;
mod file_info;
mod methods;
mod settings;
mod statics;
mod tar;
mod wrapper;
mod write;
mod zip;

use phlox_ext_standard_file::stream::open::{self, Wrapper};
use phlox_runtime::{Extension, Vm};
use settings::{CACHE_LIST, READONLY, REQUIRE_HASH};

pub static EXTENSION: Extension = Extension {
    name: "Phar",
    functions: &[],
    classes: &[classes::CLASSES, file_info::CLASSES],
    constants: &[],
    ini: &[&READONLY.def, &REQUIRE_HASH.def, &CACHE_LIST.def],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    let phar = Wrapper::Native(wrapper::WRAPPER);
    open::wrappers(vm).table.borrow_mut().push((b"phar".to_vec(), phar));
    phlox_runtime::files::set_stream_resolver(vm, wrapper::full_name);
}
