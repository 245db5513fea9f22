//! Member instructions: reads become a chain of oplines, everything that changes something a member path.

use crate::heights::vector_inputs;
use crate::lower::{Lowering, Parts};
use crate::opline::{Literal, Operand, Path, PathStep};
use crate::ops::OpCode;
use phlox_hhbc::{Base, IncDec, Instr, Member, MemberVector, SetOp};

impl Lowering<'_> {
    /// Whether oplines can express the path of a member vector.
    pub fn is_plain_path(&self, vector: &MemberVector) -> bool {
        let known = match vector.base {
            Base::L(_) | Base::H | Base::C | Base::R => true,
            Base::S => self.static_here().is_some(),
            _ => false,
        };
        known && !vector.members.iter().any(|m| matches!(m, Member::PC | Member::PL(_)))
    }

    /// The operand of a member's key; `None`: the member is a property or a new element.
    fn key(&mut self, member: Member, cells: &mut impl Iterator<Item = Operand>) -> Option<Operand> {
        Some(match member {
            Member::EC => cells.next().unwrap_or_default(),
            Member::EL(local) => Operand::Local(local),
            Member::ET(key) => self.literal(Literal::Str(key)),
            Member::EI(key) => self.literal(Literal::Int(key)),
            _ => return None,
        })
    }

    /// Pops the inputs of a member vector: its base and its keys.
    fn inputs(&mut self, vector: &MemberVector) -> (Operand, Vec<Operand>) {
        let count = vector_inputs(vector) as usize;
        let mut inputs = self.stack.split_off(self.stack.len() - count);
        let base = match vector.base {
            Base::L(local) => Operand::Local(local),
            Base::H => Operand::This,
            // One value is the name, the other stands for the class.
            Base::S => {
                inputs.remove(0);
                inputs.pop();
                Operand::None
            }
            _ => inputs.remove(0),
        };
        (base, inputs)
    }

    /// Pops the inputs of a member vector, and adds its member path to the function's; gives the path's number.
    fn path_of(&mut self, vector: &MemberVector) -> u32 {
        let (base, cells) = self.inputs(vector);
        let mut cells = cells.into_iter();
        let mut steps = Vec::with_capacity(vector.members.len());
        if let (Base::S, Some(property)) = (vector.base, self.static_here()) {
            steps.push(self.static_step(property));
        }
        for &member in &vector.members {
            steps.push(match (self.key(member, &mut cells), member) {
                (Some(key), _) => PathStep::Elem(key),
                (None, Member::PT(name)) => {
                    self.out.sites += 1;
                    PathStep::Prop(name, self.out.sites - 1)
                }
                _ => PathStep::New,
            });
        }
        self.out.paths.push(Path { base, steps });
        self.out.paths.len() as u32 - 1
    }

    /// Emits reads of all but the last `keep` members; gives the operand that they lead to, and the keys that are left.
    fn chain(&mut self, vector: &MemberVector, quiet: bool, keep: usize) -> (Operand, Vec<Operand>) {
        // Intermediate values go above everything that is still needed.
        let scratch = Operand::Tmp(self.next_slot());
        let (mut current, cells) = self.inputs(vector);
        self.flush_locals();
        if let (Base::S, Some(property)) = (vector.base, self.static_here()) {
            let below = self.stack.len();
            self.stack.extend(&cells);
            self.read_static(property, quiet, scratch);
            self.stack.truncate(below);
            current = scratch;
        }
        let mut cells: std::collections::VecDeque<Operand> = cells.into();
        for &member in &vector.members[..vector.members.len() - keep] {
            let cell = if member == Member::EC { cells.pop_front() } else { None };
            let below = self.stack.len();
            self.stack.extend(cells.make_contiguous());
            current = self.read_step(current, member, cell, quiet, scratch);
            self.stack.truncate(below);
        }
        (current, cells.into())
    }

    /// Emits the read of one member of `base` into `result`, which is given. `cell`: the key, if it was on the stack.
    fn read_step(
        &mut self,
        base: Operand,
        member: Member,
        cell: Option<Operand>,
        quiet: bool,
        result: Operand,
    ) -> Operand {
        let key = self.key(member, &mut cell.into_iter());
        match (key, member) {
            (Some(key), _) => {
                let op = if quiet { OpCode::GetElemQuiet } else { OpCode::GetElem };
                self.emit(op, Parts { a: base, b: key, c: result, ..Parts::default() });
            }
            (None, Member::PT(name)) => {
                let name = self.literal(Literal::Str(name));
                let op = if quiet { OpCode::GetPropQuiet } else { OpCode::GetProp };
                self.emit(op, Parts { a: base, b: name, c: result, site: true, ..Parts::default() });
            }
            _ => {}
        }
        result
    }

    /// Pushes the value that the vector leads to.
    pub fn read_member(&mut self, vector: &MemberVector, quiet: bool) {
        let (base, cells) = self.chain(vector, quiet, 1);
        let Some(&last) = vector.members.last() else { return };
        let result = Operand::Tmp(self.next_slot());
        self.read_step(base, last, cells.first().copied(), quiet, result);
        self.push(result);
    }

    /// Lowers IssetM or EmptyM.
    pub fn isset_member(&mut self, vector: &MemberVector, empty: bool) {
        let (base, cells) = self.chain(vector, true, 1);
        let Some(&last) = vector.members.last() else { return };
        let n = empty as u32;
        match (self.key(last, &mut cells.into_iter()), last) {
            (Some(key), _) => self.emit_push(OpCode::IssetElem, Parts { a: base, b: key, n, ..Parts::default() }),
            (None, Member::PT(name)) => {
                let b = self.literal(Literal::Str(name));
                self.emit_push(OpCode::IssetProp, Parts { a: base, b, n, site: true, ..Parts::default() });
            }
            _ => {}
        }
    }

    fn is_one_element(&self, vector: &MemberVector) -> bool {
        matches!(vector.members[..], [Member::EC | Member::EL(_) | Member::ET(_) | Member::EI(_)])
    }

    /// Whether oplines can read what the vector leads to.
    pub fn is_plain_read(&self, vector: &MemberVector) -> bool {
        self.is_plain_path(vector) && !vector.members.is_empty() && !vector.members.contains(&Member::W)
    }

    /// Pushes a reference to the place that the vector leads to.
    pub fn reference_to_member(&mut self, vector: &MemberVector) {
        let path = self.path_of(vector);
        self.flush_locals();
        self.emit_push(OpCode::RefPath, Parts { n: path, ..Parts::default() });
    }

    /// Lowers SetM; gives the number of instructions that were lowered.
    pub fn set_member(&mut self, vector: &MemberVector) -> usize {
        let value = self.pop();
        let unused = self.discarded(1);
        if unused && self.set_simple(vector, value) {
            return 2;
        }
        let path = self.path_of(vector);
        self.flush_locals();
        self.finish_path(OpCode::SetPath, Parts { a: value, n: path, ..Parts::default() }, unused)
    }

    /// Lowers an assignment to one member of a local or `$this`, whose result is not used. False: the vector is another one.
    fn set_simple(&mut self, vector: &MemberVector, value: Operand) -> bool {
        let [member] = vector.members[..] else { return false };
        match (vector.base, member) {
            (Base::L(local), Member::W) => {
                self.flush_locals();
                let parts = Parts { a: Operand::Local(local), c: value, ..Parts::default() };
                self.emit(OpCode::Append, parts);
            }
            (Base::L(_), Member::EC | Member::EL(_) | Member::ET(_) | Member::EI(_)) => {
                let (base, cells) = self.inputs(vector);
                self.flush_locals();
                let Some(key) = self.key(member, &mut cells.into_iter()) else { return false };
                self.emit(OpCode::SetElem, Parts { a: base, b: key, c: value, ..Parts::default() });
            }
            (Base::L(_) | Base::H, Member::PT(name)) => {
                let (base, _) = self.inputs(vector);
                self.flush_locals();
                let name = self.literal(Literal::Str(name));
                self.emit(OpCode::SetProp, Parts { a: base, b: name, c: value, site: true, ..Parts::default() });
            }
            _ => return false,
        }
        true
    }

    /// Emits an opline with a member path whose result may be unused; gives the number of instructions that were lowered.
    pub fn finish_path(&mut self, op: OpCode, parts: Parts, unused: bool) -> usize {
        match unused {
            true => {
                self.emit(op, parts);
                2
            }
            false => {
                self.emit_push(op, parts);
                1
            }
        }
    }

    /// Lowers SetOpM; gives the number of instructions that were lowered.
    pub fn set_op_member(&mut self, vector: &MemberVector, op: SetOp) -> usize {
        let value = self.pop();
        let unused = self.discarded(1);
        let path = self.path_of(vector);
        self.flush_locals();
        let b = self.literal(Literal::Int(op as i64));
        self.finish_path(OpCode::SetOpPath, Parts { a: value, b, n: path, ..Parts::default() }, unused)
    }

    /// Lowers IncDecM; gives the number of instructions that were lowered.
    pub fn inc_dec_member(&mut self, vector: &MemberVector, op: IncDec) -> usize {
        let unused = self.discarded(1);
        let path = self.path_of(vector);
        self.flush_locals();
        let b = self.literal(Literal::Int(op as i64));
        self.finish_path(OpCode::IncDecPath, Parts { b, n: path, ..Parts::default() }, unused)
    }

    /// Lowers UnsetM.
    pub fn unset_member(&mut self, vector: &MemberVector) {
        let path = self.path_of(vector);
        self.flush_locals();
        self.emit(OpCode::UnsetPath, Parts { n: path, ..Parts::default() });
    }

    /// Lowers BindM; gives the number of instructions that were lowered.
    pub fn bind_member(&mut self, vector: &MemberVector) -> usize {
        self.flush_top(1);
        let value = self.pop();
        let unused = self.discarded(1);
        let path = self.path_of(vector);
        self.flush_locals();
        self.finish_path(OpCode::BindPath, Parts { a: value, n: path, ..Parts::default() }, unused)
    }

    /// Makes the element read that was just emitted one of destructuring. An array that was duplicated for it stays in its
    /// temporary instead.
    fn destructure(&mut self) {
        let [earlier @ .., last] = &mut self.out.ops[..] else { return };
        last.op = OpCode::GetElemList;
        let [.., before] = earlier else { return };
        let entered = (before.pc + 1..=self.pc as u32).any(|pc| self.heights.is_target[pc as usize]);
        if before.op == OpCode::Dup && before.c == last.a && !entered {
            last.a = before.a;
            last.n = 1;
            let dup = self.out.ops.len() - 2;
            self.out.ops.remove(dup);
        }
    }

    /// Turns the Step that was just emitted into one that names its property's operand, if it accesses one property of a variable
    /// or `$this` by a name that is a value.
    fn named_property(&mut self, instr: Instr, vector: &MemberVector) {
        let op = match instr {
            Instr::CGetM { .. } => OpCode::GetPropNamed,
            Instr::SetM { .. } => OpCode::SetPropNamed,
            _ => return,
        };
        let base = match vector.base {
            Base::L(local) => Operand::Local(local),
            Base::H => Operand::This,
            _ => return,
        };
        let Some(last) = self.out.ops.last_mut().filter(|last| last.op == OpCode::Step) else { return };
        (last.b, last.c) = match vector.members[..] {
            [Member::PL(local)] => (Operand::Local(local), base),
            [Member::PC] => (last.a, base),
            _ => return,
        };
        last.op = op;
    }

    /// Lowers any member instruction; gives the number of instructions that were lowered.
    pub fn member(&mut self, instr: Instr, vector: &MemberVector) -> usize {
        let reads = matches!(
            instr,
            Instr::CGetM { .. }
                | Instr::CGetQuietM { .. }
                | Instr::CGetListM { .. }
                | Instr::IssetM { .. }
                | Instr::EmptyM { .. }
        );
        if if reads { !self.is_plain_read(vector) } else { !self.is_plain_path(vector) } {
            self.generic_step(instr);
            self.named_property(instr, vector);
            return 1;
        }
        match instr {
            Instr::CGetM { .. } => self.read_member(vector, false),
            Instr::CGetQuietM { .. } => self.read_member(vector, true),
            Instr::CGetListM { .. } if self.is_one_element(vector) => {
                self.read_member(vector, false);
                self.destructure();
            }
            Instr::CGetListM { .. } => self.generic_step(instr),
            Instr::IssetM { .. } => self.isset_member(vector, false),
            Instr::EmptyM { .. } => self.isset_member(vector, true),
            Instr::VGetM { .. } => self.reference_to_member(vector),
            Instr::SetM { .. } => return self.set_member(vector),
            Instr::SetOpM { op, .. } => return self.set_op_member(vector, op),
            Instr::IncDecM { op, .. } => return self.inc_dec_member(vector, op),
            Instr::BindM { .. } => return self.bind_member(vector),
            Instr::UnsetM { .. } => self.unset_member(vector),
            _ => self.generic_step(instr),
        }
        1
    }
}
