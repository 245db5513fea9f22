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
use phlox_runtime::ini::{self, IniAccess, IniBool, IniChange, IniStage, IniState, IniString};
use phlox_runtime::{Extension, PhpResult, Vm};

/// Archives are not written.
pub static READONLY: IniBool = IniBool::new("phar.readonly", "1", IniAccess::All).on_change(stays_on);
static REQUIRE_HASH: IniBool = IniBool::new("phar.require_hash", "1", IniAccess::All).on_change(stays_on);
static CACHE_LIST: IniString = IniString::new("phar.cache_list", "", IniAccess::System);

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

/// A script cannot turn off a protection that the configuration has turned on.
fn stays_on(change: &IniChange<'_>) -> PhpResult<bool> {
    let state = change.vm.ini.state(change.setting);
    let configured = state.and_then(IniState::original).is_some_and(|text| ini::text::bool(&text));
    Ok(change.stage == IniStage::Startup || change.truth() || !configured)
}
