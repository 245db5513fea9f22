//! Values as defaults and constants show them.

use super::put;
use phlox_hhbc::{Init, StrId};
use phlox_runtime::settings::PRECISION;
use phlox_runtime::{Key, LinkedUnit, ObjExt, PhpArr, PhpResult, PhpStr, Val, View, Vm, convert, enums, number};

/// A default or argument value.
pub fn value(vm: &Vm, text: &mut Vec<u8>, value: &Val) {
    nested(vm, text, value, 0);
}

/// Arrays in arrays beyond this depth are left out: values may be cyclic through objects of attributes.
const DEPTH_MAX: usize = 128;

fn nested(vm: &Vm, text: &mut Vec<u8>, value: &Val, depth: usize) {
    match value.view() {
        View::Undef | View::Null => put!(text, "NULL"),
        View::Bool(b) => put!(text, if b { "true" } else { "false" }),
        View::Int(i) => put!(text, &i.to_string()),
        View::Double(d) => {
            let shown = number::double_to_string(d, vm.ini.get(&PRECISION));
            let whole = shown.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-');
            put!(text, &shown, if whole { ".0" } else { "" });
        }
        View::Str(string) => put!(text, "'", &escaped(string), "'"),
        View::Arr(array) if depth < DEPTH_MAX => array_value(vm, text, array, depth),
        View::Obj(object) if object.class().is_enum() => {
            put!(text, object.class_name(), "::", &enums::case_name(object));
        }
        View::Obj(object) => put!(text, "object(", object.class_name(), ")"),
        View::Ref(reference) => nested(vm, text, &reference.get(), depth),
        View::Arr(_) | View::Res(_) | View::Class(_) => {}
    }
}

fn array_value(vm: &Vm, text: &mut Vec<u8>, array: &PhpArr, depth: usize) {
    put!(text, "[");
    let is_list = array.is_list();
    for (position, (key, element)) in array.iter().enumerate() {
        if position > 0 {
            put!(text, ", ");
        }
        match key {
            _ if is_list => {}
            Key::Int(index) => put!(text, &index.to_string(), " => "),
            Key::Str(name) => put!(text, "'", &escaped(name), "' => "),
        }
        nested(vm, text, element, depth + 1);
    }
    put!(text, "]");
}

/// Control characters and backslashes as escapes.
fn escaped(string: &[u8]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(string.len());
    for &byte in string {
        match byte {
            b'\n' => shown.extend(b"\\n"),
            b'\r' => shown.extend(b"\\r"),
            b'\t' => shown.extend(b"\\t"),
            0x0c => shown.extend(b"\\f"),
            0x0b => shown.extend(b"\\v"),
            b'\\' => shown.extend(b"\\\\"),
            0x1b => shown.extend(b"\\e"),
            0..32 | 127.. => shown.extend(format!("\\x{byte:02X}").into_bytes()),
            _ => shown.push(byte),
        }
    }
    shown
}

/// A default: a literal as a value, anything else as its source.
pub fn default(vm: &Vm, text: &mut Vec<u8>, unit: &LinkedUnit, init: Init, source: Option<StrId>) {
    match (init, source) {
        (Init::Literal(literal), _) => value(vm, text, &unit.literal(literal)),
        (Init::Thunk(_), Some(source)) => put!(text, unit.str(source)),
        (Init::Thunk(_), None) => {}
    }
}

/// A global constant's line.
pub fn constant(
    vm: &Vm,
    text: &mut Vec<u8>,
    name: &PhpStr,
    value: &Val,
    persistent: bool,
    indent: &str,
) -> PhpResult<()> {
    let deprecated = name.as_bytes() == b"E_STRICT";
    let flags = match (persistent, deprecated) {
        (true, true) => "<persistent, deprecated> ",
        (true, false) => "<persistent> ",
        (false, true) => "<deprecated> ",
        (false, false) => "",
    };
    let kind = convert::type_name(value);
    put!(text, indent, "Constant [ ", flags, kind.as_bytes(), " ", name, " ] { ");
    match value.view() {
        View::Arr(_) => put!(text, "Array"),
        _ => put!(text, &convert::to_str(vm, value)?),
    }
    put!(text, " }\n");
    Ok(())
}
