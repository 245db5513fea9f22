//! Loop-invariant code motion: calculations and loads that give the same in every iteration run once, before the loop.

use crate::unit::Unit;

pub(super) fn run(unit: &mut Unit) {
    super::motion::run(unit, false);
}
