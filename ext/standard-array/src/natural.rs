//! Natural order: digits inside strings compare as numbers (`strnatcmp`).

use std::cmp::Ordering;

/// A cursor that reads 0 past the end, as the C string does that the algorithm was made for.
struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn byte(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn on_digit(&self) -> bool {
        self.byte().is_ascii_digit()
    }

    fn done(&self) -> bool {
        self.at >= self.text.len()
    }

    fn skip_leading_zeros(&mut self) {
        while self.byte() == b'0' && self.text.get(self.at + 1).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
    }

    fn skip_spaces(&mut self) {
        while matches!(self.byte(), b' ' | b'\t'..=b'\r') {
            self.at += 1;
        }
    }
}

/// Compares two strings in natural order.
pub fn compare(a: &[u8], b: &[u8], fold_case: bool) -> Ordering {
    if a.is_empty() || b.is_empty() {
        return a.len().cmp(&b.len());
    }
    let (mut a, mut b) = (Cursor { text: a, at: 0 }, Cursor { text: b, at: 0 });
    a.skip_leading_zeros();
    b.skip_leading_zeros();
    loop {
        a.skip_spaces();
        b.skip_spaces();
        if a.on_digit() && b.on_digit() {
            let fractional = a.byte() == b'0' || b.byte() == b'0';
            let order = if fractional { compare_fractions(&mut a, &mut b) } else { compare_integers(&mut a, &mut b) };
            if order != Ordering::Equal {
                return order;
            }
            if a.done() || b.done() {
                return b.done().cmp(&a.done());
            }
        }
        let (mut left, mut right) = (a.byte(), b.byte());
        if fold_case {
            (left, right) = (left.to_ascii_uppercase(), right.to_ascii_uppercase());
        }
        if left != right {
            return left.cmp(&right);
        }
        a.at += 1;
        b.at += 1;
        if a.done() || b.done() {
            return b.done().cmp(&a.done());
        }
    }
}

/// Right-aligned: the longer run of digits wins, then the first difference.
fn compare_integers(a: &mut Cursor<'_>, b: &mut Cursor<'_>) -> Ordering {
    let mut bias = Ordering::Equal;
    loop {
        match (a.on_digit(), b.on_digit()) {
            (false, false) => return bias,
            (false, true) => return Ordering::Less,
            (true, false) => return Ordering::Greater,
            (true, true) => bias = bias.then(a.byte().cmp(&b.byte())),
        }
        a.at += 1;
        b.at += 1;
    }
}

/// Left-aligned: the first difference wins.
fn compare_fractions(a: &mut Cursor<'_>, b: &mut Cursor<'_>) -> Ordering {
    loop {
        match (a.on_digit(), b.on_digit()) {
            (false, false) => return Ordering::Equal,
            (false, true) => return Ordering::Less,
            (true, false) => return Ordering::Greater,
            (true, true) if a.byte() != b.byte() => return a.byte().cmp(&b.byte()),
            (true, true) => {}
        }
        a.at += 1;
        b.at += 1;
    }
}
