//! IteratorIterator, what all iterators around one other iterator share, and the simplest of them.
//!
//! The current element is fetched from the inner iterator when the outer one moves, and kept.

use super::{ask, call, not_constructed};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{
    Call, Edges, NativeClass, NativeData, ObjExt, PhpObj, PhpResult, PhpStr, Slot, Val, View, Vm, iteration,
};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

const fn class(name: &'static str, decl: &'static str, methods: super::Methods) -> NativeClass {
    NativeClass { name, decl, methods, hooks: NativeHooks::NONE }
}

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "IteratorIterator",
        decl: include_str!("../../stubs/IteratorIterator.stub.php"),
        methods: &[
            ("__construct", construct_any),
            ("getInnerIterator", get_inner_iterator),
            ("rewind", rewind),
            ("valid", valid),
            ("key", key),
            ("current", current),
            ("next", next),
        ],
        hooks: NativeHooks {
            create: Some(create),
            no_clone: true,
            method_target: Some(|object| object.native::<Outer>()?.iterator()),
            ..NativeHooks::NONE
        },
    },
    class(
        "NoRewindIterator",
        include_str!("../../stubs/NoRewindIterator.stub.php"),
        &[
            ("__construct", |call| construct(call, Extra::None)),
            ("rewind", |_| Ok(Val::NULL)),
            ("valid", |call| forward(call, b"valid")),
            ("key", |call| forward(call, b"key")),
            ("current", current_once),
            ("next", |call| {
                outer(call)?.free();
                forward(call, b"next").map(|_| Val::NULL)
            }),
        ],
    ),
    class(
        "InfiniteIterator",
        include_str!("../../stubs/InfiniteIterator.stub.php"),
        &[("__construct", |call| construct(call, Extra::None)), ("next", next_or_first)],
    ),
];

/// The additional data of each kind of outer iterator.
pub enum Extra {
    None,
    Limit {
        offset: i64,
        count: i64,
    },
    Caching(super::caching::Cache),
    /// The ArrayIterator over the iterators.
    Append(Val),
    Callback(Val),
    Regex(super::regex::Matcher),
}

/// The native part of an outer iterator.
#[derive(Default)]
pub struct Outer {
    /// Set by the constructor; an AppendIterator changes it.
    pub inner: Slot,
    pub data: Slot,
    pub key: Slot,
    pub position: Cell<i64>,
    pub extra: OnceCell<Extra>,
}

impl NativeData for Outer {
    fn trace(&self, edges: &mut Edges) {
        self.inner.trace(edges);
        self.data.trace(edges);
        self.key.trace(edges);
        match self.extra.get() {
            Some(Extra::Caching(cache)) => cache.trace(edges),
            Some(Extra::Callback(value) | Extra::Append(value)) => edges.value(value),
            _ => {}
        }
    }

    fn clear(&self) {
        self.inner.set(Val::UNDEF);
        self.free();
        if let Some(Extra::Caching(cache)) = self.extra.get() {
            cache.clear();
        }
    }
}

/// Gives a new object its native data, which the constructor fills in.
pub fn create(_: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(Outer::default()));
}

/// The native part of `$this`, which must have been constructed.
pub fn outer<'a>(call: &'a Call<'_>) -> PhpResult<&'a Outer> {
    match call.this().native::<Outer>() {
        Some(outer) if outer.extra.get().is_some() => Ok(outer),
        _ => Err(not_constructed(call.vm)),
    }
}

impl Outer {
    /// The inner iterator; only an AppendIterator can be without one.
    pub fn iterator(&self) -> Option<PhpObj> {
        self.inner.get().into_obj()
    }

    /// Forgets the current element.
    pub fn free(&self) {
        self.data.set(Val::UNDEF);
        self.key.set(Val::UNDEF);
        if let Some(Extra::Caching(cache)) = self.extra.get() {
            cache.forget_element();
        }
    }

    /// Forgets the current element and rewinds the inner iterator.
    pub fn rewind_inner(&self, vm: &Vm) -> PhpResult<()> {
        self.free();
        self.position.set(0);
        match self.iterator() {
            Some(inner) => call(vm, &inner, b"rewind").map(drop),
            None => Ok(()),
        }
    }

    /// Whether the inner iterator has an element.
    pub fn inner_valid(&self, vm: &Vm) -> PhpResult<bool> {
        match self.iterator() {
            Some(inner) => ask(vm, &inner, b"valid"),
            None => Ok(false),
        }
    }

    /// Takes the inner iterator's element; false when `checks` and there is none.
    pub fn fetch(&self, vm: &Vm, checks: bool) -> PhpResult<bool> {
        self.free();
        if checks && !self.inner_valid(vm)? {
            return Ok(false);
        }
        let Some(inner) = self.iterator() else { return Ok(false) };
        let data = call(vm, &inner, b"current")?.or_null();
        self.data.set(data);
        let key = call(vm, &inner, b"key")?.or_null();
        self.key.set(key);
        Ok(true)
    }

    /// Moves the inner iterator on.
    pub fn advance(&self, vm: &Vm, frees: bool) -> PhpResult<()> {
        if frees {
            self.free();
        }
        match self.iterator() {
            Some(inner) => call(vm, &inner, b"next")?,
            None => {
                return Err(vm.throw_error(b"The inner constructor wasn't initialized with an iterator instance"));
            }
        };
        self.position.set(self.position.get() + 1);
        Ok(())
    }

    /// Whether an element was fetched and not forgotten.
    pub fn has_element(&self) -> bool {
        !self.data.is_undef()
    }
}

/// The constructor of an iterator around the first argument.
pub fn construct(call: &mut Call<'_>, extra: Extra) -> PhpResult<Val> {
    let inner = call.arg(0);
    construct_around(call, inner, extra)
}

/// A second construction is refused.
pub fn check_unconstructed(call: &Call<'_>) -> PhpResult<()> {
    if call.this().native::<Outer>().is_some_and(|outer| outer.extra.get().is_none()) {
        return Ok(());
    }
    let class = call.scope().map_or_else(PhpStr::empty, |class| phlox_runtime::ClassExt::class(&**class).name.clone());
    let text = [&class[..], b"::getIterator() must be called exactly once per instance"].concat();
    Err(call.vm.throw_class(b"BadMethodCallException", &text, 0))
}

/// Throws if the value cannot be iterated, such as a generator that has ended.
pub fn check_inner(vm: &Vm, inner: &Val) -> PhpResult<()> {
    let Some(inner) = inner.as_obj() else { return Ok(()) };
    match inner.class().native.check_iteration {
        Some(check) => check(vm, inner, false),
        None => Ok(()),
    }
}

/// Constructs `$this` around an inner iterator. Throws if it was constructed before.
pub fn construct_around(call: &Call<'_>, inner: Val, extra: Extra) -> PhpResult<Val> {
    check_unconstructed(call)?;
    check_inner(call.vm, &inner)?;
    if let Some(outer) = call.this().native::<Outer>() {
        outer.inner.set(inner);
        let _ = outer.extra.set(extra);
    }
    Ok(Val::NULL)
}

/// The constructor of an iterator around any Traversable; of an aggregate its iterator is taken.
fn construct_any(call: &mut Call<'_>) -> PhpResult<Val> {
    check_unconstructed(call)?;
    let Some(source) = call.opt_obj(0) else { return Ok(Val::NULL) };
    if iteration::class_implements(call.vm, source.class_header(), b"iterator") {
        return construct(call, Extra::None);
    }
    if let Some(name) = call.opt_str(1) {
        let cast = call.vm.find_class(&name)?;
        let fits = cast.as_ref().is_some_and(|class| {
            phlox_runtime::ObjExt::is_a(&source, class) && iteration::class_implements(call.vm, class, b"traversable")
        });
        if !fits {
            let text = b"Class to downcast to not found or not base class or does not implement Traversable";
            return Err(call.vm.throw_class(b"LogicException", text, 0));
        }
        // A builtin `getIterator` of the named class is called, even if a subclass replaces it.
        let method = cast.as_ref().and_then(|class| {
            phlox_runtime::ClassExt::class(&**class).methods.get(&phlox_runtime::ByBytes(b"getiterator")).cloned()
        });
        if let Some(method) = method.filter(|method| method.is_native() || method.unit.internal) {
            let given = call.vm.call(&phlox_runtime::Callee::method(method, source.clone()), Vec::new())?;
            if let Some(given) = given.into_deref().into_obj() {
                let inner = iterator_of(call.vm, &given)?;
                return construct_around(call, inner.into(), Extra::None);
            }
        }
    }
    let inner = iterator_of(call.vm, &source)?;
    construct_around(call, inner.into(), Extra::None)
}

/// The iterator of an aggregate (of aggregates).
pub fn iterator_of(vm: &Vm, aggregate: &PhpObj) -> PhpResult<PhpObj> {
    let mut source = aggregate.clone();
    while !iteration::class_implements(vm, source.class_header(), b"iterator") {
        let answer = call(vm, &source, b"getiterator")?;
        source = match answer.view() {
            View::Obj(inner) if iteration::is_traversable(vm, inner) => inner.clone(),
            _ => {
                let class = phlox_runtime::ObjExt::class_name(&source);
                let tail = b"::getIterator() must return an object that implements Traversable";
                return Err(vm.throw_class(b"LogicException", &[&class[..], tail].concat(), 0));
            }
        };
    }
    Ok(source)
}

fn get_inner_iterator(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(outer(call)?.inner.get().or_null())
}

/// `IteratorIterator::rewind()`
pub fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    let outer = outer(call)?;
    outer.rewind_inner(call.vm)?;
    outer.fetch(call.vm, true)?;
    Ok(Val::NULL)
}

/// `IteratorIterator::valid()`
pub fn valid(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(outer(call)?.has_element().into())
}

/// `IteratorIterator::key()`
pub fn key(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(outer(call)?.key.get_deref().or_null())
}

/// `IteratorIterator::current()`
pub fn current(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(outer(call)?.data.get_deref().or_null())
}

/// `IteratorIterator::next()`
pub fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    let outer = outer(call)?;
    outer.advance(call.vm, true)?;
    outer.fetch(call.vm, true)?;
    Ok(Val::NULL)
}

/// Calls a method of the inner iterator.
pub fn forward(call: &mut Call<'_>, method: &[u8]) -> PhpResult<Val> {
    match outer(call)?.iterator() {
        Some(inner) => super::call(call.vm, &inner, method),
        None => Ok(Val::NULL),
    }
}

/// The inner iterator's current value. An iterator in PHP is called once for each element.
fn current_once(call: &mut Call<'_>) -> PhpResult<Val> {
    let known = outer(call)?.data.get();
    if !known.is_undef() {
        return Ok(known);
    }
    let value = forward(call, b"current")?;
    let is_replaced = |inner: PhpObj| {
        let method = inner.class().methods.get(&phlox_runtime::ByBytes(b"current"));
        method.is_some_and(|method| !method.is_native())
    };
    if outer(call)?.iterator().is_some_and(is_replaced) {
        outer(call)?.data.set(value.clone().into_deref().or_null());
    }
    Ok(value)
}

fn next_or_first(call: &mut Call<'_>) -> PhpResult<Val> {
    let (outer, vm) = (outer(call)?, call.vm);
    outer.advance(vm, true)?;
    if !outer.inner_valid(vm)? {
        outer.rewind_inner(vm)?;
        if !outer.inner_valid(vm)? {
            return Ok(Val::NULL);
        }
    }
    outer.fetch(vm, false)?;
    Ok(Val::NULL)
}
