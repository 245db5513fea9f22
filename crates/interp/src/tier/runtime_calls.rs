//! Functions of the engine that compiled code calls. None of them unwinds, and only those in [`super::reentry`] run PHP code. What
//! they cannot do they refuse before they have changed anything; the code leaves by a side exit then, and the interpreter executes
//! the opline.

use super::property_layouts::has_layout;
use super::reentry::{call, conclude, is_watched, materialize, next_element, send, step};
use crate::code::FuncCode;
use crate::frame::Frame;
use crate::handlers::arith::plain_numbers;
use crate::handlers::dynamic;
use crate::handlers::elements::{find, literal_key};
use phlox_hhbc::SetOp;
use phlox_jit::layout::Helpers;
use phlox_lower::Comparison;
use phlox_runtime::closure::{self, ClosureData};
use phlox_runtime::extension::FastPathFn;
use phlox_runtime::magic::{self, Guard};
use phlox_runtime::{
    ClassExt, ClassRef, Key, PhpArr, PhpObj, PhpRef, PhpStr, Val, Vm, compare as order, convert, dynamic_call,
};
use phlox_value::{ClassHeader, raw};
use std::cell::RefCell;
use std::collections::HashMap;
use std::mem::{ManuallyDrop, MaybeUninit};

/// The addresses of all runtime functions, for the compiler.
pub const HELPERS: Helpers = Helpers {
    new_object,
    instance_of,
    has_layout,
    equal_texts,
    concat,
    append_text,
    set_byte,
    compare,
    element,
    has_element,
    set_element,
    set_in_element,
    push_element,
    set_in_place,
    push_in_place,
    grow,
    grow_apart,
    list,
    fast_path,
    make_reference,
    open_reference,
    global,
    static_variable,
    unbox,
    set_at,
    push_at,
    unset_at,
    store_at,
    change_element,
    change_at,
    assign,
    truth,
    open_call,
    materialize,
    next_element,
    send,
    is_closure_of,
    begin_guard,
    end_guard,
    step,
    call,
    conclude,
    is_watched,
};

/// Runs what may exhaust the memory limit; `None` in that case. The interpreter then meets the limit again, with all frames
/// written, and reports it.
fn guarded<R>(run: impl FnOnce() -> R) -> Option<R> {
    phlox_runtime::heap::unless_exhausted(run).ok().flatten()
}

/// Writes the result of a runtime function; 0: it refuses.
fn answer(out: *mut Val, make: impl FnOnce() -> Option<Val>) -> u64 {
    match guarded(make).flatten() {
        Some(value) => {
            // SAFETY: compiled code passes a cell that owns nothing.
            unsafe { raw::put(out, value) };
            1
        }
        None => 0,
    }
}

/// The arguments of a runtime function, as a slice.
///
/// # Safety
/// `args` points to `count` live cells in a row.
unsafe fn values<'a>(args: *const Val, count: u64) -> &'a [Val] {
    // SAFETY: the caller says that there are `count` cells in a row.
    unsafe { std::slice::from_raw_parts(args, count as usize) }
}

/// A new object of a class, with the defaults of its properties; 0: it refuses.
extern "C" fn new_object(class: u64) -> u64 {
    let identity = class as *const ClassHeader;
    guarded(|| {
        // SAFETY: the class comes from an inline cache and has its defaults; classes live as long as the request.
        unsafe {
            let class = ManuallyDrop::new(ClassRef::from_raw(identity));
            raw::new_object(identity, &class.class().defaults())
        }
    })
    .unwrap_or(0)
}

/// Whether a class is another one, or inherits from or implements it.
extern "C" fn instance_of(class: u64, wanted: u64) -> u64 {
    // SAFETY: compiled code passes identities of classes, which live as long as the request.
    unsafe {
        let own: &phlox_runtime::Class = (*(class as *const ClassHeader)).payload();
        u64::from(own.supertypes.contains(&(*(wanted as *const ClassHeader)).id()))
    }
}

/// Whether two strings are equal by `==`.
extern "C" fn equal_texts(a: u64, b: u64) -> u64 {
    // SAFETY: compiled code passes live strings, which it holds.
    unsafe {
        let [a, b] = [a, b].map(|payload| ManuallyDrop::new(raw::value(payload, raw::TI_STR)));
        // Only numeric strings can be equal with different bytes, and none begins with a byte above the digits.
        let is_word = |text: &Val| text.as_str().is_some_and(|text| text.first().is_some_and(|&byte| byte > b'9'));
        if is_word(&a) || is_word(&b) {
            return u64::from(a.as_str() == b.as_str());
        }
        u64::from(Vm::current().is_some_and(|vm| order::loose_eq(vm, &a, &b).unwrap_or(false)))
    }
}

/// Room for the digits of an integer.
type Digits = MaybeUninit<[u8; 20]>;

/// The bytes of a string, or the digits of an integer; `None`: the value is of another type.
#[inline(always)]
fn text<'a>(value: &'a Val, digits: &'a mut Digits) -> Option<&'a [u8]> {
    match (value.as_str(), value.as_int()) {
        (Some(text), _) => Some(text),
        (_, Some(int)) => Some(convert::int_digits(int, digits.write([0; 20]))),
        _ => None,
    }
}

/// Joins strings and integers.
extern "C" fn concat(_: u64, args: *const Val, count: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes `count` cells in a row.
    let (first, args) = (args, unsafe { values(args, count) });
    // SAFETY: compiled code passes `count` cells in a row, which are alive.
    if unsafe { (0..args.len()).all(|index| raw::tag(first.add(index)) & 0xff == raw::TI_STR_STATIC) } {
        // SAFETY: the condition says that all cells are strings.
        return answer(out, || unsafe { Some(raw::value(raw::join_cells(first, args.len()), raw::TI_STR)) });
    }
    answer(out, || {
        let mut digits = [const { Digits::uninit() }; MAX_PARTS];
        let mut parts = [const { MaybeUninit::<&[u8]>::uninit() }; MAX_PARTS];
        for ((part, digits), value) in parts.iter_mut().zip(&mut digits).zip(args) {
            part.write(text(value, digits)?);
        }
        // SAFETY: the first `args.len()` parts were written.
        let parts = unsafe { std::slice::from_raw_parts(parts.as_ptr().cast::<&[u8]>(), args.len().min(MAX_PARTS)) };
        Some(PhpStr::concat(parts).into())
    })
}

/// Strings that are joined by one call at most.
pub const MAX_PARTS: usize = 16;

/// Appends the second argument to the first one, a string whose reference is consumed.
extern "C" fn append_text(_: u64, args: *const Val, count: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes two cells, and the reference of the first string.
    unsafe {
        let (own, tail) = (args, args.add(1));
        let (payload, tag) = (raw::payload(own), raw::tag(own));
        let both_texts = tag == raw::TI_STR && raw::tag(tail) & 0xff == raw::TI_STR_STATIC;
        if both_texts && payload != raw::payload(tail) && raw::append_text(own.cast_mut(), raw::string_at(tail)) {
            raw::write(out, payload, tag);
            return 1;
        }
        append_slowly(args, count, out)
    }
}

/// Assigns a byte of the first argument, a string whose reference is consumed, at the position in the second one.
extern "C" fn set_byte(_: u64, args: *const Val, _: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes a counted string with its reference, an integer and a string.
    unsafe {
        let (own, index) = (args.cast_mut(), raw::payload(args.add(1)) as usize);
        let &[byte] = raw::string_at(args.add(2)).as_bytes() else { return 0 };
        let (payload, tag) = (raw::payload(own), raw::tag(own));
        if raw::set_byte(own, index, byte) {
            raw::write(out, payload, tag);
            return 1;
        }
        let text = raw::string_at(own).as_bytes();
        // A string of one byte is not copied, but shared by the whole process.
        if index >= text.len() || text.len() < 2 {
            return 0;
        }
        // Others hold the string, which is copied.
        let Some(copy) = guarded(|| raw::joined(text, b"")) else { return 0 };
        raw::write(out, copy, raw::TI_STR);
        raw::set_byte(out, index, byte);
        raw::release(payload, tag);
        1
    }
}

/// The slow path of [`append_text`]: there is no room behind the string, or the tail is an integer.
#[inline(never)]
unsafe fn append_slowly(args: *const Val, count: u64, out: *mut Val) -> u64 {
    // SAFETY: `append_text` passes the cells that it got.
    let args = unsafe { values(args, count) };
    let [own, tail] = args else { return 0 };
    let mut digits = Digits::uninit();
    let Some(tail) = text(tail, &mut digits) else { return 0 };
    // SAFETY: the cells are alive, and the first string's reference is ours; if the tail is that string, the tail's owner has
    // another reference.
    unsafe {
        let Some(head) = own.as_str() else { return 0 };
        if std::ptr::eq(head.as_ptr(), tail.as_ptr()) {
            let Some(twice) = guarded(|| raw::joined(head, tail)) else { return 0 };
            raw::write(out, twice, raw::TI_STR);
            raw::release(raw::payload(own), raw::tag(own));
            return 1;
        }
        let mut grown = ManuallyDrop::new(raw::value(raw::payload(own), raw::tag(own)));
        let done = raw::tag(own) == raw::TI_STR && raw::append_text(&raw mut *grown, tail)
            || guarded(|| grown.append_bytes(tail)).is_some();
        if done {
            raw::write(out, raw::payload(&raw const *grown), raw::tag(&raw const *grown));
        }
        u64::from(done)
    }
}

/// Compares two values that run no PHP code when compared; `data`: the index of the [`Comparison`].
extern "C" fn compare(data: u64, args: *const Val, count: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes `count` cells in a row.
    let args = unsafe { values(args, count) };
    answer(out, || {
        let ([a, b], Some(vm)) = (args, Vm::current()) else { return None };
        Some(Val::bool(match Comparison::ALL.get(data as usize)? {
            Comparison::Same => order::identical(a, b),
            Comparison::NSame => !order::identical(a, b),
            Comparison::Eq => order::loose_eq(vm, a, b).ok()?,
            Comparison::Neq => !order::loose_eq(vm, a, b).ok()?,
            Comparison::Lt => order::less(vm, a, b).ok()?,
            Comparison::Lte => order::less_equal(vm, a, b).ok()?,
            Comparison::Gt => order::less(vm, b, a).ok()?,
            Comparison::Gte => order::less_equal(vm, b, a).ok()?,
            Comparison::Cmp => return Some(Val::int(order::compare(vm, a, b).ok()?)),
        }))
    })
}

/// Reads an element; `quiet`: a missing element gives null, where it refuses otherwise.
extern "C" fn element(quiet: u64, args: *const Val, _: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes an array and a key that is an integer or a string.
    unsafe {
        if raw::tag(args.add(1)) == raw::TI_INT
            && let Some((payload, tag)) = raw::unboxed_at(raw::payload(args), raw::payload(args.add(1)))
        {
            raw::write(out, payload, tag);
            return 1;
        }
        let found = find(args, args.add(1));
        if found.is_null() {
            if quiet != 0 {
                raw::write_tag(out, raw::TI_NULL);
            }
            return quiet;
        }
        let found = raw::look_through(found.cast_mut());
        let (payload, tag) = (raw::payload(found), raw::tag(found));
        raw::retain(payload, tag);
        raw::write(out, payload, tag);
        1
    }
}

/// `isset` of an element, or `empty` of it if `empty` is not 0.
extern "C" fn has_element(empty: u64, args: *const Val, _: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes an array and a key that is an integer or a string.
    unsafe {
        let found = find(args, args.add(1));
        let found = if found.is_null() { found } else { raw::look_through(found.cast_mut()).cast_const() };
        let yes = match empty {
            0 => !found.is_null() && raw::tag(found) > raw::TI_NULL,
            _ if found.is_null() => true,
            // Objects of some builtin classes are false.
            _ if raw::tag(found) == raw::TI_OBJ => return 0,
            _ => !convert::to_bool(&*found),
        };
        raw::write_tag(out, if yes { raw::TI_TRUE } else { raw::TI_FALSE });
        1
    }
}

/// The array key that a value stands for, if it is an integer or a string.
unsafe fn key_of<'a>(key: *const Val) -> Option<Key<'a>> {
    // SAFETY: the callers pass a live cell.
    unsafe {
        match raw::tag(key) {
            raw::TI_INT => Some(Key::Int(raw::payload(key) as i64)),
            raw::TI_STR | raw::TI_STR_STATIC => Some(literal_key(raw::string_at(key))),
            _ => None,
        }
    }
}

/// Sets an element of the array in a cell. False: nothing has changed.
unsafe fn set(place: *mut Val, key: *const Val, value: *const Val) -> bool {
    // SAFETY: the callers pass a cell that holds an array, a live key and a live value.
    unsafe {
        if !raw::changes_in_place(raw::payload(place), raw::tag(place)) {
            return set_in_copy(place, key, value);
        }
        set_in_own(place, key, value)
    }
}

/// [`set`] for an array that only this cell holds.
#[inline(always)]
unsafe fn set_in_own(place: *mut Val, key: *const Val, value: *const Val) -> bool {
    // SAFETY: `place` holds an array with one reference; key and value are alive (`set`).
    unsafe {
        let found = find(place, key).cast_mut();
        if found.is_null() {
            return add(place, key, value);
        }
        if raw::tag(found) == raw::TI_REF {
            return false;
        }
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        raw::retain(payload, tag);
        let (before, old) = (raw::payload(found), raw::tag(found));
        raw::write(found, payload, tag);
        raw::release(before, old);
        true
    }
}

/// Adds an element to an array with one reference that has no element under the key.
#[inline(always)]
unsafe fn add(place: *mut Val, key: *const Val, value: *const Val) -> bool {
    // SAFETY: `place` holds an array with one reference; key and value are alive (`set`).
    unsafe {
        let Some(key) = key_of(key) else { return false };
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        raw::retain(payload, tag);
        let array = raw::payload(place);
        let is_added = match key {
            Key::Int(next) => raw::packed(array).1 as u64 == next as u64 && raw::append(array, payload, tag),
            Key::Str(name) => raw::push_name(array, name, payload, tag),
        };
        is_added || guarded(|| raw::array_at_mut(place).add_new(key, raw::value(payload, tag))).is_some()
    }
}

/// [`set`] for an array that others hold as well: the cell gets a copy.
#[inline(never)]
unsafe fn set_in_copy(place: *mut Val, key: *const Val, value: *const Val) -> bool {
    // SAFETY: `place` holds an array; key and value are alive (`set`).
    unsafe {
        if raw::tag(place) == raw::TI_ARR {
            return guarded(|| raw::array_at_mut(place).separate()).is_some() && set_in_own(place, key, value);
        }
        let Some(key) = key_of(key) else { return false };
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        let done = guarded(|| {
            raw::retain(payload, tag);
            match key {
                Key::Str(name) if raw::add_name(place, name, payload, tag) => true,
                _ => raw::array_at_mut(place).insert_plain(key, raw::value(payload, tag)).is_ok(),
            }
        });
        done == Some(true)
    }
}

/// Appends a value to the array in a cell. False: nothing has changed.
unsafe fn push(place: *mut Val, value: *const Val) -> bool {
    // SAFETY: the callers pass a cell that holds an array, and a live value.
    unsafe {
        if raw::array_at(place).next_index().is_none() {
            return false;
        }
        let done = guarded(|| {
            let (payload, tag) = (raw::payload(value), raw::tag(value));
            let to = raw::array_at_mut(place).push_place().ok()?;
            raw::retain(payload, tag);
            to.set(raw::value(payload, tag));
            Some(())
        });
        done.flatten().is_some()
    }
}

/// Changes the array that is the first argument, whose reference is consumed; a copy of it if it is `borrowed`. 0: it refuses, and
/// the reference is still the caller's.
unsafe fn changed(borrowed: u64, args: *const Val, out: *mut Val, change: impl FnOnce(*mut Val) -> bool) -> u64 {
    // SAFETY: the callers pass the arguments of compiled code, the first of which is an array.
    unsafe {
        if borrowed != 0 {
            raw::retain(raw::payload(args), raw::tag(args));
        }
        let mut own = ManuallyDrop::new(raw::value(raw::payload(args), raw::tag(args)));
        let done = change(&raw mut *own);
        let (payload, tag) = (raw::payload(&raw const *own), raw::tag(&raw const *own));
        if done {
            raw::write(out, payload, tag);
            return 1;
        }
        // The array may have been copied before the change was found to be impossible: the copy has taken the argument's reference.
        let is_copy = payload != raw::payload(args);
        if is_copy && borrowed == 0 {
            raw::retain(raw::payload(args), raw::tag(args));
        }
        if is_copy || borrowed != 0 {
            raw::release(payload, tag);
        }
        0
    }
}

/// Sets an element of an array, whose reference is consumed unless it is borrowed. Gives the array.
extern "C" fn set_element(borrowed: u64, args: *const Val, _: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes an array, a key and a value, and the array's reference unless it is borrowed.
    unsafe { changed(borrowed, args, out, |own| set(own, args.add(1), args.add(2))) }
}

/// Sets an element of an array that is an element of an array, whose reference is consumed unless it is borrowed. Gives the outer
/// array.
extern "C" fn set_in_element(borrowed: u64, args: *const Val, _: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes an array, two keys and a value; the inner array is changed in an outer one with one reference.
    unsafe {
        changed(borrowed, args, out, |own| {
            if guarded(|| raw::array_at_mut(own).separate()).is_none() {
                return false;
            }
            let found = find(own, args.add(1)).cast_mut();
            !found.is_null() && raw::tag(found) & 0xff == raw::TI_ARR_STATIC && set(found, args.add(2), args.add(3))
        })
    }
}

/// Appends a value to an array, whose reference is consumed unless it is borrowed. Gives the array.
extern "C" fn push_element(borrowed: u64, args: *const Val, _: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes an array and a value, and the array's reference unless it is borrowed.
    unsafe { changed(borrowed, args, out, |own| push(own, args.add(1))) }
}

/// `$array[$key] OP= number`, if the element is a number and the array has one reference. False: nothing has changed.
unsafe fn change(operator: u64, array: *const Val, key: *const Val, operand: *const Val) -> bool {
    // SAFETY: the callers pass a cell that holds an array, and a live key and operand.
    unsafe {
        if !raw::is_unshared(raw::payload(array), raw::tag(array)) {
            return false;
        }
        let (found, Some(operator)) = (find(array, key).cast_mut(), SetOp::ALL.get(operator as usize)) else {
            return false;
        };
        if found.is_null() {
            return false;
        }
        let words = (raw::payload(found), raw::tag(found), raw::payload(operand), raw::tag(operand));
        match plain_numbers(*operator, words) {
            Some((payload, tag)) => raw::write(found, payload, tag),
            None => return false,
        }
        true
    }
}

/// [`change`] for the array that is the first argument.
extern "C" fn change_element(operator: u64, args: *const Val, _: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes an array, a key that is an integer or a string, and a number.
    unsafe {
        if !change(operator, args, args.add(1), args.add(2)) {
            return 0;
        }
        raw::write_tag(out, raw::TI_NULL);
        1
    }
}

/// Assigns a value to a property's cell; refuses if the property is a reference of a declared type.
extern "C" fn store_at(_: u64, place: *mut Val, args: *const Val, _: u64) -> u64 {
    // SAFETY: compiled code passes a cell of a live object, and a live value.
    unsafe {
        if raw::tag(place) == raw::TI_REF && raw::is_typed_ref(raw::payload(place)) {
            return 0;
        }
        let place = raw::look_through(place);
        let (payload, tag) = (raw::payload(args), raw::tag(args));
        raw::retain(payload, tag);
        drop((*place).replace(raw::value(payload, tag)));
        1
    }
}

/// [`change`] for the array in a cell.
extern "C" fn change_at(operator: u64, place: *mut Val, args: *const Val, _: u64) -> u64 {
    // SAFETY: compiled code passes a cell that holds an array, a key that is an integer or a string, and a number.
    unsafe { u64::from(change(operator, place, args, args.add(1))) }
}

/// Whether an array with one reference keeps its layout when a value is set under a key, or appended: compiled code goes on with
/// what it knows of the layout.
unsafe fn keeps_layout(array: *const Val, key: Option<*const Val>) -> bool {
    // SAFETY: the callers pass a live cell that holds an array, which is not changed here.
    unsafe {
        // What code knows of an unboxed list or a hash table stays true whatever is set.
        if !raw::is_packed(raw::payload(array)) {
            return true;
        }
        if key.is_some_and(|key| !find(array, key).is_null()) {
            return true;
        }
        let array = raw::array_at_mut(array.cast_mut());
        // A list whose next index is not its length may become a hash table.
        let next = array.next_index().filter(|&next| array.as_list().is_some_and(|cells| cells.len() as i64 == next));
        match key {
            None => next.is_some(),
            Some(key) => next.is_some_and(|next| matches!(key_of(key), Some(Key::Int(key)) if key == next)),
        }
    }
}

/// Sets an element of an array with one reference that keeps its layout; refuses otherwise.
extern "C" fn set_in_place(_: u64, args: *const Val, _: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes an array, a key and a value; the array stays where it is, because it has one reference.
    unsafe {
        if !raw::changes_in_place(raw::payload(args), raw::tag(args))
            || !keeps_layout(args, Some(args.add(1)))
            || !set_in_own(args.cast_mut(), args.add(1), args.add(2))
        {
            return 0;
        }
        raw::write_tag(out, raw::TI_NULL);
        1
    }
}

/// Appends a value to an array with one reference that keeps its layout; refuses otherwise.
extern "C" fn push_in_place(_: u64, args: *const Val, _: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes an array and a value; the array stays where it is, because it has one reference.
    unsafe {
        if !raw::changes_in_place(raw::payload(args), raw::tag(args))
            || !keeps_layout(args, None)
            || !push(args.cast_mut(), args.add(1))
        {
            return 0;
        }
        raw::write_tag(out, raw::TI_NULL);
        1
    }
}

phlox_jit::keeps_registers! {
    /// [`grow`] as a preserve-all call.
    grow_apart => grow
}

/// Makes room for another element in a list with one reference; 0: it refuses.
extern "C" fn grow(array: u64) -> u64 {
    // SAFETY: compiled code passes a list with one reference; its header stays where it is.
    unsafe {
        if !raw::changes_in_place(array, raw::TI_ARR) {
            return 0;
        }
        let mut own = ManuallyDrop::new(raw::value(array, raw::TI_ARR));
        let list = raw::array_at_mut(&raw mut *own);
        // A list whose next index is not its length would become a hash table.
        let Some(next) =
            list.next_index().filter(|&next| list.as_list().is_some_and(|cells| cells.len() as i64 == next))
        else {
            return 0;
        };
        let position = list.pointer();
        let done = guarded(|| {
            list.push_place().ok()?;
            list.take_last()?;
            list.set_next_index(next);
            list.set_pointer(position);
            Some(())
        });
        u64::from(done.flatten().is_some())
    }
}

/// A new list of values.
extern "C" fn list(_: u64, args: *const Val, count: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes `count` cells in a row.
    let args = unsafe { values(args, count) };
    answer(out, || Some(PhpArr::list_of(args).into()))
}

/// Calls the fast path of a builtin function; 0: it does not answer.
extern "C" fn fast_path(function: u64, args: *const Val, count: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes the address of a builtin function's fast path, and `count` cells in a row.
    let (fast_path, values) = unsafe { (std::mem::transmute::<u64, FastPathFn>(function), values(args, count)) };
    let answered = answer(out, || fast_path(values).filter(|value| !value.is_ref()));
    if answered == 0 {
        UNANSWERED.with_borrow_mut(|times| *times.entry((function, count)).or_default() += 1);
    }
    answered
}

thread_local! {
    /// How often fast paths did not answer compiled code, by their addresses and numbers of arguments.
    static UNANSWERED: RefCell<HashMap<(u64, u64), u32>> = RefCell::default();
}

/// How often a fast path may give no answer before no further code calls it.
const MAX_UNANSWERED: u32 = 50;

/// Whether a fast path answers often enough to be called from compiled code; `name`: the function's.
pub fn is_answering(fast_path: u64, argc: u64, name: &[u8]) -> bool {
    let times = UNANSWERED.with_borrow(|all| all.get(&(fast_path, argc)).copied().unwrap_or_default());
    if times >= MAX_UNANSWERED && super::stats() != 0 {
        eprintln!("jit: {}() with {argc} arguments has no fast path any more", String::from_utf8_lossy(name));
    }
    times < MAX_UNANSWERED
}

/// A new reference that holds a value, whose own reference is consumed unless it is borrowed.
extern "C" fn make_reference(borrowed: u64, args: *const Val, _: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes a value that is no reference, which it owns unless it is borrowed. It is consumed only
    // once the box exists.
    unsafe {
        let value = ManuallyDrop::new(raw::value(raw::payload(args), raw::tag(args)));
        let Some(reference) = guarded(|| PhpRef::holding(value)) else { return 0 };
        if borrowed != 0 {
            raw::retain(raw::payload(args), raw::tag(args));
        }
        raw::put(out, reference.into());
    }
    1
}

/// The value in a reference, which is consumed.
extern "C" fn open_reference(_: u64, args: *const Val, _: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes a reference that it owns.
    unsafe { raw::put(out, raw::open_reference(raw::payload(args))) };
    1
}

/// The reference of a global variable, which is boxed if it is not yet.
extern "C" fn global(_: u64, name: *const Val, _: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes a live string.
    unsafe {
        let name = raw::string_at(name);
        let Some(reference) = guarded(|| Vm::current().map(|vm| vm.globals.reference(name))).flatten() else {
            return 0;
        };
        raw::put(out, reference.into());
    }
    1
}

/// The reference of a function's static variable; `number`: its number.
extern "C" fn static_variable(function: u64, number: *const Val, _: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes its function, and an integer.
    unsafe {
        let (func, number) = ((*(function as *const FuncCode)).func(), raw::payload(number) as usize);
        let Some(reference) = guarded(|| closure::static_var(func, None, number)).flatten() else { return 0 };
        raw::put(out, reference.into());
    }
    1
}

/// Unboxes a variable whose reference nobody else holds; refuses otherwise.
extern "C" fn unbox(_: u64, place: *mut Val, _: *const Val, _: u64) -> u64 {
    // SAFETY: compiled code passes the cell of a variable of its frame.
    unsafe {
        if raw::tag(place) != raw::TI_REF {
            return 1;
        }
        if raw::count(raw::payload(place)) != 1 {
            return 0;
        }
        // The frame whose code was entered is the run's innermost one.
        if let Some(run) = crate::INNERMOST.get().cast_mut().as_mut() {
            (*run.frame).flags |= Frame::unboxed_flag(run.frame, place);
        }
        let reference = raw::take(place);
        let inner = raw::ref_place(raw::payload(place));
        let value = raw::take(inner);
        raw::write_tag(inner, raw::TI_NULL);
        raw::put(place, value);
        drop(reference);
    }
    1
}

/// Assigns a value to a variable, through its reference if it is boxed. The value's reference is consumed.
extern "C" fn assign(place: *mut Val, from: *mut Val) {
    // SAFETY: compiled code passes the cells of a variable and of a value that it owns.
    unsafe {
        let value = raw::take(from).into_deref();
        if raw::tag(place) != raw::TI_REF {
            drop((*place).replace(value));
            return;
        }
        let Some(vm) = Vm::current() else { return };
        // The TypeError of a typed property behind the reference is thrown at the next safe point.
        if let Err(throw) = phlox_runtime::props::store(vm, crate::context::slot(place), value, false) {
            vm.set_pending(throw);
        }
    }
}

/// The truth of a value.
extern "C" fn truth(_: u64, args: *const Val, _: u64, out: *mut Val) -> u64 {
    // SAFETY: compiled code passes a live value whose conversion runs no PHP code.
    unsafe { raw::write_tag(out, if convert::to_bool(&*args) { raw::TI_TRUE } else { raw::TI_FALSE }) };
    1
}

/// Opens a dynamic call of a closure or of a function's name; `cache`: the opline's inline cache.
extern "C" fn open_call(cache: u64, header: *mut Val, args: *const Val, _: u64) -> u64 {
    // SAFETY: compiled code passes the inline cache of its opline, the place of a header on the stack, and a live callee.
    unsafe {
        let header = header.cast::<Frame>();
        if raw::tag(args) == raw::TI_OBJ {
            return u64::from(dynamic::open_closure(raw::payload(args), header, false, true));
        }
        // The interpreter has filled the cache with the address of a literal string, which is never freed.
        let cache = &*(cache as *const crate::code::Site);
        if raw::tag(args) & 0xff == raw::TI_STR_STATIC && cache.key == raw::payload(args) {
            let code = cache.value as *const FuncCode;
            if (*code).has_by_ref {
                return 0;
            }
            Frame::prepare(header, code);
            return 1;
        }
        let (raw::TI_STR | raw::TI_STR_STATIC, Some(vm)) = (raw::tag(args), Vm::current()) else { return 0 };
        let func = vm.find_function(raw::string_at(args)).filter(|func| !dynamic_call::needs_static_call(func));
        let Some(func) = func else { return 0 };
        let code = FuncCode::of(&func);
        if (*code).has_by_ref {
            return 0;
        }
        Frame::prepare(header, code);
        1
    }
}

/// Begins the recursion guard of a magic method for an object and a property's name; refuses if it is running for them already.
extern "C" fn begin_guard(guard: u64, args: *const Val, _: u64, out: *mut Val) -> u64 {
    const GUARDS: [Guard; 4] = [Guard::Get, Guard::Set, Guard::Isset, Guard::Unset];
    // SAFETY: compiled code passes a live object and a live string.
    unsafe {
        let (object, name) = ((*args).as_obj(), raw::string_at(args.add(1)));
        let (Some(object), Some(vm), Some(&guard)) = (object, Vm::current(), GUARDS.get(guard as usize)) else {
            return 0;
        };
        if !magic::is_usual(object) || !vm.guards.allow(object, name, guard) {
            return 0;
        }
        vm.guards.begin(object, name, guard);
        raw::write_tag(out, raw::TI_NULL);
        1
    }
}

/// Ends the recursion guard that was begun last.
extern "C" fn end_guard() {
    if let Some(vm) = Vm::current() {
        vm.guards.end();
    }
}

/// Whether a closure has this function, and no object, scope or captured variables.
extern "C" fn is_closure_of(function: u64, args: *const Val, _: u64, _: *mut Val) -> u64 {
    // SAFETY: compiled code passes a live Closure object, all of which are made with their data.
    unsafe {
        let closure = (*args.cast::<PhpObj>()).native_unchecked::<ClosureData>();
        u64::from(super::host::plain_function(closure) == Some(function as *const FuncCode))
    }
}

/// Sets an element of the array in a cell; see [`set`].
extern "C" fn set_at(_: u64, place: *mut Val, args: *const Val, _: u64) -> u64 {
    // SAFETY: compiled code passes a cell that holds an array, a live key and a live value.
    unsafe { u64::from(set(place, args, args.add(1))) }
}

/// Appends a value to the array in a cell; see [`push`].
extern "C" fn push_at(_: u64, place: *mut Val, args: *const Val, _: u64) -> u64 {
    // SAFETY: compiled code passes a cell that holds an array, and a live value.
    unsafe { u64::from(push(place, args)) }
}

/// Removes an element of the array in a cell.
extern "C" fn unset_at(_: u64, place: *mut Val, args: *const Val, _: u64) -> u64 {
    // SAFETY: compiled code passes a cell that holds an array, and a live key.
    unsafe {
        let Some(key) = key_of(args) else { return 0 };
        u64::from(guarded(|| drop(raw::array_at_mut(place).remove(key))).is_some())
    }
}
