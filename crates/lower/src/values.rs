//! The lowering of single HHBC instructions: their operands and results, and the next instructions that are lowered with them.

use crate::facts::Feedback;
use crate::heights;
use crate::hints::literal_of;
use crate::lower::{Lowering, Parts};
use crate::opline::{ClassBy, Comparison, FALLS_THROUGH, Literal, Operand, Unary};
use crate::ops::OpCode;
use phlox_hhbc::{Instr, LocalId, SetOp, SilenceOp};

fn binary_operator(instr: Instr) -> Option<SetOp> {
    Some(match instr {
        Instr::Add {} => SetOp::Add,
        Instr::Sub {} => SetOp::Sub,
        Instr::Mul {} => SetOp::Mul,
        Instr::Div {} => SetOp::Div,
        Instr::Mod {} => SetOp::Mod,
        Instr::Pow {} => SetOp::Pow,
        Instr::Concat {} => SetOp::Concat,
        Instr::BitAnd {} => SetOp::BitAnd,
        Instr::BitOr {} => SetOp::BitOr,
        Instr::BitXor {} => SetOp::BitXor,
        Instr::Shl {} => SetOp::Shl,
        Instr::Shr {} => SetOp::Shr,
        _ => return None,
    })
}

fn comparison(instr: Instr) -> Option<Comparison> {
    Some(match instr {
        Instr::Same {} => Comparison::Same,
        Instr::NSame {} => Comparison::NSame,
        Instr::Eq {} => Comparison::Eq,
        Instr::Neq {} => Comparison::Neq,
        Instr::Lt {} => Comparison::Lt,
        Instr::Lte {} => Comparison::Lte,
        Instr::Gt {} => Comparison::Gt,
        Instr::Gte {} => Comparison::Gte,
        Instr::Cmp {} => Comparison::Cmp,
        _ => return None,
    })
}

fn unary(instr: Instr) -> Option<Unary> {
    Some(match instr {
        Instr::Not {} => Unary::Not,
        Instr::CastBool {} => Unary::CastBool,
        Instr::CastInt {} => Unary::CastInt,
        Instr::CastDouble {} => Unary::CastDouble,
        Instr::CastString {} => Unary::CastString,
        Instr::BitNot {} => Unary::BitNot,
        _ => return None,
    })
}

impl Lowering<'_> {
    /// Lowers the instruction at the current position; gives the number of instructions that were lowered.
    pub fn instruction(&mut self, instr: Instr) -> usize {
        if let Some(op) = binary_operator(instr) {
            return self.binary(op);
        }
        if let Some(op) = comparison(instr) {
            return self.compare(op);
        }
        if let Some(op) = unary(instr) {
            return self.unary(op);
        }
        if let (Some(property), None) = (self.static_here(), heights::vector_of(self.code, &instr)) {
            return self.static_instruction(instr, property);
        }
        if let Some(vector) = heights::vector_of(self.code, &instr)
            && !matches!(instr, Instr::FPassM { .. })
        {
            let code = self.code;
            debug_assert!(code.vectors.iter().any(|v| std::ptr::eq(v, vector)));
            return self.member(instr, vector);
        }
        use phlox_hhbc::OpKind;
        match instr.opcode().effect().kind {
            OpKind::FpiPush => return self.push_call(instr),
            OpKind::Pass => {
                self.pass(instr);
                return 1;
            }
            OpKind::FpiPop => match instr {
                Instr::FCallable {} => {
                    self.callable();
                    return 1;
                }
                _ => return self.call(instr),
            },
            _ => {}
        }
        if let Some(done) = self.push_value(instr) {
            return done;
        }
        if let Some(done) = self.local_instruction(instr) {
            return done;
        }
        self.other_instruction(instr)
    }

    /// Lowers an arithmetic operator, with an assignment of its result to a local if one follows.
    fn binary(&mut self, op: SetOp) -> usize {
        let right = self.pop();
        let mut left = self.pop();
        if let (Operand::Lit(_), Operand::Lit(_)) = (left, right) {
            self.push(left);
            self.flush_top(1);
            left = self.pop();
        }
        self.flush_locals();
        let parts = Parts { a: left, b: right, n: op as u32, ..Parts::default() };
        match self.stored_to(1) {
            Some(local) => {
                self.emit(OpCode::Binary, Parts { c: Operand::Local(local), ..parts });
                3
            }
            None => {
                self.emit_push(OpCode::Binary, parts);
                1
            }
        }
    }

    /// Lowers a comparison, with the branch on its result if one follows.
    fn compare(&mut self, op: Comparison) -> usize {
        let right = self.pop();
        let mut left = self.pop();
        if let (Operand::Lit(_), Operand::Lit(_)) = (left, right) {
            self.push(left);
            self.flush_top(1);
            left = self.pop();
        }
        let parts = Parts { a: left, b: right, n: op as u32, ..Parts::default() };
        let jump = match self.follower(1) {
            Some(Instr::JmpZ { target }) => Some((OpCode::JmpIfNot, target)),
            Some(Instr::JmpNZ { target }) => Some((OpCode::JmpIf, target)),
            _ => None,
        };
        match jump.filter(|_| op != Comparison::Cmp) {
            Some((jump, target)) => {
                self.flush_all();
                self.emit_jump(jump, parts, target.0);
                2
            }
            None => {
                self.flush_locals();
                self.emit_push(OpCode::Compare, parts);
                1
            }
        }
    }

    /// Lowers a unary operator; a `Not` with the branch on its result, if one follows.
    fn unary(&mut self, op: Unary) -> usize {
        let a = self.pop();
        if op == Unary::Not {
            let jump = match self.follower(1) {
                Some(Instr::JmpZ { target }) => Some((OpCode::JmpNZ, target)),
                Some(Instr::JmpNZ { target }) => Some((OpCode::JmpZ, target)),
                _ => None,
            };
            if let Some((jump, target)) = jump {
                self.flush_all();
                self.emit_jump(jump, Parts { a, ..Parts::default() }, target.0);
                return 2;
            }
        }
        self.flush_locals();
        self.emit_push(OpCode::Unary, Parts { a, n: op as u32, ..Parts::default() });
        1
    }

    /// Lowers literals and reads of locals, which wait for their consumer. `None`: the instruction is another one.
    fn push_value(&mut self, instr: Instr) -> Option<usize> {
        if let Some(literal) = literal_of(instr) {
            let literal = self.literal(literal);
            self.push(literal);
            return Some(1);
        }
        match instr {
            Instr::CGetL { local } => self.push(Operand::Local(local)),
            // An assignment to a member reports an undefined variable itself.
            Instr::CUGetL { local } if matches!(self.follower(1), Some(Instr::SetM { .. } | Instr::SetOpM { .. })) => {
                self.push(Operand::Local(local));
            }
            Instr::CGetL2 { local } | Instr::CGetL3 { local } => {
                let below = if matches!(instr, Instr::CGetL2 { .. }) { 1 } else { 2 };
                let at = self.stack.len() - below;
                self.stack.insert(at, Operand::Local(local));
            }
            Instr::This {} if matches!(self.follower(1), Some(Instr::FPushObjMethodD { .. })) => {
                self.push(Operand::This)
            }
            Instr::This {} => {
                // Only the first use can fail; a method that is not static always has `$this`.
                self.flush_locals();
                self.emit_push(OpCode::This, Parts::default());
            }
            Instr::BareThis {} => self.emit_push(OpCode::This, Parts { n: 1, ..Parts::default() }),
            Instr::CGetQuietL { local } | Instr::CUGetL { local } => {
                self.flush_locals();
                let n = matches!(instr, Instr::CUGetL { .. }) as u32;
                self.emit_push(OpCode::CopyQuiet, Parts { a: Operand::Local(local), n, ..Parts::default() });
            }
            Instr::SelfCls {} => return self.class_reference(ClassBy::SelfClass, None),
            Instr::ParentCls {} => return self.class_reference(ClassBy::Parent, None),
            Instr::LateBoundCls {} => return self.class_reference(ClassBy::Static, None),
            Instr::AGetD { class } => return self.class_reference(ClassBy::Name, Some(class)),
            _ => return None,
        }
        Some(1)
    }

    /// Lowers an instruction about one local. `None`: it is another one.
    fn local_instruction(&mut self, instr: Instr) -> Option<usize> {
        Some(match instr {
            Instr::SetL { local } => self.set_local(local),
            Instr::SetOpL { local, op } => {
                let b = self.pop();
                self.flush_locals();
                let parts = Parts { a: Operand::Local(local), b, n: op as u32, ..Parts::default() };
                if self.discarded(1) {
                    self.emit(OpCode::AssignOp, parts);
                    2
                } else {
                    self.emit_push(OpCode::AssignOp, parts);
                    1
                }
            }
            Instr::IncDecL { local, op } => {
                self.flush_locals();
                let parts = Parts { a: Operand::Local(local), n: op as u32, ..Parts::default() };
                if self.discarded(1) {
                    self.emit(OpCode::IncDec, parts);
                    2
                } else {
                    self.emit_push(OpCode::IncDec, parts);
                    1
                }
            }
            Instr::UnsetL { local } => {
                self.flush_locals();
                self.emit(OpCode::UnsetLocal, Parts { a: Operand::Local(local), ..Parts::default() });
                1
            }
            Instr::Silence { local, op } => {
                self.flush_locals();
                let op = match op {
                    SilenceOp::Start => OpCode::SilenceBegin,
                    SilenceOp::End => OpCode::SilenceEnd,
                };
                self.emit(op, Parts { a: Operand::Local(local), ..Parts::default() });
                1
            }
            Instr::IssetL { local } | Instr::EmptyL { local } => {
                let op = if matches!(instr, Instr::IssetL { .. }) { OpCode::IssetLocal } else { OpCode::EmptyLocal };
                self.emit_push(op, Parts { a: Operand::Local(local), ..Parts::default() });
                1
            }
            Instr::IsTypeL { local, test } => {
                self.flush_locals();
                let parts = Parts { a: Operand::Local(local), n: test as u32, ..Parts::default() };
                self.emit_push(OpCode::IsType, parts);
                1
            }
            Instr::VerifyParamType { param } => {
                self.emit(OpCode::VerifyParam, Parts { a: Operand::Local(param), site: true, ..Parts::default() });
                1
            }
            _ => return None,
        })
    }

    /// Lowers SetL. A read that was just emitted may write to the local directly.
    fn set_local(&mut self, local: LocalId) -> usize {
        let a = self.pop();
        if self.discarded(1) && self.retarget(a, local) {
            return 2;
        }
        self.flush_locals();
        let c = Operand::Local(local);
        if self.discarded(1) {
            self.emit(OpCode::Assign, Parts { a, c, ..Parts::default() });
            return 2;
        }
        let b = Operand::Tmp(self.next_slot());
        self.emit(OpCode::AssignResult, Parts { a, b, c, ..Parts::default() });
        self.push(b);
        1
    }

    /// Lets the element read that was just emitted write to a local instead of temporary `a`, if no deferred read of a local comes
    /// before. A read that writes to a local already is not changed: the second assignment of `$x = $a[0]; $y = $x;` is a copy.
    fn retarget(&mut self, a: Operand, local: LocalId) -> bool {
        if !matches!(a, Operand::Tmp(_)) {
            return false;
        }
        let waits = self.waits_for_local();
        let entered = self.heights.is_target[self.pc];
        match self.out.ops.last_mut() {
            Some(last) if last.op.facts().feedback == Feedback::Element && last.c == a && !waits && !entered => {
                last.c = Operand::Local(local);
                true
            }
            _ => false,
        }
    }

    fn other_instruction(&mut self, instr: Instr) -> usize {
        match instr {
            Instr::Nop {} | Instr::AssertRATL { .. } => {}
            Instr::PopC {} | Instr::PopV {} | Instr::PopR {} | Instr::PopA {} => {
                if matches!(self.stack.last(), Some(Operand::Local(_))) {
                    self.flush_top(1);
                }
                let a = self.pop();
                if matches!(a, Operand::Tmp(_)) {
                    self.emit(OpCode::Free, Parts { a, ..Parts::default() });
                }
            }
            Instr::Dup {} => match self.stack.last().copied() {
                Some(a @ Operand::Tmp(_)) => self.emit_push(OpCode::Dup, Parts { a, ..Parts::default() }),
                Some(a @ Operand::Local(_)) => {
                    // Only one of the two copies, the one that is used first, reports an undefined variable.
                    self.pop();
                    self.emit_push(OpCode::CopyQuiet, Parts { a, ..Parts::default() });
                    self.push(a);
                }
                Some(same) => self.push(same),
                None => {}
            },
            // An operator takes its operands in any order.
            Instr::Swap {} if self.follower(1).is_some_and(|next| binary_operator(next).is_some()) => {
                let (right, left) = (self.pop(), self.pop());
                self.push(right);
                self.push(left);
            }
            Instr::Unbox {} | Instr::UnboxR {} => {
                self.flush_top(1);
                let a = self.pop();
                self.emit(OpCode::Deref, Parts { a, ..Parts::default() });
                self.push(a);
            }
            Instr::NewTuple { count } => self.run_of(OpCode::NewTuple, count),
            Instr::ConcatN { count } => self.run_of(OpCode::ConcatN, count),
            Instr::AddNewElemC {} => {
                let b = self.pop();
                self.flush_locals();
                self.flush_top(1);
                let a = self.pop();
                self.emit(OpCode::AddNewElem, Parts { a, b, ..Parts::default() });
                self.push(a);
            }
            Instr::AddElemC {} => {
                let (c, b) = (self.pop(), self.pop());
                self.flush_locals();
                self.flush_top(1);
                let a = self.pop();
                self.emit(OpCode::AddElem, Parts { a, b, c, ..Parts::default() });
                self.push(a);
            }
            Instr::Echo {} => {
                let a = self.pop();
                self.flush_locals();
                self.emit(OpCode::Echo, Parts { a, ..Parts::default() });
            }
            Instr::InstanceOfD { class } => {
                let a = self.pop();
                self.flush_locals();
                let b = self.literal(Literal::Str(class));
                self.emit_push(OpCode::InstanceOf, Parts { a, b, site: true, ..Parts::default() });
            }
            Instr::Clone {} => {
                let a = self.pop();
                self.flush_locals();
                self.emit_push(OpCode::Clone, Parts { a, ..Parts::default() });
            }
            Instr::CreateCl { captures, func } => {
                self.flush_locals();
                self.flush_top(captures as usize);
                for _ in 0..captures {
                    self.pop();
                }
                let first = Operand::Tmp(self.next_slot());
                let b = self.literal(Literal::Int(i64::from(captures)));
                let parts = Parts { a: first, b, n: func.0, site: true, ..Parts::default() };
                self.emit_push(OpCode::Closure, parts);
            }
            Instr::IsTypeC { test } => {
                let a = self.pop();
                self.flush_locals();
                self.emit_push(OpCode::IsType, Parts { a, n: test as u32, ..Parts::default() });
            }
            Instr::Cns { name } => {
                self.flush_locals();
                let a = self.literal(Literal::Str(name));
                self.emit_push(OpCode::Const, Parts { a, site: true, ..Parts::default() });
            }
            Instr::CnsU { name, fallback } => {
                self.flush_locals();
                let (a, b) = (self.literal(Literal::Str(name)), self.literal(Literal::Str(fallback)));
                self.emit_push(OpCode::Const, Parts { a, b, site: true, ..Parts::default() });
            }
            Instr::ClsCnsD { name, class } => {
                self.flush_locals();
                let (a, b) = (self.literal(Literal::Str(class)), self.literal(Literal::Str(name)));
                self.emit_push(OpCode::ClassConst, Parts { a, b, site: true, ..Parts::default() });
            }
            Instr::FPassName { name } => self.name_argument(instr, name),
            Instr::VerifyRetTypeC {} if matches!(self.follower(1), Some(Instr::RetC {})) => {
                let a = self.pop();
                self.emit(OpCode::Ret, Parts { a, n: 1, site: true, ..Parts::default() });
                return 2;
            }
            _ => return self.control(instr),
        }
        1
    }

    /// Emits an opline over `count` temporaries in a row.
    fn run_of(&mut self, op: OpCode, count: u32) {
        self.flush_locals();
        self.flush_top(count as usize);
        for _ in 0..count {
            self.pop();
        }
        let a = Operand::Tmp(self.next_slot());
        self.emit_push(op, Parts { a, n: count, ..Parts::default() });
    }

    /// Lowers branches, returns and generators, and passes the rest on.
    fn control(&mut self, instr: Instr) -> usize {
        match instr {
            Instr::Jmp { target } => {
                self.flush_all();
                self.emit_jump(OpCode::Jmp, Parts::default(), target.0);
            }
            Instr::JmpZ { target } | Instr::JmpNZ { target } => {
                let a = self.pop();
                self.flush_all();
                let op = if matches!(instr, Instr::JmpZ { .. }) { OpCode::JmpZ } else { OpCode::JmpNZ };
                self.emit_jump(op, Parts { a, ..Parts::default() }, target.0);
            }
            Instr::JmpNull { target } | Instr::JmpNotNull { target } => {
                self.flush_all();
                let a = self.stack.last().copied().unwrap_or_default();
                let op = if matches!(instr, Instr::JmpNull { .. }) { OpCode::JmpNull } else { OpCode::JmpNotNull };
                self.emit_jump(op, Parts { a, ..Parts::default() }, target.0);
            }
            Instr::DVSkip { param, target } => {
                self.flush_all();
                self.emit_jump(OpCode::JmpDefined, Parts { a: Operand::Local(param), ..Parts::default() }, target.0);
            }
            Instr::Switch { table } | Instr::SSwitch { table } => {
                let a = self.pop();
                self.flush_all();
                let tested = self.drop_type_test(a);
                let n = if tested { table.0 | FALLS_THROUGH } else { table.0 };
                self.emit(OpCode::Switch, Parts { a, n, ..Parts::default() });
            }
            Instr::RetC {} => {
                let a = self.pop();
                self.emit(OpCode::Ret, Parts { a, ..Parts::default() });
            }
            Instr::RetV {} => {
                self.flush_top(1);
                let a = self.pop();
                self.emit(OpCode::RetRef, Parts { a, ..Parts::default() });
            }
            Instr::Throw {} => {
                let a = self.pop();
                self.flush_locals();
                self.emit(OpCode::Throw, Parts { a, ..Parts::default() });
            }
            Instr::Catch {} => self.emit_push(OpCode::Catch, Parts::default()),
            Instr::Unwind {} => {
                self.emit(OpCode::Unwind, Parts::default());
            }
            Instr::StaticLoc { local, name } | Instr::StaticLocInit { local, name } => {
                let Some(n) = self.code.statics.iter().position(|(known, _)| *known == name) else {
                    self.generic_step(instr);
                    return 1;
                };
                let (a, n) = (Operand::Local(local), n as u32);
                self.flush_locals();
                if matches!(instr, Instr::StaticLoc { .. }) {
                    self.emit_push(OpCode::StaticLocal, Parts { a, n, ..Parts::default() });
                } else {
                    let b = self.pop();
                    self.emit(OpCode::InitStaticLocal, Parts { a, b, n, ..Parts::default() });
                }
            }
            Instr::VGetL { local } => {
                self.flush_locals();
                self.emit_push(OpCode::RefLocal, Parts { a: Operand::Local(local), ..Parts::default() });
            }
            Instr::VGetG {} if matches!(self.stack.last(), Some(&name) if self.is_text(name)) => {
                let a = self.pop();
                self.flush_locals();
                self.emit_push(OpCode::RefGlobal, Parts { a, ..Parts::default() });
            }
            Instr::BindL { local } => {
                self.flush_locals();
                self.flush_top(1);
                let b = self.pop();
                let parts = Parts { a: Operand::Local(local), b, ..Parts::default() };
                if self.discarded(1) {
                    self.emit(OpCode::BindLocal, parts);
                    return 2;
                }
                self.emit_push(OpCode::BindLocal, parts);
            }
            Instr::CreateCont {} => {
                self.emit(OpCode::CreateGenerator, Parts::default());
            }
            Instr::Yield {} | Instr::YieldV {} | Instr::YieldK {} | Instr::YieldVK {} => {
                let keyed = matches!(instr, Instr::YieldK { .. } | Instr::YieldVK { .. });
                // Of two variables the value is read first.
                self.flush_top(1);
                self.flush_all();
                let a = self.pop();
                let b = if keyed { self.pop() } else { Operand::None };
                self.emit_push(OpCode::Yield, Parts { a, b, ..Parts::default() });
            }
            Instr::YieldFrom {} => {
                self.flush_all();
                let a = self.pop();
                self.emit_push(OpCode::YieldFrom, Parts { a, ..Parts::default() });
            }
            _ => self.iteration(instr),
        }
        1
    }

    /// Removes `IsType local; JmpZ behind the switch` in front of a switch on the same local: the switch does that. Whether it was
    /// there.
    fn drop_type_test(&mut self, a: Operand) -> bool {
        let (Operand::Local(_), [.., copy, test, jump]) = (a, &self.out.ops[..]) else { return false };
        let jumps_behind = self.fixups.last() == Some(&(self.out.ops.len() - 1, self.pc as u32 + 1));
        let is_test = copy.op == OpCode::CopyQuiet
            && copy.a == a
            && test.op == OpCode::IsType
            && test.a == copy.c
            && jump.op == OpCode::JmpZ
            && jump.a == test.c;
        let entered = (copy.pc + 1..=self.pc as u32).any(|pc| self.heights.is_target[pc as usize]);
        if !is_test || !jumps_behind || entered {
            return false;
        }
        self.fixups.pop();
        let kept = self.out.ops.len() - 3;
        self.out.ops.truncate(kept);
        true
    }

    /// Whether an operand is a literal string.
    pub fn is_text(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Lit(index) if matches!(self.out.literals[index as usize], Literal::Str(_)))
    }

    /// Lowers the instructions of iterators, and lets the reference interpreter execute all others.
    fn iteration(&mut self, instr: Instr) {
        let local = Operand::Local;
        let (op, iter, target, b, c) = match instr {
            Instr::IterInit { iter, target, value } => (OpCode::IterInit, iter, target, local(value), Operand::None),
            Instr::IterInitK { iter, target, value, key } => (OpCode::IterInit, iter, target, local(value), local(key)),
            Instr::MIterInit { iter, target, value } => {
                (OpCode::IterInitRef, iter, target, local(value), Operand::None)
            }
            Instr::MIterInitK { iter, target, value, key } => {
                (OpCode::IterInitRef, iter, target, local(value), local(key))
            }
            Instr::IterNext { iter, target, value } | Instr::MIterNext { iter, target, value } => {
                (OpCode::IterNext, iter, target, local(value), Operand::None)
            }
            Instr::IterNextK { iter, target, value, key } | Instr::MIterNextK { iter, target, value, key } => {
                (OpCode::IterNext, iter, target, local(value), local(key))
            }
            Instr::IterFree { iter } | Instr::MIterFree { iter } => {
                self.flush_locals();
                self.emit(OpCode::IterFree, Parts { n: iter.0 as u32, ..Parts::default() });
                return;
            }
            _ => return self.generic_step(instr),
        };
        let a = if op == OpCode::IterNext { Operand::None } else { self.pop() };
        self.flush_all();
        self.emit_jump(op, Parts { a, b, c, n: iter.0 as u32, ..Parts::default() }, target.0);
    }
}
