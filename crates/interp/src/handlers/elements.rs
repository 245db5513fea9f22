//! Array elements: reading them, and assigning an element of a local.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`. When an element is read, `a` is
//! the base and `b` the key, both sources, and `c` the destination; when one is assigned, `a` is the local with the array, `b` the
//! key and `c` the value. Pointers into an array are used only until something can run PHP code.

use super::plain_elements::{get_stored, list_value, set_byte, set_stored};
use super::{
    Handler, IN_FRAME, LITERAL, building, is_literal, isset, next, release_next, slow, slow_handler, slow_switch,
    source, switch_handler,
};
use crate::code::Kind;
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::Frame;
use crate::implicit_calls;
use phlox_lower::{OpCode, Operand, Opline};
use phlox_runtime::members::{self, Action, Input, Place, Step};
use phlox_runtime::{Key, PhpArr, PhpResult, PhpStr, Val, dims};
use phlox_value::raw;

/// The handler of an opline that reads, tests, assigns or adds an element.
pub fn select(opline: &Opline) -> Handler {
    let local_base = matches!(opline.a, Operand::Local(_));
    let key = is_literal(opline.b);
    let plain_base = !is_literal(opline.a) && opline.a != Operand::This;
    let key_in_place = matches!(opline.b, Operand::Local(_));
    match opline.op {
        OpCode::GetElem if plain_base => read_handler::<NORMAL>(opline, local_base),
        OpCode::GetElem => get_generic,
        OpCode::GetElemList if plain_base => read_handler::<LIST>(opline, local_base || opline.n == 1),
        OpCode::GetElemList => get_list_generic,
        OpCode::GetElemQuiet if plain_base => read_handler::<QUIET>(opline, local_base),
        OpCode::GetElemQuiet => get_quiet,
        OpCode::IssetElem if local_base && key && opline.n == 0 => isset::isset_quick::<LITERAL, false>,
        OpCode::IssetElem if local_base && key_in_place && opline.n == 0 => isset::isset_quick::<IN_FRAME, false>,
        OpCode::IssetElem if plain_base && key && opline.n == 0 => isset::isset_quick::<LITERAL, true>,
        OpCode::IssetElem if plain_base && key_in_place && opline.n == 0 => isset::isset_quick::<IN_FRAME, true>,
        OpCode::IssetElem if local_base && key => isset::empty_quick::<LITERAL, false>,
        OpCode::IssetElem if local_base && key_in_place => isset::empty_quick::<IN_FRAME, false>,
        OpCode::IssetElem if plain_base && key => isset::empty_quick::<LITERAL, true>,
        OpCode::IssetElem if plain_base && key_in_place => isset::empty_quick::<IN_FRAME, true>,
        OpCode::IssetElem => isset::generic,
        OpCode::SetElem => match (key, opline.c) {
            (true, Operand::Lit(_)) => set::<LITERAL, LITERAL, false>,
            (true, Operand::Tmp(_)) => set::<LITERAL, IN_FRAME, false>,
            (true, Operand::Local(_)) => set::<LITERAL, IN_FRAME, true>,
            (false, Operand::Lit(_)) => set::<IN_FRAME, LITERAL, false>,
            (false, Operand::Tmp(_)) => set::<IN_FRAME, IN_FRAME, false>,
            (false, Operand::Local(_)) => set::<IN_FRAME, IN_FRAME, true>,
            _ => set_generic,
        },
        OpCode::Append => match opline.c {
            Operand::Lit(_) => append::<LITERAL, false>,
            Operand::Tmp(_) => append::<IN_FRAME, false>,
            Operand::Local(_) => append::<IN_FRAME, true>,
            _ => append_generic,
        },
        OpCode::NewTuple => building::new_tuple,
        OpCode::AddNewElem => building::add_new,
        _ => match (key, opline.c) {
            (true, Operand::Lit(_)) => building::add_quick::<LITERAL, false>,
            (true, Operand::Tmp(_)) => building::add_quick::<IN_FRAME, false>,
            (true, Operand::Local(_)) => building::add_quick::<IN_FRAME, true>,
            _ => building::add,
        },
    }
}

/// The handler that reads an element; `stays`: the base is not consumed.
fn read_handler<const MODE: u8>(opline: &Opline, stays: bool) -> Handler {
    let literal = is_literal(opline.b);
    let to_local = matches!(opline.c, Operand::Local(_));
    match (literal, stays, to_local) {
        (true, true, false) => get::<LITERAL, false, MODE, false>,
        (true, true, true) => get::<LITERAL, false, MODE, true>,
        (true, false, false) => get::<LITERAL, true, MODE, false>,
        (true, false, true) => get::<LITERAL, true, MODE, true>,
        (false, true, false) => get::<IN_FRAME, false, MODE, false>,
        (false, true, true) => get::<IN_FRAME, false, MODE, true>,
        (false, false, false) => get::<IN_FRAME, true, MODE, false>,
        (false, false, true) => get::<IN_FRAME, true, MODE, true>,
    }
}

/// The element for a key that is an integer or a string; null: there is none, or the key is of another type.
///
/// # Safety
/// `array` is a cell that holds an array, `key` is a live cell.
#[inline(always)]
pub unsafe fn find(array: *const Val, key: *const Val) -> *const Val {
    // SAFETY: `array` holds an array; the key's tag is read before its payload is used.
    unsafe {
        match raw::tag(key) {
            raw::TI_INT => find_int(array, raw::payload(key) as i64),
            raw::TI_STR | raw::TI_STR_STATIC => find_str(array, key),
            _ => std::ptr::null(),
        }
    }
}

/// The element for a literal key that is an integer or a string; null: there is none, or the key is of another type.
///
/// # Safety
/// `array` is a cell that holds an array, `key` is a literal's cell.
#[inline(always)]
pub unsafe fn find_literal(array: *const Val, key: *const Val) -> *const Val {
    // SAFETY: `array` holds an array; a literal string has the tag of an uncounted one.
    unsafe {
        match raw::tag(key) {
            raw::TI_INT => find_int(array, raw::payload(key) as i64),
            raw::TI_STR_STATIC => match literal_key(raw::string_at(key)) {
                Key::Str(name) => raw::find_string(raw::payload(array), name),
                int => raw::element(array, int),
            },
            _ => std::ptr::null(),
        }
    }
}

/// The key that a literal string stands for. A name is told from an integer by its first byte.
#[inline(always)]
pub fn literal_key(text: &PhpStr) -> Key<'_> {
    match text.first() {
        Some(byte) if *byte > b'9' => Key::Str(text),
        _ => Key::from_str(text),
    }
}

/// The element for an integer key; null if there is none.
#[inline(always)]
unsafe fn find_int(array: *const Val, key: i64) -> *const Val {
    // SAFETY: `find` and `find_literal` pass a cell that holds an array; a packed array has `used` cells.
    unsafe {
        let (cells, used) = raw::packed(raw::payload(array));
        if !cells.is_null() && (key as u64) < used as u64 {
            let element = cells.add(key as usize);
            return if raw::tag(element) == raw::TI_UNDEF { std::ptr::null() } else { element };
        }
        raw::element(array, Key::Int(key))
    }
}

/// The element for a string key; null if there is none.
#[inline(never)]
unsafe fn find_str(array: *const Val, key: *const Val) -> *const Val {
    // SAFETY: `find` and its like pass a cell that holds an array, and one that holds a string.
    unsafe {
        match literal_key(raw::string_at(key)) {
            Key::Str(name) => raw::find_string(raw::payload(array), name),
            int => raw::element(array, int),
        }
    }
}

/// What a read of a missing element, or of a base without elements, means: a warning.
pub(super) const NORMAL: u8 = 0;
/// What a read of a missing element means in `??`: null.
pub(super) const QUIET: u8 = 1;
/// What a read of a base without elements means in destructuring: null without a warning.
const LIST: u8 = 2;

/// Leaves the read of an element to the slow path of its mode.
macro_rules! read_slowly {
    ($mode:ident, $ip:expr, $fp:expr, $run:expr) => {
        match $mode {
            QUIET => slow!(get_quiet_slow, $ip, $fp, $run),
            LIST => slow!(get_list_slow, $ip, $fp, $run),
            _ => slow_switch!(get_slow, $ip, $fp, $run),
        }
    };
}

/// Writes an element to the destination, and releases the base, or what a local destination held; [`is_free`] has ruled out that
/// both need it.
macro_rules! give_element {
    ($element:expr, $own:expr, $moves:expr, $to_local:expr, $ip:expr, $fp:expr, $run:expr) => {{
        let element = raw::look_through($element);
        let (payload, tag) = (raw::payload(element), raw::tag(element));
        let to = cell($fp, (*$ip).c);
        raw::retain(payload, tag);
        if $moves {
            let (base, base_tag) = (raw::payload($own), raw::tag($own));
            raw::write(to, payload, tag);
            release_next!(base, base_tag, $ip, $fp, $run)
        }
        if $to_local {
            let (before, old) = (raw::payload(to), raw::tag(to));
            raw::write(to, payload, tag);
            release_next!(before, old, $ip, $fp, $run)
        }
        raw::write(to, payload, tag);
        next!($ip, $fp, $run)
    }};
}

/// Writes null, for an element that is missing, to the destination, and releases what a local destination held.
macro_rules! give_null {
    ($to:expr, $to_local:expr, $ip:expr, $fp:expr, $run:expr) => {{
        if $to_local {
            let (before, old) = (raw::payload($to), raw::tag($to));
            raw::write_tag($to, raw::TI_NULL);
            release_next!(before, old, $ip, $fp, $run)
        }
        raw::write_tag($to, raw::TI_NULL);
        next!($ip, $fp, $run)
    }};
}

/// May the result be written to the destination? A local that is a reference is assigned to by the slow path. A handler can
/// release one value only: a local's old value if the base stays, or the base.
#[inline(always)]
unsafe fn is_free<const MOVES: bool, const TO_LOCAL: bool>(to: *const Val) -> bool {
    // SAFETY: the callers pass the cell of a destination: an empty temporary, or a local if `TO_LOCAL`.
    unsafe {
        match (TO_LOCAL, MOVES) {
            (false, _) => true,
            (true, false) => raw::tag(to) != raw::TI_REF,
            (true, true) => raw::tag(to) & raw::COUNTED == 0,
        }
    }
}

/// Reads an element of an array by an integer or a literal name. `MOVES`: the base is a temporary, which is released.
#[inline(never)]
pub(super) unsafe extern "C-unwind" fn get<const KEY: u8, const MOVES: bool, const MODE: u8, const TO_LOCAL: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of a read: `a` is a cell of the frame, `b` a source of the kind `KEY`, `c` the destination.
    unsafe {
        let own = cell(fp, (*ip).a);
        let key = source::<KEY>(ip, fp, (*ip).b);
        let to = cell(fp, (*ip).c);
        if let Some(array) = array_of::<MOVES>(own)
            && is_free::<MOVES, TO_LOCAL>(to)
        {
            if raw::tag(key) == raw::TI_INT {
                if let Some(element) = list_element(array, raw::payload(key)) {
                    let (payload, tag) = (raw::payload(element), raw::tag(element));
                    if !MOVES && tag & raw::COUNTED == 0 && (!TO_LOCAL || raw::tag(to) & raw::COUNTED == 0) {
                        raw::write(to, payload, tag);
                        next!(ip, fp, run)
                    }
                    give_element!(element, own, MOVES, TO_LOCAL, ip, fp, run)
                }
            } else if KEY == LITERAL && raw::tag(key) == raw::TI_STR_STATIC {
                let name = raw::string_at(key);
                if name.first().is_some_and(|byte| *byte > b'9')
                    && let Some(element) = raw::find_literal(array, name)
                {
                    if !element.is_null() {
                        give_element!(element, own, MOVES, TO_LOCAL, ip, fp, run)
                    }
                    if MODE == QUIET && !MOVES {
                        give_null!(to, TO_LOCAL, ip, fp, run)
                    }
                }
            }
        }
        if MODE != LIST && raw::tag(raw::look_through(own)) & 0xff == raw::TI_STR_STATIC {
            return get_byte::<KEY, MOVES, MODE, TO_LOCAL>(ip, fp, run);
        }
        get_uncommon::<KEY, MOVES, MODE, TO_LOCAL>(ip, fp, run)
    }
}

/// Reads a byte of a string at an integer offset that is in its bounds.
#[inline(never)]
unsafe extern "C-unwind" fn get_byte<const KEY: u8, const MOVES: bool, const MODE: u8, const TO_LOCAL: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of a read, as `get` passed them on.
    unsafe {
        let own = cell(fp, (*ip).a);
        let base = if MOVES { own } else { raw::look_through(own) };
        let mut key = source::<KEY>(ip, fp, (*ip).b);
        if KEY == IN_FRAME && raw::tag(key) == raw::TI_REF && (*run).meta(ip).b == Kind::Local {
            key = raw::ref_place(raw::payload(key));
        }
        let to = cell(fp, (*ip).c);
        let is_string = raw::tag(base) & 0xff == raw::TI_STR_STATIC;
        if !is_string || raw::tag(key) != raw::TI_INT || !is_free::<MOVES, TO_LOCAL>(to) {
            read_slowly!(MODE, ip, fp, run)
        }
        let (bytes, index) = (raw::string_at(base).as_bytes(), raw::payload(key) as usize);
        if index >= bytes.len() {
            read_slowly!(MODE, ip, fp, run)
        }
        let byte = raw::byte_string(bytes[index]);
        let (gone, gone_tag) = if MOVES {
            (raw::payload(own), raw::tag(own))
        } else if TO_LOCAL {
            (raw::payload(to), raw::tag(to))
        } else {
            (0, raw::TI_UNDEF)
        };
        raw::write(to, byte, raw::TI_STR_STATIC);
        release_next!(gone, gone_tag, ip, fp, run)
    }
}

/// The payload of the array that a base holds, if need be behind a reference; a temporary is never a reference.
#[inline(always)]
pub(super) unsafe fn array_of<const MOVES: bool>(base: *mut Val) -> Option<u64> {
    // SAFETY: the callers pass a cell of the frame; a cell with the tag of a reference holds a live one.
    unsafe {
        let tag = raw::tag(base);
        if tag & 0xff == raw::TI_ARR_STATIC {
            return Some(raw::payload(base));
        }
        if MOVES || tag != raw::TI_REF {
            return None;
        }
        let base = raw::ref_place(raw::payload(base));
        if raw::tag(base) & 0xff == raw::TI_ARR_STATIC { Some(raw::payload(base)) } else { None }
    }
}

/// The element of a packed array at a position, if there is one.
#[inline(always)]
pub(super) unsafe fn list_element(array: u64, index: u64) -> Option<*mut Val> {
    // SAFETY: the callers pass the payload of a live array; `packed_at` checks the position.
    unsafe {
        let element = raw::packed_at(array, index)?.as_ptr();
        if raw::tag(element) == raw::TI_UNDEF { None } else { Some(element) }
    }
}

/// Reads an element where base and key are of any type that runs no PHP code: references, unboxed lists, string keys.
#[inline(never)]
unsafe extern "C-unwind" fn get_uncommon<const KEY: u8, const MOVES: bool, const MODE: u8, const TO_LOCAL: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of a read; an element is retained before the base or the key is released.
    unsafe {
        let own = cell(fp, (*ip).a);
        let base = if MOVES { own } else { raw::look_through(own) };
        let mut key = source::<KEY>(ip, fp, (*ip).b);
        if KEY == IN_FRAME && raw::tag(key) == raw::TI_REF && (*run).meta(ip).b == Kind::Local {
            key = raw::ref_place(raw::payload(key));
        }
        let to = cell(fp, (*ip).c);
        if !is_free::<MOVES, TO_LOCAL>(to) {
            read_slowly!(MODE, ip, fp, run)
        }
        if raw::tag(base) & 0xff != raw::TI_ARR_STATIC {
            read_slowly!(MODE, ip, fp, run)
        }
        if raw::tag(key) == raw::TI_INT
            && let Some((payload, tag)) = raw::unboxed_at(raw::payload(base), raw::payload(key))
        {
            let gone = if MOVES { own } else { to };
            let (before, old) = (raw::payload(gone), raw::tag(gone));
            raw::write(to, payload, tag);
            if MOVES || TO_LOCAL {
                release_next!(before, old, ip, fp, run)
            }
            next!(ip, fp, run)
        }
        let element = if KEY == LITERAL { find_literal(base, key) } else { find(base, key) };
        if element.is_null() {
            let plain_key = raw::tag(key) == raw::TI_INT
                || raw::tag(key) == raw::TI_STR_STATIC
                || (raw::tag(key) == raw::TI_STR && (*run).meta(ip).b == Kind::Local);
            if MODE == QUIET && !MOVES && plain_key {
                give_null!(to, TO_LOCAL, ip, fp, run)
            }
            read_slowly!(MODE, ip, fp, run)
        }
        if KEY == IN_FRAME && raw::tag(key) & raw::COUNTED != 0 && (*run).meta(ip).b == Kind::Tmp {
            // The element is retained before the key, a string that may be the last holder of its text, is released.
            let element = raw::look_through(element.cast_mut());
            let (payload, tag) = (raw::payload(element), raw::tag(element));
            let (base_payload, base_tag) = (raw::payload(own), raw::tag(own));
            raw::retain(payload, tag);
            raw::release(raw::payload(key), raw::tag(key));
            if !MOVES && TO_LOCAL {
                let (before, old) = (raw::payload(to), raw::tag(to));
                raw::write(to, payload, tag);
                release_next!(before, old, ip, fp, run)
            }
            raw::write(to, payload, tag);
            if MOVES {
                release_next!(base_payload, base_tag, ip, fp, run)
            }
            next!(ip, fp, run)
        }
        give_element!(element.cast_mut(), own, MOVES, TO_LOCAL, ip, fp, run)
    }
}

switch_handler!(get_generic, get_slow);

/// `GetElem` of all values; an `offsetGet` runs as an implicit call in a frame above this one.
#[inline(never)]
unsafe fn get_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `GetElem`, which `fetch_both` consumes; `store` writes `c`.
    unsafe {
        if let Some(next) = get_stored(ip, fp, run) {
            return next;
        }
        let result = run.fetch_both(ip).and_then(|(base, key)| {
            if let Some(object) = base.as_obj()
                && let Some(func) = implicit_calls::offset_getter(object)
            {
                return Ok(Err((func, object.clone(), key)));
            }
            // The key is read while the base is looked at: an error handler for warnings may change a reference.
            dims::read(run.vm, &base, &key).map(Ok)
        });
        let result = match result {
            Ok(Ok(value)) => run.store(ip, value),
            Ok(Err((func, object, key))) => return implicit_calls::get_offset(run, &func, object, key),
            Err(throw) => Err(throw),
        };
        run.finish(ip, result)
    }
}

/// `GetElem` of all values; PHP code that this runs has ended when it returns. Executed for compiled code.
pub(super) unsafe fn get_alone_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `GetElem`, which `fetch_both` consumes; `ip` is not the last opline.
    unsafe {
        if let Some(next) = get_stored(ip, fp, run) {
            return next;
        }
        let read = run.fetch_both(ip).and_then(|(base, key)| dims::read(run.vm, &base, &key));
        let result = read.and_then(|value| run.store(ip, value));
        run.finish(ip, result)
    }
}

slow_handler!(get_list_generic, get_list_slow);

/// `GetElemList` of all values; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn get_list_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `GetElemList`: a temporary `a` stays full if `n` is 1, or is consumed.
    unsafe {
        if let Some(value) = list_value(ip, fp, run) {
            if run.meta(ip).n != 1 && run.meta(ip).a == Kind::Tmp {
                drop(raw::take(cell(fp, (*ip).a)));
            }
            let result = run.store(ip, value);
            return run.finish(ip, result);
        }
        let operands = match run.meta(ip).n {
            // The list stays in its temporary for its other elements.
            1 => run.fetch(ip, (*ip).b, run.meta(ip).b).map(|key| ((*cell(fp, (*ip).a)).clone(), key)),
            _ => run.fetch_both(ip),
        };
        let result = operands.and_then(|(base, key)| {
            let base = base.into_deref();
            let reads = base.as_arr().is_some() || base.as_obj().is_some();
            let value = if reads { dims::read(run.vm, &base, &key)? } else { Val::NULL };
            drop((base, key));
            run.store(ip, value)
        });
        run.finish(ip, result)
    }
}

slow_handler!(get_quiet, get_quiet_slow);

/// `GetElemQuiet` of all values; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn get_quiet_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `GetElemQuiet`: a temporary `a` is taken once; `c` is the destination.
    unsafe {
        let meta = run.meta(ip);
        if matches!(meta.a, Kind::Local | Kind::Tmp) && matches!(meta.b, Kind::Lit | Kind::Local) {
            // Mostly `??` finds that an array has no such element.
            let own = cell(fp, (*ip).a);
            let base = raw::look_through(own);
            let key = match meta.b {
                Kind::Lit => crate::context::literal(ip, (*ip).b),
                _ => raw::look_through(cell(fp, (*ip).b)),
            };
            let plain_key = raw::tag(key) == raw::TI_INT || raw::tag(key) & 0xff == raw::TI_STR_STATIC;
            if raw::tag(base) & 0xff == raw::TI_ARR_STATIC && plain_key && find(base, key).is_null() {
                if meta.a == Kind::Tmp {
                    drop(raw::take(own));
                }
                raw::write_tag(cell(fp, (*ip).c), raw::TI_NULL);
                return run.finish(ip, Ok(()));
            }
        }
        let result = quiet_base(ip, fp, run).and_then(|(base, key)| {
            let value = if base.is_null() { Val::NULL } else { dims::read_quiet(run.vm, &base, &key)? };
            drop((base, key));
            run.store(ip, value)
        });
        run.finish(ip, result)
    }
}

/// Both sources of an opline, consumed; an undefined base is null without a warning.
///
/// # Safety
/// `ip` is an opline of the innermost frame `fp` with sources in `a` and `b`.
pub unsafe fn quiet_base(ip: Ip, fp: Fp, run: &mut Run) -> PhpResult<(Val, Val)> {
    // SAFETY: `a` and `b` are sources of `ip`, of the kinds that its description says.
    unsafe {
        let meta = run.meta(ip);
        let base = match meta.a {
            Kind::Local => (*raw::look_through(cell(fp, (*ip).a))).clone().or_null(),
            Kind::This => run.this().map_or(Val::NULL, Val::from),
            kind => run.fetch(ip, (*ip).a, kind)?.into_deref().or_null(),
        };
        let key = run.fetch(ip, (*ip).b, meta.b)?;
        Ok((base, key))
    }
}

/// `SetElem` of an element that exists in an unshared array. `COPIES`: the value is a local's and is retained.
unsafe extern "C-unwind" fn set<const KEY: u8, const VALUE: u8, const COPIES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `SetElem`: `a` is a local, `b` and `c` are sources of the kinds `KEY` and `VALUE`.
    unsafe {
        let base = raw::look_through(cell(fp, (*ip).a));
        let key = source::<KEY>(ip, fp, (*ip).b);
        let value = source::<VALUE>(ip, fp, (*ip).c);
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        if !raw::is_unshared(raw::payload(base), raw::tag(base)) || tag == raw::TI_UNDEF || tag == raw::TI_REF {
            if raw::tag(base) == raw::TI_ARR_STATIC && tag != raw::TI_UNDEF && tag != raw::TI_REF {
                return set_uncommon::<KEY, VALUE, COPIES>(ip, fp, run);
            }
            slow_switch!(set_slow, ip, fp, run)
        }
        let mut place = std::ptr::null_mut();
        if raw::tag(key) == raw::TI_INT {
            if let Some(element) = raw::packed_at(raw::payload(base), raw::payload(key)) {
                place = element.as_ptr();
            }
        } else if KEY == LITERAL && raw::tag(key) == raw::TI_STR_STATIC {
            let name = raw::string_at(key);
            if name.first().is_some_and(|byte| *byte > b'9')
                && let Some(found) = raw::find_literal(raw::payload(base), name)
            {
                place = found;
            }
        }
        let old = if place.is_null() { raw::TI_REF } else { raw::tag(place) };
        if old == raw::TI_REF || old == raw::TI_UNDEF || (COPIES && raw::payload(base) == payload) {
            return set_uncommon::<KEY, VALUE, COPIES>(ip, fp, run);
        }
        if COPIES {
            raw::retain(payload, tag);
        }
        let before = raw::payload(place);
        raw::write(place, payload, tag);
        release_next!(before, old, ip, fp, run)
    }
}

/// `SetElem` where the key is a string, the element does not exist yet, or the array is unboxed or a literal.
#[inline(never)]
unsafe extern "C-unwind" fn set_uncommon<const KEY: u8, const VALUE: u8, const COPIES: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: `set` found an unshared array or a literal one in `a`, and a value that is neither undefined nor a reference.
    unsafe {
        let base = raw::look_through(cell(fp, (*ip).a));
        let key = source::<KEY>(ip, fp, (*ip).b);
        let value = source::<VALUE>(ip, fp, (*ip).c);
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        // A key that must be released afterwards is left to the slow path.
        let is_name = KEY == IN_FRAME
            && (raw::tag(key) == raw::TI_STR_STATIC
                || raw::tag(key) == raw::TI_STR && (*run).meta(ip).b == Kind::Local);
        let array = raw::payload(base);
        if COPIES && array == payload {
            slow_switch!(set_slow, ip, fp, run)
        }
        if raw::tag(key) == raw::TI_INT && raw::set_unboxed(array, raw::payload(key), payload, tag) {
            next!(ip, fp, run)
        }
        let is_static = raw::tag(base) == raw::TI_ARR_STATIC;
        let place = if is_name && !is_static { find_str(base, key).cast_mut() } else { std::ptr::null_mut() };
        if place.is_null() {
            let added = if raw::tag(key) == raw::TI_INT {
                raw::tag(base) == raw::TI_ARR
                    && raw::packed(array).1 as u64 == raw::payload(key)
                    && raw::append(array, payload, tag)
            } else if KEY == LITERAL {
                let name = raw::string_at(key);
                (*fp.cast::<Frame>()).ip = ip;
                raw::tag(key) == raw::TI_STR_STATIC
                    && name.first().is_some_and(|byte| *byte > b'9')
                    && raw::add_name(base, name, payload, tag)
            } else if is_name {
                (*fp.cast::<Frame>()).ip = ip;
                match literal_key(raw::string_at(key)) {
                    Key::Str(name) if is_static => raw::add_name(base, name, payload, tag),
                    Key::Str(name) => raw::push_name(array, name, payload, tag),
                    Key::Int(_) => false,
                }
            } else {
                false
            };
            if added {
                if COPIES {
                    raw::retain(payload, tag);
                }
                next!(ip, fp, run)
            }
        }
        if place.is_null() || raw::tag(place) == raw::TI_REF {
            slow_switch!(set_slow, ip, fp, run)
        }
        if COPIES {
            raw::retain(payload, tag);
        }
        let (before, old) = (raw::payload(place), raw::tag(place));
        raw::write(place, payload, tag);
        release_next!(before, old, ip, fp, run)
    }
}

switch_handler!(set_generic, set_slow);

/// `SetElem` where base and value need no PHP code and the key is an integer or a string. `None`: nothing was assigned; the slow
/// path goes on.
#[inline(always)]
unsafe fn set_plain(ip: Ip, fp: Fp, run: &mut Run) -> Option<Ip> {
    // SAFETY: operands of `SetElem`; the value moves into the element, and a temporary key is taken once.
    unsafe {
        let meta = run.meta(ip);
        let base = raw::look_through(cell(fp, (*ip).a));
        let place = |offset: u32, kind: Kind| match kind {
            Kind::Lit => source::<LITERAL>(ip, fp, offset),
            Kind::Local => raw::look_through(cell(fp, offset)),
            _ => cell(fp, offset),
        };
        if raw::tag(base) & 0xff != raw::TI_ARR_STATIC || meta.b == Kind::This || meta.c == Kind::This {
            return None;
        }
        let (key, value) = (place((*ip).b, meta.b), place((*ip).c, meta.c));
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        if tag == raw::TI_UNDEF || tag == raw::TI_REF {
            return None;
        }
        let key_value = match raw::tag(key) {
            raw::TI_INT => Key::Int(raw::payload(key) as i64),
            raw::TI_STR | raw::TI_STR_STATIC => literal_key(raw::string_at(key)),
            _ => return None,
        };
        let own = raw::payload(base);
        if payload == own && tag & 0xff == raw::TI_ARR_STATIC {
            return None;
        }
        if let Key::Int(key) = key_value
            && raw::unboxed(own).is_some()
            && raw::array_at_mut(base).set_unboxed(key, &*value)
        {
            return Some(run.finish(ip, Ok(())));
        }
        let to = raw::array_at_mut(base).entry(key_value).0;
        if raw::tag(&raw const *to) == raw::TI_REF {
            return None;
        }
        if meta.c == Kind::Local {
            raw::retain(payload, tag);
        }
        let old = to.replace(raw::value(payload, tag));
        if meta.b == Kind::Tmp {
            drop(raw::take(key));
        }
        drop(old);
        Some(run.finish(ip, Ok(())))
    }
}

/// The value of operand `c`: moved out of a temporary, else copied.
pub(super) unsafe fn value_operand(ip: Ip, run: &mut Run) -> PhpResult<Val> {
    // SAFETY: `c` is a source of `ip`, an opline of the innermost frame.
    unsafe {
        let kind = run.meta(ip).c;
        run.fetch(ip, (*ip).c, kind)
    }
}

/// `SetElem` of all values; an `offsetSet` runs as an implicit call in a frame above this one.
#[inline(never)]
unsafe fn set_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `SetElem`: `input` consumes `c` and `b`; the local `a` is used as a slot.
    unsafe {
        if let Some(next) = set_plain(ip, fp, run) {
            return next;
        }
        if set_byte(ip, fp, run) || set_stored(ip, fp, run) {
            return run.finish(ip, Ok(()));
        }
        let meta = run.meta(ip);
        let value = match run.input(ip, (*ip).c, meta.c) {
            Ok(value) => value,
            Err(throw) => {
                if meta.b == Kind::Tmp {
                    drop(raw::take(cell(fp, (*ip).b)));
                }
                return run.raise(throw);
            }
        };
        let key = match run.input(ip, (*ip).b, meta.b) {
            Ok(key) => key,
            Err(throw) => return run.raise(throw),
        };
        let own = cell(fp, (*ip).a);
        let object = (*raw::look_through(own)).as_obj().cloned();
        if let Some(object) = object
            && let Some(func) = implicit_calls::offset_setter(&object)
        {
            let read = key.into_read(run.vm).and_then(|key| Ok((key, value.into_read(run.vm)?)));
            return match read {
                Ok((key, value)) => implicit_calls::set_offset(run, &func, object, key, value),
                Err(throw) => run.raise(throw),
            };
        }
        let result = set_element(run, own, key, value);
        run.finish(ip, result)
    }
}

/// `local[key] = value` where no `offsetSet` stands in for it.
unsafe fn set_element(run: &mut Run, own: *mut Val, key: Input, value: Input) -> PhpResult<()> {
    // SAFETY: `own` is the cell of a local of the innermost frame, which is not borrowed while PHP code runs.
    unsafe {
        let base = raw::look_through(own);
        if raw::tag(base) & 0xff == raw::TI_ARR_STATIC
            && let (Input::Value(key), Input::Value(_)) = (&key, &value)
            && let Some(key) = plain_key(key)
        {
            let value = value.into_read(run.vm)?;
            let place = raw::array_at_mut(base).entry(key).0;
            if raw::tag(place) != raw::TI_REF {
                drop(place.replace(value));
                return Ok(());
            }
            return phlox_runtime::props::store(run.vm, crate::context::slot(place), value, run.access().strict);
        }
        let place = Place::Slot(crate::context::slot(own));
        members::apply(run.vm, place, &[Step::Elem(key)], Action::Set(value), run.access()).map(drop)
    }
}

/// The key that a value stands for if the conversion cannot warn: an integer or a string.
pub fn plain_key(key: &Val) -> Option<Key<'_>> {
    match (key.as_int(), key.as_str()) {
        (Some(int), _) => Some(Key::Int(int)),
        (_, Some(text)) => Some(Key::from_str(text)),
        _ => None,
    }
}

/// `Append` to a packed array that is unshared and has room. `COPIES`: the value is a local's and is retained.
unsafe extern "C-unwind" fn append<const VALUE: u8, const COPIES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `Append`: `a` is a local, `c` a source of the kind `VALUE`.
    unsafe {
        let base = raw::look_through(cell(fp, (*ip).a));
        let value = source::<VALUE>(ip, fp, (*ip).c);
        let (array, payload, tag) = (raw::payload(base), raw::payload(value), raw::tag(value));
        let plain = tag != raw::TI_UNDEF && tag != raw::TI_REF && !(COPIES && payload == array);
        if plain && raw::is_unshared(array, raw::tag(base)) && raw::append(array, payload, tag) {
            if COPIES {
                raw::retain(payload, tag);
            }
            next!(ip, fp, run)
        }
        if plain && raw::tag(base) == raw::TI_ARR_STATIC && raw::positions(array).2 == 0 {
            return append_first::<VALUE, COPIES>(ip, fp, run);
        }
        slow_switch!(append_by_method_slow, ip, fp, run)
    }
}

/// `Append` to an empty array that is a literal.
#[inline(never)]
unsafe extern "C-unwind" fn append_first<const VALUE: u8, const COPIES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `append` found an uncounted empty array in `a`, which needs no release; the value's count moves into the new list.
    unsafe {
        let base = raw::look_through(cell(fp, (*ip).a));
        let value = source::<VALUE>(ip, fp, (*ip).c);
        if COPIES {
            raw::retain(raw::payload(value), raw::tag(value));
        }
        // Memory may run out.
        (*fp.cast::<Frame>()).ip = ip;
        put_first(base, value);
        next!(ip, fp, run)
    }
}

/// Puts a list of one value into `base`; the value moves.
#[inline(never)]
unsafe fn put_first(base: *mut Val, value: *const Val) {
    // SAFETY: `append_first` passes a cell whose old value needs no release, and a value with a count to give.
    unsafe { raw::put(base, PhpArr::list(1, std::iter::once(raw::take(value))).into()) }
}

switch_handler!(append_generic, append_by_method_slow);

/// `Append` of all values; an `offsetSet` runs as an implicit call in a frame above this one.
#[inline(never)]
unsafe fn append_by_method_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `Append`: the object is retained while its method runs, and `c` is consumed once.
    unsafe {
        let object = (*raw::look_through(cell(fp, (*ip).a))).as_obj().cloned();
        if let Some(object) = object
            && let Some(func) = implicit_calls::offset_setter(&object)
        {
            return match value_operand(ip, run) {
                Ok(value) => implicit_calls::set_offset(run, &func, object, Val::NULL, value),
                Err(throw) => run.raise(throw),
            };
        }
        append_slow(ip, fp, run)
    }
}

/// `Append` of all values; PHP code that this runs has ended when it returns. Also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn append_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `Append`: `input` consumes `c`; the local `a` is used as a slot.
    unsafe {
        let result = run.input(ip, (*ip).c, run.meta(ip).c).and_then(|value| {
            let own = cell(fp, (*ip).a);
            let base = raw::look_through(own);
            if raw::tag(base) & 0xff == raw::TI_ARR_STATIC
                && let Input::Value(_) = value
                && let Ok(place) = raw::array_at_mut(base).push_place()
            {
                place.set(value.into_read(run.vm)?);
                return Ok(());
            }
            let place = Place::Slot(crate::context::slot(own));
            members::apply(run.vm, place, &[Step::New], Action::Set(value), run.access()).map(drop)
        });
        run.finish(ip, result)
    }
}
