//! Sets of what must be released: initialised iterators and silenced error reporting. Sets are interned, so that
//! comparing two states compares two numbers.
//!
//! A set is a Patricia trie whose nodes are shared with the sets it was made from: a thousand nested loops hold a
//! thousand sets of up to a thousand resources, which would be too many to write out one by one.

use crate::ids::{IterId, LocalId};
use std::collections::HashMap;
use std::fmt;

/// Something that the code must release on every path, exceptions included.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Resource {
    /// An iterator; `by_ref`: initialised by an `MIterInit`.
    Iter { iter: IterId, by_ref: bool },
    /// Silenced errors, the old level being kept in the local.
    Silence(LocalId),
}

/// Tells the keys of silences from those of iterators.
const SILENCE: u64 = 1 << 40;

impl Resource {
    /// The other kind of the same iterator.
    pub fn other_kind(self) -> Option<Resource> {
        match self {
            Resource::Iter { iter, by_ref } => Some(Resource::Iter { iter, by_ref: !by_ref }),
            Resource::Silence(_) => None,
        }
    }

    fn key(self) -> u64 {
        match self {
            Resource::Iter { iter, by_ref } => u64::from(iter.0) << 1 | u64::from(by_ref),
            Resource::Silence(local) => SILENCE | u64::from(local.0),
        }
    }

    fn of_key(key: u64) -> Resource {
        if key & SILENCE != 0 {
            return Resource::Silence(LocalId((key & !SILENCE) as u32));
        }
        Resource::Iter { iter: IterId((key >> 1) as u16), by_ref: key & 1 != 0 }
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resource::Iter { iter, by_ref: false } => write!(f, "iterator {iter:?}"),
            Resource::Iter { iter, by_ref: true } => write!(f, "by-reference iterator {iter:?}"),
            Resource::Silence(local) => write!(f, "silence kept in {local:?}"),
        }
    }
}

/// An interned set of resources: the root of its trie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Held(u32);

impl Held {
    pub const NONE: Held = Held(0);
}

/// A set that is not empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    /// The set of one key.
    Leaf(u64),
    /// Keys that agree above `bit`, parted by it.
    Branch { prefix: u64, bit: u64, zeros: Held, ones: Held },
}

/// The part of a key above a bit.
fn above(key: u64, bit: u64) -> u64 {
    key & !(bit << 1).wrapping_sub(1)
}

/// All sets seen in a function. The empty one, which most functions never leave, is not stored.
#[derive(Default)]
pub struct ResourceSets {
    nodes: Vec<Node>,
    ids: HashMap<Node, Held>,
}

impl ResourceSets {
    /// Number of nodes of all sets, by which the cost of hostile code is bounded.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The resources of a set in order.
    pub fn list(&self, held: Held) -> Vec<Resource> {
        let (mut list, mut work) = (Vec::new(), vec![held]);
        while let Some(held) = work.pop() {
            match self.node(held) {
                None => {}
                Some(Node::Leaf(key)) => list.push(Resource::of_key(key)),
                Some(Node::Branch { zeros, ones, .. }) => work.extend([ones, zeros]),
            }
        }
        list
    }

    /// The first resource of the set, in the order in which a set is listed.
    pub fn first(&self, held: Held) -> Option<Resource> {
        let mut node = self.node(held)?;
        loop {
            match node {
                Node::Leaf(key) => return Some(Resource::of_key(key)),
                Node::Branch { zeros, .. } => node = self.node(zeros)?,
            }
        }
    }

    /// Whether the resource is in the set.
    pub fn contains(&self, held: Held, resource: Resource) -> bool {
        let wanted = resource.key();
        let mut held = held;
        loop {
            match self.node(held) {
                None => return false,
                Some(Node::Leaf(key)) => return key == wanted,
                Some(Node::Branch { bit, zeros, ones, .. }) => held = if wanted & bit == 0 { zeros } else { ones },
            }
        }
    }

    /// The set of these resources.
    pub fn of(&mut self, resources: impl IntoIterator<Item = Resource>) -> Held {
        resources.into_iter().fold(Held::NONE, |held, resource| self.with(held, resource))
    }

    /// The set with the resource added.
    pub fn with(&mut self, held: Held, resource: Resource) -> Held {
        self.insert(held, resource.key())
    }

    /// The set without the resource.
    pub fn without(&mut self, held: Held, resource: Resource) -> Held {
        self.remove(held, resource.key())
    }

    /// The set without the released resources.
    pub fn minus(&mut self, held: Held, released: &[Resource]) -> Held {
        released.iter().fold(held, |held, &resource| self.without(held, resource))
    }

    fn node(&self, held: Held) -> Option<Node> {
        self.nodes.get((held.0 as usize).wrapping_sub(1)).copied()
    }

    fn intern(&mut self, node: Node) -> Held {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        self.nodes.push(node);
        let id = Held(self.nodes.len() as u32);
        self.ids.insert(node, id);
        id
    }

    /// Recursion is as deep as a key has bits.
    fn insert(&mut self, held: Held, key: u64) -> Held {
        match self.node(held) {
            None => self.intern(Node::Leaf(key)),
            Some(Node::Leaf(other)) if other == key => held,
            Some(Node::Leaf(other)) => self.join(held, other, key),
            Some(Node::Branch { prefix, bit, .. }) if above(key, bit) != prefix => self.join(held, prefix, key),
            Some(Node::Branch { prefix, bit, zeros, ones }) => {
                let (zeros, ones) =
                    if key & bit == 0 { (self.insert(zeros, key), ones) } else { (zeros, self.insert(ones, key)) };
                self.intern(Node::Branch { prefix, bit, zeros, ones })
            }
        }
    }

    /// A set whose keys begin like `sample`, and a key that does not.
    fn join(&mut self, held: Held, sample: u64, key: u64) -> Held {
        let bit = 1 << (63 - (sample ^ key).leading_zeros());
        let leaf = self.intern(Node::Leaf(key));
        let (zeros, ones) = if key & bit == 0 { (leaf, held) } else { (held, leaf) };
        self.intern(Node::Branch { prefix: above(key, bit), bit, zeros, ones })
    }

    fn remove(&mut self, held: Held, key: u64) -> Held {
        match self.node(held) {
            Some(Node::Leaf(other)) if other == key => Held::NONE,
            Some(Node::Branch { prefix, bit, zeros, ones }) if above(key, bit) == prefix => {
                let (zeros, ones) =
                    if key & bit == 0 { (self.remove(zeros, key), ones) } else { (zeros, self.remove(ones, key)) };
                match (zeros, ones) {
                    (Held::NONE, other) | (other, Held::NONE) => other,
                    (zeros, ones) => self.intern(Node::Branch { prefix, bit, zeros, ones }),
                }
            }
            _ => held,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Random insertions and removals have the results of a plain set of keys, and equal sets have the same number.
    #[test]
    fn like_a_plain_set() {
        let mut sets = ResourceSets::default();
        let (mut held, mut plain) = (Held::NONE, BTreeSet::new());
        let mut seed = 1u64;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let number = ((seed >> 40) as u16 % 40) << ((seed >> 60 & 1) * 9);
            let resource = match seed >> 33 & 3 {
                0 => Resource::Silence(LocalId(u32::from(number) << 10)),
                kind => Resource::Iter { iter: IterId(number), by_ref: kind == 1 },
            };
            if seed >> 35 & 1 == 0 {
                held = sets.with(held, resource);
                plain.insert(resource.key());
            } else {
                held = sets.without(held, resource);
                plain.remove(&resource.key());
            }
            assert_eq!(sets.contains(held, resource), plain.contains(&resource.key()));
            assert_eq!(sets.first(held).map(Resource::key), plain.first().copied());
            assert_eq!(
                sets.list(held).into_iter().map(Resource::key).collect::<Vec<_>>(),
                Vec::from_iter(plain.clone())
            );
            assert_eq!(sets.of(plain.iter().rev().map(|&key| Resource::of_key(key))), held);
        }
    }
}
