//! Values known at compile time and the operators that can be folded without any diagnostic.
//!
//! An operation that could warn, throw or depend on settings is not folded.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;

use phlox_syntax::ast::{BinaryOp, UnaryOp};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Const<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Double(f64),
    Str(Cow<'a, [u8]>),
    Array(Vec<(ConstKey<'a>, Const<'a>)>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ConstKey<'a> {
    Int(i64),
    Str(Cow<'a, [u8]>),
}

/// The integer that an array key string stands for, if it has the canonical decimal form.
pub(crate) fn integer_key(s: &[u8]) -> Option<i64> {
    let digits = s.strip_prefix(b"-").unwrap_or(s);
    let canonical = match digits {
        [] => false,
        [b'0'] => s.len() == 1,
        [b'0', ..] => false,
        _ => digits.len() <= 19 && digits.iter().all(u8::is_ascii_digit),
    };
    if !canonical {
        return None;
    }
    std::str::from_utf8(s).ok()?.parse().ok()
}

impl<'a> Const<'a> {
    /// The value converted to a boolean.
    pub fn truthy(&self) -> bool {
        match self {
            Const::Null => false,
            Const::Bool(b) => *b,
            Const::Int(n) => *n != 0,
            Const::Double(d) => *d != 0.0,
            Const::Str(s) => !matches!(s.as_ref(), b"" | b"0"),
            Const::Array(items) => !items.is_empty(),
        }
    }

    /// The string form where it does not depend on settings.
    fn to_bytes(&self) -> Option<Cow<'a, [u8]>> {
        match self {
            Const::Null | Const::Bool(false) => Some(Cow::Borrowed(b"")),
            Const::Bool(true) => Some(Cow::Borrowed(b"1")),
            Const::Int(n) => Some(Cow::Owned(n.to_string().into_bytes())),
            Const::Str(s) => Some(s.clone()),
            Const::Double(_) | Const::Array(_) => None,
        }
    }

    /// The value as an array key, where the conversion is silent.
    pub fn as_key(&self) -> Option<ConstKey<'a>> {
        match self {
            Const::Null => Some(ConstKey::Str(Cow::Borrowed(b""))),
            Const::Bool(b) => Some(ConstKey::Int(i64::from(*b))),
            Const::Int(n) => Some(ConstKey::Int(*n)),
            Const::Str(s) => Some(integer_key(s).map_or_else(|| ConstKey::Str(s.clone()), ConstKey::Int)),
            Const::Double(_) | Const::Array(_) => None,
        }
    }
}

/// Array literals under construction.
#[derive(Default)]
pub(crate) struct ArrayBuilder<'a> {
    pub items: Vec<(ConstKey<'a>, Const<'a>)>,
    next: Option<i64>,
    /// Positions by key, once there are too many items to search them one by one.
    positions: HashMap<ConstKey<'a>, usize>,
    full: bool,
}

/// How many items are searched one by one.
const FEW_ITEMS: usize = 16;

impl<'a> ArrayBuilder<'a> {
    /// Sets a key; a later value takes the place of an earlier one.
    pub fn set(&mut self, key: ConstKey<'a>, value: Const<'a>) {
        if let ConstKey::Int(n) = key
            && self.next.is_none_or(|next| n >= next)
        {
            self.full |= n == i64::MAX;
            self.next = Some(n.wrapping_add(1));
        }
        match self.position(&key) {
            Some(at) => self.items[at].1 = value,
            None => self.items.push((key, value)),
        }
    }

    fn position(&mut self, key: &ConstKey<'a>) -> Option<usize> {
        if self.items.len() <= FEW_ITEMS {
            return self.items.iter().position(|(k, _)| k == key);
        }
        for at in self.positions.len()..self.items.len() {
            self.positions.insert(self.items[at].0.clone(), at);
        }
        self.positions.get(key).copied()
    }

    /// Appends; false when there is no next key.
    pub fn push(&mut self, value: Const<'a>) -> bool {
        if self.full {
            return false;
        }
        let n = self.next.unwrap_or(0);
        self.full |= n == i64::MAX;
        self.next = Some(n.wrapping_add(1));
        self.items.push((ConstKey::Int(n), value));
        true
    }
}

fn number(value: i128) -> Const<'static> {
    i64::try_from(value).map_or(Const::Double(value as f64), Const::Int)
}

/// Folds a binary operator; `None`: leave it to run time.
pub(crate) fn binary<'a>(op: BinaryOp, a: &Const<'a>, b: &Const<'a>) -> Option<Const<'a>> {
    use BinaryOp as B;
    Some(match op {
        B::Concat => Const::Str(Cow::Owned([a.to_bytes()?, b.to_bytes()?].concat())),
        B::And => Const::Bool(a.truthy() && b.truthy()),
        B::Or => Const::Bool(a.truthy() || b.truthy()),
        B::Xor => Const::Bool(a.truthy() != b.truthy()),
        B::Same => Const::Bool(same(a, b)?),
        B::NotSame => Const::Bool(!same(a, b)?),
        B::Coalesce => {
            if *a == Const::Null {
                b.clone()
            } else {
                a.clone()
            }
        }
        _ => return arithmetic(op, a, b),
    })
}

fn same(a: &Const<'_>, b: &Const<'_>) -> Option<bool> {
    match (a, b) {
        (Const::Array(_), Const::Array(_)) => None,
        _ => Some(a == b),
    }
}

fn arithmetic<'a>(op: BinaryOp, a: &Const<'a>, b: &Const<'a>) -> Option<Const<'a>> {
    match (a, b) {
        (Const::Int(a), Const::Int(b)) => int_arithmetic(op, *a, *b),
        (Const::Int(a), Const::Double(b)) => double_arithmetic(op, *a as f64, *b),
        (Const::Double(a), Const::Int(b)) => double_arithmetic(op, *a, *b as f64),
        (Const::Double(a), Const::Double(b)) => double_arithmetic(op, *a, *b),
        (Const::Array(a), Const::Array(b)) if op == BinaryOp::Add => {
            let more = b.iter().filter(|(key, _)| a.iter().all(|(own, _)| own != key));
            Some(Const::Array(a.iter().chain(more).cloned().collect()))
        }
        _ => match (comparison(op, Ordering::Equal), as_number(a), as_number(b)) {
            (Some(_), ..) => comparison(op, order(a, b)?),
            (None, Some(a), Some(b)) => arithmetic(op, &a, &b),
            _ => None,
        },
    }
}

/// The number that an arithmetic operator converts null, a boolean or a number to.
fn as_number<'a>(value: &Const<'_>) -> Option<Const<'a>> {
    match value {
        Const::Null => Some(Const::Int(0)),
        Const::Bool(truth) => Some(Const::Int((*truth).into())),
        Const::Int(int) => Some(Const::Int(*int)),
        Const::Double(double) => Some(Const::Double(*double)),
        _ => None,
    }
}

/// How two constants compare, unless that depends on the contents of two strings, numbers or arrays.
fn order(a: &Const<'_>, b: &Const<'_>) -> Option<Ordering> {
    Some(match (a, b) {
        (Const::Null, Const::Str(text)) => 0.cmp(&text.len()),
        (Const::Str(text), Const::Null) => text.len().cmp(&0),
        (Const::Bool(_) | Const::Null, _) | (_, Const::Bool(_) | Const::Null) => a.truthy().cmp(&b.truthy()),
        (Const::Array(_), Const::Array(_)) => return None,
        (Const::Array(_), _) => Ordering::Greater,
        (_, Const::Array(_)) => Ordering::Less,
        _ => return None,
    })
}

fn comparison<'a>(op: BinaryOp, order: Ordering) -> Option<Const<'a>> {
    use BinaryOp as B;
    Some(match op {
        B::Eq => Const::Bool(order.is_eq()),
        B::NotEq => Const::Bool(order.is_ne()),
        B::Lt => Const::Bool(order.is_lt()),
        B::Le => Const::Bool(order.is_le()),
        B::Gt => Const::Bool(order.is_gt()),
        B::Ge => Const::Bool(order.is_ge()),
        B::Spaceship => Const::Int(order as i64),
        _ => return None,
    })
}

fn int_arithmetic<'a>(op: BinaryOp, a: i64, b: i64) -> Option<Const<'a>> {
    use BinaryOp as B;
    let (wide_a, wide_b) = (i128::from(a), i128::from(b));
    Some(match op {
        B::Add => number(wide_a + wide_b),
        B::Sub => number(wide_a - wide_b),
        B::Mul => match a.checked_mul(b) {
            Some(n) => Const::Int(n),
            None => Const::Double(a as f64 * b as f64),
        },
        B::Div if b == 0 => return None,
        B::Div => match wide_a % wide_b {
            0 => number(wide_a / wide_b),
            _ => Const::Double(a as f64 / b as f64),
        },
        B::Mod if b == 0 => return None,
        B::Mod => Const::Int(a.wrapping_rem(b)),
        B::Pow => Const::Int(a.checked_pow(u32::try_from(b).ok()?)?),
        B::BitAnd => Const::Int(a & b),
        B::BitOr => Const::Int(a | b),
        B::BitXor => Const::Int(a ^ b),
        B::Shl if b < 0 => return None,
        B::Shr if b < 0 => return None,
        B::Shl => Const::Int(if b >= 64 { 0 } else { a << b }),
        B::Shr => Const::Int(if b >= 64 { a >> 63 } else { a >> b }),
        B::Eq => Const::Bool(a == b),
        B::NotEq => Const::Bool(a != b),
        B::Lt => Const::Bool(a < b),
        B::Le => Const::Bool(a <= b),
        B::Gt => Const::Bool(a > b),
        B::Ge => Const::Bool(a >= b),
        B::Spaceship => Const::Int(a.cmp(&b) as i64),
        _ => return None,
    })
}

fn double_arithmetic<'a>(op: BinaryOp, a: f64, b: f64) -> Option<Const<'a>> {
    use BinaryOp as B;
    Some(match op {
        B::Add => Const::Double(a + b),
        B::Sub => Const::Double(a - b),
        B::Mul => Const::Double(a * b),
        B::Div if b == 0.0 => return None,
        B::Div => Const::Double(a / b),
        B::Lt => Const::Bool(a < b),
        B::Le => Const::Bool(a <= b),
        B::Gt => Const::Bool(a > b),
        B::Ge => Const::Bool(a >= b),
        _ => return None,
    })
}

/// Folds a unary operator.
pub(crate) fn unary<'a>(op: UnaryOp, a: &Const<'a>) -> Option<Const<'a>> {
    match op {
        UnaryOp::Not => Some(Const::Bool(!a.truthy())),
        UnaryOp::Plus => arithmetic(BinaryOp::Mul, a, &Const::Int(1)),
        UnaryOp::Minus => arithmetic(BinaryOp::Mul, a, &Const::Int(-1)),
        UnaryOp::BitNot => match a {
            Const::Int(n) => Some(Const::Int(!n)),
            Const::Str(text) => Some(Const::Str(text.iter().map(|byte| !byte).collect())),
            _ => None,
        },
        UnaryOp::Silence => None,
    }
}
