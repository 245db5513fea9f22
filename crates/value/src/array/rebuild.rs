//! Tables that move: growth of hash tables, lists that become hash tables, copies.

use super::iterator;
use super::layout::{ArrHeader, ArrKind, Bucket};
use super::pointer::{self, ClosingHoles, CopyWithoutHoles};
use super::table::{CAPACITY_MIN, capacity_for, list_capacity};
use crate::val::Val;

impl ArrHeader {
    /// Converts a list to a hash table.
    pub(super) fn convert_to_hash(&mut self) {
        let (used, mut pointer) = (self.used, ClosingHoles::new(self.internal_position.get()));
        let me = std::ptr::from_ref(self) as usize;
        let (has_iterators, mut kept) = (self.iterators.get() > 0, Vec::new());
        let size = self.zend_size().max(used + 1);
        let old = self.take_storage();
        self.allocate(ArrKind::Hash, capacity_for(size as usize));
        old.into_cells(|at, value| {
            if value.is_undef() {
                return;
            }
            pointer.moves(at, self.used);
            if has_iterators {
                kept.push(at);
            }
            self.push_bucket(Bucket { value, hash: at as u64, key: None });
            self.count += 1;
        });
        self.internal_position.set(pointer.pointer(self.count == 0));
        if has_iterators {
            iterator::close_holes(me, &kept);
        }
    }

    /// Makes room in a full table: closes holes if there are enough of them, else doubles the capacity.
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

    /// Numbers the integer keys of a hash table from 0 on. Holes are closed if one of the keys changes.
    pub(super) fn number_keys(&mut self) {
        let (mut next, mut is_changed) = (0, false);
        for bucket in self.buckets_mut().iter_mut().filter(|bucket| !bucket.value.is_undef() && bucket.key.is_none()) {
            is_changed |= bucket.hash != next;
            bucket.hash = next;
            next += 1;
        }
        (self.next_free, self.exhausted) = (next as i64, false);
        if is_changed {
            self.rebuild(self.capacity);
        }
    }

    /// Moves the buckets with elements to a new block, without holes.
    fn rebuild(&mut self, capacity: u32) {
        let mut pointer = ClosingHoles::new(self.internal_position.get());
        let me = std::ptr::from_ref(self) as usize;
        let (has_iterators, mut kept) = (self.iterators.get() > 0, Vec::new());
        let old = self.take_storage();
        self.allocate(ArrKind::Hash, capacity);
        old.into_buckets(|at, bucket| {
            pointer.moves(at, self.used);
            if has_iterators {
                kept.push(at);
            }
            self.push_bucket(bucket);
            self.count += 1;
        });
        self.internal_position.set(pointer.pointer(self.count == 0));
        if has_iterators {
            iterator::close_holes(me, &kept);
        }
    }

    /// Reorders the elements: see [`super::PhpArr::reorder`].
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

    /// Fills a new array with the mapped elements of another, without the first `skipped` cells of a list. The copy of a shared
    /// hash table has no holes; the copy of an unshared one keeps them, because it is made for a stress mode and must not show.
    #[inline]
    pub(super) fn copy_from(&mut self, other: &ArrHeader, skipped: u32, is_shared: bool, map: impl Fn(&Val) -> Val) {
        self.next_free = other.next_free;
        self.exhausted = other.exhausted;
        if other.used == 0 {
            return;
        }
        let is_whole = other.count == other.used || !is_shared;
        match other.kind {
            ArrKind::Packed | ArrKind::PackedBool | ArrKind::PackedInt | ArrKind::PackedDbl => {
                self.allocate(other.kind, (other.used - skipped).max(CAPACITY_MIN));
                self.size_before = other.size_before.max(other.capacity);
                self.copy_block(other, skipped, map);
            }
            ArrKind::Hash if is_whole => {
                self.allocate_unfilled(ArrKind::Hash, other.capacity);
                self.copy_block(other, 0, map);
            }
            ArrKind::Hash => return self.copy_without_holes(other, map),
        }
        let pointer = other.internal_position.get();
        self.internal_position.set(if is_shared { pointer::in_copy(pointer, other.used) } else { pointer });
        if other.iterators.get() > 0 {
            iterator::note_copy(other, self, |position| position);
        }
    }

    fn copy_without_holes(&mut self, other: &ArrHeader, map: impl Fn(&Val) -> Val) {
        self.allocate(ArrKind::Hash, other.capacity);
        let mut pointer = CopyWithoutHoles::new(other);
        let (has_iterators, mut kept) = (other.iterators.get() > 0, Vec::new());
        for (at, bucket) in (0..).zip(other.buckets()) {
            if bucket.value.is_undef() {
                pointer.hole();
                continue;
            }
            pointer.moves(at, self.used);
            if has_iterators {
                kept.push(at);
            }
            self.push_bucket(Bucket { value: map(&bucket.value), hash: bucket.hash, key: bucket.key.clone() });
            self.count += 1;
        }
        self.internal_position.set(pointer.pointer());
        if has_iterators {
            // A loop that waits behind the end keeps that position, as in Zend.
            let moved = |position| {
                if position >= other.used { position } else { kept.partition_point(|&kept| kept < position) as u32 }
            };
            iterator::note_copy(other, self, moved);
        }
    }
}
