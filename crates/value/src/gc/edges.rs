//! What native data holds, as it tells the collector.

use super::{Node, collectable};
use crate::{PhpArr, PhpObj, Slot, Val, heap};
use std::cell::RefCell;
use std::mem::ManuallyDrop;

thread_local! {
    /// The list of the last object's edges, kept for the next one's.
    static SPARE: RefCell<Vec<Val>> = const { RefCell::new(Vec::new()) };
    /// Values that native data made while it told what it holds. They go when the collector has run.
    static MADE: RefCell<Vec<Val>> = const { RefCell::new(Vec::new()) };
}

/// The values that native data holds. Each is counted here until all have been told, so that nothing that is told of can go away
/// meanwhile, and a handle that was copied only to be told of counts as the one that it was copied from.
pub struct Edges {
    told: Vec<Val>,
}

impl Edges {
    /// A value that is held.
    #[inline]
    pub fn value(&mut self, value: &Val) {
        if collectable(value).is_some() {
            self.told.push(value.clone());
        }
    }

    /// An object that is held.
    #[inline]
    pub fn object(&mut self, object: &PhpObj) {
        self.told.push(object.clone().into());
    }

    /// An array that is held.
    pub fn array(&mut self, array: &PhpArr) {
        self.told.push(array.clone().into());
    }

    /// What a slot holds.
    #[inline]
    pub fn slot(&mut self, slot: &Slot) {
        self.value(slot.peek());
    }
}

/// Has native data tell what it holds, and shows each of that as a node that owns no count.
///
/// Telling too much, too little, or something else each time makes the collector spare garbage or empty an object that is in use;
/// it frees nothing that is held. Dropping a value meanwhile could, and ends the process.
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

/// Drops what native data made.
pub(super) fn drop_made() {
    drop(MADE.take());
}
