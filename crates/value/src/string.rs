//! Byte strings: counted, hashed once, appended to in place when unshared.

use crate::header::{FLAG_COPY_ALWAYS, FLAG_INTERNED, FLAG_STATIC, Header, KIND_STR};
use crate::heap;
use crate::val::{Kind, TI_STR, Val};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

/// The header of a string. The bytes follow it, then a NUL. A `hash` of 0 is not computed yet.
#[repr(C)]
struct StrHeader {
    header: Header,
    hash: Cell<u64>,
    len: usize,
}

const HEADER_BYTES: usize = size_of::<StrHeader>();
const _: () = assert!(HEADER_BYTES == 24);

/// The part of a new string that [`PhpStr::fill`] has not yet written: `left` bytes from `at` on.
pub struct Filler {
    at: *mut u8,
    left: usize,
}

impl Filler {
    /// Appends as many of the bytes as there is room for.
    #[inline(always)]
    pub fn put(&mut self, bytes: &[u8]) {
        let len = bytes.len().min(self.left);
        // SAFETY: `left` bytes from `at` on belong to the new string; the source cannot overlap a string that only the filler
        // sees.
        unsafe {
            copy_short(bytes.as_ptr(), self.at, len);
            self.at = self.at.add(len);
        }
        self.left -= len;
    }
}

/// Copies bytes; most texts are so short that a call of `memcpy` costs more than the copy.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of `len` bytes, and the two do not overlap.
#[inline(always)]
pub(crate) unsafe fn copy_short(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: both are valid for `len` bytes; two overlapping words cover every length from one word to two.
    unsafe {
        match len {
            0 => {}
            1 => *to = *from,
            2..=3 => copy_ends::<u16>(from, to, len),
            4..=7 => copy_ends::<u32>(from, to, len),
            8..=16 => copy_ends::<u64>(from, to, len),
            _ => std::ptr::copy_nonoverlapping(from, to, len),
        }
    }
}

/// Copies the first and the last bytes that fill a `W`.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of `len` bytes, which are at least a `W`'s.
#[inline(always)]
unsafe fn copy_ends<W>(from: *const u8, to: *mut u8, len: usize) {
    let last = len - size_of::<W>();
    // SAFETY: both words are within `len` bytes.
    unsafe {
        let (head, tail) = (from.cast::<W>().read_unaligned(), from.add(last).cast::<W>().read_unaligned());
        to.cast::<W>().write_unaligned(head);
        to.add(last).cast::<W>().write_unaligned(tail);
    }
}

/// Whether the bytes are equal, without a call for short texts such as keys of arrays.
///
/// # Safety
/// Both are valid for reads of `len` bytes.
#[inline(always)]
unsafe fn equal_short(a: *const u8, b: *const u8, len: usize) -> bool {
    // SAFETY: both are valid for reads of `len` bytes; two overlapping words cover every length from one word to two.
    unsafe {
        match len {
            0..=3 => (0..len).all(|at| *a.add(at) == *b.add(at)),
            4..=7 => equal_ends::<u32>(a, b, len),
            8..=16 => equal_ends::<u64>(a, b, len),
            _ => std::slice::from_raw_parts(a, len) == std::slice::from_raw_parts(b, len),
        }
    }
}

/// Whether the first and the last bytes that fill a `W` are equal.
///
/// # Safety
/// Both are valid for reads of `len` bytes, which are at least a `W`'s.
#[inline(always)]
unsafe fn equal_ends<W: PartialEq>(a: *const u8, b: *const u8, len: usize) -> bool {
    let last = len - size_of::<W>();
    // SAFETY: both words are within `len` bytes of either text.
    unsafe {
        a.cast::<W>().read_unaligned() == b.cast::<W>().read_unaligned()
            && a.add(last).cast::<W>().read_unaligned() == b.add(last).cast::<W>().read_unaligned()
    }
}

/// A counted byte string. Derefs to `[u8]`.
#[repr(transparent)]
pub struct PhpStr(NonNull<StrHeader>);

thread_local! {
    static INTERNED: RefCell<HashMap<&'static [u8], ManuallyDrop<PhpStr>, foldhash::fast::FixedState>> =
        RefCell::new(HashMap::default());
    /// The strings of one byte, and the empty one.
    static SHORT: [ShortString; 257] = const { ShortString::all() };
}

/// A static string of at most one byte. It is part of the thread's memory, not of the heap.
#[repr(C)]
struct ShortString {
    header: StrHeader,
    bytes: [u8; 8],
}

/// The index of the empty string among the short strings.
const EMPTY: usize = 256;
/// Bytes from one short string to the next.
pub(crate) const SHORT_BYTES: usize = size_of::<ShortString>();

impl ShortString {
    const fn of(byte: u8, len: usize) -> ShortString {
        let tail = if len == 0 { 0 } else { (byte as u64) << 16 | (byte as u64) << 8 | byte as u64 };
        let header = StrHeader {
            header: Header::new(KIND_STR | FLAG_STATIC | FLAG_INTERNED),
            hash: Cell::new(end_hash(start_hash(len), tail, 0)),
            len,
        };
        ShortString { header, bytes: [byte, 0, 0, 0, 0, 0, 0, 0] }
    }

    const fn all() -> [ShortString; 257] {
        let mut all = [const { ShortString::of(0, 0) }; 257];
        let mut byte = 0;
        while byte < EMPTY {
            all[byte] = ShortString::of(byte as u8, 1);
            byte += 1;
        }
        all
    }
}

#[inline]
fn block_bytes(len: usize) -> usize {
    HEADER_BYTES + len + 1
}

const K: u64 = 0x9E37_79B9_7F4A_7C15;

/// A random number that this process mixes into hashes, so that nobody outside can tell which strings collide; 0 if not chosen
/// yet. Hashes of strings of at most one byte do not use it, because they are constants.
static KEY: AtomicU64 = AtomicU64::new(0);

#[inline(always)]
fn key() -> u64 {
    match KEY.load(Ordering::Relaxed) {
        0 => choose_key(),
        key => key,
    }
}

#[cold]
fn choose_key() -> u64 {
    let random = RandomState::new().hash_one(0u8) | 1;
    match KEY.compare_exchange(0, random, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => random,
        Err(chosen) => chosen,
    }
}

const fn fold(a: u64, b: u64) -> u64 {
    let wide = (a as u128).wrapping_mul(b as u128);
    (wide as u64) ^ (wide >> 64) as u64
}

const fn start_hash(len: usize) -> u64 {
    K ^ len as u64
}

/// Finishes a hash with the last bytes of the string; the last byte is at bit `last` of `tail`. Its three lowest bits are not
/// mixed with the others: strings that differ in their last digit, as keys often do, then have neighbouring slots in one cache
/// line.
const fn end_hash(hash: u64, tail: u64, last: u32) -> u64 {
    const LOW: u64 = 7;
    let low = tail >> last & LOW;
    (fold(hash ^ tail & !(LOW << last), K ^ 0x5851_F42D_4C95_7F2D) ^ low) | 1 << 63
}

/// The hash that arrays use for a string; never 0.
pub fn hash_bytes(bytes: &[u8]) -> u64 {
    let word = |at: usize| bytes[at..].first_chunk().map_or(0, |chunk| u64::from_le_bytes(*chunk));
    let half = |at: usize| bytes[at..].first_chunk().map_or(0, |chunk| u32::from_le_bytes(*chunk)) as u64;
    let len = bytes.len();
    let mut hash = if len < 2 { start_hash(len) } else { start_hash(len) ^ key() };
    // The last word may overlap the word before it, because the length is part of the hash.
    let (tail, last) = match len {
        0 => (0, 0),
        1..4 => ((bytes[0] as u64) << 16 | (bytes[(len - 1) / 2] as u64) << 8 | bytes[len - 1] as u64, 0),
        4 => (half(0), 24),
        5..8 => (half(0) << 32 | half(len - 4), 24),
        _ => {
            let mut at = 0;
            while at + 8 < len {
                hash = fold(hash ^ word(at), K);
                at += 8;
            }
            (word(len - 8), 56)
        }
    };
    end_hash(hash, tail, last)
}

impl PhpStr {
    /// A copy of the bytes. Strings of at most one byte are shared.
    #[inline]
    pub fn new(bytes: &[u8]) -> PhpStr {
        match bytes {
            [] => PhpStr::shared(EMPTY),
            [byte] => PhpStr::shared(*byte as usize),
            _ => PhpStr::fill(bytes.len(), |out| out.put(bytes)),
        }
    }

    /// A string of `len` bytes, which `write` appends piece by piece; bytes that it does not write are zeros.
    #[inline]
    pub fn fill(len: usize, write: impl FnOnce(&mut Filler)) -> PhpStr {
        let block = PhpStr::block(len);
        // SAFETY: the block has room for the header, `len` bytes and a NUL; the filler writes only within them, and the bytes
        // that it did not write are written here.
        unsafe {
            let at = block.cast::<u8>().add(HEADER_BYTES);
            let mut filler = Filler { at, left: len };
            write(&mut filler);
            std::ptr::write_bytes(filler.at, 0, filler.left + 1);
            PhpStr(NonNull::new_unchecked(block))
        }
    }

    /// A string of `len` bytes, which the caller writes, with a NUL behind them.
    #[inline]
    pub(crate) fn with_room(len: usize) -> PhpStr {
        let block = PhpStr::block(len);
        // SAFETY: `heap::allocate` never returns null.
        PhpStr(unsafe { NonNull::new_unchecked(block) })
    }

    /// The address of the first byte, for writing a string of [`PhpStr::with_room`].
    #[inline(always)]
    pub(crate) fn start(&self) -> *mut u8 {
        // SAFETY: the bytes follow the header.
        unsafe { self.0.as_ptr().cast::<u8>().add(HEADER_BYTES) }
    }

    /// Resizes an unshared string to `len` bytes, of which the first `keep` are written.
    pub(crate) fn resize(&mut self, keep: usize, len: usize) {
        debug_assert!(self.header().rc.get() == 1);
        let (old, new) = (block_bytes(self.len()), block_bytes(len));
        if heap::usable_bytes(old) != heap::usable_bytes(new) {
            // SAFETY: the string is unshared, so no other handle sees the block move; both blocks hold the header and `keep`
            // bytes.
            unsafe {
                self.0 = if new > heap::SMALL_MAX && old > heap::SMALL_MAX {
                    NonNull::new_unchecked(heap::reallocate(self.0.as_ptr().cast(), old, new).cast())
                } else {
                    let moved = heap::allocate(new);
                    std::ptr::copy_nonoverlapping(self.0.as_ptr().cast::<u8>(), moved, HEADER_BYTES + keep);
                    heap::release(self.0.as_ptr().cast(), old);
                    NonNull::new_unchecked(moved.cast())
                };
            }
        }
        // SAFETY: the string is unshared, so nothing else borrows the header.
        unsafe { self.0.as_mut() }.len = len;
    }

    /// The empty string.
    #[inline]
    pub fn empty() -> PhpStr {
        PhpStr::new(b"")
    }

    #[inline]
    fn shared(index: usize) -> PhpStr {
        SHORT.with(|all| PhpStr(NonNull::from(&all[index]).cast()))
    }

    /// The interned string with these bytes, which is static and never freed; for literals and names.
    pub fn intern(bytes: &[u8]) -> PhpStr {
        if bytes.len() <= 1 {
            return PhpStr::new(bytes);
        }
        INTERNED.with(|table| {
            let mut table = table.borrow_mut();
            if let Some(found) = table.get(bytes) {
                return PhpStr(found.0);
            }
            let string = PhpStr::concat(&[bytes]);
            string.header().set(FLAG_STATIC | FLAG_INTERNED);
            string.hash();
            let key: &[u8] = &string;
            // SAFETY: interned strings are static: their bytes are never freed or changed.
            let key: &'static [u8] = unsafe { std::slice::from_raw_parts(key.as_ptr(), key.len()) };
            table.insert(key, ManuallyDrop::new(PhpStr(string.0)));
            string
        })
    }

    /// How many strings are interned in this thread, and how many bytes they take.
    pub fn interned_size() -> (usize, usize) {
        INTERNED.with(|table| {
            let table = table.borrow();
            (table.len(), table.keys().map(|bytes| bytes.len() + 1 + HEADER_BYTES).sum())
        })
    }

    /// A new string that joins all parts.
    #[inline]
    pub fn concat(parts: &[&[u8]]) -> PhpStr {
        let len = parts.iter().map(|part| part.len()).fold(0usize, |a, b| a.saturating_add(b));
        let block = PhpStr::block(len);
        // SAFETY: the block has room for the header, all parts and a NUL.
        unsafe {
            let mut at = block.cast::<u8>().add(HEADER_BYTES);
            for part in parts {
                copy_short(part.as_ptr(), at, part.len());
                at = at.add(part.len());
            }
            at.write(0);
            PhpStr(NonNull::new_unchecked(block))
        }
    }

    /// A new string that joins two parts.
    #[inline(always)]
    pub(crate) fn join(head: &[u8], tail: &[u8]) -> PhpStr {
        let len = head.len().saturating_add(tail.len());
        let block = PhpStr::block(len);
        // SAFETY: the block has room for the header, both parts and a NUL.
        unsafe {
            let at = block.cast::<u8>().add(HEADER_BYTES);
            copy_short(head.as_ptr(), at, head.len());
            copy_short(tail.as_ptr(), at.add(head.len()), tail.len());
            at.add(len).write(0);
            PhpStr(NonNull::new_unchecked(block))
        }
    }

    /// A block with the header of a string of `len` bytes, whose bytes are uninitialised.
    #[inline]
    fn block(len: usize) -> *mut StrHeader {
        let block = heap::allocate(block_bytes(len.min(isize::MAX as usize))).cast::<StrHeader>();
        // SAFETY: the block is fresh and has room for the header.
        unsafe {
            block.write(StrHeader {
                header: Header::new(KIND_STR | crate::stress::header_flags()),
                hash: Cell::new(0),
                len,
            })
        };
        block
    }

    /// A string of `len` bytes (zeros at first), which `fill` writes.
    #[inline]
    pub fn build(len: usize, fill: impl FnOnce(&mut [u8])) -> PhpStr {
        let block = PhpStr::block(len);
        // SAFETY: the block has room for the header, `len` bytes and a NUL.
        unsafe {
            let data = block.cast::<u8>().add(HEADER_BYTES);
            std::ptr::write_bytes(data, 0, len + 1);
            fill(std::slice::from_raw_parts_mut(data, len));
            PhpStr(NonNull::new_unchecked(block))
        }
    }

    #[inline]
    fn inner(&self) -> &StrHeader {
        // SAFETY: the handle owns a count (or the string is static), so the block is live.
        unsafe { self.0.as_ref() }
    }

    #[inline]
    pub(crate) fn header(&self) -> &Header {
        &self.inner().header
    }

    /// The bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        // SAFETY: `len` bytes follow the header.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast::<u8>().add(HEADER_BYTES), self.inner().len) }
    }

    /// The hash of the bytes, which is computed once.
    #[inline]
    pub fn hash(&self) -> u64 {
        let cached = self.inner().hash.get();
        if cached != 0 {
            return cached;
        }
        let hash = hash_bytes(self);
        self.inner().hash.set(hash);
        hash
    }

    /// The hash of an interned string, which is always computed.
    #[inline(always)]
    pub(crate) fn known_hash(&self) -> u64 {
        debug_assert!(self.is_interned());
        self.inner().hash.get()
    }

    /// Whether the string is counted and freed, not static.
    #[inline(always)]
    pub(crate) fn is_counted(&self) -> bool {
        !self.header().has(FLAG_STATIC)
    }

    /// Whether the string is interned.
    #[inline]
    pub fn is_interned(&self) -> bool {
        self.header().has(FLAG_INTERNED)
    }

    /// Whether both handles are of one string in memory.
    #[inline]
    pub fn ptr_eq(&self, other: &PhpStr) -> bool {
        self.0 == other.0
    }

    #[inline]
    fn is_unique(&self) -> bool {
        !self.header().has(FLAG_STATIC | FLAG_COPY_ALWAYS) && self.header().rc.get() == 1
    }

    /// Makes this handle the only one of its bytes, copying them when they are shared.
    #[inline]
    pub(crate) fn separate(&mut self) {
        if !self.is_unique() {
            *self = PhpStr::concat(&[self.as_bytes()]);
        }
    }

    /// Appends if the string is unshared and has room. False if nothing happened.
    #[inline(always)]
    pub(crate) fn append_in_place(&mut self, tail: &[u8]) -> bool {
        let len = self.len();
        let new_len = len + tail.len();
        if !self.is_unique() || block_bytes(new_len) > heap::usable_bytes(block_bytes(len)) {
            return false;
        }
        // SAFETY: the string is unshared, and its block has room for `new_len` bytes and a NUL.
        unsafe {
            let inner = self.0.as_mut();
            inner.len = new_len;
            inner.hash.set(0);
            let end = self.0.as_ptr().cast::<u8>().add(HEADER_BYTES + len);
            // The bytes written are behind the string's own, so a tail that is part of the string does not overlap them.
            copy_short(tail.as_ptr(), end, tail.len());
            end.add(tail.len()).write(0);
        }
        true
    }

    /// Appends, in place when the string is unshared and has room; amortised O(1).
    pub fn append(&mut self, tail: &[u8]) {
        let len = self.len();
        let new_len = len + tail.len();
        let room = heap::usable_bytes(block_bytes(len));
        if !self.is_unique() || block_bytes(new_len) > room {
            self.grow(new_len);
        }
        // SAFETY: the string is unshared, and its block has room for `new_len` bytes and a NUL.
        unsafe {
            let inner = self.0.as_mut();
            inner.len = new_len;
            inner.hash.set(0);
            let data = self.0.as_ptr().cast::<u8>().add(HEADER_BYTES);
            copy_short(tail.as_ptr(), data.add(len), tail.len());
            data.add(new_len).write(0);
        }
    }

    /// Makes the string unshared, with a block for `len` bytes. Spare room is only what the size class or the rounding to pages
    /// leaves, because a block's size is recomputed from the length when it is freed; large blocks move by remapping pages.
    #[inline]
    fn grow(&mut self, len: usize) {
        let old_len = self.len();
        if self.is_unique() {
            let this = self.0.as_ptr().cast::<u8>();
            // SAFETY: the string is unshared, so no other handle sees the block move.
            let moved = unsafe { heap::reallocate(this, block_bytes(old_len), block_bytes(len)) };
            // SAFETY: `heap::reallocate` never returns null.
            self.0 = unsafe { NonNull::new_unchecked(moved.cast()) };
            return;
        }
        let bytes = self.as_bytes();
        let fresh = PhpStr::build(len, |buffer| buffer[..old_len].copy_from_slice(bytes));
        *self = fresh;
    }

    /// Overwrites a byte, if the string is unshared and has such a byte. False if nothing happened.
    #[inline]
    pub(crate) fn set_byte(&mut self, index: usize, byte: u8) -> bool {
        let is_there = self.is_unique() && index < self.len();
        if is_there {
            self.make_mut()[index] = byte;
        }
        is_there
    }

    /// The bytes for writing; the string is separated first.
    #[inline]
    pub fn make_mut(&mut self) -> &mut [u8] {
        self.separate();
        // SAFETY: the string is unshared, and the borrow of `self` keeps it so.
        unsafe {
            let inner = self.0.as_mut();
            inner.hash.set(0);
            std::slice::from_raw_parts_mut(self.0.as_ptr().cast::<u8>().add(HEADER_BYTES), inner.len)
        }
    }
}

impl Clone for PhpStr {
    #[inline]
    fn clone(&self) -> PhpStr {
        if !self.header().has(FLAG_STATIC) {
            self.header().incref();
        }
        PhpStr(self.0)
    }
}

impl Drop for PhpStr {
    #[inline]
    fn drop(&mut self) {
        let header = self.header();
        if header.has(FLAG_STATIC) {
            return;
        }
        let rc = header.rc.get() - 1;
        header.rc.set(rc);
        if rc == 0 {
            let bytes = block_bytes(self.len());
            // SAFETY: the last reference is released, and the block was allocated with this size.
            unsafe { heap::release(self.0.as_ptr().cast(), bytes) }
        }
    }
}

impl Deref for PhpStr {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl AsRef<[u8]> for PhpStr {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl PartialEq for PhpStr {
    #[inline]
    fn eq(&self, other: &PhpStr) -> bool {
        let len = self.len();
        // SAFETY: both strings have `len` bytes.
        self.0 == other.0 || (len == other.len() && unsafe { equal_short(self.as_ptr(), other.as_ptr(), len) })
    }
}

impl Eq for PhpStr {}

impl PartialEq<[u8]> for PhpStr {
    #[inline]
    fn eq(&self, other: &[u8]) -> bool {
        self.as_bytes() == other
    }
}

impl std::hash::Hash for PhpStr {
    #[inline]
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(PhpStr::hash(self));
    }
}

impl PartialOrd for PhpStr {
    #[inline]
    fn partial_cmp(&self, other: &PhpStr) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PhpStr {
    #[inline]
    fn cmp(&self, other: &PhpStr) -> std::cmp::Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl std::fmt::Debug for PhpStr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(self))
    }
}

/// The text for messages: bytes that are no UTF-8 are shown as [`phlox_text`] shows them.
impl std::fmt::Display for PhpStr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&phlox_text::shown(self))
    }
}

impl From<&[u8]> for PhpStr {
    #[inline]
    fn from(bytes: &[u8]) -> PhpStr {
        PhpStr::new(bytes)
    }
}

impl From<&str> for PhpStr {
    #[inline]
    fn from(text: &str) -> PhpStr {
        PhpStr::new(text.as_bytes())
    }
}

impl From<Vec<u8>> for PhpStr {
    #[inline]
    fn from(bytes: Vec<u8>) -> PhpStr {
        PhpStr::new(&bytes)
    }
}

impl From<PhpStr> for Val {
    #[inline]
    fn from(string: PhpStr) -> Val {
        let ti = if string.header().has(FLAG_STATIC) { Kind::Str as u32 } else { TI_STR };
        let string = ManuallyDrop::new(string);
        Val::from_raw(string.0.as_ptr().cast(), ti)
    }
}

impl From<&PhpStr> for Val {
    #[inline]
    fn from(string: &PhpStr) -> Val {
        string.clone().into()
    }
}

/// The payload of the static string of one byte; for `raw`.
#[inline(always)]
pub(crate) fn byte_payload(byte: u8) -> u64 {
    SHORT.with(|all| std::ptr::from_ref(&all[byte as usize]).expose_provenance() as u64)
}
