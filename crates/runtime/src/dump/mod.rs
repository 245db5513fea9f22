//! Values as readable text: `var_dump`, `debug_zval_dump`, `print_r`, `var_export`.
//!
//! This module finds the properties that an object shows; each format has a file of its own.

mod print_r;
mod var_dump;
mod var_export;

pub use print_r::print_r;
pub use var_dump::{debug_zval, var_dump};
pub use var_export::var_export;

use crate::class::ObjExt;
use crate::convert;
use crate::error::{PhpResult, Throw};
use crate::lazy;
use crate::types::TypeSpec;
use crate::vm::{Callee, Vm};
use phlox_value::{ArrKey, Key, PhpArr, PhpObj, Val};
use std::rc::Rc;

/// Values nested more deeply than this are an error.
const DEPTH_MAX: u32 = 10_000;

fn too_deep(vm: &Vm) -> Throw {
    vm.throw_error(b"Maximum call stack size reached. Infinite recursion?")
}

/// One property as a dump shows it.
struct Shown {
    /// The mangled name, or an integer from a debug array.
    key: ArrKey,
    /// The value; Undef for a typed property that is not initialised.
    value: Val,
    ty: Option<Rc<TypeSpec>>,
}

/// The properties of an object that `var_dump` and `print_r` show.
fn debug_properties(vm: &Vm, object: &PhpObj) -> PhpResult<Vec<Shown>> {
    let class = object.class();
    if let Some(func) = class.magic.debug_info.clone() {
        let result = vm.call(&Callee::method(func, object.clone()), Vec::new())?;
        if result.is_null() {
            return Ok(Vec::new());
        }
        return match result.into_deref().into_arr() {
            Some(table) => Ok(from_table(&table)),
            None => Err(vm.fatal(b"__debuginfo() must return an array")),
        };
    }
    if let Some(hook) = class.native.debug_info {
        return Ok(from_table(&hook(vm, object)?));
    }
    if let Some(instance) = lazy::instance(object) {
        let key = ArrKey::from_bytes(b"instance");
        return Ok(vec![Shown { key, value: instance.into(), ty: None }]);
    }
    class.native.refresh(object);
    let mut shown = Vec::with_capacity(object.slots().len());
    for (info, slot) in class.slots.iter().zip(object.slots()) {
        let value = slot.get();
        if !value.is_undef() || info.ty.is_some() && !info.is_virtual() {
            shown.push(Shown { key: ArrKey::Str(convert::mangled_name(info)), value, ty: info.ty.clone() });
        }
    }
    if let Some(dynamic) = object.dynamic() {
        let entry = |(key, value): (Key<'_>, &Val)| Shown {
            key: ArrKey::Str(convert::property_name(key)),
            value: value.clone(),
            ty: None,
        };
        shown.extend(dynamic.iter().map(entry));
    }
    Ok(shown)
}

fn from_table(table: &PhpArr) -> Vec<Shown> {
    let entry = |(key, value): (Key<'_>, &Val)| Shown { key: key.to_owned(), value: value.clone(), ty: None };
    table.iter().map(entry).collect()
}

/// Appends `count` spaces.
fn pad(out: &mut Vec<u8>, count: usize) {
    out.resize(out.len() + count, b' ');
}
