//! Shapes: the interned property tables of TADS objects.
//!
//! A shape is a superclass list and the object's own properties in order of creation; objects with equal history share
//! one. A property of an object is then found by (shape, property) alone, which the machine's caches key on.
//! `epoch` changes when an inherited definition may have moved, and makes every cached answer void.

use std::rc::Rc;

use foldhash::HashMap;

use crate::value::{ObjId, PropId};

/// The number of a shape.
pub type ShapeId = u32;
/// A shape that no object has.
pub const NO_SHAPE: ShapeId = u32::MAX;

/// One shape.
pub struct Shape {
    /// Index of the superclass list.
    pub supers: u32,
    /// Own properties; the position is the slot of the value.
    pub props: Rc<[PropId]>,
    /// Own properties with their slots, sorted by property for searching.
    sorted: Box<[(PropId, u16)]>,
    /// Shapes reached by adding a property.
    next: HashMap<PropId, ShapeId>,
}

/// A superclass list with its linearization.
pub struct SuperList {
    /// Direct superclasses.
    pub direct: Rc<[ObjId]>,
    /// Everything inherited from, in search order.
    linear: Rc<[ObjId]>,
    epoch: u32,
}

/// Where a property was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// In the object itself, in this slot.
    Own(u16),
    /// In a superclass.
    Inherited(ObjId, u16),
    /// Nowhere among TADS objects.
    Missing,
}

/// All shapes.
pub struct Shapes {
    shapes: Vec<Shape>,
    /// The superclass list of each shape, once more: walks over all objects ask for nothing else.
    lists_of: Vec<u32>,
    supers: Vec<SuperList>,
    lists: HashMap<Rc<[ObjId]>, u32>,
    roots: HashMap<u32, ShapeId>,
    whole: HashMap<(u32, Rc<[PropId]>), ShapeId>,
    /// Changes when inherited definitions may have moved.
    pub epoch: u32,
}

impl Default for Shapes {
    fn default() -> Shapes {
        Shapes {
            shapes: Vec::new(),
            lists_of: Vec::new(),
            supers: Vec::new(),
            lists: HashMap::default(),
            roots: HashMap::default(),
            whole: HashMap::default(),
            epoch: 1,
        }
    }
}

impl Shape {
    /// The slot of a property.
    pub fn slot(&self, prop: PropId) -> Option<u16> {
        if self.sorted.len() <= 6 {
            return self.props.iter().position(|own| *own == prop).map(|at| at as u16);
        }
        self.sorted.binary_search_by_key(&prop, |row| row.0).ok().map(|at| self.sorted[at].1)
    }
}

impl Shapes {
    /// The shape.
    pub fn get(&self, id: ShapeId) -> &Shape {
        &self.shapes[id as usize]
    }

    /// The number of a shape's superclass list.
    #[inline]
    pub fn list_of(&self, id: ShapeId) -> usize {
        self.lists_of[id as usize] as usize
    }

    /// The direct superclasses of objects of this shape.
    pub fn direct(&self, id: ShapeId) -> &Rc<[ObjId]> {
        &self.supers[self.get(id).supers as usize].direct
    }

    /// The shape without properties for a superclass list.
    pub fn root(&mut self, supers: &[ObjId]) -> ShapeId {
        let list = match self.lists.get(supers) {
            Some(list) => *list,
            None => {
                let direct: Rc<[ObjId]> = Rc::from(supers);
                let list = self.supers.len() as u32;
                self.supers.push(SuperList { direct: direct.clone(), linear: Rc::from([]), epoch: 0 });
                self.lists.insert(direct, list);
                list
            }
        };
        if let Some(shape) = self.roots.get(&list) {
            return *shape;
        }
        let shape = self.push(list, Rc::from([]));
        self.roots.insert(list, shape);
        shape
    }

    fn push(&mut self, supers: u32, props: Rc<[PropId]>) -> ShapeId {
        let mut sorted: Vec<(PropId, u16)> = props.iter().enumerate().map(|(at, prop)| (*prop, at as u16)).collect();
        sorted.sort_unstable();
        self.lists_of.push(supers);
        self.shapes.push(Shape { supers, props, sorted: sorted.into_boxed_slice(), next: HashMap::default() });
        self.shapes.len() as u32 - 1
    }

    /// The shape with one more property in the last slot.
    pub fn with(&mut self, id: ShapeId, prop: PropId) -> ShapeId {
        if let Some(next) = self.get(id).next.get(&prop) {
            return *next;
        }
        let props: Rc<[PropId]> = self.get(id).props.iter().copied().chain([prop]).collect();
        let next = self.push(self.get(id).supers, props);
        self.shapes[id as usize].next.insert(prop, next);
        next
    }

    /// The shape of a static object: its whole property list at once, without the steps on the way.
    pub fn of_list(&mut self, supers: &[ObjId], props: &[PropId]) -> ShapeId {
        let root = self.root(supers);
        match props {
            [] => root,
            [prop] => self.with(root, *prop),
            _ => {
                let key = (self.get(root).supers, Rc::from(props));
                if let Some(shape) = self.whole.get(&key) {
                    return *shape;
                }
                let shape = self.push(key.0, key.1.clone());
                self.whole.insert(key, shape);
                shape
            }
        }
    }

    /// The linearized superclasses of a shape if they are known.
    #[inline]
    pub fn known_linear(&self, id: ShapeId) -> Option<&Rc<[ObjId]>> {
        let list = self.supers.get(self.get(id).supers as usize)?;
        (list.epoch == self.epoch).then_some(&list.linear)
    }

    /// The linearized superclasses of a shape: depth first, where a class met again moves to its later place.
    pub fn linear(&mut self, id: ShapeId, shape_of: &dyn Fn(ObjId) -> Option<ShapeId>) -> Rc<[ObjId]> {
        let list = self.get(id).supers as usize;
        if self.supers[list].epoch == self.epoch {
            return self.supers[list].linear.clone();
        }
        let linear = self.linearize(list, shape_of);
        self.supers[list].linear = linear.clone();
        self.supers[list].epoch = self.epoch;
        linear
    }

    fn linearize(&self, list: usize, shape_of: &dyn Fn(ObjId) -> Option<ShapeId>) -> Rc<[ObjId]> {
        // A class that is met twice keeps its last place, so the walk runs backwards and keeps the first met.
        // The budget ends the walk of a superclass graph that a damaged image made circular or explosive.
        let mut out: Vec<ObjId> = Vec::new();
        let mut seen = foldhash::HashSet::default();
        let mut budget = 100_000;
        let mut work: Vec<(ObjId, bool)> = self.supers[list].direct.iter().map(|id| (*id, false)).collect();
        while let Some((id, done)) = work.pop() {
            if done {
                if seen.insert(id) {
                    out.push(id);
                }
                continue;
            }
            budget -= 1;
            if budget == 0 {
                break;
            }
            if seen.contains(&id) || work.iter().any(|(other, done)| *done && *other == id) {
                continue;
            }
            work.push((id, true));
            if let Some(shape) = shape_of(id) {
                let supers = &self.supers[self.get(shape).supers as usize].direct;
                work.extend(supers.iter().map(|id| (*id, false)));
            }
        }
        out.reverse();
        Rc::from(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_base_class_comes_last() {
        let mut shapes = Shapes::default();
        // 1 is the base; 2 and 3 derive from it; 4 from both.
        let base = shapes.root(&[]);
        let (two, three, four) = (shapes.root(&[1]), shapes.root(&[1]), shapes.root(&[2, 3]));
        let shape_of = |id| [None, Some(base), Some(two), Some(three)].get(id as usize).copied().flatten();
        assert_eq!(&*shapes.linear(four, &shape_of), &[2, 3, 1]);
    }
}
