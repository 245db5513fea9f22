//! The nodes that a traversal of the collector has still to visit. The collector spends nearly all of its time waiting for
//! memory, because nodes lie wherever they were allocated; so what a node holds is prefetched some nodes before its turn.

use super::{Node, collectable};
use crate::Val;
use crate::val::Kind;

/// Number of nodes that are prefetched ahead; a power of two.
pub(super) const AHEAD: usize = 16;
/// Number of children of a node that are prefetched; the others of a larger array or object are not.
const CHILDREN: usize = 8;

/// The nodes to visit: a stack, and a ring of nodes that were taken off its top and whose memory is being prefetched.
pub(super) struct Walk {
    stack: Vec<Node>,
    /// The ring of prefetched nodes, in the order in which their turns come.
    ahead: [Node; AHEAD],
    first: usize,
    count: usize,
}

impl Walk {
    pub(super) fn new() -> Walk {
        Walk { stack: Vec::new(), ahead: [const { Node::new(Val::NULL) }; AHEAD], first: 0, count: 0 }
    }

    /// Adds a node to visit.
    #[inline(always)]
    pub(super) fn push(&mut self, node: Node) {
        self.stack.push(node);
    }

    /// The next node; `None` after the last one.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<Node> {
        while self.count < AHEAD
            && let Some(node) = self.stack.pop()
        {
            ask_for_contents(&node);
            self.ahead[(self.first + self.count) % AHEAD] = node;
            self.count += 1;
            if self.count > AHEAD / 2 {
                ask_for_children(&self.ahead[(self.first + self.count - AHEAD / 2) % AHEAD]);
            }
        }
        if self.count == 0 {
            return None;
        }
        let node = std::mem::replace(&mut self.ahead[self.first], Node::new(Val::NULL));
        self.first = (self.first + 1) % AHEAD;
        self.count -= 1;
        Some(node)
    }
}

/// Prefetches the cells of an array or the slots of an object, whose header was read when the node was found.
#[inline(always)]
fn ask_for_contents(node: &Val) {
    match node.kind() {
        Kind::Arr => {
            if let Some(array) = node.as_arr() {
                ask_for(array.contents_address());
            }
        }
        Kind::Obj => {
            if let Some(object) = node.as_obj() {
                ask_for(object.slots_in_place().as_ptr() as usize);
            }
        }
        _ => {}
    }
}

/// Prefetches the headers of the first children of a node.
#[inline(always)]
fn ask_for_children(node: &Val) {
    let ask = |child: &Val| {
        if let Some(header) = collectable(child) {
            ask_for(std::ptr::from_ref(header) as usize);
        }
    };
    match node.kind() {
        Kind::Arr => {
            if let Some(array) = node.as_arr() {
                array.edges().take(CHILDREN).for_each(ask);
            }
        }
        Kind::Obj => {
            if let Some(object) = node.as_obj() {
                object.slots_in_place().iter().take(CHILDREN).for_each(|slot| ask(slot.peek()));
            }
        }
        _ => {}
    }
}

/// Prefetches the cache line at an address.
#[inline(always)]
pub(super) fn ask_for(address: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch of any address has no effect that a program can observe.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(std::ptr::without_provenance(address));
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}
