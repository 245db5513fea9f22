//! Arithmetic, bit operations, concatenation and indexing.

use crate::code::inst::{BinOp, CmpOp, UnOp};
use crate::error::{self, Run, fail};
use crate::objects::Obj;
use crate::text::Text;
use crate::value::{PropId, Value};
use crate::vm::Vm;

/// The exported symbol of the method that overloads an operator, and the error without one.
fn overload(op: BinOp) -> (&'static str, u32) {
    match op {
        BinOp::Add => ("operator +", error::BAD_TYPE_ADD),
        BinOp::Sub => ("operator -", error::BAD_TYPE_SUB),
        BinOp::Mul => ("operator *", error::BAD_TYPE_MUL),
        BinOp::Div => ("operator /", error::BAD_TYPE_DIV),
        BinOp::Mod => ("operator %", error::BAD_TYPE_MOD),
        BinOp::And => ("operator &", error::BAD_TYPE_BIT_AND),
        BinOp::Or => ("operator |", error::BAD_TYPE_BIT_OR),
        BinOp::Xor => ("operator ^", error::BAD_TYPE_XOR),
        BinOp::Shl => ("operator <<", error::BAD_TYPE_SHL),
        BinOp::Ashr => ("operator >>", error::BAD_TYPE_ASHR),
        BinOp::Lshr => ("operator >>>", error::BAD_TYPE_LSHR),
        BinOp::Index => ("operator []", error::CANNOT_INDEX_TYPE),
    }
}

impl Vm {
    /// An operation of two operands.
    pub fn binary(&mut self, op: BinOp, a: Value, b: Value) -> Run<Value> {
        if let Some(result) = self.native_binary(op, a, b)? {
            return Ok(result);
        }
        let (symbol, code) = overload(op);
        self.overloaded(symbol, code, a, &[b])
    }

    /// Calls an operator method of an object.
    pub fn overloaded(&mut self, symbol: &str, code: u32, target: Value, arguments: &[Value]) -> Run<Value> {
        match self.overload_prop(symbol, target) {
            Some(prop) => self.call_prop(target, prop, arguments),
            None => fail(code),
        }
    }

    /// The operator method's property, if the value has such a method.
    pub fn overload_prop(&mut self, symbol: &str, target: Value) -> Option<PropId> {
        let prop = self.predef.prop(symbol)?;
        if !matches!(target, Value::Obj(_) | Value::Str(_) | Value::List(_)) {
            return None;
        }
        self.find_prop(target, prop).map(|_| prop)
    }

    fn native_binary(&mut self, op: BinOp, a: Value, b: Value) -> Run<Option<Value>> {
        if op == BinOp::Index {
            return self.native_index(a, b);
        }
        if let (Value::Int(a), Value::Int(b)) = (a, b) {
            return self.int_binary(op, a, b).map(Some);
        }
        if let Some(result) = self.big_binary(op, a, b)? {
            return Ok(Some(result));
        }
        if op == BinOp::Xor
            && let Some(result) = xor_truth(a, b)
        {
            return result.map(Some);
        }
        match op {
            BinOp::Add => self.add(a, b),
            BinOp::Sub => self.subtract(a, b),
            BinOp::Mul | BinOp::Div => match a {
                Value::Int(_) => fail(error::NUM_VAL_REQD),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn int_binary(&mut self, op: BinOp, a: i32, b: i32) -> Run<Value> {
        let shift = b as u32 & 31;
        let result = match op {
            BinOp::Add => a.checked_add(b),
            BinOp::Sub => a.checked_sub(b),
            BinOp::Mul => a.checked_mul(b),
            BinOp::Div | BinOp::Mod if b == 0 => return fail(error::DIVIDE_BY_ZERO),
            BinOp::Div => a.checked_div(b),
            BinOp::Mod => Some(a.wrapping_rem(b)),
            BinOp::And => Some(a & b),
            BinOp::Or => Some(a | b),
            BinOp::Xor => Some(a ^ b),
            BinOp::Shl => Some(a << shift),
            BinOp::Ashr => Some(a >> shift),
            BinOp::Lshr => Some((a as u32 >> shift) as i32),
            BinOp::Index => None,
        };
        match result {
            Some(number) => Ok(Value::Int(number)),
            None => self.overflowed(op, a, b),
        }
    }

    fn add(&mut self, a: Value, b: Value) -> Run<Option<Value>> {
        if let Some(text) = self.heap.text(a) {
            let sum = match self.heap.text(b) {
                Some(other) => Text::concat(text, other),
                None => {
                    let text = text.clone();
                    self.rooted.push(a);
                    let other = if b == Value::Nil { Ok(Text::from("")) } else { self.display_text(b) };
                    self.rooted.pop();
                    Text::concat(&text, &other?)
                }
            };
            if sum.len() > self.options.max_length {
                return fail(error::STR_TOO_LONG);
            }
            return Ok(Some(self.heap.new_text(sum)));
        }
        if let Some(items) = self.heap.list(a).cloned() {
            let added = self.spread(b)?;
            if items.len() + added.len() > self.options.max_length {
                return fail(error::LIST_TOO_LONG);
            }
            let sum: Vec<Value> = items.iter().copied().chain(added).collect();
            return Ok(Some(self.heap.new_list(sum)));
        }
        match a {
            Value::Int(_) => fail(error::NUM_VAL_REQD),
            Value::Obj(id) => match self.heap.get(id) {
                Obj::Vector(items) | Obj::AnonFn(items) => {
                    let items = items.clone();
                    let added = self.spread(b)?;
                    let sum = items.into_iter().chain(added).collect();
                    Ok(Some(Value::Obj(self.heap.alloc(Obj::Vector(sum)))))
                }
                Obj::FileName(_) => self.join_names(a, b).map(Some),
                Obj::Date(_) => self.date_binary(BinOp::Add, id, b),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// The elements of anything like a list; anything else is one element.
    pub fn spread(&mut self, value: Value) -> Run<Vec<Value>> {
        Ok(self.list_like(value)?.unwrap_or_else(|| vec![value]))
    }

    fn subtract(&mut self, a: Value, b: Value) -> Run<Option<Value>> {
        if let Value::Int(_) = a {
            return fail(error::NUM_VAL_REQD);
        }
        let is_vector = matches!(a, Value::Obj(id) if matches!(self.heap.get(id), Obj::Vector(_) | Obj::AnonFn(_)));
        if let Value::Obj(id) = a
            && let Obj::Date(_) = self.heap.get(id)
        {
            return self.date_binary(BinOp::Sub, id, b);
        }
        let Some(items) = self.heap.elements(a).map(<[Value]>::to_vec) else { return Ok(None) };
        let gone = self.spread(b)?;
        let mut left = Vec::new();
        for item in items {
            if self.heap.first_equal(gone.iter().copied(), item)?.is_none() {
                left.push(item);
            }
        }
        if is_vector {
            return Ok(Some(Value::Obj(self.heap.alloc(Obj::Vector(left)))));
        }
        Ok(Some(self.heap.new_list(left)))
    }

    /// An element; `None` if the value has no elements of its own.
    fn native_index(&mut self, container: Value, index: Value) -> Run<Option<Value>> {
        let parts = match container {
            Value::Obj(id) => match self.heap.get(id) {
                Obj::AnonFn(parts) => Some(&parts[..]),
                _ => self.heap.sequence(container),
            },
            container => self.heap.sequence(container),
        };
        if let Some(items) = parts {
            let Value::Int(at) = index else { return fail(error::NUM_VAL_REQD) };
            let item = usize::try_from(at).ok().and_then(|at| items.get(at.checked_sub(1)?));
            return match item {
                Some(item) => Ok(Some(*item)),
                None => fail(error::INDEX_OUT_OF_RANGE),
            };
        }
        let Value::Obj(id) = container else { return Ok(None) };
        match self.heap.get(id) {
            Obj::Lookup(table) => {
                let found = table.get(&self.heap, index);
                Ok(Some(found.unwrap_or(table.default)))
            }
            Obj::Bytes(bytes) => {
                let Value::Int(at) = index else { return fail(error::NUM_VAL_REQD) };
                match usize::try_from(at).ok().and_then(|at| bytes.get(at.wrapping_sub(1))) {
                    Some(byte) => Ok(Some(Value::Int((*byte).into()))),
                    None => fail(error::INDEX_OUT_OF_RANGE),
                }
            }
            Obj::FrameDesc(_) => self.frame_get(container, index).map(Some),
            Obj::Buffer(_) => match self.buffer_char(container, index) {
                Some(c) => {
                    let text = c?.to_string();
                    Ok(Some(self.heap.new_text(text)))
                }
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// SETIND: sets an element; the result is the container to go on with.
    pub fn set_index(&mut self, container: Value, index: Value, value: Value) -> Run<Value> {
        if let Some(items) = self.heap.list(container) {
            let Value::Int(at) = index else { return fail(error::NUM_VAL_REQD) };
            let mut items = items.to_vec();
            let Some(place) = usize::try_from(at - 1).ok().and_then(|at| items.get_mut(at)) else {
                return fail(error::INDEX_OUT_OF_RANGE);
            };
            *place = value;
            return Ok(self.heap.new_list(items));
        }
        if let Value::Obj(id) = container {
            match self.heap.get(id) {
                Obj::Vector(_) => {
                    let Value::Int(at) = index else { return fail(error::NUM_VAL_REQD) };
                    self.vector_set(id, at, value)?;
                    return Ok(container);
                }
                Obj::Lookup(_) => {
                    self.lookup_set(id, index, value);
                    return Ok(container);
                }
                Obj::Bytes(_) => {
                    self.byte_set(id, index, value)?;
                    return Ok(container);
                }
                Obj::FrameDesc(_) => {
                    self.frame_set(container, index, value)?;
                    return Ok(container);
                }
                Obj::Buffer(_) => {
                    self.buffer_set(id, index, value)?;
                    return Ok(container);
                }
                _ => {}
            }
        }
        match self.overload_prop("operator []=", container) {
            Some(prop) => self.call_prop(container, prop, &[index, value]),
            None => fail(error::CANNOT_INDEX_TYPE),
        }
    }

    /// An operation of one operand.
    pub fn unary(&mut self, op: UnOp, a: Value) -> Run<Value> {
        match op {
            UnOp::Neg => match a {
                Value::Int(number) => match number.checked_neg() {
                    Some(number) => Ok(Value::Int(number)),
                    None => self.overflowed(BinOp::Sub, 0, number),
                },
                _ if self.big(a).is_some() => {
                    let number = self.as_big(a).map(|number| number.negate());
                    Ok(number.map_or(Value::Nil, |number| self.new_big(number)))
                }
                _ => self.overloaded("operator negate", error::BAD_TYPE_NEG, a, &[]),
            },
            UnOp::BitNot => match a {
                Value::Int(number) => Ok(Value::Int(!number)),
                _ => self.overloaded("operator ~", error::BAD_TYPE_BIT_NOT, a, &[]),
            },
            UnOp::Not if matches!(a, Value::Builtin(..)) => fail(error::NO_LOG_CONV),
            UnOp::Not => Ok(Value::truth(!self.truth(a)?)),
            UnOp::Truth => Ok(Value::truth(self.truth(a)?)),
        }
    }

    fn truth(&self, value: Value) -> Run<bool> {
        match value {
            Value::DStr(_) | Value::Code(_) | Value::Empty | Value::Native => fail(error::NO_LOG_CONV),
            value => Ok(!value.is_false()),
        }
    }

    /// A comparison.
    pub fn compare(&mut self, op: CmpOp, a: Value, b: Value) -> Run<bool> {
        Ok(match op {
            CmpOp::Eq => self.heap.equals_to_depth(a, b, 0)?,
            CmpOp::Ne => !self.heap.equals_to_depth(a, b, 0)?,
            CmpOp::Lt => self.order(a, b)?.is_lt(),
            CmpOp::Le => self.order(a, b)?.is_le(),
            CmpOp::Gt => self.order(a, b)?.is_gt(),
            CmpOp::Ge => self.order(a, b)?.is_ge(),
        })
    }
}

/// Exclusive or with a truth value on either side.
fn xor_truth(a: Value, b: Value) -> Option<Run<Value>> {
    let is_truth = |value| matches!(value, Value::Nil | Value::True);
    let fits = |value| is_truth(value) || matches!(value, Value::Int(_));
    if !is_truth(a) && !is_truth(b) {
        return None;
    }
    if !fits(a) || !fits(b) {
        return Some(fail(error::NO_LOG_CONV));
    }
    Some(Ok(Value::truth(a.is_false() != b.is_false())))
}
