//! Tables that move: growth of hashes, lists that become hashes, copies.

use super::layout::{ArrHeader, ArrKind, Bucket};
use super::table::{CAPACITY_MIN, capacity_for, list_capacity};
use super::{Key, iterator};
use crate::val::Val;

impl ArrHeader {
    /// A list becomes a hash.
    pub(super) fn convert_to_hash(&mut self) {
        let (used, internal) = (self.used, self.internal_position.get());
        let me = std::ptr::from_ref(self) as usize;
        let (has_iterators, mut kept) = (self.iterators.get() > 0, Vec::new());
        let old = self.take_storage();
        self.allocate(ArrKind::Hash, capacity_for(used as usize + 1));
        let mut new_internal = None;
        old.into_cells(|at, value| {
            if value.is_undef() {
                return;
            }
            if at >= internal && new_internal.is_none() {
                new_internal = Some(self.used);
            }
            if has_iterators {
                kept.push(at);
            }
            self.push_bucket(Bucket { value, hash: at as u64, key: None });
            self.count += 1;
        });
        self.internal_position.set(new_internal.unwrap_or(self.used));
        if has_iterators {
            iterator::close_holes(me, &kept);
        }
    }

    /// Drops tombstones if there are enough of them, else doubles.
    #[inline(never)]
    pub(super) fn make_room(&mut self) {
        let capacity = if self.count + (self.count >> 5) < self.used {
            self.capacity
        } else {
            capacity_for(self.capacity as usize * 2)
        };
        let capacity = capacity.max(CAPACITY_MIN);
        if self.count == self.used && !self.data.is_null() {
            return self.grow_hash(capacity);
        }
        if capacity == self.capacity && self.iterators.get() == 0 && self.kind == ArrKind::Hash {
            return self.compact_hash();
        }
        self.rebuild(capacity);
    }

    /// Moves the buckets to a new block without tombstones.
    fn rebuild(&mut self, capacity: u32) {
        let internal = self.internal_position.get();
        let me = std::ptr::from_ref(self) as usize;
        let (has_iterators, mut kept) = (self.iterators.get() > 0, Vec::new());
        let old = self.take_storage();
        self.allocate(ArrKind::Hash, capacity);
        let mut new_internal = None;
        old.into_buckets(|at, bucket| {
            if at >= internal && new_internal.is_none() {
                new_internal = Some(self.used);
            }
            if has_iterators {
                kept.push(at);
            }
            self.push_bucket(bucket);
            self.count += 1;
        });
        self.internal_position.set(new_internal.unwrap_or(self.used));
        if has_iterators {
            iterator::close_holes(me, &kept);
        }
    }

    /// See [`super::PhpArr::reorder`].
    pub(super) fn reorder(&mut self, order: &[u32], renumber: bool) {
        let size = self.zend_size();
        let mut old = self.take_storage();
        match renumber {
            true => {
                self.allocate(ArrKind::Packed, list_capacity(order.len()));
                self.size_before = size;
            }
            false => self.allocate(ArrKind::Hash, capacity_for(order.len())),
        }
        for bucket in order.iter().filter_map(|&at| old.take_at(at)) {
            match renumber {
                true => self.push_cell(bucket.value),
                false => self.push_bucket(bucket),
            }
            self.count += 1;
        }
        if renumber {
            (self.next_free, self.exhausted) = (self.count.into(), false);
        }
        self.internal_position.set(0);
    }

    /// Fills a new array with another's elements, mapped, but for the first `skipped` cells of a list. Holes stay when an
    /// iterator relies on positions.
    #[inline]
    pub(super) fn copy_from(&mut self, other: &ArrHeader, skipped: u32, map: impl Fn(&Val) -> Val) {
        self.next_free = other.next_free;
        self.exhausted = other.exhausted;
        if other.used == 0 {
            self.internal_position.set(0);
            return;
        }
        match other.kind {
            ArrKind::Packed | ArrKind::PackedBool | ArrKind::PackedInt | ArrKind::PackedDbl => {
                self.allocate(other.kind, (other.used - skipped).max(CAPACITY_MIN));
                self.size_before = other.size_before.max(other.capacity);
                self.copy_block(other, skipped, map);
            }
            ArrKind::Hash if other.count == other.used => {
                self.allocate_unfilled(ArrKind::Hash, other.capacity);
                self.copy_block(other, 0, map);
            }
            ArrKind::Hash => self.copy_with_holes(other, map),
        }
    }

    fn copy_with_holes(&mut self, other: &ArrHeader, map: impl Fn(&Val) -> Val) {
        let keep_holes = other.iterators.get() > 0;
        let count = if keep_holes { other.used } else { other.count };
        self.allocate(ArrKind::Hash, capacity_for(count as usize));
        let internal = other.internal_position.get();
        let mut new_internal = None;
        for at in 0..other.used {
            if at >= internal && new_internal.is_none() && (keep_holes || other.value_at(at).is_some()) {
                new_internal = Some(self.used);
            }
            match (other.key_at(at), other.value_at(at)) {
                (Some(key), Some(value)) => {
                    let (hash, key) = match key {
                        Key::Int(i) => (i as u64, None),
                        Key::Str(s) => (s.hash(), Some(s.clone())),
                    };
                    self.count += 1;
                    self.push_bucket(Bucket { value: map(value), hash, key });
                }
                _ if keep_holes => {
                    self.push_bucket(Bucket { value: Val::UNDEF, hash: 0, key: None });
                    let hole = self.used - 1;
                    self.unlink(hole);
                }
                _ => {}
            }
        }
        self.internal_position.set(new_internal.unwrap_or(self.used));
    }
}
