//! Lazy objects: ghosts, which initialise themselves on first use, and proxies, which forward to a real instance.
//!
//! A lazy property is an empty slot with [`MARK_LAZY`]; property access that finds one calls [`forward`] for the object that has
//! the property. Code that needs all properties calls [`real`].

use crate::class::{Class, ClassExt, ClassRef, ObjExt};
use crate::error::{PhpResult, Throw};
use crate::props::{self, Access, Found};
use crate::vm::{Callee, Vm};
use crate::{closure, convert, dynamic_call, link};
use phlox_value::{Edges, Key, NativeData, PhpObj, PhpStr, Slot, Val};
use std::cell::Cell;
use std::collections::HashSet;
use std::rc::Rc;

/// Slot mark of a property that gets its value when the object is initialised.
pub const MARK_LAZY: u32 = 4;
/// Option: serialisation does not initialise the object.
pub const SKIP_INITIALIZATION_ON_SERIALIZE: i64 = 8;
/// Option of a reset: the destructor is not run for the object's earlier life.
pub const SKIP_DESTRUCTOR: i64 = 16;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// An ordinary object: it is initialised, or never had a lazy property.
    Plain,
    Lazy,
    /// The initialiser runs; the object looks ordinary to it.
    Initializing,
    /// The object is a proxy with an instance.
    Proxied,
}

/// The native part of an object that is or was lazy.
struct LazyData {
    phase: Cell<Phase>,
    is_proxy: Cell<bool>,
    options: Cell<i64>,
    /// The initialiser as it was given.
    initializer: Slot,
    /// The initialiser as a closure.
    closure: Slot,
    instance: Slot,
}

impl LazyData {
    fn slots(&self) -> [&Slot; 3] {
        [&self.initializer, &self.closure, &self.instance]
    }

    /// Ends laziness: forgets the initialiser and enters the given phase.
    fn finish(&self, phase: Phase) {
        self.phase.set(phase);
        self.initializer.set(Val::UNDEF);
        self.closure.set(Val::UNDEF);
    }
}

impl NativeData for LazyData {
    fn trace(&self, edges: &mut Edges) {
        for slot in self.slots() {
            slot.trace(edges);
        }
    }

    fn clear(&self) {
        for slot in self.slots() {
            slot.set(Val::UNDEF);
        }
    }
}

fn data(object: &PhpObj) -> Option<&LazyData> {
    object.native::<LazyData>()
}

fn phase(object: &PhpObj) -> Phase {
    data(object).map_or(Phase::Plain, |data| data.phase.get())
}

/// Whether using the object will initialise it.
pub fn is_uninitialized(object: &PhpObj) -> bool {
    phase(object) == Phase::Lazy
}

/// Whether the object is uninitialised or a proxy, so that its properties are not in the object itself.
pub fn is_lazy(object: &PhpObj) -> bool {
    matches!(phase(object), Phase::Lazy | Phase::Proxied)
}

/// The real instance of an initialised proxy.
pub fn instance(object: &PhpObj) -> Option<PhpObj> {
    let data = data(object).filter(|data| data.phase.get() == Phase::Proxied)?;
    data.instance.get().into_obj()
}

/// The initialiser of an uninitialised object.
pub fn initializer(object: &PhpObj) -> Option<Val> {
    data(object).filter(|data| data.phase.get() == Phase::Lazy).map(|data| data.initializer.get())
}

/// The prefix `lazy ghost ` or `lazy proxy ` of the class name in dumps.
pub fn label(object: &PhpObj) -> &'static str {
    match data(object) {
        Some(data) if is_lazy(object) && data.is_proxy.get() => "lazy proxy ",
        Some(_) if is_lazy(object) => "lazy ghost ",
        _ => "",
    }
}

/// Checks that objects of a class can be lazy: the class must not be or inherit from a builtin class, except for stdClass.
pub fn check_class(vm: &Vm, class: &ClassRef) -> PhpResult<()> {
    let is_internal = |class: &ClassRef| class.class().is_internal() && class.class().name.as_bytes() != b"stdClass";
    let name = &class.class().name;
    let text = b"Cannot make instance of internal class lazy: ";
    if is_internal(class) {
        return Err(vm.throw_error(&[&text[..], name, b" is internal"].concat()));
    }
    let mut ancestor = class.class().parent.clone();
    while let Some(parent) = ancestor {
        if is_internal(&parent) {
            let tail = [b" inherits internal class ", &parent.class().name[..]].concat();
            return Err(vm.throw_error(&[&text[..], name, &tail].concat()));
        }
        ancestor = parent.class().parent.clone();
    }
    Ok(())
}

/// The parameters with which an object becomes lazy.
pub struct Laziness {
    pub initializer: Val,
    pub callee: Callee,
    pub is_proxy: bool,
    pub options: i64,
}

/// Creates a lazy object.
pub fn create(vm: &Vm, class: &ClassRef, laziness: Laziness) -> PhpResult<PhpObj> {
    check_class(vm, class)?;
    let object = vm.instantiate(class)?;
    for slot in object.slots() {
        slot.set(Val::UNDEF);
        slot.set_mark(MARK_LAZY);
    }
    begin(vm, &object, laziness)?;
    Ok(object)
}

/// Makes an existing object lazy; the properties of `class` are emptied.
pub fn reset(vm: &Vm, object: &PhpObj, class: &ClassRef, laziness: Laziness) -> PhpResult<()> {
    check_class(vm, class)?;
    match phase(object) {
        Phase::Initializing => {
            return Err(vm.throw_error(b"Can not reset an object while it is being initialized"));
        }
        Phase::Plain if laziness.options & SKIP_DESTRUCTOR == 0 => {
            object.run_destructor();
            vm.check_pending()?;
        }
        _ => {}
    }
    object.unmark_destructed();
    if let Some(data) = data(object) {
        data.finish(Phase::Plain);
        data.instance.set(Val::UNDEF);
    }
    object.set_dynamic(None);
    let own = object.class();
    for (info, slot) in own.slots.iter().zip(object.slots()).take(class.class().slots.len()) {
        if !slot.is_undef() {
            let kept = own.is_final() || info.attrs.has(phlox_hhbc::Attrs::FINAL);
            if info.is_readonly() && slot.mark() & props::MARK_REINITABLE == 0 && kept {
                continue;
            }
            release_source(info, slot);
            drop(slot.take());
        }
        slot.set_mark(MARK_LAZY);
    }
    begin(vm, object, laziness)
}

fn release_source(info: &Rc<crate::PropInfo>, slot: &Slot) {
    if let Some(reference) = slot.as_ref() {
        let source: phlox_value::TypeSource = info.clone();
        reference.remove_source(&source);
    }
}

fn begin(vm: &Vm, object: &PhpObj, laziness: Laziness) -> PhpResult<()> {
    // An object without lazy properties stays an ordinary one.
    if !has_lazy_properties(object) {
        return Ok(());
    }
    let closure = dynamic_call::closure_of(vm, laziness.callee)?;
    let data = match data(object) {
        Some(data) => data,
        None => {
            object.set_native(Rc::new(LazyData {
                phase: Cell::new(Phase::Plain),
                is_proxy: Cell::new(false),
                options: Cell::new(0),
                initializer: Slot::new(Val::UNDEF),
                closure: Slot::new(Val::UNDEF),
                instance: Slot::new(Val::UNDEF),
            }));
            match data(object) {
                Some(data) => data,
                None => return Ok(()),
            }
        }
    };
    data.is_proxy.set(laziness.is_proxy);
    data.options.set(laziness.options);
    data.initializer.set(laziness.initializer);
    data.closure.set(closure.into());
    data.phase.set(Phase::Lazy);
    Ok(())
}

fn has_lazy_properties(object: &PhpObj) -> bool {
    object.slots().iter().any(|slot| slot.mark() & MARK_LAZY != 0)
}

/// Whether the declared property in this slot is lazy.
pub fn is_lazy_slot(object: &PhpObj, slot: usize) -> bool {
    object.slots().get(slot).is_some_and(|slot| slot.mark() & MARK_LAZY != 0)
}

/// Makes an object ordinary if it has no more lazy properties, after one got a value without initialisation.
pub fn settle(object: &PhpObj) {
    if let Some(data) = data(object) {
        if data.phase.get() == Phase::Lazy && !has_lazy_properties(object) {
            data.finish(Phase::Plain);
        }
    }
}

/// Sets lazy properties to their default values.
fn set_defaults(vm: &Vm, object: &PhpObj) -> PhpResult<()> {
    link::evaluate_defaults(vm, object.class_header())?;
    let defaults = object.class().defaults().to_vec();
    for (slot, value) in object.slots().iter().zip(defaults) {
        if slot.mark() & MARK_LAZY != 0 {
            slot.set(value);
            slot.set_mark(slot.mark() & !MARK_LAZY);
        }
    }
    Ok(())
}

/// Sets one lazy property to its default value.
pub fn set_default(vm: &Vm, object: &PhpObj, index: usize) -> PhpResult<()> {
    link::evaluate_defaults(vm, object.class_header())?;
    let value = object.class().defaults().get(index).cloned();
    if let (Some(slot), Some(value)) = (object.slots().get(index), value) {
        slot.set(value);
        slot.set_mark(slot.mark() & !MARK_LAZY);
    }
    settle(object);
    Ok(())
}

/// Ends laziness without calling the initialiser: lazy properties get their default values.
pub fn mark_initialized(vm: &Vm, object: &PhpObj) -> PhpResult<()> {
    let Some(data) = data(object).filter(|data| data.phase.get() == Phase::Lazy) else { return Ok(()) };
    set_defaults(vm, object)?;
    data.finish(Phase::Plain);
    Ok(())
}

/// Initialises the object and returns the one that has the properties: the object itself, or the instance of a proxy.
pub fn real(vm: &Vm, object: &PhpObj) -> PhpResult<PhpObj> {
    let mut current = object.clone();
    loop {
        let next = match data(&current) {
            Some(data) if data.phase.get() == Phase::Lazy => match data.is_proxy.get() {
                true => initialize_proxy(vm, &current, data)?,
                false => {
                    initialize_ghost(vm, &current, data)?;
                    return Ok(current);
                }
            },
            Some(data) if data.phase.get() == Phase::Proxied => match data.instance.get().into_obj() {
                Some(instance) => instance,
                None => return Ok(current),
            },
            _ => return Ok(current),
        };
        current = next;
    }
}

/// The object that has the properties, found without initialising any.
pub fn without_initialization(object: &PhpObj) -> PhpObj {
    let mut current = object.clone();
    while let Some(next) = instance(&current) {
        current = next;
    }
    current
}

/// Finds the object that has the properties, for serialisation: an object whose options say so stays lazy.
pub fn real_for_serialization(vm: &Vm, object: &PhpObj) -> PhpResult<PhpObj> {
    let stays = data(object).is_some_and(|data| data.options.get() & SKIP_INITIALIZATION_ON_SERIALIZE != 0);
    if stays && is_uninitialized(object) { Ok(object.clone()) } else { real(vm, object) }
}

fn call_initializer(vm: &Vm, object: &PhpObj, data: &LazyData) -> PhpResult<Val> {
    let closure = data.closure.get();
    match closure.as_obj().and_then(closure::callee) {
        Some(callee) => Ok(vm.call(&callee, vec![object.clone().into()])?.into_deref()),
        None => Ok(Val::NULL),
    }
}

/// The state of an object before its initialiser runs, which is restored if that fails.
struct Snapshot {
    slots: Vec<(Val, u32)>,
    dynamic: Option<phlox_value::PhpArr>,
}

impl Snapshot {
    fn take(object: &PhpObj) -> Snapshot {
        let slots = object.slots().iter().map(|slot| (slot.get(), slot.mark())).collect();
        Snapshot { slots, dynamic: object.dynamic() }
    }

    fn restore(self, object: &PhpObj) {
        let infos = &object.class().slots;
        for ((info, slot), (value, mark)) in infos.iter().zip(object.slots()).zip(self.slots) {
            release_source(info, slot);
            if let (Some(reference), true) = (value.as_ref(), info.ty.is_some()) {
                reference.add_source(info.clone());
            }
            slot.set(value);
            slot.set_mark(mark);
        }
        object.set_dynamic(self.dynamic);
    }
}

fn initialize_ghost(vm: &Vm, object: &PhpObj, data: &LazyData) -> PhpResult<()> {
    let before = Snapshot::take(object);
    data.phase.set(Phase::Initializing);
    let result = set_defaults(vm, object).and_then(|()| call_initializer(vm, object, data)).and_then(|answer| {
        if answer.is_null() {
            return Ok(());
        }
        Err(vm.throw_type_error(b"Lazy object initializer must return NULL or no value"))
    });
    if let Err(throw) = result {
        before.restore(object);
        data.phase.set(Phase::Lazy);
        return Err(throw);
    }
    data.finish(Phase::Plain);
    Ok(())
}

/// Finds the object that has the properties, for an assignment; throws if the initialiser released the object, so that nothing
/// but the assignment holds it.
fn real_to_assign(vm: &Vm, object: &PhpObj) -> PhpResult<PhpObj> {
    let shared = object.refcount() > 1;
    let result = real(vm, object);
    let own = 1 + u32::from(result.as_ref().is_ok_and(|real| real.ptr_eq(object)));
    if !shared || object.refcount() > own {
        return result;
    }
    let later = vm.throw_error(b"Lazy object was released during initialization");
    if let (Err(Throw::Exception(earlier)), Throw::Exception(later)) = (result, &later) {
        crate::errors::chain_previous(later, earlier);
    }
    Err(later)
}

fn initialize_proxy(vm: &Vm, object: &PhpObj, data: &LazyData) -> PhpResult<PhpObj> {
    data.phase.set(Phase::Initializing);
    let result = call_initializer(vm, object, data).and_then(|answer| check_instance(vm, object, &answer));
    let instance = match result {
        Ok(instance) => instance,
        Err(throw) => {
            data.phase.set(Phase::Lazy);
            return Err(throw);
        }
    };
    data.instance.set(instance.clone().into());
    data.finish(Phase::Proxied);
    // The instance has all properties from now on.
    object.set_dynamic(None);
    for (info, slot) in object.class().slots.iter().zip(object.slots()) {
        release_source(info, slot);
        drop(slot.take());
        slot.set_mark(MARK_LAZY);
    }
    Ok(instance)
}

/// Checks that the factory's result can be the instance of the proxy, and returns it.
fn check_instance(vm: &Vm, proxy: &PhpObj, answer: &Val) -> PhpResult<PhpObj> {
    let proxy_name = proxy.class_name();
    let Some(instance) = answer.as_obj() else {
        let head = b"Lazy proxy factory must return an instance of a class compatible with ";
        let given = convert::value_name(answer);
        return Err(vm.throw_type_error(&[&head[..], proxy_name, b", ", given.as_bytes(), b" returned"].concat()));
    };
    if !is_compatible(instance, proxy) {
        let parts = [
            b"The real instance class ",
            &instance.class_name()[..],
            b" is not compatible with the proxy class ",
            proxy_name,
            b". The proxy must be a instance of the same class as the real instance, or a sub-class with no \
              additional properties, and no overrides of the __destructor or __clone methods.",
        ];
        return Err(vm.throw_type_error(&parts.concat()));
    }
    if instance.ptr_eq(proxy) || is_lazy(instance) {
        return Err(vm.throw_error(b"Lazy proxy factory must return a non-lazy object"));
    }
    Ok(instance.clone())
}

fn is_compatible(instance: &PhpObj, proxy: &PhpObj) -> bool {
    let (real, own) = (instance.class(), proxy.class());
    let same = |a: &Option<Rc<crate::Func>>, b: &Option<Rc<crate::Func>>| match (a, b) {
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    };
    instance.class_header().id() == proxy.class_header().id()
        || proxy.is_a(instance.class_header())
            && property_names(real).len() == property_names(own).len()
            && same(&real.magic.destruct, &own.magic.destruct)
            && same(&real.magic.clone, &own.magic.clone)
}

/// The names of all properties of a class and of its ancestors.
fn property_names(class: &Class) -> HashSet<&PhpStr> {
    let mut names: HashSet<&PhpStr> = class.props.keys().collect();
    names.extend(class.slots.iter().map(|info| &info.name));
    names
}

/// A proxy of the proxy's class for another instance, as `clone` makes one.
pub fn proxy_for(vm: &Vm, proxy: &PhpObj, instance: PhpObj) -> PhpResult<PhpObj> {
    let copy = vm.instantiate(proxy.class_header())?;
    for slot in copy.slots() {
        slot.set(Val::UNDEF);
        slot.set_mark(MARK_LAZY);
    }
    copy.set_native(Rc::new(LazyData {
        phase: Cell::new(Phase::Proxied),
        is_proxy: Cell::new(true),
        options: Cell::new(data(proxy).map_or(0, |data| data.options.get())),
        initializer: Slot::new(Val::UNDEF),
        closure: Slot::new(Val::UNDEF),
        instance: Slot::new(instance.into()),
    }));
    Ok(copy)
}

/// The purpose of a property access, which selects the magic method that is called before initialisation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Get,
    /// A read for `??`: `__isset` is called first.
    QuietGet,
    Set,
    Isset,
    Unset,
}

/// The instance of a proxy, if the instance's magic method for the property is running and accesses the proxy: the proxy's own
/// magic method is not called then.
pub(crate) fn asking_instance(vm: &Vm, object: &PhpObj, name: &PhpStr, purpose: Purpose) -> Option<PhpObj> {
    instance(object).filter(|instance| crate::magic::is_running(vm, instance, name, purpose))
}

/// The object that has a property of a lazy object; `None` if the access does not need the initialised object.
pub fn forward(
    vm: &Vm,
    object: &PhpObj,
    name: &PhpStr,
    access: Access<'_>,
    purpose: Purpose,
) -> PhpResult<Option<PhpObj>> {
    if !is_lazy(object) {
        return Ok(None);
    }
    let needed = match props::find(object.class(), name, access.scope) {
        Found::Declared(info) if info.has_hooks() && !props::inside_hook(vm, object, &info) => {
            let hook = match purpose {
                Purpose::Set => &info.set_hook,
                _ => &info.get_hook,
            };
            hook.is_none() && !info.is_virtual() && is_lazy_slot(object, info.slot)
        }
        Found::Declared(info) => is_lazy_slot(object, info.slot),
        Found::Dynamic => {
            let exists = object.dynamic().is_some_and(|table| table.contains(Key::from_str(name)));
            !exists
                && (!crate::magic::has_free_magic(vm, object, name, purpose)
                    || asking_instance(vm, object, name, purpose).is_some())
        }
        Found::Hidden(_) => asking_instance(vm, object, name, purpose).is_some(),
    };
    match needed {
        true if purpose == Purpose::Set && is_uninitialized(object) => real_to_assign(vm, object).map(Some),
        true => real(vm, object).map(Some),
        false => Ok(None),
    }
}
