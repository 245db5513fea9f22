//! Serialised values inside a larger text, as the old `serialize` methods of SPL wrote them.

use phlox_runtime::{PhpResult, Val, Vm};

/// Reads values one after the other.
pub struct Parts<'a> {
    text: &'a [u8],
}

impl<'a> Parts<'a> {
    pub fn new(text: &'a [u8]) -> Parts<'a> {
        Parts { text }
    }

    /// The value at an offset and where it ends. `None`: there is none.
    pub fn value(&mut self, vm: &Vm, at: usize) -> PhpResult<Option<(Val, usize)>> {
        let Some(end) = end_of(self.text, at) else { return Ok(None) };
        let part = Val::str(&self.text[at..end]);
        let before = vm.errors.reporting.replace(0);
        let value = vm.call_value(&"unserialize".into(), vec![part]);
        vm.errors.reporting.set(before);
        Ok(Some((value?.into_deref(), end)))
    }
}

/// Where the serialised value at an offset ends.
fn end_of(text: &[u8], at: usize) -> Option<usize> {
    let semicolon = |from: usize| text.get(from..)?.iter().position(|&b| b == b';').map(|n| from + n + 1);
    match text.get(at)? {
        b'N' | b'b' | b'i' | b'd' | b'r' | b'R' => semicolon(at),
        b's' => {
            let (len, open) = number(text, at + 2)?;
            open.checked_add(len)?.checked_add(3)
        }
        b'a' => nested(text, at + 2, 2),
        b'O' => {
            let (len, open) = number(text, at + 2)?;
            nested(text, open + 1 + len + 3, 2)
        }
        b'E' => {
            let (len, open) = number(text, at + 2)?;
            Some(open + 1 + len + 3)
        }
        b'C' => {
            let (len, open) = number(text, at + 2)?;
            let (inner, brace) = number(text, open + 1 + len + 3)?;
            Some(brace + 1 + inner + 1)
        }
        _ => None,
    }
    .filter(|&end| end <= text.len())
}

/// A decimal number and the offset behind the colon that ends it.
fn number(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let digits = text.get(at..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = std::str::from_utf8(&text[at..at + digits]).ok()?.parse().ok()?;
    Some((value, at + digits + 1))
}

/// The end of `COUNT:{...}` with `per` values a row.
fn nested(text: &[u8], at: usize, per: usize) -> Option<usize> {
    let (count, brace) = number(text, at)?;
    let mut at = brace + 1;
    for _ in 0..count.checked_mul(per)? {
        at = end_of(text, at)?;
    }
    Some(at + 1)
}
