//! Loop-invariant code motion: calculations and loads with one result for all iterations run once, before the loop.

use super::Shape;
use crate::unit::Unit;

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    super::motion::run(unit, shape, false);
}
