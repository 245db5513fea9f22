//! The height of the evaluation stack before each instruction, and how many values instructions take and leave.

use phlox_hhbc::{Base, EhKind, Func, Instr, Member, MemberVector, Slot, SwitchTable, Target};

/// No path reaches the instruction.
pub const UNREACHED: u32 = u32::MAX;

/// Values that the vector takes off the stack.
pub fn vector_inputs(vector: &MemberVector) -> u32 {
    let cells = vector.members.iter().filter(|m| matches!(m, Member::EC | Member::PC)).count() as u32;
    cells
        + match vector.base {
            Base::L(_) | Base::H => 0,
            Base::N | Base::G | Base::C | Base::R => 1,
            Base::S => 2,
        }
}

/// The member vector of an instruction, if it has one.
pub fn vector_of<'a>(code: &'a Func, instr: &Instr) -> Option<&'a MemberVector> {
    if !instr.opcode().effect().has_vector {
        return None;
    }
    let mut found = None;
    instr.for_each_imm(|imm| {
        if let phlox_hhbc::imm::Imm::Vector(id) = imm {
            found = code.vectors.get(id.index());
        }
    });
    found
}

/// How many values an instruction takes and leaves.
pub fn effect(code: &Func, instr: &Instr) -> (u32, u32) {
    let effect = instr.opcode().effect();
    if let Some(fixed) = effect.fixed() {
        return fixed;
    }
    let count = || {
        let mut first = None;
        instr.for_each_imm(|imm| {
            if let (phlox_hhbc::imm::Imm::Count(count), None) = (imm, first) {
                first = Some(count);
            }
        });
        first.unwrap_or(0)
    };
    let pops = effect.pops().iter().map(|slot| match slot {
        Slot::Cn | Slot::CVn | Slot::Fn => count(),
        Slot::M => vector_of(code, instr).map_or(0, vector_inputs),
        _ => 1,
    });
    (pops.sum(), effect.pushes().len() as u32)
}

/// Every place that the instruction may jump to.
pub fn targets(code: &Func, instr: &Instr, mut visit: impl FnMut(Target)) {
    if !instr.opcode().effect().jumps {
        return;
    }
    instr.for_each_imm(|imm| match imm {
        phlox_hhbc::imm::Imm::Target(target) => visit(target),
        phlox_hhbc::imm::Imm::Switch(id) => match &code.switches[id.index()] {
            SwitchTable::Int { cases, default } => {
                cases.iter().for_each(|(_, target)| visit(*target));
                visit(*default);
            }
            SwitchTable::Str { cases, default } => {
                cases.iter().for_each(|(_, target)| visit(*target));
                visit(*default);
            }
        },
        _ => {}
    });
}

/// Shows where control can enter from outside: the entry points and the exception handlers.
fn outer_entries(code: &Func, mut visit: impl FnMut(u32)) {
    std::iter::once(&code.main_entry).chain(&code.dv_entries).for_each(|entry| visit(entry.0));
    for row in &code.eh {
        match &row.kind {
            EhKind::Catch(clauses) => clauses.iter().for_each(|(_, target)| visit(target.0)),
            EhKind::Fault(target) => visit(target.0),
        }
    }
}

/// What is known of a function's instructions before they are lowered.
#[derive(Default)]
pub struct Heights {
    /// The height before each instruction, [`UNREACHED`] for dead code.
    pub before: Vec<u32>,
    /// Where control comes in from elsewhere than the instruction before; of jumps in dead code nothing is said.
    pub is_target: Vec<bool>,
    /// Where code is still to be followed from, and with which height.
    work: Vec<(u32, u32)>,
}

impl Heights {
    /// Looks at a function, in the memory of the one that was looked at before.
    pub fn look_at(&mut self, code: &Func) {
        let Heights { before: heights, is_target, work } = self;
        heights.clear();
        heights.resize(code.code.len(), UNREACHED);
        is_target.clear();
        is_target.resize(code.code.len() + 1, false);
        work.clear();
        outer_entries(code, |entry| {
            is_target[entry as usize] = true;
            work.push((entry, 0));
        });
        follow(code, heights, is_target, work);
    }
}

fn follow(code: &Func, heights: &mut [u32], is_target: &mut [bool], work: &mut Vec<(u32, u32)>) {
    while let Some((mut at, mut height)) = work.pop() {
        // Straight-line code is followed without the detour through the list.
        while let Some(known) = heights.get_mut(at as usize).filter(|known| **known == UNREACHED) {
            *known = height;
            let instr = &code.code[at as usize];
            let (pops, pushes) = effect(code, instr);
            height = height.saturating_sub(pops) + pushes;
            targets(code, instr, |target| {
                is_target[target.index()] = true;
                work.push((target.0, height));
            });
            if !instr.opcode().effect().kind.falls_through() {
                break;
            }
            at += 1;
        }
    }
}
