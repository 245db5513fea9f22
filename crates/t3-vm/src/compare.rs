//! Equality, order and hashing of values.

use std::cmp::Ordering;
use std::hash::Hasher;

use phlox_t3_library::bignum::BigNum;

use crate::error::{self, Run, fail};
use crate::heap::Heap;
use crate::objects::Obj;
use crate::value::Value;
use crate::vm::Vm;

/// Lists inside lists are compared this deep.
const MAX_DEPTH: usize = 256;

impl Heap {
    /// Whether two values are equal: numbers by amount, strings and lists by contents, objects by identity.
    #[inline]
    pub fn equals(&self, a: Value, b: Value) -> bool {
        self.equals_to_depth(a, b, 0).unwrap_or(false)
    }

    /// Whether two values are equal, with an error for lists that contain themselves.
    pub fn equals_to_depth(&self, a: Value, b: Value, depth: usize) -> Run<bool> {
        if a == b {
            return Ok(!matches!(a, Value::Empty | Value::DStr(_)));
        }
        // What most comparisons are about: values that equal only themselves.
        if a.is_unique() || b.is_unique() {
            return self.equals_nothing(if a.is_unique() { b } else { a });
        }
        match (a, b) {
            (Value::Int(_), Value::Int(_) | Value::Str(_) | Value::List(_)) => return Ok(false),
            (Value::Obj(id), _) if matches!(self.get(id), Obj::Tads(_)) => return Ok(false),
            (_, Value::Obj(id)) if matches!(self.get(id), Obj::Tads(_)) => return self.equals_nothing(a),
            _ => {}
        }
        self.equal_contents(a, b, depth)
    }

    fn equal_contents(&self, a: Value, b: Value, depth: usize) -> Run<bool> {
        if let Some(result) = self.equal_numbers(a, b) {
            return Ok(result);
        }
        match (a, b) {
            (Value::Obj(_) | Value::Str(_) | Value::List(_), Value::Obj(_) | Value::Str(_) | Value::List(_)) => {}
            (Value::Obj(_), other) | (other, Value::Obj(_)) => {
                return self.equals_nothing(if other == a { b } else { a });
            }
            _ => return Ok(false),
        }
        if let Some(result) = self.equal_buffer(a, b) {
            return Ok(result);
        }
        self.equals_nothing(a)?;
        if self.buffer(b).is_some() && (!matches!(a, Value::Obj(_)) || self.sequence(a).is_none()) {
            self.equals_nothing(b)?;
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
        let (Value::Obj(a), Value::Obj(b)) = (a, b) else { return Ok(false) };
        Ok(match (self.get(a), self.get(b)) {
            (Obj::Bytes(a), Obj::Bytes(b)) => a == b,
            (Obj::CharSet(a), Obj::CharSet(b)) => a == b,
            (Obj::FileName(a), Obj::FileName(b)) => a == b,
            (Obj::Comparator(a), Obj::Comparator(b)) => a == b,
            (Obj::Date(a), Obj::Date(b)) => a.same_time(b),
            _ => false,
        })
    }

    /// The result of comparing a value with what cannot equal it: a StringBuffer refuses all but texts.
    fn equals_nothing(&self, value: Value) -> Run<bool> {
        if self.buffer(value).is_some() { fail(error::INVALID_COMPARISON) } else { Ok(false) }
    }

    /// The first of some values that equals another.
    pub fn first_equal(&self, items: impl IntoIterator<Item = Value>, wanted: Value) -> Run<Option<usize>> {
        for (at, item) in items.into_iter().enumerate() {
            if self.equals_to_depth(item, wanted, 0)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    fn buffer(&self, value: Value) -> Option<&Vec<char>> {
        match value {
            Value::Obj(id) => match self.get(id) {
                Obj::Buffer(chars) => Some(chars),
                _ => None,
            },
            _ => None,
        }
    }

    /// The order of a StringBuffer and another or a string.
    fn buffer_order(&self, a: Value, b: Value) -> Option<Ordering> {
        match (self.buffer(a), self.buffer(b)) {
            (Some(chars), None) => Some(chars.iter().copied().cmp(self.text(b)?.chars())),
            (None, Some(chars)) => Some(self.text(a)?.chars().cmp(chars.iter().copied())),
            (Some(chars), Some(others)) => Some(chars.cmp(others)),
            (None, None) => None,
        }
    }

    /// Whether a StringBuffer has a string's text.
    fn equal_buffer(&self, a: Value, b: Value) -> Option<bool> {
        let buffer = |value: Value| self.buffer(value);
        match (buffer(a), buffer(b)) {
            (Some(chars), None) => Some(self.text(b)?.chars().eq(chars.iter().copied())),
            (None, Some(chars)) => Some(self.text(a)?.chars().eq(chars.iter().copied())),
            (Some(chars), Some(others)) => Some(chars == others),
            (None, None) => None,
        }
    }

    /// Whether a BigNumber and a number are the same amount.
    fn equal_numbers(&self, a: Value, b: Value) -> Option<bool> {
        let big = |value: Value| match value {
            Value::Obj(id) => match self.get(id) {
                Obj::Big(number) => Some((**number).clone()),
                _ => None,
            },
            _ => None,
        };
        let int = |value: Value| match value {
            Value::Int(number) => Some(BigNum::from_int(number.into())),
            _ => None,
        };
        let (x, y) = match (big(a), big(b)) {
            (None, None) => return None,
            (Some(x), Some(y)) => (x, y),
            (Some(x), None) => (x, int(b)?),
            (None, Some(y)) => (int(a)?, y),
        };
        Some(x.compare(&y).is_eq())
    }

    /// The elements of a list or vector.
    #[inline]
    pub fn sequence(&self, value: Value) -> Option<&[Value]> {
        if let Value::Obj(id) = value
            && let Obj::Vector(items) = self.get(id)
        {
            return Some(items);
        }
        self.list(value).map(|items| &**items)
    }

    /// The elements of a list, vector or function object, which has the methods of vectors.
    #[inline]
    pub fn elements(&self, value: Value) -> Option<&[Value]> {
        if let Value::Obj(id) = value
            && let Obj::AnonFn(items) = self.get(id)
        {
            return Some(items);
        }
        self.sequence(value)
    }

    /// A hash that agrees with [`Heap::equals`].
    #[inline]
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
        if let Value::Obj(id) = value
            && let Obj::Big(number) = self.get(id)
        {
            // A whole number hashes as the integer that it equals.
            match number.exponent >= 0 && number.scale() < 11 {
                true => match number.to_int() {
                    Some(number) => return self.hash_into(Value::Int(number), hasher, depth),
                    None => hasher.write(number.digits().as_bytes()),
                },
                false => hasher.write(number.digits().as_bytes()),
            }
            return;
        }
        let (kind, raw) = self.export(value);
        hasher.write_u64(u64::from(kind as u8) << 32 | u64::from(raw));
    }
}

impl Vm {
    /// The order of two values, for `<` and its kin.
    pub fn order(&self, a: Value, b: Value) -> Run<Ordering> {
        if let (Value::Int(a), Value::Int(b)) = (a, b) {
            return Ok(a.cmp(&b));
        }
        if let (Some(text), Some(other)) = (self.heap.text(a), self.heap.text(b)) {
            return Ok(text.as_bytes().cmp(other.as_bytes()));
        }
        if let Some(order) = self.heap.buffer_order(a, b) {
            return Ok(order);
        }
        if self.heap.text(a).is_some() {
            return fail(error::INVALID_COMPARISON);
        }
        if self.big(a).is_some() || self.big(b).is_some() {
            return match (self.as_big(a), self.as_big(b)) {
                (Some(a), Some(b)) => Ok(a.compare(&b)),
                _ => fail(error::INVALID_COMPARISON),
            };
        }
        if let (Value::Obj(a), Value::Obj(b)) = (a, b)
            && let (Obj::Date(a), Obj::Date(b)) = (self.heap.get(a), self.heap.get(b))
        {
            return Ok(a.order(b));
        }
        fail(error::INVALID_COMPARISON)
    }
}
