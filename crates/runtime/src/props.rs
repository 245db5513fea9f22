//! Property access: visibility, uninitialised and unset properties, readonly, hooks, magic methods.

use crate::class::{Class, ClassExt, ClassRef, Member, MemberUse, ObjExt, PropInfo, Reach};
use crate::error::PhpResult;
use crate::func::Func;
use crate::magic::{Guard, guarded};
use crate::vm::{Args, Callee, Vm};
use crate::{arith, coerce, convert, dims, lazy};
use phlox_hhbc::{Attrs, IncDec, SetOp};
use phlox_value::{Key, PhpObj, PhpRef, PhpStr, Slot, Val};
use std::rc::Rc;

mod place;

use place::vivify_dynamic;
pub use place::{PlaceMode, PropPlace, bind, make_ref, place};

/// Slot mark of an undefined slot that the script unset, so that `__get` and the other magic methods apply to it.
pub const MARK_UNSET: u32 = 1;
/// Slot mark of a readonly property that `__clone` may set once more.
pub const MARK_REINITABLE: u32 = 2;

/// The accessing code: its class scope, and whether it uses strict types.
#[derive(Clone, Copy)]
pub struct Access<'a> {
    pub scope: Option<&'a ClassRef>,
    pub strict: bool,
}

/// The kind of property that a name means.
pub enum Found {
    Declared(Rc<PropInfo>),
    /// A property in the table of dynamic properties, because none is declared (or only a parent's private one).
    Dynamic,
    /// A declared property that is not visible from the scope.
    Hidden(Rc<PropInfo>),
}

/// Finds the property that a name means for an object of `class` in a scope.
pub fn find(class: &Class, name: &PhpStr, scope: Option<&ClassRef>) -> Found {
    if let Some(scope) = scope {
        let own = scope.class();
        if !std::ptr::eq(own, class) {
            if let Some(info) = own.props.get(name) {
                let private = info.is_private() && !info.is_static() && info.declarer().id() == scope.id();
                if private && class.is_a(scope) {
                    return Found::Declared(info.clone());
                }
            }
        }
    }
    let Some(info) = class.props.get(name) else { return Found::Dynamic };
    if info.is_static() {
        return Found::Dynamic;
    }
    if is_visible(info, scope) { Found::Declared(info.clone()) } else { Found::Hidden(info.clone()) }
}

/// Whether code in `scope` may read the property.
pub fn is_visible(info: &PropInfo, scope: Option<&ClassRef>) -> bool {
    if info.is_public() {
        return true;
    }
    let Some(scope) = scope else { return false };
    if info.is_private() {
        return info.declarer().id() == scope.id();
    }
    is_related(info, scope)
}

/// Whether protected access is allowed: the scope is related by inheritance to the class of the property's first declaration.
fn is_related(info: &PropInfo, scope: &ClassRef) -> bool {
    let prototype = info.prototype.borrow();
    let root = prototype.as_ref().map_or(info.declarer(), |first| first.declarer());
    scope.class().is_a(root) || root.class().is_a(scope)
}

/// Whether code in `scope` may write the property (asymmetric visibility). Linking made the implied `protected(set)` of readonly
/// properties explicit.
pub fn is_settable(info: &PropInfo, scope: Option<&ClassRef>) -> bool {
    if info.attrs.has(Attrs::PRIVATE_SET) {
        return scope.is_some_and(|scope| scope.id() == info.declarer().id());
    }
    if info.attrs.has(Attrs::PROTECTED_SET) {
        return scope.is_some_and(|scope| is_related(info, scope));
    }
    true
}

/// Raises the notice about a static property that is accessed as an instance property, which then is a dynamic property. `magic`
/// is the magic method that handles the access instead, if there is one.
fn note_static(
    vm: &Vm,
    object: &PhpObj,
    name: &PhpStr,
    scope: Option<&ClassRef>,
    magic: &Option<Rc<Func>>,
) -> PhpResult<()> {
    if magic.is_some() {
        return Ok(());
    }
    let Some(info) = object.class().props.get(name).filter(|info| info.is_static()) else { return Ok(()) };
    // A private static property of the scope takes precedence.
    let own = scope.filter(|scope| object.is_a(scope)).and_then(|scope| scope.class().props.get(name));
    if !is_visible(info, scope) && !own.is_some_and(|own| own.is_private() && own.is_static()) {
        return Err(hidden_error(vm, object, info));
    }
    let shown = [&object.class_name()[..], b"::$", name].concat();
    vm.notice(&[b"Accessing static property ", &shown[..], b" as non static"].concat())
}

fn hidden_error(vm: &Vm, object: &PhpObj, info: &PropInfo) -> crate::Throw {
    let kind = if info.is_private() { "private" } else { "protected" };
    let text = [b"Cannot access ", kind.as_bytes(), b" property ", &object.class_name()[..], b"::$", &info.name];
    vm.throw_error(&text.concat())
}

fn qualified(info: &PropInfo) -> Vec<u8> {
    [info.declarer().class().name.as_bytes(), b"::$", &info.name].concat()
}

fn scope_text(scope: Option<&ClassRef>) -> Vec<u8> {
    match scope {
        Some(class) => [b"scope ".as_slice(), &class.class().name].concat(),
        None => b"global scope".to_vec(),
    }
}

fn set_visibility_error(vm: &Vm, info: &PropInfo, access: Access<'_>, verb: &str) -> crate::Throw {
    let kind = match (info.attrs.has(Attrs::PRIVATE_SET), info.is_readonly()) {
        (true, _) => "private(set)",
        (false, true) => "protected(set) readonly",
        (false, false) => "protected(set)",
    };
    let text = format!("Cannot {verb} {kind} property ");
    let scope = scope_text(access.scope);
    vm.throw_error(&[text.as_bytes(), &qualified(info), b" from ", &scope].concat())
}

/// Whether the running code is a hook of this property on this object, or on a proxy of it.
pub(crate) fn inside_hook(vm: &Vm, object: &PhpObj, info: &PropInfo) -> bool {
    let Some(frame) = vm.frames.last() else { return false };
    if !frame.func.has(phlox_hhbc::FuncFlags::HOOK)
        || !frame.this.as_ref().is_some_and(|this| is_or_stands_for(this, object))
    {
        return false;
    }
    let hook = frame.func.name.as_bytes();
    hook.strip_prefix(b"$")
        .and_then(|rest| rest.strip_prefix(info.name.as_bytes()))
        .is_some_and(|rest| rest.starts_with(b"::"))
}

/// Whether `this` is the object or a proxy of it.
pub(crate) fn is_or_stands_for(this: &PhpObj, object: &PhpObj) -> bool {
    this.ptr_eq(object) || lazy::instance(this).is_some_and(|instance| instance.ptr_eq(object))
}

/// The behaviour of a read of an absent property.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ReadMode {
    /// Warn and give null.
    Warn,
    /// For `??` and `isset`: no warning; `__isset` is called before `__get`.
    Quiet,
}

/// Reads a property.
pub fn read(vm: &Vm, object: &PhpObj, name: &PhpStr, access: Access<'_>, mode: ReadMode) -> PhpResult<Val> {
    if let Some(own) = object.class().native.keeper(object, name, Reach::Read) {
        let usage = if mode == ReadMode::Quiet { MemberUse::Quiet } else { MemberUse::Value };
        return (own.read)(vm, object, Member::Property(name), usage);
    }
    let purpose = if mode == ReadMode::Quiet { lazy::Purpose::QuietGet } else { lazy::Purpose::Get };
    if let Some(target) = lazy::forward(vm, object, name, access, purpose)? {
        return read(vm, &target, name, access, mode);
    }
    let class = object.class();
    match find(class, name, access.scope) {
        Found::Declared(info) => {
            if let Some(hook) = &info.get_hook {
                if !inside_hook(vm, object, &info) {
                    return vm
                        .call(&Callee::method(hook.clone(), object.clone()), Args::default())
                        .map(Val::into_deref);
                }
            } else if info.has_hooks() && info.is_virtual() && !inside_hook(vm, object, &info) {
                let text = [b"Property ", &qualified(&info)[..], b" is write-only"].concat();
                return Err(vm.throw_error(&text));
            }
            let Some(slot) = object.slots().get(info.slot) else {
                let text = [b"Must not read from virtual property ", &qualified(&info)[..]].concat();
                return Err(vm.throw_error(&text));
            };
            let value = slot.get_deref();
            if !value.is_undef() {
                return Ok(value);
            }
            if class.native.has_elements_as_properties(object) {
                return read_element(vm, object, name, mode);
            }
            if slot.mark() & MARK_UNSET != 0 || info.ty.is_none() {
                if let Some(value) = read_magic(vm, object, name, mode)? {
                    return match mode {
                        ReadMode::Quiet if value.is_null() => Ok(value),
                        _ => check_magic_value(vm, object, &info, value).map(Val::into_deref),
                    };
                }
            }
            if mode == ReadMode::Quiet {
                return Ok(Val::NULL);
            }
            if info.ty.is_some() {
                return Err(uninitialized(vm, &info));
            }
            undefined(vm, object, name)
        }
        Found::Dynamic => {
            note_static(vm, object, name, access.scope, &class.magic.get)?;
            if let Some(value) = object.dynamic().and_then(|table| table.get(Key::from_str(name)).map(Val::deref)) {
                return Ok(value);
            }
            if object.class().native.has_elements_as_properties(object) {
                return read_element(vm, object, name, mode);
            }
            if let Some(value) = read_magic(vm, object, name, mode)? {
                return Ok(value.into_deref());
            }
            if mode == ReadMode::Quiet { Ok(Val::NULL) } else { undefined(vm, object, name) }
        }
        Found::Hidden(_) if class.native.has_elements_as_properties(object) => read_element(vm, object, name, mode),
        Found::Hidden(info) => {
            if let Some(value) = read_magic(vm, object, name, mode)? {
                return Ok(value.into_deref());
            }
            if mode == ReadMode::Quiet { Ok(Val::NULL) } else { Err(hidden_error(vm, object, &info)) }
        }
    }
}

/// Reads a property that stands for an element.
fn read_element(vm: &Vm, object: &PhpObj, name: &PhpStr, mode: ReadMode) -> PhpResult<Val> {
    let read = if mode == ReadMode::Quiet { dims::read_quiet } else { dims::read };
    read(vm, &object.into(), &name.into())
}

/// The Error about a typed property that is read before it is initialised.
pub(crate) fn uninitialized(vm: &Vm, info: &PropInfo) -> crate::Throw {
    let text = [b"Typed property ", &qualified(info)[..], b" must not be accessed before initialization"];
    vm.throw_error(&text.concat())
}

/// Raises the warning about a property that is read and does not exist; gives null.
pub(crate) fn undefined(vm: &Vm, object: &PhpObj, name: &PhpStr) -> PhpResult<Val> {
    if name.first() == Some(&0) {
        return Err(vm.throw_error(b"Cannot access property starting with \"\\0\""));
    }
    let (class, name) = (crate::until_nul(object.class_name()), crate::until_nul(name));
    vm.warning(&[b"Undefined property: ", class, b"::$", name].concat())?;
    Ok(Val::NULL)
}

/// Calls `__get`; in quiet mode `__isset` before it, if the class has one. `None` if no magic method applies.
fn read_magic(vm: &Vm, object: &PhpObj, name: &PhpStr, mode: ReadMode) -> PhpResult<Option<Val>> {
    let magic = &object.class().magic;
    if mode == ReadMode::Quiet {
        if let Some(isset) = &magic.isset {
            match guarded(vm, object, name, Guard::Isset, isset, &mut [name.into()])? {
                Some(answer) if !convert::to_bool(&answer) => return Ok(Some(Val::NULL)),
                Some(_) => {}
                // Inside `__isset` the value is read nevertheless.
                None => {}
            }
        }
    }
    match &magic.get {
        Some(get) => guarded(vm, object, name, Guard::Get, get, &mut [name.into()]),
        None => Ok(None),
    }
}

/// Checks the result of `__get` for an unset declared property against the property's type.
fn check_magic_value(vm: &Vm, object: &PhpObj, info: &PropInfo, value: Val) -> PhpResult<Val> {
    let strict = object.class().magic.get.as_ref().is_some_and(|get| get.strict_types());
    coerce::magic_get_value(vm, info, value, strict)
}

/// Whether a property that was found this way stands for an element (`ArrayObject::ARRAY_AS_PROPS`).
fn is_element(object: &PhpObj, found: &Found) -> bool {
    let absent = match found {
        Found::Declared(info) => {
            !info.has_hooks() && object.slots().get(info.slot).is_some_and(phlox_value::Slot::is_undef)
        }
        Found::Hidden(_) => true,
        Found::Dynamic => false,
    };
    absent && object.class().native.has_elements_as_properties(object)
}

/// Assigns to a property and returns the value of the assignment expression.
pub fn write(vm: &Vm, object: &PhpObj, name: &PhpStr, value: Val, access: Access<'_>) -> PhpResult<Val> {
    if let Some(own) = object.class().native.keeper(object, name, Reach::Write) {
        (own.write)(vm, object, Member::Property(name), value.clone())?;
        return Ok(value);
    }
    if let Some(target) = lazy::forward(vm, object, name, access, lazy::Purpose::Set)? {
        return write(vm, &target, name, value, access);
    }
    if let Some(check) = object.class().native.check_write {
        check(vm, object, name)?;
    }
    let found = find(object.class(), name, access.scope);
    if is_element(object, &found) {
        dims::array_access(vm, object, b"offsetset", &mut [name.into(), value.clone()])?;
        return Ok(value);
    }
    match found {
        Found::Declared(info) => {
            if info.has_hooks() && !inside_hook(vm, object, &info) {
                return write_hooked(vm, object, &info, value, access);
            }
            write_declared(vm, object, &info, value, access)
        }
        Found::Dynamic => {
            note_static(vm, object, name, access.scope, &object.class().magic.set)?;
            let exists = object.dynamic().is_some_and(|table| table.contains(Key::from_str(name)));
            if !exists {
                if object.class().native.has_elements_as_properties(object) {
                    dims::array_access(vm, object, b"offsetset", &mut [name.into(), value.clone()])?;
                    return Ok(value);
                }
                if write_magic(vm, object, name, &value)? {
                    return Ok(value);
                }
                check_dynamic_creation(vm, object, name)?;
            }
            if let Some(reference) = dynamic_reference(object, name) {
                let value = coerce::reference_value(vm, &reference, value, access.strict)?;
                reference.set(value.clone());
                return Ok(value);
            }
            let old = object.update_dynamic(|table| table.assign(Key::from_str(name), value.clone()));
            drop(old);
            Ok(value)
        }
        Found::Hidden(info) => {
            if write_magic(vm, object, name, &value)? {
                return Ok(value);
            }
            Err(hidden_error(vm, object, &info))
        }
    }
}

fn write_magic(vm: &Vm, object: &PhpObj, name: &PhpStr, value: &Val) -> PhpResult<bool> {
    match &object.class().magic.set {
        Some(set) => Ok(guarded(vm, object, name, Guard::Set, set, &mut [name.into(), value.clone()])?.is_some()),
        None => Ok(false),
    }
}

fn write_hooked(vm: &Vm, object: &PhpObj, info: &Rc<PropInfo>, value: Val, access: Access<'_>) -> PhpResult<Val> {
    if !is_settable(info, access.scope) {
        return Err(set_visibility_error(vm, info, access, "modify"));
    }
    match &info.set_hook {
        Some(hook) => {
            vm.call(&Callee::method(hook.clone(), object.clone()), vec![value.clone()])?;
            Ok(value)
        }
        None if info.unit.internal => {
            let shown = [&object.class_name()[..], b"::$", &info.name].concat();
            Err(vm.throw_error(&[b"Cannot modify readonly property ", &shown[..]].concat()))
        }
        None if info.is_virtual() => {
            Err(vm.throw_error(&[b"Property ", &qualified(info)[..], b" is read-only"].concat()))
        }
        None => write_declared(vm, object, info, value, access),
    }
}

fn write_declared(vm: &Vm, object: &PhpObj, info: &Rc<PropInfo>, value: Val, access: Access<'_>) -> PhpResult<Val> {
    // A hook of a virtual property that assigns to the property finds no backing store.
    let Some(slot) = object.slots().get(info.slot) else {
        return Err(vm.throw_error(&[b"Must not write to virtual property ", &qualified(info)[..]].concat()));
    };
    if slot.is_undef() && slot.mark() & MARK_UNSET != 0 && write_magic(vm, object, &info.name, &value)? {
        return Ok(value);
    }
    if info.is_readonly() && !slot.is_undef() && slot.mark() & MARK_REINITABLE == 0 {
        return Err(vm.throw_error(&[b"Cannot modify readonly property ", &qualified(info)[..]].concat()));
    }
    if !is_settable(info, access.scope) {
        return Err(set_visibility_error(vm, info, access, "modify"));
    }
    let value = match &info.ty {
        Some(_) => {
            // The conversion of an object may run code that drops the assigned object.
            let converts = value.as_obj().is_some();
            let value = coerce::property_value(vm, info, value, access.strict)?;
            if converts && object.refcount() == 1 {
                let text = [b"Object was released while assigning to property ", &qualified(info)[..]].concat();
                return Err(vm.throw_error(&text));
            }
            value
        }
        None => value,
    };
    store(vm, slot, value.clone(), access.strict)?;
    slot.set_mark(0);
    Ok(value)
}

/// The value of a property if it is an object or an array, and no reference: the caller, which replaces the value, drops it at
/// the end.
pub(crate) fn held_in(object: &PhpObj, name: &PhpStr, access: Access<'_>) -> Val {
    let value = match find(object.class(), name, access.scope) {
        Found::Declared(info) => object.slots().get(info.slot).map(Slot::get),
        Found::Dynamic => object.dynamic().and_then(|table| table.get(Key::from_str(name)).cloned()),
        Found::Hidden(_) => None,
    };
    value.filter(|value| value.as_obj().is_some() || value.as_arr().is_some()).unwrap_or(Val::NULL)
}

/// Assigns to a slot; through a reference, whose typed properties check the value.
pub fn store(vm: &Vm, slot: &Slot, value: Val, strict: bool) -> PhpResult<()> {
    match slot.as_ref() {
        Some(reference) => store_reference(vm, &reference, value, strict),
        None => {
            slot.set(value);
            Ok(())
        }
    }
}

/// Assigns through a reference, whose typed properties check the value.
pub fn store_reference(vm: &Vm, reference: &PhpRef, value: Val, strict: bool) -> PhpResult<()> {
    let value = if reference.has_sources() { coerce::reference_value(vm, reference, value, strict)? } else { value };
    reference.set(value);
    Ok(())
}

/// The reference that a dynamic property is, if it is bound to typed properties.
fn dynamic_reference(object: &PhpObj, name: &PhpStr) -> Option<PhpRef> {
    let table = object.dynamic()?;
    let reference = table.get(Key::from_str(name))?.as_ref()?;
    reference.has_sources().then(|| reference.clone())
}

/// Whether an assignment to an undeclared and missing property simply creates it, without diagnostics or magic methods.
pub fn allows_new_property(class: &Class, name: &PhpStr) -> bool {
    let refuses = class.native.no_dynamic || class.attrs.has(Attrs::READONLY) || class.is_enum();
    let has_own_ways = class.magic.set.is_some() || class.native.elements_as_properties.is_some();
    !refuses && !has_own_ways && name.first() != Some(&0) && crate::link::allows_dynamic_properties(class)
}

/// Checks that the class may get a new dynamic property; raises the deprecation or throws an Error.
fn check_dynamic_creation(vm: &Vm, object: &PhpObj, name: &PhpStr) -> PhpResult<()> {
    let class = object.class();
    let shown = [&class.name[..], b"::$", name].concat();
    if name.first() == Some(&0) {
        return Err(vm.throw_error(b"Cannot access property starting with \"\\0\""));
    }
    if class.native.no_dynamic || class.attrs.has(Attrs::READONLY) || class.is_enum() {
        return Err(vm.throw_error(&[b"Cannot create dynamic property ", &shown[..]].concat()));
    }
    if !crate::link::allows_dynamic_properties(class) {
        vm.deprecated(&[b"Creation of dynamic property ", &shown[..], b" is deprecated"].concat())?;
        // The error handler may have released the object.
        if object.refcount() == 1 {
            return Err(vm.throw_error(&[b"Cannot create dynamic property ", &shown[..]].concat()));
        }
    }
    Ok(())
}

/// Whether the property exists, whatever its value. Magic methods are not called.
pub fn exists(vm: &Vm, object: &PhpObj, name: &PhpStr, access: Access<'_>) -> PhpResult<bool> {
    if let Some(own) = object.class().native.keeper(object, name, Reach::Read) {
        return (own.exists)(vm, object, Member::Property(name), false);
    }
    Ok(match find(object.class(), name, access.scope) {
        Found::Declared(info) if info.get_hook.is_some() => true,
        Found::Declared(info) => object.slots().get(info.slot).is_some_and(|slot| !slot.is_undef()),
        Found::Dynamic => object.dynamic().is_some_and(|table| table.contains(Key::from_str(name))),
        Found::Hidden(_) => false,
    })
}

/// `isset` of a property, or with `empty`, whether it is not empty.
pub fn isset(vm: &Vm, object: &PhpObj, name: &PhpStr, access: Access<'_>, empty: bool) -> PhpResult<bool> {
    if let Some(own) = object.class().native.keeper(object, name, Reach::Read) {
        return (own.exists)(vm, object, Member::Property(name), empty);
    }
    if let Some(target) = lazy::forward(vm, object, name, access, lazy::Purpose::Isset)? {
        return isset(vm, &target, name, access, empty);
    }
    let found = find(object.class(), name, access.scope);
    let value = match &found {
        Found::Declared(info) => {
            if let Some(hook) = info.get_hook.as_ref().filter(|_| !inside_hook(vm, object, info)) {
                let value = vm.call(&Callee::method(hook.clone(), object.clone()), Args::default())?;
                return Ok(if empty { convert::to_bool(&value) } else { !value.is_null() });
            }
            let Some(slot) = object.slots().get(info.slot) else {
                let text = [b"Property ", &qualified(info)[..], b" is write-only"].concat();
                return Err(vm.throw_error(&text));
            };
            if slot.is_undef() && info.ty.is_some() && slot.mark() & MARK_UNSET == 0 {
                return Ok(false);
            }
            slot.get_deref()
        }
        Found::Dynamic => {
            let table = object.dynamic();
            table.and_then(|table| table.get(Key::from_str(name)).map(Val::deref)).unwrap_or(Val::UNDEF)
        }
        Found::Hidden(_) => Val::UNDEF,
    };
    if !value.is_undef() {
        return Ok(if empty { convert::to_bool(&value) } else { !value.is_null() });
    }
    if object.class().native.has_elements_as_properties(object) {
        return dims::isset(vm, &object.into(), &name.into(), empty);
    }
    let magic = &object.class().magic;
    let Some(isset) = &magic.isset else { return Ok(false) };
    let answer = guarded(vm, object, name, Guard::Isset, isset, &mut [name.into()])?;
    if !answer.is_some_and(|answer| convert::to_bool(&answer)) {
        return Ok(false);
    }
    if !empty {
        return Ok(true);
    }
    match &magic.get {
        Some(get) => {
            let value = guarded(vm, object, name, Guard::Get, get, &mut [name.into()])?;
            Ok(value.is_some_and(|value| convert::to_bool(&value.into_deref())))
        }
        None => Ok(false),
    }
}

/// Performs `unset($object->name)`. Returns the old value, which the caller drops when nothing here holds the object any more.
pub fn unset(vm: &Vm, object: &PhpObj, name: &PhpStr, access: Access<'_>) -> PhpResult<Val> {
    if let Some(own) = object.class().native.keeper(object, name, Reach::Unset) {
        return (own.unset)(vm, object, Member::Property(name)).map(|()| Val::NULL);
    }
    if let Some(target) = lazy::forward(vm, object, name, access, lazy::Purpose::Unset)? {
        return unset(vm, &target, name, access);
    }
    let call_magic = |vm: &Vm| -> PhpResult<bool> {
        match &object.class().magic.unset {
            Some(unset) => Ok(guarded(vm, object, name, Guard::Unset, unset, &mut [name.into()])?.is_some()),
            None => Ok(false),
        }
    };
    let found = find(object.class(), name, access.scope);
    if is_element(object, &found) {
        return dims::array_access(vm, object, b"offsetunset", &mut [name.into()]);
    }
    match found {
        Found::Declared(info) => {
            if info.has_hooks() {
                let shown = [&object.class_name()[..], b"::$", name].concat();
                if info.unit.internal {
                    return Err(vm.throw_error(&[b"Cannot unset ", &shown[..]].concat()));
                }
                return Err(vm.throw_error(&[b"Cannot unset hooked property ", &shown[..]].concat()));
            }
            let slot = &object.slots()[info.slot];
            if slot.is_undef() && slot.mark() & MARK_UNSET != 0 {
                if !call_magic(vm)? && !is_settable(&info, access.scope) {
                    return Err(set_visibility_error(vm, &info, access, "unset"));
                }
                return Ok(Val::NULL);
            }
            if info.is_readonly() && !slot.is_undef() && slot.mark() & MARK_REINITABLE == 0 {
                return Err(vm.throw_error(&[b"Cannot unset readonly property ", &qualified(&info)[..]].concat()));
            }
            if !is_settable(&info, access.scope) {
                return Err(set_visibility_error(vm, &info, access, "unset"));
            }
            if let Some(reference) = slot.as_ref() {
                let source: phlox_value::TypeSource = info.clone();
                reference.remove_source(&source);
            }
            slot.set_mark(MARK_UNSET);
            Ok(slot.take())
        }
        Found::Dynamic => {
            note_static(vm, object, name, access.scope, &object.class().magic.unset)?;
            let exists = object.dynamic().is_some_and(|table| table.contains(Key::from_str(name)));
            if exists {
                let old = object.update_dynamic(|table| table.remove(Key::from_str(name)));
                return Ok(old.unwrap_or(Val::NULL));
            } else if object.class().native.has_elements_as_properties(object) {
                dims::array_access(vm, object, b"offsetunset", &mut [name.into()])?;
            } else if !call_magic(vm)? && name.first() == Some(&0) {
                return Err(vm.throw_error(b"Cannot access property starting with \"\\0\""));
            }
            Ok(Val::NULL)
        }
        Found::Hidden(info) => {
            if call_magic(vm)? {
                return Ok(Val::NULL);
            }
            let kind = if info.is_private() { "private" } else { "protected" };
            let text = [b"Cannot access ", kind.as_bytes(), b" property ", &object.class_name()[..], b"::$", name];
            Err(vm.throw_error(&text.concat()))
        }
    }
}

fn read_to_change(vm: &Vm, object: &PhpObj, name: &PhpStr, access: Access<'_>) -> PhpResult<Val> {
    match object.class().native.keeper(object, name, Reach::Read) {
        Some(own) => (own.read)(vm, object, Member::Property(name), MemberUse::Changed),
        None => read(vm, object, name, access, ReadMode::Warn),
    }
}

/// Releases the string or array in a property, so that it can grow without a copy. Nothing happens if a value of that kind might
/// be refused when it is stored again.
fn give_up(object: &PhpObj, name: &PhpStr, access: Access<'_>) {
    match find(object.class(), name, access.scope) {
        Found::Declared(info) => {
            let slot = object.slots().get(info.slot).filter(|slot| slot.as_ref().is_none());
            let is_refused = info.ty.is_some() && (info.is_readonly() || !is_settable(&info, access.scope));
            if let Some(slot) = slot.filter(|_| !is_refused && !info.has_hooks()) {
                drop(slot.replace(Val::NULL));
            }
        }
        Found::Dynamic if object.has_dynamic() => object.update_dynamic(|table| {
            if let Some(place) = table.get_mut(Key::from_str(name)).filter(|place| place.as_ref().is_none()) {
                drop(place.replace(Val::NULL));
            }
        }),
        _ => {}
    }
}

/// Performs `$object->name op= value` and returns the result.
pub fn set_op(vm: &Vm, object: &PhpObj, name: &PhpStr, op: SetOp, value: &Val, access: Access<'_>) -> PhpResult<Val> {
    if let Some(target) = lazy::forward(vm, object, name, access, lazy::Purpose::Get)? {
        return set_op(vm, &target, name, op, value, access);
    }
    vivify_dynamic(vm, object, name, access)?;
    let current = read_to_change(vm, object, name, access)?;
    if crate::members::grows(current.kind(), op, value) {
        give_up(object, name, access);
    }
    let result = arith::set_op(vm, op, current, value)?;
    write(vm, object, name, result, access)
}

/// Performs `++` or `--` on a property and returns the value of the expression.
pub fn inc_dec(vm: &Vm, object: &PhpObj, name: &PhpStr, op: IncDec, access: Access<'_>) -> PhpResult<Val> {
    if let Some(target) = lazy::forward(vm, object, name, access, lazy::Purpose::Get)? {
        return inc_dec(vm, &target, name, op, access);
    }
    vivify_dynamic(vm, object, name, access)?;
    if let Found::Declared(info) = find(object.class(), name, access.scope)
        && info.is_readonly()
        && object.slots().get(info.slot).is_some_and(|slot| !slot.is_undef() && slot.mark() & MARK_REINITABLE == 0)
    {
        return Err(vm.throw_error(&[b"Cannot modify readonly property ", &qualified(&info)[..]].concat()));
    }
    let current = read_to_change(vm, object, name, access)?;
    let increment = matches!(op, IncDec::PreInc | IncDec::PostInc);
    let next = if increment { arith::increment(vm, &current)? } else { arith::decrement(vm, &current)? };
    if let Found::Declared(info) = find(object.class(), name, access.scope) {
        match object.slots().get(info.slot).and_then(Slot::as_ref) {
            Some(reference) => coerce::check_reference_inc_dec(vm, &reference, &current, &next)?,
            None => coerce::check_inc_dec_overflow(vm, &info, &current, &next, increment)?,
        }
    }
    if let Some(reference) = dynamic_reference(object, name) {
        coerce::check_reference_inc_dec(vm, &reference, &current, &next)?;
    }
    let stored = write(vm, object, name, next, access)?;
    Ok(if matches!(op, IncDec::PreInc | IncDec::PreDec) { stored } else { current })
}
