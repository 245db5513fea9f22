//! The height of the evaluation stack before each instruction, and how many values instructions pop and push.

use phlox_hhbc::{Base, EhKind, Func, Instr, Member, MemberVector, Slot, SwitchTable, Target};

/// The height of an instruction that no path reaches.
pub const UNREACHED: u32 = u32::MAX;

/// How many values the instruction of a member vector pops for the vector.
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

/// How many values an instruction pops and pushes.
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

/// Calls `visit` with every position that the instruction may jump to.
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

/// Calls `visit` with the positions at which control enters from outside: entry points and exception handlers.
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
    /// Whether control may come to the position from elsewhere than the instruction before. Jumps in dead code do not count.
    pub is_target: Vec<bool>,
    /// Positions from which code is still to be walked, and their heights.
    work: Vec<(u32, u32)>,
}

impl Heights {
    /// Computes the heights of a function, using the memory of the function before.
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

/// Computes the heights of all instructions that are reached from the positions on the list `work`.
fn follow(code: &Func, heights: &mut [u32], is_target: &mut [bool], work: &mut Vec<(u32, u32)>) {
    while let Some((mut at, mut height)) = work.pop() {
        // Straight-line code is walked without putting each position on the list.
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
