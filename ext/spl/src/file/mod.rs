//! SplFileInfo and what builds on it: directories as iterators, and files as objects.

mod csv;
mod data;
mod directory;
mod filesystem;
mod info;
mod object;
mod reading;

use phlox_runtime::{NativeClass, PhpResult, Vm};

pub const CLASSES: [&[NativeClass]; 4] = [info::CLASSES, directory::CLASSES, filesystem::CLASSES, object::CLASSES];

/// Runs `work`; warnings meanwhile are thrown as exceptions of a class.
pub(crate) fn promoting<R>(vm: &Vm, class: &'static [u8], work: impl FnOnce() -> PhpResult<R>) -> PhpResult<R> {
    let before = vm.errors.promote.replace(Some(class));
    let result = work();
    vm.errors.promote.set(before);
    result
}
