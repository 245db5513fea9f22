//! InternalIterator: what `getIterator()` of a builtin class gives.

use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Edges, NativeClass, NativeData, PhpObj, PhpRef, PhpResult, ReservedHandle, Val, Vm};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "InternalIterator",
    decl: include_str!("../../stubs/InternalIterator.stub.php"),
    methods: &[
        ("__construct", super::nothing),
        ("current", current),
        ("key", key),
        ("next", next),
        ("valid", valid),
        ("rewind", rewind),
    ],
    hooks: NativeHooks {
        needs_constructor: true,
        no_clone: true,
        no_serialize: true,
        steps_silently: true,
        takes_no_iterator_id: true,
        check_iteration: Some(check_iteration),
        element: Some(element),
        ..NativeHooks::NONE
    },
}];

/// The elements that an InternalIterator iterates over.
pub trait Source {
    fn rewind(&self);
    fn valid(&self) -> bool;
    fn current(&self) -> Val;
    fn key(&self) -> Val;
    fn advance(&self);
    /// Moves on for `next()`. An iterator whose step may fail or needs the engine replaces this one and not `advance`.
    fn step(&self, _: &Call<'_>) -> PhpResult<()> {
        self.advance();
        Ok(())
    }
    fn trace(&self, edges: &mut Edges);
    /// Can the iteration start again after the first step?
    fn is_rewindable(&self) -> bool {
        true
    }
    /// Can the elements be made references?
    fn gives_references(&self) -> bool {
        false
    }
    /// The current element as a reference.
    fn reference(&self) -> Option<PhpRef> {
        None
    }
}

struct IteratorData {
    source: RefCell<Option<Box<dyn Source>>>,
    /// The first use of any method rewinds.
    rewound: Cell<bool>,
    /// Was a step made since the beginning?
    moved: Cell<bool>,
    _id: Option<ReservedHandle>,
}

impl NativeData for IteratorData {
    fn trace(&self, edges: &mut Edges) {
        if let Some(source) = &*self.source.borrow() {
            source.trace(edges);
        }
    }

    fn clear(&self) {
        drop(self.source.take());
    }
}

/// A new iterator object. For a call by a script Zend creates a second iterator behind it, which takes an object id,
/// too.
pub fn create(call: &Call<'_>, source: Box<dyn Source>) -> PhpResult<Val> {
    let id = (!call.is_from_native()).then(ReservedHandle::new);
    let class = call.vm.require_class(b"InternalIterator")?;
    let object = call.vm.instantiate(&class)?;
    let (rewound, moved) = (Cell::new(false), Cell::new(false));
    object.set_native(Rc::new(IteratorData { source: RefCell::new(Some(source)), rewound, moved, _id: id }));
    Ok(object.into())
}

fn check_iteration(vm: &Vm, iterator: &PhpObj, by_ref: bool) -> PhpResult<()> {
    let gives_references = iterator
        .native::<IteratorData>()
        .is_some_and(|data| data.source.borrow().as_ref().is_some_and(|source| source.gives_references()));
    if by_ref && !gives_references {
        return Err(vm.throw_error(b"An iterator cannot be used with foreach by reference"));
    }
    Ok(())
}

fn element(_: &Vm, iterator: &PhpObj, _: Option<&Val>, _: bool) -> PhpResult<Option<PhpRef>> {
    let Some(data) = iterator.native::<IteratorData>() else { return Ok(None) };
    Ok(data.source.borrow().as_ref().and_then(|source| source.reference()))
}

fn with<R>(call: &Call<'_>, absent: R, use_source: impl FnOnce(&dyn Source) -> R) -> R {
    let Some(data) = call.this().native::<IteratorData>() else { return absent };
    match &*data.source.borrow() {
        Some(source) => {
            if !data.rewound.replace(true) {
                source.rewind();
            }
            use_source(&**source)
        }
        None => absent,
    }
}

fn current(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(with(call, Val::NULL, |source| source.current()))
}

fn key(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(with(call, Val::NULL, |source| source.key()))
}

fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, Ok(()), |source| source.step(call))?;
    if let Some(data) = call.this().native::<IteratorData>() {
        data.moved.set(true);
    }
    Ok(Val::NULL)
}

fn valid(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(with(call, false, |source| source.valid()).into())
}

fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    let moved = call.this().native::<IteratorData>().is_some_and(|data| data.moved.get());
    if moved && with(call, false, |source| !source.is_rewindable()) {
        return Err(call.vm.throw_error(b"Iterator does not support rewinding"));
    }
    with(call, (), |source| source.rewind());
    if let Some(data) = call.this().native::<IteratorData>() {
        data.moved.set(false);
    }
    Ok(Val::NULL)
}
