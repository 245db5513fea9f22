//! Insertion-ordered maps keyed by PHP strings, using the hash that the strings already carry.

use phlox_value::{PhpStr, hash_bytes};
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// Passes the one `u64` through that a [`PhpStr`] hashes to.
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

/// An ordered map from string to `V`. Look-ups take a `&PhpStr` or [`ByBytes`].
pub type StrMap<V> = indexmap::IndexMap<PhpStr, V, BuildHasherDefault<PassThrough>>;

/// A byte string that looks up an equal key.
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

/// ASCII lower case, the fold that PHP uses for class and function names.
pub fn lower(name: &[u8]) -> PhpStr {
    if name.iter().any(u8::is_ascii_uppercase) { PhpStr::new(&name.to_ascii_lowercase()) } else { PhpStr::new(name) }
}

/// As [`lower`], without a copy when the string is lower case already.
pub fn lower_str(name: &PhpStr) -> PhpStr {
    if name.iter().any(u8::is_ascii_uppercase) { PhpStr::new(&name.to_ascii_lowercase()) } else { name.clone() }
}
