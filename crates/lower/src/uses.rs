//! What follows from the rows of the opline table: which operands an opline reads and writes, where its result goes, which call it
//! opens.
//!
//! Liveness, printing, type feedback and the compiler ask here instead of keeping lists of opcodes of their own.

use crate::facts::{
    ANY_TYPE, Asks, ControlFlow, Kinds, LITERAL, LOCAL, Number, OPTIONAL, OperandAccess, OperandFacts, REFERENCE,
    Stepping, TEMPORARY, THIS,
};
use crate::opline::{HEADER_CELLS, Literal, Lowered, Operand, Opline, PathStep};
use crate::ops::OpCode;
use phlox_hhbc::LocalId;

impl Kinds {
    /// Whether an operand is of one of the kinds.
    pub const fn allow(self, operand: Operand) -> bool {
        let kind = match operand {
            Operand::None => OPTIONAL,
            Operand::Local(_) => LOCAL,
            Operand::Tmp(_) => TEMPORARY,
            Operand::Lit(_) => LITERAL,
            Operand::This => THIS,
        };
        self.0 & kind.0 != 0
    }
}

/// An operand of an opline, and what the opline does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandUse {
    pub operand: Operand,
    pub access: OperandAccess,
    pub asks: Asks,
}

impl OpCode {
    /// Whether the opcode writes the header of a pending call, which is its operand `a`.
    pub fn opens_call(self) -> bool {
        self.facts().a.access == OperandAccess::Opens
    }

    /// Whether the opcode makes the pending call `a`.
    pub fn makes_call(self) -> bool {
        self.facts().a.access == OperandAccess::Calls
    }

    /// Whether the type of the opcode's result is known only when it has run.
    pub fn has_unknown_result(self) -> bool {
        self.facts().result.or(REFERENCE) == ANY_TYPE.or(REFERENCE)
    }

    /// Whether a result by reference stays a reference.
    pub fn keeps_reference(self) -> bool {
        self.facts().result.has(REFERENCE)
    }

    /// Whether the interpreter can execute the opcode as a single step for compiled code.
    pub const fn is_single_step(self) -> bool {
        matches!(self.facts().step, Stepping::Single)
    }

    /// Whether the opline behind one with this opcode may be executed next.
    pub fn falls_through(self) -> bool {
        !matches!(self.facts().flow, ControlFlow::Jump | ControlFlow::Leave | ControlFlow::Switch)
    }
}

impl Opline {
    /// The operand that the opline's result goes to, if it gives one that is used.
    pub fn result(&self) -> Operand {
        let facts = self.op.facts();
        match (facts.c.access, facts.a.access) {
            (OperandAccess::Write | OperandAccess::WriteNext, _) => self.c,
            (_, OperandAccess::Exchange) => self.a,
            _ => Operand::None,
        }
    }

    /// Whether the opline overwrites a variable without reading it.
    pub fn only_writes(&self, variable: Operand, lowered: &Lowered) -> bool {
        let (mut writes, mut reads) = (false, false);
        self.each_operand(lowered, |used| {
            if used.operand == variable {
                writes |= matches!(used.access, OperandAccess::Write | OperandAccess::WriteNext);
                reads |= used.access.reads();
            }
        });
        writes && !reads
    }

    /// The variables among the opline's operands, each once.
    pub fn variables(&self, lowered: &Lowered) -> Vec<LocalId> {
        let mut variables = Vec::new();
        self.each_operand(lowered, |used| {
            if let Operand::Local(local) = used.operand
                && !variables.contains(&local)
            {
                variables.push(local);
            }
        });
        variables
    }

    /// Calls `visit` with each operand that is not missing, each temporary of a row, each argument of a call that the opline makes
    /// and each operand of its member path.
    pub fn each_operand(&self, lowered: &Lowered, mut visit: impl FnMut(OperandUse)) {
        let facts = self.op.facts();
        for (operand, facts) in [(self.a, facts.a), (self.b, facts.b), (self.c, facts.c)] {
            let OperandFacts { access, asks, .. } = facts;
            let mut row = |from: u32, count: u32| {
                (from..from + count).for_each(|tmp| visit(OperandUse { operand: Operand::Tmp(tmp), access, asks }))
            };
            match (access, operand) {
                (_, Operand::None)
                | (OperandAccess::Unused | OperandAccess::Name | OperandAccess::Opens | OperandAccess::Pending, _) => {}
                (OperandAccess::ReadRow | OperandAccess::Exchange, Operand::Tmp(first)) => {
                    row(first, self.row_length(lowered))
                }
                (OperandAccess::Calls, Operand::Tmp(header)) => {
                    let row = |tmp| {
                        visit(OperandUse { operand: Operand::Tmp(tmp), access: OperandAccess::Read, asks: Asks::Type })
                    };
                    (header + HEADER_CELLS..header + HEADER_CELLS + self.arguments(lowered)).for_each(row);
                }
                _ => visit(OperandUse { operand, access, asks }),
            }
        }
        if facts.n == Number::Path
            && let Some(path) = lowered.paths.get(self.n as usize)
        {
            if path.base != Operand::None {
                visit(OperandUse { operand: path.base, access: OperandAccess::Mutate, asks: Asks::Type });
            }
            for step in &path.steps {
                if let PathStep::Elem(operand) = *step {
                    visit(OperandUse { operand, access: OperandAccess::Read, asks: Asks::Type });
                }
            }
        }
    }

    /// The number of temporaries in the opline's row.
    fn row_length(&self, lowered: &Lowered) -> u32 {
        match (self.op.facts().n, self.b) {
            (Number::Count, _) => self.n,
            (_, Operand::Lit(index)) => match lowered.literals[index as usize] {
                Literal::Int(count) => count as u32,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// The number of arguments behind the header of the call that the opline makes.
    fn arguments(&self, lowered: &Lowered) -> u32 {
        match self.op.facts().n {
            Number::NamedCall => lowered.named_calls.get(self.n as usize).map_or(0, |call| call.args),
            _ => self.n,
        }
    }
}
