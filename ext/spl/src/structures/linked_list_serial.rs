//! Serialisation of linked lists, in the current form and in the old one.

use super::linked_list::list;
use crate::members::{self, ill_typed};
use phlox_ext_standard::serialize::{Sequence, serialize_each};
use phlox_runtime::{Call, PhpArr, PhpResult, Val};

/// `SplDoublyLinkedList::__serialize()`
pub fn serialize_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let list = list(call.this());
    let elements: PhpArr = list.elements.borrow().iter().cloned().collect();
    let flags = Val::int(list.flags.get());
    Ok(PhpArr::from_vec(vec![flags, elements.into(), members::table(call.this()).into()]).into())
}

/// `SplDoublyLinkedList::__unserialize()`
pub fn unserialize_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let parts = call.arr(0);
    let part = |index: i64| parts.get_int(index).map(Val::deref);
    let parsed = (|| Some((part(0)?.as_int()?, part(1)?.into_arr()?, part(2)?.into_arr()?)))();
    let Some((flags, elements, table)) = parsed else { return Err(ill_typed(call.vm)) };
    let list = list(call.this());
    list.flags.set(flags);
    list.elements.borrow_mut().extend(elements.values().cloned());
    members::load(call.this(), &table);
    Ok(Val::NULL)
}

/// The old form: `i:FLAGS;:VALUE:VALUE...`.
pub fn serialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    let flags = Val::int(list(&this).flags.get());
    // A method of an element may remove other elements from the list.
    let value = |index: usize| match index.checked_sub(1) {
        None => Some(flags.clone()),
        Some(index) => list(&this).elements.borrow().get(index).cloned(),
    };
    Ok(serialize_each(call.vm, value)?.join(&b':').into())
}

/// `SplDoublyLinkedList::unserialize()`, which reads the old form.
pub fn unserialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let (this, vm, text) = (call.this().clone(), call.vm, call.str(0));
    if text.is_empty() {
        return Ok(Val::NULL);
    }
    let fail = |at: usize| {
        let text = format!("Error at offset {at} of {} bytes", text.len());
        Err(vm.throw_class(b"UnexpectedValueException", text.as_bytes(), 0))
    };
    drop(list(&this).elements.take());
    let mut reader = Sequence::new(vm, &text, "SplDoublyLinkedList::unserialize");
    let Some((flags, mut at)) = reader.next(0)? else { return fail(reader.position()) };
    let Some(flags) = flags.deref().as_int() else { return fail(at) };
    list(&this).flags.set(flags);
    while text.get(at) == Some(&b':') {
        let Some((value, end)) = reader.next(at + 1)? else { return fail(reader.position()) };
        list(&this).elements.borrow_mut().push_back(value.into_deref());
        at = end;
    }
    if at < text.len() {
        return fail(at);
    }
    reader.finish()?;
    Ok(Val::NULL)
}
