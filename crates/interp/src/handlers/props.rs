//! Properties, static properties, constants.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`. `a` is the object (`$this`, a
//! cell of that frame or a literal), `b` the literal name, `c` the destination, or the value of a `SetProp`. The inline cache
//! holds, for objects of one class, the slot of the property and the types that it takes; a class's slots never change.

use super::{
    Handler, cache_of, fill_site, next, numbered_cache, numbered_site, release_next, second_site, site, slow,
    slow_handler, slow_switch, switch_handler,
};
use crate::code::{Kind, Site};
use crate::context::{Fp, Ip, Run, cell, literal};
use crate::declared::property_kinds;
use crate::frame::Frame;
use crate::named_sites::{self, Held};
use crate::{implicit_calls, megamorphic_cache};
use phlox_lower::{ClassBy, OpCode, Operand, Opline, QUIET};
use phlox_runtime::magic::Guard;
use phlox_runtime::members::{self, Action, Place, Step};
use phlox_runtime::props::{self, Found, ReadMode};
use phlox_runtime::{Access, Class, ClassExt, ClassRef, Key, ObjExt, PhpObj, PhpStr, Slot, Val, link};
use phlox_value::raw;
use std::rc::Rc;

pub(super) const THIS: u8 = Kind::This as u8;
pub(super) const LOCAL: u8 = Kind::Local as u8;
pub(super) const TMP: u8 = Kind::Tmp as u8;
const LIT: u8 = Kind::Lit as u8;

/// The handler of an opline that reads, tests or assigns a property, or reads a static property or a constant.
pub fn select(opline: &Opline) -> Handler {
    match (opline.op, opline.a) {
        (OpCode::GetProp, Operand::This) => get::<THIS>,
        (OpCode::GetProp, Operand::Local(_)) => get::<LOCAL>,
        (OpCode::GetProp, Operand::Tmp(_)) => get::<TMP>,
        (OpCode::GetProp, _) => get_generic,
        (OpCode::GetPropQuiet, Operand::This) => get_quiet_quick::<THIS>,
        (OpCode::GetPropQuiet, Operand::Local(_)) => get_quiet_quick::<LOCAL>,
        (OpCode::GetPropQuiet, _) => get_quiet,
        (OpCode::IssetProp, Operand::This) if opline.n == 0 => isset_quick::<THIS>,
        (OpCode::IssetProp, Operand::Local(_)) if opline.n == 0 => isset_quick::<LOCAL>,
        (OpCode::IssetProp, _) => isset,
        (OpCode::SetProp, Operand::This) => match opline.c {
            Operand::Lit(_) => set::<THIS, LIT>,
            Operand::Local(_) => set::<THIS, LOCAL>,
            _ => set::<THIS, TMP>,
        },
        (OpCode::SetProp, _) => match opline.c {
            Operand::Lit(_) => set::<LOCAL, LIT>,
            Operand::Local(_) => set::<LOCAL, LOCAL>,
            _ => set::<LOCAL, TMP>,
        },
        (OpCode::GetStatic, _) => get_static,
        (OpCode::ClassConst, _) => class_constant,
        _ => constant,
    }
}

/// The payload of the object that operand `a` is; 0 if it is no object.
#[inline(always)]
unsafe fn object_payload<const KIND: u8>(ip: Ip, fp: Fp) -> u64 {
    // SAFETY: `KIND` says what operand `a` is: `$this` in the frame's header, a local or a full temporary.
    unsafe {
        match KIND {
            THIS => (*fp.cast::<Frame>()).this,
            LOCAL => {
                let place = raw::look_through(cell(fp, (*ip).a));
                if raw::tag(place) == raw::TI_OBJ { raw::payload(place) } else { 0 }
            }
            _ => {
                let place = cell(fp, (*ip).a);
                if raw::tag(place) == raw::TI_OBJ { raw::payload(place) } else { 0 }
            }
        }
    }
}

/// `GetProp` of an object of a class that is in one of the two inline caches. `KIND` says what operand `a` is.
#[inline(never)]
pub(super) unsafe extern "C-unwind" fn get<const KIND: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `GetProp`, which has an inline cache at `d`; a cached slot is one of the cached class.
    unsafe {
        let object = object_payload::<KIND>(ip, fp);
        if object == 0 {
            slow_switch!(get_slow, ip, fp, run)
        }
        let mut cache = site(ip);
        if cache.key != raw::class_of(object) as u64 {
            cache = second_site(ip);
            if cache.key != raw::class_of(object) as u64 {
                return get_of_many::<KIND>(ip, fp, run);
            }
        }
        let place = raw::look_through(raw::property(object, slot_of(cache.value)));
        let (payload, tag) = (raw::payload(place), raw::tag(place));
        if tag == raw::TI_UNDEF {
            slow_switch!(get_slow, ip, fp, run)
        }
        raw::retain(payload, tag);
        raw::write(cell(fp, (*ip).c), payload, tag);
        if KIND == TMP {
            release_next!(object, raw::TI_OBJ, ip, fp, run)
        }
        next!(ip, fp, run)
    }
}

switch_handler!(get_generic, get_slow);

/// In a cache's value, beside the slot: the property is readonly, so only an uninitialised one may be written.
const INITIALIZES: u64 = 1 << 31;

/// The slot of the property in a cache's value.
#[inline(always)]
pub fn slot_of(value: u64) -> usize {
    (value & 0xffff) as usize
}

/// Does a cache's value say that the property is readonly?
pub fn is_readonly(value: u64) -> bool {
    value & INITIALIZES != 0
}

/// Fills a cache for reading or writing, if the property is a declared one without hooks that the scope may use; returns whether
/// it did.
pub(super) fn remember(cache: &mut Site, object: &PhpObj, name: &PhpStr, access: Access<'_>, writes: bool) -> bool {
    let key = Rc::as_ptr(object.class_header()) as u64;
    if cache.key == key {
        return false;
    }
    let Some(found) = place_in_class(object.class(), key, name, access, writes) else {
        remember_dynamic(object.class(), key, name, access, writes);
        return false;
    };
    *cache = found;
    match writes {
        false => megamorphic_cache::remember(
            megamorphic_cache::Key::new(key | megamorphic_cache::PROPERTY, name, access.scope),
            found.value & 0xffff,
        ),
        true => megamorphic_cache::remember(
            megamorphic_cache::Key::new(key | megamorphic_cache::SETTABLE, name, access.scope),
            found.value,
        ),
    }
    true
}

/// What an opline's cache holds of a property for objects of a class, whose identity is `key`; `None` if it cannot be cached.
pub fn place_in_class(class: &Class, key: u64, name: &PhpStr, access: Access<'_>, writes: bool) -> Option<Site> {
    let Found::Declared(info) = props::find(class, name, access.scope) else { return None };
    let is_special = info.has_hooks() || info.is_virtual() || info.is_static();
    if is_special || info.slot > 0xffff || class.native.own_properties.is_some() {
        return None;
    }
    let mut value = info.slot as u64 | u64::from(u32::MAX) << 32;
    if writes {
        if class.native.check_write.is_some() || !props::is_settable(&info, access.scope) {
            return None;
        }
        if info.is_readonly() {
            value |= INITIALIZES;
        }
        value = value & u64::from(u32::MAX) | u64::from(property_kinds(info.ty.as_deref())) << 32;
    }
    Some(Site { key, value, class: 0 })
}

/// Remembers in the megamorphic cache that a name is no declared property of a class, for this scope.
pub(super) fn remember_dynamic(class: &Class, key: u64, name: &PhpStr, access: Access<'_>, writes: bool) {
    let is_dynamic = matches!(props::find(class, name, access.scope), Found::Dynamic);
    let is_plain = class.native.own_properties.is_none() && !class.props.contains_key(name);
    if !is_dynamic || !is_plain || !name.is_interned() || !matches!(Key::from_str(name), Key::Str(_)) {
        return;
    }
    if !writes {
        return megamorphic_cache::remember(
            megamorphic_cache::Key::new(key | megamorphic_cache::PROPERTY, name, access.scope),
            megamorphic_cache::DYNAMIC,
        );
    }
    let may_create = props::allows_new_property(class, name);
    let value = megamorphic_cache::DYNAMIC | if may_create { megamorphic_cache::MAY_CREATE } else { 0 };
    megamorphic_cache::remember(
        megamorphic_cache::Key::new(key | megamorphic_cache::SETTABLE, name, access.scope),
        value,
    );
}

/// Assigns to a dynamic property that exists, or that may be created; returns what it held. `None`: nothing was changed.
unsafe fn set_dynamic(object: u64, name: &PhpStr, may_create: bool, words: (u64, u32)) -> Option<(u64, u32)> {
    // SAFETY: the callers pass a live object and a value, whose count moves into the property unless the result is `None`.
    unsafe {
        let mut place = raw::own_dynamic_property(object, name)?;
        if !place.is_null() {
            if raw::tag(place) == raw::TI_REF {
                if raw::is_typed_ref(raw::payload(place)) {
                    return None;
                }
                place = raw::ref_place(raw::payload(place));
            }
            let old = (raw::payload(place), raw::tag(place));
            raw::write(place, words.0, words.1);
            return Some(old);
        }
        let handle = &*(&raw const object).cast::<PhpObj>();
        // An object with native data may be lazy, or have its elements for properties.
        if !may_create || handle.has_native() {
            return None;
        }
        handle.add_dynamic(name, raw::value(words.0, words.1));
        Some((0, raw::TI_UNDEF))
    }
}

/// Fills the first cache of an opline for a property of an object, if it can be cached; its old content moves to the second cache.
unsafe fn remember_at(cache: *mut Site, object: &PhpObj, name: &PhpStr, access: Access<'_>, writes: bool) {
    // SAFETY: the callers pass the first cache of an opline of the innermost frame's function.
    unsafe {
        let mut filled = Site::default();
        if (*cache).key != Rc::as_ptr(object.class_header()) as u64
            && remember(&mut filled, object, name, access, writes)
        {
            fill_site(cache, filled);
        }
    }
}

/// Remembers that the property of a cache has taken an object of this class, so that it takes other objects of the class, too.
fn remember_class(cache: &mut Site, value: &Val) {
    if value.as_obj().is_some() {
        // SAFETY: `as_obj` has shown that the value is an object, whose payload is its address.
        cache.class = unsafe { raw::class_of(raw::payload(&raw const *value)) } as u64;
        megamorphic_cache::remember(
            megamorphic_cache::Key::of_property(cache.key, slot_of(cache.value) as u64, cache.class),
            1,
        );
    }
}

/// The class that the function of a frame belongs to.
#[inline(always)]
unsafe fn scope_of<'a>(fp: Fp) -> Option<&'a ClassRef> {
    // SAFETY: `fp` is the innermost frame, whose function lives at least as long.
    unsafe { (*(*fp.cast::<Frame>()).code).func().scope.get() }
}

/// The location of the property of an opline in an object of a class that is in no inline cache, by the megamorphic cache. Null:
/// that does not know it, or the property is not set.
#[inline(always)]
unsafe fn place_of_many(ip: Ip, fp: Fp, object: u64) -> *mut Val {
    // SAFETY: `b` is a literal string, `object` is alive, and a remembered slot is one of its class.
    unsafe {
        let class = raw::class_of(object) as u64;
        let name = raw::string_at(literal(ip, (*ip).b));
        let Some(slot) = megamorphic_cache::find(megamorphic_cache::Key::new(
            class | megamorphic_cache::PROPERTY,
            name,
            scope_of(fp),
        )) else {
            return std::ptr::null_mut();
        };
        if slot == megamorphic_cache::DYNAMIC {
            return dynamic_place(object, name);
        }
        if second_site(ip).key == 0 {
            fill_site(cache_of(ip), Site { key: class, value: slot | u64::from(u32::MAX) << 32, class: 0 });
        }
        let place = raw::look_through(raw::property(object, slot as usize));
        if raw::tag(place) == raw::TI_UNDEF { std::ptr::null_mut() } else { place }
    }
}

/// The location of a dynamic property; null if the object has none of that name.
#[inline(never)]
unsafe fn dynamic_place(object: u64, name: &PhpStr) -> *mut Val {
    // SAFETY: the callers pass the payload of a live object.
    unsafe {
        let place = raw::dynamic_property(object, name);
        if place.is_null() { place } else { raw::look_through(place) }
    }
}

/// `GetProp` of an object of a class that is in neither inline cache, by the megamorphic cache.
#[inline(never)]
unsafe extern "C-unwind" fn get_of_many<const KIND: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `get` jumps here if operand `a` is an object; operands of `GetProp`.
    unsafe {
        let object = object_payload::<KIND>(ip, fp);
        let place = place_of_many(ip, fp, object);
        if place.is_null() {
            slow_switch!(get_slow, ip, fp, run)
        }
        let (payload, tag) = (raw::payload(place), raw::tag(place));
        raw::retain(payload, tag);
        raw::write(cell(fp, (*ip).c), payload, tag);
        if KIND == TMP {
            release_next!(object, raw::TI_OBJ, ip, fp, run)
        }
        next!(ip, fp, run)
    }
}

/// Assigns to a property whose location and types a cache knows. Returns what the property held, for the caller to release;
/// `None`: nothing was changed.
///
/// # Safety
/// `found` was remembered for the class of the live `object`, this name and the running scope. The value's count moves into the
/// property unless the result is `None`.
pub(super) unsafe fn set_known(
    found: u64,
    object: u64,
    name: &PhpStr,
    (payload, tag): (u64, u32),
) -> Option<(u64, u32)> {
    // SAFETY: `found` is about the object's class, so its slot is one of the object's.
    unsafe {
        if found & megamorphic_cache::DYNAMIC != 0 {
            return set_dynamic(object, name, found & megamorphic_cache::MAY_CREATE != 0, (payload, tag));
        }
        let (class, slot) = (raw::class_of(object) as u64, slot_of(found));
        let accepted = (found >> 32) as u32 >> (tag & 0xff) & 1 != 0
            || tag == raw::TI_OBJ
                && megamorphic_cache::find(megamorphic_cache::Key::of_property(
                    class,
                    slot as u64,
                    raw::class_of(payload) as u64,
                ))
                .is_some();
        let mut place = raw::property(object, slot);
        let first = raw::tag(place) == raw::TI_UNDEF && raw::aux(place) == 0;
        if !accepted || !first && (raw::tag(place) == raw::TI_UNDEF || is_readonly(found)) {
            return None;
        }
        if raw::tag(place) == raw::TI_REF {
            // A reference that nobody else holds has only the type of this property.
            if raw::is_typed_ref(raw::payload(place)) && raw::count(raw::payload(place)) > 1 {
                return None;
            }
            place = raw::ref_place(raw::payload(place));
        }
        let old = (raw::payload(place), raw::tag(place));
        raw::write(place, payload, tag);
        Some(old)
    }
}

/// The object that operand `a` is, retained; `None` if it is no object.
unsafe fn object_operand(ip: Ip, fp: Fp, run: &Run, kind: Kind) -> Option<PhpObj> {
    // SAFETY: `kind` is the kind of operand `a` of `ip`, an opline of the innermost frame.
    unsafe {
        match kind {
            Kind::This => run.this().cloned(),
            Kind::Local | Kind::Tmp => (*raw::look_through(cell(fp, (*ip).a))).as_obj().cloned(),
            _ => None,
        }
    }
}

/// `GetProp` of all values; a `__get` runs as an implicit call in a frame above this one.
#[inline(never)]
unsafe fn get_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `GetProp`: a temporary `a` is taken once, `b` is a literal string.
    unsafe {
        let meta = run.meta(ip);
        let name = raw::string_at(literal(ip, (*ip).b));
        if let Some(object) = object_operand(ip, fp, run, meta.a)
            && let Some(func) = implicit_calls::magic(run, &object, name, Guard::Get)
        {
            if meta.a == Kind::Tmp {
                drop(raw::take(cell(fp, (*ip).a)));
            }
            return implicit_calls::get_property(run, func, object, name);
        }
        get_alone_slow(ip, fp, run)
    }
}

/// `GetProp` of all values; PHP code that this runs has ended when it returns. Also executed for compiled code.
pub(super) unsafe fn get_alone_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `GetProp`: `fetch` consumes `a`, `store` writes `c`, and `site` numbers a cache of the function.
    unsafe {
        let meta = run.meta(ip);
        let name = raw::string_at(literal(ip, (*ip).b)).clone();
        let access = run.access();
        let result = run.fetch(ip, (*ip).a, meta.a).and_then(|base| {
            let base = base.into_deref();
            let value = match base.as_obj() {
                Some(object) => {
                    remember_at(numbered_cache(fp, meta.site), object, &name, access, false);
                    props::read(run.vm, object, &name, access, ReadMode::Warn)?
                }
                None => members::read(run.vm, base.clone(), &[Step::Prop(name.clone())], access)?,
            };
            drop(base);
            run.store(ip, value)
        });
        run.finish(ip, result)
    }
}

/// The location of a property that is set, of an object of a class that is in an inline cache; null: no cache knows it.
#[inline(always)]
pub(super) unsafe fn cached_place<const KIND: u8>(ip: Ip, fp: Fp) -> *mut Val {
    // SAFETY: `ip` has an inline cache at `d`, whose slot is one of the cached class; `KIND` says what operand `a` is.
    unsafe {
        let object = object_payload::<KIND>(ip, fp);
        if object == 0 {
            return std::ptr::null_mut();
        }
        let mut cache = site(ip);
        if cache.key != raw::class_of(object) as u64 {
            cache = second_site(ip);
            if cache.key != raw::class_of(object) as u64 {
                return std::ptr::null_mut();
            }
        }
        let place = raw::look_through(raw::property(object, slot_of(cache.value)));
        if raw::tag(place) == raw::TI_UNDEF { std::ptr::null_mut() } else { place }
    }
}

/// `GetPropQuiet` by the inline caches.
#[inline(never)]
pub(super) unsafe extern "C-unwind" fn get_quiet_quick<const KIND: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `GetPropQuiet`: `a` is `$this` or a local, `c` an empty temporary.
    unsafe {
        let place = cached_place::<KIND>(ip, fp);
        if place.is_null() {
            return get_quiet_of_many::<KIND>(ip, fp, run);
        }
        let (payload, tag) = (raw::payload(place), raw::tag(place));
        raw::retain(payload, tag);
        raw::write(cell(fp, (*ip).c), payload, tag);
        next!(ip, fp, run)
    }
}

/// `GetPropQuiet` of an object of a class that is in neither inline cache, by the megamorphic cache.
#[inline(never)]
unsafe extern "C-unwind" fn get_quiet_of_many<const KIND: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `GetPropQuiet`, as `get_quiet_quick` passed them on.
    unsafe {
        let object = object_payload::<KIND>(ip, fp);
        let place = if object == 0 { std::ptr::null_mut() } else { place_of_many(ip, fp, object) };
        if place.is_null() {
            slow_switch!(get_quiet_by_method, ip, fp, run)
        }
        let (payload, tag) = (raw::payload(place), raw::tag(place));
        raw::retain(payload, tag);
        raw::write(cell(fp, (*ip).c), payload, tag);
        next!(ip, fp, run)
    }
}

/// `IssetProp` by the inline caches.
unsafe extern "C-unwind" fn isset_quick<const KIND: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `IssetProp`: `a` is `$this` or a local, `c` an empty temporary.
    unsafe {
        let place = cached_place::<KIND>(ip, fp);
        if place.is_null() {
            slow_switch!(isset_slow, ip, fp, run)
        }
        let set = raw::tag(place) > raw::TI_NULL;
        raw::write_tag(cell(fp, (*ip).c), if set { raw::TI_TRUE } else { raw::TI_FALSE });
        next!(ip, fp, run)
    }
}

switch_handler!(get_quiet, get_quiet_by_method);

/// `GetPropQuiet` of all values; `__isset` and `__get` run as implicit calls in frames above this one.
#[inline(never)]
unsafe fn get_quiet_by_method(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `GetPropQuiet`: a temporary `a` is taken once, before the method is entered.
    unsafe {
        let meta = run.meta(ip);
        if meta.b == Kind::Lit
            && let Some(object) = object_operand(ip, fp, run, meta.a)
            && let name = raw::string_at(literal(ip, (*ip).b))
            && let Some(func) = implicit_calls::quiet_magic(run, &object, name)
        {
            if meta.a == Kind::Tmp {
                drop(raw::take(cell(fp, (*ip).a)));
            }
            return implicit_calls::get_quietly(run, func, object, name);
        }
        get_quiet_slow(ip, fp, run)
    }
}

/// `GetPropQuiet` of all values; PHP code that this runs has ended when it returns. Also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn get_quiet_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `GetPropQuiet`, which `quiet_base` consumes; `store` writes `c`.
    unsafe {
        let access = run.access();
        let result = super::elements::quiet_base(ip, fp, run).and_then(|(base, name)| {
            if let Some(object) = base.as_obj() {
                let cache = numbered_cache(fp, run.meta(ip).site);
                remember_at(cache, object, raw::string_at(&raw const name), access, false);
            }
            let step = [Step::Prop(raw::string_at(&raw const name).clone())];
            let value = members::read_quiet(run.vm, base, &step, access)?;
            run.store(ip, value)
        });
        run.finish(ip, result)
    }
}

switch_handler!(isset, isset_slow);

/// `IssetProp` of all values; an `__isset` runs as an implicit call in a frame above this one.
#[inline(never)]
unsafe fn isset_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `IssetProp`: a temporary `a` is taken once, before the method is entered.
    unsafe {
        let meta = run.meta(ip);
        let empty = meta.n == 1;
        if meta.b == Kind::Lit
            && !empty
            && let name = raw::string_at(literal(ip, (*ip).b))
            && let Some(object) = object_operand(ip, fp, run, meta.a)
            && let Some(func) = implicit_calls::magic(run, &object, name, Guard::Isset)
        {
            if meta.a == Kind::Tmp {
                drop(raw::take(cell(fp, (*ip).a)));
            }
            return implicit_calls::isset_property(run, func, object, name);
        }
        isset_alone_slow(ip, fp, run)
    }
}

/// `IssetProp` of all values; PHP code that this runs has ended when it returns. Also executed for compiled code.
pub(super) unsafe fn isset_alone_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `IssetProp`, which `quiet_base` consumes; `store` writes `c`.
    unsafe {
        let empty = run.meta(ip).n == 1;
        let access = run.access();
        let result = super::elements::quiet_base(ip, fp, run).and_then(|(base, name)| {
            if let Some(object) = base.as_obj() {
                let cache = numbered_cache(fp, run.meta(ip).site);
                remember_at(cache, object, raw::string_at(&raw const name), access, false);
            }
            let step = [Step::Prop(raw::string_at(&raw const name).clone())];
            let set = members::isset(run.vm, base, &step, access, empty)?;
            run.store(ip, Val::bool(set != empty))
        });
        run.finish(ip, result)
    }
}

/// The cell of the value that a `SetProp` assigns.
#[inline(always)]
unsafe fn assigned<const VALUE: u8>(ip: Ip, fp: Fp) -> *const Val {
    // SAFETY: `VALUE` says what operand `c` of a `SetProp` is.
    unsafe { if VALUE == LIT { literal(ip, (*ip).c) } else { cell(fp, (*ip).c) } }
}

/// `SetProp` of an object of a class that is in one of the two inline caches. `KIND` and `VALUE` say what operands `a` and `c`
/// are.
unsafe extern "C-unwind" fn set<const KIND: u8, const VALUE: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `SetProp`, which has an inline cache at `d`; a cached slot is one of the cached class.
    unsafe {
        let object = object_payload::<KIND>(ip, fp);
        if object == 0 {
            slow_switch!(set_slow, ip, fp, run)
        }
        let mut cache = site(ip);
        if cache.key != raw::class_of(object) as u64 {
            cache = second_site(ip);
            if cache.key != raw::class_of(object) as u64 {
                return set_of_many::<KIND, VALUE>(ip, fp, run);
            }
        }
        let value = assigned::<VALUE>(ip, fp);
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        let place = raw::property(object, slot_of(cache.value));
        let old = raw::tag(place);
        let accepted = (cache.value >> 32) as u32 >> (tag & 0xff) & 1 != 0
            || (tag == raw::TI_OBJ && cache.class == raw::class_of(payload) as u64);
        if !accepted || old == raw::TI_REF || VALUE != LIT && (tag == raw::TI_UNDEF || tag == raw::TI_REF) {
            return set_of_many::<KIND, VALUE>(ip, fp, run);
        }
        // A slot that is empty and marked in its auxiliary word was unset, or belongs to a lazy object.
        let first = old == raw::TI_UNDEF && raw::aux(place) == 0;
        if !first && (old == raw::TI_UNDEF || cache.value & INITIALIZES != 0) {
            slow_switch!(set_slow, ip, fp, run)
        }
        if VALUE == LOCAL {
            raw::retain(payload, tag);
        }
        let old_payload = raw::payload(place);
        raw::write(place, payload, tag);
        release_next!(old_payload, old, ip, fp, run)
    }
}

/// `SetProp` for objects, or values, of classes that are in neither inline cache, by the megamorphic cache.
#[inline(never)]
unsafe extern "C-unwind" fn set_of_many<const KIND: u8, const VALUE: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `set` jumps here if operand `a` is an object; operands of `SetProp`.
    unsafe {
        let (old, old_tag) = exchange_of_many::<KIND, VALUE>(ip, fp);
        if old_tag == NOT_SET {
            slow_switch!(set_slow, ip, fp, run)
        }
        release_next!(old, old_tag, ip, fp, run)
    }
}

/// A tag that no value has: nothing has been assigned.
const NOT_SET: u32 = u32::MAX;

/// Assigns the value to the property and returns what that held, for the caller to release, or [`NOT_SET`]. This is a function of
/// its own because a handler that passes addresses of its variables on cannot end in a jump.
#[inline(never)]
unsafe fn exchange_of_many<const KIND: u8, const VALUE: u8>(ip: Ip, fp: Fp) -> (u64, u32) {
    // SAFETY: operands of `SetProp`, of which `a` is an object; `found` is remembered for its class, `b` is a literal string.
    unsafe {
        // A table of dynamic properties may grow beyond the memory limit: the error needs the position.
        (*fp.cast::<Frame>()).ip = ip;
        let object = object_payload::<KIND>(ip, fp);
        let class = raw::class_of(object) as u64;
        let value = assigned::<VALUE>(ip, fp);
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        let name = raw::string_at(literal(ip, (*ip).b));
        let (near, other) = (site(ip), second_site(ip));
        let found = match class {
            _ if near.key == class => Some(near.value),
            _ if other.key == class => Some(other.value),
            _ => megamorphic_cache::find(megamorphic_cache::Key::new(
                class | megamorphic_cache::SETTABLE,
                name,
                scope_of(fp),
            )),
        };
        let found = found.filter(|_| tag != raw::TI_UNDEF && tag != raw::TI_REF);
        let Some(old) = found.and_then(|found| set_known(found, object, name, (payload, tag))) else {
            return (0, NOT_SET);
        };
        if VALUE == LOCAL {
            raw::retain(payload, tag);
        }
        old
    }
}

/// `SetProp` of all values; a `__set` runs as an implicit call in a frame above this one.
#[inline(never)]
unsafe fn set_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `SetProp`: `fetch` consumes `c`, `b` is a literal string.
    unsafe {
        let meta = run.meta(ip);
        let name = raw::string_at(literal(ip, (*ip).b)).clone();
        if let Some(object) = object_operand(ip, fp, run, meta.a).filter(|_| meta.a != Kind::Tmp)
            && let Some(func) = implicit_calls::magic(run, &object, &name, Guard::Set)
        {
            return match run.fetch(ip, (*ip).c, meta.c) {
                Ok(value) => implicit_calls::set_property(run, func, object, &name, value.into_deref()),
                Err(throw) => run.raise(throw),
            };
        }
        set_alone_slow(ip, fp, run)
    }
}

/// `SetProp` of all values; PHP code that this runs has ended when it returns. Also executed for compiled code.
pub(super) unsafe fn set_alone_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `SetProp`: `input` consumes `c`; a local `a` is used as a slot, which is not borrowed while PHP code
    // runs.
    unsafe {
        let meta = run.meta(ip);
        let name = raw::string_at(literal(ip, (*ip).b)).clone();
        let access = run.access();
        let result = run.input(ip, (*ip).c, meta.c).and_then(|value| {
            let place = match meta.a {
                Kind::This => match run.this() {
                    Some(this) => Place::Temp(Slot::new(this.into())),
                    None => return Err(run.vm.throw_error(b"Using $this when not in object context")),
                },
                _ => Place::Slot(crate::context::slot(cell(fp, (*ip).a))),
            };
            // The object is not retained here: whether it dies during the assignment can be observed.
            let target = match meta.a {
                Kind::This => run.this(),
                _ => (*raw::look_through(cell(fp, (*ip).a))).as_obj(),
            };
            let mut class = 0;
            if let Some(object) = target {
                remember_at(numbered_cache(fp, meta.site), object, &name, access, true);
                class = Rc::as_ptr(object.class_header()) as u64;
            }
            let stored = members::apply(run.vm, place, &[Step::Prop(name.clone())], Action::Set(value), access)?;
            let cache = numbered_site(fp, meta.site);
            if class == cache.key {
                remember_class(cache, &stored);
            }
            Ok(())
        });
        run.finish(ip, result)
    }
}

slow_handler!(get_static, get_static_slow);

/// `GetStatic`; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn get_static_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `GetStatic`; the cached variable of a static property lives as long as its class.
    unsafe {
        let meta = run.meta(ip);
        let cache = numbered_site(fp, meta.site);
        if cache.key != 0 {
            let place = raw::look_through(cache.key as *mut Val);
            if raw::tag(place) != raw::TI_UNDEF {
                let value = (*place).clone();
                raw::put(cell(fp, (*ip).c), value);
                return ip.add(1);
            }
        }
        let name = raw::string_at(literal(ip, (*ip).b)).clone();
        let quiet = meta.n & QUIET != 0;
        let result = super::calls::named_class(run, ip, (*ip).a, meta.n).and_then(|class| {
            let Some(info) = phlox_runtime::statics::find(run.vm, &class, &name, run.access().scope, quiet)? else {
                return Ok(Val::NULL);
            };
            let property = link::static_prop(run.vm, &class, &info)?;
            // PHP reports each access to a static property by way of a trait, so it is not cached.
            let is_fixed = matches!(ClassBy::of(meta.n), ClassBy::Name | ClassBy::SelfClass);
            if is_fixed && !class.class().is_trait() {
                named_sites::note(cache, Held::Addresses);
                cache.key = (&raw const property.slot) as u64;
            }
            phlox_runtime::statics::read(run.vm, &info, &property, quiet)
        });
        let result = result.and_then(|value| run.store(ip, value));
        run.finish(ip, result)
    }
}

/// In the key of a constant's cache: the low half is the tag of the constant, and the cache's value is its payload, with a count.
const CACHED: u64 = named_sites::VALUE;

/// The value in a constant's cache.
unsafe fn cached(cache: &Site) -> Option<Val> {
    // SAFETY: a cache with `CACHED` in its key holds payload and tag of a value, and owns a count of it.
    unsafe {
        (cache.key & CACHED != 0).then(|| {
            let tag = cache.key as u32;
            raw::retain(cache.value, tag);
            raw::value(cache.value, tag)
        })
    }
}

/// Puts a value into a constant's cache, with a count that is released at the end of the request.
unsafe fn cache_value(cache: &mut Site, value: &Val) {
    let kept = std::mem::ManuallyDrop::new(value.clone());
    // SAFETY: `kept` is a live value, whose count the cache takes over; the callers pass the first of a pair of caches.
    unsafe {
        named_sites::note(cache, Held::Value);
        *cache =
            Site { key: raw::tag(&raw const *kept) as u64 | CACHED, value: raw::payload(&raw const *kept), class: 0 };
    }
}

/// The type of the class constant in a cache, if the constant does not depend on the late static binding class.
pub fn cached_constant(key: u64, value: u64, class: u64) -> Option<phlox_jit::ObservedType> {
    if key & CACHED == 0 || class != 0 {
        return None;
    }
    // SAFETY: payload and tag come from a cache, which owns a count; the copy is not dropped.
    unsafe {
        let cell = std::mem::ManuallyDrop::new(raw::value(value, key as u32));
        phlox_jit::ObservedType::of(&raw const *cell)
    }
}

/// Payload and tag, borrowed, of the class constant that an inline cache knows for the frame's late static binding class.
#[inline(always)]
pub(super) unsafe fn quick_constant(ip: Ip, fp: Fp) -> Option<(u64, u32)> {
    // SAFETY: the callers pass a `ClassConst`, which has an inline cache at `d`.
    unsafe {
        let cache = site(ip);
        let is_known =
            cache.key & CACHED != 0 && (cache.class == 0 || cache.class == (*fp.cast::<Frame>()).static_class as u64);
        if is_known { Some((cache.value, cache.key as u32)) } else { None }
    }
}

/// `ClassConst` by the inline caches.
#[inline(never)]
pub(super) unsafe extern "C-unwind" fn class_constant(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `ClassConst`, which has an inline cache at `d`; `c` is an empty temporary.
    unsafe {
        if !take_class_constant(ip, fp, [site(ip), second_site(ip)]) {
            slow!(class_constant_slow, ip, fp, run)
        }
        next!(ip, fp, run)
    }
}

/// Stores the class constant that one of an opline's inline caches knows for the frame's late static binding class. False: none
/// does; nothing was done.
#[inline(always)]
unsafe fn take_class_constant(ip: Ip, fp: Fp, caches: [&mut Site; 2]) -> bool {
    // SAFETY: the callers pass a `ClassConst` and its caches; `c` is an empty temporary.
    unsafe {
        let late = (*fp.cast::<Frame>()).static_class as u64;
        let [first, second] = caches;
        let cache = match first.key & CACHED == 0 || (first.class != 0 && first.class != late) {
            false => first,
            true if second.key & CACHED == 0 || second.class != late => return false,
            true => second,
        };
        let tag = cache.key as u32;
        raw::retain(cache.value, tag);
        raw::write(cell(fp, (*ip).c), cache.value, tag);
        true
    }
}

/// `ClassConst` for the first time; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn class_constant_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `ClassConst`: `b`, and `a` if the class is named, are literal strings; the second cache lies behind the
    // first.
    unsafe {
        let meta = run.meta(ip);
        let caches = numbered_cache(fp, meta.site);
        if take_class_constant(ip, fp, [&mut *caches, &mut *caches.add(1)]) {
            return ip.add(1);
        }
        let name = raw::string_at(literal(ip, (*ip).b)).clone();
        let scope = run.access().scope;
        let by = ClassBy::of(meta.n);
        let result = super::calls::named_class(run, ip, (*ip).a, meta.n).and_then(|class| {
            let value = match by {
                ClassBy::Name => {
                    let written = raw::string_at(literal(ip, (*ip).a)).clone();
                    link::constant_as(run.vm, &class, &written, &name, scope)?
                }
                _ => link::constant(run.vm, &class, &name, scope)?,
            };
            let silent = class.class().constants.get(&name).is_some_and(|constant| !constant.has_attributes());
            match by {
                _ if !silent => {}
                ClassBy::Name | ClassBy::SelfClass => cache_value(numbered_site(fp, meta.site), &value),
                ClassBy::Static => {
                    let first = numbered_site(fp, meta.site);
                    *numbered_cache(fp, meta.site).add(1) = *first;
                    cache_value(first, &value);
                    first.class = Rc::as_ptr(&class) as u64;
                }
                ClassBy::Parent => {}
            }
            run.store(ip, value)
        });
        run.finish(ip, result)
    }
}

slow_handler!(constant, constant_slow);

/// `Const`; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn constant_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `Const`: `a`, and `b` if there is one, are literal strings; `c` is an empty temporary.
    unsafe {
        let meta = run.meta(ip);
        let cache = numbered_site(fp, meta.site);
        if let Some(value) = cached(cache) {
            raw::put(cell(fp, (*ip).c), value);
            return ip.add(1);
        }
        let name = raw::string_at(literal(ip, (*ip).a)).clone();
        let fallback = (meta.b == Kind::Lit).then(|| raw::string_at(literal(ip, (*ip).b)).clone());
        let result = run.machine.constant(&name, fallback.as_ref()).and_then(|value| {
            if fallback.as_ref().unwrap_or(&name).as_bytes() != b"E_STRICT" {
                cache_value(cache, &value);
            }
            run.store(ip, value)
        });
        run.finish(ip, result)
    }
}

/// Fills the cache of a property that a path leads through.
pub fn remember_place(cache: &mut Site, object: &PhpObj, name: &PhpStr, access: Access<'_>) {
    remember(cache, object, name, access, true);
}
