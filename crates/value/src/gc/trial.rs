//! Trial deletion: which nodes are held by nothing but each other. Roots are gone through some at a time, so that memory is asked
//! about for several of them at once: most reach a few nodes only.

use super::walk::{Walk, ask_for};
use super::{Node, collectable, copy, trace};
use crate::Val;
use crate::header::*;

/// Roots that are gone through together. Their headers should still be in the first-level cache when their turn comes.
const TOGETHER: usize = 64;

/// The walks of a pass. They are empty before and after each step: there may be as many roots as objects.
pub(super) struct Trial {
    work: Walk,
    black: Walk,
    /// Nodes that are white now.
    whites: usize,
}

impl Trial {
    pub(super) fn new() -> Trial {
        Trial { work: Walk::new(), black: Walk::new(), whites: 0 }
    }

    /// Is anything held by nothing but each other?
    pub(super) fn found_any(&self) -> bool {
        self.whites > 0
    }

    /// Subtracts internal counts below roots, leaving only those from outside.
    pub(super) fn mark_roots(&mut self, roots: &[Node]) {
        for_each_group(roots, |group| {
            for root in group {
                if let Some(header) = collectable(root).filter(|header| header.color() == COLOR_PURPLE) {
                    header.set_color(COLOR_GREY);
                    self.work.push(copy(root));
                }
            }
            self.subtract();
        });
    }

    /// The same below one node.
    pub(super) fn mark_grey(&mut self, node: &Val) {
        if let Some(header) = collectable(node) {
            header.set_color(COLOR_GREY);
            self.work.push(copy(node));
            self.subtract();
        }
    }

    fn subtract(&mut self) {
        let work = &mut self.work;
        while let Some(node) = work.next() {
            trace(&node, &mut |child| {
                let Some(header) = collectable(child) else { return };
                header.rc.set(header.rc.get() - 1);
                if header.color() != COLOR_GREY {
                    header.set_color(COLOR_GREY);
                    work.push(copy(child));
                }
            });
        }
    }

    /// Grey nodes with outside counts become black again with all they reach; the others white.
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

    /// The same of one node and what it reaches.
    pub(super) fn scan(&mut self, node: &Val) {
        self.work.push(copy(node));
        self.part();
    }

    fn part(&mut self) {
        let (work, black) = (&mut self.work, &mut self.black);
        while let Some(node) = work.next() {
            let Some(header) = collectable(&node).filter(|header| header.color() == COLOR_GREY) else { continue };
            if header.rc.get() > 0 {
                // What it reaches may be found white until it is gone through.
                header.set_color(COLOR_BLACK);
                black.push(node);
                continue;
            }
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
            self.whites -= usize::from(header.color() == COLOR_WHITE);
            header.set_color(COLOR_BLACK);
            self.black.push(copy(node));
            self.restore();
        }
    }

    /// Gives the counts back below black nodes.
    fn restore(&mut self) {
        let (black, whites) = (&mut self.black, &mut self.whites);
        while let Some(node) = black.next() {
            trace(&node, &mut |child| {
                let Some(header) = collectable(child) else { return };
                header.incref();
                if header.color() != COLOR_BLACK {
                    *whites -= usize::from(header.color() == COLOR_WHITE);
                    header.set_color(COLOR_BLACK);
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

/// White nodes below a root, with their counts restored.
pub(super) fn collect_white(root: &Val, garbage: &mut Vec<Node>) {
    let mut work = Vec::new();
    if let Some(header) = collectable(root) {
        if header.color() != COLOR_WHITE {
            return;
        }
        header.set_color(COLOR_BLACK);
        work.push(copy(root));
    }
    while let Some(node) = work.pop() {
        trace(&node, &mut |child| {
            let Some(header) = collectable(child) else { return };
            header.incref();
            if header.color() == COLOR_WHITE {
                header.set_color(COLOR_BLACK);
                work.push(copy(child));
            }
        });
        garbage.push(node);
    }
}
