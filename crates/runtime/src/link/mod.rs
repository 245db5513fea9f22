//! Linking of a class declaration: parent, traits, interfaces and checks; then the class is added to the class table.
//!
//! A [`Draft`] is filled step by step, in the order that decides which of several errors PHP reports. Each step has a file of its
//! own; `defaults`, `constants` and `enums` contain what is evaluated later.

mod constants;
mod defaults;
mod draft;
mod enums;
mod inherit;
mod interfaces;
mod kept;
mod methods;
mod properties;
mod signature;
mod traits;
mod variance;
mod verify;

pub use constants::{
    class_constant, constant, constant_as, constant_value, is_constant_visible, report_deprecated_constant,
};
pub use defaults::{evaluate_defaults, listed_static_prop, static_prop};
pub(crate) use kept::{Dependencies, KeptClass};
pub use methods::has_tentative_return_type;
pub use signature::builtin_default_text;

use crate::class::{Class, ClassExt, ClassKind, ClassRef, Magic, NativeHooks};
use crate::error::{Level, PhpResult, Throw};
use crate::extension::NativeClass;
use crate::func::Func;
use crate::strmap::{ByBytes, StrMap, lower_str};
use crate::unit::LinkedUnit;
use crate::vm::Vm;
use draft::Draft;
use phlox_hhbc::{Attrs, ClassId, TypeMask};
use phlox_value::{ClassHeader, PhpObj, PhpStr};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// Joins texts and names (anything that is bytes) into a message.
macro_rules! text {
    ($($part:expr),* $(,)?) => { [$(AsRef::<[u8]>::as_ref($part)),*].concat() };
}
pub(crate) use text;

/// A class's name in messages; for an anonymous class, the part before the NUL byte.
pub(crate) fn shown(name: &[u8]) -> &[u8] {
    name.split(|&byte| byte == 0).next().unwrap_or(name)
}

/// Links row `id` of a unit's class table and adds it to the class table.
pub fn declare_class(
    vm: &Vm,
    unit: &Rc<LinkedUnit>,
    id: ClassId,
    native: Option<&'static NativeClass>,
) -> PhpResult<ClassRef> {
    if let Some(key) = kept::key(unit, id).filter(|key| !vm.classes.borrow().contains_key(key))
        && let Some(class) = kept::declare_again(vm, unit, id, &key)?
    {
        return Ok(class);
    }
    let def = &unit.unit.classes[id.index()];
    let key = lower_str(unit.str(def.name));
    let existing = match native {
        Some(_) => vm.classes.borrow().get(&key).cloned(),
        None => vm.find_class_no_autoload(&key),
    };
    if let Some(existing) = existing {
        // The declaration of an anonymous class is reached each time its `new` runs.
        let same = |class: &ClassRef| Rc::ptr_eq(&class.class().unit, unit) && class.class().id == id;
        if def.attrs.has(Attrs::ANONYMOUS) {
            return if same(&existing) { Ok(existing) } else { anonymous_twin(vm, unit, id) };
        }
        return Err(redeclaration(vm, unit, id, &existing));
    }
    kept::recorded(vm, unit, id, || {
        vm.linking.borrow_mut().push((unit.clone(), id));
        let linked = link(vm, unit, id, native, None);
        vm.linking.borrow_mut().pop();
        let (class, obligations, unresolved) = linked?;
        vm.classes.borrow_mut().insert(key, class.clone());
        variance::settle(vm, &class, obligations, unresolved)?;
        verify::overrides(vm, &class)?;
        Ok(class)
    })
}

/// Anonymous classes whose name another class has, by unit and row.
type Twins = RefCell<HashMap<(usize, usize), ClassRef>>;

/// Declares an anonymous class whose location, which is part of its name, another class has, too: code that is evaluated again.
fn anonymous_twin(vm: &Vm, unit: &Rc<LinkedUnit>, id: ClassId) -> PhpResult<ClassRef> {
    let twins = vm.data::<Twins>("anonymous classes");
    // The class keeps its unit alive, so the address stays unique.
    let key = (Rc::as_ptr(unit) as usize, id.index());
    if let Some(known) = twins.borrow().get(&key) {
        return Ok(known.clone());
    }
    let serial = format!("${:x}", twins.borrow().len() + 1);
    let name = PhpStr::concat(&[unit.str(unit.unit.classes[id.index()].name), serial.as_bytes()]);
    let (class, obligations, unresolved) = link(vm, unit, id, None, Some(name))?;
    twins.borrow_mut().insert(key, class.clone());
    vm.classes.borrow_mut().insert(class.class().lower_name.clone(), class.clone());
    variance::settle(vm, &class, obligations, unresolved)?;
    verify::overrides(vm, &class)?;
    Ok(class)
}

/// Loads what the declaration names and creates the class; also returns the remaining checks, and the classes that they need.
fn link(
    vm: &Vm,
    unit: &Rc<LinkedUnit>,
    id: ClassId,
    native: Option<&'static NativeClass>,
    name: Option<PhpStr>,
) -> PhpResult<(ClassRef, Vec<variance::Obligation>, Vec<PhpStr>)> {
    let mut draft = Draft::load(vm, unit, id, native)?;
    if let Some(name) = name {
        draft.lower_name = lower_str(&name);
        draft.name = name;
    }
    // Autoloading may have declared the class itself meanwhile.
    let existing = vm.classes.borrow().get(&lower_str(&draft.name)).cloned();
    if let Some(existing) = existing {
        return Err(redeclaration(vm, unit, id, &existing));
    }
    draft.link()?;
    if native.is_some_and(crate::disabled::is_disabled) {
        draft.strip();
    }
    let obligations = std::mem::take(&mut draft.obligations);
    let unresolved = draft.unresolved.take();
    Ok((finish(draft, native)?, obligations, unresolved))
}

/// Whether the class can be declared when its unit is loaded, before its declaration is reached. As in PHP, that needs a class
/// without interfaces and traits, a known parent, and no check that needs an unknown class.
pub fn can_bind_early(vm: &Vm, unit: &Rc<LinkedUnit>, id: ClassId) -> bool {
    if let Some(known) = kept::binds_early(vm, unit, id) {
        return known;
    }
    let def = &unit.unit.classes[id.index()];
    let has_interfaces = !draft::interface_names(unit, def).is_empty();
    if has_interfaces || !def.traits.is_empty() || vm.find_class_no_autoload(unit.str(def.name)).is_some() {
        return false;
    }
    let typed_set_hook = |p: &phlox_hhbc::PropDef| {
        let hook = p.set_hook.and_then(|hook| unit.unit.funcs.get(hook.index()));
        hook.and_then(|hook| hook.params.first()).is_some_and(|value| value.ty.is_some() && value.ty != p.ty)
    };
    if def.properties.iter().any(typed_set_hook) {
        return false;
    }
    match def.parent {
        None => true,
        Some(parent) => match vm.find_class_no_autoload(unit.str(parent)) {
            Some(parent) => {
                kept::unrecorded(vm, || variance::is_resolved(&Draft::new(vm, unit, id, Some(parent), None)))
            }
            None => false,
        },
    }
}

fn redeclaration(vm: &Vm, unit: &Rc<LinkedUnit>, id: ClassId, existing: &ClassRef) -> Throw {
    let line = unit.unit.classes[id.index()].line_start;
    let old = existing.class();
    let mut message = text!["Cannot redeclare ", old.kind_word(), " ", shown(&old.name)];
    if !old.is_internal() {
        let old_line = old.unit.unit.classes[old.id.index()].line_start;
        message = text![&message, " (previously declared in ", &old.unit.filename, ":", &format!("{old_line})")];
    }
    vm.report(Level::CompileError, &message, &unit.filename, line);
    vm.exit_status.set(255);
    Throw::Fatal
}

/// Creates the class from a checked draft.
fn finish(draft: Draft<'_>, native: Option<&'static NativeClass>) -> PhpResult<ClassRef> {
    let implements =
        |name: &[u8]| draft.interfaces.iter().any(|interface| interface.class().lower_name.as_bytes() == name);
    let magic = magic_methods(&draft.methods, implements(b"arrayaccess"), implements(b"countable"));
    let parent_hooks = draft.parent.as_ref().map_or_else(NativeHooks::default, |parent| parent.class().native);
    let mut hooks = native.map_or(parent_hooks, |native| merge_hooks(native.hooks, parent_hooks));
    hooks.no_clone |= draft.kind == ClassKind::Enum;
    hooks.no_dynamic |= draft.kind == ClassKind::Enum || draft.attrs.has(Attrs::READONLY);
    let parent_allows = draft.parent.as_ref().is_some_and(|parent| parent.class().allows_dynamic);
    let allows_dynamic = parent_allows || draft.has_attribute(b"AllowDynamicProperties");
    let (props, slots) = draft.props.finish();
    let mut supertypes: Vec<u32> = draft.parent.iter().flat_map(|p| p.class().supertypes.iter().copied()).collect();
    supertypes.extend(draft.interfaces.iter().map(|interface| interface.id()));
    let (has_method, has_hook) = (magic.destruct.is_some(), hooks.destruct.is_some());
    let notes_destructor = has_method || has_hook && !hooks.seldom_destructs;
    let class = ClassHeader::new_with(has_method || has_hook, notes_destructor, |own_id| {
        supertypes.push(own_id);
        supertypes.sort_unstable();
        supertypes.dedup();
        Class {
            name: draft.name,
            lower_name: draft.lower_name,
            kind: draft.kind,
            attrs: draft.attrs,
            parent: draft.parent,
            interfaces: draft.interfaces,
            supertypes,
            traits: draft.traits,
            constants: draft.constants,
            props,
            slots,
            methods: draft.methods,
            magic,
            enum_type: draft.def.enum_type.map(|ty| draft.unit.ty(ty).clone()),
            unit: draft.unit.clone(),
            id: draft.id,
            defaults: RefCell::new(None),
            evaluating: Cell::new(false),
            evaluated: Cell::new(false),
            allows_dynamic,
            native: hooks,
            trait_aliases: draft.trait_aliases,
            enum_index: RefCell::new(None),
            iterates: OnceCell::new(),
            iteration: OnceCell::new(),
            this: OnceCell::new(),
        }
    });
    adopt(&class);
    if draft.vm.keeps_units.get() {
        // Inline caches of kept functions know classes by address, so no other class may get this one's. A class without members
        // of its own is not held by them.
        std::mem::forget(class.clone());
    }
    Ok(class)
}

/// Sets the class of the class's own members.
fn adopt(class: &ClassRef) {
    let target = class.class();
    let _ = target.this.set(Rc::downgrade(class));
    for func in target.methods.values() {
        let _ = func.scope.set(class.clone());
    }
    for constant in target.constants.values() {
        let _ = constant.class.set(class.clone());
    }
    for info in target.props.values().chain(&target.slots) {
        let _ = info.class.set(class.clone());
        for hook in info.get_hook.iter().chain(&info.set_hook) {
            let _ = hook.scope.set(class.clone());
        }
    }
}

fn merge_hooks(own: NativeHooks, parent: NativeHooks) -> NativeHooks {
    NativeHooks {
        create: own.create.or(parent.create),
        debug_info: own.debug_info.or(parent.debug_info),
        no_clone: own.no_clone || parent.no_clone,
        check_clone: own.check_clone.or(parent.check_clone),
        copied: own.copied.or(parent.copied),
        no_serialize: own.no_serialize || parent.no_serialize,
        no_dynamic: own.no_dynamic || parent.no_dynamic,
        needs_constructor: own.needs_constructor || parent.needs_constructor,
        no_new: own.no_new,
        no_new_class: own.no_new_class,
        compare: own.compare.or(parent.compare),
        compare_with: own.compare_with.or(parent.compare_with),
        operate: own.operate.or(parent.operate),
        bit_not: own.bit_not.or(parent.bit_not),
        unserialize: own.unserialize.or(parent.unserialize),
        count: own.count.or(parent.count),
        properties: own.properties.or(parent.properties),
        cast: own.cast.or(parent.cast),
        element: own.element.or(parent.element),
        bind_element: own.bind_element.or(parent.bind_element),
        check_iteration: own.check_iteration.or(parent.check_iteration),
        current_element: own.current_element.or(parent.current_element),
        walked_array: own.walked_array.or(parent.walked_array),
        takes_no_iterator_id: own.takes_no_iterator_id || parent.takes_no_iterator_id,
        destruct: own.destruct.or(parent.destruct),
        seldom_destructs: own.destruct.map_or(parent.seldom_destructs, |_| own.seldom_destructs),
        steps_silently: own.steps_silently || parent.steps_silently,
        missing_method: own.missing_method.or(parent.missing_method),
        method_target: own.method_target.or(parent.method_target),
        elements_as_properties: own.elements_as_properties.or(parent.elements_as_properties),
        static_sees_object: own.static_sees_object || parent.static_sees_object,
        own_properties: own.own_properties.or(parent.own_properties),
        owns_property: own.owns_property.or(parent.owns_property),
        refresh: own.refresh.or(parent.refresh),
        check_write: own.check_write.or(parent.check_write),
        own_elements: own.own_elements.or(parent.own_elements),
        fast_elements: own.fast_elements.or(parent.fast_elements),
        element_questions: own.element_questions.or(parent.element_questions),
    }
}

fn magic_methods(methods: &StrMap<Rc<Func>>, has_elements: bool, is_countable: bool) -> Magic {
    let get = |name: &str| methods.get(&ByBytes(name.as_bytes())).cloned();
    let offset = |name| get(name).filter(|func| has_elements && matches!(func.body, crate::FuncBody::User));
    let gives_int = |func: &Rc<Func>| {
        let is_int = func.return_type.as_ref().is_some_and(|ty| ty.mask == TypeMask::INT && ty.classes.is_empty());
        matches!(func.body, crate::FuncBody::User) && is_int && !func.returns_by_ref()
    };
    Magic {
        construct: get("__construct"),
        destruct: get("__destruct"),
        clone: get("__clone"),
        get: get("__get"),
        set: get("__set"),
        isset: get("__isset"),
        unset: get("__unset"),
        call: get("__call"),
        call_static: get("__callstatic"),
        to_string: get("__tostring"),
        invoke: get("__invoke"),
        debug_info: get("__debuginfo"),
        offset_get: offset("offsetget"),
        offset_set: offset("offsetset"),
        offset_exists: offset("offsetexists"),
        offset_unset: offset("offsetunset"),
        get_iterator: get("getiterator"),
        count: get("count").filter(|func| is_countable && gives_int(func)),
    }
}

/// Turns an exception that an error handler throws while a class is linked into a fatal error, because it cannot be caught.
pub(crate) fn fatal_during(vm: &Vm, what: &[u8], thrown: Throw) -> Throw {
    let Throw::Exception(exception) = thrown else { return thrown };
    let (file, line) = crate::throwable::position(&exception);
    fatal_for(vm, what, &exception, (&file, line))
}

/// The fatal error that an exception becomes, at a position.
fn fatal_for(vm: &Vm, what: &[u8], exception: &PhpObj, (file, line): (&PhpStr, u32)) -> Throw {
    let text = crate::throwable::to_string(vm, exception);
    vm.fatal_at(&text![what, ": Uncaught ", &text], file, line)
}

/// The word for the kind of class at the start of a message.
pub(crate) fn kind_title(kind: ClassKind) -> &'static str {
    match kind {
        ClassKind::Class => "Class",
        ClassKind::Interface => "Interface",
        ClassKind::Trait => "Trait",
        ClassKind::Enum => "Enum",
    }
}

/// Whether the class may get dynamic properties without a deprecation.
pub fn allows_dynamic_properties(class: &Class) -> bool {
    class.allows_dynamic
}
