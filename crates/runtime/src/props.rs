//! Property access: visibility, uninitialised and unset properties, readonly, hooks, magic methods.

use crate::class::{Class, ClassExt, ClassRef, Member, MemberUse, ObjExt, PropInfo};
use crate::error::PhpResult;
use crate::func::Func;
use crate::magic::{Guard, guarded};
use crate::vm::{Args, Callee, Vm};
use crate::{arith, coerce, convert, dims, lazy};
use phlox_hhbc::{Attrs, IncDec, SetOp};
use phlox_value::{Key, PhpObj, PhpRef, PhpStr, Slot, Val};
use std::rc::Rc;

/// Slot marks: an Undef slot with this mark was unset by the script, so `__get` and friends apply to it.
pub const MARK_UNSET: u32 = 1;
/// A readonly property that `__clone` may set once more.
pub const MARK_REINITABLE: u32 = 2;

/// Who accesses a property: the class scope of the code and whether it uses strict types.
#[derive(Clone, Copy)]
pub struct Access<'a> {
    pub scope: Option<&'a ClassRef>,
    pub strict: bool,
}

/// Where a property's value is.
pub enum Found {
    Declared(Rc<PropInfo>),
    /// Not declared (or a parent's private one): the table of dynamic properties.
    Dynamic,
    /// Declared, but not visible from the scope.
    Hidden(Rc<PropInfo>),
}

/// Finds what a property name means for an object of `class` in a scope.
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

/// May code in `scope` read the property?
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

/// Protected access: the scope and the property's first declaration share a line of inheritance.
fn is_related(info: &PropInfo, scope: &ClassRef) -> bool {
    let prototype = info.prototype.borrow();
    let root = prototype.as_ref().map_or(info.declarer(), |first| first.declarer());
    scope.class().is_a(root) || root.class().is_a(scope)
}

/// May code in `scope` write the property (asymmetric visibility)? Linking has made `protected(set)` of readonly
/// explicit.
pub fn is_settable(info: &PropInfo, scope: Option<&ClassRef>) -> bool {
    if info.attrs.has(Attrs::PRIVATE_SET) {
        return scope.is_some_and(|scope| scope.id() == info.declarer().id());
    }
    if info.attrs.has(Attrs::PROTECTED_SET) {
        return scope.is_some_and(|scope| is_related(info, scope));
    }
    true
}

/// A static property named as an instance one: a notice, and then it is a dynamic property.
/// `magic`: the method that takes the access over, if there is one.
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
    // A private one of the scope comes first.
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

/// Does the code that runs belong to a hook of this property on this object, or on a proxy of it?
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

pub(crate) fn is_or_stands_for(this: &PhpObj, object: &PhpObj) -> bool {
    this.ptr_eq(object) || lazy::instance(this).is_some_and(|instance| instance.ptr_eq(object))
}

/// How absent properties behave in a read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ReadMode {
    /// Warn and give null.
    Warn,
    /// `??` and isset: no warning; `__isset` is asked before `__get`.
    Quiet,
}

/// Reads a property.
pub fn read(vm: &Vm, object: &PhpObj, name: &PhpStr, access: Access<'_>, mode: ReadMode) -> PhpResult<Val> {
    if let Some(own) = object.class().native.own_properties {
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

pub(crate) fn uninitialized(vm: &Vm, info: &PropInfo) -> crate::Throw {
    let text = [b"Typed property ", &qualified(info)[..], b" must not be accessed before initialization"];
    vm.throw_error(&text.concat())
}

fn undefined(vm: &Vm, object: &PhpObj, name: &PhpStr) -> PhpResult<Val> {
    if name.first() == Some(&0) {
        return Err(vm.throw_error(b"Cannot access property starting with \"\\0\""));
    }
    vm.warning(&[b"Undefined property: ", &object.class_name()[..], b"::$", name].concat())?;
    Ok(Val::NULL)
}

/// `__get`, in quiet mode after `__isset` if there is one. `None`: not applicable.
fn read_magic(vm: &Vm, object: &PhpObj, name: &PhpStr, mode: ReadMode) -> PhpResult<Option<Val>> {
    let magic = &object.class().magic;
    if mode == ReadMode::Quiet {
        if let Some(isset) = &magic.isset {
            match guarded(vm, object, name, Guard::Isset, isset, &mut [name.into()])? {
                Some(answer) if !convert::to_bool(&answer) => return Ok(Some(Val::NULL)),
                Some(_) => {}
                // Inside `__isset` the value is still asked for.
                None => {}
            }
        }
    }
    match &magic.get {
        Some(get) => guarded(vm, object, name, Guard::Get, get, &mut [name.into()]),
        None => Ok(None),
    }
}

/// What `__get` returned stands for an unset property, whose type it obeys.
fn check_magic_value(vm: &Vm, object: &PhpObj, info: &PropInfo, value: Val) -> PhpResult<Val> {
    let strict = object.class().magic.get.as_ref().is_some_and(|get| get.strict_types());
    coerce::magic_get_value(vm, info, value, strict)
}

/// Does a property that is found this way stand for an element (`ArrayObject::ARRAY_AS_PROPS`)?
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

/// Assigns a property; gives the value that the assignment expression has.
pub fn write(vm: &Vm, object: &PhpObj, name: &PhpStr, value: Val, access: Access<'_>) -> PhpResult<Val> {
    if let Some(own) = object.class().native.own_properties {
        (own.write)(vm, object, Member::Property(name), value.clone())?;
        return Ok(value);
    }
    if let Some(target) = lazy::forward(vm, object, name, access, lazy::Purpose::Set)? {
        return write(vm, &target, name, value, access);
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
    // A hook of a virtual property that writes the property itself finds no backing store.
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
            // Converting an object may run code that drops the object assigned to.
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

/// Assigns to a slot, through a reference if it is one (whose typed sources are obeyed).
pub fn store(vm: &Vm, slot: &Slot, value: Val, strict: bool) -> PhpResult<()> {
    match slot.as_ref() {
        Some(reference) => store_reference(vm, &reference, value, strict),
        None => {
            slot.set(value);
            Ok(())
        }
    }
}

/// Assigns through a reference.
pub fn store_reference(vm: &Vm, reference: &PhpRef, value: Val, strict: bool) -> PhpResult<()> {
    let value = if reference.has_sources() { coerce::reference_value(vm, reference, value, strict)? } else { value };
    reference.set(value);
    Ok(())
}

/// The reference that a dynamic property is, if typed properties share it.
fn dynamic_reference(object: &PhpObj, name: &PhpStr) -> Option<PhpRef> {
    let table = object.dynamic()?;
    let reference = table.get(Key::from_str(name))?.as_ref()?;
    reference.has_sources().then(|| reference.clone())
}

/// May the class get a new dynamic property? Raises the deprecation or Error.
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
        // The error handler may have dropped the object.
        if object.refcount() == 1 {
            return Err(vm.throw_error(&[b"Cannot create dynamic property ", &shown[..]].concat()));
        }
    }
    Ok(())
}

/// `isset` (or, with `empty`, `!empty`) of a property.
pub fn isset(vm: &Vm, object: &PhpObj, name: &PhpStr, access: Access<'_>, empty: bool) -> PhpResult<bool> {
    if let Some(own) = object.class().native.own_properties {
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

/// `unset($object->name)`
pub fn unset(vm: &Vm, object: &PhpObj, name: &PhpStr, access: Access<'_>) -> PhpResult<()> {
    if let Some(own) = object.class().native.own_properties {
        return (own.unset)(vm, object, Member::Property(name));
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
        return dims::array_access(vm, object, b"offsetunset", &mut [name.into()]).map(drop);
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
                return Ok(());
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
            drop(slot.take());
            Ok(())
        }
        Found::Dynamic => {
            note_static(vm, object, name, access.scope, &object.class().magic.unset)?;
            let exists = object.dynamic().is_some_and(|table| table.contains(Key::from_str(name)));
            if exists {
                let old = object.update_dynamic(|table| table.remove(Key::from_str(name)));
                drop(old);
            } else if object.class().native.has_elements_as_properties(object) {
                dims::array_access(vm, object, b"offsetunset", &mut [name.into()])?;
            } else if !call_magic(vm)? && name.first() == Some(&0) {
                return Err(vm.throw_error(b"Cannot access property starting with \"\\0\""));
            }
            Ok(())
        }
        Found::Hidden(info) => {
            if call_magic(vm)? {
                return Ok(());
            }
            let kind = if info.is_private() { "private" } else { "protected" };
            let text = [b"Cannot access ", kind.as_bytes(), b" property ", &object.class_name()[..], b"::$", name];
            Err(vm.throw_error(&text.concat()))
        }
    }
}

/// A property's place for changing what is inside it, or a reference to it.
pub enum PropPlace {
    /// A declared property's slot.
    Slot(Rc<PropInfo>),
    /// A dynamic property (it may not exist yet).
    Dynamic,
    /// The property is computed: changes go to a copy, unless it is an object or a returned reference.
    Computed(Val),
}

/// Why a place is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PlaceMode {
    /// To change an element or property inside.
    Inside,
    /// As [`PlaceMode::Inside`], for an operation that reads what is there first.
    InsideRead,
    /// To make it a reference.
    Reference,
    /// To unset something inside.
    Unset,
}

/// Finds the place of a property for an indirect change.
pub fn place(vm: &Vm, object: &PhpObj, name: &PhpStr, access: Access<'_>, mode: PlaceMode) -> PhpResult<PropPlace> {
    if let Some(own) = object.class().native.own_properties {
        let usage = if mode == PlaceMode::Unset { MemberUse::Unset } else { MemberUse::Inside };
        return (own.read)(vm, object, Member::Property(name), usage).map(PropPlace::Computed);
    }
    let indirect = |vm: &Vm, value: Val| -> PhpResult<PropPlace> {
        if value.is_ref() || value.as_obj().is_some() {
            return Ok(PropPlace::Computed(value));
        }
        let shown = [&object.class_name()[..], b"::$", name].concat();
        vm.notice(&[b"Indirect modification of overloaded property ", &shown[..], b" has no effect"].concat())?;
        Ok(PropPlace::Computed(value))
    };
    let through_get = |vm: &Vm| -> PhpResult<Option<Val>> {
        match &object.class().magic.get {
            Some(get) => guarded(vm, object, name, Guard::Get, get, &mut [name.into()]),
            None => Ok(None),
        }
    };
    match find(object.class(), name, access.scope) {
        Found::Declared(info) => {
            if info.has_hooks() && !inside_hook(vm, object, &info) {
                return place_hooked(vm, object, &info);
            }
            let slot = &object.slots()[info.slot];
            if slot.is_undef() && slot.mark() & MARK_UNSET != 0 {
                if let Some(value) = through_get(vm)? {
                    return indirect(vm, check_magic_value(vm, object, &info, value)?);
                }
            }
            let current = slot.get_deref();
            if info.is_readonly() || !is_settable(&info, access.scope) {
                // An object inside can change; what is done to the place itself is done to a copy.
                if current.as_obj().is_some() || (mode == PlaceMode::Unset && current.is_undef()) {
                    return Ok(PropPlace::Computed(current.or_null()));
                }
                if current.is_undef() && mode == PlaceMode::InsideRead {
                    return Err(uninitialized(vm, &info));
                }
                if info.is_readonly() {
                    let text = [b"Cannot indirectly modify readonly property ", &qualified(&info)[..]].concat();
                    return Err(vm.throw_error(&text));
                }
                return Err(set_visibility_error(vm, &info, access, "indirectly modify"));
            }
            if current.is_undef()
                && info.ty.as_ref().is_some_and(|ty| mode == PlaceMode::Reference && !ty.allows_null())
            {
                let text =
                    [b"Cannot access uninitialized non-nullable property ", &qualified(&info)[..], b" by reference"];
                return Err(vm.throw_error(&text.concat()));
            }
            Ok(PropPlace::Slot(info))
        }
        Found::Dynamic => {
            let exists = object.dynamic().is_some_and(|table| table.contains(Key::from_str(name)));
            note_static(vm, object, name, access.scope, &object.class().magic.get)?;
            if !exists {
                if object.class().native.has_elements_as_properties(object) {
                    let reference = dims::element_ref(vm, object, Some(&name.into()), false)?;
                    return match reference {
                        Some(reference) => Ok(PropPlace::Computed(reference.into())),
                        None => indirect(vm, dims::offset_get(vm, object, Some(&name.into()))?),
                    };
                }
                if let Some(value) = through_get(vm)? {
                    return indirect(vm, value);
                }
                if mode != PlaceMode::Unset {
                    check_dynamic_creation(vm, object, name)?;
                }
            }
            Ok(PropPlace::Dynamic)
        }
        Found::Hidden(info) => match through_get(vm)? {
            Some(value) => indirect(vm, value),
            None => Err(hidden_error(vm, object, &info)),
        },
    }
}

fn place_hooked(vm: &Vm, object: &PhpObj, info: &Rc<PropInfo>) -> PhpResult<PropPlace> {
    let Some(hook) = &info.get_hook else {
        if info.is_virtual() {
            return Err(vm.throw_error(&[b"Property ", &qualified(info)[..], b" is write-only"].concat()));
        }
        let current = object.slots()[info.slot].get_deref();
        if current.as_obj().is_some() {
            return Ok(PropPlace::Computed(current));
        }
        return Err(vm.throw_error(&[b"Indirect modification of ", &qualified(info)[..], b" is not allowed"].concat()));
    };
    let value = vm.call(&Callee::method(hook.clone(), object.clone()), Args::default())?;
    if value.as_obj().is_some() || (hook.returns_by_ref() && value.is_ref()) {
        return Ok(PropPlace::Computed(value));
    }
    Err(vm.throw_error(&[b"Indirect modification of ", &qualified(info)[..], b" is not allowed"].concat()))
}

/// Makes a property a reference and returns it (`&$object->name`).
pub fn make_ref(vm: &Vm, object: &PhpObj, name: &PhpStr, access: Access<'_>) -> PhpResult<PhpRef> {
    if let Some(instance) = lazy::asking_instance(vm, object, name, lazy::Purpose::Get)
        && matches!(find(object.class(), name, access.scope), Found::Dynamic)
    {
        return read(vm, &instance, name, access, ReadMode::Warn).map(|mut value| value.make_ref());
    }
    if let Some(target) = lazy::forward(vm, object, name, access, lazy::Purpose::Get)? {
        return make_ref(vm, &target, name, access);
    }
    match place(vm, object, name, access, PlaceMode::Reference)? {
        PropPlace::Slot(info) => {
            let slot = &object.slots()[info.slot];
            let fresh = slot.as_ref().is_none();
            let reference = slot.make_ref();
            if fresh && info.ty.is_some() {
                reference.add_source(info);
            }
            Ok(reference)
        }
        PropPlace::Dynamic => Ok(object.update_dynamic(|table| table.entry(Key::from_str(name)).0.make_ref())),
        PropPlace::Computed(mut value) => Ok(value.make_ref()),
    }
}

/// Makes a property an alias of a reference (`$object->name = &$x`).
pub fn bind(vm: &Vm, object: &PhpObj, name: &PhpStr, reference: PhpRef, access: Access<'_>) -> PhpResult<()> {
    if let Some(target) = lazy::forward(vm, object, name, access, lazy::Purpose::Set)? {
        return bind(vm, &target, name, reference, access);
    }
    if let Found::Declared(info) = find(object.class(), name, access.scope)
        && info.get_hook.is_some()
        && !inside_hook(vm, object, &info)
    {
        return Err(bind_hooked(vm, object, &info));
    }
    match place(vm, object, name, access, PlaceMode::Inside)? {
        PropPlace::Slot(info) => {
            if info.ty.is_some() {
                coerce::bind_reference(vm, &info, &reference, access.strict)?;
                reference.add_source(info.clone());
            }
            let slot = &object.slots()[info.slot];
            if let Some(old) = slot.as_ref() {
                let source: phlox_value::TypeSource = info.clone();
                old.remove_source(&source);
            }
            slot.set(reference.into());
            Ok(())
        }
        PropPlace::Dynamic => {
            let old = object.update_dynamic(|table| table.insert(Key::from_str(name), reference.into()));
            drop(old);
            Ok(())
        }
        PropPlace::Computed(_) => Err(vm.throw_error(b"Cannot assign by reference to overloaded object")),
    }
}

/// A property with a get hook cannot become an alias, which is found out after the hook was asked for its value.
fn bind_hooked(vm: &Vm, object: &PhpObj, info: &Rc<PropInfo>) -> crate::Throw {
    let asked = place_hooked(vm, object, info);
    let later = vm.throw_error(b"Cannot assign by reference to overloaded object");
    if let (Err(crate::Throw::Exception(earlier)), crate::Throw::Exception(later)) = (asked, &later) {
        crate::errors::chain_previous(later, earlier);
    }
    later
}

/// `op=` and `++` of a property that does not exist complain and make it (as null).
fn vivify_dynamic(vm: &Vm, object: &PhpObj, name: &PhpStr, access: Access<'_>) -> PhpResult<()> {
    let class = object.class();
    if class.magic.get.is_some()
        || class.native.own_properties.is_some()
        || class.native.has_elements_as_properties(object)
    {
        return Ok(());
    }
    let key = Key::from_str(name);
    let absent = matches!(find(class, name, access.scope), Found::Dynamic)
        && !class.props.contains_key(name)
        && !object.dynamic().is_some_and(|table| table.contains(key));
    if absent {
        check_dynamic_creation(vm, object, name)?;
        // The handler of the warning does not see the property, and it is made even if the handler throws.
        let warned = undefined(vm, object, name);
        if !object.dynamic().is_some_and(|table| table.contains(key)) {
            let old = object.update_dynamic(|table| table.insert(key, Val::NULL));
            drop(old);
        }
        warned?;
    }
    Ok(())
}

/// `$object->name op= value`
pub fn set_op(vm: &Vm, object: &PhpObj, name: &PhpStr, op: SetOp, value: &Val, access: Access<'_>) -> PhpResult<Val> {
    if let Some(target) = lazy::forward(vm, object, name, access, lazy::Purpose::Get)? {
        return set_op(vm, &target, name, op, value, access);
    }
    vivify_dynamic(vm, object, name, access)?;
    let current = read(vm, object, name, access, ReadMode::Warn)?;
    // The slot gives its count up so that a string can grow in place.
    if let Found::Declared(info) = find(object.class(), name, access.scope) {
        let slot = object.slots().get(info.slot).filter(|slot| slot.as_ref().is_none());
        if let Some(slot) = slot.filter(|_| info.ty.is_none() && !info.has_hooks() && current.as_str().is_some()) {
            drop(slot.replace(Val::NULL));
            let result = arith::set_op(vm, op, current, value);
            return match result {
                Ok(result) => write(vm, object, name, result, access),
                Err(throw) => Err(throw),
            };
        }
    }
    let result = arith::set_op(vm, op, current, value)?;
    write(vm, object, name, result, access)
}

/// `++`/`--` of a property.
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
    let current = read(vm, object, name, access, ReadMode::Warn)?;
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
