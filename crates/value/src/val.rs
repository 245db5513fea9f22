//! `Val`: one PHP value, 16 bytes, owning.

use crate::header::Header;
use crate::object::ClassRef;
use crate::word::Word;
use crate::{ClassHeader, PhpArr, PhpObj, PhpRef, PhpRes, PhpStr};
use std::mem::ManuallyDrop;
use std::rc::Rc;

/// The type tag of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// No value: an unset variable, an uninitialised property, a hole in an array.
    Undef = 0,
    Null = 1,
    False = 2,
    True = 3,
    Int = 4,
    Double = 5,
    Str = 6,
    Arr = 7,
    Obj = 8,
    Res = 9,
    Ref = 10,
    /// A class reference; only on evaluation stacks.
    Class = 13,
}

/// Set when the payload is counted.
pub const COUNTED: u32 = 0x100;
/// Set when the payload may be part of a cycle.
pub const COLLECTABLE: u32 = 0x200;
pub const TI_ARR: u32 = Kind::Arr as u32 | COUNTED | COLLECTABLE;
pub const TI_OBJ: u32 = Kind::Obj as u32 | COUNTED | COLLECTABLE;
pub const TI_REF: u32 = Kind::Ref as u32 | COUNTED | COLLECTABLE;
pub(crate) const TI_RES: u32 = Kind::Res as u32 | COUNTED;
pub const TI_STR: u32 = Kind::Str as u32 | COUNTED;
const TI_CLASS: u32 = Kind::Class as u32 | COUNTED;

/// One PHP value. Cloning counts a reference, dropping releases it (which may run a destructor).
///
/// `aux` belongs to the container that holds the value (hash chain link); cloning does not copy it.
#[repr(C, align(8))]
pub struct Val {
    pub(crate) val: Word,
    pub(crate) ti: u32,
    pub(crate) aux: u32,
}

const _: () = assert!(size_of::<Val>() == 16);

/// A borrowed look at a value, for `match`.
#[derive(Clone, Copy)]
pub enum View<'a> {
    Undef,
    Null,
    Bool(bool),
    Int(i64),
    Double(f64),
    Str(&'a PhpStr),
    Arr(&'a PhpArr),
    Obj(&'a PhpObj),
    Res(&'a PhpRes),
    Ref(&'a PhpRef),
    Class(&'a ClassHeader),
}

impl Val {
    pub const UNDEF: Val = Val::plain(Kind::Undef, 0);
    pub const NULL: Val = Val::plain(Kind::Null, 0);
    pub const TRUE: Val = Val::plain(Kind::True, 0);
    pub const FALSE: Val = Val::plain(Kind::False, 0);

    #[inline]
    const fn plain(kind: Kind, val: u64) -> Val {
        Val { val: Word::of_bits(val), ti: kind as u32, aux: 0 }
    }

    #[inline]
    pub const fn int(value: i64) -> Val {
        Val::plain(Kind::Int, value as u64)
    }

    #[inline]
    pub const fn double(value: f64) -> Val {
        Val::plain(Kind::Double, value.to_bits())
    }

    #[inline]
    pub const fn bool(value: bool) -> Val {
        if value { Val::TRUE } else { Val::FALSE }
    }

    /// A string value with a copy of the bytes.
    #[inline]
    pub fn str(bytes: &[u8]) -> Val {
        PhpStr::new(bytes).into()
    }

    /// A class reference (flavour `A`).
    #[inline]
    pub fn class(class: ClassRef) -> Val {
        Val::from_raw(Rc::into_raw(class).cast(), TI_CLASS)
    }

    #[inline]
    pub fn kind(&self) -> Kind {
        match self.ti as u8 {
            0 => Kind::Undef,
            1 => Kind::Null,
            2 => Kind::False,
            3 => Kind::True,
            4 => Kind::Int,
            5 => Kind::Double,
            6 => Kind::Str,
            7 => Kind::Arr,
            8 => Kind::Obj,
            9 => Kind::Res,
            10 => Kind::Ref,
            _ => Kind::Class,
        }
    }

    #[inline]
    pub fn view(&self) -> View<'_> {
        // SAFETY (all payload reads): the tag says what `val` holds, and the pointer types are
        // transparent over the pointer, so `&self.val` is a `&PhpStr` and so on.
        unsafe {
            match self.kind() {
                Kind::Undef => View::Undef,
                Kind::Null => View::Null,
                Kind::False => View::Bool(false),
                Kind::True => View::Bool(true),
                Kind::Int => View::Int(self.val.bits() as i64),
                Kind::Double => View::Double(f64::from_bits(self.val.bits())),
                Kind::Str => View::Str(self.payload()),
                Kind::Arr => View::Arr(self.payload()),
                Kind::Obj => View::Obj(self.payload()),
                Kind::Res => View::Res(self.payload()),
                Kind::Ref => View::Ref(self.payload()),
                Kind::Class => View::Class(&*self.val.pointer().cast()),
            }
        }
    }

    /// # Safety
    /// The tag must be the one of `T`, a transparent pointer type.
    #[inline]
    unsafe fn payload<T>(&self) -> &T {
        const { assert!(size_of::<T>() == 8) };
        // SAFETY: by the caller.
        unsafe { &*(&raw const self.val).cast::<T>() }
    }

    /// # Safety
    /// As [`Val::payload`].
    #[inline]
    unsafe fn payload_mut<T>(&mut self) -> &mut T {
        const { assert!(size_of::<T>() == 8) };
        // SAFETY: by the caller.
        unsafe { &mut *(&raw mut self.val).cast::<T>() }
    }

    #[inline]
    pub fn is_undef(&self) -> bool {
        self.ti as u8 == 0
    }

    /// Null or no value.
    #[inline]
    pub fn is_null(&self) -> bool {
        self.ti as u8 <= 1
    }

    #[inline]
    pub fn is_ref(&self) -> bool {
        self.kind() == Kind::Ref
    }

    #[inline]
    pub fn as_int(&self) -> Option<i64> {
        (self.ti == Kind::Int as u32).then_some(self.val.bits() as i64)
    }

    #[inline]
    pub fn as_double(&self) -> Option<f64> {
        (self.ti == Kind::Double as u32).then_some(f64::from_bits(self.val.bits()))
    }

    #[inline]
    pub fn as_bool(&self) -> Option<bool> {
        match self.kind() {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    #[inline]
    pub fn as_str(&self) -> Option<&PhpStr> {
        if let View::Str(s) = self.view() { Some(s) } else { None }
    }

    #[inline]
    pub fn as_arr(&self) -> Option<&PhpArr> {
        if let View::Arr(a) = self.view() { Some(a) } else { None }
    }

    /// The array handle for modification in place; [`PhpArr`]'s own methods separate it when shared.
    #[inline]
    pub fn as_arr_mut(&mut self) -> Option<&mut PhpArr> {
        if self.kind() != Kind::Arr {
            return None;
        }
        // A shared literal becomes counted when it is separated, so the tag must say "counted" from here on.
        // SAFETY: the tag is Arr.
        unsafe {
            self.payload_mut::<PhpArr>().separate();
            self.ti = TI_ARR;
            Some(self.payload_mut())
        }
    }

    /// The string handle for appending in place.
    #[inline]
    pub fn as_str_mut(&mut self) -> Option<&mut PhpStr> {
        if self.kind() != Kind::Str {
            return None;
        }
        // SAFETY: the tag is Str.
        unsafe {
            self.payload_mut::<PhpStr>().separate();
            self.ti = TI_STR;
            Some(self.payload_mut())
        }
    }

    /// Appends to a string, in place when nobody else holds it.
    #[inline]
    pub fn append_bytes(&mut self, tail: &[u8]) {
        if self.kind() != Kind::Str {
            return;
        }
        // SAFETY: the tag is Str; appending to a shared or literal string makes a new one, which is counted.
        unsafe { self.payload_mut::<PhpStr>().append(tail) };
        self.ti = TI_STR;
    }

    #[inline]
    pub fn as_obj(&self) -> Option<&PhpObj> {
        if let View::Obj(o) = self.view() { Some(o) } else { None }
    }

    #[inline]
    pub fn as_res(&self) -> Option<&PhpRes> {
        if let View::Res(r) = self.view() { Some(r) } else { None }
    }

    #[inline]
    pub fn as_ref(&self) -> Option<&PhpRef> {
        if let View::Ref(r) = self.view() { Some(r) } else { None }
    }

    /// The class of a class reference, counted.
    #[inline]
    pub fn to_class(&self) -> Option<ClassRef> {
        if self.kind() != Kind::Class {
            return None;
        }
        let raw = self.val.pointer().cast::<ClassHeader>().cast_const();
        // SAFETY: a class value owns one count of an Rc.
        unsafe {
            Rc::increment_strong_count(raw);
            Some(Rc::from_raw(raw))
        }
    }

    /// The value, through a reference if it is one (counted copy).
    #[inline]
    pub fn deref(&self) -> Val {
        match self.view() {
            View::Ref(r) => r.get(),
            _ => self.clone(),
        }
    }

    /// As [`Val::deref`], consuming.
    #[inline]
    pub fn into_deref(self) -> Val {
        match self.view() {
            View::Ref(r) => r.get(),
            _ => self,
        }
    }

    /// Undef becomes null.
    #[inline]
    pub fn or_null(self) -> Val {
        if self.is_undef() { Val::NULL } else { self }
    }

    /// Makes this place a reference (in place) and returns it.
    #[inline]
    pub fn make_ref(&mut self) -> PhpRef {
        if let View::Ref(r) = self.view() {
            return r.clone();
        }
        let inner = self.replace(Val::NULL).or_null();
        let reference = PhpRef::new(inner);
        self.set(reference.clone().into());
        reference
    }

    /// Replaces the value but keeps the container's `aux` word; returns the old value.
    #[inline]
    pub fn replace(&mut self, new: Val) -> Val {
        let new = ManuallyDrop::new(new);
        let old = Val { val: self.val, ti: self.ti, aux: 0 };
        self.val = new.val;
        self.ti = new.ti;
        old
    }

    /// As [`Val::replace`], dropping the old value after the new one is in place.
    #[inline]
    pub fn set(&mut self, new: Val) {
        drop(self.replace(new));
    }

    /// Takes the value out, leaving Undef (keeps `aux`).
    #[inline]
    pub fn take(&mut self) -> Val {
        self.replace(Val::UNDEF)
    }

    #[inline]
    pub fn into_str(self) -> Option<PhpStr> {
        if self.kind() != Kind::Str {
            return None;
        }
        let this = ManuallyDrop::new(self);
        // SAFETY: the tag is Str and the count moves over.
        Some(unsafe { std::ptr::read((&raw const this.val).cast::<PhpStr>()) })
    }

    #[inline]
    pub fn into_arr(self) -> Option<PhpArr> {
        if self.kind() != Kind::Arr {
            return None;
        }
        let this = ManuallyDrop::new(self);
        // SAFETY: the tag is Arr and the count moves over.
        Some(unsafe { std::ptr::read((&raw const this.val).cast::<PhpArr>()) })
    }

    #[inline]
    pub fn into_obj(self) -> Option<PhpObj> {
        if self.kind() != Kind::Obj {
            return None;
        }
        let this = ManuallyDrop::new(self);
        // SAFETY: the tag is Obj and the count moves over.
        Some(unsafe { std::ptr::read((&raw const this.val).cast::<PhpObj>()) })
    }

    /// References to the payload, 1 for plain values and literals (`debug_zval_refcount`).
    #[inline]
    pub fn refcount(&self) -> u32 {
        match self.header() {
            Some(header) => header.rc.get(),
            None => 1,
        }
    }

    /// The header of a counted payload other than a class.
    #[inline]
    pub(crate) fn header(&self) -> Option<&Header> {
        if self.ti & COUNTED == 0 || self.ti == TI_CLASS {
            return None;
        }
        // SAFETY: every counted payload but a class starts with a Header.
        Some(unsafe { &*self.val.pointer().cast::<Header>() })
    }

    /// The value of a payload, which is exposed if it is a pointer, and a tag, which belong together.
    #[inline(always)]
    pub(crate) fn from_words(val: u64, ti: u32) -> Val {
        Val::of_word(Word::of_exposed(val), ti)
    }

    #[inline(always)]
    pub(crate) fn of_word(val: Word, ti: u32) -> Val {
        #[repr(C)]
        struct Words(Word, u64);
        // Written as two words: whoever moves it reads the second as one, and would wait for two halves to get there.
        if cfg!(target_endian = "little") {
            // SAFETY: the words of the struct in their order.
            return unsafe { std::mem::transmute::<Words, Val>(Words(val, ti as u64)) };
        }
        Val { val, ti, aux: 0 }
    }

    #[inline]
    pub(crate) fn from_raw(pointer: *const u8, ti: u32) -> Val {
        Val { val: Word::of_pointer(pointer), ti, aux: 0 }
    }
}

impl Clone for Val {
    #[inline]
    fn clone(&self) -> Val {
        if self.ti & COUNTED != 0 {
            match self.header() {
                Some(header) => header.incref(),
                // SAFETY: a class value owns one count of an Rc.
                None => unsafe { Rc::increment_strong_count(self.val.pointer().cast::<ClassHeader>()) },
            }
        }
        Val { val: self.val, ti: self.ti, aux: 0 }
    }
}

impl Drop for Val {
    #[inline]
    fn drop(&mut self) {
        if self.ti & COUNTED != 0 {
            // SAFETY: the value owns one count of what the tag names.
            unsafe { release_counted(self.val.pointer(), self.ti) }
        }
    }
}

/// # Safety
/// The pointer and the tag are those of a counted value whose count is given up.
#[inline]
pub(crate) unsafe fn release_counted(payload: *mut u8, ti: u32) {
    // SAFETY: the tag tells which owning handle the payload is.
    unsafe {
        match ti {
            TI_STR => drop(std::mem::transmute::<*mut u8, PhpStr>(payload)),
            TI_ARR => drop(std::mem::transmute::<*mut u8, PhpArr>(payload)),
            TI_OBJ => drop(std::mem::transmute::<*mut u8, PhpObj>(payload)),
            TI_REF => drop(std::mem::transmute::<*mut u8, PhpRef>(payload)),
            TI_RES => drop(std::mem::transmute::<*mut u8, PhpRes>(payload)),
            _ => drop(Rc::from_raw(payload.cast::<ClassHeader>())),
        }
    }
}

impl Default for Val {
    #[inline]
    fn default() -> Val {
        Val::NULL
    }
}

impl std::fmt::Debug for Val {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.view() {
            View::Undef => write!(f, "undef"),
            View::Null => write!(f, "null"),
            View::Bool(b) => write!(f, "{b}"),
            View::Int(i) => write!(f, "{i}"),
            View::Double(d) => write!(f, "{d:?}"),
            View::Str(s) => write!(f, "{:?}", String::from_utf8_lossy(s)),
            View::Arr(a) => write!(f, "array({})", a.len()),
            View::Obj(o) => write!(f, "object#{}", o.handle()),
            View::Res(r) => write!(f, "resource#{}", r.id()),
            View::Ref(r) => write!(f, "&{:?}", r.get()),
            View::Class(c) => write!(f, "class#{}", c.id()),
        }
    }
}

impl From<i64> for Val {
    #[inline]
    fn from(value: i64) -> Val {
        Val::int(value)
    }
}

impl From<f64> for Val {
    #[inline]
    fn from(value: f64) -> Val {
        Val::double(value)
    }
}

impl From<bool> for Val {
    #[inline]
    fn from(value: bool) -> Val {
        Val::bool(value)
    }
}

impl From<()> for Val {
    #[inline]
    fn from((): ()) -> Val {
        Val::NULL
    }
}

impl From<&[u8]> for Val {
    #[inline]
    fn from(value: &[u8]) -> Val {
        Val::str(value)
    }
}

impl From<Vec<u8>> for Val {
    #[inline]
    fn from(value: Vec<u8>) -> Val {
        Val::str(&value)
    }
}

impl From<&str> for Val {
    #[inline]
    fn from(value: &str) -> Val {
        Val::str(value.as_bytes())
    }
}

impl From<String> for Val {
    #[inline]
    fn from(value: String) -> Val {
        Val::str(value.as_bytes())
    }
}

impl<T: Into<Val>> From<Option<T>> for Val {
    #[inline]
    fn from(value: Option<T>) -> Val {
        value.map_or(Val::NULL, Into::into)
    }
}
