//! Fast paths that the instruction loop tries first: inline caches of property sites, elements, integers.

use crate::code::Code;
use crate::code::inst::{BinOp, CmpOp};
use crate::objects::Obj;
use crate::shape::{Hit, ShapeId};
use crate::value::{ObjId, PropId, Value};
use crate::vm::Vm;

/// Whether a comparison of integers holds.
#[inline(always)]
pub fn int_compare(op: CmpOp, a: i32, b: i32) -> bool {
    op.orders().hold(a, b)
}

/// The bits that two integers share.
#[inline(always)]
pub fn and_bits(a: i32, b: i32) -> Option<i32> {
    Some(a & b)
}

/// A remainder that needs no error and no care for signs.
#[inline(always)]
pub fn simple_remainder(a: i32, b: i32) -> Option<i32> {
    if b > 0 { Some(a % b) } else { None }
}

/// The result of an operation on integers that neither overflows nor fails; all others take the slow path.
#[inline(always)]
pub fn int_fast(op: BinOp, a: i32, b: i32) -> Option<i32> {
    match op {
        BinOp::Add => a.checked_add(b),
        BinOp::Sub => a.checked_sub(b),
        BinOp::Mul => a.checked_mul(b),
        BinOp::And => Some(a & b),
        BinOp::Or => Some(a | b),
        BinOp::Xor => Some(a ^ b),
        BinOp::Mod if b > 0 => Some(a % b),
        BinOp::Div if b > 0 => Some(a / b),
        _ => None,
    }
}

impl Vm {
    /// The value of a TADS object's property through the site's inline cache.
    #[inline(always)]
    pub fn own_value(&mut self, target: Value, prop: PropId, site: u32) -> Option<(Value, ObjId)> {
        let Value::Obj(id) = target else { return None };
        let Obj::Tads(object) = self.heap.get(id) else { return None };
        let (shape, way) = (object.shape, Code::way(site, object.shape));
        let cache = self.code.sites.get(way)?;
        if cache.shape != shape || cache.epoch != self.heap.shapes.epoch {
            return self.own_value_anew(id, shape, way, prop);
        }
        match cache.hit {
            Hit::Own(slot) => object.values.get(slot as usize).map(|value| (*value, id)),
            Hit::Inherited(definer, slot) => {
                let value = self.heap.tads(definer)?.values.get(slot as usize)?;
                Some((*value, definer))
            }
            Hit::Missing => None,
        }
    }

    /// The value of a property after the site's inline cache has missed; the cache is filled.
    #[inline(never)]
    fn own_value_anew(&mut self, id: ObjId, shape: ShapeId, way: usize, prop: PropId) -> Option<(Value, ObjId)> {
        let hit = self.lookup_site(way, shape, prop);
        self.hit_value(id, hit)
    }

    /// Sets a property that the object itself has already, through the site's inline cache.
    #[inline(always)]
    pub fn set_own(&mut self, target: Value, prop: PropId, site: u32, value: Value) -> bool {
        let Value::Obj(id) = target else { return false };
        let Some(slot) = self.heap.slots.get(id as usize) else { return false };
        let Obj::Tads(object) = &slot.obj else { return false };
        let way = Code::way(site, object.shape);
        let Some(cache) = self.code.sites.get(way) else { return false };
        let hit = if cache.shape == object.shape && cache.epoch == self.heap.shapes.epoch {
            cache.hit
        } else {
            let shape = object.shape;
            self.lookup_site(way, shape, prop)
        };
        let Hit::Own(place) = hit else { return false };
        let Some(slot) = self.heap.slots.get_mut(id as usize) else { return false };
        let Obj::Tads(object) = &mut slot.obj else { return false };
        let Some(place) = object.values.get_mut(place as usize) else { return false };
        let old = std::mem::replace(place, value);
        if slot.flags.born < self.state.undo.current && !slot.flags.transient {
            self.state.undo.property(id, prop, old);
        }
        true
    }

    /// The fast path for elements of lists and vectors, and entries of tables.
    #[inline(always)]
    pub fn index_fast(&self, container: Value, index: Value) -> Option<Value> {
        let items: &[Value] = match container {
            Value::Obj(id) => match self.heap.get(id) {
                Obj::Vector(items) | Obj::AnonFn(items) => items,
                Obj::List(items) => items,
                Obj::Lookup(table) => return Some(table.get(&self.heap, index).unwrap_or(table.default)),
                _ => return None,
            },
            Value::List(list) => &self.heap.lists.get(list as usize)?.items,
            _ => return None,
        };
        let Value::Int(at) = index else { return None };
        items.get((at as usize).wrapping_sub(1)).copied()
    }

    /// The fast path for setting elements of vectors.
    #[inline(always)]
    pub fn set_index_fast(&mut self, container: Value, index: Value, value: Value) -> bool {
        let (Value::Obj(id), Value::Int(at)) = (container, index) else { return false };
        let Some(slot) = self.heap.slots.get_mut(id as usize) else { return false };
        let Obj::Vector(items) = &mut slot.obj else { return false };
        let Some(place) = items.get_mut((at as usize).wrapping_sub(1)) else { return false };
        let old = std::mem::replace(place, value);
        if slot.flags.born < self.state.undo.current && !slot.flags.transient {
            self.state.undo.element(id, at, old);
        }
        true
    }
}

/// Whether evaluating a property with this value runs code or displays something.
pub fn is_active(value: Value) -> bool {
    matches!(value, Value::Code(_) | Value::DStr(_) | Value::ObjX(_) | Value::BuiltinX(..))
}
