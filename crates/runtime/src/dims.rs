//! Array and string offsets: conversion of values to keys, and access to single elements.

use crate::class::{Member, MemberUse, ObjExt};
use crate::error::{PhpResult, Throw};
use crate::lookup::KnownClass;
use crate::number::Number;
use crate::vm::Vm;
use crate::{convert, number};
use phlox_value::{ArrKey, Kind, PhpArr, PhpObj, PhpRef, PhpStr, Val, View};

pub use crate::convert::OffsetUse;
pub use crate::convert::to_key as key_of;

/// Raises the warning for a missing array key.
pub fn undefined_key(vm: &Vm, key: &ArrKey) -> PhpResult<()> {
    match key {
        ArrKey::Int(i) => vm.warning(format!("Undefined array key {i}").as_bytes()),
        ArrKey::Str(s) => vm.warning(&[b"Undefined array key \"", crate::until_nul(s), b"\""].concat()),
    }
}

/// A copy of an element for another array: a reference that only its array holds becomes a value.
#[inline]
pub fn copied(value: &Val) -> Val {
    match value.as_ref() {
        Some(reference) if reference.refcount() == 1 => reference.get(),
        _ => value.clone(),
    }
}

/// `$array[$offset]` as a value.
pub fn read_array(vm: &Vm, array: &PhpArr, offset: &Val) -> PhpResult<Val> {
    let found = match offset.view() {
        View::Int(i) => array.get_int(i),
        _ => {
            let key = key_of(vm, offset, OffsetUse::Read)?;
            return match array.get(key.as_key()) {
                Some(value) => Ok(value.deref()),
                None => {
                    undefined_key(vm, &key)?;
                    Ok(Val::NULL)
                }
            };
        }
    };
    match found {
        Some(value) => Ok(value.deref()),
        None => {
            undefined_key(vm, &ArrKey::Int(offset.as_int().unwrap_or(0)))?;
            Ok(Val::NULL)
        }
    }
}

/// The byte position that a value means as a string offset; `usage` selects the diagnostics.
pub fn string_offset(vm: &Vm, offset: &Val, usage: OffsetUse) -> PhpResult<i64> {
    match offset.view() {
        View::Int(i) => return Ok(i),
        View::Str(s) => {
            if let Some(number::Numeric { number: Number::Int(int), trailing, .. }) = number::numeric_prefix(s) {
                if trailing && usage != OffsetUse::Unset {
                    vm.warning(&[b"Illegal string offset \"", &s[..], b"\""].concat())?;
                }
                return Ok(int);
            }
            return Err(illegal_string_offset(vm, offset, usage));
        }
        View::Null | View::Undef | View::Bool(_) | View::Double(_) => {
            vm.warning(b"String offset cast occurred")?;
        }
        View::Ref(r) => return string_offset(vm, &r.get(), usage),
        _ => return Err(illegal_string_offset(vm, offset, usage)),
    }
    Ok(match offset.view() {
        View::Bool(b) => b as i64,
        View::Double(d) => number::double_to_int(d),
        _ => 0,
    })
}

fn illegal_string_offset(vm: &Vm, offset: &Val, usage: OffsetUse) -> Throw {
    if usage == OffsetUse::Unset {
        return vm.throw_error(b"Cannot unset string offsets");
    }
    let text = format!("Cannot access offset of type {} on string", convert::value_name(offset));
    vm.throw_type_error(text.as_bytes())
}

/// The Error about `$object[...]` where the class has no elements.
pub(crate) fn not_an_array(vm: &Vm, object: &PhpObj) -> Throw {
    let text = [b"Cannot use object of type ", &object.class_name()[..], b" as array"].concat();
    vm.throw_error(&text)
}

/// `$string[$offset]`
pub fn read_string(vm: &Vm, string: &PhpStr, offset: &Val) -> PhpResult<Val> {
    let at = string_offset(vm, offset, OffsetUse::Read)?;
    match byte_at(string, at) {
        Some(byte) => Ok(Val::str(&[byte])),
        None => {
            vm.warning(format!("Uninitialized string offset {at}").as_bytes())?;
            Ok(Val::str(b""))
        }
    }
}

/// The byte at an offset; a negative offset counts from the end.
pub fn byte_at(string: &[u8], at: i64) -> Option<u8> {
    let at = if at < 0 { at.checked_add(string.len() as i64)? } else { at };
    string.get(usize::try_from(at).ok()?).copied()
}

/// Reads `$container[$offset]`.
pub fn read(vm: &Vm, container: &Val, offset: &Val) -> PhpResult<Val> {
    match container.view() {
        View::Arr(array) => read_array(vm, array, offset),
        View::Str(string) => read_string(vm, string, offset),
        View::Obj(object) => Ok(offset_get(vm, object, Some(offset))?.into_deref()),
        View::Ref(reference) => read(vm, &reference.get(), offset),
        _ => {
            let name = convert::value_name(container);
            vm.warning(format!("Trying to access array offset on {name}").as_bytes())?;
            Ok(Val::NULL)
        }
    }
}

/// Reads `$container[$offset]` for `??`: no warnings, null when absent.
pub fn read_quiet(vm: &Vm, container: &Val, offset: &Val) -> PhpResult<Val> {
    read_quietly(vm, container, offset, OffsetUse::Read)
}

/// Reads quietly, like [`read_quiet`]; `usage` selects the message about an offset of a wrong type.
fn read_quietly(vm: &Vm, container: &Val, offset: &Val, usage: OffsetUse) -> PhpResult<Val> {
    match container.view() {
        View::Arr(array) => {
            let key = key_of(vm, offset, usage)?;
            Ok(array.get(key.as_key()).map_or(Val::NULL, Val::deref))
        }
        View::Str(string) => Ok(match quiet_string_offset(vm, offset)? {
            Some(at) => byte_at(string, at).map_or(Val::NULL, |byte| Val::str(&[byte])),
            None => Val::NULL,
        }),
        View::Obj(object) => {
            if let Some(own) = object.class().native.own_elements {
                return (own.read)(vm, object, Member::Element(Some(offset)), MemberUse::Quiet);
            }
            if let Some(questions) = object.class().native.element_questions {
                return Ok((questions.read_quietly)(vm, object, offset)?.into_deref());
            }
            if offset_exists(vm, object, offset)? {
                Ok(offset_get(vm, object, Some(offset))?.into_deref())
            } else {
                Ok(Val::NULL)
            }
        }
        View::Ref(reference) => read_quietly(vm, &reference.get(), offset, usage),
        _ => Ok(Val::NULL),
    }
}

/// A string offset in `??`; `None` for a value that is no offset. Types that can never be offsets throw.
fn quiet_string_offset(vm: &Vm, offset: &Val) -> PhpResult<Option<i64>> {
    Ok(match offset.view() {
        View::Double(d) => Some(number::double_to_int(d)),
        View::Str(s) => match number::numeric_prefix(s) {
            Some(number::Numeric { number: Number::Int(int), trailing, .. }) => {
                if trailing {
                    vm.warning(&[b"Illegal string offset \"", &s[..], b"\""].concat())?;
                }
                Some(int)
            }
            _ => None,
        },
        View::Int(_) | View::Bool(_) | View::Null | View::Undef => isset_string_offset(vm, offset)?,
        View::Ref(r) => quiet_string_offset(vm, &r.get())?,
        _ => {
            let text = format!("Cannot access offset of type {} on string", convert::value_name(offset));
            return Err(vm.throw_type_error(text.as_bytes()));
        }
    })
}

/// A string offset in `isset`, which accepts scalars and integer strings.
fn isset_string_offset(vm: &Vm, offset: &Val) -> PhpResult<Option<i64>> {
    Ok(match offset.view() {
        View::Int(i) => Some(i),
        View::Bool(b) => Some(b as i64),
        View::Double(d) => Some(convert::double_to_int_checked(vm, d)?),
        View::Null | View::Undef => Some(0),
        View::Str(s) => match number::numeric(s) {
            Some(Number::Int(i)) => Some(i),
            _ => None,
        },
        _ => None,
    })
}

/// `isset($container[$offset])`; with `empty`, whether the element is not empty.
pub fn isset(vm: &Vm, container: &Val, offset: &Val, empty: bool) -> PhpResult<bool> {
    let judge = |value: &Val| if empty { convert::to_bool(value) } else { !value.is_null() };
    match container.view() {
        View::Obj(object) => {
            if let Some(own) = object.class().native.own_elements {
                return (own.exists)(vm, object, Member::Element(Some(offset)), empty);
            }
            if let Some(questions) = object.class().native.element_questions {
                return (questions.exists)(vm, object, offset, empty);
            }
            let exists = offset_exists(vm, object, offset)?;
            if !exists || !empty {
                return Ok(exists);
            }
            Ok(convert::to_bool(&offset_get(vm, object, Some(offset))?.into_deref()))
        }
        View::Ref(reference) => isset(vm, &reference.get(), offset, empty),
        View::Str(string) => Ok(match isset_string_offset(vm, &offset.deref())? {
            Some(at) => byte_at(string, at).is_some_and(|byte| !empty || byte != b'0'),
            None => false,
        }),
        _ => Ok(judge(&read_quietly(vm, container, offset, OffsetUse::Isset)?)),
    }
}

/// The result of `offsetGet`, as returned (it may be a reference).
pub fn offset_get(vm: &Vm, object: &PhpObj, offset: Option<&Val>) -> PhpResult<Val> {
    if let Some(own) = object.class().native.own_elements {
        return (own.read)(vm, object, Member::Element(offset), MemberUse::Value);
    }
    let class = object.class();
    if let (Some(fast_path), None) = (class.native.fast_elements, &class.magic.offset_get) {
        match (offset, fast_path.refuse) {
            (None, Some(refuse)) => return Err(refuse(vm)),
            (None, None) => {}
            (Some(offset), _) => {
                if let Some(value) = (fast_path.get)(object, offset) {
                    return Ok(value);
                }
                if let Some(throw) = fast_path.missing.and_then(|missing| missing(vm, object, offset)) {
                    return Err(throw);
                }
            }
        }
    }
    let Some(offset) = offset else { return offset_get_to_append(vm, object) };
    array_access(vm, object, b"offsetget", &mut [offset.clone()])
}

/// Reads `$object[]` for a change inside the result.
fn offset_get_to_append(vm: &Vm, object: &PhpObj) -> PhpResult<Val> {
    let class = object.class();
    if class.native.element.is_none() {
        return array_access(vm, object, b"offsetget", &mut [Val::NULL]);
    }
    // A builtin class has no element to change here. A method written in PHP would be called without its argument, which throws.
    match &class.magic.offset_get {
        None => Ok(Val::NULL),
        Some(get) => {
            let name = get.params.first().map_or_else(PhpStr::empty, |param| param.name.clone());
            let text = format!("(): Argument #1 (${name}) not passed");
            let text = [&get.display_name()[..], text.as_bytes()].concat();
            indirect_element(vm, object)?;
            Err(vm.throw(crate::error::Thrown::ArgumentCountError, &text))
        }
    }
}

/// Raises the notice that a change to a value returned by an object has no effect.
pub(crate) fn indirect_element(vm: &Vm, object: &PhpObj) -> PhpResult<()> {
    let name = object.class_name();
    vm.notice(&[b"Indirect modification of overloaded element of ", &name[..], b" has no effect"].concat())
}

/// Calls `offsetExists`, or its fast path.
fn offset_exists(vm: &Vm, object: &PhpObj, offset: &Val) -> PhpResult<bool> {
    let class = object.class();
    if let (Some(fast_path), None) = (class.native.fast_elements, &class.magic.offset_exists)
        && let Some(exists) = (fast_path.exists)(object, offset)
    {
        return Ok(exists);
    }
    let exists = array_access(vm, object, b"offsetexists", &mut [offset.clone()])?;
    Ok(convert::to_bool(&exists))
}

/// An element of an object as a reference, created when missing; `None` if the class cannot give one.
pub fn element_ref(vm: &Vm, object: &PhpObj, offset: Option<&Val>, warns: bool) -> PhpResult<Option<PhpRef>> {
    match object.class().native.element {
        Some(hook) => hook(vm, object, offset, warns),
        None => Ok(None),
    }
}

/// `$object[$offset] = $value`; without an offset, the value is appended.
pub fn offset_set(vm: &Vm, object: &PhpObj, offset: Option<&Val>, value: Val) -> PhpResult<()> {
    if let Some(own) = object.class().native.own_elements {
        return (own.write)(vm, object, Member::Element(offset), value);
    }
    let class = object.class();
    if let (Some(fast_path), None) = (class.native.fast_elements, &class.magic.offset_set) {
        if let Some(old) = (fast_path.set)(object, offset, &value) {
            drop(old);
            return Ok(());
        }
        if let (None, Some(refuse)) = (offset, fast_path.refuse) {
            return Err(refuse(vm));
        }
    }
    let key = offset.cloned().unwrap_or(Val::NULL);
    array_access(vm, object, b"offsetset", &mut [key, value]).map(drop)
}

/// `unset($object[$offset])`
pub fn offset_unset(vm: &Vm, object: &PhpObj, offset: Option<&Val>) -> PhpResult<()> {
    if let Some(own) = object.class().native.own_elements {
        return (own.unset)(vm, object, Member::Element(offset));
    }
    let key = offset.cloned().unwrap_or(Val::NULL);
    array_access(vm, object, b"offsetunset", &mut [key]).map(drop)
}

/// Calls a method of ArrayAccess; throws if the object cannot be used as an array.
pub fn array_access(vm: &Vm, object: &PhpObj, method: &[u8], args: &mut [Val]) -> PhpResult<Val> {
    let class = object.class();
    let magic = &class.magic;
    let written = match method {
        b"offsetget" => &magic.offset_get,
        b"offsetset" => &magic.offset_set,
        b"offsetexists" => &magic.offset_exists,
        _ => &magic.offset_unset,
    };
    if let Some(func) = written {
        return vm.call_on(func, object, args);
    }
    let usable = vm.known_class(KnownClass::ArrayAccess).is_ok_and(|access| class.is_a(access));
    match class.methods.get(&crate::ByBytes(method)).filter(|_| usable) {
        Some(func) => vm.call_on(func, object, args),
        None => Err(not_an_array(vm, object)),
    }
}

/// Assigns a byte of the string in `place`, or the byte behind its last one, where that needs neither a message nor a conversion; a
/// string that nobody else holds stays where it is. Gives the value of the assignment expression; `None`: nothing happened.
pub fn write_byte(place: &mut Val, offset: &Val, value: &Val) -> Option<Val> {
    let (at, &[byte]) = (offset.as_int()?, value.as_str()?.as_bytes()) else { return None };
    let len = place.as_str()?.len();
    let at = if at < 0 { at.checked_add(len as i64)? } else { at };
    let at = usize::try_from(at).ok().filter(|&at| at <= len)?;
    let mut string = place.take().into_str()?;
    if at == len {
        string.append(&[byte]);
    } else {
        string.make_mut()[at] = byte;
    }
    place.set(string.into());
    Some(Val::str(&[byte]))
}

/// Assigns a byte of a string; returns the new string and the value of the assignment expression.
pub fn write_string(vm: &Vm, string: &PhpStr, offset: &Val, value: &Val) -> PhpResult<(PhpStr, Val)> {
    let at = string_offset(vm, offset, OffsetUse::Write)?;
    let len = string.len() as i64;
    if at < -len {
        vm.warning(format!("Illegal string offset {at}").as_bytes())?;
        return Ok((string.clone(), Val::NULL));
    }
    let text = match value.view() {
        View::Str(s) => s.clone(),
        _ => convert::to_str(vm, value)?,
    };
    let Some(&byte) = text.first() else {
        return Err(vm.throw_error(b"Cannot assign an empty string to a string offset"));
    };
    if text.len() > 1 {
        vm.warning(b"Only the first byte will be assigned to the string offset")?;
    }
    let at = if at < 0 { at + len } else { at } as usize;
    // The request heap refuses a string that is too long.
    let written = PhpStr::build(string.len().max(at + 1), |bytes| {
        let (old, new) = bytes.split_at_mut(string.len());
        old.copy_from_slice(string);
        new.fill(b' ');
        bytes[at] = byte;
    });
    Ok((written, Val::str(&[byte])))
}

/// Whether writing an element turns a value of this kind into an array.
pub fn vivifies(kind: Kind) -> bool {
    matches!(kind, Kind::Undef | Kind::Null | Kind::False)
}
