//! Ordered hash tables with copy-on-write: PHP's arrays.
//!
//! [`PhpArr`] is a counted handle; every method that changes the array takes `&mut self` and separates it first when it is
//! shared, so a borrow from `&self` can never see a change. `layout` defines the memory of an array, `table` finds and stores
//! elements, `unboxed` has lists of numbers without tags, and `iterator` keeps the positions of `foreach` by reference loops
//! while a table moves.

mod iterator;
mod layout;
mod lists;
mod pointer;
pub(crate) mod raw;
mod rebuild;
mod table;
mod unboxed;
mod walk;

pub(crate) use iterator::forget_loops;
pub use iterator::{HashIterator, keep_positions, move_all_positions, move_positions, settle_positions};
use layout::ArrHeader;
pub use pointer::PointerStep;
pub use walk::{ArrayIter, Values};

use crate::gc;
use crate::header::{FLAG_COPY_ALWAYS, FLAG_STATIC, Header};
use crate::reference::PhpRef;
use crate::string::PhpStr;
use crate::val::{Kind, TI_ARR, Val};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

/// A key for looking up. String keys that look like integers must be normalised first, see [`Key::from_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key<'a> {
    Int(i64),
    Str(&'a PhpStr),
}

/// The key of an element that an iteration visits.
pub type KeyRef<'a> = Key<'a>;

/// An owned key.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ArrKey {
    Int(i64),
    Str(PhpStr),
}

/// The error of `$a[] = x` when the next index is beyond the largest integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextIndexError;

/// The integer that a string key stands for, if it is a canonical decimal one.
fn canonical_int(bytes: &[u8]) -> Option<i64> {
    // Most keys are names that end with a letter.
    if !bytes.last()?.is_ascii_digit() {
        return None;
    }
    let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let negative = digits.len() != bytes.len();
    match digits {
        [b'0'] => return (!negative).then_some(0),
        [b'1'..=b'9', ..] if digits.len() <= 19 => {}
        _ => return None,
    }
    let mut value = 0i64;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        let digit = (digit - b'0') as i64;
        value = value.checked_mul(10)?;
        value = if negative { value.checked_sub(digit)? } else { value.checked_add(digit)? };
    }
    Some(value)
}

impl<'a> Key<'a> {
    /// A string as a key: `"12"` becomes the integer 12.
    #[inline]
    pub fn from_str(string: &'a PhpStr) -> Key<'a> {
        canonical_int(string).map_or(Key::Str(string), Key::Int)
    }

    /// The key as an owned key.
    #[inline]
    pub fn to_owned(self) -> ArrKey {
        match self {
            Key::Int(i) => ArrKey::Int(i),
            Key::Str(s) => ArrKey::Str(s.clone()),
        }
    }

    /// The key as a PHP value.
    #[inline]
    pub fn to_val(self) -> Val {
        match self {
            Key::Int(i) => Val::int(i),
            Key::Str(s) => s.into(),
        }
    }
}

impl ArrKey {
    /// An owned string as a key: `"12"` becomes the integer 12.
    #[inline]
    pub fn from_str(string: PhpStr) -> ArrKey {
        match canonical_int(&string) {
            Some(i) => ArrKey::Int(i),
            None => ArrKey::Str(string),
        }
    }

    /// A byte string as a key: `"12"` becomes the integer 12.
    #[inline]
    pub fn from_bytes(bytes: &[u8]) -> ArrKey {
        match canonical_int(bytes) {
            Some(i) => ArrKey::Int(i),
            None => ArrKey::Str(PhpStr::new(bytes)),
        }
    }

    /// A borrow of the key.
    #[inline]
    pub fn as_key(&self) -> Key<'_> {
        match self {
            ArrKey::Int(i) => Key::Int(*i),
            ArrKey::Str(s) => Key::Str(s),
        }
    }

    /// The key as a PHP value.
    #[inline]
    pub fn to_val(&self) -> Val {
        self.as_key().to_val()
    }
}

/// A counted handle of an array.
#[repr(transparent)]
pub struct PhpArr(NonNull<ArrHeader>);

impl PhpArr {
    /// The empty array; costs no allocation.
    #[inline]
    pub fn new() -> PhpArr {
        PhpArr(layout::empty())
    }

    /// An empty array with room for `capacity` elements with the keys 0, 1, ...
    #[inline]
    pub fn with_capacity(capacity: usize) -> PhpArr {
        let mut array = PhpArr(layout::allocate_header());
        if capacity > 0 {
            array.table_mut().reserve_packed(capacity);
        }
        array
    }

    /// An empty array with room for `capacity` elements with any keys.
    #[inline]
    pub fn with_hash_capacity(capacity: usize) -> PhpArr {
        let mut array = PhpArr(layout::allocate_header());
        array.table_mut().allocate(layout::ArrKind::Hash, table::capacity_for(capacity));
        array
    }

    /// An empty array of the other array's layout, with room for all its elements.
    #[inline]
    pub fn with_room_for(other: &PhpArr) -> PhpArr {
        match other.head().kind {
            layout::ArrKind::Hash => PhpArr::with_hash_capacity(other.len()),
            _ => PhpArr::with_capacity(other.head().used as usize),
        }
    }

    /// A list made of values in memory, which are moved.
    ///
    /// # Safety
    /// `count` values from `first` on are live and are not used again.
    pub(crate) unsafe fn of_cells(first: *const Val, count: usize) -> PhpArr {
        if count == 0 {
            return PhpArr::new();
        }
        let mut array = PhpArr(layout::allocate_header());
        let capacity = table::list_capacity(count);
        // SAFETY: `count` values from `first` on are live and not used again.
        unsafe { array.table_mut().fill_packed(first, count as u32, capacity) };
        array
    }

    /// The elements, if the array is a packed array without holes.
    #[inline]
    pub fn as_list(&self) -> Option<&[Val]> {
        let inner = self.inner();
        (inner.kind == layout::ArrKind::Packed && inner.count == inner.used).then(|| inner.cells())
    }

    /// A list of values; `len` is how many there are, for which room is reserved.
    #[inline]
    pub fn list(len: usize, values: impl Iterator<Item = Val>) -> PhpArr {
        if len == 0 {
            return values.collect();
        }
        let mut array = PhpArr::with_capacity(len);
        for value in values {
            array.table_mut().push_growing(value);
        }
        array
    }

    /// Takes the last element out, as `array_pop` does: its key becomes the next index again, and the internal pointer goes back
    /// to the start.
    pub fn take_last(&mut self) -> Option<Val> {
        self.separate();
        if let Some(value) = self.table_mut().pop_packed() {
            return Some(value);
        }
        let at = self.inner().element_back_from(u32::MAX)?;
        let key = match self.inner().key_at(at) {
            Some(Key::Int(key)) => Some(key),
            _ => None,
        };
        let value = self.remove_at(at);
        let next = self.next_index();
        let table = self.table_mut();
        if let (Some(key), Some(next)) = (key, next)
            && key == next - 1
        {
            table.next_free = next - 1;
        }
        self.move_pointer(PointerStep::First);
        Some(value)
    }

    /// Puts the elements into another order, given by their positions; elements that are not named are dropped. With `renumber`
    /// the elements get the keys 0, 1, ...
    pub fn reorder(&mut self, order: &[u32], renumber: bool) {
        self.separate();
        self.table_mut().reorder(order, renumber);
    }

    /// A list of values with the keys 0, 1, ...
    #[inline]
    pub fn from_vec(mut values: Vec<Val>) -> PhpArr {
        // SAFETY: the values are moved; the vector forgets them.
        unsafe {
            let array = PhpArr::of_cells(values.as_ptr(), values.len());
            values.set_len(0);
            array
        }
    }

    /// A list of copies of the values of two slices, one after the other. References are followed, and undefined values become
    /// null.
    pub fn of_places(first: &[Val], more: &[Val]) -> PhpArr {
        let count = first.len() + more.len();
        if count == 0 {
            return PhpArr::new();
        }
        let mut array = PhpArr(layout::allocate_header());
        let table = array.table_mut();
        table.reserve_packed(count);
        table.append_copies(first, |value| value.deref().or_null());
        table.append_copies(more, |value| value.deref().or_null());
        array
    }

    /// The elements of a list without holes, unshared, for changing. None of them may become undefined.
    #[inline]
    pub fn as_list_mut(&mut self) -> Option<&mut [Val]> {
        self.as_list()?;
        self.separate();
        Some(self.table_mut().cells_mut())
    }

    /// The table, whose elements are boxed first if they are stored without tags.
    #[inline(always)]
    fn inner(&self) -> &ArrHeader {
        if self.head().kind.is_unboxed() {
            self.box_elements();
        }
        self.head()
    }

    /// The table for callers that handle unboxed lists as well.
    #[inline(always)]
    fn head(&self) -> &ArrHeader {
        // SAFETY: the handle owns a count (or the array is static), so the header is live.
        unsafe { self.0.as_ref() }
    }

    /// The table for changing, boxed; the caller has separated it.
    #[inline]
    fn table_mut(&mut self) -> &mut ArrHeader {
        debug_assert!(!self.header().has(FLAG_STATIC) && self.refcount() == 1);
        if self.head().kind.is_unboxed() {
            self.box_elements();
        }
        // SAFETY: this is the only handle, and it is borrowed mutably.
        unsafe { self.0.as_mut() }
    }

    #[inline]
    pub(crate) fn header(&self) -> &Header {
        &self.head().header
    }

    /// Whether the array is a literal, which is never counted or freed.
    #[inline]
    pub fn is_static(&self) -> bool {
        self.header().has(FLAG_STATIC)
    }

    /// Whether the elements are stored without keys, as a list's are.
    #[inline]
    pub fn is_packed(&self) -> bool {
        self.head().kind != layout::ArrKind::Hash
    }

    /// Whether the array may be changed in place: it is counted, this is its only handle, and no stress mode wants copies.
    #[inline]
    pub(crate) fn is_unique(&self) -> bool {
        !self.header().has(FLAG_STATIC | FLAG_COPY_ALWAYS) && self.header().rc.get() == 1
    }

    /// The number of references to the table.
    #[inline]
    pub fn refcount(&self) -> u32 {
        self.header().rc.get()
    }

    /// Makes this handle the only one of its table, copying it when it is shared.
    #[inline(always)]
    pub fn separate(&mut self) {
        if !self.is_unique() {
            self.separate_shared();
        }
    }

    #[cold]
    #[inline(never)]
    fn separate_shared(&mut self) {
        // An unshared table is copied for a stress mode only; if a `foreach` by reference loop is registered, it must stay in
        // place.
        if self.head().iterators.get() > 0 && !self.header().has(FLAG_STATIC) && self.refcount() == 1 {
            return;
        }
        let is_shared = self.header().has(FLAG_STATIC) || self.refcount() > 1;
        let copy = self.duplicate(0, is_shared);
        std::mem::replace(self, copy).leave_to_others();
    }

    /// Releases a reference that is not the last one. Zend makes no possible root of an array that was copied to separate it, and
    /// neither does this.
    #[inline]
    fn leave_to_others(self) {
        let header = self.header();
        if !header.has(FLAG_STATIC) && header.rc.get() > 1 {
            header.rc.set(header.rc.get() - 1);
            std::mem::forget(self);
        }
    }

    /// A separate table with equal elements.
    pub fn copied(&self) -> PhpArr {
        self.duplicate(0, true)
    }

    /// A separate table with equal elements, or a handle of this table where a copy would look no different.
    pub fn as_new(&self) -> PhpArr {
        if self.shows_no_copy() { self.clone() } else { self.copied() }
    }

    /// Whether a new table with equal elements would look no different to a program.
    pub fn shows_no_copy(&self) -> bool {
        self.pointer() == 0 && (self.is_unboxed() || !self.values().any(Val::is_ref))
    }

    /// Converts a list to a hash table.
    pub fn give_keys(&mut self) {
        self.separate();
        if self.is_packed() && !self.is_empty() {
            self.table_mut().convert_to_hash();
        }
    }

    /// A separate table with equal elements, without the first `skipped` cells of a list. A reference that only this array holds
    /// becomes a value, unless it leads back to the array (Zend's rule) or the array is not shared: an unshared array is copied
    /// for a stress mode only, and programs must not notice.
    #[inline]
    fn duplicate(&self, skipped: u32, is_shared: bool) -> PhpArr {
        let mut copy = PhpArr(layout::allocate_header());
        let me = self.0.as_ptr() as usize;
        copy.table_mut().copy_from(self.head(), skipped, is_shared, |value| match value.as_ref() {
            Some(reference) if is_shared && reference.refcount() == 1 => {
                let inner = reference.get();
                if inner.as_arr().is_some_and(|a| a.0.as_ptr() as usize == me) { value.clone() } else { inner }
            }
            _ => value.clone(),
        });
        copy
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.head().count as usize
    }

    /// Whether there are no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.head().count == 0
    }

    /// Whether the keys are exactly 0, 1, .. len-1 in order (`array_is_list`).
    #[inline]
    pub fn is_list(&self) -> bool {
        self.is_unboxed()
            || self.as_list().is_some()
            || self.iter().enumerate().all(|(index, (key, _))| key == Key::Int(index as i64))
    }

    /// Whether the array is a list whose next index is its length, so that its values alone describe it.
    #[inline]
    pub fn is_numbered(&self) -> bool {
        self.next_index() == Some(self.len() as i64) && self.is_list()
    }

    /// Whether both handles are of one table.
    #[inline]
    pub fn ptr_eq(&self, other: &PhpArr) -> bool {
        self.0 == other.0
    }

    /// The address of the table: its identity in recursion checks.
    #[inline]
    pub fn address(&self) -> usize {
        self.0.as_ptr() as usize
    }

    /// The element as stored (it may be a reference).
    #[inline]
    pub fn get(&self, key: Key<'_>) -> Option<&Val> {
        let table = self.inner();
        table.value_at(table.find(key)?)
    }

    /// The element under an integer key, as stored (it may be a reference).
    #[inline]
    pub fn get_int(&self, key: i64) -> Option<&Val> {
        self.get(Key::Int(key))
    }

    /// The element whose key is this byte string (not normalised).
    #[inline]
    pub fn get_bytes(&self, key: &[u8]) -> Option<&Val> {
        let table = self.inner();
        table.value_at(table.find_bytes(key, crate::string::hash_bytes(key))?)
    }

    /// Whether there is an element under the key.
    #[inline]
    pub fn contains(&self, key: Key<'_>) -> bool {
        self.inner().find(key).is_some()
    }

    /// The element's place, if there is one.
    #[inline]
    pub fn get_mut(&mut self, key: Key<'_>) -> Option<&mut Val> {
        let at = self.inner().find(key)?;
        self.separate();
        // Separation may have closed holes of the table.
        let at = if self.inner().key_is(at, key) { at } else { self.inner().find(key)? };
        self.table_mut().place_at(at)
    }

    /// The element's place, created as null when absent; tells whether it was there.
    #[inline]
    pub fn entry(&mut self, key: Key<'_>) -> (&mut Val, bool) {
        self.separate();
        self.table_mut().entry(key)
    }

    /// An array with the keys of this one, which is a hash table without holes, and one value for each key.
    pub fn with_values<const N: usize>(&self, values: [Val; N]) -> PhpArr {
        let keys = self.inner();
        assert!(keys.kind == layout::ArrKind::Hash && keys.used == keys.count && keys.used as usize == N);
        let mut array = PhpArr(layout::allocate_header());
        array.table_mut().fill_like(keys, values);
        array
    }

    /// Stores an element and returns the old one, which the caller drops when it is safe. Does not look through a reference.
    #[inline]
    pub fn insert(&mut self, key: Key<'_>, value: Val) -> Option<Val> {
        self.separate();
        self.table_mut().put(key, value)
    }

    /// Stores an element and returns the old value, which the caller drops when it is safe. If there is a reference under the
    /// key, nothing happens and `value` comes back as the error.
    #[inline]
    pub fn insert_plain(&mut self, key: Key<'_>, value: Val) -> Result<Option<Val>, Val> {
        let table = self.inner();
        let Some(at) = table.find(key) else {
            self.separate();
            self.table_mut().add(key, value);
            return Ok(None);
        };
        if table.value_at(at).is_some_and(Val::is_ref) {
            return Err(value);
        }
        // A copy without holes has other positions.
        let stays = table.count == table.used;
        self.separate();
        match self.table_mut().place_at(at).filter(|_| stays) {
            Some(place) => Ok(Some(place.replace(value))),
            None => Ok(self.table_mut().put(key, value)),
        }
    }

    /// Adds an element under a key that the array does not have.
    #[inline]
    pub fn add_new(&mut self, key: Key<'_>, value: Val) {
        debug_assert!(!self.contains(key));
        self.separate();
        self.table_mut().add(key, value);
    }

    /// Stores an element under a byte-string key (`"12"` becomes the integer 12); drops the old value.
    #[inline]
    pub fn set_bytes(&mut self, key: &[u8], value: Val) {
        drop(self.insert(ArrKey::from_bytes(key).as_key(), value));
    }

    /// Assigns to an element: writes through a reference. Returns the old value, which the caller drops when it is safe.
    #[inline]
    pub fn assign(&mut self, key: Key<'_>, value: Val) -> Option<Val> {
        let (place, existed) = self.entry(key);
        if let Some(reference) = place.as_ref() {
            return Some(reference.slot().replace(value));
        }
        let old = place.replace(value);
        existed.then_some(old)
    }

    /// Appends under the next index.
    #[inline(always)]
    pub fn push(&mut self, value: Val) -> Result<(), NextIndexError> {
        let inner = self.head();
        let used = inner.used;
        let plain = inner.kind == layout::ArrKind::Packed
            && used < inner.capacity
            && (inner.next_free == used.into() || used == 0 && inner.next_free == i64::MIN);
        if plain && self.is_unique() {
            self.table_mut().push_last(value);
            return Ok(());
        }
        self.push_slowly(value)
    }

    #[inline(never)]
    fn push_slowly(&mut self, value: Val) -> Result<(), NextIndexError> {
        self.push_place().map(|place| place.set(value))
    }

    /// Appends null and returns its place.
    #[inline]
    pub fn push_place(&mut self) -> Result<&mut Val, NextIndexError> {
        let next = self.inner().next_index().ok_or(NextIndexError)?;
        self.separate();
        Ok(self.table_mut().append(next))
    }

    /// The key that the next `push` uses; `None` if the largest integer is taken.
    #[inline]
    pub fn next_index(&self) -> Option<i64> {
        self.head().next_index()
    }

    /// Sets the key that the next `push` uses.
    #[inline]
    pub fn set_next_index(&mut self, next: i64) {
        self.separate();
        self.table_mut().next_free = next;
    }

    /// Takes over the next index of another array.
    pub fn number_on_from(&mut self, other: &PhpArr) {
        self.separate();
        let (next, exhausted) = (other.head().next_free, other.head().exhausted);
        let table = self.table_mut();
        (table.next_free, table.exhausted) = (next, exhausted);
    }

    /// Removes an element and returns it.
    #[inline]
    pub fn remove(&mut self, key: Key<'_>) -> Option<Val> {
        self.inner().find(key)?;
        self.separate();
        let at = self.inner().find(key)?;
        Some(self.remove_at(at))
    }

    /// Removes the element at a position; the table is not shared.
    fn remove_at(&mut self, at: u32) -> Val {
        let removed = self.table_mut().remove_at(at);
        if self.inner().iterators.get() > 0 {
            iterator::clamp_positions(self.address(), self.inner().used);
        }
        removed
    }

    /// The elements in order.
    #[inline]
    pub fn iter(&self) -> ArrayIter<'_> {
        ArrayIter::new(self.inner())
    }

    /// The keys in order.
    #[inline]
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = Key<'_>> {
        self.iter().map(|(key, _)| key)
    }

    /// The address of the first element, which is stable while the table has room.
    #[inline]
    pub fn contents_address(&self) -> usize {
        let inner = self.head();
        if inner.kind == layout::ArrKind::Hash { inner.buckets().as_ptr() as usize } else { inner.data as usize }
    }

    /// The elements, for the collector; none for unboxed lists, whose elements lead nowhere.
    #[inline]
    pub(crate) fn edges(&self) -> impl Iterator<Item = &Val> {
        Some(self).filter(|array| !array.is_unboxed()).into_iter().flat_map(PhpArr::values)
    }

    /// The values in order.
    #[inline]
    pub fn values(&self) -> Values<'_> {
        Values::new(self.inner())
    }

    /// Calls `f` with each element's place.
    #[inline]
    pub fn for_each_mut(&mut self, mut f: impl FnMut(Key<'_>, &mut Val)) {
        self.separate();
        for at in 0..self.inner().used {
            let key = match self.inner().key_at(at) {
                Some(key) => key.to_owned(),
                None => continue,
            };
            if let Some(place) = self.table_mut().place_at(at) {
                f(key.as_key(), place);
            }
        }
    }

    /// The first position at or after `from` that has an element.
    #[inline]
    pub fn position_from(&self, from: u32) -> Option<u32> {
        self.inner().element_from(from)
    }

    /// The number of positions, which is one past the last.
    #[inline]
    pub fn positions(&self) -> u32 {
        self.head().used
    }

    /// Number of elements at positions before this one.
    pub fn elements_before(&self, position: u32) -> u32 {
        let table = self.inner();
        (0..position.min(table.used)).filter(|&at| table.value_at(at).is_some()).count() as u32
    }

    /// The element at a position.
    #[inline]
    pub fn at(&self, position: u32) -> Option<(Key<'_>, &Val)> {
        let table = self.inner();
        Some((table.key_at(position)?, table.value_at(position)?))
    }

    /// The place of the element at a position.
    #[inline]
    pub fn place_at(&mut self, position: u32) -> Option<&mut Val> {
        self.inner().value_at(position)?;
        self.separate();
        self.table_mut().place_at(position)
    }

    /// Makes the element at a position a reference in place, without a separation: all sharers of the array get the reference,
    /// too. Used by a loop by reference that is in this table already (Zend's `zend_hash_iterator_pos_ex`). `None` also for
    /// literals and for unboxed lists.
    pub fn ref_in_place(&self, position: u32) -> Option<PhpRef> {
        if self.head().kind.is_unboxed() || self.is_static() {
            return None;
        }
        // SAFETY: the table is counted, thus of this thread and not in read-only memory; nobody holds a borrow of its elements
        // across the start of a loop's iteration; the element stays in place, and making the reference runs no other code.
        let table = unsafe { &mut *self.0.as_ptr() };
        table.place_at(position).map(Val::make_ref)
    }

    /// The position of a key.
    #[inline]
    pub fn position_of(&self, key: Key<'_>) -> Option<u32> {
        self.inner().find(key)
    }

    /// Enters a traversal (dump, comparison) of this table. False if one is inside it already.
    #[inline]
    pub fn protect(&self) -> bool {
        if self.header().has(crate::header::FLAG_PROTECTED) {
            return false;
        }
        if !self.header().has(FLAG_STATIC) {
            self.header().set(crate::header::FLAG_PROTECTED);
        }
        true
    }

    /// Leaves the traversal that [`PhpArr::protect`] entered.
    #[inline]
    pub fn unprotect(&self) {
        self.header().clear(crate::header::FLAG_PROTECTED);
    }

    /// Whether a traversal is inside this table.
    #[inline]
    pub fn is_protected(&self) -> bool {
        self.header().has(crate::header::FLAG_PROTECTED)
    }

    /// Marks the array as a literal: it is never counted or freed from now on.
    #[inline]
    pub fn into_static(self) -> PhpArr {
        if self.refcount() == 1 {
            // Threads share literals and must not box their elements, so the elements are boxed now.
            let _ = self.inner();
            self.header().set(FLAG_STATIC);
        }
        self
    }

    /// For the collector: the handle as a value that owns no count.
    #[inline]
    pub(crate) fn borrowed_val(&self) -> ManuallyDrop<Val> {
        ManuallyDrop::new(Val::from_raw(self.0.as_ptr().cast(), self.tag()))
    }

    #[inline]
    fn tag(&self) -> u32 {
        if self.header().has(FLAG_STATIC) { Kind::Arr as u32 } else { TI_ARR }
    }

    /// Drops all elements in place, whoever shares the table; for the collector.
    #[inline]
    pub(crate) fn clear_contents(&self) {
        // SAFETY: the collector owns every reference to the table at this point, so no borrow is live.
        let storage = unsafe { (*self.0.as_ptr()).take_storage() };
        drop(storage);
    }
}

impl Default for PhpArr {
    #[inline]
    fn default() -> PhpArr {
        PhpArr::new()
    }
}

impl Clone for PhpArr {
    #[inline]
    fn clone(&self) -> PhpArr {
        if !self.header().has(FLAG_STATIC) {
            self.header().incref();
        }
        PhpArr(self.0)
    }
}

impl Drop for PhpArr {
    fn drop(&mut self) {
        let header = self.header();
        if header.has(FLAG_STATIC) {
            return;
        }
        let rc = header.rc.get() - 1;
        header.rc.set(rc);
        if rc > 0 {
            gc::possible_root(header);
            return;
        }
        gc::forget_root(header);
        if self.head().iterators.get() > 0 {
            iterator::forget_table(self.address());
        }
        // SAFETY: the last reference is released, and nobody finds the table any more; elements drop in order, then the header's
        // block is returned.
        unsafe {
            drop(self.head().storage());
            layout::release_header(self.0);
        }
    }
}

impl From<PhpArr> for Val {
    #[inline]
    fn from(array: PhpArr) -> Val {
        let tag = array.tag();
        Val::from_raw(ManuallyDrop::new(array).0.as_ptr().cast(), tag)
    }
}

impl From<&PhpArr> for Val {
    #[inline]
    fn from(array: &PhpArr) -> Val {
        array.clone().into()
    }
}

impl FromIterator<Val> for PhpArr {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Val>>(values: I) -> PhpArr {
        let mut values = values.into_iter();
        let Some(first) = values.next() else { return PhpArr::new() };
        let mut array = PhpArr::with_capacity(values.size_hint().0.saturating_add(1).min(1 << 20));
        array.table_mut().push_last(first);
        for value in values {
            array.table_mut().push_growing(value);
        }
        array
    }
}

impl<'a> IntoIterator for &'a PhpArr {
    type Item = (Key<'a>, &'a Val);
    type IntoIter = ArrayIter<'a>;

    #[inline]
    fn into_iter(self) -> ArrayIter<'a> {
        self.iter()
    }
}
