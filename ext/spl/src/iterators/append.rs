//! AppendIterator: one iterator after the other.

use super::outer::{Extra, Outer, check_inner, check_unconstructed, outer};
use super::{ask, call as invoke};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, NativeClass, PhpObj, PhpResult, Val, Vm};

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "AppendIterator",
    decl: include_str!("../../stubs/AppendIterator.stub.php"),
    methods: &[
        ("__construct", construct_append),
        ("append", append),
        ("rewind", rewind),
        ("valid", |call| Ok(outer(call)?.has_element().into())),
        ("current", current),
        ("next", next),
        ("getIteratorIndex", iterator_index),
        ("getArrayIterator", |call| Ok(list(call)?.1.into())),
    ],
    hooks: NativeHooks::NONE,
}];

fn construct_append(call: &mut Call<'_>) -> PhpResult<Val> {
    check_unconstructed(call)?;
    let class = call.vm.require_class(b"ArrayIterator")?;
    let list = call.vm.new_object(&class, Vec::new())?;
    super::outer::construct_around(call, Val::UNDEF, Extra::Append(list.into()))
}

/// The native part and the ArrayIterator over the iterators.
fn list<'a>(call: &'a Call<'_>) -> PhpResult<(&'a Outer, PhpObj)> {
    let outer = outer(call)?;
    let list = match outer.extra.get() {
        Some(Extra::Append(list)) => list.as_obj().cloned(),
        _ => None,
    };
    list.map(|list| (outer, list)).ok_or_else(|| super::not_constructed(call.vm))
}

/// Makes the list's current iterator the inner one and rewinds it; false at the end of the list.
fn take_iterator(vm: &Vm, outer: &Outer, list: &PhpObj) -> PhpResult<bool> {
    outer.free();
    outer.inner.set(Val::UNDEF);
    if !ask(vm, list, b"valid")? {
        return Ok(false);
    }
    let inner = invoke(vm, list, b"current")?;
    check_inner(vm, &inner)?;
    outer.inner.set(inner);
    outer.rewind_inner(vm)?;
    Ok(true)
}

/// Fetches the current element, from the next iterator that has one.
fn fetch(vm: &Vm, outer: &Outer, list: &PhpObj) -> PhpResult<()> {
    while !outer.inner_valid(vm)? {
        invoke(vm, list, b"next")?;
        if !take_iterator(vm, outer, list)? {
            return Ok(());
        }
    }
    outer.fetch(vm, false).map(drop)
}

fn append(call: &mut Call<'_>) -> PhpResult<Val> {
    let (outer, list) = list(call)?;
    let (vm, added) = (call.vm, call.arg(0));
    let at_end = ask(vm, &list, b"valid")? && !outer.inner_valid(vm)?;
    vm.call_method(&list, b"append", vec![added.clone()])?;
    if at_end {
        invoke(vm, &list, b"next")?;
    }
    if outer.iterator().is_some() && outer.inner_valid(vm)? {
        return Ok(Val::NULL);
    }
    if !ask(vm, &list, b"valid")? {
        invoke(vm, &list, b"rewind")?;
    }
    loop {
        let found = take_iterator(vm, outer, &list)?;
        let is_added = outer.iterator().zip(added.as_obj()).is_some_and(|(inner, added)| inner.ptr_eq(added));
        if is_added || !found {
            break;
        }
        invoke(vm, &list, b"next")?;
    }
    fetch(vm, outer, &list)?;
    Ok(Val::NULL)
}

fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    let (outer, list) = list(call)?;
    invoke(call.vm, &list, b"rewind")?;
    if take_iterator(call.vm, outer, &list)? {
        fetch(call.vm, outer, &list)?;
    }
    Ok(Val::NULL)
}

fn current(call: &mut Call<'_>) -> PhpResult<Val> {
    let outer = outer(call)?;
    outer.fetch(call.vm, true)?;
    Ok(outer.data.get_deref().or_null())
}

fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    let (outer, list) = list(call)?;
    if outer.inner_valid(call.vm)? {
        outer.advance(call.vm, true)?;
    }
    fetch(call.vm, outer, &list)?;
    Ok(Val::NULL)
}

fn iterator_index(call: &mut Call<'_>) -> PhpResult<Val> {
    let (outer, list) = list(call)?;
    if outer.iterator().is_none() {
        return Ok(Val::NULL);
    }
    invoke(call.vm, &list, b"key")
}
