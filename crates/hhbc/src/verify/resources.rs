//! Sets of what must be given back: initialised iterators and silenced error reporting. Sets are interned, so that
//! comparing two states compares two numbers.

use crate::ids::{IterId, LocalId};
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

/// Something that the code must release on every path, exceptions included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resource {
    /// An iterator; `by_ref`: initialised by an `MIterInit`.
    Iter { iter: IterId, by_ref: bool },
    /// Silenced errors, the old level being kept in the local.
    Silence(LocalId),
}

impl Resource {
    /// The other kind of the same iterator.
    pub fn other_kind(self) -> Option<Resource> {
        match self {
            Resource::Iter { iter, by_ref } => Some(Resource::Iter { iter, by_ref: !by_ref }),
            Resource::Silence(_) => None,
        }
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

/// An interned set of resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Held(u32);

impl Held {
    pub const NONE: Held = Held(0);
}

/// All sets seen in a function. The empty one, which most functions never leave, is not stored.
#[derive(Default)]
pub struct ResourceSets {
    sets: Vec<Rc<[Resource]>>,
    ids: HashMap<Rc<[Resource]>, Held>,
    total_len: usize,
}

impl ResourceSets {
    /// Sizes of all sets together, for bounding what hostile code may cost.
    pub fn total_len(&self) -> usize {
        self.total_len
    }

    pub fn get(&self, held: Held) -> &[Resource] {
        match held.0 {
            0 => &[],
            stored => &self.sets[stored as usize - 1],
        }
    }

    pub fn contains(&self, held: Held, resource: Resource) -> bool {
        self.get(held).binary_search(&resource).is_ok()
    }

    fn intern(&mut self, set: Vec<Resource>) -> Held {
        if set.is_empty() {
            return Held::NONE;
        }
        if let Some(&id) = self.ids.get(set.as_slice()) {
            return id;
        }
        self.total_len += set.len();
        let set: Rc<[Resource]> = set.into();
        self.sets.push(set.clone());
        let id = Held(self.sets.len() as u32);
        self.ids.insert(set, id);
        id
    }

    pub fn of(&mut self, resources: impl IntoIterator<Item = Resource>) -> Held {
        let mut set: Vec<Resource> = resources.into_iter().collect();
        set.sort_unstable();
        set.dedup();
        self.intern(set)
    }

    pub fn with(&mut self, held: Held, resource: Resource) -> Held {
        let mut set = self.get(held).to_vec();
        if let Err(position) = set.binary_search(&resource) {
            set.insert(position, resource);
        }
        self.intern(set)
    }

    pub fn without(&mut self, held: Held, resource: Resource) -> Held {
        self.minus(held, &[resource])
    }

    pub fn minus(&mut self, held: Held, released: &[Resource]) -> Held {
        let set = self.get(held).iter().filter(|r| !released.contains(r)).copied().collect();
        self.intern(set)
    }
}
