//! Places of properties, for changes inside them and for references to them.

use super::*;

/// The place of a property for a change inside it or for a reference to it.
pub enum PropPlace {
    /// The slot of a declared property.
    Slot(Rc<PropInfo>),
    /// A dynamic property (it may not exist yet).
    Dynamic,
    /// A computed property: changes go to a copy, unless the value is an object or a returned reference.
    Computed(Val),
}

/// The purpose for which a place is needed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PlaceMode {
    /// To change an element or property inside the value.
    Inside,
    /// To change an element or property inside the value by an operation that reads the old one first.
    InsideRead,
    /// To make the property a reference.
    Reference,
    /// To unset something inside the value.
    Unset,
}

/// Finds the place of a property for an indirect change.
pub fn place(vm: &Vm, object: &PhpObj, name: &PhpStr, access: Access<'_>, mode: PlaceMode) -> PhpResult<PropPlace> {
    if let Some(own) = object.class().native.keeper(object, name, Reach::Inside) {
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
                // An object in the property can change; other changes are made to a copy.
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
                check_dynamic_creation(vm, object, name)?;
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
        if current.is_undef() && info.ty.is_some() {
            return Err(super::uninitialized(vm, info));
        }
        if current.as_obj().is_some() {
            return Ok(PropPlace::Computed(current));
        }
        return Err(vm.throw_error(&[b"Indirect modification of ", &qualified(info)[..], b" is not allowed"].concat()));
    };
    let value = vm.call(&Callee::method(hook.clone(), object.clone()), Args::default())?;
    // The properties of builtin classes have no hooks in PHP's eyes, so a copy raises nothing.
    if value.as_obj().is_some() || (hook.returns_by_ref() && value.is_ref()) || info.unit.internal {
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

/// Makes a property an alias of a reference (`$object->name = &$x`). Returns the old value, which the caller drops when nothing
/// here holds the object any more.
pub fn bind(vm: &Vm, object: &PhpObj, name: &PhpStr, reference: PhpRef, access: Access<'_>) -> PhpResult<Val> {
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
            Ok(slot.replace(reference.into()))
        }
        PropPlace::Dynamic => {
            let old = object.update_dynamic(|table| table.insert(Key::from_str(name), reference.into()));
            Ok(old.unwrap_or(Val::NULL))
        }
        PropPlace::Computed(_) => Err(vm.throw_error(b"Cannot assign by reference to overloaded object")),
    }
}

/// The Error about a property with a get hook, which cannot become an alias; the hook is called before.
fn bind_hooked(vm: &Vm, object: &PhpObj, info: &Rc<PropInfo>) -> crate::Throw {
    let asked = place_hooked(vm, object, info);
    let later = vm.throw_error(b"Cannot assign by reference to overloaded object");
    if let (Err(crate::Throw::Exception(earlier)), crate::Throw::Exception(later)) = (asked, &later) {
        crate::errors::chain_previous(later, earlier);
    }
    later
}

/// Creates a property that does not exist as null, for `op=` and `++`, after a warning.
pub(super) fn vivify_dynamic(vm: &Vm, object: &PhpObj, name: &PhpStr, access: Access<'_>) -> PhpResult<()> {
    let class = object.class();
    if class.magic.get.is_some()
        || class.native.keeper(object, name, Reach::Read).is_some()
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
        // The handler of the warning does not see the property, which is created even if the handler throws.
        let warned = undefined(vm, object, name);
        if !object.dynamic().is_some_and(|table| table.contains(key)) {
            let old = object.update_dynamic(|table| table.insert(key, Val::NULL));
            drop(old);
        }
        warned?;
    }
    Ok(())
}
