//! ReflectionReference: the identity of a reference in an array.

use crate::subject::*;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Key, NativeClass, NativeData, PhpResult, Slot, Val, View};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "ReflectionReference",
    decl: include_str!("../stubs/ReflectionReference.stub.php"),
    methods: &[
        ("fromArrayElement", from_array_element),
        ("getId", get_id),
        ("__clone", refuse_clone),
        ("__construct", refuse_construct),
    ],
    hooks: NativeHooks { needs_constructor: true, no_clone: true, no_serialize: true, ..NativeHooks::NONE },
}];

/// Retains the reference, so that its identity is not given to another one.
struct ReferenceSubject {
    reference: Slot,
}
native_data!(ReferenceSubject, reference);

/// The request's key: identities must not show addresses.
#[derive(Default)]
struct IdentityKey(RandomState);

fn from_array_element(call: &mut Call<'_>) -> PhpResult<Val> {
    let (array, key) = (call.arr(0), call.arg(1));
    let element = match key.view() {
        View::Int(index) => array.get_int(index).cloned(),
        View::Str(name) => array.get(Key::from_str(name)).cloned(),
        _ => None,
    };
    drop(array);
    let Some(element) = element else { return Err(failure(call.vm, b"Array key not found")) };
    match element.as_ref() {
        // Two counts are the array's and that of `element`; a third one shows that the reference is shared.
        Some(reference) if reference.refcount() > 2 => {
            let data = ReferenceSubject { reference: Slot::new(element.clone()) };
            Ok(reflector(call.vm, b"ReflectionReference", Rc::new(data))?.into())
        }
        _ => Ok(Val::NULL),
    }
}

fn get_id(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(subject) = call.this().native::<ReferenceSubject>() else {
        return Err(failure(call.vm, b"Corrupted ReflectionReference object"));
    };
    let identity = subject.reference.as_ref().map_or(0, |reference| reference.id());
    let key = call.vm.data::<IdentityKey>("reference identity");
    let mut bytes = Vec::with_capacity(20);
    for part in 0..3u8 {
        let mut hasher = key.0.build_hasher();
        hasher.write_usize(identity);
        hasher.write_u8(part);
        bytes.extend(hasher.finish().to_le_bytes());
    }
    bytes.truncate(20);
    Ok(Val::str(&bytes))
}

fn refuse_construct(call: &mut Call<'_>) -> PhpResult<Val> {
    Err(failure(
        call.vm,
        b"Cannot directly instantiate ReflectionReference. Use ReflectionReference::fromArrayElement() instead",
    ))
}
