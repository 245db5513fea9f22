//! Operations on whole lists: copies, slices, splicing, removing the first element.

use super::{PhpArr, PointerStep, layout};
use crate::val::Val;

impl PhpArr {
    /// Appends copies of values; a reference that only its place holds becomes a value. False, and nothing happened, if the array
    /// is no list whose next index is its length.
    pub fn extend_from_list(&mut self, values: &[Val]) -> bool {
        let plain = self.as_list().is_some_and(|own| self.next_index() == Some(own.len() as i64));
        if !plain {
            return false;
        }
        if values.is_empty() {
            return true;
        }
        self.separate();
        self.table_mut().append_copies(values, |value| match value.as_ref() {
            Some(reference) if reference.refcount() == 1 => reference.get(),
            _ => value.clone(),
        });
        true
    }

    /// A list of copies of values; a reference that only its place holds becomes a value.
    pub fn copy_of_list(values: &[Val]) -> PhpArr {
        if values.is_empty() {
            return PhpArr::new();
        }
        let mut list = PhpArr(layout::allocate_header());
        list.extend_from_list(values);
        list
    }

    /// A list of copies of values; references stay references.
    #[inline]
    pub fn list_of(values: &[Val]) -> PhpArr {
        if values.is_empty() {
            return PhpArr::new();
        }
        let mut list = PhpArr(layout::allocate_header());
        list.table_mut().append_copies(values, Val::clone);
        list
    }

    /// Takes `count` elements from `start` on out of a list, and puts copies of `values` in their place. `None`, and nothing
    /// happened, if the array is no list whose next index is its length, if a loop by reference is registered, if the range is
    /// beyond the list, or if some value is a reference or undefined.
    pub fn splice_list(&mut self, start: usize, count: usize, values: &[Val]) -> Option<PhpArr> {
        let len = self.as_list()?.len();
        let is_plain = self.next_index() == Some(len as i64) && self.inner().iterators.get() == 0;
        let fits = count <= len && start <= len - count && (len - count).checked_add(values.len())? < (1 << 30);
        if !is_plain || !fits || values.iter().any(|value| value.is_ref() || value.is_undef()) {
            return None;
        }
        self.separate();
        let mut removed = PhpArr(layout::allocate_header());
        self.table_mut().splice_packed(start as u32, count as u32, removed.table_mut(), values);
        self.rewind_pointer();
        Some(removed)
    }

    /// Takes the first element of a hash table out, as `array_shift` does: integer keys are numbered anew, and the table closes
    /// its holes only if a key changes.
    pub fn shift_hash(&mut self) -> Option<Val> {
        debug_assert!(!self.is_packed());
        self.separate();
        let first = self.remove_at(self.inner().element_from(0)?);
        self.table_mut().number_keys();
        self.move_pointer(PointerStep::First);
        Some(first)
    }

    /// Takes the first element of a list out; the others move down. `None` if the list is empty, or the array is no list whose
    /// next index is its length.
    pub fn shift_list(&mut self) -> Option<Val> {
        let len = self.as_list()?.len();
        if len == 0 || self.next_index() != Some(len as i64) {
            return None;
        }
        let first = match self.is_unique() || self.inner().iterators.get() > 0 {
            true => {
                self.separate();
                self.table_mut().shift_packed()
            }
            false => {
                let first = self.as_list()?[0].clone();
                let mut rest = self.duplicate(1, true);
                rest.table_mut().next_free = len as i64 - 1;
                std::mem::replace(self, rest).leave_to_others();
                first
            }
        };
        self.rewind_pointer();
        Some(first)
    }
}
