//! Iterators that leave elements out.

use super::outer::{Extra, Outer, construct, current, outer};
use super::{Methods, ask, call as invoke};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, NativeClass, PhpResult, Val};

const fn class(name: &'static str, decl: &'static str, methods: Methods) -> NativeClass {
    NativeClass { name, decl, methods, hooks: NativeHooks::NONE }
}

pub const CLASSES: &[NativeClass] = &[
    class(
        "FilterIterator",
        include_str!("../../stubs/FilterIterator.stub.php"),
        &[("__construct", construct_plain), ("rewind", rewind), ("next", next)],
    ),
    class(
        "CallbackFilterIterator",
        include_str!("../../stubs/CallbackFilterIterator.stub.php"),
        &[("__construct", construct_callback), ("accept", accept_callback)],
    ),
    class(
        "RecursiveCallbackFilterIterator",
        include_str!("../../stubs/RecursiveCallbackFilterIterator.stub.php"),
        &[("__construct", construct_callback), ("hasChildren", has_children), ("getChildren", get_callback_children)],
    ),
    class(
        "RecursiveFilterIterator",
        include_str!("../../stubs/RecursiveFilterIterator.stub.php"),
        &[("__construct", construct_plain), ("hasChildren", has_children), ("getChildren", get_children)],
    ),
    class(
        "ParentIterator",
        include_str!("../../stubs/ParentIterator.stub.php"),
        &[("__construct", construct_plain), ("accept", has_children)],
    ),
];

fn construct_plain(call: &mut Call<'_>) -> PhpResult<Val> {
    construct(call, Extra::None)
}

fn construct_callback(call: &mut Call<'_>) -> PhpResult<Val> {
    let callback = call.arg(1);
    construct(call, Extra::Callback(callback))
}

/// Advances until `accept` returns true.
fn fetch_accepted(call: &Call<'_>, outer: &Outer) -> PhpResult<Val> {
    while outer.fetch(call.vm, true)? {
        if ask(call.vm, call.this(), b"accept")? {
            return Ok(Val::NULL);
        }
        if let Some(inner) = outer.iterator() {
            invoke(call.vm, &inner, b"next")?;
        }
    }
    outer.free();
    Ok(Val::NULL)
}

fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    let outer = outer(call)?;
    outer.rewind_inner(call.vm)?;
    fetch_accepted(call, outer)
}

fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    let outer = outer(call)?;
    outer.advance(call.vm, true)?;
    fetch_accepted(call, outer)
}

/// The callback sees value, key and the inner iterator.
fn accept_callback(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = current(call)?;
    let outer = outer(call)?;
    let Some(Extra::Callback(callback)) = outer.extra.get() else { return Ok(Val::FALSE) };
    if outer.data.is_undef() || outer.key.is_undef() {
        return Ok(Val::FALSE);
    }
    let arguments = vec![value, outer.key.get_deref(), outer.inner.get()];
    Ok(call.vm.call_value(callback, arguments)?.into_deref())
}

/// `hasChildren()`: the inner iterator answers.
pub fn has_children(call: &mut Call<'_>) -> PhpResult<Val> {
    super::outer::forward(call, b"haschildren")
}

fn get_children(call: &mut Call<'_>) -> PhpResult<Val> {
    let children = super::outer::forward(call, b"getchildren")?;
    let class = call.this().class_header().clone();
    Ok(call.vm.new_object(&class, vec![children])?.into())
}

fn get_callback_children(call: &mut Call<'_>) -> PhpResult<Val> {
    let children = super::outer::forward(call, b"getchildren")?;
    let callback = match outer(call)?.extra.get() {
        Some(Extra::Callback(callback)) => callback.clone(),
        _ => Val::NULL,
    };
    let class = call.this().class_header().clone();
    Ok(call.vm.new_object(&class, vec![children, callback])?.into())
}
