//! Insertion-ordered maps keyed by PHP strings, using the hashes that the strings store.

use phlox_value::{PhpStr, hash_bytes};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// A hasher that passes the one `u64` that a [`PhpStr`] hashes to through.
#[derive(Default)]
pub struct PassThrough(u64);

impl Hasher for PassThrough {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash_bytes(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// An ordered map from string to `V`. Lookups take a `&PhpStr` or [`ByBytes`].
pub type StrMap<V> = indexmap::IndexMap<PhpStr, V, BuildHasherDefault<PassThrough>>;

/// A byte string for looking up an equal key.
pub struct ByBytes<'a>(pub &'a [u8]);

impl Hash for ByBytes<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(hash_bytes(self.0));
    }
}

impl indexmap::Equivalent<PhpStr> for ByBytes<'_> {
    fn equivalent(&self, key: &PhpStr) -> bool {
        self.0 == key.as_bytes()
    }
}

/// The name in ASCII lower case, the case folding of class and function names.
pub fn lower(name: &[u8]) -> PhpStr {
    with_lower(name, PhpStr::new)
}

thread_local! {
    /// Names of literals in lower case, by the address of the literal, which is never freed.
    static LITERALS: RefCell<HashMap<*const u8, PhpStr, foldhash::fast::FixedState>> = RefCell::default();
}

/// The name in ASCII lower case. Those of literals are interned once, with their hashes, for lookups that come back in each request.
pub fn lower_literal(name: &PhpStr) -> PhpStr {
    if !name.is_interned() {
        return lower_str(name);
    }
    LITERALS
        .with_borrow_mut(|known| known.entry(name.as_ptr()).or_insert_with(|| with_lower(name, PhpStr::intern)).clone())
}

/// Calls `f` with the name in ASCII lower case, for a lookup that keeps nothing of it.
pub fn with_lower<R>(name: &[u8], f: impl FnOnce(&[u8]) -> R) -> R {
    const USUAL: usize = 128;
    if !name.iter().any(u8::is_ascii_uppercase) {
        return f(name);
    }
    let mut place = [0; USUAL];
    match place.get_mut(..name.len()) {
        Some(place) => {
            place.copy_from_slice(name);
            place.make_ascii_lowercase();
            f(place)
        }
        None => f(&name.to_ascii_lowercase()),
    }
}

/// The name in ASCII lower case, without a copy if it is in lower case already.
pub fn lower_str(name: &PhpStr) -> PhpStr {
    if name.iter().any(u8::is_ascii_uppercase) { lower(name) } else { name.clone() }
}
