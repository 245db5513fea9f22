//! `foreach`.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp` that starts, continues or ends a
//! loop. `b` and `c` (0 if there is no key) are the loop's variables, locals of that frame. The iterator is two cells of that
//! frame (`crate::iterator`): operand `a` of `IterNext` and `IterFree`, and the one with number `n` of an `IterInit`, whose `a` is
//! the subject.

use super::{Handler, go, jump, next, slow, slow_handler, slow_switch, switch_handler};
use crate::code::Kind;
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::{CELL, Frame};
use crate::{generator, iterator};
use phlox_lower::{OpCode, Operand, Opline};
use phlox_oracle::generators::{self, GeneratorData, Resume};
use phlox_oracle::iterators::{self, Iter};
use phlox_runtime::iteration::{self, Traversal};
use phlox_runtime::{PhpObj, PhpResult, Val};
use phlox_value::raw;

/// The handler of an opline that starts, continues or ends a `foreach`.
pub fn select(opline: &Opline) -> Handler {
    match opline.op {
        OpCode::IterInit if opline.b == opline.c => init,
        OpCode::IterInit => match (opline.a, opline.c) {
            (Operand::Local(_), Operand::None) => init_array::<false, LOCAL>,
            (Operand::Local(_), _) => init_array::<true, LOCAL>,
            (Operand::Tmp(_), Operand::None) => init_array::<false, TEMPORARY>,
            (Operand::Tmp(_), _) => init_array::<true, TEMPORARY>,
            _ => init,
        },
        OpCode::IterInitRef => init_ref,
        OpCode::IterNext if matches!(opline.c, Operand::None) => advance::<false>,
        // `as $a => $a`: the key is assigned last, so the variables cannot be written in the usual order.
        OpCode::IterNext if opline.b == opline.c => advance_any,
        OpCode::IterNext => advance::<true>,
        _ => free,
    }
}

/// Writes the element to the loop's variable, and goes on with the loop's body: it follows the opline that starts the loop, and
/// the opline that continues the loop jumps back to it.
macro_rules! deliver {
    ($element:expr, $to:expr, $ip:expr, $fp:expr, $run:expr, first) => {
        deliver!($element, $to, $ip, $fp, $run, super::release_and_next, next!($ip, $fp, $run))
    };
    ($element:expr, $to:expr, $ip:expr, $fp:expr, $run:expr, next) => {
        deliver!($element, $to, $ip, $fp, $run, super::release_and_jump_back, jump!($ip, $fp, $run, true))
    };
    ($element:expr, $to:expr, $ip:expr, $fp:expr, $run:expr, $release:path, $go_on:expr) => {{
        let element = raw::look_through($element);
        let (payload, tag) = (raw::payload(element), raw::tag(element));
        let (before, old) = (raw::payload($to), raw::tag($to));
        raw::retain(payload, tag);
        raw::write($to, payload, tag);
        if !raw::release_shared(before, old) {
            (*$run).dying = (before, old);
            return $release($ip, $fp, $run);
        }
        $go_on
    }};
}

switch_handler!(init, init_slow);

/// Where the subject of a loop is: in a local, which keeps it.
const LOCAL: u8 = 0;
/// Where the subject of a loop is: in a temporary, which moves into the iterator.
const TEMPORARY: u8 = 1;

/// `IterInit` over an array whose first element is in its first cell, as in most arrays.
unsafe extern "C-unwind" fn init_array<const KEYED: bool, const SOURCE: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `IterInit`: `a` is a local or a full temporary, `b` and `c` are locals; the iterator's cells are empty.
    unsafe {
        let subject = cell(fp, (*ip).a);
        let subject = if SOURCE == LOCAL { raw::look_through(subject) } else { subject };
        let (array, tag) = (raw::payload(subject), raw::tag(subject));
        if tag & 0xff != raw::TI_ARR_STATIC
            || raw::tag(cell(fp, (*ip).b)) == raw::TI_REF
            || raw::unboxed(array).is_some()
        {
            slow_switch!(init_slow, ip, fp, run)
        }
        let (positions, stride, used) = raw::positions(array);
        if used == 0 && (SOURCE == LOCAL || raw::release_shared(array, tag)) {
            jump!(ip, fp, run, false)
        }
        if used == 0 || raw::tag(positions.cast()) == raw::TI_UNDEF {
            slow_switch!(init_slow, ip, fp, run)
        }
        if KEYED && raw::tag(cell(fp, (*ip).c)) & raw::COUNTED != 0 {
            slow_switch!(init_slow, ip, fp, run)
        }
        let iter = Frame::iter(fp.cast(), (*run).meta(ip).n);
        if SOURCE == LOCAL {
            raw::retain(array, tag);
        }
        raw::write(iter, array, tag);
        raw::write(iter.add(1), 1, raw::TI_INT);
        if KEYED {
            let place = cell(fp, (*ip).c);
            match if stride == raw::BUCKET { raw::bucket_key(positions) } else { (0, 0) } {
                (hash, 0) => raw::write(place, hash, raw::TI_INT),
                (hash, key) => raw::put(place, key_value(hash, key)),
            }
        }
        deliver!(positions.cast(), cell(fp, (*ip).b), ip, fp, run, first)
    }
}

/// The way in which a loop starts.
enum Started {
    /// Over this generator, which has to run to its first `yield`.
    Generator(PhpObj),
    /// Over something else; whether there is an element.
    Found(bool),
}

/// `IterInit` over all values; the body of a generator runs in a frame above this one.
#[inline(never)]
unsafe fn init_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` is the source of `IterInit`, which `fetch` consumes.
    unsafe {
        let subject = run.fetch(ip, (*ip).a, run.meta(ip).a);
        match subject.and_then(|subject| start(ip, fp, run, subject.into_deref())) {
            Ok(Started::Generator(generator)) => start_generator(run, &generator),
            Ok(Started::Found(found)) => finish_init(run, ip, Ok(found)),
            Err(throw) => finish_init(run, ip, Err(throw)),
        }
    }
}

/// Starts the iteration over a value, and assigns its first element unless that comes from a generator.
unsafe fn start(ip: Ip, fp: Fp, run: &mut Run, subject: Val) -> PhpResult<Started> {
    // SAFETY: `ip` is an `IterInit` of the innermost frame, whose iterator's cells are empty.
    unsafe {
        let iter = Frame::iter(run.frame, run.meta(ip).n);
        if subject.as_arr().is_some() {
            iterator::set_array(iter, subject);
            let found = step_array(ip, fp, run, iter)?;
            if !found {
                iterator::free(iter);
            }
            return Ok(Started::Found(found));
        }
        if subject.as_obj().is_some_and(|object| iteration::is_traversable(run.vm, object))
            && let Some(object) = subject.as_obj().cloned()
        {
            // The count in `subject` is released before, so that the loop alone holds what it iterates over, where that is
            // possible.
            drop(subject);
            return start_traversable(ip, fp, run, object);
        }
        let Some(started) = iterators::start(run.vm, run.access(), &subject)? else { return Ok(Started::Found(false)) };
        drop(subject);
        first(ip, fp, run, started).map(Started::Found)
    }
}

/// Starts the iteration over an object whose class is Traversable.
unsafe fn start_traversable(ip: Ip, fp: Fp, run: &mut Run, object: PhpObj) -> PhpResult<Started> {
    // SAFETY: `ip` is an `IterInit` of the innermost frame; a walked array is part of its iterator, which the iterator's cell
    // holds.
    unsafe {
        let iter = Frame::iter(run.frame, run.meta(ip).n);
        let iterator = iteration::iterator_of(run.vm, object.clone())?;
        // The IteratorAggregate is released after the loop's iterator is allocated, so that object ids are those of PHP.
        let giver = Some(object).filter(|object| !object.ptr_eq(&iterator));
        if iterator.native::<GeneratorData>().is_some() {
            generators::check_start(run.vm, &iterator)?;
            iterator::set_generator(iter, iterator.clone());
            drop(giver);
            return Ok(Started::Generator(iterator));
        }
        if let Some(array) = iteration::walked_array(&iterator) {
            iterator::set_walked(iter, iterator, &array);
            drop((array, giver));
            let found = step_walked(ip, fp, run, iter)?;
            if !found {
                iterator::free(iter);
            }
            return Ok(Started::Found(found));
        }
        let traversal = Traversal::over(run.vm, iterator, false)?;
        drop(giver);
        first(ip, fp, run, Iter::Traversable { traversal, by_ref: false }).map(Started::Found)
    }
}

/// Runs a generator to its first `yield`, unless it is there already.
unsafe fn start_generator(run: &mut Run, generator: &PhpObj) -> Ip {
    // SAFETY: a slow path of `IterInit` calls this, after the frame's position was saved.
    unsafe {
        if generator::data_of(generator).is_fresh() {
            if let Some(position) = generator::resume_inline(run, generator, Val::NULL) {
                return position;
            }
        }
        stepped(run, generator)
    }
}

/// Goes on with the opline that resumed a generator, which has suspended or ended.
///
/// # Safety
/// The innermost frame is that of a loop over the generator, whose saved position is its `IterInit` or `IterNext`, or that of the
/// builtin method that resumed it.
pub unsafe fn stepped(run: &mut Run, generator: &PhpObj) -> Ip {
    // SAFETY: the innermost frame's saved position is the opline that resumed the generator.
    unsafe {
        if (*(*run.frame).code).is_native {
            return crate::native::generator_stepped(run, generator);
        }
        let ip = (*run.frame).ip;
        let fp: Fp = run.frame.cast();
        let starts = run.meta(ip).op == OpCode::IterInit;
        if starts {
            generator::data_of(generator).note_first_yield();
        }
        let result = match generators::element(run.vm, generator, (*ip).c != 0) {
            Ok(Some((value, key))) => assign_element(ip, fp, run, key, value.into_deref()).map(|()| true),
            Ok(None) => {
                iterator::free(Frame::iter(run.frame, run.meta(ip).n));
                Ok(false)
            }
            Err(throw) => Err(throw),
        };
        let (found, result) = match result {
            Ok(found) => (found, Ok(())),
            Err(throw) => (starts, Err(throw)),
        };
        super::control::finish_branch(run, ip, result, found != starts)
    }
}

/// Goes on with the opline that resumed a generator whose body ran in a frame above and has yielded; the value is in the
/// generator's data.
///
/// # Safety
/// The innermost frame is that of a loop over the generator, whose saved position is its `IterInit` or `IterNext`, or that of the
/// builtin method that resumed it.
#[inline(always)]
pub unsafe fn deliver(run: &mut Run, data: &GeneratorData) -> Ip {
    // SAFETY: the saved position is the opline that resumed the generator; the data's slots are cells, and no PHP code runs while
    // they are read.
    unsafe {
        let frame = run.frame;
        if (*(*frame).code).is_native {
            return crate::native::generator_yielded(run, data);
        }
        let (ip, fp): (Ip, Fp) = ((*frame).ip, frame.cast());
        let starts = run.meta(ip).op == OpCode::IterInit;
        if starts {
            generator::data_of(generator::consumed(frame)).note_first_yield();
        }
        let (to, key_to) = (cell(fp, (*ip).b), cell(fp, (*ip).c));
        let wants_key = (*ip).c != 0;
        let value = raw::look_through(std::ptr::from_ref(data.value()).cast::<Val>().cast_mut());
        let key = raw::look_through(std::ptr::from_ref(data.key()).cast::<Val>().cast_mut());
        if (raw::tag(to) | if wants_key { raw::tag(key_to) } else { 0 }) & raw::COUNTED == 0 && to != key_to {
            raw::retain(raw::payload(value), raw::tag(value));
            raw::write(to, raw::payload(value), raw::tag(value));
            if wants_key {
                raw::retain(raw::payload(key), raw::tag(key));
                raw::write(key_to, raw::payload(key), raw::tag(key));
            }
            if !(*run.has_pending).get() {
                return super::control::branch_to(run, ip, !starts);
            }
            return super::control::finish_branch(run, ip, Ok(()), !starts);
        }
        let key = if wants_key { (*key).clone() } else { Val::NULL };
        let result = assign_element(ip, fp, run, key, (*value).clone());
        let failed = result.is_err();
        super::control::finish_branch(run, ip, result, !starts && !failed)
    }
}

slow_handler!(init_ref, init_ref_slow);

/// `IterInitRef`: `foreach` by reference.
#[inline(never)]
unsafe fn init_ref_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` is the source of `IterInitRef`, which `fetch` consumes.
    unsafe {
        let meta = run.meta(ip);
        let result = run.fetch(ip, (*ip).a, meta.a).and_then(|subject| {
            let Some(reference) = subject.as_ref() else { return Ok(false) };
            match iterators::start_by_reference(run.vm, run.access(), reference)? {
                Some(started) => first(ip, fp, run, started),
                None => Ok(false),
            }
        });
        finish_init(run, ip, result)
    }
}

/// Finishes an opline that starts a loop: enters the body if there is an element, else jumps over the loop.
unsafe fn finish_init(run: &mut Run, ip: Ip, result: PhpResult<bool>) -> Ip {
    // SAFETY: `ip` is an `IterInit` or `IterInitRef` of the innermost frame.
    unsafe {
        let (found, result) = match result {
            Ok(found) => (found, Ok(())),
            Err(throw) => (false, Err(throw)),
        };
        super::control::finish_branch(run, ip, result, !found)
    }
}

/// Puts an iteration into the iterator's cells and assigns its first element; false: there is none.
unsafe fn first(ip: Ip, fp: Fp, run: &mut Run, mut started: Iter) -> PhpResult<bool> {
    // SAFETY: `ip` starts a loop of the innermost frame, whose iterator's cells are empty.
    unsafe {
        let iter = Frame::iter(run.frame, run.meta(ip).n);
        let wants_key = run.meta(ip).c != Kind::None;
        match started.fetch(run.vm, run.access(), wants_key)? {
            None => Ok(false),
            Some((key, value)) => {
                iterator::set_boxed(iter, Box::new(started));
                assign_element(ip, fp, run, key, value)?;
                Ok(true)
            }
        }
    }
}

/// Assigns an element and its key to the loop's variables.
unsafe fn assign_element(ip: Ip, fp: Fp, run: &mut Run, key: Val, value: Val) -> PhpResult<()> {
    // SAFETY: `b`, and `c` if it is not 0, are locals; no borrow of them lives while PHP code runs.
    unsafe {
        let place = cell(fp, (*ip).b);
        if raw::tag(place) & raw::COUNTED == 0 {
            raw::put(place, value);
        } else if value.is_ref() {
            drop((*place).replace(value));
        } else {
            run.assign(place, value)?;
        }
        if (*ip).c != 0 {
            let place = cell(fp, (*ip).c);
            if raw::tag(place) & raw::COUNTED == 0 {
                raw::put(place, key);
            } else {
                run.assign(place, key)?;
            }
        }
        Ok(())
    }
}

/// The first element of an array from a position on: its cell, the words of its key, and the position behind it. The cell is null
/// at the end.
unsafe fn next_element(array: u64, mut position: u32) -> (*mut Val, (u64, u64), u32) {
    // SAFETY: the callers pass the payload of a live array, of whose `used` positions each is a cell.
    unsafe {
        let (data, stride, used) = raw::positions(array);
        while position < used {
            let bucket = data.add(position as usize * stride);
            let element = bucket.cast::<Val>();
            position += 1;
            if raw::tag(element) != raw::TI_UNDEF {
                let key = match stride == CELL as usize {
                    true => (position as u64 - 1, 0),
                    false => raw::bucket_key(bucket),
                };
                return (element, key, position);
            }
        }
        (std::ptr::null_mut(), (0, 0), position)
    }
}

/// Moves an iterator over an array on by one element; false at the end.
unsafe fn step_array(ip: Ip, fp: Fp, run: &mut Run, iter: *mut Val) -> PhpResult<bool> {
    // SAFETY: the iterator's first cell holds the array, its second one the position.
    unsafe {
        let position = raw::payload(iter.add(1));
        if raw::unboxed(raw::payload(iter)).is_some() {
            let Some((payload, tag)) = raw::unboxed_at(raw::payload(iter), position) else { return Ok(false) };
            raw::write(iter.add(1), position + 1, raw::TI_INT);
            let key = if (*ip).c == 0 { Val::NULL } else { Val::int(position as i64) };
            return assign_element(ip, fp, run, key, raw::value(payload, tag)).map(|()| true);
        }
        let (element, key, next) = next_element(raw::payload(iter), position as u32);
        if element.is_null() {
            return Ok(false);
        }
        raw::write(iter.add(1), next.into(), raw::TI_INT);
        assign_copy(ip, fp, run, element, key).map(|()| true)
    }
}

/// Moves an iterator over the array that is part of a builtin iterator object on by one element; false at the end.
unsafe fn step_walked(ip: Ip, fp: Fp, run: &mut Run, iter: *mut Val) -> PhpResult<bool> {
    // SAFETY: the iterator's first cell holds the object, which keeps its array alive; the second one has the array and the
    // position.
    unsafe {
        let (element, key, next) = next_element(raw::payload(iter.add(1)), raw::aux(iter.add(1)));
        if element.is_null() {
            return Ok(false);
        }
        raw::set_aux(iter.add(1), next);
        assign_copy(ip, fp, run, element, key).map(|()| true)
    }
}

/// Assigns a copy of an element of an array, and its key, to the loop's variables.
unsafe fn assign_copy(ip: Ip, fp: Fp, run: &mut Run, element: *mut Val, (hash, key): (u64, u64)) -> PhpResult<()> {
    // SAFETY: `element` and `key` are those of a live array; both are copied before PHP code can run.
    unsafe {
        let value = (*raw::look_through(element)).clone();
        let key = if (*ip).c == 0 { Val::NULL } else { key_value(hash, key) };
        assign_element(ip, fp, run, key, value)
    }
}

/// The key of a bucket as a value: a string, or the integer `hash` if `key` is 0.
unsafe fn key_value(hash: u64, key: u64) -> Val {
    if key == 0 {
        return Val::int(hash as i64);
    }
    // SAFETY: a key that is not 0 is the address of a live string, whose handle has the same bits.
    unsafe { (*(&raw const key).cast::<phlox_runtime::PhpStr>()).clone() }.into()
}

/// Ends a loop over an array. The array is released without telling the cycle collector, as in Zend: whoever passed the array
/// tells it.
macro_rules! end {
    ($iter:expr, $ip:expr, $fp:expr, $run:expr) => {{
        if !raw::release_passed(raw::payload($iter), raw::tag($iter)) {
            slow!(end_slow, $ip, $fp, $run)
        }
        raw::write_tag($iter, raw::TI_UNDEF);
        next!($ip, $fp, $run)
    }};
}

/// `IterNext` over a packed array without holes, as most are; other iterators have functions of their own.
unsafe extern "C-unwind" fn advance<const KEYED: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `IterNext`: `a` is the iterator's first cell, `b` and `c` are locals.
    unsafe {
        let (iter, to) = (cell(fp, (*ip).a), cell(fp, (*ip).b));
        let by_reference = raw::tag(to) == raw::TI_REF;
        if by_reference || raw::tag(iter) & 0xff != raw::TI_ARR_STATIC {
            if raw::tag(iter) == iterator::TI_GENERATOR {
                return advance_body(ip, fp, run);
            }
            slow_switch!(advance_slow, ip, fp, run)
        }
        if !raw::is_packed(raw::payload(iter)) {
            if !raw::is_table(raw::payload(iter)) {
                slow_switch!(advance_slow, ip, fp, run)
            }
            return advance_table::<KEYED>(ip, fp, run);
        }
        let (data, used) = raw::packed(raw::payload(iter));
        let position = raw::payload(iter.add(1)) as u32;
        if position >= used {
            end!(iter, ip, fp, run)
        }
        let element = data.add(position as usize);
        if raw::tag(element) == raw::TI_UNDEF {
            slow_switch!(advance_slow, ip, fp, run)
        }
        if KEYED {
            let key = cell(fp, (*ip).c);
            if raw::tag(key) & raw::COUNTED != 0 {
                slow_switch!(advance_slow, ip, fp, run)
            }
            raw::write(key, position as u64, raw::TI_INT);
        }
        raw::write_payload(iter.add(1), position as u64 + 1);
        deliver!(element, to, ip, fp, run, next)
    }
}

/// `IterNext` over a generator that stands at a `yield`: its body goes on in a frame above.
#[inline(never)]
unsafe extern "C-unwind" fn advance_body(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `advance` jumps here if the iterator holds a generator, whose body becomes the innermost frame.
    unsafe {
        let position = generator::resume_at_once(ip, fp, run);
        if position.is_null() {
            slow_switch!(advance_generator, ip, fp, run)
        }
        go!(position, (*run).frame.cast(), run)
    }
}

/// `IterNext` over a hash table. A function of its own, so that the handler for packed arrays does not run out of registers.
#[inline(never)]
unsafe extern "C-unwind" fn advance_table<const KEYED: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `advance` jumps here if the iterator holds an array with a hash table of `used` buckets.
    unsafe {
        let (iter, to) = (cell(fp, (*ip).a), cell(fp, (*ip).b));
        let (buckets, used) = raw::buckets(raw::payload(iter));
        let position = raw::payload(iter.add(1)) as u32;
        if position >= used {
            end!(iter, ip, fp, run)
        }
        let bucket = buckets.add(position as usize * raw::BUCKET);
        let element = bucket.cast::<Val>();
        if raw::tag(element) == raw::TI_UNDEF {
            slow_switch!(advance_slow, ip, fp, run)
        }
        if KEYED {
            let place = cell(fp, (*ip).c);
            let (before, old) = (raw::payload(place), raw::tag(place));
            // A string that only the local holds has no destructor, but has to be freed.
            if old & raw::COUNTED != 0 && (old == raw::TI_REF || !raw::release_shared(before, old)) {
                slow_switch!(advance_slow, ip, fp, run)
            }
            let (hash, key) = raw::bucket_key(bucket);
            match key {
                0 => raw::write(place, hash, raw::TI_INT),
                _ => raw::put(place, key_value(hash, key)),
            }
        }
        raw::write_payload(iter.add(1), position as u64 + 1);
        deliver!(element, to, ip, fp, run, next)
    }
}

/// Ends a loop over an array that has to be freed.
#[inline(never)]
unsafe fn end_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` is the iterator's first cell, which is full.
    unsafe {
        iterator::free(cell(fp, (*ip).a));
        run.finish(ip, Ok(()))
    }
}

/// `IterNext` over a generator.
#[inline(never)]
unsafe fn advance_generator(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` is the cell of an iterator that holds a generator; the generator is retained while its body runs.
    unsafe {
        let Some(generator) = iterator::generator(cell(fp, (*ip).a)) else { return ip };
        if let Some(position) = generator::resume_inline(run, generator, Val::NULL) {
            return position;
        }
        let generator = generator.clone();
        match generators::resume(run.vm, &generator, Resume::Send(Val::NULL)) {
            Ok(()) => stepped(run, &generator),
            Err(throw) => run.raise(throw),
        }
    }
}

switch_handler!(advance_any, advance_slow);

/// `IterNext` over all values.
#[inline(never)]
unsafe fn advance_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `IterNext`; `ip` is a branch of the innermost frame.
    unsafe {
        if raw::tag(cell(fp, (*ip).a)) == iterator::TI_GENERATOR {
            return advance_generator(ip, fp, run);
        }
        let (found, result) = match advance_alone(ip, fp, run) {
            Ok(found) => (found, Ok(())),
            Err(throw) => (false, Err(throw)),
        };
        super::control::finish_branch(run, ip, result, found)
    }
}

/// Moves an iterator over anything but a generator on by one element. False at the end, where the iterator is freed.
unsafe fn advance_alone(ip: Ip, fp: Fp, run: &mut Run) -> PhpResult<bool> {
    // SAFETY: `a` is the iterator's first cell, which is empty while a boxed iteration runs PHP code.
    unsafe {
        let iter = cell(fp, (*ip).a);
        if let Some(mut running) = iterator::take_boxed(iter) {
            let wants_key = (*ip).c != 0;
            let element = running.advance(run.vm).and_then(|()| running.fetch(run.vm, run.access(), wants_key));
            if !matches!(element, Ok(None)) {
                iterator::set_boxed(iter, running);
            }
            return match element? {
                None => Ok(false),
                Some((key, value)) => assign_element(ip, fp, run, key, value).map(|()| true),
            };
        }
        let found = match raw::tag(iter) {
            tag if tag & 0xff == raw::TI_ARR_STATIC => step_array(ip, fp, run, iter)?,
            iterator::TI_WALKED => step_walked(ip, fp, run, iter)?,
            _ => return Ok(false),
        };
        if !found {
            iterator::free(iter);
        }
        Ok(found)
    }
}

/// `IterInit`, executed for compiled code: returns the next opline in any case, and the iterator is empty if there is no element.
/// If the subject is a generator, nothing is done, and `ip` is returned.
#[inline(never)]
pub(super) unsafe fn init_alone_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: compiled code passes an `IterInit` of the innermost frame, whose sources it has written.
    unsafe {
        let meta = run.meta(ip);
        let subject = (meta.a != Kind::Lit).then(|| raw::look_through(cell(fp, (*ip).a)));
        if subject.is_some_and(|place| (*place).as_obj().is_some_and(|own| own.native::<GeneratorData>().is_some())) {
            return ip;
        }
        let started = run.fetch(ip, (*ip).a, meta.a).and_then(|subject| start(ip, fp, run, subject.into_deref()));
        let result = started.and_then(|started| match started {
            Started::Found(_) => Ok(()),
            // An IteratorAggregate has returned a generator, whose body would become a frame of the interpreter above compiled
            // code's: the iteration resumes it by a call.
            Started::Generator(generator) => {
                iterator::free(Frame::iter(run.frame, meta.n));
                let traversal = Traversal::over(run.vm, generator, false)?;
                first(ip, fp, run, Iter::Traversable { traversal, by_ref: false }).map(drop)
            }
        });
        run.finish(ip, result)
    }
}

/// `IterNext`, executed for compiled code: returns the next opline in any case, and the iterator is empty at the end. If it holds
/// a generator, nothing is done, and `ip` is returned.
#[inline(never)]
pub(super) unsafe fn advance_alone_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: compiled code passes an `IterNext` of the innermost frame.
    unsafe {
        if raw::tag(cell(fp, (*ip).a)) == iterator::TI_GENERATOR {
            return ip;
        }
        let result = advance_alone(ip, fp, run).map(drop);
        run.finish(ip, result)
    }
}

slow_handler!(free, free_slow);

/// `IterFree`; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn free_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` is the iterator's first cell, which is full or empty.
    unsafe {
        iterator::free(cell(fp, (*ip).a));
        run.finish(ip, Ok(()))
    }
}
