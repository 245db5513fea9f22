//! The nodes that a walk of the collector has still to go through. Nearly all of its time is waiting for memory, as the nodes lie
//! wherever they were made: what a node holds is asked for some nodes before it is its turn.

use super::{Node, collectable};
use crate::Val;
use crate::val::Kind;

/// Nodes that are asked for ahead; a power of two.
pub(super) const AHEAD: usize = 16;
/// Lists and objects of more have but their first children asked for.
const CHILDREN: usize = 8;

/// Nodes to go through: a stack, and those off its top that memory is asked about.
pub(super) struct Walk {
    stack: Vec<Node>,
    /// A ring of nodes, in the order in which their turns come.
    ahead: [Node; AHEAD],
    first: usize,
    count: usize,
}

impl Walk {
    pub(super) fn new() -> Walk {
        Walk { stack: Vec::new(), ahead: [const { Node::new(Val::NULL) }; AHEAD], first: 0, count: 0 }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, node: Node) {
        self.stack.push(node);
    }

    /// The next node; empty after the last one.
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

/// Asks for the cells of an array, whose header was looked at when the node was found.
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

/// Asks for the headers of what a node holds.
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

/// Has the processor get a line of memory.
#[inline(always)]
pub(super) fn ask_for(address: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch of any address has no effect that a program can see.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(std::ptr::without_provenance(address));
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}
