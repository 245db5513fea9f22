//! Liveness: which variables are read before they are written, from each opline of a region on. Dead variables need no guards at
//! the region's entry, and no block versions.
//!
//! Liveness is only a hint, except in functions of which [`reads_by_operands`] says that variables are read by operands only:
//! code that reads a variable that is said to be dead finds it in the frame.

use crate::input::CompileInput;
use phlox_hhbc::caller_access;
use phlox_lower::facts::{ControlFlow, OperandAccess, Variables};
use phlox_lower::{NO_TARGET, Operand};

/// The number of words in a set of variables.
const WORDS: usize = 4;

type Set = [u64; WORDS];

/// The live variables before each opline of a region.
pub(crate) struct Liveness {
    first: u32,
    sets: Vec<Set>,
}

impl Liveness {
    /// Computes the live variables of a region. Code behind the region reads variables in the frame.
    pub fn of(region: &CompileInput) -> Liveness {
        let (first, last) = region.range();
        let mut liveness = Liveness { first, sets: vec![[0; WORDS]; (last - first) as usize + 2] };
        let mut changed = true;
        while changed {
            changed = false;
            for at in (first..=last).rev() {
                let live = liveness.before(region, at);
                let set = &mut liveness.sets[(at - first) as usize];
                changed |= *set != live;
                *set = live;
            }
        }
        liveness
    }

    fn before(&self, region: &CompileInput, at: u32) -> Set {
        let op = region.op(at);
        let mut live = [0; WORDS];
        if op.op.falls_through() {
            join(&mut live, self.set(at + 1));
        }
        if op.target != NO_TARGET {
            join(&mut live, self.set(op.target));
        }
        if op.op.facts().flow == ControlFlow::Switch {
            // A switch may jump to any of its cases.
            self.sets.iter().for_each(|set| join(&mut live, *set));
        }
        let mut read = [0; WORDS];
        op.each_operand(region.lowered, |used| {
            let Operand::Local(local) = used.operand else { return };
            let (word, bit) = (local.index() / 64, 1 << (local.index() % 64));
            if used.access.reads() {
                read[word] |= bit;
            } else if used.access == OperandAccess::Write {
                // `WriteNext` writes nothing at the end of an iteration, so the variable stays live.
                live[word] &= !bit;
            }
        });
        join(&mut live, read);
        live
    }

    fn set(&self, at: u32) -> Set {
        at.checked_sub(self.first).and_then(|at| self.sets.get(at as usize)).copied().unwrap_or_default()
    }

    /// Whether a variable may be read before it is written, from an opline on.
    pub fn is_live(&self, at: u32, local: usize) -> bool {
        self.set(at)[local / 64] >> (local % 64) & 1 != 0
    }
}

/// Whether the oplines of a function read its variables as operands and in no other way.
pub(crate) fn reads_by_operands(region: &CompileInput) -> bool {
    region.has_no_handlers
        && region.lowered.ops.iter().all(|op| match (op.op.facts().variables, op.b) {
            (Variables::Operands, _) => true,
            (Variables::ByFunction, Operand::Lit(name)) => {
                !caller_access::of_written(&region.string_literal(name).0).needs_frame()
            }
            (Variables::ByFunction | Variables::Any, _) => false,
        })
}

fn join(set: &mut Set, other: Set) {
    set.iter_mut().zip(other).for_each(|(word, more)| *word |= more);
}
