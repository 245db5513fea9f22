//! Construction, elements and settings.

use super::data::{ArrayData, INTERNAL, IS_SELF, STD_PROP_LIST, Table, data, is_shown, key_of, sorting_error};
use crate::members;
use phlox_runtime::class::{ElementQuestions, FastElements, Purpose};
use phlox_runtime::convert::OffsetUse;
use phlox_runtime::{
    ArrKey, ByBytes, Call, ClassExt, ClassRef, Key, ObjExt, PhpArr, PhpObj, PhpRef, PhpResult, Slot, Throw, Val, View,
    Vm, compare as values, convert,
};
use std::cmp::Ordering;

/// The class that a name means, which must be ArrayIterator or below it.
fn iterator_class(call: &Call<'_>, index: usize) -> PhpResult<ClassRef> {
    let (name, base) = (call.str(index), call.vm.require_class(b"ArrayIterator")?);
    match call.vm.find_class(&name)? {
        Some(class) if class.class().is_a(&base) => Ok(class),
        _ => Err(call.type_error(index, &format!("must be a class name derived from ArrayIterator, {name} given"))),
    }
}

/// The first argument must be an array or an object.
fn check_source(call: &Call<'_>) -> PhpResult<()> {
    let source = call.arg(0);
    if source.as_arr().is_some() || source.as_obj().is_some() {
        return Ok(());
    }
    let given = convert::value_name(&source);
    Err(call.type_error(0, &format!("must be of type array, {given} given")))
}

/// `ArrayObject::__construct()`
pub fn construct_object(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.was_passed(2) {
        let class = iterator_class(call, 2)?;
        data(call.this()).iterator_class.replace(Some(class));
    }
    construct_iterator(call)
}

/// `ArrayIterator::__construct()`
pub fn construct_iterator(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.passed == 0 {
        return Ok(Val::NULL);
    }
    let this = call.this().clone();
    check_source(call)?;
    set_array(call.vm, &this, call.arg(0), call.int(1) & !INTERNAL, !call.was_passed(1))?;
    Ok(Val::NULL)
}

/// Makes an object stand for an array or another object. With `just_array`, flags come from another array object.
pub fn set_array(vm: &Vm, this: &PhpObj, source: Val, flags: i64, just_array: bool) -> PhpResult<()> {
    let own = data(this);
    if own.sorting.get() > 0 {
        return Err(sorting_error(vm));
    }
    let mut flags = flags;
    let mut storage = source.clone();
    if let Some(object) = source.as_obj() {
        match object.native::<ArrayData>() {
            Some(other) => {
                if just_array {
                    flags = other.flags.get() & !INTERNAL;
                }
                if object.ptr_eq(this) {
                    flags |= IS_SELF;
                    storage = Val::NULL;
                }
            }
            None if object.class().native.properties.is_some() || object.class().is_enum() => {
                let text = [
                    b"Overloaded object of type ",
                    &object.class_name()[..],
                    b" is not compatible with ",
                    this.class_name(),
                ];
                return Err(vm.throw_class(b"InvalidArgumentException", &text.concat(), 0));
            }
            None => {}
        }
    }
    own.flags.set(own.flags.get() & !IS_SELF | flags);
    own.position.set(0);
    own.key.replace(None);
    let old = own.storage.replace(storage);
    drop(old);
    Ok(())
}

/// `ArrayObject::getIterator()`
pub fn get_iterator(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = data(call.this());
    let class = own.iterator_class.borrow().clone();
    let class = match class {
        Some(class) => class,
        None => call.vm.require_class(b"ArrayIterator")?,
    };
    let iterator = call.vm.instantiate(&class)?;
    let target = data(&iterator);
    target.storage.set(call.this().into());
    target.flags.set(own.flags.get() & !INTERNAL);
    Ok(iterator.into())
}

/// `ArrayObject::exchangeArray()`
pub fn exchange_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    check_source(call)?;
    if data(&this).sorting.get() > 0 {
        return Err(sorting_error(call.vm));
    }
    let old = Table::of(&this).snapshot();
    set_array(call.vm, &this, call.arg(0), 0, true)?;
    Ok(old.into())
}

/// `ArrayObject::setIteratorClass()`
pub fn set_iterator_class(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = iterator_class(call, 0)?;
    data(call.this()).iterator_class.replace(Some(class));
    Ok(Val::NULL)
}

/// `ArrayObject::getIteratorClass()`
pub fn get_iterator_class(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(match &*data(call.this()).iterator_class.borrow() {
        Some(class) => (&class.class().name).into(),
        None => "ArrayIterator".into(),
    })
}

/// `offsetExists()`: in a call for `isset` null counts as absent; a call by a script tests whether the key exists.
pub fn offset_exists(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    let key = key_of(call.vm, &this, &call.arg(0), OffsetUse::Isset)?;
    let value = Table::of(&this).get(&key);
    let for_isset = call.is_from_native();
    Ok(value.is_some_and(|value| !for_isset || !value.deref().is_null()).into())
}

/// The warning about a missing element. Keys of an object's properties are always shown as strings.
fn missing_key(vm: &Vm, this: &PhpObj, key: &ArrKey) -> PhpResult<()> {
    match (key, Table::of(this)) {
        (ArrKey::Int(name), Table::Properties(_)) => vm.warning(format!("Undefined array key \"{name}\"").as_bytes()),
        _ => phlox_runtime::dims::undefined_key(vm, key),
    }
}

/// `offsetGet()`
pub fn offset_get(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    let key = key_of(call.vm, &this, &call.arg(0), OffsetUse::Read)?;
    match Table::of(&this).get(&key) {
        Some(value) => Ok(value.deref()),
        None => {
            missing_key(call.vm, &this, &key)?;
            Ok(Val::NULL)
        }
    }
}

fn check_unsorted(vm: &Vm, this: &PhpObj) -> PhpResult<Table> {
    let table = Table::of(this);
    let sorting = match &table {
        Table::Array(holder) => data(holder).sorting.get(),
        Table::Properties(_) => data(this).sorting.get(),
    };
    if sorting > 0 { Err(sorting_error(vm)) } else { Ok(table) }
}

/// `offsetSet()`
pub fn offset_set(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    store(call.vm, &this, call.arg(0), call.arg(1))
}

fn store(vm: &Vm, this: &PhpObj, offset: Val, value: Val) -> PhpResult<Val> {
    let table = check_unsorted(vm, this)?;
    if offset.is_null() {
        if !table.push(value) {
            return Err(next_index_error(vm));
        }
        return Ok(Val::NULL);
    }
    let key = key_of(vm, this, &offset, OffsetUse::Write)?;
    table.set(vm, &key, value)?;
    Ok(Val::NULL)
}

/// Fast paths for array objects that hold an array themselves.
pub static QUICK: FastElements = FastElements {
    get: |this, offset| {
        let storage = direct_storage(this)?.get();
        element_of(storage.as_arr()?, offset).map(Val::deref)
    },
    set: |this, offset, value| {
        let storage = direct_storage(this).filter(|_| data(this).sorting.get() == 0)?;
        storage.update(|place| {
            let array = place.as_arr_mut()?;
            match offset.map(Val::view) {
                None | Some(View::Null) => array.push(value.deref()).ok().map(|()| Val::NULL),
                Some(View::Int(index)) => Some(array.assign(Key::Int(index), value.deref()).unwrap_or(Val::NULL)),
                Some(View::Str(name)) => Some(array.assign(Key::from_str(name), value.deref()).unwrap_or(Val::NULL)),
                Some(_) => None,
            }
        })
    },
    exists: |this, offset| {
        let storage = direct_storage(this)?.get();
        let array = storage.as_arr()?;
        let is_key = matches!(offset.view(), View::Int(_) | View::Str(_));
        is_key.then(|| element_of(array, offset).is_some_and(|value| !value.deref().is_null()))
    },
    refuse: None,
    missing: None,
};

/// Replaced methods of a subclass are called first. `offsetGet` is called only for `empty`.
pub static QUESTIONS: ElementQuestions = ElementQuestions {
    exists: |vm, this, offset, empty| {
        let magic = &this.class().magic;
        let get = || match &magic.offset_get {
            Some(get) => vm.call_on(get, this, &mut [offset.clone()]).map(Some),
            None => Ok(None),
        };
        let judge = |value: Val| if empty { convert::to_bool(&value) } else { !value.is_null() };
        if let Some(exists) = &magic.offset_exists {
            if !convert::to_bool(&vm.call_on(exists, this, &mut [offset.clone()])?) {
                return Ok(false);
            }
            if !empty {
                return Ok(true);
            }
            if let Some(value) = get()? {
                return Ok(judge(value.into_deref()));
            }
        } else if let Some(exists) = (QUICK.exists)(this, offset).filter(|_| !empty) {
            return Ok(exists);
        }
        let key = key_of(vm, this, offset, OffsetUse::Isset)?;
        let Some(value) = Table::of(this).get(&key) else { return Ok(false) };
        let asked = if empty { get()? } else { None };
        Ok(judge(asked.unwrap_or(value).into_deref()))
    },
    read_quietly: |vm, this, offset| {
        let magic = &this.class().magic;
        let replaced = magic.offset_get.is_some() || magic.offset_exists.is_some();
        if replaced && !(QUESTIONS.exists)(vm, this, offset, false)? {
            return Ok(Val::NULL);
        }
        if let Some(get) = &magic.offset_get {
            return vm.call_on(get, this, &mut [offset.clone()]);
        }
        let key = key_of(vm, this, offset, OffsetUse::Isset)?;
        Ok(Table::of(this).get(&key).unwrap_or_default())
    },
};

fn direct_storage(this: &PhpObj) -> Option<&Slot> {
    let own = data(this);
    (own.flags.get() & IS_SELF == 0).then_some(&own.storage)
}

fn element_of<'a>(array: &'a PhpArr, offset: &Val) -> Option<&'a Val> {
    match offset.view() {
        View::Int(index) => array.get_int(index),
        View::Str(name) => array.get(Key::from_str(name)),
        _ => None,
    }
}

fn next_index_error(vm: &Vm) -> Throw {
    vm.throw_error(b"Cannot add element to the array as the next element is already occupied")
}

/// `offsetUnset()`
pub fn offset_unset(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    let table = check_unsorted(call.vm, &this)?;
    let key = key_of(call.vm, &this, &call.arg(0), OffsetUse::Unset)?;
    table.unset(&key);
    Ok(Val::NULL)
}

/// `append()`
pub fn append(call: &mut Call<'_>) -> PhpResult<Val> {
    let (this, value) = (call.this().clone(), call.arg(0));
    if Table::of(&this).is_properties() {
        let tail = b"::offsetSet() instead";
        let text = [b"Cannot append properties to objects, use ", &this.class_name()[..], tail].concat();
        return Err(call.vm.throw_error(&text));
    }
    if is_overridden(&this, b"offsetset") {
        return call.vm.call_method(&this, b"offsetset", vec![Val::NULL, value]).map(|_| Val::NULL);
    }
    store(call.vm, &this, Val::NULL, value)
}

fn is_overridden(object: &PhpObj, lower_name: &[u8]) -> bool {
    object.class().methods.get(&ByBytes(lower_name)).is_some_and(|method| !method.is_native())
}

/// An element as a reference, for changes inside it. `None`: a subclass replaces `offsetGet`.
pub fn element(vm: &Vm, this: &PhpObj, offset: Option<&Val>, warns: bool) -> PhpResult<Option<PhpRef>> {
    if is_overridden(this, b"offsetget") {
        return Ok(None);
    }
    let table = check_unsorted(vm, this)?;
    // `$array[][..] = ..` is not possible: there is no element to change.
    let Some(offset) = offset else { return Ok(None) };
    let key = key_of(vm, this, offset, OffsetUse::Write)?;
    if warns && table.get(&key).is_none() {
        missing_key(vm, this, &key)?;
    }
    if let Some(info) = table.readonly(&key) {
        let text = [b"Cannot acquire reference to readonly property ", &info.declarer().class().name[..], b"::$"];
        return Err(vm.throw_error(&[&text.concat()[..], &info.name].concat()));
    }
    Ok(table.make_ref(&key))
}

/// `$array[$offset] = &$reference`. False: a subclass replaces `offsetGet`.
pub fn bind_element(vm: &Vm, this: &PhpObj, offset: &Val, reference: PhpRef) -> PhpResult<bool> {
    if is_overridden(this, b"offsetget") {
        return Ok(false);
    }
    let table = check_unsorted(vm, this)?;
    let key = key_of(vm, this, offset, OffsetUse::Write)?;
    Ok(table.bind(&key, reference))
}

/// `getArrayCopy()`
pub fn get_array_copy(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Table::of(call.this()).snapshot().into())
}

/// `count()`
pub fn count(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(count_of(call.this())))
}

/// The number of elements that are shown to scripts.
pub fn count_of(object: &PhpObj) -> i64 {
    let table = Table::of(object);
    let elements = table.snapshot();
    let count =
        if table.is_properties() { elements.keys().filter(|key| is_shown(*key)).count() } else { elements.len() };
    count as i64
}

/// `getFlags()`
pub fn get_flags(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(data(call.this()).flags.get() & !INTERNAL))
}

/// `setFlags()`
pub fn set_flags(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = data(call.this());
    own.flags.set(own.flags.get() & INTERNAL | call.int(0) & !INTERNAL);
    Ok(Val::NULL)
}

/// `__debugInfo()`
pub fn debug_info(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this();
    let own = data(this);
    if own.flags.get() & IS_SELF != 0 {
        return Ok(members::table(this).into());
    }
    let iterator = call.vm.require_class(b"ArrayIterator")?;
    let base = if this.is_a(&iterator) { "ArrayIterator" } else { "ArrayObject" };
    Ok(members::with_private(this, &[(base, "storage", own.storage.get())]).into())
}

/// Array objects are equal when their tables and their properties are.
pub fn compare(vm: &Vm, a: &PhpObj, b: &PhpObj) -> PhpResult<Option<Ordering>> {
    if b.native::<ArrayData>().is_none() {
        return Ok(None);
    }
    let tables = (Table::of(a).snapshot(), Table::of(b).snapshot());
    match values::compare(vm, &tables.0.into(), &tables.1.into())? {
        0 => {}
        order => return Ok(Some(order.cmp(&0))),
    }
    if a.class_header().id() != b.class_header().id() {
        return Ok(None);
    }
    let (x, y) = (members::table(a), members::table(b));
    Ok(Some(values::compare(vm, &x.into(), &y.into())?.cmp(&0)))
}

/// Casts and exports show the elements unless `STD_PROP_LIST` is set.
pub fn properties(_: &Vm, object: &PhpObj, purpose: Purpose) -> PhpResult<Option<PhpArr>> {
    if matches!(purpose, Purpose::Serialize | Purpose::ObjectVars) || data(object).flags.get() & STD_PROP_LIST != 0 {
        return Ok(None);
    }
    Ok(Some(Table::of(object).snapshot()))
}

/// A key of the table as a script sees it.
pub fn key_value(key: Key<'_>) -> Val {
    match key {
        Key::Int(index) => Val::int(index),
        Key::Str(name) => name.into(),
    }
}

/// Is a value an object or array that an iterator can go into?
pub fn has_elements(value: &Val, arrays_only: bool) -> bool {
    match value.view() {
        View::Arr(_) => true,
        View::Obj(_) => !arrays_only,
        _ => false,
    }
}

/// An owned key that is the same as another.
pub fn same_key(a: &ArrKey, b: Key<'_>) -> bool {
    a.as_key() == b
}
