//! Conversions between types: casts, array offsets, and the names of types.

use crate::class::{Attrs, CastTo, ObjExt, PropInfo};
use crate::error::PhpResult;
use crate::number::{self, Number};
use crate::vm::Vm;
use phlox_value::{ArrKey, Key, PhpArr, PhpObj, PhpStr, Val, View};
use std::borrow::Cow;

/// `(bool)`
pub fn to_bool(value: &Val) -> bool {
    match value.view() {
        View::Undef | View::Null => false,
        View::Bool(b) => b,
        View::Int(i) => i != 0,
        View::Double(d) => d != 0.0,
        View::Str(s) => !matches!(s.as_bytes(), b"" | b"0"),
        View::Arr(a) => !a.is_empty(),
        View::Obj(object) => object_to_bool(object),
        View::Res(_) | View::Class(_) => true,
        View::Ref(r) => to_bool(&r.get()),
    }
}

/// The truth of an object: true, unless the cast of its class gives false.
fn object_to_bool(object: &PhpObj) -> bool {
    let Some((cast, vm)) = object.class().native.cast.zip(Vm::current()) else { return true };
    match cast(vm, object, CastTo::Bool) {
        Ok(Some(truth)) => to_bool(&truth),
        _ => true,
    }
}

/// The result of an object's native cast, if its class has one for this target.
pub(crate) fn native_cast(vm: &Vm, object: &PhpObj, target: CastTo) -> PhpResult<Option<Val>> {
    match object.class().native.cast {
        Some(cast) => cast(vm, object, target),
        None => Ok(None),
    }
}

fn warn_not_convertible(vm: &Vm, object: &PhpObj, target: &str) -> PhpResult<()> {
    let text = [b"Object of class ", printable_name(object.class_name()), b" could not be converted to "].concat();
    vm.warning(&[&text, target.as_bytes()].concat())
}

/// `(int)`
pub fn to_int(vm: &Vm, value: &Val) -> PhpResult<i64> {
    Ok(match value.view() {
        View::Undef | View::Null | View::Class(_) => 0,
        View::Bool(b) => b.into(),
        View::Int(i) => i,
        View::Double(d) => number::double_to_int(d),
        View::Str(s) => number::string_to_int(s),
        View::Arr(a) => i64::from(!a.is_empty()),
        View::Res(r) => r.id(),
        View::Ref(r) => return to_int(vm, &r.get()),
        View::Obj(object) => match native_cast(vm, object, CastTo::Int)? {
            Some(cast) => return to_int(vm, &cast),
            None => {
                warn_not_convertible(vm, object, "int")?;
                1
            }
        },
    })
}

/// `(float)`
pub fn to_double(vm: &Vm, value: &Val) -> PhpResult<f64> {
    Ok(match value.view() {
        View::Double(d) => d,
        View::Str(s) => number::string_to_double(s),
        View::Ref(r) => return to_double(vm, &r.get()),
        View::Obj(object) => match native_cast(vm, object, CastTo::Float)? {
            Some(cast) => return to_double(vm, &cast),
            None => {
                warn_not_convertible(vm, object, "float")?;
                1.0
            }
        },
        _ => to_int(vm, value)? as f64,
    })
}

/// The number that arithmetic reads from a scalar: strings by their numeric prefix (0 without one), without diagnostics.
pub fn to_number(vm: &Vm, value: &Val) -> PhpResult<Number> {
    Ok(match value.view() {
        View::Double(d) => Number::Double(d),
        View::Str(s) => number::numeric_prefix(s).map_or(Number::Int(0), |n| n.number),
        View::Ref(r) => return to_number(vm, &r.get()),
        _ => Number::Int(to_int(vm, value)?),
    })
}

/// `(string)`: arrays raise a warning, objects use `__toString`.
pub fn to_str(vm: &Vm, value: &Val) -> PhpResult<PhpStr> {
    Ok(match value.view() {
        View::Undef | View::Null | View::Bool(false) | View::Class(_) => PhpStr::empty(),
        View::Bool(true) => PhpStr::new(b"1"),
        View::Int(i) => int_to_str(i),
        View::Double(d) => PhpStr::from(number::double_to_string(d, vm.ini.get(&crate::settings::PRECISION))),
        View::Str(s) => s.clone(),
        View::Arr(_) => {
            vm.warning(b"Array to string conversion")?;
            PhpStr::intern(b"Array")
        }
        View::Res(r) => PhpStr::from(format!("Resource id #{}", r.id()).as_str()),
        View::Ref(r) => return to_str(vm, &r.get()),
        View::Obj(object) => match object_to_str(vm, object)? {
            Some(string) => string,
            None => {
                let name = printable_name(object.class_name());
                let text = [b"Object of class ", name, b" could not be converted to string"].concat();
                return Err(vm.throw_error(&text));
            }
        },
    })
}

/// An integer in decimal.
pub fn int_to_str(value: i64) -> PhpStr {
    if let 0..=9 = value {
        return PhpStr::new(&[b'0' + value as u8]);
    }
    PhpStr::new(int_digits(value, &mut [0; 20]))
}

/// The decimal digits of the numbers below 100.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[b'0'; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [b'0' + number as u8 / 10, b'0' + number as u8 % 10];
        number += 1;
    }
    pairs
};

/// The decimal digits of an integer, written to the end of a buffer.
pub fn int_digits(value: i64, buffer: &mut [u8; 20]) -> &[u8] {
    let mut at = buffer.len();
    let mut rest = value.unsigned_abs();
    while rest >= 100 {
        let pair = (rest % 100) as usize;
        rest /= 100;
        at -= 2;
        buffer[at..at + 2].copy_from_slice(&PAIRS[pair]);
    }
    if rest >= 10 {
        at -= 2;
        buffer[at..at + 2].copy_from_slice(&PAIRS[rest as usize]);
    } else {
        at -= 1;
        buffer[at] = b'0' + rest as u8;
    }
    if value < 0 {
        at -= 1;
        buffer[at] = b'-';
    }
    &buffer[at..]
}

/// The string form of an object; `None` if its class has none.
pub fn object_to_str(vm: &Vm, object: &PhpObj) -> PhpResult<Option<PhpStr>> {
    if let Some(cast) = native_cast(vm, object, CastTo::String)? {
        return to_str(vm, &cast).map(Some);
    }
    let Some(func) = &object.class().magic.to_string else { return Ok(None) };
    let result = vm.call_on(func, object, &mut [])?;
    match result.deref().into_str() {
        Some(string) => Ok(Some(string)),
        None => {
            let name = printable_name(object.class_name());
            let text = [b"Method ", name, b"::__toString() must return a string value"].concat();
            Err(vm.throw_error(&text))
        }
    }
}

/// A copy of a value of which the caller holds one copy already: a reference that nothing else holds becomes its value.
pub fn unless_shared(value: &Val) -> Val {
    match value.as_ref() {
        Some(reference) if reference.refcount() <= 2 => reference.get(),
        _ => value.clone(),
    }
}

/// `(array)`
pub fn to_array(vm: &Vm, value: Val) -> PhpResult<PhpArr> {
    match value.view() {
        View::Undef | View::Null => Ok(PhpArr::new()),
        View::Ref(r) => to_array(vm, r.get()),
        View::Arr(array) => Ok(array.clone()),
        View::Obj(object) if object.native::<crate::closure::ClosureData>().is_some() => {
            Ok(PhpArr::from_vec(vec![value]))
        }
        View::Obj(object) => object_to_array(vm, object),
        _ => Ok(PhpArr::from_vec(vec![value])),
    }
}

fn object_to_array(vm: &Vm, object: &PhpObj) -> PhpResult<PhpArr> {
    if let Some(properties) = object.class().native.properties {
        if let Some(table) = properties(vm, object, crate::class::Purpose::ArrayCast)? {
            return Ok(table);
        }
    }
    let object = &crate::lazy::without_initialization(object);
    let mut array = PhpArr::new();
    for (key, value) in object_properties(object).iter() {
        let key = match key {
            Key::Str(name) => ArrKey::from_str(name.clone()),
            Key::Int(i) => ArrKey::Int(i),
        };
        array.insert(key.as_key(), unless_shared(value));
    }
    Ok(array)
}

/// All initialised properties regardless of visibility, by mangled name: `"\0C\0private"`, `"\0*\0protected"`.
pub fn object_properties(object: &PhpObj) -> PhpArr {
    object.class().native.refresh(object);
    let declared = &object.class().slots;
    let mut table = PhpArr::new();
    for (info, slot) in declared.iter().zip(object.slots()) {
        let value = slot.get();
        if !value.is_undef() {
            table.insert(Key::Str(&mangled_name(info)), value);
        }
    }
    if let Some(dynamic) = object.dynamic() {
        for (key, value) in dynamic.iter() {
            table.insert(Key::Str(&property_name(key)), value.clone());
        }
    }
    table
}

/// The property name of a key in a table of dynamic properties, where `"5"` is stored as 5.
pub fn property_name(key: Key<'_>) -> PhpStr {
    match key {
        Key::Str(name) => name.clone(),
        Key::Int(i) => int_to_str(i),
    }
}

/// The mangled name of a property, as casts and serialisation show it.
pub fn mangled_name(info: &PropInfo) -> PhpStr {
    if info.attrs.has(Attrs::PRIVATE) {
        let class: &crate::ClassHeader = info.declarer();
        let class = crate::class::ClassExt::class(class).name.clone();
        return PhpStr::concat(&[b"\0", &class, b"\0", &info.name]);
    }
    if info.attrs.has(Attrs::PROTECTED) {
        return PhpStr::concat(&[b"\0*\0", &info.name]);
    }
    info.name.clone()
}

/// Splits a mangled name into the class (`*` for protected) and the name.
pub fn unmangle_name(key: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let Some(rest) = key.strip_prefix(b"\0") else { return (None, key) };
    // The name of an anonymous class contains a NUL byte; a property's name never does.
    match rest.iter().rposition(|&b| b == 0) {
        Some(end) => (Some(&rest[..end]), &rest[end + 1..]),
        None => (None, key),
    }
}

/// `(object)`
pub fn to_object(vm: &Vm, value: Val) -> PhpResult<PhpObj> {
    let value = value.into_deref();
    if let View::Obj(object) = value.view() {
        return Ok(object.clone());
    }
    let class = vm.require_class(b"stdClass")?;
    let object = vm.instantiate(&class)?;
    match value.view() {
        View::Undef | View::Null => {}
        View::Arr(array) => object.set_dynamic((!array.is_empty()).then(|| array.clone())),
        _ => object.update_dynamic(|table| drop(table.insert(Key::Str(&PhpStr::intern(b"scalar")), value.clone()))),
    }
    Ok(object)
}

/// The purpose of an array offset, which selects the message of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetUse {
    Read,
    Write,
    Isset,
    Unset,
}

/// A value as an array key; throws a TypeError if it cannot be one.
pub fn to_key(vm: &Vm, value: &Val, purpose: OffsetUse) -> PhpResult<ArrKey> {
    Ok(match value.view() {
        View::Int(i) => ArrKey::Int(i),
        View::Str(s) => ArrKey::from_str(s.clone()),
        View::Undef | View::Null => ArrKey::Str(PhpStr::empty()),
        View::Bool(b) => ArrKey::Int(b.into()),
        View::Double(d) => ArrKey::Int(double_to_int_checked(vm, d)?),
        View::Res(r) => {
            vm.warning(format!("Resource ID#{0} used as offset, casting to integer ({0})", r.id()).as_bytes())?;
            ArrKey::Int(r.id())
        }
        View::Ref(r) => return to_key(vm, &r.get(), purpose),
        View::Arr(_) | View::Obj(_) | View::Class(_) => {
            let name = value_name(value);
            let text = match purpose {
                OffsetUse::Read | OffsetUse::Write => format!("Cannot access offset of type {name} on array"),
                OffsetUse::Isset => format!("Cannot access offset of type {name} in isset or empty"),
                OffsetUse::Unset => format!("Cannot unset offset of type {name} on array"),
            };
            return Err(vm.throw_type_error(text.as_bytes()));
        }
    })
}

/// The integer of a float; raises a deprecation if the conversion loses precision.
pub fn double_to_int_checked(vm: &Vm, value: f64) -> PhpResult<i64> {
    if !number::is_int_compatible(value) {
        let shown = number::double_to_string(value, -1);
        vm.deprecated(&[b"Implicit conversion from float ", &shown[..], b" to int loses precision"].concat())?;
    }
    Ok(number::double_to_int(value))
}

/// The integer of a float that came from a numeric string; raises a deprecation if the conversion loses precision.
pub fn double_string_to_int_checked(vm: &Vm, value: f64, text: &[u8]) -> PhpResult<i64> {
    let int = number::double_to_int_saturating(value);
    if int as f64 != value {
        let text = [b"Implicit conversion from float-string \"", text, b"\" to int loses precision"].concat();
        vm.deprecated(&text)?;
    }
    Ok(int)
}

/// Text as traces quote it: bytes that are not printable ASCII, and backslashes, are escaped.
pub fn escaped(text: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(text.len());
    for &byte in text {
        match byte {
            b'\n' => escaped.extend_from_slice(b"\\n"),
            b'\r' => escaped.extend_from_slice(b"\\r"),
            b'\t' => escaped.extend_from_slice(b"\\t"),
            0x0c => escaped.extend_from_slice(b"\\f"),
            0x0b => escaped.extend_from_slice(b"\\v"),
            0x1b => escaped.extend_from_slice(b"\\e"),
            b'\\' => escaped.extend_from_slice(b"\\\\"),
            b' '..=b'~' => escaped.push(byte),
            _ => escaped.extend_from_slice(format!("\\x{byte:02X}").as_bytes()),
        }
    }
    escaped
}

/// The name of the value's type in most messages: `int`, `bool`, `object`.
pub fn type_name(value: &Val) -> Cow<'static, str> {
    Cow::Borrowed(match value.view() {
        View::Undef | View::Null => "null",
        View::Bool(_) => "bool",
        View::Int(_) => "int",
        View::Double(_) => "float",
        View::Str(_) => "string",
        View::Arr(_) => "array",
        View::Obj(_) | View::Class(_) => "object",
        View::Res(_) => "resource",
        View::Ref(r) => return type_name(&r.get()),
    })
}

/// The name of the value's type in messages; for an object, the name of its class.
pub fn type_or_class_name(value: &Val) -> Cow<'static, str> {
    match value.view() {
        View::Ref(r) => type_or_class_name(&r.get()),
        View::Obj(object) => Cow::Owned(phlox_text::shown(printable_name(object.class_name())).into_owned()),
        _ => type_name(value),
    }
}

/// The name of the value's type in type errors: an object's class, and `true` or `false` for booleans.
pub fn value_name(value: &Val) -> Cow<'static, str> {
    match value.view() {
        View::Ref(r) => value_name(&r.get()),
        View::Bool(b) => Cow::Borrowed(if b { "true" } else { "false" }),
        _ => type_or_class_name(value),
    }
}

/// `gettype()`
pub fn gettype(value: &Val) -> &'static str {
    match value.view() {
        View::Undef | View::Null => "NULL",
        View::Bool(_) => "boolean",
        View::Int(_) => "integer",
        View::Double(_) => "double",
        View::Str(_) => "string",
        View::Arr(_) => "array",
        View::Obj(_) | View::Class(_) => "object",
        View::Res(r) if r.kind() == "Unknown" => "resource (closed)",
        View::Res(_) => "resource",
        View::Ref(r) => gettype(&r.get()),
    }
}

/// `get_debug_type()`
pub fn debug_type(value: &Val) -> Cow<'static, str> {
    match value.view() {
        View::Ref(r) => debug_type(&r.get()),
        View::Res(r) if r.kind() == "Unknown" => "resource (closed)".into(),
        View::Res(r) => format!("resource ({})", r.kind()).into(),
        _ => type_or_class_name(value),
    }
}

/// A class name as messages show it: for an anonymous class, without the location in it.
pub fn printable_name(name: &[u8]) -> &[u8] {
    name.iter().position(|&b| b == 0).map_or(name, |end| &name[..end])
}
