//! LimitIterator: a range of an iterator's elements.

use super::outer::{Extra, Outer, construct, outer};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, NativeClass, PhpResult, Val, Vm, iteration};

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "LimitIterator",
    decl: include_str!("../../stubs/LimitIterator.stub.php"),
    methods: &[
        ("__construct", construct_limit),
        ("rewind", rewind),
        ("valid", valid),
        ("next", next),
        ("seek", seek),
        ("getPosition", |call| Ok(Val::int(outer(call)?.position.get()))),
    ],
    hooks: NativeHooks::NONE,
}];

fn construct_limit(call: &mut Call<'_>) -> PhpResult<Val> {
    super::outer::check_unconstructed(call)?;
    let (offset, count) = (call.int(1), call.int(2));
    if offset < 0 {
        return Err(call.value_error(1, "must be greater than or equal to 0"));
    }
    if count < -1 {
        return Err(call.value_error(2, "must be greater than or equal to -1"));
    }
    construct(call, Extra::Limit { offset, count })
}

fn bounds(outer: &Outer) -> (i64, i64) {
    match outer.extra.get() {
        Some(&Extra::Limit { offset, count }) => (offset, count),
        _ => (0, -1),
    }
}

/// Is a position inside the range?
fn within(outer: &Outer, position: i64) -> bool {
    let (offset, count) = bounds(outer);
    count == -1 || position.wrapping_sub(offset) < count
}

fn seek_to(vm: &Vm, outer: &Outer, position: i64) -> PhpResult<()> {
    outer.free();
    let (offset, count) = bounds(outer);
    if position < offset {
        let text = format!("Cannot seek to {position} which is below the offset {offset}");
        return Err(vm.throw_class(b"OutOfBoundsException", text.as_bytes(), 0));
    }
    if !within(outer, position) {
        let text = format!("Cannot seek to {position} which is behind offset {offset} plus count {count}");
        return Err(vm.throw_class(b"OutOfBoundsException", text.as_bytes(), 0));
    }
    let Some(inner) = outer.iterator() else { return Ok(()) };
    let seekable = iteration::class_implements(vm, inner.class_header(), b"seekableiterator");
    if position != outer.position.get() && seekable {
        vm.call_method(&inner, b"seek", vec![Val::int(position)])?;
        outer.position.set(position);
        if within(outer, position) && outer.inner_valid(vm)? {
            outer.fetch(vm, false)?;
        }
        return Ok(());
    }
    if position < outer.position.get() {
        outer.rewind_inner(vm)?;
    }
    while position > outer.position.get() && outer.inner_valid(vm)? {
        outer.advance(vm, true)?;
    }
    if outer.inner_valid(vm)? {
        outer.fetch(vm, true)?;
    }
    Ok(())
}

fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    let outer = outer(call)?;
    outer.rewind_inner(call.vm)?;
    seek_to(call.vm, outer, bounds(outer).0)?;
    Ok(Val::NULL)
}

fn valid(call: &mut Call<'_>) -> PhpResult<Val> {
    let outer = outer(call)?;
    Ok((within(outer, outer.position.get()) && outer.has_element()).into())
}

fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    let outer = outer(call)?;
    outer.advance(call.vm, true)?;
    if within(outer, outer.position.get()) {
        outer.fetch(call.vm, true)?;
    }
    Ok(Val::NULL)
}

fn seek(call: &mut Call<'_>) -> PhpResult<Val> {
    let outer = outer(call)?;
    seek_to(call.vm, outer, call.int(0))?;
    Ok(Val::int(outer.position.get()))
}
