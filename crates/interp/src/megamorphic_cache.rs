//! The megamorphic cache behind the inline caches, for oplines that meet objects of many classes. It holds methods, properties, and
//! magic methods for properties that do not exist, by class, name and scope; and whether objects of a class are instances of
//! another one, or are accepted by a declared type.

use phlox_runtime::{ClassRef, PhpStr};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Sets of the cache, of two entries each. With one entry, two keys of a hot loop that share a set, which depends on addresses,
/// would replace each other all the time.
const PLACES: usize = 512;

/// The kind of entries with a property's slot. Kinds are in the low bits of a class's address, which are 0 in the address itself.
pub const PROPERTY: u64 = 1;
/// The `__get` for a property that does not exist.
pub const MAGIC_GET: u64 = 2;
/// The `__set` for a property that does not exist.
pub const MAGIC_SET: u64 = 3;
/// The `__isset` for a property that does not exist.
pub const MAGIC_ISSET: u64 = 4;
/// The `__unset` for a property that does not exist.
pub const MAGIC_UNSET: u64 = 5;
/// A property's slot for assignments, and the types that it accepts.
pub const SETTABLE: u64 = 6;

/// In the value of a property's entry: the class does not declare the property; objects may have one of their own.
pub const DYNAMIC: u64 = 1 << 16;
/// Beside [`DYNAMIC`]: an assignment creates the property if it does not exist.
pub const MAY_CREATE: u64 = 1 << 17;

/// What an entry is about. Classes and literal names never move, so addresses identify them.
#[derive(Clone, Copy)]
pub struct Key {
    class: u64,
    name: u64,
    scope: u64,
}

impl Key {
    /// The key of a method or property; `name` is a literal.
    #[inline(always)]
    pub fn new(class: u64, name: &PhpStr, scope: Option<&ClassRef>) -> Key {
        Key { class, name: name.as_ptr() as u64, scope: scope.map_or(0, |scope| Rc::as_ptr(scope) as u64) }
    }

    /// The key of whether objects of a class are instances of another class, or accepted by the declared type at that address.
    #[inline(always)]
    pub fn of_classes(class: u64, other: u64) -> Key {
        Key { class, name: other, scope: u64::MAX }
    }

    /// The key of whether the declared type at that address, of a parameter or result of a function of class `scope`, accepts
    /// objects of a class.
    #[inline(always)]
    pub fn of_type(class: u64, declared: u64, scope: u64) -> Key {
        Key { class, name: declared, scope: !scope }
    }

    /// The key of what `new` of a class gives in a scope.
    pub fn of_new(class: u64, scope: Option<&ClassRef>) -> Key {
        Key { class, name: 0, scope: scope.map_or(0, |scope| Rc::as_ptr(scope) as u64) }
    }

    /// The key of whether the property at a slot of objects of one class accepts objects of another class.
    pub fn of_property(class: u64, slot: u64, other: u64) -> Key {
        Key { class, name: other, scope: u64::MAX - 1 - slot }
    }

    /// The key of whether objects of a class have their properties at the slots of a layout.
    pub fn of_layout(class: u64, layout: u64) -> Key {
        Key { class, name: layout, scope: u64::MAX - (1 << 20) }
    }

    /// The number of the key's set. The address bits of the parts are rotated against each other before they are mixed.
    #[inline(always)]
    fn index(self) -> usize {
        let mixed = self.class ^ self.name.rotate_left(17) ^ self.scope.rotate_left(34);
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - PLACES.ilog2())) as usize
    }
}

/// The value for a key. The words are cells of their own, because they are read one by one.
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

/// A set of entries, which fills a line of the processor's cache.
#[repr(align(64))]
struct Entries([Entry; 2]);

thread_local! {
    static METHODS: [Entries; PLACES] = const { [const { Entries([const { Entry::empty() }; 2]) }; PLACES] };
}

thread_local! {
    /// Whether something was put into `METHODS` since it was emptied.
    static IS_FILLED: Cell<bool> = const { Cell::new(false) };
}

/// A method, found by the bytes of its name as they are spelled in a call.
struct Spelled {
    class: u64,
    scope: u64,
    name: Box<[u8]>,
    code: u64,
}

/// Entries for methods by names that are no literals.
const NAMES: usize = 256;

thread_local! {
    static SPELLED: RefCell<Vec<Option<Spelled>>> = const { RefCell::new(Vec::new()) };
}

/// The entry for a method's name.
fn index_of_name(class: u64, name: &PhpStr) -> usize {
    (name.hash() ^ class >> 4) as usize % NAMES
}

/// The code of a method by a name in any string, if it is in the cache.
pub fn find_method(class: u64, name: &PhpStr, scope: Option<&ClassRef>) -> Option<u64> {
    SPELLED.with_borrow(|entries| {
        let entry = entries.get(index_of_name(class, name))?.as_ref()?;
        let scope = scope.map_or(0, |scope| Rc::as_ptr(scope) as u64);
        (entry.class == class && entry.scope == scope && *entry.name == **name).then_some(entry.code)
    })
}

/// Puts the code of a method into the cache by a name in any string.
pub fn remember_method(class: u64, name: &PhpStr, scope: Option<&ClassRef>, code: u64) {
    let scope = scope.map_or(0, |scope| Rc::as_ptr(scope) as u64);
    SPELLED.with_borrow_mut(|entries| {
        entries.resize_with(NAMES, || None);
        entries[index_of_name(class, name)] = Some(Spelled { class, scope, name: name[..].into(), code });
    });
}

/// The value for a key, if it is in the cache.
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

/// Puts a value into the cache, as the first entry of its set.
#[inline(never)]
pub fn remember(key: Key, value: u64) {
    IS_FILLED.set(true);
    METHODS.with(|entries| {
        let Entries([first, second]) = &entries[key.index()];
        // A value for a key that is there already replaces the old one.
        if !first.is(key) {
            let Entry { class, name, scope, value } = first;
            second.set(Key { class: class.get(), name: name.get(), scope: scope.get() }, value.get());
        }
        first.set(key, value);
    });
}

/// Empties the caches: at the end of a request, because some answers depend on what names mean.
pub fn clear() {
    SPELLED.with_borrow_mut(Vec::clear);
    if !IS_FILLED.replace(false) {
        return;
    }
    METHODS.with(|entries| {
        for entry in entries.iter().flat_map(|Entries(pair)| pair) {
            entry.class.set(0);
            entry.name.set(0);
            entry.scope.set(0);
            entry.value.set(0);
        }
    });
}
