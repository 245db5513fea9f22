//! Finding, adding and removing elements; growth and compaction.

use super::Key;
use super::iterator;
use super::layout::{ArrHeader, ArrKind, Bucket, CHAIN_END};
use crate::string::PhpStr;
use crate::val::Val;

const CAPACITY_MIN: u32 = 8;
const CAPACITY_MAX: usize = 1 << 30;

#[inline]
fn capacity_for(count: usize) -> u32 {
    assert!(count <= CAPACITY_MAX, "array of {count} elements");
    count.next_power_of_two().max(CAPACITY_MIN as usize) as u32
}

impl ArrHeader {
    /// Position of a key.
    #[inline]
    pub(super) fn find(&self, key: Key<'_>) -> Option<u32> {
        match (self.kind, key) {
            (ArrKind::Packed, Key::Int(i)) => {
                let at = u32::try_from(i).ok()?;
                self.value_at(at).map(|_| at)
            }
            (ArrKind::Packed, Key::Str(_)) => None,
            (ArrKind::Hash, Key::Int(i)) => self.find_in_chain(i as u64, |key| key.is_none()),
            (ArrKind::Hash, Key::Str(s)) => self.find_in_chain(s.hash(), |key| key.as_ref().is_some_and(|k| k == s)),
        }
    }

    #[inline]
    pub(super) fn find_bytes(&self, bytes: &[u8], hash: u64) -> Option<u32> {
        self.find_in_chain(hash, |key| key.as_ref().is_some_and(|k| k.as_bytes() == bytes))
    }

    #[inline]
    fn find_in_chain(&self, hash: u64, matches: impl Fn(&Option<PhpStr>) -> bool) -> Option<u32> {
        let slots = self.slots();
        let mut at = *slots.get(hash as u32 as usize & slots.len().wrapping_sub(1))?;
        let buckets = self.buckets();
        while at != CHAIN_END {
            let bucket = &buckets[at as usize];
            if bucket.hash == hash && matches(&bucket.key) {
                return Some(at);
            }
            at = bucket.value.aux;
        }
        None
    }

    #[inline]
    pub(super) fn key_is(&self, at: u32, key: Key<'_>) -> bool {
        self.key_at(at) == Some(key)
    }

    /// The key that `[]` would use.
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

    /// Room for `count` packed cells.
    #[inline]
    pub(super) fn reserve_packed(&mut self, count: usize) {
        // Only hashes need a power of two.
        assert!(count <= CAPACITY_MAX, "array of {count} elements");
        let capacity = (count as u32).max(CAPACITY_MIN);
        if self.kind == ArrKind::Packed && capacity > self.capacity {
            self.grow_packed(capacity);
        }
    }

    /// The place of a key, created as null when absent.
    #[inline]
    pub(super) fn entry(&mut self, key: Key<'_>) -> (&mut Val, bool) {
        if let Some(at) = self.find(key) {
            return (self.expect_place(at), true);
        }
        let at = self.add(key);
        (self.expect_place(at), false)
    }

    /// Appends null under a key known to be free.
    #[inline]
    pub(super) fn append(&mut self, key: i64) -> &mut Val {
        let at = self.add(Key::Int(key));
        self.expect_place(at)
    }

    #[inline]
    fn expect_place(&mut self, at: u32) -> &mut Val {
        self.place_at(at).unwrap_or_else(|| unreachable!("position {at} was just found or filled"))
    }

    /// Adds null under an absent key; returns its position.
    fn add(&mut self, key: Key<'_>) -> u32 {
        if self.kind == ArrKind::Packed {
            match key {
                Key::Int(i) if self.packed_has_room_for(i) => return self.add_packed(i as u32),
                _ => self.convert_to_hash(),
            }
        }
        if self.used == self.capacity {
            self.make_room();
        }
        let bucket = match key {
            Key::Int(i) => {
                self.note_int_key(i);
                Bucket { value: Val::NULL, hash: i as u64, key: None }
            }
            Key::Str(s) => Bucket { value: Val::NULL, hash: s.hash(), key: Some(s.clone()) },
        };
        self.push_bucket(bucket);
        self.count += 1;
        self.used - 1
    }

    /// Zend's rule for when an integer key keeps an array packed.
    #[inline]
    fn packed_has_room_for(&self, key: i64) -> bool {
        let Ok(key) = u32::try_from(key) else { return false };
        // A hole is before elements that were added earlier: filling it would break the order.
        if key < self.used {
            return false;
        }
        let capacity = self.capacity.max(CAPACITY_MIN);
        key < capacity || (key >> 1 < capacity && capacity >> 1 < self.count && (key as usize) < CAPACITY_MAX)
    }

    #[inline]
    fn add_packed(&mut self, at: u32) -> u32 {
        self.note_int_key(at as i64);
        if at >= self.capacity {
            let capacity = capacity_for(at as usize + 1).max(self.capacity.saturating_mul(2).min(1 << 30));
            self.grow_packed(capacity);
        }
        while self.used < at {
            self.push_cell(Val::UNDEF);
        }
        self.push_cell(Val::NULL);
        self.count += 1;
        at
    }

    fn convert_to_hash(&mut self) {
        let (used, internal) = (self.used, self.internal_position.get());
        let mut old = std::mem::take(&mut Taken::of(self).values);
        self.allocate(ArrKind::Hash, capacity_for(used as usize + 1));
        let mut new_internal = None;
        for (at, value) in old.drain(..).enumerate() {
            if at as u32 >= internal && new_internal.is_none() && !value.is_undef() {
                new_internal = Some(self.used);
            }
            if !value.is_undef() {
                if self.iterators.get() > 0 {
                    iterator::move_position(self as *const _ as usize, at as u32, self.used);
                }
                self.push_bucket(Bucket { value, hash: at as u64, key: None });
                self.count += 1;
            }
        }
        self.internal_position.set(new_internal.unwrap_or(self.used));
    }

    /// Drops tombstones if there are enough of them, else doubles.
    #[inline]
    fn make_room(&mut self) {
        let capacity = if self.count + (self.count >> 5) < self.used {
            self.capacity
        } else {
            capacity_for(self.capacity as usize * 2)
        };
        self.rebuild(capacity.max(CAPACITY_MIN));
    }

    /// Moves the buckets to a new block without tombstones.
    fn rebuild(&mut self, capacity: u32) {
        let internal = self.internal_position.get();
        let me = self as *const ArrHeader as usize;
        let mut old = ArrHeader::detached(self);
        self.allocate(ArrKind::Hash, capacity);
        let mut new_internal = None;
        for (at, bucket) in old.drain_buckets() {
            if at >= internal && new_internal.is_none() {
                new_internal = Some(self.used);
            }
            if self.iterators.get() > 0 {
                iterator::move_position(me, at, self.used);
            }
            self.push_bucket(bucket);
            self.count += 1;
        }
        self.internal_position.set(new_internal.unwrap_or(self.used));
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
        if self.internal_position.get() > self.used {
            self.internal_position.set(self.used);
        }
        value
    }

    fn unlink(&mut self, at: u32) {
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

    /// Fills a new array with another's elements, mapped. Holes stay when an iterator relies on positions.
    pub(super) fn copy_from(&mut self, other: &ArrHeader, map: impl Fn(&Val) -> Val) {
        self.next_free = other.next_free;
        self.exhausted = other.exhausted;
        if other.used == 0 {
            self.internal_position.set(0);
            return;
        }
        let keep_holes = other.iterators.get() > 0 || other.kind == ArrKind::Packed;
        let count = if keep_holes { other.used } else { other.count };
        let capacity = match other.kind {
            ArrKind::Packed => count.max(CAPACITY_MIN),
            ArrKind::Hash => capacity_for(count as usize),
        };
        self.allocate(other.kind, capacity);
        let internal = other.internal_position.get();
        let mut new_internal = None;
        for at in 0..other.used {
            if at >= internal && new_internal.is_none() && (keep_holes || other.value_at(at).is_some()) {
                new_internal = Some(self.used);
            }
            match (other.key_at(at), other.value_at(at)) {
                (Some(key), Some(value)) => self.copy_element(key, map(value)),
                _ if keep_holes => self.push_hole(),
                _ => {}
            }
        }
        self.internal_position.set(new_internal.unwrap_or(self.used));
    }

    #[inline]
    fn copy_element(&mut self, key: Key<'_>, value: Val) {
        self.count += 1;
        match (self.kind, key) {
            (ArrKind::Packed, _) => self.push_cell(value),
            (ArrKind::Hash, Key::Int(i)) => self.push_bucket(Bucket { value, hash: i as u64, key: None }),
            (ArrKind::Hash, Key::Str(s)) => self.push_bucket(Bucket { value, hash: s.hash(), key: Some(s.clone()) }),
        }
    }

    #[inline]
    fn push_hole(&mut self) {
        match self.kind {
            ArrKind::Packed => self.push_cell(Val::UNDEF),
            ArrKind::Hash => {
                self.push_bucket(Bucket { value: Val::UNDEF, hash: 0, key: None });
                let at = self.used - 1;
                self.unlink(at);
            }
        }
    }

    /// Moves the storage of `source` into a header of its own on the stack.
    #[inline]
    fn detached(source: &mut ArrHeader) -> Taken {
        Taken::of(source)
    }
}

/// Elements taken out of an array whose storage is being replaced.
struct Taken {
    values: Vec<Val>,
    buckets: Vec<(u32, Bucket)>,
}

impl Taken {
    fn of(source: &mut ArrHeader) -> Taken {
        let mut taken = Taken { values: Vec::new(), buckets: Vec::new() };
        match source.kind {
            ArrKind::Packed => taken.values = source.cells_mut().iter_mut().map(Val::take).collect(),
            ArrKind::Hash => {
                taken.buckets = source
                    .buckets_mut()
                    .iter_mut()
                    .enumerate()
                    .filter(|(_, bucket)| !bucket.value.is_undef())
                    .map(|(at, bucket)| {
                        let moved = Bucket { value: bucket.value.take(), hash: bucket.hash, key: bucket.key.take() };
                        (at as u32, moved)
                    })
                    .collect();
            }
        }
        drop(source.take_storage());
        taken
    }

    #[inline]
    fn drain_buckets(&mut self) -> impl Iterator<Item = (u32, Bucket)> + '_ {
        self.buckets.drain(..)
    }
}
