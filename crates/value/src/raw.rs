//! Values as machine words, for the interpreter and the compiler of machine code.
//!
//! Everything here is about the layout that [`Val`], arrays, objects and references have in memory. Whoever
//! uses it keeps the counts right by hand. A value is read and written as a payload word and a tag word,
//! never as 16 bytes at once: reading what was just written in two halves stalls the processor.

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

/// The tag word.
///
/// # Safety
/// `cell` points to a cell.
#[inline(always)]
pub unsafe fn tag(cell: *const Val) -> u32 {
    // SAFETY: by the caller.
    unsafe { (*cell).ti }
}

/// The payload word.
///
/// # Safety
/// `cell` points to a cell.
#[inline(always)]
pub unsafe fn payload(cell: *const Val) -> u64 {
    // SAFETY: by the caller.
    unsafe { (*cell).val.exposed() }
}

/// Overwrites a cell without releasing what it held.
///
/// # Safety
/// `cell` points to a cell; payload and tag belong together.
#[inline(always)]
pub unsafe fn write(cell: *mut Val, payload: u64, tag: u32) {
    // SAFETY: by the caller.
    unsafe {
        (*cell).val = Word::of_exposed(payload);
        (*cell).ti = tag;
    }
}

/// Overwrites the payload only: for a cell whose tag goes with the new one, too.
///
/// # Safety
/// `cell` points to a cell; payload and tag belong together.
#[inline(always)]
pub unsafe fn write_payload(cell: *mut Val, payload: u64) {
    // SAFETY: by the caller.
    unsafe { (*cell).val = Word::of_exposed(payload) }
}

/// Overwrites the tag only: for tags that have no payload.
///
/// # Safety
/// `cell` points to a cell.
#[inline(always)]
pub unsafe fn write_tag(cell: *mut Val, tag: u32) {
    // SAFETY: by the caller.
    unsafe { (*cell).ti = tag }
}

/// The container's own word.
///
/// # Safety
/// `cell` points to a cell.
#[inline(always)]
pub unsafe fn aux(cell: *const Val) -> u32 {
    // SAFETY: by the caller.
    unsafe { (*cell).aux }
}

/// Sets the container's own word.
///
/// # Safety
/// `cell` points to a cell.
#[inline(always)]
pub unsafe fn set_aux(cell: *mut Val, aux: u32) {
    // SAFETY: by the caller.
    unsafe { (*cell).aux = aux }
}

/// Moves a value into a cell without releasing what it held.
///
/// # Safety
/// `cell` points to a cell.
#[inline(always)]
pub unsafe fn put(cell: *mut Val, value: Val) {
    let value = std::mem::ManuallyDrop::new(value);
    // SAFETY: by the caller.
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
    // SAFETY: by the caller.
    unsafe { Val::of_word((*cell).val, tag(cell)) }
}

/// A value of its words.
///
/// # Safety
/// They belong together, and own a count if the tag says so.
#[inline(always)]
pub unsafe fn value(payload: u64, tag: u32) -> Val {
    Val::from_words(payload, tag)
}

/// A value as it is returned in two registers: one that is returned through memory is slow to read there, for it was written
/// in other pieces.
#[must_use]
pub struct Words {
    payload: u64,
    tag: u32,
}

impl Words {
    /// The words of no value.
    pub const UNDEF: Words = Words { payload: 0, tag: TI_UNDEF };
    /// Others, which say that nothing has been done to get a value.
    pub const NOT_TRIED: Words = Words { payload: 1, tag: TI_UNDEF };

    #[inline(always)]
    pub fn of(value: Val) -> Words {
        let value = std::mem::ManuallyDrop::new(value);
        Words { payload: value.val.exposed(), tag: value.ti }
    }

    /// # Safety
    /// They belong together, and own a count if the tag says so.
    #[inline(always)]
    pub unsafe fn new(payload: u64, tag: u32) -> Words {
        Words { payload, tag }
    }

    #[inline(always)]
    pub fn is_undef(&self) -> bool {
        self.tag == TI_UNDEF
    }

    /// Whether they are [`Words::NOT_TRIED`].
    #[inline(always)]
    pub fn is_not_tried(&self) -> bool {
        self.tag == TI_UNDEF && self.payload != 0
    }

    #[inline(always)]
    pub fn into_val(self) -> Val {
        Val::from_words(self.payload, self.tag)
    }

    /// Payload and tag; whoever gets them has the count, too.
    #[inline(always)]
    pub fn into_parts(self) -> (u64, u32) {
        (self.payload, self.tag)
    }
}

/// What an interpreter has looked up about a function that builtin code calls again and again, as long as it is borrowed.
#[derive(Clone, Copy)]
pub struct Prepared<'a> {
    words: [usize; Prepared::WORDS],
    callee: std::marker::PhantomData<&'a ()>,
}

impl Prepared<'_> {
    pub const WORDS: usize = 8;

    /// # Safety
    /// The words are what the interpreter that is asked to make the call takes them for, as long as the callee is borrowed.
    #[inline(always)]
    pub unsafe fn new<'a>(words: [usize; Prepared::WORDS]) -> Prepared<'a> {
        Prepared { words, callee: std::marker::PhantomData }
    }

    #[inline(always)]
    pub fn words(&self) -> &[usize; Prepared::WORDS] {
        &self.words
    }
}

/// Counts another holder.
///
/// # Safety
/// The words are those of a live value other than a class reference.
#[inline(always)]
pub unsafe fn retain(payload: u64, tag: u32) {
    if tag & COUNTED != 0 {
        // SAFETY: counted payloads start with a header.
        unsafe { (*(payload as *const Header)).incref() }
    }
}

/// Gives up a count.
///
/// # Safety
/// The words are those of a live value whose count is given up.
#[inline(always)]
pub unsafe fn release(payload: u64, tag: u32) {
    if tag & COUNTED != 0 {
        // SAFETY: by the caller.
        unsafe { release_counted(payload, tag) }
    }
}

/// As [`release`], for a tag that is known to be counted.
///
/// # Safety
/// As [`release`].
#[inline(never)]
pub unsafe fn release_counted(payload: u64, tag: u32) {
    // SAFETY: by the caller; counted payloads start with a header, but for classes.
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

/// Gives up a count if that is all there is to it: others hold the value, and the collector has heard of it or need not.
/// False: nothing happened, [`release`] it.
///
/// # Safety
/// As [`release`].
#[inline(always)]
pub unsafe fn release_shared(payload: u64, tag: u32) -> bool {
    // SAFETY: by the caller; counted payloads start with a header, but for classes.
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

/// As [`release_shared`], without telling the collector, as Zend does for the arguments of builtin functions: whoever
/// passed the value holds it still, and tells.
///
/// # Safety
/// As [`release`].
#[inline(always)]
pub unsafe fn release_passed(payload: u64, tag: u32) -> bool {
    // SAFETY: by the caller; counted payloads start with a header, but for classes.
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

/// How many hold a counted payload.
///
/// # Safety
/// The payload is a counted one, of no class.
#[inline(always)]
pub unsafe fn count(payload: u64) -> u32 {
    // SAFETY: counted payloads start with a header.
    unsafe { (*(payload as *const Header)).rc.get() }
}

/// The place in a reference box.
///
/// # Safety
/// The payload is a reference.
#[inline(always)]
pub unsafe fn ref_place(payload: u64) -> *mut Val {
    // SAFETY: by the caller.
    unsafe { reference::place_of(payload) }
}

/// The value in a reference, which is given up. It moves if nobody else has the reference.
///
/// # Safety
/// The payload is a reference.
#[inline(always)]
pub unsafe fn open_reference(payload: u64) -> Val {
    // SAFETY: by the caller; a handle is its payload.
    unsafe { std::mem::transmute::<*mut u8, crate::PhpRef>(payload as *mut u8) }.into_value()
}

/// Does a reference obey the types of properties that are bound to it?
///
/// # Safety
/// The payload is a reference.
#[inline(always)]
pub unsafe fn is_typed_ref(payload: u64) -> bool {
    // SAFETY: by the caller.
    unsafe { reference::is_typed(payload) }
}

/// The cell itself, or the place in the reference that it holds.
///
/// # Safety
/// `cell` points to a cell.
#[inline(always)]
pub unsafe fn look_through(cell: *mut Val) -> *mut Val {
    // SAFETY: by the caller and the tag.
    unsafe { if tag(cell) == TI_REF { ref_place(payload(cell)) } else { cell } }
}

/// The place of a dynamic property whose name stands for no integer; null if there is none.
///
/// # Safety
/// The payload is an object.
#[inline]
pub unsafe fn dynamic_property(payload: u64, name: &PhpStr) -> *mut Val {
    // SAFETY: by the caller; a table's address is its payload.
    unsafe {
        object::dynamic_of(payload)
            .map_or(std::ptr::null_mut(), |table| array::find_string(table.address() as u64, name))
    }
}

/// As [`dynamic_property`], for assigning to it. `None`: the table is shared.
///
/// # Safety
/// As [`dynamic_property`].
#[inline]
pub unsafe fn own_dynamic_property(payload: u64, name: &PhpStr) -> Option<*mut Val> {
    // SAFETY: by the caller.
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
    // SAFETY: by the caller.
    unsafe { object::class_of(payload) }
}

/// What is to be added to the word at [`offsets::OBJECT_CLASS`] to get [`class_of`].
pub fn class_delta() -> usize {
    object::class_delta()
}

/// The declared property slot of an object.
///
/// # Safety
/// The payload is an object with more than `slot` slots.
#[inline(always)]
pub unsafe fn property(payload: u64, slot: usize) -> *mut Val {
    // SAFETY: by the caller.
    unsafe { object::slot_of(payload, slot) }
}

/// Is it a list of cells?
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub unsafe fn is_packed(payload: u64) -> bool {
    // SAFETY: by the caller.
    unsafe { array::is_packed(payload) }
}

/// Is it a hash table?
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub unsafe fn is_table(payload: u64) -> bool {
    // SAFETY: by the caller.
    unsafe { array::is_table(payload) }
}

/// How a list that is stored without tags is stored: one of the `offsets::ARRAY_PACKED_*`. `None` for other arrays.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub unsafe fn unboxed(payload: u64) -> Option<u8> {
    // SAFETY: by the caller.
    unsafe { array::unboxed(payload) }
}

/// Payload and tag of the element at a position of a list that is stored without tags. `None`: it is stored otherwise, or shorter.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub unsafe fn unboxed_at(payload: u64, index: u64) -> Option<(u64, u32)> {
    // SAFETY: by the caller.
    unsafe { array::unboxed_at(payload, index) }
}

/// Stores an element at a position that a list stored without tags has. False: it is stored otherwise, is shorter, or takes no such
/// value; nothing happened.
///
/// # Safety
/// The payload is an array that is [unshared](is_unshared).
#[inline(always)]
pub unsafe fn set_unboxed(payload: u64, index: u64, value: u64, tag: u32) -> bool {
    // SAFETY: by the caller.
    unsafe { array::set_unboxed(payload, index, value, tag) }
}

/// The elements of a packed array and how many positions are used; null for other arrays.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub unsafe fn packed(payload: u64) -> (*mut Val, u32) {
    // SAFETY: by the caller.
    unsafe { array::packed(payload) }
}

/// The cell at a position of a packed array, which may be undefined. `None`: the array is laid out otherwise, or shorter.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub unsafe fn packed_at(payload: u64, index: u64) -> Option<NonNull<Val>> {
    // SAFETY: by the caller.
    unsafe { array::packed_at(payload, index) }
}

/// May the array be changed in place: neither shared nor a literal?
///
/// # Safety
/// The payload is an array with tag `tag`.
#[inline(always)]
pub unsafe fn is_unshared(payload: u64, tag: u32) -> bool {
    // SAFETY: by the caller.
    unsafe { tag == TI_ARR && count(payload) == 1 }
}

/// Is it an array that a change leaves where it is? One that is [unshared](is_unshared), unless a stress mode wants copies.
///
/// # Safety
/// As [`is_unshared`].
#[inline]
pub unsafe fn changes_in_place(payload: u64, tag: u32) -> bool {
    // SAFETY: by the caller; what is unshared is an array.
    unsafe { is_unshared(payload, tag) && !(*(payload as *const Header)).has(FLAG_COPY_ALWAYS) }
}

/// The array as a handle that is not counted.
///
/// # Safety
/// `cell` holds an array and is not changed while the handle is used.
#[inline(always)]
pub unsafe fn array_at<'a>(cell: *const Val) -> &'a PhpArr {
    // SAFETY: the payload is the handle.
    unsafe { &*(&raw const (*cell).val).cast() }
}

/// As [`array_at`] for changing: the array is made unshared first, and the cell's tag counted.
///
/// # Safety
/// As [`array_at`]; nothing else uses the cell meanwhile.
#[inline(always)]
pub unsafe fn array_at_mut<'a>(cell: *mut Val) -> &'a mut PhpArr {
    // SAFETY: by the caller.
    unsafe {
        let array: &mut PhpArr = &mut *(&raw mut (*cell).val).cast();
        if !is_unshared(payload(cell), (*cell).ti) {
            array.separate();
            (*cell).ti = TI_ARR;
        }
        array
    }
}

/// A list of `count` values in a row, which are moved.
///
/// # Safety
/// They are live, and not used again.
pub unsafe fn list_of(first: *const Val, count: usize) -> PhpArr {
    // SAFETY: by the caller.
    unsafe { PhpArr::of_cells(first, count) }
}

/// The string as a handle that is not counted.
///
/// # Safety
/// `cell` holds a string and is not changed while the handle is used.
#[inline(always)]
pub unsafe fn string_at<'a>(cell: *const Val) -> &'a PhpStr {
    // SAFETY: the payload is the handle.
    unsafe { &*(&raw const (*cell).val).cast() }
}

/// The element of an array, null if there is none.
///
/// # Safety
/// The payload is an array; the place is used before the array changes.
#[inline(always)]
pub unsafe fn element(cell: *const Val, key: Key<'_>) -> *const Val {
    // SAFETY: by the caller.
    unsafe { array_at(cell).get(key).map_or(std::ptr::null(), |value| &raw const *value) }
}

/// Appends to the string in a cell, if it is unshared and has room. False: nothing happened.
///
/// # Safety
/// The cell holds a counted string.
#[inline(always)]
pub unsafe fn append_text(cell: *mut Val, tail: &[u8]) -> bool {
    // SAFETY: by the caller; a handle is its payload.
    unsafe { (*(&raw mut (*cell).val).cast::<PhpStr>()).append_in_place(tail) }
}

/// The payload of a new string of two parts; its tag is [`TI_STR`].
#[inline(never)]
pub fn joined(head: &[u8], tail: &[u8]) -> u64 {
    string_payload(PhpStr::join(head, tail))
}

/// The payload of a string, which is given away.
#[inline(always)]
fn string_payload(string: PhpStr) -> u64 {
    let string = ManuallyDrop::new(string);
    // SAFETY: a handle is its payload.
    unsafe { (&raw const *string).cast::<*mut u8>().read() }.expose_provenance() as u64
}

/// The payload of a string that has a tail, too. The given one is given away.
///
/// # Safety
/// The payload is that of a counted string.
#[inline(never)]
pub unsafe fn extended(payload: u64, tail: &[u8]) -> u64 {
    let mut string = payload as *mut u8;
    // SAFETY: by the caller; a handle is its payload.
    unsafe { (*(&raw mut string).cast::<PhpStr>()).append(tail) };
    string.expose_provenance() as u64
}

/// The payload of a new string of strings in a row; its tag is [`TI_STR`].
///
/// # Safety
/// `count` cells from `first` on hold strings.
#[inline(never)]
pub unsafe fn join_cells(first: *const Val, count: usize) -> u64 {
    // SAFETY: by the caller.
    let text = |index: usize| unsafe { string_at(first.add(index)).as_bytes() };
    let len = (0..count).fold(0usize, |len, index| len.saturating_add(text(index).len()));
    let joined = PhpStr::with_room(len);
    // SAFETY: there is room for all parts and a NUL.
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

/// Adds an element, whose words are given away, under a literal name that stands for no integer to a table that has room, or to
/// the empty array. False: nothing happened.
///
/// # Safety
/// The cell holds an array; payload and tag of the value belong together.
#[inline(never)]
pub unsafe fn add_name(cell: *mut Val, key: &PhpStr, value: u64, tag: u32) -> bool {
    // SAFETY: by the caller; a fresh table is nobody else's.
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

/// As [`add_name`], to an array that nobody shares and that has no such key, which is any string that stands for no integer.
///
/// # Safety
/// As [`add_name`], and as says.
#[inline(always)]
pub unsafe fn push_name(payload: u64, key: &PhpStr, value: u64, tag: u32) -> bool {
    // SAFETY: by the caller.
    unsafe { array::push_name(payload, key, value, tag) }
}

/// Appends a value, whose words are given away, to a list that has room. False: nothing happened.
///
/// # Safety
/// The payload is an array that is [unshared](is_unshared); payload and tag of the value belong together.
#[inline(always)]
pub unsafe fn append(payload: u64, value: u64, tag: u32) -> bool {
    // SAFETY: by the caller.
    unsafe { array::append(payload, value, tag) }
}

/// The element of an array under a string key that stands for no integer; null if there is none.
///
/// # Safety
/// The payload is an array; the place is used before the array changes.
#[inline(always)]
pub unsafe fn find_string(payload: u64, key: &PhpStr) -> *mut Val {
    // SAFETY: by the caller.
    unsafe { array::find_string(payload, key) }
}

/// The position of a string key in a hash table and its value, if the table has this very string.
///
/// # Safety
/// The payload is an array, the key a string.
pub unsafe fn position_of(payload: u64, key: u64) -> Option<(u32, *const Val)> {
    // SAFETY: by the caller.
    unsafe {
        let at = array::position_of(payload, key)?;
        let (cells, step, _) = array::positions(payload);
        Some((at, cells.add(at as usize * step).cast()))
    }
}

/// As [`find_string`], for a literal key, without a call: `None` where the bytes would have to be compared.
///
/// # Safety
/// As [`find_string`].
#[inline(always)]
pub unsafe fn find_literal(payload: u64, key: &PhpStr) -> Option<*mut Val> {
    // SAFETY: by the caller.
    unsafe { array::find_literal(payload, key) }
}

/// Elements and positions of any array, for walking: packed cells have stride 16, buckets 32 with the value first. A list that is
/// stored without tags gets cells.
///
/// # Safety
/// The payload is an array.
#[inline(always)]
pub unsafe fn positions(payload: u64) -> (*mut u8, usize, u32) {
    // SAFETY: by the caller.
    unsafe { array::positions(payload) }
}

/// The buckets of a hash table and how many positions are used.
///
/// # Safety
/// The payload is a hash table.
#[inline(always)]
pub unsafe fn buckets(payload: u64) -> (*mut u8, u32) {
    // SAFETY: by the caller.
    unsafe { array::buckets(payload) }
}

/// Bytes from one position of a hash array to the next.
pub const BUCKET: usize = array::BUCKET;

/// The key words of a hash array's bucket: integer key or hash, and the string or 0.
///
/// # Safety
/// `bucket` is one that [`positions`] gave with stride 32.
#[inline(always)]
pub unsafe fn bucket_key(bucket: *const u8) -> (u64, u64) {
    // SAFETY: by the caller; the layout is asserted in `array::layout`.
    unsafe { (bucket.add(16).cast::<u64>().read(), bucket.add(24).cast::<u64>().read()) }
}

static FREES_RUN_CODE: AtomicBool = AtomicBool::new(false);

/// From now on PHP code may run when something is freed: there are destructors.
pub fn note_destructors() {
    FREES_RUN_CODE.store(true, Ordering::Relaxed);
}

/// May PHP code run when something is freed?
#[inline(always)]
pub fn frees_run_code() -> bool {
    FREES_RUN_CODE.load(Ordering::Relaxed)
}

/// A new object with a count.
///
/// # Safety
/// `class` comes from [`class_of`], is alive, and has no native data; `defaults` are the values of its declared properties.
pub unsafe fn new_object(class: *const ClassHeader, defaults: &[Val]) -> u64 {
    // SAFETY: by the caller.
    let class = unsafe {
        Rc::increment_strong_count(class);
        Rc::from_raw(class)
    };
    std::mem::ManuallyDrop::new(crate::PhpObj::new(class, defaults)).address() as u64
}

/// A block on the request heap, which memory_limit counts.
pub fn allocate(bytes: usize) -> *mut u8 {
    crate::heap::allocate(bytes)
}

/// Gives back a block.
///
/// # Safety
/// It came from [`allocate`] with the same size on this thread, and is not used again.
pub unsafe fn free(block: *mut u8, bytes: usize) {
    // SAFETY: by the caller.
    unsafe { crate::heap::release(block, bytes) }
}

/// The payload of the literal string of one byte; its tag is [`TI_STR_STATIC`].
#[inline(always)]
pub fn byte_string(byte: u8) -> u64 {
    crate::string::byte_payload(byte)
}
