//! Static properties: their classes are looked up by the oplines that use the properties.

use crate::heights::{self, UNREACHED};
use crate::lower::{Lowering, Parts};
use crate::opline::{ClassBy, Comparison, Literal, Operand, Path, PathStep, QUIET, Unary};
use crate::ops::OpCode;
use crate::pending::StaticRef;
use phlox_hhbc::{Base, Instr, Member, MemberVector, StrId};

impl Lowering<'_> {
    /// Lowers a class reference that a later instruction consumes, which accesses a static property with a literal name. Gives the
    /// number of instructions that were lowered; the pushed value stands for nothing.
    pub fn class_of_static(&mut self, by: ClassBy, class: Option<StrId>) -> Option<usize> {
        let at = self.stack.len() as u32;
        let consumer = (self.pc + 1..self.code.code.len()).find(|&pc| {
            let height = self.heights.before[pc];
            height != UNREACHED && height.saturating_sub(heights::effect(self.code, &self.code.code[pc]).0) <= at
        })?;
        let instr = self.code.code[consumer];
        let cells = match (instr, heights::vector_of(self.code, &instr)) {
            (
                Instr::CGetS {}
                | Instr::CGetQuietS {}
                | Instr::IssetS {}
                | Instr::EmptyS {}
                | Instr::SetS {}
                | Instr::SetOpS { .. }
                | Instr::IncDecS { .. },
                _,
            ) => 0,
            (
                Instr::CGetM { .. }
                | Instr::CGetQuietM { .. }
                | Instr::IssetM { .. }
                | Instr::EmptyM { .. }
                | Instr::SetM { .. }
                | Instr::SetOpM { .. }
                | Instr::IncDecM { .. }
                | Instr::UnsetM { .. },
                Some(vector),
            ) if is_plain(vector) => heights::vector_inputs(vector) as usize - 2,
            (Instr::FPassM { .. }, Some(vector))
                if is_plain(vector)
                    && !vector.members.is_empty()
                    && !vector.members.contains(&Member::W)
                    && !self.is_named() =>
            {
                heights::vector_inputs(vector) as usize - 2
            }
            _ => return None,
        };
        let name = *self.stack.get(self.stack.len().checked_sub(cells + 1)?)?;
        let name = match name {
            Operand::Tmp(slot) => *self.copies.get(&slot)?,
            name => name,
        };
        let Operand::Lit(index) = name else { return None };
        let Literal::Str(name) = self.out.literals[index as usize] else { return None };
        self.statics.insert(consumer, StaticRef { name, by, class });
        let nothing = self.literal(Literal::Null);
        self.push(nothing);
        Some(1)
    }

    /// The static property that the current instruction accesses, if it is known.
    pub fn static_here(&self) -> Option<StaticRef> {
        self.statics.get(&self.pc).copied()
    }

    /// The first step of a path that begins with a static property.
    pub fn static_step(&mut self, property: StaticRef) -> PathStep {
        self.out.sites += 1;
        let StaticRef { name, by, class } = property;
        PathStep::Static { name, class, by, site: self.out.sites - 1 }
    }

    /// Reads a static property into a temporary.
    pub fn read_static(&mut self, property: StaticRef, quiet: bool, c: Operand) {
        let a = property.class.map_or(Operand::None, |class| self.literal(Literal::Str(class)));
        let b = self.literal(Literal::Str(property.name));
        let n = property.by as u32 | if quiet { QUIET } else { 0 };
        self.emit(OpCode::GetStatic, Parts { a, b, c, n, site: true });
    }

    /// Lowers an instruction that accesses a static property itself; gives the number of instructions that were lowered.
    pub fn static_instruction(&mut self, instr: Instr, property: StaticRef) -> usize {
        let operand = match instr {
            Instr::SetS {} | Instr::SetOpS { .. } => self.pop(),
            _ => Operand::None,
        };
        // One value is the name, the other stands for the class.
        self.pop();
        self.pop();
        let (op, b) = match instr {
            Instr::SetS {} => (OpCode::SetPath, Operand::None),
            Instr::SetOpS { op } => (OpCode::SetOpPath, self.literal(Literal::Int(op as i64))),
            Instr::IncDecS { op } => (OpCode::IncDecPath, self.literal(Literal::Int(op as i64))),
            _ => {
                self.flush_locals();
                self.push_static(instr, property);
                return 1;
            }
        };
        let unused = self.discarded(1);
        let step = self.static_step(property);
        self.out.paths.push(Path { base: Operand::None, steps: vec![step] });
        let n = self.out.paths.len() as u32 - 1;
        self.flush_locals();
        self.finish_path(op, Parts { a: operand, b, n, ..Parts::default() }, unused)
    }

    /// Emits the read of a static property, or a test of it, and pushes the result.
    fn push_static(&mut self, instr: Instr, property: StaticRef) {
        let result = Operand::Tmp(self.next_slot());
        self.read_static(property, !matches!(instr, Instr::CGetS {}), result);
        match instr {
            Instr::IssetS {} => {
                let b = self.literal(Literal::Null);
                let n = Comparison::NSame as u32;
                self.emit_push(OpCode::Compare, Parts { a: result, b, n, ..Parts::default() });
            }
            Instr::EmptyS {} => {
                self.emit_push(OpCode::Unary, Parts { a: result, n: Unary::Not as u32, ..Parts::default() });
            }
            _ => self.push(result),
        }
    }
}

/// Whether all members of a vector over a static property are elements or properties with literal names.
fn is_plain(vector: &MemberVector) -> bool {
    vector.base == Base::S && !vector.members.iter().any(|m| matches!(m, Member::PC | Member::PL(_)))
}
