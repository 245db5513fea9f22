//! Declarations as text for messages.

use super::variance::Scope;
use super::{shown, text};
use crate::class::ClassExt;
use crate::func::{Func, Param};
use crate::types::TypeSpec;
use crate::vm::Vm;
use phlox_hhbc::Init;
use phlox_value::{Val, View};

/// A type as PHP prints it, with `self` and `parent` replaced by the classes that they mean.
pub(crate) fn resolved_type(ty: &TypeSpec, scope: &Scope<'_>) -> Vec<u8> {
    let mut result = Vec::new();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\\') || *byte >= 0x80;
    let mut rest: &[u8] = &ty.display;
    while let Some(first) = rest.first() {
        let end = match is_name(first) {
            true => rest.iter().position(|byte| !is_name(byte)).unwrap_or(rest.len()),
            false => 1,
        };
        let (word, tail) = rest.split_at(end);
        let replacement: &[u8] = match word.to_ascii_lowercase().as_slice() {
            b"self" => scope.name(),
            b"parent" => scope.parent_name().map_or(word, |name| name),
            _ => word,
        };
        result.extend_from_slice(shown(replacement));
        rest = tail;
    }
    result
}

/// The text of a method's declaration, `A::f(int $x = 1): string`; it starts with `&` if the method returns by reference.
pub(crate) fn declaration(func: &Func, class_name: &[u8], scope: &Scope<'_>) -> Vec<u8> {
    declaration_as(func, func.scope.get().map_or(class_name, |class| &class.class().name), scope)
}

/// The text of a method's declaration, as a method of the named class.
pub(crate) fn declaration_as(func: &Func, class_name: &[u8], scope: &Scope<'_>) -> Vec<u8> {
    let amp = if func.returns_by_ref() { "& " } else { "" };
    let mut result = text![amp, shown(class_name), "::", &func.name, "("];
    for (index, param) in func.params.iter().enumerate() {
        if index > 0 {
            result.extend_from_slice(b", ");
        }
        result.extend(parameter(func, index, param, scope));
    }
    result.push(b')');
    if let Some(ty) = &func.return_type {
        result.extend(text![": ", &resolved_type(ty, scope)]);
    }
    result
}

fn parameter(func: &Func, index: usize, param: &Param, scope: &Scope<'_>) -> Vec<u8> {
    let mut result = Vec::new();
    if let Some(ty) = func.declared_type(index) {
        result.extend(resolved_type(ty, scope));
        result.push(b' ');
    }
    if param.by_ref {
        result.push(b'&');
    }
    if param.variadic {
        result.extend_from_slice(b"...");
    }
    result.extend(text!["$", &param.name]);
    if index >= func.required && !param.variadic {
        result.extend_from_slice(b" = ");
        result.extend(default_text(func, index, param));
    }
    result
}

/// A builtin function's default as PHP's own declarations spell it: strings in double quotes, names unchanged.
pub fn builtin_default_text(vm: &Vm, func: &Func, index: usize) -> Vec<u8> {
    let Some(param) = func.code().params.get(index) else { return Vec::new() };
    let mark = param.attributes.iter().find(|mark| func.unit.str(mark.name).as_bytes() == b"written");
    let written = mark.and_then(|mark| vm.evaluate_init(&func.unit, mark.args.first()?.value, None).ok()?.into_str());
    if let Some(written) = written {
        return written.to_vec();
    }
    let source = param.default_text.map(|text| func.unit.str(text).as_bytes());
    let Some(source) = source.filter(|&text| text != b"UNKNOWN") else { return b"<default>".to_vec() };
    let quoted = source.strip_prefix(b"'").and_then(|rest| rest.strip_suffix(b"'"));
    let Some(inside) = quoted else { return source.strip_prefix(b"\\").unwrap_or(source).to_vec() };
    let mut shown = vec![b'"'];
    for &byte in inside {
        if byte == b'"' {
            shown.push(b'\\');
        }
        shown.push(byte);
    }
    shown.push(b'"');
    shown
}

/// The default of a parameter, shortened like in PHP.
fn default_text(func: &Func, index: usize, param: &Param) -> Vec<u8> {
    if let (true, Some(vm)) = (func.unit.internal, Vm::current()) {
        return builtin_default_text(vm, func, index);
    }
    let written = func.code().params.get(index).and_then(|param| param.default_text);
    let written = written.map(|text| func.unit.str(text).to_vec());
    match param.default {
        Some(Init::Literal(literal)) => literal_text(&func.unit.literal(literal)),
        Some(Init::Thunk(_)) => match written {
            Some(text) if is_constant_name(&text) => text.strip_prefix(b"\\").unwrap_or(&text).to_vec(),
            _ => b"<expression>".to_vec(),
        },
        None => b"<default>".to_vec(),
    }
}

fn is_constant_name(text: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\\' | b':') || *byte >= 0x80;
    text.iter().all(is_name)
}

fn literal_text(value: &Val) -> Vec<u8> {
    let precision = Vm::current().map_or(14, |vm| vm.ini.get(&crate::settings::PRECISION));
    match value.view() {
        View::Undef | View::Null => b"null".to_vec(),
        View::Bool(value) => value.to_string().into_bytes(),
        View::Str(string) => {
            let tail = if string.len() > 10 { "...'" } else { "'" };
            text!["'", &string[..string.len().min(10)], tail]
        }
        View::Arr(array) => if array.is_empty() { "[]" } else { "[...]" }.as_bytes().to_vec(),
        View::Int(value) => value.to_string().into_bytes(),
        View::Double(value) => crate::number::double_to_string(value, precision).to_vec(),
        _ => Vec::new(),
    }
}
