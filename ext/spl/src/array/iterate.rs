//! Iteration. The table may change meanwhile, so the current element is remembered by key and position.

use super::data::{ArrayData, CHILD_ARRAYS_ONLY, IS_SELF, Table, data, is_shown};
use super::methods::{has_elements, key_value, same_key};
use phlox_runtime::{Call, ObjExt, PhpArr, PhpObj, PhpResult, Val, Vm};

/// The table and the position of the current element in it.
fn place(this: &PhpObj) -> (PhpArr, Option<u32>) {
    let own = data(this);
    let at = own.position.get();
    if let Some(elements) = own.array() {
        let stays = match (&*own.key.borrow(), elements.at(at)) {
            (Some(key), Some((found, _))) => same_key(key, found),
            _ => false,
        };
        return if stays { (elements, Some(at)) } else { placed(this, elements, at, false) };
    }
    let table = Table::of(this);
    placed(this, table.snapshot(), at, table.is_properties())
}

/// The elements and the position of the current one, which is found again by its key where elements may have moved or
/// gone. `hides`: the table is of properties.
fn placed(this: &PhpObj, elements: PhpArr, mut at: u32, hides: bool) -> (PhpArr, Option<u32>) {
    if let Some(key) = &*data(this).key.borrow() {
        let stays = elements.at(at).is_some_and(|(found, _)| same_key(key, found));
        if !stays {
            at = elements.position_of(key.as_key()).unwrap_or(at);
        }
    }
    let found = shown_from(&elements, at, hides);
    note(this, &elements, found);
    (elements, found)
}

/// The first position at or behind `from` whose key is shown.
fn shown_from(elements: &PhpArr, from: u32, hides: bool) -> Option<u32> {
    let mut at = elements.position_from(from)?;
    while hides && elements.at(at).is_some_and(|(key, _)| !is_shown(key)) {
        at = elements.position_from(at + 1)?;
    }
    Some(at)
}

/// Stores the position and key of the current element.
fn note(this: &PhpObj, elements: &PhpArr, found: Option<u32>) {
    let own = data(this);
    own.position.set(found.unwrap_or(elements.positions()));
    let key = found.and_then(|at| elements.at(at)).map(|(key, _)| key.to_owned());
    own.key.replace(key);
}

fn start(this: &PhpObj) {
    let own = data(this);
    own.key.replace(None);
    own.position.set(0);
    place(this);
}

/// The array that the object holds itself.
pub fn walked(this: &PhpObj) -> Option<PhpArr> {
    data(this).array()
}

/// Applies `look` to the current element without a copy of the table, if the object holds the array itself and the
/// element has not moved.
fn current_in_place<R>(own: &ArrayData, look: impl FnOnce(&PhpArr, u32) -> R) -> Option<R> {
    if own.flags.get() & IS_SELF != 0 {
        return None;
    }
    own.storage.update(|storage| {
        let (elements, at) = (storage.as_arr()?, own.position.get());
        let (found, _) = elements.at(at)?;
        let stays = own.key.borrow().as_ref().is_some_and(|key| same_key(key, found));
        stays.then(|| look(elements, at))
    })
}

fn advance(this: &PhpObj) -> bool {
    let own = data(this);
    let has_next = current_in_place(own, |elements, at| {
        let next = elements.position_from(at + 1);
        own.position.set(next.unwrap_or(elements.positions()));
        own.key.replace(next.and_then(|at| elements.at(at)).map(|(key, _)| key.to_owned()));
        next.is_some()
    });
    if let Some(has_next) = has_next {
        return has_next;
    }
    let (elements, found) = place(this);
    let Some(at) = found else { return false };
    let hides = data(this).array().is_none() && Table::of(this).is_properties();
    let next = shown_from(&elements, at + 1, hides);
    note(this, &elements, next);
    next.is_some()
}

fn current_value(this: &PhpObj) -> Option<Val> {
    let (elements, found) = place(this);
    elements.at(found?).map(|(_, value)| value.deref())
}

/// `ArrayIterator::rewind()`
pub fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    start(call.this());
    Ok(Val::NULL)
}

/// `ArrayIterator::valid()`
pub fn valid(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(place(call.this()).1.is_some().into())
}

/// `ArrayIterator::current()`
pub fn current(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(current_value(call.this()).unwrap_or(Val::NULL))
}

/// `ArrayIterator::key()`
pub fn key(call: &mut Call<'_>) -> PhpResult<Val> {
    let (elements, found) = place(call.this());
    let key = found.and_then(|at| elements.at(at)).map(|(key, _)| key_value(key));
    Ok(key.unwrap_or(Val::NULL))
}

/// Hook of `foreach`: the current value, and the key if it is wanted.
pub fn element(_: &Vm, this: &PhpObj, wants_key: bool) -> PhpResult<Option<(Val, Val)>> {
    let found = current_in_place(data(this), |elements, at| {
        let (key, value) = elements.at(at)?;
        Some((value.deref(), if wants_key { key_value(key) } else { Val::NULL }))
    });
    if let Some(Some(found)) = found {
        return Ok(Some(found));
    }
    let (elements, found) = place(this);
    let Some((key, value)) = found.and_then(|at| elements.at(at)) else { return Ok(None) };
    let key = if wants_key { key_value(key) } else { Val::NULL };
    Ok(Some((value.deref(), key)))
}

/// `ArrayIterator::next()`
pub fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    advance(call.this());
    Ok(Val::NULL)
}

/// `ArrayIterator::seek()`
pub fn seek(call: &mut Call<'_>) -> PhpResult<Val> {
    let (wanted, this) = (call.int(0), call.this().clone());
    if wanted >= 0 {
        start(&this);
        let mut left = wanted;
        while left > 0 && advance(&this) {
            left -= 1;
        }
        if left == 0 && place(&this).1.is_some() {
            return Ok(Val::NULL);
        }
    }
    let text = format!("Seek position {wanted} is out of range");
    Err(call.vm.throw_class(b"OutOfBoundsException", text.as_bytes(), 0))
}

fn arrays_only(this: &PhpObj) -> bool {
    data(this).flags.get() & CHILD_ARRAYS_ONLY != 0
}

/// `RecursiveArrayIterator::hasChildren()`
pub fn has_children(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this();
    Ok(current_value(this).is_some_and(|value| has_elements(&value, arrays_only(this))).into())
}

/// `RecursiveArrayIterator::getChildren()`
pub fn get_children(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    let Some(value) = current_value(&this) else { return Ok(Val::NULL) };
    if let Some(object) = value.as_obj() {
        if arrays_only(&this) {
            return Ok(Val::NULL);
        }
        if object.is_a(this.class_header()) {
            return Ok(value);
        }
    }
    let flags = Val::int(data(&this).flags.get());
    Ok(call.vm.new_object(this.class_header(), vec![value, flags])?.into())
}
