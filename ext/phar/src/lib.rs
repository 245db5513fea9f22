//! The `phar` extension: programs in one file, and tar and zip archives, read and written.
//!
//! Functions for files inside of archives work through `phar://` only: `Phar::interceptFileFuncs` changes nothing, and
//! `Phar::mount` and `Phar::webPhar`'s web part are not there.
#![forbid(unsafe_code)]

pub mod archive;
mod classes;
mod file_info;
mod methods;
mod statics;
mod tar;
mod wrapper;
mod write;
mod zip;

use phlox_ext_standard_file::stream::open::{self, Wrapper};
use phlox_runtime::extension::{IniAccess, IniDef};
use phlox_runtime::{Extension, PhpResult, PhpStr, Vm};

pub static EXTENSION: Extension = Extension {
    name: "Phar",
    functions: &[],
    classes: &[classes::CLASSES, file_info::CLASSES],
    constants: &[],
    ini: &[
        IniDef { name: "phar.readonly", default: Some("1"), access: IniAccess::All },
        IniDef { name: "phar.require_hash", default: Some("1"), access: IniAccess::All },
        IniDef { name: "phar.cache_list", default: Some(""), access: IniAccess::System },
    ],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    let phar = Wrapper::Native(wrapper::WRAPPER);
    open::wrappers(vm).table.borrow_mut().push((b"phar".to_vec(), phar));
    vm.ini.watch("phar.readonly", keep_read_only);
    phlox_runtime::files::set_stream_resolver(vm, wrapper::full_name);
}

/// A script cannot make archives writable that the configuration protects.
fn keep_read_only(vm: &Vm, _prefix: &str, value: &PhpStr) -> PhpResult<bool> {
    let protected = vm.ini.entry(b"phar.readonly").and_then(|entry| entry.global);
    let is_on = |text: &[u8]| !matches!(&text.to_ascii_lowercase()[..], b"" | b"0" | b"off" | b"no" | b"false");
    Ok(!protected.is_some_and(|text| is_on(&text)) || is_on(value))
}
