//! The cache behind the inline caches, for sites that see objects of many classes: methods, properties, and magic methods for
//! properties that are not there, by class, name and scope; which classes are instances of which, and which declared types
//! take them.

use phlox_runtime::{ClassRef, PhpStr};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Each place has two entries: with one, two keys of a hot loop that share a place, which is a matter of addresses, would put each
/// other out all the time.
const PLACES: usize = 512;

/// Kinds of entries, in the low bits of a class's address, which classes are aligned to: where a property is, and the magic methods
/// that accesses to one that is not there come to.
pub const PROPERTY: u64 = 1;
pub const MAGIC_GET: u64 = 2;
pub const MAGIC_SET: u64 = 3;
pub const MAGIC_ISSET: u64 = 4;
pub const MAGIC_UNSET: u64 = 5;
/// Where a property is for assignments, and what it takes.
pub const SETTABLE: u64 = 6;

/// In what is remembered about a property: it is none that the class declares, but one of the object's own.
pub const DYNAMIC: u64 = 1 << 16;
/// Beside [`DYNAMIC`]: an assignment makes it if it is not there.
pub const MAY_CREATE: u64 = 1 << 17;

/// What an entry is about. Classes and literal names never move.
#[derive(Clone, Copy)]
pub struct Key {
    class: u64,
    name: u64,
    scope: u64,
}

impl Key {
    /// `name` is a literal.
    #[inline(always)]
    pub fn new(class: u64, name: &PhpStr, scope: Option<&ClassRef>) -> Key {
        Key { class, name: name.as_ptr() as u64, scope: scope.map_or(0, |scope| Rc::as_ptr(scope) as u64) }
    }

    /// Is an object of one class an instance of the other, or taken by the declared type at that address?
    #[inline(always)]
    pub fn of_classes(class: u64, other: u64) -> Key {
        Key { class, name: other, scope: u64::MAX }
    }

    /// Does the declared type at that address, of a parameter or result of a function of this class, take objects of a class?
    #[inline(always)]
    pub fn of_type(class: u64, declared: u64, scope: u64) -> Key {
        Key { class, name: declared, scope: !scope }
    }

    /// What `new` of a class makes in a scope.
    pub fn of_new(class: u64, scope: Option<&ClassRef>) -> Key {
        Key { class, name: 0, scope: scope.map_or(0, |scope| Rc::as_ptr(scope) as u64) }
    }

    /// Does the property at a slot of objects of one class take objects of the other?
    pub fn of_property(class: u64, slot: u64, other: u64) -> Key {
        Key { class, name: other, scope: u64::MAX - 1 - slot }
    }

    /// Do objects of a class have their properties where that layout says?
    pub fn of_layout(class: u64, layout: u64) -> Key {
        Key { class, name: layout, scope: u64::MAX - (1 << 20) }
    }

    /// The address bits of all three parts are brought together before they are mixed.
    #[inline(always)]
    fn index(self) -> usize {
        let mixed = self.class ^ self.name.rotate_left(17) ^ self.scope.rotate_left(34);
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - PLACES.ilog2())) as usize
    }
}

/// What was remembered for a key, in words of their own: they are read one by one.
struct Entry {
    class: Cell<u64>,
    name: Cell<u64>,
    scope: Cell<u64>,
    value: Cell<u64>,
}

impl Entry {
    const fn empty() -> Entry {
        Entry { class: Cell::new(0), name: Cell::new(0), scope: Cell::new(0), value: Cell::new(0) }
    }

    #[inline(always)]
    fn is(&self, key: Key) -> bool {
        self.name.get() == key.name && self.class.get() == key.class && self.scope.get() == key.scope
    }

    fn set(&self, key: Key, value: u64) {
        self.class.set(key.class);
        self.name.set(key.name);
        self.scope.set(key.scope);
        self.value.set(value);
    }
}

/// A line of the cache.
#[repr(align(64))]
struct Entries([Entry; 2]);

thread_local! {
    static METHODS: [Entries; PLACES] = const { [const { Entries([const { Entry::empty() }; 2]) }; PLACES] };
}

/// A method by the very bytes by which it was asked for.
struct Spelled {
    class: u64,
    scope: u64,
    name: Box<[u8]>,
    code: u64,
}

/// Places for methods by names that are no literals.
const NAMES: usize = 256;

thread_local! {
    static SPELLED: RefCell<Vec<Option<Spelled>>> = const { RefCell::new(Vec::new()) };
}

fn index_of_name(class: u64, name: &PhpStr) -> usize {
    (name.hash() ^ class >> 4) as usize % NAMES
}

/// The code of the method that was remembered by this name, in any string.
pub fn find_method(class: u64, name: &PhpStr, scope: Option<&ClassRef>) -> Option<u64> {
    SPELLED.with_borrow(|entries| {
        let entry = entries.get(index_of_name(class, name))?.as_ref()?;
        let scope = scope.map_or(0, |scope| Rc::as_ptr(scope) as u64);
        (entry.class == class && entry.scope == scope && *entry.name == **name).then_some(entry.code)
    })
}

/// Remembers the code of a method by a name in any string.
pub fn remember_method(class: u64, name: &PhpStr, scope: Option<&ClassRef>, code: u64) {
    let scope = scope.map_or(0, |scope| Rc::as_ptr(scope) as u64);
    SPELLED.with_borrow_mut(|entries| {
        entries.resize_with(NAMES, || None);
        entries[index_of_name(class, name)] = Some(Spelled { class, scope, name: name[..].into(), code });
    });
}

/// What was remembered.
#[inline(always)]
pub fn find(key: Key) -> Option<u64> {
    METHODS.with(|entries| {
        let Entries([first, second]) = &entries[key.index()];
        if first.is(key) {
            return Some(first.value.get());
        }
        second.is(key).then(|| second.value.get())
    })
}

/// Remembers what was found the long way.
#[inline(never)]
pub fn remember(key: Key, value: u64) {
    METHODS.with(|entries| {
        let Entries([first, second]) = &entries[key.index()];
        // The same key again has another value.
        if !first.is(key) {
            let Entry { class, name, scope, value } = first;
            second.set(Key { class: class.get(), name: name.get(), scope: scope.get() }, value.get());
        }
        first.set(key, value);
    });
}
