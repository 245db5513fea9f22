//! The output of `print_r`.

use super::{DEPTH_MAX, debug_properties, pad, too_deep};
use crate::class::ObjExt;
use crate::convert::{printable_name, to_str, unmangle_name};
use crate::error::PhpResult;
use crate::vm::Vm;
use phlox_hhbc::TypeMask;
use phlox_value::{ArrKey, PhpObj, Val, View};

/// The text that `print_r` shows for a value.
pub fn print_r(vm: &Vm, value: &Val) -> PhpResult<Vec<u8>> {
    let mut out = Vec::new();
    write(vm, &mut out, value, 0, 0)?;
    Ok(out)
}

fn write(vm: &Vm, out: &mut Vec<u8>, value: &Val, indent: usize, depth: u32) -> PhpResult<()> {
    if depth > DEPTH_MAX {
        return Err(too_deep(vm));
    }
    match value.view() {
        View::Ref(r) => write(vm, out, &r.get(), indent, depth),
        View::Arr(array) => {
            out.extend_from_slice(b"Array\n");
            if !array.protect() {
                out.extend_from_slice(b" *RECURSION*");
                return Ok(());
            }
            let entries = array.iter().map(|(key, value)| (key.to_owned(), value.clone()));
            let result = table(vm, out, entries, indent, depth);
            array.unprotect();
            result
        }
        View::Obj(object) => {
            header(out, object);
            if !object.protect() {
                out.extend_from_slice(b" *RECURSION*");
                return Ok(());
            }
            let result = debug_properties(vm, object).and_then(|shown| {
                let present = shown.into_iter().filter(|property| !property.value.is_undef());
                table(vm, out, present.map(|p| (property_label(p.key), p.value)), indent, depth)
            });
            object.unprotect();
            result
        }
        _ => {
            out.extend_from_slice(&to_str(vm, value)?);
            Ok(())
        }
    }
}

fn header(out: &mut Vec<u8>, object: &PhpObj) {
    out.extend_from_slice(printable_name(object.class_name()));
    let class = object.class();
    if !class.is_enum() {
        return out.extend_from_slice(b" Object\n");
    }
    out.extend_from_slice(b" Enum");
    if let Some(backing) = &class.enum_type {
        out.extend_from_slice(if backing.has(TypeMask::INT) { b":int" } else { b":string" });
    }
    out.push(b'\n');
}

/// The label of a property: `name`, `name:protected` or `name:Class:private`.
fn property_label(key: ArrKey) -> ArrKey {
    let ArrKey::Str(name) = &key else { return key };
    match unmangle_name(name) {
        (None, _) => key,
        (Some(b"*"), name) => ArrKey::Str([name, b":protected"].concat().into()),
        (Some(class), name) => ArrKey::Str([name, b":", printable_name(class), b":private"].concat().into()),
    }
}

fn table(
    vm: &Vm,
    out: &mut Vec<u8>,
    entries: impl Iterator<Item = (ArrKey, Val)>,
    indent: usize,
    depth: u32,
) -> PhpResult<()> {
    pad(out, indent);
    out.extend_from_slice(b"(\n");
    for (key, value) in entries {
        pad(out, indent + 4);
        out.push(b'[');
        match key {
            ArrKey::Int(i) => out.extend_from_slice(i.to_string().as_bytes()),
            ArrKey::Str(s) => out.extend_from_slice(&s),
        }
        out.extend_from_slice(b"] => ");
        write(vm, out, &value, indent + 8, depth + 1)?;
        out.push(b'\n');
    }
    pad(out, indent);
    out.extend_from_slice(b")\n");
    Ok(())
}
