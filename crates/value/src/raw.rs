//! Values as machine words, for the interpreter and for compiled code.
//!
//! The functions here read and write the memory layout of [`Val`], arrays, objects and references. Their callers keep the
//! reference counts right by hand. A value is read and written as a payload word and a tag word, never as 16 bytes at once:
//! reading at once what was just written in two halves stalls the processor.

pub mod offsets;

use crate::array::raw as array;
use crate::gc;
use crate::header::{FLAG_COPY_ALWAYS, Header};
use crate::object::{self, ClassHeader};
use crate::reference;
use crate::val::{self, Kind, Val};
use crate::word::Word;
use crate::{Key, PhpArr, PhpStr};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use crate::val::{COLLECTABLE, COUNTED, TI_ARR, TI_OBJ, TI_REF, TI_STR};

pub const TI_UNDEF: u32 = Kind::Undef as u32;
pub const TI_NULL: u32 = Kind::Null as u32;
pub const TI_FALSE: u32 = Kind::False as u32;
pub const TI_TRUE: u32 = Kind::True as u32;
pub const TI_INT: u32 = Kind::Int as u32;
pub const TI_DOUBLE: u32 = Kind::Double as u32;
/// A literal string.
pub const TI_STR_STATIC: u32 = Kind::Str as u32;
/// A literal array.
pub const TI_ARR_STATIC: u32 = Kind::Arr as u32;

/// The tag word of a cell.
///
/// # Safety
/// `cell` points to a cell.
#[inline(always)]
pub unsafe fn tag(cell: *const Val) -> u32 {
    // SAFETY: `cell` points to a cell, whose tag is initialised.
    unsafe { (*cell).ti }
}

/// The payload word of a cell.
///
/// # Safety
/// `cell` points to a cell.
#[inline(always)]
pub unsafe fn payload(cell: *const Val) -> u64 {
    // SAFETY: `cell` points to a cell, whose payload is initialised.
    unsafe { (*cell).val.exposed() }
}

/// Overwrites a cell without releasing what it held.
///
/// # Safety
/// `cell` points to a cell; payload and tag belong together.
#[inline(always)]
pub unsafe fn write(cell: *mut Val, payload: u64, tag: u32) {
    // SAFETY: `cell` points to a cell, and the new words belong together.
    unsafe {
        (*cell).val = Word::of_exposed(payload);
        (*cell).ti = tag;
    }
}

/// Overwrites the payload only, of a cell whose tag fits the new payload, too.
///
/// # Safety
/// `cell` points to a cell; the payload belongs to the tag that the cell has.
#[inline(always)]
pub unsafe fn write_payload(cell: *mut Val, payload: u64) {
    // SAFETY: `cell` points to a cell, whose tag fits the payload.
    unsafe { (*cell).val = Word::of_exposed(payload) }
}

/// Overwrites the tag only, with a tag that has no payload.
///
/// # Safety
/// `cell` points to a cell.
#[inline(always)]
pub unsafe fn write_tag(cell: *mut Val, tag: u32) {
    // SAFETY: `cell` points to a cell, and the tag needs no payload.
    unsafe { (*cell).ti = tag }
}

/// The container's own word, beside the value.
///
/// # Safety
/// `cell` points to a cell.
#[inline(always)]
pub unsafe fn aux(cell: *const Val) -> u32 {
    // SAFETY: `cell` points to a cell, whose own word is initialised.
    unsafe { (*cell).aux }
}

/// Sets the container's own word.
///
/// # Safety
/// `cell` points to a cell.
#[inline(always)]
pub unsafe fn set_aux(cell: *mut Val, aux: u32) {
    // SAFETY: `cell` points to a cell, whose own word may hold any number.
    unsafe { (*cell).aux = aux }
}

/// Moves a value into a cell without releasing what it held.
///
/// # Safety
/// `cell` points to a cell.
#[inline(always)]
pub unsafe fn put(cell: *mut Val, value: Val) {
    let value = std::mem::ManuallyDrop::new(value);
    // SAFETY: `cell` points to a cell; payload and tag come from one value and belong together.
    unsafe {
        (*cell).val = value.val;
        (*cell).ti = value.ti;
    }
}

/// Moves the value out of a cell, whose words stay.
///
/// # Safety
/// `cell` points to a cell, whose value is not used again.
#[inline(always)]
pub unsafe fn take(cell: *const Val) -> Val {
    // SAFETY: `cell` points to a cell whose value moves out here and is not used again.
    unsafe { Val::of_word((*cell).val, tag(cell)) }
}

/// The value that two words make.
///
/// # Safety
/// The words belong together, and own a count if the tag says so.
#[inline(always)]
pub unsafe fn value(payload: u64, tag: u32) -> Val {
    Val::from_words(payload, tag)
}

/// A value that is returned in two registers. A value returned through memory would be slow to read there, because it was written
/// in pieces of other sizes.
#[must_use]
pub struct Words {
    payload: u64,
    tag: u32,
}

impl Words {
    /// The words of no value.
    pub const UNDEF: Words = Words { payload: 0, tag: TI_UNDEF };
    /// Words that say that nothing was done to get a value.
    pub const NOT_TRIED: Words = Words { payload: 1, tag: TI_UNDEF };

    /// The words of a value, which they own from now on.
    #[inline(always)]
    pub fn of(value: Val) -> Words {
        let value = std::mem::ManuallyDrop::new(value);
        Words { payload: value.val.exposed(), tag: value.ti }
    }

    /// A value that two words make.
    ///
    /// # Safety
    /// The words belong together, and own a count if the tag says so.
    #[inline(always)]
    pub unsafe fn new(payload: u64, tag: u32) -> Words {
        Words { payload, tag }
    }

    /// Whether there is no value (which [`Words::NOT_TRIED`] is, too).
    #[inline(always)]
    pub fn is_undef(&self) -> bool {
        self.tag == TI_UNDEF
    }

    /// Whether these words are [`Words::NOT_TRIED`].
    #[inline(always)]
    pub fn is_not_tried(&self) -> bool {
        self.tag == TI_UNDEF && self.payload != 0
    }

    /// The value.
    #[inline(always)]
    pub fn into_val(self) -> Val {
        Val::from_words(self.payload, self.tag)
    }

    /// Payload and tag; the caller owns the count from now on.
    #[inline(always)]
    pub fn into_parts(self) -> (u64, u32) {
        (self.payload, self.tag)
    }
}

/// What an interpreter looked up about a function that builtin code calls repeatedly; valid while the callee is borrowed.
#[derive(Clone, Copy)]
pub struct Prepared<'a> {
    words: [usize; Prepared::WORDS],
    callee: std::marker::PhantomData<&'a ()>,
}

impl Prepared<'_> {
    /// How many words an interpreter may store.
    pub const WORDS: usize = 8;

    /// Stores what an interpreter looked up.
    ///
    /// # Safety
    /// The words mean to the interpreter that will make the call what it stored in them, for as long as the callee is borrowed.
    #[inline(always)]
    pub unsafe fn new<'a>(words: [usize; Prepared::WORDS]) -> Prepared<'a> {
        Prepared { words, callee: std::marker::PhantomData }
    }

    /// The words that the interpreter stored.
    #[inline(always)]
    pub fn words(&self) -> &[usize; Prepared::WORDS] {
        &self.words
    }
}

/// Retains a value: counts one more reference to it.
///
/// # Safety
/// The words are those of a live value other than a class reference.
#[inline(always)]
pub unsafe fn retain(payload: u64, tag: u32) {
    if tag & COUNTED != 0 {
        // SAFETY: the payload of a live counted value other than a class starts with a header.
        unsafe { (*(payload as *const Header)).incref() }
    }
}

/// Releases a reference to a value.
///
/// # Safety
/// The words are those of a live value, one of whose references is released here.
#[inline(always)]
pub unsafe fn release(payload: u64, tag: u32) {
    if tag & COUNTED != 0 {
        // SAFETY: the tag is counted, and the reference is released once.
        unsafe { release_counted(payload, tag) }
    }
}

/// Releases a reference to a value whose tag is known to be counted.
///
/// # Safety
/// The tag is counted, and the words are those of a live value, one of whose references is released here.
#[inline(never)]
pub unsafe fn release_counted(payload: u64, tag: u32) {
    // SAFETY: a counted payload starts with a header, except for classes; the reference is released once.
    unsafe {
        if tag as u8 != Kind::Class as u8 {
            let header = &*(payload as *const Header);
            let rc = header.rc.get();
            if rc > 1 {
                header.rc.set(rc - 1);
                if tag & COLLECTABLE != 0 {
                    gc::possible_root(header);
                }
                return;
            }
        }
        val::release_counted(payload as *mut u8, tag);
    }
}

/// Releases a reference if that only changes the count: others hold the value, and the collector need not hear of the release.
/// False if nothing happened: then the caller must [`release`] the value.
///
/// # Safety
/// The words are those of a live value, one of whose references is released here.
#[inline(always)]
pub unsafe fn release_shared(payload: u64, tag: u32) -> bool {
    // SAFETY: the value is live, and a counted payload starts with a header, except for classes.
    unsafe {
        if tag & COUNTED == 0 {
            return true;
        }
        if tag as u8 == Kind::Class as u8 {
            return false;
        }
        let header = &*(payload as *const Header);
        let rc = header.rc.get();
        if rc > 1 && (tag & COLLECTABLE == 0 || header.is_known_to_collector()) {
            header.rc.set(rc - 1);
            return true;
        }
        false
    }
}

/// Releases a reference that is not the last one, without telling the collector, as Zend does for arguments of builtin functions:
/// the caller of the function still holds the value and tells the collector. False if nothing happened: then the caller must
/// [`release`] the value.
///
/// # Safety
/// The words are those of a live value, one of whose references is released here.
#[inline(always)]
pub unsafe fn release_passed(payload: u64, tag: u32) -> bool {
    // SAFETY: the value is live, and a counted payload starts with a header, except for classes.
    unsafe {
        if tag & COUNTED == 0 {
            return true;
        }
        if tag as u8 == Kind::Class as u8 {
            return false;
        }
        let header = &*(payload as *const Header);
        let rc = header.rc.get();
        if rc > 1 {
            header.rc.set(rc - 1);
        }
        rc > 1
    }
}

/// The number of references to a counted payload.
///
/// # Safety
/// The payload is a live counted one, and no class.
#[inline(always)]
pub unsafe fn count(payload: u64) -> u32 {
    // SAFETY: a counted payload other than a class starts with a header.
    unsafe { (*(payload as *const Header)).rc.get() }
}

/// The cell in a reference.
///
/// # Safety
/// The payload is a reference.
#[inline(always)]
pub unsafe fn ref_place(payload: u64) -> *mut Val {
    // SAFETY: the payload is a live reference's address.
    unsafe { reference::place_of(payload) }
}

/// The value in a reference, which is consumed. The value moves if this was the last handle of the reference.
///
/// # Safety
/// The payload is a reference, one of whose counts is consumed.
#[inline(always)]
pub unsafe fn open_reference(payload: u64) -> Val {
    // SAFETY: a handle of a reference is its payload, and its count is consumed here.
    unsafe { std::mem::transmute::<*mut u8, crate::PhpRef>(payload as *mut u8) }.into_value()
}

/// Whether a reference obeys the types of properties that are bound to it.
///
/// # Safety
/// The payload is a reference.
#[inline(always)]
pub unsafe fn is_typed_ref(payload: u64) -> bool {
    // SAFETY: the payload is a live reference's address.
    unsafe { reference::is_typed(payload) }
}

/// The cell itself, or the cell in the reference that it holds.
///
/// # Safety
/// `cell` points to a cell.
#[inline(always)]
pub unsafe fn look_through(cell: *mut Val) -> *mut Val {
    // SAFETY: `cell` points to a cell; by the tag its payload is a live reference.
    unsafe { if tag(cell) == TI_REF { ref_place(payload(cell)) } else { cell } }
}

/// The cell of a dynamic property whose name stands for no integer; null if there is none.
///
/// # Safety
/// The payload is an object.
#[inline]
pub unsafe fn dynamic_property(payload: u64, name: &PhpStr) -> *mut Val {
    // SAFETY: the payload is a live object; the address of its table is an array's payload.
    unsafe {
        object::dynamic_of(payload)
            .map_or(std::ptr::null_mut(), |table| array::find_string(table.address() as u64, name))
    }
}

/// The cell of a dynamic property whose name stands for no integer, for an assignment; null if there is none. `None` if the table
/// is shared.
///
/// # Safety
/// The payload is an object.
#[inline]
pub unsafe fn own_dynamic_property(payload: u64, name: &PhpStr) -> Option<*mut Val> {
    // SAFETY: the payload is a live object; the address of its table is an array's payload.
    unsafe {
        match object::dynamic_of(payload) {
            None => Some(std::ptr::null_mut()),
            Some(table) if table.is_unique() => Some(array::find_string(table.address() as u64, name)),
            Some(_) => None,
        }
    }
}

/// The identity of an object's class: the address of its counted header.
///
/// # Safety
/// The payload is an object.
#[inline(always)]
pub unsafe fn class_of(payload: u64) -> *const ClassHeader {
    // SAFETY: the payload is a live object's address.
    unsafe { object::class_of(payload) }
}

/// The number to add to the word at [`offsets::OBJECT_CLASS`] to get [`class_of`].
pub fn class_delta() -> usize {
    object::class_delta()
}

/// The cell of a declared property.
///
/// # Safety
/// The payload is an object with more than `slot` slots.
#[inline(always)]
pub unsafe fn property(payload: u64, slot: usize) -> *mut Val {
    // SAFETY: the payload is a live object with more than `slot` slots.
    unsafe { object::slot_of(payload, slot) }
}

/// Whether the array is a packed array of cells.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub unsafe fn is_packed(payload: u64) -> bool {
    // SAFETY: the payload is a live array; only its kind is read.
    unsafe { array::is_packed(payload) }
}

/// Whether the array is a hash table.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub unsafe fn is_table(payload: u64) -> bool {
    // SAFETY: the payload is a live array; its kind is compared.
    unsafe { array::is_table(payload) }
}

/// The kind of an unboxed list, one of the `offsets::ARRAY_PACKED_*`; `None` for other arrays.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub unsafe fn unboxed(payload: u64) -> Option<u8> {
    // SAFETY: the payload is a live array; its kind is copied out.
    unsafe { array::unboxed(payload) }
}

/// Payload and tag of an element of an unboxed list. `None` if the array is none, or is shorter.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub unsafe fn unboxed_at(payload: u64, index: u64) -> Option<(u64, u32)> {
    // SAFETY: the payload is a live array; its kind and length are checked.
    unsafe { array::unboxed_at(payload, index) }
}

/// Stores an element at a position that an unboxed list has. False, and nothing happened, if the array is none, is shorter, or
/// has another element type.
///
/// # Safety
/// The payload is an array that is [unshared](is_unshared).
#[inline(always)]
pub unsafe fn set_unboxed(payload: u64, index: u64, value: u64, tag: u32) -> bool {
    // SAFETY: the payload is the address of an unshared array.
    unsafe { array::set_unboxed(payload, index, value, tag) }
}

/// The cells of a packed array and the number of positions in use; null and 0 for other arrays.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub unsafe fn packed(payload: u64) -> (*mut Val, u32) {
    // SAFETY: the payload is a live array; address and length of its cells are copied out.
    unsafe { array::packed(payload) }
}

/// The cell at a position of a packed array, which may be undefined. `None` if the array is none, or is shorter.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub unsafe fn packed_at(payload: u64, index: u64) -> Option<NonNull<Val>> {
    // SAFETY: the payload is a live array; the position is checked against its length.
    unsafe { array::packed_at(payload, index) }
}

/// Whether the array is neither shared nor a literal, so that it may be changed in place.
///
/// # Safety
/// The payload is an array with tag `tag`.
#[inline(always)]
pub unsafe fn is_unshared(payload: u64, tag: u32) -> bool {
    // SAFETY: an array with the tag `TI_ARR` is counted, so it starts with a header.
    unsafe { tag == TI_ARR && count(payload) == 1 }
}

/// Whether a change leaves the array where it is: it is [unshared](is_unshared), and no stress mode wants copies.
///
/// # Safety
/// The payload is an array with tag `tag`.
#[inline]
pub unsafe fn changes_in_place(payload: u64, tag: u32) -> bool {
    // SAFETY: the payload is an array's address, which starts with a header.
    unsafe { is_unshared(payload, tag) && !(*(payload as *const Header)).has(FLAG_COPY_ALWAYS) }
}

/// The array in a cell, as a borrowed handle.
///
/// # Safety
/// `cell` holds an array and is not changed while the handle is used.
#[inline(always)]
pub unsafe fn array_at<'a>(cell: *const Val) -> &'a PhpArr {
    // SAFETY: the cell is live, and its payload is the handle.
    unsafe { &*(&raw const (*cell).val).cast() }
}

/// The array in a cell, for changing: it is separated first, and the cell's tag becomes counted.
///
/// # Safety
/// `cell` holds an array, and nothing else uses the cell while the handle is used.
#[inline(always)]
pub unsafe fn array_at_mut<'a>(cell: *mut Val) -> &'a mut PhpArr {
    // SAFETY: the cell holds an array, whose payload is its handle, and nothing else uses the cell meanwhile.
    unsafe {
        let array: &mut PhpArr = &mut *(&raw mut (*cell).val).cast();
        if !is_unshared(payload(cell), (*cell).ti) {
            array.separate();
            (*cell).ti = TI_ARR;
        }
        array
    }
}

/// A list of `count` consecutive values, which are moved.
///
/// # Safety
/// `count` values from `first` on are live, and are not used again.
pub unsafe fn list_of(first: *const Val, count: usize) -> PhpArr {
    // SAFETY: the values are live and move here.
    unsafe { PhpArr::of_cells(first, count) }
}

/// The string in a cell, as a borrowed handle.
///
/// # Safety
/// `cell` holds a string and is not changed while the handle is used.
#[inline(always)]
pub unsafe fn string_at<'a>(cell: *const Val) -> &'a PhpStr {
    // SAFETY: the cell is live, and its payload is the handle.
    unsafe { &*(&raw const (*cell).val).cast() }
}

/// Overwrites a byte of the string in a cell, if nobody else holds the string and it has such a byte. False if nothing happened.
///
/// # Safety
/// `cell` holds a counted string, to whose bytes no reference is in use.
#[inline]
pub unsafe fn set_byte(cell: *mut Val, index: usize, byte: u8) -> bool {
    // SAFETY: the cell is live, and its payload is the handle, which nothing else refers to meanwhile.
    let string = unsafe { &mut *(&raw mut (*cell).val).cast::<PhpStr>() };
    string.set_byte(index, byte)
}

/// The element of an array in a cell; null if there is none.
///
/// # Safety
/// `cell` holds an array; the result is used before the array changes.
#[inline(always)]
pub unsafe fn element(cell: *const Val, key: Key<'_>) -> *const Val {
    // SAFETY: the cell holds an array, which is not changed here.
    unsafe { array_at(cell).get(key).map_or(std::ptr::null(), |value| &raw const *value) }
}

/// Appends to the string in a cell if it is unshared and has room. False if nothing happened.
///
/// # Safety
/// The cell holds a counted string.
#[inline(always)]
pub unsafe fn append_text(cell: *mut Val, tail: &[u8]) -> bool {
    // SAFETY: the cell holds a counted string, whose payload is its handle.
    unsafe { (*(&raw mut (*cell).val).cast::<PhpStr>()).append_in_place(tail) }
}

/// The payload of a new string of two parts; its tag is [`TI_STR`].
#[inline(never)]
pub fn joined(head: &[u8], tail: &[u8]) -> u64 {
    string_payload(PhpStr::join(head, tail))
}

/// The payload of a string, whose reference goes to the caller.
#[inline(always)]
fn string_payload(string: PhpStr) -> u64 {
    let string = ManuallyDrop::new(string);
    // SAFETY: a string's handle is one pointer, its payload.
    unsafe { (&raw const *string).cast::<*mut u8>().read() }.expose_provenance() as u64
}

/// Appends `tail` to a string, whose reference is consumed; returns the payload of the result.
///
/// # Safety
/// The payload is that of a counted string, whose reference is consumed.
#[inline(never)]
pub unsafe fn extended(payload: u64, tail: &[u8]) -> u64 {
    let mut string = payload as *mut u8;
    // SAFETY: a string's handle is its payload, and the caller's reference is consumed.
    unsafe { (*(&raw mut string).cast::<PhpStr>()).append(tail) };
    string.expose_provenance() as u64
}

/// The payload of a new string that joins consecutive cells; its tag is [`TI_STR`].
///
/// # Safety
/// `count` cells from `first` on hold strings.
#[inline(never)]
pub unsafe fn join_cells(first: *const Val, count: usize) -> u64 {
    // SAFETY: `index` is below `count`, and `count` cells from `first` on hold strings.
    let text = |index: usize| unsafe { string_at(first.add(index)).as_bytes() };
    let len = (0..count).fold(0usize, |len, index| len.saturating_add(text(index).len()));
    let joined = PhpStr::with_room(len);
    // SAFETY: the new string has room for all parts and a NUL.
    unsafe {
        let mut at = joined.start();
        for index in 0..count {
            let part = text(index);
            crate::string::copy_short(part.as_ptr(), at, part.len());
            at = at.add(part.len());
        }
        at.write(0);
    }
    string_payload(joined)
}

/// Adds an element, whose reference is consumed, under a literal name that stands for no integer, to a hash table that has room
/// or to the empty array. False, and nothing happened, if the array is shared, is another one, has the key, or has no room.
///
/// # Safety
/// `cell` holds an array; payload and tag of the value belong together.
#[inline(never)]
pub unsafe fn add_name(cell: *mut Val, key: &PhpStr, value: u64, tag: u32) -> bool {
    // SAFETY: the cell holds an array; it is unshared, or replaced by a fresh table that nothing else uses.
    unsafe {
        if !is_unshared(payload(cell), (*cell).ti) {
            if (*cell).ti != TI_ARR_STATIC || !array::is_blank(payload(cell)) {
                return false;
            }
            let table = ManuallyDrop::new(PhpArr::with_hash_capacity(1));
            write(cell, table.address() as u64, TI_ARR);
            return array::push_name(payload(cell), key, value, tag);
        }
        match array::find_literal(payload(cell), key) {
            Some(place) if place.is_null() => array::push_name(payload(cell), key, value, tag),
            _ => false,
        }
    }
}

/// Adds an element, whose reference is consumed, to an unshared array, under a string that stands for no integer and that is no
/// key of the array. False, and nothing happened, if the array is no hash table or has no room.
///
/// # Safety
/// The payload is an array that nobody shares and that does not have the key; payload and tag of the value belong together.
#[inline(always)]
pub unsafe fn push_name(payload: u64, key: &PhpStr, value: u64, tag: u32) -> bool {
    // SAFETY: nobody shares the array, and the value's words belong together.
    unsafe { array::push_name(payload, key, value, tag) }
}

/// Appends a value, whose reference is consumed, to a packed array that has room. False if nothing happened.
///
/// # Safety
/// The payload is an array that is [unshared](is_unshared); payload and tag of the value belong together.
#[inline(always)]
pub unsafe fn append(payload: u64, value: u64, tag: u32) -> bool {
    // SAFETY: nobody shares the array, and the value's words belong together.
    unsafe { array::append(payload, value, tag) }
}

/// The element of an array under a string key that stands for no integer; null if there is none.
///
/// # Safety
/// The payload is an array; the place is used before the array changes.
#[inline(always)]
pub unsafe fn find_string(payload: u64, key: &PhpStr) -> *mut Val {
    // SAFETY: the payload is a live array; the search runs no other code.
    unsafe { array::find_string(payload, key) }
}

/// The position of a key in a hash table, and its value. `key` is the payload of the string; equal strings at other addresses do
/// not count.
///
/// # Safety
/// The payload is an array, the key a string.
pub unsafe fn position_of(payload: u64, key: u64) -> Option<(u32, *const Val)> {
    // SAFETY: the payload is a live array's address, and the position found is one in use.
    unsafe {
        let at = array::position_of(payload, key)?;
        let (cells, step, _) = array::positions(payload);
        Some((at, cells.add(at as usize * step).cast()))
    }
}

/// The element under a literal string key that stands for no integer, without a call; null if there is none. `None` if bytes
/// would have to be compared.
///
/// # Safety
/// The payload is an array; the place is used before the array changes.
#[inline(always)]
pub unsafe fn find_literal(payload: u64, key: &PhpStr) -> Option<*mut Val> {
    // SAFETY: the payload is a live array; the search makes no call and changes nothing.
    unsafe { array::find_literal(payload, key) }
}

/// The elements of an array for iteration: their address, the distance of two elements in bytes (16 for cells, 32 for buckets,
/// which start with the value), and the number of positions. An unboxed list is boxed first.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub unsafe fn positions(payload: u64) -> (*mut u8, usize, u32) {
    // SAFETY: the payload is a live array; boxing an unboxed one needs no borrow of its elements.
    unsafe { array::positions(payload) }
}

/// The buckets of a hash table and the number of positions in use.
///
/// # Safety
/// The payload is a hash table.
#[inline(always)]
pub unsafe fn buckets(payload: u64) -> (*mut u8, u32) {
    // SAFETY: the payload is a live hash table's address.
    unsafe { array::buckets(payload) }
}

/// Bytes from one bucket of a hash table to the next.
pub const BUCKET: usize = array::BUCKET;

/// The key words of a bucket: the integer key or the hash, and the string or 0.
///
/// # Safety
/// `bucket` is one that [`positions`] gave with a distance of 32.
#[inline(always)]
pub unsafe fn bucket_key(bucket: *const u8) -> (u64, u64) {
    // SAFETY: `bucket` points to a live bucket, whose layout is asserted in `array::raw`.
    unsafe { (bucket.add(16).cast::<u64>().read(), bucket.add(24).cast::<u64>().read()) }
}

static FREES_RUN_CODE: AtomicBool = AtomicBool::new(false);

/// Notes that there are destructors: from now on a release may run PHP code.
pub fn note_destructors() {
    FREES_RUN_CODE.store(true, Ordering::Relaxed);
}

/// Whether a release may run PHP code.
#[inline(always)]
pub fn frees_run_code() -> bool {
    FREES_RUN_CODE.load(Ordering::Relaxed)
}

/// The payload of a new object, with one reference.
///
/// # Safety
/// `class` comes from [`class_of`], is alive, and has no native data; `defaults` are the values of its declared properties.
pub unsafe fn new_object(class: *const ClassHeader, defaults: &[Val]) -> u64 {
    // SAFETY: the class is alive, and its address comes from an `Rc`, as `class_of` gives it.
    let class = unsafe {
        Rc::increment_strong_count(class);
        Rc::from_raw(class)
    };
    std::mem::ManuallyDrop::new(crate::PhpObj::new(class, defaults)).address() as u64
}

/// Allocates a block on the request heap, which memory_limit counts.
pub fn allocate(bytes: usize) -> *mut u8 {
    crate::heap::allocate(bytes)
}

/// Releases a block of [`allocate`].
///
/// # Safety
/// `block` came from [`allocate`] with `bytes` on this thread, and is not used again.
pub unsafe fn free(block: *mut u8, bytes: usize) {
    // SAFETY: the block was allocated with this size on this thread and is not used again.
    unsafe { crate::heap::release(block, bytes) }
}

/// The payload of the literal string of one byte; its tag is [`TI_STR_STATIC`].
#[inline(always)]
pub fn byte_string(byte: u8) -> u64 {
    crate::string::byte_payload(byte)
}
