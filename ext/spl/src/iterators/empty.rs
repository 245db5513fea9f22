//! EmptyIterator.

use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, NativeClass, PhpResult, Val};

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "EmptyIterator",
    decl: include_str!("../../stubs/EmptyIterator.stub.php"),
    methods: &[
        ("current", |call| refuse(call, b"Accessing the value of an EmptyIterator")),
        ("next", |_| Ok(Val::NULL)),
        ("key", |call| refuse(call, b"Accessing the key of an EmptyIterator")),
        ("valid", |_| Ok(Val::FALSE)),
        ("rewind", |_| Ok(Val::NULL)),
    ],
    hooks: NativeHooks::NONE,
}];

fn refuse(call: &mut Call<'_>, message: &[u8]) -> PhpResult<Val> {
    Err(call.vm.throw_class(b"BadMethodCallException", message, 0))
}
