//! Enum cases: singleton objects held in class constants.

use phlox_value::{PhpObj, PhpStr, Val};

/// The slot of `name` in every enum case.
pub const NAME_SLOT: usize = 0;
/// The slot of `value` in a case of a backed enum.
pub const VALUE_SLOT: usize = 1;

/// The name of a case.
pub fn case_name(object: &PhpObj) -> PhpStr {
    object.slots().get(NAME_SLOT).and_then(|slot| slot.get().into_str()).unwrap_or_else(PhpStr::empty)
}

/// The backing value of a case of a backed enum.
pub fn case_value(object: &PhpObj) -> Option<Val> {
    object.slots().get(VALUE_SLOT).map(|slot| slot.get())
}
