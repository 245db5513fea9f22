//! Data structures: linked lists, heaps and arrays of a fixed size.

pub mod fixed_array;
pub mod heap;
pub mod linked_list;
mod linked_list_serial;

use phlox_runtime::{Call, PhpResult, Val, View, coerce, convert};

/// An untyped argument that must be an integer all the same.
fn index_argument(call: &Call<'_>, index: usize) -> PhpResult<i64> {
    let value = call.arg(index);
    let int = match value.view() {
        View::Int(int) => Some(int),
        View::Null | View::Undef => {
            let name = phlox_runtime::shown(&call.func.display_name()).into_owned();
            let text = format!("{name}(): Passing null to parameter #{} ($index) of type int is deprecated", index + 1);
            call.vm.deprecated(text.as_bytes())?;
            Some(0)
        }
        _ => coerce::weak_int(call.vm, &value)?,
    };
    int.ok_or_else(|| {
        let given = convert::value_name(&value);
        // Without an index `offsetSet` appends.
        let wanted = if call.func.name.as_bytes() == b"offsetSet" { "?int" } else { "int" };
        call.type_error(index, &format!("must be of type {wanted}, {given} given"))
    })
}

/// `f(): Argument #n ($index) MESSAGE` as an OutOfRangeException.
fn out_of_range(call: &Call<'_>, message: &str) -> phlox_runtime::Throw {
    let mut text = call.func.display_name();
    text.extend_from_slice(b"(): Argument #1 ($index) ");
    text.extend_from_slice(message.as_bytes());
    call.vm.throw_class(b"OutOfRangeException", &text, 0)
}

/// Throws a RuntimeException.
fn failure<T>(call: &Call<'_>, message: &[u8]) -> PhpResult<T> {
    Err(call.vm.throw_class(b"RuntimeException", message, 0))
}

/// A value without its reference, as a container keeps it.
fn kept(call: &Call<'_>, index: usize) -> Val {
    call.arg(index)
}
