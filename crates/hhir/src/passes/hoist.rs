//! Guard hoisting: guards of loop invariants run once, before the loop, with a side exit to the state before the loop. Only
//! guards that every iteration makes are moved, and only if the loop's preheader has an ExitPlaceholder.

use super::Shape;
use crate::unit::Unit;

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    super::motion::run(unit, shape, true);
}
