//! Trial deletion: which nodes are held by nothing but each other. The references between the nodes below the roots are counted, in
//! the headers, beside the counts of all references, which stay as they are: a node of which both are the same has none from elsewhere.
//! Roots are gone through some at a time, so that memory is asked about for several of them at once: most reach a few nodes only.

use super::walk::{Walk, ask_for};
use super::{Node, collectable, copy, trace};
use crate::Val;
use crate::header::*;
use std::collections::HashMap;

/// Roots that are gone through together. Their headers should still be in the first-level cache when their turn comes.
const TOGETHER: usize = 64;

/// The walks of a pass. They are empty before and after each step: there may be as many roots as objects.
pub(super) struct Trial {
    work: Walk,
    black: Walk,
    /// Nodes that are white now.
    whites: usize,
    /// Internal references beyond those that fit into a header, by its address.
    beyond: HashMap<usize, u64>,
}

impl Trial {
    pub(super) fn new() -> Trial {
        Trial { work: Walk::new(), black: Walk::new(), whites: 0, beyond: HashMap::new() }
    }

    /// Is anything held by nothing but each other?
    pub(super) fn found_any(&self) -> bool {
        self.whites > 0
    }

    /// Counts the references between the nodes below roots.
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

    /// Counts the references below one node, too.
    pub(super) fn mark_grey(&mut self, node: &Val) {
        if let Some(header) = collectable(node) {
            header.set_color(COLOR_GREY);
            self.work.push(copy(node));
            self.count();
        }
    }

    /// A node holds this one.
    #[inline(always)]
    pub(super) fn note_reference(&mut self, header: &Header) {
        note_reference(&mut self.beyond, header);
    }

    /// Is it held by something that was not gone through?
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

    /// Grey nodes that are held from outside become black again with all they reach; the others white.
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

    /// Decides about one node and what it reaches.
    pub(super) fn scan(&mut self, node: &Val) {
        self.work.push(copy(node));
        self.part();
    }

    fn part(&mut self) {
        while let Some(node) = self.work.next() {
            let Some(header) = collectable(&node).filter(|header| header.color() == COLOR_GREY) else { continue };
            if self.is_held_from_outside(header) {
                // What it reaches may be found white until it is gone through.
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

    /// A node is held from outside after all, and so is what it reaches.
    pub(super) fn revive(&mut self, node: &Val) {
        if let Some(header) = collectable(node) {
            self.whites = self.whites.saturating_sub(usize::from(header.color() == COLOR_WHITE));
            blacken(header);
            self.black.push(copy(node));
            self.restore();
        }
    }

    /// What black nodes reach is black.
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

/// Goes through roots in groups, and has memory get the headers of the next group meanwhile.
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

/// The node is done with: nothing of the trial stays in its header.
#[inline(always)]
fn blacken(header: &Header) {
    header.set_color(COLOR_BLACK);
    header.set_internal(0);
}

/// White nodes below a root.
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
