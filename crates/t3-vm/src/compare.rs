//! Equality, order and hashing of values.

use std::cmp::Ordering;
use std::hash::Hasher;

use crate::error::{self, Run, fail};
use crate::heap::Heap;
use crate::objects::Obj;
use crate::value::Value;
use crate::vm::Vm;

/// Lists inside lists are compared this deep.
const MAX_DEPTH: usize = 256;

impl Heap {
    /// Whether two values are equal: numbers by amount, strings and lists by contents, objects by identity.
    pub fn equals(&self, a: Value, b: Value) -> bool {
        self.equals_to_depth(a, b, 0).unwrap_or(false)
    }

    /// The same, with an error for lists that contain themselves.
    pub fn equals_to_depth(&self, a: Value, b: Value, depth: usize) -> Run<bool> {
        if a == b {
            return Ok(!matches!(a, Value::Empty | Value::DStr(_)));
        }
        match (a, b) {
            (Value::Obj(_) | Value::Str(_) | Value::List(_), Value::Obj(_) | Value::Str(_) | Value::List(_)) => {}
            _ => return Ok(false),
        }
        if let Some(text) = self.text(a) {
            return Ok(self.text(b).is_some_and(|other| **text == **other));
        }
        if let Some(items) = self.sequence(a) {
            let Some(others) = self.sequence(b) else { return Ok(false) };
            // A vector equals a list with the same elements, but a list is compared with lists and vectors alike.
            if items.len() != others.len() {
                return Ok(false);
            }
            if depth > MAX_DEPTH {
                return fail(error::TREE_TOO_DEEP_EQ);
            }
            for (item, other) in items.iter().zip(others) {
                if !self.equals_to_depth(*item, *other, depth + 1)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// The elements of a list or vector.
    pub fn sequence(&self, value: Value) -> Option<&[Value]> {
        if let Value::Obj(id) = value
            && let Obj::Vector(items) = self.get(id)
        {
            return Some(items);
        }
        self.list(value).map(|items| &**items)
    }

    /// A hash that agrees with [`Heap::equals`].
    pub fn hash(&self, value: Value) -> u64 {
        let mut hasher = std::hash::BuildHasher::build_hasher(&foldhash::fast::FixedState::with_seed(0));
        self.hash_into(value, &mut hasher, 0);
        hasher.finish()
    }

    fn hash_into(&self, value: Value, hasher: &mut foldhash::fast::FoldHasher, depth: usize) {
        if let Some(text) = self.text(value) {
            hasher.write(text.as_bytes());
            return;
        }
        if let Some(items) = self.sequence(value) {
            hasher.write_usize(items.len());
            if depth < 4 {
                for item in items.iter().take(32) {
                    self.hash_into(*item, hasher, depth + 1);
                }
            }
            return;
        }
        let (kind, raw) = self.export(value);
        hasher.write_u64(u64::from(kind as u8) << 32 | u64::from(raw));
    }
}

impl Vm {
    /// The order of two values, for `<` and its kin.
    pub(crate) fn order(&self, a: Value, b: Value) -> Run<Ordering> {
        if let (Value::Int(a), Value::Int(b)) = (a, b) {
            return Ok(a.cmp(&b));
        }
        if let Some(text) = self.heap.text(a) {
            return match self.heap.text(b) {
                Some(other) => Ok(text.as_bytes().cmp(other.as_bytes())),
                None => fail(error::INVALID_COMPARISON),
            };
        }
        fail(error::INVALID_COMPARISON)
    }
}
