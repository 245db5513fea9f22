//! Evaluation stacks as nodes of a tree: equal stacks are the same node, so that comparing two states costs nothing
//! and all states together take memory proportional to the values pushed.

use crate::info::Slot;

/// What is known statically about a stack slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Flavour {
    C,
    V,
    A,
    R,
    F,
}

const FLAVOURS: usize = 5;

impl Flavour {
    /// The flavour of a table entry that stands for one value.
    pub fn of(slot: Slot) -> Option<Flavour> {
        match slot {
            Slot::C => Some(Flavour::C),
            Slot::V => Some(Flavour::V),
            Slot::A => Some(Flavour::A),
            Slot::R => Some(Flavour::R),
            Slot::F => Some(Flavour::F),
            Slot::Cn | Slot::CVn | Slot::Fn | Slot::M => None,
        }
    }

    /// Whether a value of this flavour may be consumed where `wanted` is asked for.
    pub fn fits(self, wanted: Flavour) -> bool {
        self == wanted || (wanted == Flavour::R && matches!(self, Flavour::C | Flavour::V))
    }

    /// The flavour's letter in messages.
    pub fn name(self) -> &'static str {
        match self {
            Flavour::C => "C",
            Flavour::V => "V",
            Flavour::A => "A",
            Flavour::R => "R",
            Flavour::F => "F",
        }
    }
}

/// A stack, by its topmost slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stack(u32);

impl Stack {
    pub const EMPTY: Stack = Stack(0);
}

struct Node {
    below: u32,
    depth: u32,
    flavour: Flavour,
    above: [u32; FLAVOURS],
}

/// All stacks seen in a function.
pub struct Stacks {
    nodes: Vec<Node>,
}

impl Stacks {
    /// A tree with the empty stack only.
    pub fn new() -> Stacks {
        Stacks { nodes: vec![Node { below: 0, depth: 0, flavour: Flavour::C, above: [0; FLAVOURS] }] }
    }

    /// Number of values on the stack.
    pub fn depth(&self, stack: Stack) -> u32 {
        self.nodes[stack.0 as usize].depth
    }

    /// The stack with one more value on top.
    pub fn push(&mut self, stack: Stack, flavour: Flavour) -> Stack {
        let node = &self.nodes[stack.0 as usize];
        let known = node.above[flavour as usize];
        if known != 0 {
            return Stack(known);
        }
        let depth = node.depth + 1;
        let new = self.nodes.len() as u32;
        self.nodes.push(Node { below: stack.0, depth, flavour, above: [0; FLAVOURS] });
        self.nodes[stack.0 as usize].above[flavour as usize] = new;
        Stack(new)
    }

    /// The top slot and what lies below it.
    pub fn pop(&self, stack: Stack) -> Option<(Flavour, Stack)> {
        let node = &self.nodes[stack.0 as usize];
        (stack != Stack::EMPTY).then_some((node.flavour, Stack(node.below)))
    }

    /// The flavours deepest first, at most the top twelve, for messages.
    pub fn describe(&self, mut stack: Stack) -> String {
        let mut names = Vec::new();
        while let Some((flavour, below)) = self.pop(stack) {
            if names.len() == 12 {
                names.push("..");
                break;
            }
            names.push(flavour.name());
            stack = below;
        }
        names.reverse();
        format!("[{}]", names.join(" "))
    }
}
