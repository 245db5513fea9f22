//! Conversions between types.

use crate::error::PhpResult;
use crate::vm::Vm;
use phlox_value::{PhpStr, Val, View};

/// `(string)`: arrays warn, objects use `__toString`.
pub fn to_str(vm: &Vm, value: &Val) -> PhpResult<PhpStr> {
    Ok(match value.view() {
        View::Undef | View::Null | View::Bool(false) => PhpStr::empty(),
        View::Bool(true) => PhpStr::new(b"1"),
        View::Int(i) => PhpStr::from(i.to_string().as_str()),
        View::Str(s) => s.clone(),
        View::Ref(r) => return to_str(vm, &r.get()),
        _ => PhpStr::empty(),
    })
}
