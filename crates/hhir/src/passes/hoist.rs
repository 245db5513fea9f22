//! Guard hoisting: checks of what does not change in a loop run once, before it, and leave as if the loop had not been
//! entered yet. Only checks that every iteration makes move, and only if the loop's preheader has an ExitPlaceholder.

use super::Shape;
use crate::unit::Unit;

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    super::motion::run(unit, shape, true);
}
