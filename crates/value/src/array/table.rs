//! Finding, adding and removing elements of an array.

use super::Key;
use super::layout::{ArrHeader, ArrKind, Bucket, CHAIN_END, slots_of};
use crate::string::PhpStr;
use crate::val::Val;

/// The smallest capacity of a table with storage, which is Zend's.
pub(super) const CAPACITY_MIN: u32 = 8;
const CAPACITY_MAX: usize = 1 << 30;

/// The capacity of a hash table with room for `count` elements.
#[inline]
pub(super) fn capacity_for(count: usize) -> u32 {
    assert!(count <= CAPACITY_MAX, "array of {count} elements");
    count.next_power_of_two().max(CAPACITY_MIN as usize) as u32
}

/// The capacity of a list with room for `count` elements.
pub(super) fn list_capacity(count: usize) -> u32 {
    assert!(count <= CAPACITY_MAX, "array of {count} elements");
    (count as u32).max(CAPACITY_MIN)
}

impl ArrHeader {
    /// The position of a key.
    #[inline]
    pub(super) fn find(&self, key: Key<'_>) -> Option<u32> {
        match (self.is_hash(), key) {
            (false, Key::Int(i)) => {
                let at = u32::try_from(i).ok()?;
                self.value_at(at).map(|_| at)
            }
            (false, Key::Str(_)) => None,
            (true, Key::Int(i)) => self.find_in_chain(i as u64, |key| key.is_none()),
            (true, Key::Str(s)) => self.find_text(s),
        }
    }

    /// Finds a string key. Kept out of line, so that looking for an integer key contains no call.
    #[inline(never)]
    fn find_text(&self, text: &PhpStr) -> Option<u32> {
        self.find_in_chain(text.hash(), |key| key.as_ref().is_some_and(|own| own == text))
    }

    /// Finds a string key by its bytes and their hash.
    #[inline]
    pub(super) fn find_bytes(&self, bytes: &[u8], hash: u64) -> Option<u32> {
        self.find_in_chain(hash, |key| key.as_ref().is_some_and(|k| k.as_bytes() == bytes))
    }

    #[inline]
    fn find_in_chain(&self, hash: u64, matches: impl Fn(&Option<PhpStr>) -> bool) -> Option<u32> {
        if self.kind != ArrKind::Hash || self.data.is_null() {
            return None;
        }
        // SAFETY: a hash table with a block has `capacity` slots behind its room for buckets; slots and chains lead to
        // initialised buckets.
        unsafe {
            let buckets = self.data.cast::<Bucket>();
            let mut at = *slots_of(self.data, self.capacity).add((hash as u32 & (self.capacity - 1)) as usize);
            while at != CHAIN_END {
                let bucket = &*buckets.add(at as usize);
                if bucket.hash == hash && matches(&bucket.key) {
                    return Some(at);
                }
                at = bucket.value.aux;
            }
        }
        None
    }

    /// Whether the element at a position has this key.
    #[inline]
    pub(super) fn key_is(&self, at: u32, key: Key<'_>) -> bool {
        self.key_at(at) == Some(key)
    }

    /// The key that `[]` would use; `None` if the largest integer is taken.
    #[inline]
    pub(super) fn next_index(&self) -> Option<i64> {
        (!self.exhausted).then_some(if self.next_free == i64::MIN { 0 } else { self.next_free })
    }

    #[inline]
    fn note_int_key(&mut self, key: i64) {
        if key >= self.next_free {
            match key.checked_add(1) {
                Some(next) => self.next_free = next,
                None => self.exhausted = true,
            }
        }
    }

    /// Reserves room for `count` packed cells.
    #[inline]
    pub(super) fn reserve_packed(&mut self, count: usize) {
        // Only hash tables need a power of two as their capacity.
        assert!(count <= CAPACITY_MAX, "array of {count} elements");
        let capacity = (count as u32).max(CAPACITY_MIN);
        if self.kind == ArrKind::Packed && capacity > self.capacity {
            self.grow_packed(capacity);
        }
    }

    /// The place of a key, created as null when absent; the flag tells whether it was there.
    #[inline]
    pub(super) fn entry(&mut self, key: Key<'_>) -> (&mut Val, bool) {
        if let Some(at) = self.find(key) {
            return (self.expect_place(at), true);
        }
        let at = self.add(key, Val::NULL);
        (self.expect_place(at), false)
    }

    /// Stores an element and returns the value that the key had.
    #[inline]
    pub(super) fn put(&mut self, key: Key<'_>, value: Val) -> Option<Val> {
        match self.find(key) {
            Some(at) => Some(self.expect_place(at).replace(value)),
            None => {
                self.add(key, value);
                None
            }
        }
    }

    /// Appends null under a key that is known to be free.
    #[inline]
    pub(super) fn append(&mut self, key: i64) -> &mut Val {
        let at = self.add(Key::Int(key), Val::NULL);
        self.expect_place(at)
    }

    #[inline]
    fn expect_place(&mut self, at: u32) -> &mut Val {
        self.place_at(at).unwrap_or_else(|| unreachable!("position {at} was just found or filled"))
    }

    /// Adds an element under an absent key and returns its position.
    pub(super) fn add(&mut self, key: Key<'_>, value: Val) -> u32 {
        if self.kind == ArrKind::Packed {
            match key {
                Key::Int(i) if self.packed_has_room_for(i) => return self.add_packed(i as u32, value),
                _ => self.convert_to_hash(),
            }
        }
        if self.used == self.capacity {
            self.make_room();
        }
        let bucket = match key {
            Key::Int(i) => {
                self.note_int_key(i);
                Bucket { value, hash: i as u64, key: None }
            }
            Key::Str(s) => Bucket { value, hash: s.hash(), key: Some(s.clone()) },
        };
        self.push_bucket(bucket);
        self.count += 1;
        self.used - 1
    }

    /// Whether an integer key keeps an array packed, by Zend's rule.
    #[inline]
    fn packed_has_room_for(&self, key: i64) -> bool {
        let Ok(key) = u32::try_from(key) else { return false };
        // A hole lies before elements that were added earlier: filling it would break the order.
        if key < self.used {
            return false;
        }
        if key < self.capacity {
            return true;
        }
        let size = self.zend_size();
        key < size || (key >> 1 < size && size >> 1 < self.count && (key as usize) < CAPACITY_MAX)
    }

    /// The size that the table has in Zend, where it is a power of two and stays when a list gets shorter or is copied. Lists
    /// here have as many positions as are needed.
    #[inline]
    pub(super) fn zend_size(&self) -> u32 {
        self.capacity.max(self.size_before).max(CAPACITY_MIN).next_power_of_two()
    }

    #[inline]
    fn add_packed(&mut self, at: u32, value: Val) -> u32 {
        // The next index may become smaller: the removed elements behind the end of a list do not count, as in Zend.
        self.next_free = i64::from(at) + 1;
        if at >= self.capacity {
            let size = self.zend_size();
            self.grow_packed(if at < size { size } else { capacity_for(at as usize + 1) });
        }
        while self.used < at {
            self.push_cell(Val::UNDEF);
        }
        self.push_cell(value);
        self.count += 1;
        at
    }

    /// Takes the element at a position out.
    #[inline]
    pub(super) fn remove_at(&mut self, at: u32) -> Val {
        if self.kind == ArrKind::Hash {
            self.unlink(at);
        }
        let value = self.place_at(at).map_or(Val::NULL, Val::take);
        self.count -= 1;
        while self.used > 0 && self.value_at(self.used - 1).is_none() {
            self.pop_position();
        }
        self.pull_pointer_in();
        value
    }

    /// Takes the bucket at a position out of its chain.
    pub(super) fn unlink(&mut self, at: u32) {
        let hash = self.buckets()[at as usize].hash;
        let next = self.buckets()[at as usize].value.aux;
        let slot = hash as u32 as usize & (self.capacity as usize - 1);
        let mut cursor = self.slots()[slot];
        if cursor == at {
            self.slots_mut()[slot] = next;
            return;
        }
        while cursor != CHAIN_END {
            let bucket = &mut self.buckets_mut()[cursor as usize];
            if bucket.value.aux == at {
                bucket.value.aux = next;
                return;
            }
            cursor = bucket.value.aux;
        }
    }
}
