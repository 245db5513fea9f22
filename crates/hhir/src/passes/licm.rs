//! Loop-invariant code motion: calculations and loads that give the same in every iteration run once, before the loop.

use super::Shape;
use crate::unit::Unit;

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    super::motion::run(unit, shape, false);
}
