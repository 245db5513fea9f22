//! The values that native data tells the collector it holds.

use super::{Node, collectable};
use crate::{PhpArr, PhpObj, Slot, Val, heap};
use std::cell::RefCell;
use std::mem::ManuallyDrop;

thread_local! {
    /// The buffer of the last object's edges, kept for reuse.
    static SPARE: RefCell<Vec<Val>> = const { RefCell::new(Vec::new()) };
    /// Values that native data created while it told what it holds. They are dropped when the collector has run.
    static MADE: RefCell<Vec<Val>> = const { RefCell::new(Vec::new()) };
}

/// The values that native data holds. Each value is counted until all have been told, so that none of them can be freed
/// meanwhile, and so that a handle that was copied only to be told counts as the handle that it was copied from.
pub struct Edges {
    told: Vec<Val>,
}

impl Edges {
    /// Tells the collector of a value.
    #[inline]
    pub fn value(&mut self, value: &Val) {
        if collectable(value).is_some() {
            self.told.push(value.clone());
        }
    }

    /// Tells the collector of an object.
    #[inline]
    pub fn object(&mut self, object: &PhpObj) {
        self.told.push(object.clone().into());
    }

    /// Tells the collector of an array.
    pub fn array(&mut self, array: &PhpArr) {
        self.told.push(array.clone().into());
    }

    /// Tells the collector of the value in a slot.
    #[inline]
    pub fn slot(&mut self, slot: &Slot) {
        self.value(slot.peek());
    }
}

/// Lets native data tell what it holds, and calls `visit` with each of these values as a node that owns no count.
///
/// If a `trace` tells too much, too little, or something else each time, the collector spares garbage or empties an object that
/// is in use; it frees nothing that is held. A `trace` that drops a value could free something, so it ends the process.
pub(crate) fn show(tell: impl FnOnce(&mut Edges), visit: &mut impl FnMut(&Val)) {
    let mut edges = Edges { told: SPARE.take() };
    let before = heap::bytes_used();
    tell(&mut edges);
    if heap::bytes_used() < before {
        eprintln!("Internal engine error: a value was dropped by NativeData::trace");
        std::process::abort();
    }
    for value in edges.told.drain(..) {
        let Some(header) = collectable(&value) else { continue };
        if header.rc.get() == 1 {
            MADE.with_borrow_mut(|made| made.push(value));
            continue;
        }
        header.rc.set(header.rc.get() - 1);
        let node: Node = ManuallyDrop::new(value);
        visit(&node);
    }
    SPARE.set(edges.told);
}

/// Drops the values that native data created while it was traced.
pub(super) fn drop_made() {
    drop(MADE.take());
}
