//! MultipleIterator: several iterators side by side.

use super::{ask, call as invoke};
use crate::storage::{self, Storage, data, handle_key};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{ArrKey, Call, NativeClass, PhpArr, PhpResult, Val, View, compare};

const NEED_ALL: i64 = 1;
const KEYS_ASSOC: i64 = 2;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "MultipleIterator",
    decl: include_str!("../../stubs/MultipleIterator.stub.php"),
    methods: &[
        ("__construct", set_flags),
        ("getFlags", |call| Ok(Val::int(data(call.this()).flags.get()))),
        ("setFlags", set_flags),
        ("attachIterator", attach),
        ("detachIterator", detach),
        ("containsIterator", contains),
        ("countIterators", |call| Ok(Val::int(data(call.this()).len()))),
        ("rewind", |call| each(call, b"rewind")),
        ("valid", valid),
        ("key", |call| all(call, "key")),
        ("current", |call| all(call, "current")),
        ("next", |call| each(call, b"next")),
        ("__debugInfo", storage::debug_info),
    ],
    hooks: NativeHooks { create: Some(storage::create), ..NativeHooks::NONE },
}];

fn set_flags(call: &mut Call<'_>) -> PhpResult<Val> {
    data(call.this()).flags.set(call.int(0));
    Ok(Val::NULL)
}

fn attach(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(iterator) = call.opt_obj(0) else { return Ok(Val::NULL) };
    let (storage, info) = (data(call.this()), call.arg(1));
    if !info.is_null() && storage.pairs().iter().any(|(_, known)| compare::identical(known, &info)) {
        return Err(call.vm.throw_class(b"InvalidArgumentException", b"Key duplication error", 0));
    }
    storage.put(&handle_key(&iterator), &iterator, info);
    Ok(Val::NULL)
}

fn detach(call: &mut Call<'_>) -> PhpResult<Val> {
    if let Some(iterator) = call.opt_obj(0) {
        data(call.this()).remove(&handle_key(&iterator));
    }
    data(call.this()).rewind();
    Ok(Val::NULL)
}

fn contains(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(iterator) = call.opt_obj(0) else { return Ok(Val::FALSE) };
    Ok(data(call.this()).rows().contains(handle_key(&iterator).as_key()).into())
}

/// Calls a method of all iterators.
fn each(call: &mut Call<'_>, method: &[u8]) -> PhpResult<Val> {
    for (iterator, _) in data(call.this()).pairs() {
        invoke(call.vm, &iterator, method)?;
    }
    Ok(Val::NULL)
}

fn needs_all(storage: &Storage) -> bool {
    storage.flags.get() & NEED_ALL != 0
}

fn valid(call: &mut Call<'_>) -> PhpResult<Val> {
    let storage = data(call.this());
    let needs_all = needs_all(storage);
    let pairs = storage.pairs();
    if pairs.is_empty() {
        return Ok(Val::FALSE);
    }
    for (iterator, _) in pairs {
        if ask(call.vm, &iterator, b"valid")? != needs_all {
            return Ok((!needs_all).into());
        }
    }
    Ok(needs_all.into())
}

/// The keys or values of all iterators.
fn all(call: &mut Call<'_>, method: &str) -> PhpResult<Val> {
    let (storage, vm) = (data(call.this()), call.vm);
    let (needs_all, assoc) = (needs_all(storage), storage.flags.get() & KEYS_ASSOC != 0);
    let pairs = storage.pairs();
    if pairs.is_empty() {
        let text = format!("Called {method}() on an invalid iterator");
        return Err(vm.throw_class(b"RuntimeException", text.as_bytes(), 0));
    }
    let mut result = PhpArr::with_capacity(pairs.len());
    for (iterator, info) in pairs {
        let value = if ask(vm, &iterator, b"valid")? {
            invoke(vm, &iterator, method.as_bytes())?
        } else if needs_all {
            let text = format!("Called {method}() with non valid sub iterator");
            return Err(vm.throw_class(b"RuntimeException", text.as_bytes(), 0));
        } else {
            Val::NULL
        };
        if !assoc {
            let _ = result.push(value);
            continue;
        }
        let key = match info.view() {
            View::Int(index) => ArrKey::Int(index),
            View::Str(name) => ArrKey::from_str(name.clone()),
            _ => {
                let text = b"Sub-Iterator is associated with NULL";
                return Err(vm.throw_class(b"InvalidArgumentException", text, 0));
            }
        };
        result.insert(key.as_key(), value);
    }
    Ok(result.into())
}
