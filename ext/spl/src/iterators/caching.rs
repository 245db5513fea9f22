//! CachingIterator and RecursiveCachingIterator: one element ahead, so that `hasNext` can be answered.

use super::outer::{Extra, Outer, construct, outer};
use super::{Methods, call as invoke, tolerate};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{
    Call, Edges, NativeClass, ObjExt, PhpArr, PhpResult, PhpStr, Slot, Throw, Val, convert, iteration,
};
use std::cell::Cell;

const CALL_TOSTRING: i64 = 1;
const TOSTRING_USE_KEY: i64 = 2;
const TOSTRING_USE_CURRENT: i64 = 4;
const TOSTRING_USE_INNER: i64 = 8;
const CATCH_GET_CHILD: i64 = 16;
const FULL_CACHE: i64 = 256;
/// The flags that scripts see.
const PUBLIC: i64 = 0xffff;
/// There is a current element.
const VALID: i64 = 0x10000;

const ONE_STRING_FLAG: &str = "must contain only one of CachingIterator::CALL_TOSTRING, \
     CachingIterator::TOSTRING_USE_KEY, CachingIterator::TOSTRING_USE_CURRENT, \
     or CachingIterator::TOSTRING_USE_INNER";

const METHODS: Methods = &[
    ("__construct", construct_caching),
    ("rewind", rewind),
    ("valid", |call| Ok((flags(call)? & VALID != 0).into())),
    ("next", |call| fetch_ahead(call).map(|()| Val::NULL)),
    ("hasNext", |call| Ok(outer(call)?.inner_valid(call.vm)?.into())),
    ("__toString", to_string),
    ("getFlags", |call| Ok(Val::int(flags(call)? & PUBLIC))),
    ("setFlags", set_flags),
    ("offsetGet", offset_get),
    ("offsetSet", offset_set),
    ("offsetUnset", offset_unset),
    ("offsetExists", offset_exists),
    ("getCache", |call| Ok(full_cache(call)?.cached().into())),
    ("count", |call| Ok(Val::int(full_cache(call)?.cached().len() as i64))),
];

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "CachingIterator",
        decl: include_str!("../../stubs/CachingIterator.stub.php"),
        methods: METHODS,
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "RecursiveCachingIterator",
        decl: include_str!("../../stubs/RecursiveCachingIterator.stub.php"),
        methods: &[
            ("__construct", construct_recursive),
            ("hasChildren", |call| Ok((!cache(call)?.children.is_undef()).into())),
            ("getChildren", |call| Ok(cache(call)?.children.get().or_null())),
        ],
        hooks: NativeHooks::NONE,
    },
];

/// The data of a caching iterator.
#[derive(Default)]
pub struct Cache {
    flags: Cell<i64>,
    recursive: bool,
    /// All elements so far, with `FULL_CACHE`.
    elements: Slot,
    children: Slot,
    text: Slot,
}

impl Cache {
    /// Reports what the cache refers to, for the cycle collector.
    pub fn trace(&self, edges: &mut Edges) {
        self.elements.trace(edges);
        self.children.trace(edges);
    }

    /// Drops the kept elements and the children, to break cycles.
    pub fn clear(&self) {
        self.elements.set(Val::UNDEF);
        self.children.set(Val::UNDEF);
    }

    /// Forgets the data of the current element.
    pub fn forget_element(&self) {
        self.children.set(Val::UNDEF);
        self.text.set(Val::UNDEF);
    }

    fn cached(&self) -> PhpArr {
        self.elements.get().into_arr().unwrap_or_default()
    }
}

fn has_one_string_flag(flags: i64) -> bool {
    (flags & (CALL_TOSTRING | TOSTRING_USE_KEY | TOSTRING_USE_CURRENT | TOSTRING_USE_INNER)).count_ones() <= 1
}

fn cache<'a>(call: &'a Call<'_>) -> PhpResult<&'a Cache> {
    match outer(call)?.extra.get() {
        Some(Extra::Caching(cache)) => Ok(cache),
        _ => Err(super::not_constructed(call.vm)),
    }
}

fn flags(call: &Call<'_>) -> PhpResult<i64> {
    Ok(cache(call)?.flags.get())
}

fn construct_caching(call: &mut Call<'_>) -> PhpResult<Val> {
    construct_with(call, false)
}

fn construct_recursive(call: &mut Call<'_>) -> PhpResult<Val> {
    super::outer::check_unconstructed(call)?;
    let inner = call.arg(0);
    let fits = inner
        .as_obj()
        .is_some_and(|inner| iteration::class_implements(call.vm, inner.class_header(), b"recursiveiterator"));
    if !fits {
        let given = convert::value_name(&inner);
        return Err(call.type_error(0, &format!("must be of type RecursiveIterator, {given} given")));
    }
    construct_with(call, true)
}

fn construct_with(call: &mut Call<'_>, recursive: bool) -> PhpResult<Val> {
    super::outer::check_unconstructed(call)?;
    let flags = call.int(1);
    if !has_one_string_flag(flags) {
        return Err(call.value_error(1, ONE_STRING_FLAG));
    }
    let cache = Cache { flags: Cell::new(flags & PUBLIC), recursive, ..Cache::default() };
    construct(call, Extra::Caching(cache))
}

fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    outer(call)?.rewind_inner(call.vm)?;
    cache(call)?.elements.set(Val::UNDEF);
    fetch_ahead(call)?;
    Ok(Val::NULL)
}

/// Takes the inner element and moves the inner iterator on.
fn fetch_ahead(call: &mut Call<'_>) -> PhpResult<()> {
    let (outer, cache, vm) = (outer(call)?, cache(call)?, call.vm);
    if !outer.fetch(vm, true)? {
        cache.flags.set(cache.flags.get() & !VALID);
        return Ok(());
    }
    cache.flags.set(cache.flags.get() | VALID);
    if cache.flags.get() & FULL_CACHE != 0 {
        let key = convert::to_key(vm, &outer.key.get(), convert::OffsetUse::Write)?;
        let mut elements = cache.elements.take().into_arr().unwrap_or_default();
        let old = elements.insert(key.as_key(), outer.data.get_deref());
        cache.elements.set(elements.into());
        drop(old);
    }
    if cache.recursive {
        let catches = cache.flags.get() & CATCH_GET_CHILD != 0;
        tolerate(fetch_children(call, outer, cache), catches)?;
    }
    let flags = cache.flags.get();
    if flags & TOSTRING_USE_INNER != 0 {
        cache.text.set(convert::to_str(vm, &outer.inner.get())?.into());
    } else if flags & CALL_TOSTRING != 0 {
        cache.text.set(convert::to_str(vm, &outer.data.get())?.into());
    }
    outer.advance(vm, false)
}

fn fetch_children(call: &Call<'_>, outer: &Outer, cache: &Cache) -> PhpResult<()> {
    let Some(inner) = outer.iterator() else { return Ok(()) };
    if !super::ask(call.vm, &inner, b"haschildren")? {
        return Ok(());
    }
    let children = invoke(call.vm, &inner, b"getchildren")?;
    let class = call.vm.require_class(b"RecursiveCachingIterator")?;
    let flags = Val::int(cache.flags.get() & PUBLIC);
    let children = call.vm.new_object(&class, vec![children, flags])?;
    cache.children.set(children.into());
    Ok(())
}

fn to_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let (outer, cache) = (outer(call)?, cache(call)?);
    let flags = cache.flags.get();
    if flags & (CALL_TOSTRING | TOSTRING_USE_KEY | TOSTRING_USE_CURRENT | TOSTRING_USE_INNER) == 0 {
        return Err(bad_call(call, b" does not fetch string value (see CachingIterator::__construct)"));
    }
    if flags & TOSTRING_USE_KEY != 0 {
        return Ok(convert::to_str(call.vm, &outer.key.get())?.into());
    }
    if flags & TOSTRING_USE_CURRENT != 0 {
        return Ok(convert::to_str(call.vm, &outer.data.get())?.into());
    }
    Ok(cache.text.get().into_str().unwrap_or_else(PhpStr::empty).into())
}

fn bad_call(call: &Call<'_>, message: &[u8]) -> Throw {
    let text = [&call.this().class_name()[..], message].concat();
    call.vm.throw_class(b"BadMethodCallException", &text, 0)
}

fn set_flags(call: &mut Call<'_>) -> PhpResult<Val> {
    let (wanted, cache) = (call.int(0), cache(call)?);
    let old = cache.flags.get();
    if !has_one_string_flag(wanted) {
        return Err(call.value_error(0, ONE_STRING_FLAG));
    }
    for (flag, message) in [
        (CALL_TOSTRING, "Unsetting flag CALL_TO_STRING is not possible"),
        (TOSTRING_USE_INNER, "Unsetting flag TOSTRING_USE_INNER is not possible"),
    ] {
        if old & flag != 0 && wanted & flag == 0 {
            return Err(call.vm.throw_class(b"InvalidArgumentException", message.as_bytes(), 0));
        }
    }
    if wanted & FULL_CACHE != 0 && old & FULL_CACHE == 0 {
        cache.elements.set(Val::UNDEF);
    }
    cache.flags.set(old & !PUBLIC | wanted & PUBLIC);
    Ok(Val::NULL)
}

/// The cache, which must be a full one.
fn full_cache<'a>(call: &'a Call<'_>) -> PhpResult<&'a Cache> {
    let cache = cache(call)?;
    if cache.flags.get() & FULL_CACHE == 0 {
        return Err(bad_call(call, b" does not use a full cache (see CachingIterator::__construct)"));
    }
    Ok(cache)
}

/// The offset argument converted to a string, as a normalised key.
fn offset(call: &Call<'_>) -> PhpResult<phlox_runtime::ArrKey> {
    let value = call.arg(0);
    if value.is_null() {
        let name = call.func.display_name();
        let text = b"(): Passing null to parameter #1 ($key) of type string is deprecated";
        call.vm.deprecated(&[&name[..], text].concat())?;
    }
    let is_text = match value.as_obj() {
        Some(object) => object.class().magic.to_string.is_some(),
        None => value.as_arr().is_none(),
    };
    if !is_text {
        let given = convert::value_name(&value);
        return Err(call.type_error(0, &format!("must be of type string, {given} given")));
    }
    Ok(phlox_runtime::ArrKey::from_str(convert::to_str(call.vm, &call.arg(0))?))
}

fn offset_get(call: &mut Call<'_>) -> PhpResult<Val> {
    let key = offset(call)?;
    let elements = full_cache(call)?.cached();
    match elements.get(key.as_key()) {
        Some(value) => Ok(value.deref()),
        None => {
            let name = convert::to_str(call.vm, &call.arg(0))?;
            call.vm.warning(&[b"Undefined array key \"", &name[..], b"\""].concat())?;
            Ok(Val::NULL)
        }
    }
}

fn offset_set(call: &mut Call<'_>) -> PhpResult<Val> {
    let key = offset(call)?;
    let cache = full_cache(call)?;
    let mut elements = cache.elements.take().into_arr().unwrap_or_default();
    let old = elements.insert(key.as_key(), call.arg(1));
    cache.elements.set(elements.into());
    drop(old);
    Ok(Val::NULL)
}

fn offset_unset(call: &mut Call<'_>) -> PhpResult<Val> {
    let key = offset(call)?;
    let cache = full_cache(call)?;
    let mut elements = cache.elements.take().into_arr().unwrap_or_default();
    let old = elements.remove(key.as_key());
    cache.elements.set(elements.into());
    drop(old);
    Ok(Val::NULL)
}

fn offset_exists(call: &mut Call<'_>) -> PhpResult<Val> {
    let key = offset(call)?;
    let elements = full_cache(call)?.cached();
    Ok(elements.get(key.as_key()).is_some_and(|value| !value.deref().is_null()).into())
}
