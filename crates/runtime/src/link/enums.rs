//! Enums: their properties, builtin methods and case objects.

use super::draft::Draft;
use super::properties::plain;
use super::{shown, text};
use crate::call::Call;
use crate::class::{Attrs, ClassConst, ClassExt, ClassRef};
use crate::error::{PhpResult, Thrown};
use crate::func::{Func, FuncBody, NativeFn};
use crate::made::Made;
use crate::types::TypeSpec;
use crate::vm::Vm;
use phlox_hhbc::{FuncFlags, TypeMask};
use phlox_value::{Key, PhpArr, PhpObj, PhpStr, Val, View};
use std::rc::Rc;

/// The row of a property that is not in the unit's property table.
const NO_ROW: usize = usize::MAX;

fn type_spec(mask: u32, display: &str) -> Rc<TypeSpec> {
    Rc::new(TypeSpec { mask, classes: Vec::new(), display: PhpStr::intern(display.as_bytes()) })
}

/// Adds `public readonly string $name` and, for a backed enum, `$value`.
pub(super) fn add_properties(draft: &mut Draft<'_>) {
    let attrs = Attrs::PUBLIC | Attrs::READONLY;
    let name = PhpStr::intern(b"name");
    let info = plain(draft, &name, attrs, Some(type_spec(TypeMask::STRING, "string")), NO_ROW);
    draft.props.declare(info);
    if let Some(ty) = draft.def.enum_type {
        let ty = draft.unit.ty(ty).clone();
        let info = plain(draft, &PhpStr::intern(b"value"), attrs, Some(ty), NO_ROW);
        draft.props.declare(info);
    }
}

/// Adds `cases`, and for a backed enum `from` and `tryFrom`, with the signatures that the interfaces declare.
pub(super) fn add_methods(draft: &mut Draft<'_>) -> PhpResult<()> {
    let backed = draft.def.enum_type.is_some();
    let rows: [(&[u8], &[u8], NativeFn); 3] =
        [(b"unitenum", b"cases", cases), (b"backedenum", b"from", from), (b"backedenum", b"tryfrom", try_from)];
    for (interface, method, body) in rows.into_iter().take(if backed { 3 } else { 1 }) {
        let Some(interface) = draft.vm.find_class_no_autoload(interface) else { continue };
        let Some(declared) = interface.class().methods.get(&crate::ByBytes(method)) else { continue };
        let key = PhpStr::intern(method);
        if draft.methods.contains_key(&key) {
            let message = text!["Cannot redeclare ", shown(&draft.name), "::", &declared.name, "()"];
            return Err(draft.fatal(&message));
        }
        let mut func = Func::from_unit(&declared.unit, declared.id, FuncBody::Native(body));
        func.flags = FuncFlags(func.flags.0 & !(FuncFlags::ABSTRACT | FuncFlags::NO_BODY));
        draft.methods.insert(key, Rc::new(func));
    }
    Ok(())
}

/// Creates the object of a case.
pub(super) fn case_object(vm: &Vm, class: &ClassRef, constant: &ClassConst) -> PhpResult<Val> {
    let target = class.class();
    let name: Val = (&constant.name).into();
    let Some(ty) = &target.enum_type else {
        return Ok(PhpObj::new(class.clone(), &[name]).into());
    };
    let value = vm.evaluate_init(&constant.unit, constant.init, Some(class))?;
    if !crate::coerce::matches(vm, ty, &value, Some(class), None)? {
        let given = crate::convert::type_name(&value);
        let what = text!["Enum case type ", &*given, " does not match enum backing type ", &ty.display];
        return Err(vm.throw_type_error(&what));
    }
    Ok(PhpObj::new(class.clone(), &[name, value]).into())
}

/// The enum on which a builtin static method was called.
fn enum_of(call: &Call<'_>) -> ClassRef {
    let class = call.static_class.cloned().or_else(|| call.scope().cloned());
    class.unwrap_or_else(|| unreachable!("enum methods have a class"))
}

fn case_constants(class: &ClassRef) -> impl Iterator<Item = &Rc<ClassConst>> {
    class.class().constants.values().filter(|constant| constant.attrs.has(Attrs::CASE))
}

fn cases(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = enum_of(call);
    let mut list = PhpArr::new();
    for constant in case_constants(&class) {
        let case = super::constant_value(call.vm, constant)?;
        let _ = list.push(case);
    }
    Ok(list.into())
}

fn from(call: &mut Call<'_>) -> PhpResult<Val> {
    let (class, value) = (enum_of(call), backing_argument(call)?);
    if let Some(case) = find_case(call.vm, &class, &value)? {
        return Ok(case);
    }
    let shown_value = match value.view() {
        View::Str(string) => text!["\"", string, "\""],
        _ => value.as_int().unwrap_or(0).to_string().into_bytes(),
    };
    let message = text![&shown_value, " is not a valid backing value for enum ", shown(&class.class().name)];
    Err(call.vm.throw(Thrown::ValueError, &message))
}

fn try_from(call: &mut Call<'_>) -> PhpResult<Val> {
    let (class, value) = (enum_of(call), backing_argument(call)?);
    Ok(find_case(call.vm, &class, &value)?.unwrap_or(Val::NULL))
}

/// The argument, coerced to the enum's backing type.
fn backing_argument(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = enum_of(call);
    let Some(ty) = &class.class().enum_type else { return Ok(Val::NULL) };
    let mut value = call.arg(0);
    // Most arguments are of the type, so that strict types need not be looked up.
    let is_of_type = match value.view() {
        View::Int(_) => ty.has(TypeMask::INT),
        View::Str(_) => ty.has(TypeMask::STRING),
        _ => false,
    };
    if is_of_type {
        return Ok(value);
    }
    let strict = call.vm.caller_is_strict();
    crate::coerce::native_argument(call.vm, call.func, 0, ty, &mut value, strict)?;
    Ok(value)
}

fn find_case(vm: &Vm, class: &ClassRef, value: &Val) -> PhpResult<Option<Val>> {
    let target = class.class();
    check_values(vm, class)?;
    let name = {
        let index = target.enum_index.borrow();
        index.as_ref().and_then(|index| index.get(index_key(value)?)).and_then(|name| name.clone().into_str())
    };
    match name.and_then(|name| target.constants.get(&name).cloned()) {
        Some(constant) => super::constant_value(vm, &constant).map(Some),
        None => Ok(None),
    }
}

/// Builds the table of backing values unless it exists; throws if two cases have equal values.
pub(super) fn check_values(vm: &Vm, class: &ClassRef) -> PhpResult<()> {
    let target = class.class();
    if target.enum_index.borrow().is_none() {
        let index = build_index(vm, class)?;
        target.enum_index.replace(Some(index));
        vm.made.note(Made::EnumIndex(class.clone()));
    }
    Ok(())
}

/// The key of a backing value. Integers and strings can share the table, because an enum has only one kind of value.
fn index_key(value: &Val) -> Option<Key<'_>> {
    match value.view() {
        View::Int(int) => Some(Key::Int(int)),
        View::Str(string) => Some(Key::Str(string)),
        _ => None,
    }
}

fn build_index(vm: &Vm, class: &ClassRef) -> PhpResult<PhpArr> {
    let mut index = PhpArr::new();
    for constant in case_constants(class) {
        let case = super::constant_value(vm, constant)?;
        let Some(value) = case.as_obj().and_then(crate::enums::case_value) else { continue };
        let Some(key) = index_key(&value) else { continue };
        if let Some(earlier) = index.get(key).and_then(|name| name.clone().into_str()) {
            let what = text![shown(&class.class().name), " for cases ", &earlier, " and ", &constant.name];
            return Err(vm.throw_error(&text!["Duplicate value in enum ", &what]));
        }
        index.insert(key, (&constant.name).into());
    }
    Ok(index)
}
