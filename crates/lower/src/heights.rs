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

/// Where control can enter from outside: the entry points and the exception handlers.
pub fn outer_entries(code: &Func) -> Vec<u32> {
    let mut entries: Vec<u32> = std::iter::once(&code.main_entry).chain(&code.dv_entries).map(|t| t.0).collect();
    for row in &code.eh {
        match &row.kind {
            EhKind::Catch(clauses) => entries.extend(clauses.iter().map(|(_, target)| target.0)),
            EhKind::Fault(target) => entries.push(target.0),
        }
    }
    entries
}

/// The height before each instruction, [`UNREACHED`] for dead code.
pub fn heights(code: &Func) -> Vec<u32> {
    let mut heights = vec![UNREACHED; code.code.len()];
    let mut work: Vec<(u32, u32)> = outer_entries(code).into_iter().map(|entry| (entry, 0)).collect();
    while let Some((mut at, mut height)) = work.pop() {
        // Straight-line code is followed without the detour through the list.
        while let Some(known) = heights.get_mut(at as usize).filter(|known| **known == UNREACHED) {
            *known = height;
            let instr = &code.code[at as usize];
            let (pops, pushes) = effect(code, instr);
            height = height.saturating_sub(pops) + pushes;
            targets(code, instr, |target| work.push((target.0, height)));
            if !instr.opcode().effect().kind.falls_through() {
                break;
            }
            at += 1;
        }
    }
    heights
}
