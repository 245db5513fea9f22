//! `Val`: one owned PHP value, 16 bytes.

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

/// Flag of a tag: the payload is counted.
pub const COUNTED: u32 = 0x100;
/// Flag of a tag: the payload may be part of a cycle.
pub const COLLECTABLE: u32 = 0x200;
/// The tag of a counted array.
pub const TI_ARR: u32 = Kind::Arr as u32 | COUNTED | COLLECTABLE;
/// The tag of an object.
pub const TI_OBJ: u32 = Kind::Obj as u32 | COUNTED | COLLECTABLE;
/// The tag of a reference.
pub const TI_REF: u32 = Kind::Ref as u32 | COUNTED | COLLECTABLE;
/// The tag of a resource.
pub(crate) const TI_RES: u32 = Kind::Res as u32 | COUNTED;
/// The tag of a counted string.
pub const TI_STR: u32 = Kind::Str as u32 | COUNTED;
const TI_CLASS: u32 = Kind::Class as u32 | COUNTED;

/// One PHP value. Cloning retains a reference, dropping releases it (which may run a destructor).
///
/// `aux` belongs to the container that holds the value (the link of a hash chain, for instance); cloning does not copy it.
#[repr(C, align(8))]
pub struct Val {
    pub(crate) val: Word,
    pub(crate) ti: u32,
    pub(crate) aux: u32,
}

const _: () = assert!(size_of::<Val>() == 16);

/// A borrowed view of a value, for `match`.
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

    /// An integer value.
    #[inline]
    pub const fn int(value: i64) -> Val {
        Val::plain(Kind::Int, value as u64)
    }

    /// A float value.
    #[inline]
    pub const fn double(value: f64) -> Val {
        Val::plain(Kind::Double, value.to_bits())
    }

    /// A boolean value.
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

    /// The type of the value.
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

    /// A view of the value, for `match`.
    #[inline]
    pub fn view(&self) -> View<'_> {
        // SAFETY: the tag says what the payload is, and the handle types are transparent over the pointer, so a reference to
        // `self.val` is one to a `PhpStr` and so on. A class payload points to a live class header.
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

    /// The payload as a handle.
    ///
    /// # Safety
    /// The tag must be the one of `T`, a transparent pointer type.
    #[inline]
    unsafe fn payload<T>(&self) -> &T {
        const { assert!(size_of::<T>() == 8) };
        // SAFETY: the tag is the one of `T`, so the payload is a valid `T`.
        unsafe { &*(&raw const self.val).cast::<T>() }
    }

    /// The payload as a handle, for changing.
    ///
    /// # Safety
    /// The tag must be the one of `T`, a transparent pointer type.
    #[inline]
    unsafe fn payload_mut<T>(&mut self) -> &mut T {
        const { assert!(size_of::<T>() == 8) };
        // SAFETY: the tag is the one of `T`, so the payload is a valid `T`.
        unsafe { &mut *(&raw mut self.val).cast::<T>() }
    }

    /// Whether there is no value.
    #[inline]
    pub fn is_undef(&self) -> bool {
        self.ti as u8 == 0
    }

    /// Null or no value.
    #[inline]
    pub fn is_null(&self) -> bool {
        self.ti as u8 <= 1
    }

    /// Whether the value is a reference.
    #[inline]
    pub fn is_ref(&self) -> bool {
        self.kind() == Kind::Ref
    }

    /// The integer, if the value is one.
    #[inline]
    pub fn as_int(&self) -> Option<i64> {
        (self.ti == Kind::Int as u32).then_some(self.val.bits() as i64)
    }

    /// The float, if the value is one.
    #[inline]
    pub fn as_double(&self) -> Option<f64> {
        (self.ti == Kind::Double as u32).then_some(f64::from_bits(self.val.bits()))
    }

    /// The boolean, if the value is one.
    #[inline]
    pub fn as_bool(&self) -> Option<bool> {
        match self.kind() {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    /// The string, if the value is one.
    #[inline]
    pub fn as_str(&self) -> Option<&PhpStr> {
        if let View::Str(s) = self.view() { Some(s) } else { None }
    }

    /// The array, if the value is one.
    #[inline]
    pub fn as_arr(&self) -> Option<&PhpArr> {
        if let View::Arr(a) = self.view() { Some(a) } else { None }
    }

    /// The array for changing in place, if the value is one. It is separated first.
    #[inline]
    pub fn as_arr_mut(&mut self) -> Option<&mut PhpArr> {
        if self.kind() != Kind::Arr {
            return None;
        }
        // SAFETY: the tag is `Arr`. Separating a literal makes it counted, so the tag becomes the counted one.
        unsafe {
            self.payload_mut::<PhpArr>().separate();
            self.ti = TI_ARR;
            Some(self.payload_mut())
        }
    }

    /// The string for changing in place, if the value is one. It is separated first.
    #[inline]
    pub fn as_str_mut(&mut self) -> Option<&mut PhpStr> {
        if self.kind() != Kind::Str {
            return None;
        }
        // SAFETY: the tag is `Str`. Separating a literal makes it counted, so the tag becomes the counted one.
        unsafe {
            self.payload_mut::<PhpStr>().separate();
            self.ti = TI_STR;
            Some(self.payload_mut())
        }
    }

    /// Appends to a string, in place when it is unshared. Nothing happens if the value is no string.
    #[inline]
    pub fn append_bytes(&mut self, tail: &[u8]) {
        if self.kind() != Kind::Str {
            return;
        }
        // SAFETY: the tag is `Str`; appending to a shared or static string makes a new, counted one.
        unsafe { self.payload_mut::<PhpStr>().append(tail) };
        self.ti = TI_STR;
    }

    /// The object, if the value is one.
    #[inline]
    pub fn as_obj(&self) -> Option<&PhpObj> {
        if let View::Obj(o) = self.view() { Some(o) } else { None }
    }

    /// The resource, if the value is one.
    #[inline]
    pub fn as_res(&self) -> Option<&PhpRes> {
        if let View::Res(r) = self.view() { Some(r) } else { None }
    }

    /// The reference, if the value is one.
    #[inline]
    pub fn as_ref(&self) -> Option<&PhpRef> {
        if let View::Ref(r) = self.view() { Some(r) } else { None }
    }

    /// The class of a class reference, retained.
    #[inline]
    pub fn to_class(&self) -> Option<ClassRef> {
        if self.kind() != Kind::Class {
            return None;
        }
        let raw = self.val.pointer().cast::<ClassHeader>().cast_const();
        // SAFETY: a class value owns one count of an `Rc`.
        unsafe {
            Rc::increment_strong_count(raw);
            Some(Rc::from_raw(raw))
        }
    }

    /// A counted copy of the value, through a reference if it is one.
    #[inline]
    pub fn deref(&self) -> Val {
        match self.view() {
            View::Ref(r) => r.get(),
            _ => self.clone(),
        }
    }

    /// The value, through a reference if it is one; consumes `self`.
    #[inline]
    pub fn into_deref(self) -> Val {
        match self.view() {
            View::Ref(r) => r.get(),
            _ => self,
        }
    }

    /// The value, or null if there is none.
    #[inline]
    pub fn or_null(self) -> Val {
        if self.is_undef() { Val::NULL } else { self }
    }

    /// Makes the value a reference in place and returns that.
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

    /// Stores a value but keeps the container's `aux` word; the old value is dropped after the new one is in place.
    #[inline]
    pub fn set(&mut self, new: Val) {
        drop(self.replace(new));
    }

    /// Takes the value out; the place becomes undefined and keeps `aux`.
    #[inline]
    pub fn take(&mut self) -> Val {
        self.replace(Val::UNDEF)
    }

    /// The string, if the value is one.
    #[inline]
    pub fn into_str(self) -> Option<PhpStr> {
        if self.kind() != Kind::Str {
            return None;
        }
        let this = ManuallyDrop::new(self);
        // SAFETY: the tag is `Str`, and the value's count moves to the handle.
        Some(unsafe { std::ptr::read((&raw const this.val).cast::<PhpStr>()) })
    }

    /// The array, if the value is one.
    #[inline]
    pub fn into_arr(self) -> Option<PhpArr> {
        if self.kind() != Kind::Arr {
            return None;
        }
        let this = ManuallyDrop::new(self);
        // SAFETY: the tag is `Arr`, and the value's count moves to the handle.
        Some(unsafe { std::ptr::read((&raw const this.val).cast::<PhpArr>()) })
    }

    /// The object, if the value is one.
    #[inline]
    pub fn into_obj(self) -> Option<PhpObj> {
        if self.kind() != Kind::Obj {
            return None;
        }
        let this = ManuallyDrop::new(self);
        // SAFETY: the tag is `Obj`, and the value's count moves to the handle.
        Some(unsafe { std::ptr::read((&raw const this.val).cast::<PhpObj>()) })
    }

    /// The number of references to the payload; 1 for plain values and literals (`debug_zval_refcount`).
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
        // SAFETY: every counted payload except a class starts with a header.
        Some(unsafe { &*self.val.pointer().cast::<Header>() })
    }

    /// The value of a payload and a tag that belong together; a payload that is a pointer was exposed.
    #[inline(always)]
    pub(crate) fn from_words(val: u64, ti: u32) -> Val {
        Val::of_word(Word::of_exposed(val), ti)
    }

    /// The value of a payload and a tag that belong together.
    #[inline(always)]
    pub(crate) fn of_word(val: Word, ti: u32) -> Val {
        #[repr(C)]
        struct Words(Word, u64);
        // The value is written as two words: its next move reads tag and `aux` as one word, which would stall after two writes.
        if cfg!(target_endian = "little") {
            // SAFETY: both types are two words; the second has the tag in its lower half and `aux` in its upper half.
            return unsafe { std::mem::transmute::<Words, Val>(Words(val, ti as u64)) };
        }
        Val { val, ti, aux: 0 }
    }

    /// The value of a pointer and a tag that belong together.
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
                // SAFETY: a class value owns one count of an `Rc`.
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
            // SAFETY: the value owns one count of the payload, which is released here.
            unsafe { release_counted(self.val.pointer(), self.ti) }
        }
    }
}

/// Releases a reference to a counted payload.
///
/// # Safety
/// The pointer and the tag are those of a counted value, one of whose references is released here.
#[inline]
pub(crate) unsafe fn release_counted(payload: *mut u8, ti: u32) {
    // SAFETY: the tag says which owning handle the payload is.
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
