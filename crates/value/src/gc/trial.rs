//! Trial deletion: finds the nodes that are held by each other only. References between the nodes below the roots are counted in
//! the headers, beside the reference counts, which do not change: a node whose two counts are equal is not held from elsewhere.
//! Roots are traversed in groups, so that the memory of several of them is prefetched at once: most roots reach few nodes.

use super::walk::{Walk, ask_for};
use super::{Node, collectable, copy, trace};
use crate::Val;
use crate::header::*;
use std::collections::HashMap;

/// Number of roots that are traversed together. Their headers should still be in the first-level cache when their turn comes.
const TOGETHER: usize = 64;

/// The state of a pass. Both walks are empty before and after each step.
pub(super) struct Trial {
    work: Walk,
    black: Walk,
    /// Number of nodes that are white now.
    whites: usize,
    /// Internal references that exceed what fits into a header, by the header's address.
    beyond: HashMap<usize, u64>,
}

impl Trial {
    pub(super) fn new() -> Trial {
        Trial { work: Walk::new(), black: Walk::new(), whites: 0, beyond: HashMap::new() }
    }

    /// Whether any node is held by other garbage only.
    pub(super) fn found_any(&self) -> bool {
        self.whites > 0
    }

    /// Marks the nodes below the roots grey and counts the references between them.
    pub(super) fn mark_roots(&mut self, roots: &[Node]) {
        for_each_group(roots, |group| {
            for root in group {
                if let Some(header) = collectable(root).filter(|header| header.color() == COLOR_PURPLE) {
                    header.set_color(COLOR_GREY);
                    self.work.push(copy(root));
                }
            }
            self.count();
        });
    }

    /// Marks the nodes below one more node grey and counts the references between them.
    pub(super) fn mark_grey(&mut self, node: &Val) {
        if let Some(header) = collectable(node) {
            header.set_color(COLOR_GREY);
            self.work.push(copy(node));
            self.count();
        }
    }

    /// Counts a reference to this node from another node of the trial.
    #[inline(always)]
    pub(super) fn note_reference(&mut self, header: &Header) {
        note_reference(&mut self.beyond, header);
    }

    /// Whether something outside of the traversed nodes holds this one.
    #[inline(always)]
    fn is_held_from_outside(&self, header: &Header) -> bool {
        let internal = header.internal();
        if internal < MOST_INTERNAL {
            return header.rc.get() > internal;
        }
        let beyond = self.beyond.get(&(std::ptr::from_ref(header) as usize)).copied().unwrap_or_default();
        u64::from(header.rc.get()) > u64::from(internal) + beyond
    }

    fn count(&mut self) {
        let (work, beyond) = (&mut self.work, &mut self.beyond);
        while let Some(node) = work.next() {
            trace(&node, &mut |child| {
                let Some(header) = collectable(child) else { return };
                note_reference(beyond, header);
                if header.color() != COLOR_GREY {
                    header.set_color(COLOR_GREY);
                    work.push(copy(child));
                }
            });
        }
    }

    /// Makes grey nodes that are held from outside black again, with all that they reach, and the others white.
    pub(super) fn scan_roots(&mut self, roots: &[Node]) {
        for_each_group(roots, |group| {
            for root in group {
                if collectable(root).is_some_and(|header| header.color() == COLOR_GREY) {
                    self.work.push(copy(root));
                }
            }
            self.part();
        });
    }

    /// Decides whether one node and what it reaches are black or white.
    pub(super) fn scan(&mut self, node: &Val) {
        self.work.push(copy(node));
        self.part();
    }

    fn part(&mut self) {
        while let Some(node) = self.work.next() {
            let Some(header) = collectable(&node).filter(|header| header.color() == COLOR_GREY) else { continue };
            if self.is_held_from_outside(header) {
                // What a black node reaches may become white here; `restore` makes it black.
                blacken(header);
                self.black.push(node);
                continue;
            }
            let work = &mut self.work;
            header.set_color(COLOR_WHITE);
            self.whites += 1;
            trace(&node, &mut |child| {
                if collectable(child).is_some_and(|h| h.color() == COLOR_GREY) {
                    work.push(copy(child));
                }
            });
        }
        self.restore();
    }

    /// Makes a node black that turned out to be held from outside, with all that it reaches.
    pub(super) fn revive(&mut self, node: &Val) {
        if let Some(header) = collectable(node) {
            self.whites = self.whites.saturating_sub(usize::from(header.color() == COLOR_WHITE));
            blacken(header);
            self.black.push(copy(node));
            self.restore();
        }
    }

    /// Makes everything that black nodes reach black.
    fn restore(&mut self) {
        let (black, whites) = (&mut self.black, &mut self.whites);
        while let Some(node) = black.next() {
            trace(&node, &mut |child| {
                let Some(header) = collectable(child) else { return };
                if header.color() != COLOR_BLACK {
                    *whites = whites.saturating_sub(usize::from(header.color() == COLOR_WHITE));
                    blacken(header);
                    black.push(copy(child));
                }
            });
        }
    }
}

/// Calls `go_through` with groups of roots; the headers of the next group are prefetched meanwhile.
fn for_each_group(roots: &[Node], mut go_through: impl FnMut(&[Node])) {
    let mut groups = roots.chunks(TOGETHER).peekable();
    while let Some(group) = groups.next() {
        if let Some(next) = groups.peek() {
            next.iter()
                .filter_map(|root| collectable(root))
                .for_each(|header| ask_for(std::ptr::from_ref(header) as usize));
        }
        go_through(group);
    }
}

#[inline(always)]
fn note_reference(beyond: &mut HashMap<usize, u64>, header: &Header) {
    match header.internal() {
        MOST_INTERNAL => *beyond.entry(std::ptr::from_ref(header) as usize).or_default() += 1,
        count => header.set_internal(count + 1),
    }
}

/// Makes a node black and clears its count of internal references.
#[inline(always)]
fn blacken(header: &Header) {
    header.set_color(COLOR_BLACK);
    header.set_internal(0);
}

/// Adds the white nodes at and below a root to the garbage, and makes them black.
pub(super) fn collect_white(root: &Val, garbage: &mut Vec<Node>) {
    let mut work = Vec::new();
    if let Some(header) = collectable(root) {
        if header.color() != COLOR_WHITE {
            return;
        }
        blacken(header);
        work.push(copy(root));
    }
    while let Some(node) = work.pop() {
        trace(&node, &mut |child| {
            let Some(header) = collectable(child) else { return };
            if header.color() == COLOR_WHITE {
                blacken(header);
                work.push(copy(child));
            }
        });
        garbage.push(node);
    }
}
