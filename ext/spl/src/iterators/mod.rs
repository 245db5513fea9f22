//! Iterators: the interfaces, those around other iterators, and those over trees of iterators.

mod append;
mod caching;
mod empty;
mod filter;
mod interfaces;
mod limit;
mod multiple;
mod outer;
mod recursive;
mod regex;
mod tree;

pub use crate::members::Methods;
use phlox_runtime::{NativeClass, PhpObj, PhpResult, Throw, Val, Vm, convert};

pub const CLASSES: [&[NativeClass]; 10] = [
    interfaces::CLASSES,
    outer::CLASSES,
    filter::CLASSES,
    limit::CLASSES,
    caching::CLASSES,
    append::CLASSES,
    empty::CLASSES,
    regex::CLASSES,
    recursive::CLASSES,
    tree::CLASSES,
];

pub use multiple::CLASSES as MULTIPLE;

/// Calls a method of an iterator.
pub fn call(vm: &Vm, iterator: &PhpObj, method: &[u8]) -> PhpResult<Val> {
    Ok(vm.call_method(iterator, method, Vec::new())?.into_deref())
}

/// Calls a method of an iterator and converts its result to a boolean.
pub fn ask(vm: &Vm, iterator: &PhpObj, method: &[u8]) -> PhpResult<bool> {
    call(vm, iterator, method).map(|answer| convert::to_bool(&answer))
}

/// Drops an exception if `catches`; an end of the script is passed on.
pub fn tolerate<T>(result: PhpResult<T>, catches: bool) -> PhpResult<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Throw::Exception(_)) if catches => Ok(None),
        Err(throw) => Err(throw),
    }
}

/// What methods throw when the constructor has not run.
pub fn not_constructed(vm: &Vm) -> Throw {
    vm.throw_error(b"The object is in an invalid state as the parent constructor was not called")
}
