//! The passes over units: each in a file of its own, each linear or nearly linear in the size of the unit.
//!
//! [`optimize`] runs them in the order of [`PIPELINE`]. Debug builds verify the unit after each.

mod branches;
mod cleanup;
mod counts;
mod escape;
mod guards;
mod gvn;
mod hoist;
mod layout;
mod licm;
mod loads;
mod motion;
mod promote;
mod range;
mod select;
mod simplify;
mod stores;

use crate::cfg::Cfg;
use crate::ids::*;
use crate::ops::Op;
use crate::unit::*;
use crate::verify;
use std::rc::Rc;

/// A pass.
#[derive(Clone, Copy)]
pub struct Pass {
    /// The name of the pass.
    pub name: &'static str,
    /// What the pass removes or improves.
    pub doc: &'static str,
    run: fn(&mut Unit, &mut Shape),
}

impl Pass {
    /// Runs the pass alone.
    pub fn run(&self, unit: &mut Unit) {
        (self.run)(unit, &mut Shape::default());
    }
}

/// The control flow of the unit, shared by the passes: analysed when it is first asked for, and again once edges have changed.
#[derive(Default)]
pub(crate) struct Shape {
    cfg: Option<Rc<Cfg>>,
}

impl Shape {
    pub(crate) fn of(&mut self, unit: &Unit) -> Rc<Cfg> {
        Rc::clone(self.cfg.get_or_insert_with(|| Rc::new(Cfg::new(unit))))
    }

    /// Drops the analysis if a pass has changed edges, which most passes do rarely.
    fn check(&mut self, unit: &Unit) {
        if self.cfg.as_ref().is_some_and(|cfg| !cfg.holds(unit)) {
            self.cfg = None;
        }
    }
}

/// All passes. `tests/hhir` has a folder for each, by its name.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "simplify",
        doc: "constants, identities, checks that types answer, branches whose way is known",
        run: simplify::run,
    },
    Pass { name: "cleanup", doc: "unused results and parameters, empty blocks", run: cleanup::run },
    Pass { name: "guards", doc: "checks of what is known already; checks that nobody needs", run: guards::run },
    Pass { name: "gvn", doc: "instructions whose equal dominates them", run: gvn::run },
    Pass { name: "loads", doc: "loads and checks of memory whose contents are known", run: loads::run },
    Pass { name: "licm", doc: "calculations and loads that do not change move before the loop", run: licm::run },
    Pass { name: "hoist", doc: "checks that do not change move before the loop", run: hoist::run },
    Pass { name: "promote", doc: "numbers in memory that a loop works on are carried as values", run: promote::run },
    Pass {
        name: "range",
        doc: "bounds of integers: no overflow checks, no comparisons, bounds checks once",
        run: range::run,
    },
    Pass { name: "branches", doc: "conditions that are made in one place and used in the next", run: branches::run },
    Pass { name: "select", doc: "branches between ways that only calculate numbers become choices", run: select::run },
    Pass { name: "stores", doc: "stores that nobody reads, or only exits", run: stores::run },
    Pass { name: "counts", doc: "references that are taken and given up again", run: counts::run },
    Pass { name: "escape", doc: "arrays and references that nobody else sees are not made", run: escape::run },
    Pass { name: "layout", doc: "cold blocks, branches towards the likelier way", run: layout::run },
];

/// The order in which the passes run; some of them run more than once.
pub const PIPELINE: &[&str] = &[
    "simplify", "cleanup", "gvn", "loads", "guards", "hoist", "promote", "licm", "range", "escape", "simplify", "gvn",
    "stores", "counts", "hoist", "branches", "cleanup", "select", "layout",
];

/// The pass with a name.
pub fn find(name: &str) -> Option<Pass> {
    PASSES.iter().copied().find(|pass| pass.name == name)
}

/// Runs the whole pipeline.
pub fn optimize(unit: &mut Unit) {
    optimize_with(unit, |_, _| true);
}

/// Runs the pipeline. After each pass `after` gets the pass's name and the unit, and says whether to go on.
pub fn optimize_with(unit: &mut Unit, mut after: impl FnMut(&'static str, &Unit) -> bool) {
    let mut shape = Shape::default();
    for name in PIPELINE {
        let Some(pass) = find(name) else { continue };
        (pass.run)(unit, &mut shape);
        shape.check(unit);
        if cfg!(debug_assertions)
            && let Err(error) = verify(unit)
        {
            panic!("after {name}: {error}\n{unit}");
        }
        if !after(name, unit) {
            return;
        }
    }
}

/// Replacements of values by other values.
pub(crate) struct Substitution {
    /// The replacement of each value; values beyond the end are not replaced.
    map: Vec<ValueId>,
    changed: bool,
}

impl Substitution {
    pub(crate) fn new() -> Substitution {
        Substitution { map: Vec::new(), changed: false }
    }

    /// The value that a value is replaced by.
    #[inline]
    pub(crate) fn find(&self, mut value: ValueId) -> ValueId {
        while let Some(&next) = self.map.get(value.at()) {
            if next == value {
                break;
            }
            value = next;
        }
        value
    }

    /// Replaces `from` by `to` from now on.
    pub(crate) fn set(&mut self, from: ValueId, to: ValueId) {
        let to = self.find(to);
        if from != to {
            while self.map.len() <= from.at() {
                self.map.push(ValueId::new(self.map.len()));
            }
            self.map[from.at()] = to;
            self.changed = true;
        }
    }

    /// Replaces the operands of an instruction.
    #[inline]
    pub(crate) fn operands(&self, unit: &mut Unit, inst: InstId) {
        if self.changed {
            unit.srcs_mut(inst).iter_mut().for_each(|src| *src = self.find(*src));
        }
    }

    /// Replaces values in the whole unit.
    pub(crate) fn apply(self, unit: &mut Unit) {
        if self.changed {
            unit.substitute(&self.map);
        }
    }
}

/// The values whose types must stay true: those on whose types decisions rest, and the values that these come from.
pub(crate) fn observed(unit: &Unit, order: &[BlockId]) -> Vec<bool> {
    let all = (0..unit.values.len()).map(ValueId::new);
    origins(unit, order, all.filter(|value| unit.values[value.at()].observed).collect())
}

/// The values that some values come from, including these: operands of the defining instructions, and values that jumps pass.
pub(crate) fn origins(unit: &Unit, order: &[BlockId], mut work: Vec<ValueId>) -> Vec<bool> {
    let mut found = vec![false; unit.values.len()];
    let mut passed: Vec<(ValueId, ValueId)> = Vec::new();
    for &block in order {
        let Some(last) = unit.terminator(block) else { continue };
        let inst = unit.inst(last);
        if let (Op::Jmp, Edge::Block(target)) = (inst.op, inst.edge) {
            passed.extend(unit.block(target).params.iter().copied().zip(unit.srcs(inst).iter().copied()));
        }
    }
    passed.sort_unstable();
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut found[value.at()], true) {
            continue;
        }
        match unit.values[value.at()].def {
            Def::Const(_) => {}
            Def::Inst(id) => work.extend_from_slice(unit.srcs(unit.inst(id))),
            Def::Param(..) => {
                let start = passed.partition_point(|row| row.0 < value);
                work.extend(passed[start..].iter().take_while(|row| row.0 == value).map(|row| row.1));
            }
        }
    }
    found
}

/// Takes the instructions out of a block, for a walk that puts back those that stay.
pub(crate) fn take_insts(unit: &mut Unit, block: BlockId) -> Vec<InstId> {
    std::mem::take(&mut unit.blocks[block.at()].insts)
}

/// Removes the instructions behind a terminal one, which never run.
pub(crate) fn cut_after_terminal(unit: &Unit, insts: &mut Vec<InstId>) {
    if let Some(end) = insts.iter().position(|&id| unit.inst(id).op.is_terminal()) {
        insts.truncate(end + 1);
    }
}
