//! The instructions of `inst.rs` for each T3 instruction.

use phlox_t3_image::Op;
use phlox_t3_image::decode::{Extra, Instruction};
use phlox_t3_image::ops::Operand;

use super::Cases;
use super::inst::{BinOp, CmpOp, Cond, Inst, NEW_VARARGS, Src, UnOp, VARARGS};
use super::translate::Translator;
use crate::error;
use crate::value::{PropId, Value};

/// The argument count as the instruction has it, or the mark for a popped one.
fn argc(value: i64, varargs: bool) -> u8 {
    if varargs { VARARGS } else { value as u8 }
}

impl Translator<'_> {
    pub(super) fn instruction(&mut self, inst: &Instruction<'_>, varargs: bool) {
        if self.loads(inst) || self.computes(inst) || self.branches(inst) || self.stores(inst) {
            return;
        }
        let varargs = varargs || self.counts_to_the_mark(inst);
        if self.properties(inst, varargs) || self.calls(inst, varargs) {
            return;
        }
        self.others(inst);
    }

    /// A call with as many arguments as the mark for "the popped count" pushes and pops that count.
    fn counts_to_the_mark(&mut self, inst: &Instruction<'_>) -> bool {
        let counts = inst.op.info().operands.first() == Some(&Operand::Argc);
        if !counts || inst.values[0] != i64::from(VARARGS) {
            return false;
        }
        self.hold_value(Value::Int(VARARGS.into()));
        self.plain(Inst::PopArgc);
        true
    }

    /// Instructions that only push.
    fn loads(&mut self, inst: &Instruction<'_>) -> bool {
        let value = inst.values[0];
        let raw = value as u32;
        let constant = match inst.op {
            Op::PUSH_0 => Value::Int(0),
            Op::PUSH_1 => Value::Int(1),
            Op::PUSHINT8 | Op::PUSHINT => Value::Int(value as i32),
            Op::PUSHSTR => Value::Str(self.heap.const_string(self.image, raw)),
            Op::PUSHLST => match self.heap.const_list(self.image, raw) {
                Ok(index) => Value::List(index),
                Err(_) => {
                    self.fail(error::LIST_VAL_REQD);
                    return true;
                }
            },
            Op::PUSHOBJ => Value::object(raw),
            Op::PUSHNIL => Value::Nil,
            Op::PUSHTRUE => Value::True,
            Op::PUSHPROPID => Value::Prop(raw as PropId),
            Op::PUSHFNPTR => Value::Func(self.heap.function(raw)),
            Op::PUSHENUM => Value::Enum(raw),
            // The function's number comes first, the set's second.
            Op::PUSHBIFPTR => Value::Builtin(inst.values[1] as u16, raw as u16),
            Op::PUSHSELF => {
                self.hold(Src::This);
                return true;
            }
            Op::GETR0 => {
                self.hold(Src::R0);
                return true;
            }
            Op::DUPR0 => {
                self.hold(Src::R0);
                self.hold(Src::R0);
                return true;
            }
            _ => {
                let slot = match inst.op {
                    Op::GETLCL1 | Op::GETLCL2 => self.local(value),
                    Op::GETARG1 | Op::GETARG2 => self.argument(value),
                    Op::GETARGN0 | Op::GETARGN1 | Op::GETARGN2 | Op::GETARGN3 => {
                        self.argument(inst.op as i64 - Op::GETARGN0 as i64)
                    }
                    Op::GETLCLN0 | Op::GETLCLN1 | Op::GETLCLN2 | Op::GETLCLN3 | Op::GETLCLN4 | Op::GETLCLN5 => {
                        self.local(inst.op as i64 - Op::GETLCLN0 as i64)
                    }
                    _ => return false,
                };
                if let Some(slot) = slot {
                    self.hold(Src::Slot(slot));
                }
                return true;
            }
        };
        self.hold_value(constant);
        true
    }

    fn computes(&mut self, inst: &Instruction<'_>) -> bool {
        if let Some(op) = bin_op(inst.op) {
            let (a, b) = self.two();
            self.emit(Inst::Bin { op, a, b });
            return true;
        }
        if let Some(op) = cmp_op(inst.op) {
            let (a, b) = self.two();
            self.emit(Inst::Cmp { op, a, b });
            return true;
        }
        let un = match inst.op {
            Op::NEG => UnOp::Neg,
            Op::BNOT => UnOp::BitNot,
            Op::NOT => UnOp::Not,
            Op::BOOLIZE => UnOp::Truth,
            Op::INC | Op::DEC => {
                let a = self.one();
                let op = if inst.op == Op::INC { BinOp::Add } else { BinOp::Sub };
                self.emit(Inst::Bin { op, a, b: Src::Int(1) });
                return true;
            }
            Op::IDXINT8 => {
                let a = self.one();
                self.emit(Inst::Bin { op: BinOp::Index, a, b: Src::Int(inst.values[0] as i16) });
                return true;
            }
            Op::IDXLCL1INT8 => {
                self.flush();
                let (a, b) = (Src::Slot(inst.values[0] as i16), Src::Int(inst.values[1] as i16));
                self.emit(Inst::Bin { op: BinOp::Index, a, b });
                return true;
            }
            _ => return false,
        };
        let a = self.one();
        self.emit(Inst::Un { op: un, a });
        true
    }

    fn branches(&mut self, inst: &Instruction<'_>) -> bool {
        let target = inst.values[0].clamp(0, i64::from(u32::MAX)) as u32;
        let cond = match inst.op {
            Op::JT => Cond::True,
            Op::JF => Cond::False,
            Op::JNIL => Cond::Nil,
            Op::JNOTNIL => Cond::NotNil,
            Op::JR0T | Op::JR0F => {
                self.flush();
                let cond = if inst.op == Op::JR0T { Cond::True } else { Cond::False };
                self.emit_jump(Inst::Branch { cond, src: Src::R0, target });
                return true;
            }
            Op::JMP => {
                self.flush();
                self.emit_jump(Inst::Jump(target));
                return true;
            }
            Op::JST | Op::JSF => {
                self.flush();
                self.emit_jump(Inst::BranchKeep { if_true: inst.op == Op::JST, target });
                return true;
            }
            Op::LJSR => {
                self.flush();
                self.emit_jump(Inst::SubCall { target, back: inst.next as u32 });
                return true;
            }
            _ => return self.other_branches(inst, target),
        };
        self.conditional(cond, target);
        true
    }

    fn other_branches(&mut self, inst: &Instruction<'_>, target: u32) -> bool {
        match inst.op {
            Op::LRET => {
                if let Some(slot) = self.local(inst.values[0]) {
                    self.plain(Inst::SubReturn { slot });
                }
            }
            Op::ITERNEXT => {
                self.flush();
                if let Some(slot) = self.local(inst.values[0]) {
                    let target = inst.values[1].clamp(0, i64::from(u32::MAX)) as u32;
                    self.emit_jump(Inst::IterNext { slot, target });
                }
            }
            Op::SWITCH => self.switch(inst),
            _ => {
                let Some(op) = jump_op(inst.op) else { return false };
                let (a, b) = self.two();
                self.emit_jump(comparison_jump(op, a, b, target));
            }
        }
        true
    }

    /// A branch by the truth of a value, fused with the comparison that makes the value, if there is one.
    fn conditional(&mut self, cond: Cond, target: u32) {
        let src = self.one();
        // A comparison whose result only decides a branch.
        if src == Src::Pop
            && let Some(last) = self.last
            && let Inst::Cmp { op, a, b } = self.code.insts[last]
        {
            let op = match cond {
                Cond::True | Cond::NotNil => op,
                Cond::False | Cond::Nil => negated(op),
            };
            self.code.insts[last] = comparison_jump(op, a, b, target);
            self.jumps.push(last);
            self.last = None;
            return;
        }
        self.emit_jump(Inst::Branch { cond, src, target });
    }

    fn switch(&mut self, inst: &Instruction<'_>) {
        let Extra::Cases(rows, default) = &inst.extra else { return };
        let offset = |target: i64| target.clamp(0, i64::from(u32::MAX)) as u32;
        let mut cases = Cases { default: offset(*default), plain: true, ..Cases::default() };
        for (holder, target) in rows {
            let value = self.heap.import(self.image, holder.kind, holder.raw).unwrap_or(Value::Empty);
            match value {
                Value::Int(_) | Value::Enum(_) | Value::Nil | Value::True | Value::Prop(_) => {
                    cases.index.entry(value).or_insert(cases.rows.len() as u32);
                }
                Value::Str(_) => {
                    if let Some(text) = self.heap.text(value) {
                        cases.texts.entry(text.clone()).or_insert(cases.rows.len() as u32);
                    }
                }
                _ => cases.plain = false,
            }
            cases.rows.push((value, offset(*target)));
        }
        let src = self.one();
        let table = self.code.cases.len() as u32;
        self.code.cases.push(cases);
        self.tables.push(table as usize);
        self.emit(Inst::Switch { src, table });
        self.last = None;
    }

    fn stores(&mut self, inst: &Instruction<'_>) -> bool {
        let number = inst.values[0];
        let constant = match inst.op {
            Op::ZEROLCL1 | Op::ZEROLCL2 => Value::Int(0),
            Op::ONELCL1 | Op::ONELCL2 => Value::Int(1),
            Op::NILLCL1 | Op::NILLCL2 => Value::Nil,
            _ => return self.computed_stores(inst),
        };
        if let Some(slot) = self.local(number) {
            self.will_set(slot);
            self.hold_value(constant);
            match self.held.pop() {
                Some(src) => self.set_keeping_held(slot, src),
                None => self.set(Some(slot), Src::Pop),
            }
        }
        true
    }

    /// Sets a local while other pushes stay held: they do not read it.
    fn set_keeping_held(&mut self, dst: i16, src: Src) {
        self.emit(Inst::Set { dst, src });
        self.last = None;
    }

    fn computed_stores(&mut self, inst: &Instruction<'_>) -> bool {
        let number = inst.values[0];
        match inst.op {
            Op::SETLCL1 | Op::SETLCL2 => {
                let slot = self.local(number);
                let src = self.one();
                self.set(slot, src);
            }
            Op::SETARG1 | Op::SETARG2 => {
                let slot = self.argument(number);
                let src = self.one();
                self.set(slot, src);
            }
            Op::SETLCL1R0 => {
                self.flush();
                let slot = self.local(number);
                self.set(slot, Src::R0);
            }
            Op::GETSETLCL1R0 => {
                self.flush();
                let slot = self.local(number);
                self.set(slot, Src::R0);
                self.hold(Src::R0);
            }
            Op::GETSETLCL1 => {
                let src = self.one();
                let Some(slot) = self.local(number) else { return true };
                self.set(Some(slot), src);
                self.hold(Src::Slot(slot));
            }
            Op::INCLCL | Op::DECLCL => {
                self.flush();
                let slot = self.local(number);
                self.bin_set(if inst.op == Op::INCLCL { BinOp::Add } else { BinOp::Sub }, slot, Src::Int(1));
            }
            Op::ADDILCL1 | Op::ADDILCL4 => {
                self.flush();
                let slot = self.local(number);
                self.hold_value(Value::Int(inst.values[1] as i32));
                let b = self.one();
                self.bin_set(BinOp::Add, slot, b);
            }
            Op::ADDTOLCL | Op::SUBFROMLCL => {
                let b = self.one();
                let slot = self.local(number);
                self.bin_set(if inst.op == Op::ADDTOLCL { BinOp::Add } else { BinOp::Sub }, slot, b);
            }
            Op::SETINDLCL1I8 => {
                let value = self.one();
                self.emit(Inst::SetIndexLocal { slot: number as i16, index: inst.values[1] as u8, value });
                self.last = None;
            }
            Op::SETSELF => {
                let src = self.one();
                self.plain(Inst::SetSelf(src));
            }
            _ => return false,
        }
        true
    }

    fn get_prop(&mut self, target: Src, prop: i64) {
        self.flush();
        let site = self.site();
        self.emit(Inst::GetProp { target, prop: prop as PropId, site });
        self.last = None;
    }

    fn call_prop(&mut self, argc: u8, target: Src, prop: i64) {
        self.flush();
        let site = self.site();
        self.emit(Inst::CallProp { argc, target, prop: prop as PropId, site });
        self.last = None;
    }

    fn object_source(&mut self, object: i64) -> Src {
        self.flush();
        self.hold_value(Value::object(object as u32));
        self.held.pop().unwrap_or(Src::Pop)
    }

    fn properties(&mut self, inst: &Instruction<'_>, varargs: bool) -> bool {
        let [first, second, third] = inst.values;
        match inst.op {
            Op::GETPROP => {
                let target = self.one();
                self.get_prop(target, first);
            }
            Op::GETPROPSELF => self.get_prop(Src::This, first),
            Op::GETPROPLCL1 => self.get_prop(Src::Slot(first as i16), second),
            Op::GETPROPR0 => self.get_prop(Src::R0, first),
            Op::OBJGETPROP => {
                let target = self.object_source(first);
                self.get_prop(target, second);
            }
            Op::CALLPROP => {
                let target = self.one();
                self.call_prop(argc(first, varargs), target, second);
            }
            Op::CALLPROPSELF => self.call_prop(argc(first, varargs), Src::This, second),
            Op::CALLPROPLCL1 => self.call_prop(argc(first, varargs), Src::Slot(second as i16), third),
            Op::CALLPROPR0 => self.call_prop(argc(first, varargs), Src::R0, second),
            Op::OBJCALLPROP => {
                let target = self.object_source(second);
                self.call_prop(argc(first, varargs), target, third);
            }
            Op::PTRCALLPROP => {
                let (target, prop) = self.two();
                self.plain(Inst::PtrCallProp { argc: argc(first, varargs), target, prop });
            }
            Op::PTRCALLPROPSELF => {
                let prop = self.one();
                self.plain(Inst::PtrCallProp { argc: argc(first, varargs), target: Src::This, prop });
            }
            _ => return self.inherited_properties(inst, varargs) || self.property_data(inst),
        }
        true
    }

    fn inherited_properties(&mut self, inst: &Instruction<'_>, varargs: bool) -> bool {
        let [first, second, third] = inst.values;
        match inst.op {
            Op::INHERIT => self.plain(Inst::Inherit { argc: argc(first, varargs), prop: second as PropId }),
            Op::PTRINHERIT => {
                let prop = self.one();
                self.plain(Inst::PtrInherit { argc: argc(first, varargs), prop });
            }
            Op::EXPINHERIT => {
                let (prop, object) = (second as PropId, third as u32);
                self.plain(Inst::ExpInherit { argc: argc(first, varargs), prop, object });
            }
            Op::PTREXPINHERIT => {
                let prop = self.one();
                self.plain(Inst::PtrExpInherit { argc: argc(first, varargs), object: second as u32, prop });
            }
            Op::DELEGATE => {
                let target = self.one();
                self.plain(Inst::Delegate { argc: argc(first, varargs), target, prop: second as PropId });
            }
            Op::PTRDELEGATE => {
                let (target, prop) = self.two();
                self.plain(Inst::PtrDelegate { argc: argc(first, varargs), target, prop });
            }
            _ => return false,
        }
        true
    }

    fn property_data(&mut self, inst: &Instruction<'_>) -> bool {
        let [first, second, _] = inst.values;
        match inst.op {
            Op::GETPROPDATA => self.plain(Inst::GetPropData { prop: first as PropId }),
            Op::PTRGETPROPDATA => self.plain(Inst::PtrGetPropData),
            Op::SETPROP => {
                let (value, target) = self.two();
                self.set_prop(target, value, first);
            }
            Op::SETPROPSELF => {
                let value = self.one();
                self.set_prop(Src::This, value, first);
            }
            Op::OBJSETPROP => {
                let value = self.one();
                match self.object_source(first) {
                    // The constant table is full: the object went to the real stack, above the value.
                    Src::Pop => self.set_prop(Src::Pop, Src::Pop, second),
                    target => self.set_prop(target, value, second),
                }
            }
            Op::PTRSETPROP => self.plain(Inst::PtrSetProp),
            _ => return false,
        }
        true
    }

    fn set_prop(&mut self, target: Src, value: Src, prop: i64) {
        let site = self.site();
        self.emit(Inst::SetProp { target, value, prop: prop as PropId, site });
        self.last = None;
    }

    fn calls(&mut self, inst: &Instruction<'_>, varargs: bool) -> bool {
        let [first, second, third] = inst.values;
        let count = argc(first, varargs);
        match inst.op {
            Op::CALL => {
                let function = self.heap.function(second as u32);
                self.plain(Inst::Call { argc: count, function });
            }
            Op::PTRCALL => {
                let callee = self.one();
                self.plain(Inst::PtrCall { argc: count, callee });
            }
            Op::BUILTIN_A | Op::BUILTIN_B | Op::BUILTIN_C | Op::BUILTIN_D => {
                let set = inst.op as u8 - Op::BUILTIN_A as u8;
                self.plain(Inst::Builtin { argc: count, set, index: second as u16 });
            }
            Op::BUILTIN1 | Op::BUILTIN2 => {
                self.plain(Inst::Builtin { argc: count, set: third as u8, index: second as u16 });
            }
            Op::NEW1 | Op::NEW2 | Op::TRNEW1 | Op::TRNEW2 => {
                let transient = matches!(inst.op, Op::TRNEW1 | Op::TRNEW2);
                let argc = if varargs { NEW_VARARGS } else { first as u16 };
                self.plain(Inst::New { argc, metaclass: second as u16, transient });
            }
            Op::RETVAL => {
                let src = self.one();
                self.held.clear();
                self.plain(Inst::Return(src));
            }
            Op::RETNIL => self.hold_and_return(Value::Nil),
            Op::RETTRUE => self.hold_and_return(Value::True),
            Op::RET => self.plain(Inst::ReturnR0),
            Op::THROW => {
                let src = self.one();
                self.plain(Inst::Throw(src));
            }
            Op::SAY => {
                let text = self.heap.const_string(self.image, first as u32);
                self.plain(Inst::Say(text));
            }
            Op::SAYVAL => {
                let src = self.one();
                self.plain(Inst::SayValue(src));
            }
            _ => return false,
        }
        true
    }

    fn hold_and_return(&mut self, value: Value) {
        self.hold_value(value);
        let src = self.one();
        self.plain(Inst::Return(src));
    }

    fn others(&mut self, inst: &Instruction<'_>) {
        let [first, second, _] = inst.values;
        match inst.op {
            Op::DUP => match self.held.last() {
                Some(src) => self.held.push(*src),
                None => self.plain(Inst::Dup),
            },
            Op::DISC => {
                if self.held.pop().is_none() {
                    self.plain(Inst::Drop(1));
                }
            }
            Op::SWAP if self.held.len() >= 2 => {
                let top = self.held.len() - 1;
                self.held.swap(top, top - 1);
            }
            Op::SWAP => self.plain(Inst::Swap),
            Op::DUP2 => self.plain(Inst::Dup2),
            Op::SWAP2 => self.plain(Inst::Swap2),
            Op::SWAPN => self.plain(Inst::SwapN(first as u8, second as u8)),
            Op::DISC1 => self.plain(Inst::Drop(first as u8)),
            Op::GETSPN => self.plain(Inst::PushFromTop(first as u8)),
            Op::GETARGC => self.plain(Inst::PushArgc),
            Op::PUSHCTXELE => self.plain(Inst::PushContext(first as u8)),
            Op::PUSHPARLST => self.plain(Inst::PushArgList(first as u8)),
            Op::MAKELSTPAR => self.plain(Inst::SpreadList),
            Op::VARARGC => self.plain(Inst::PopArgc),
            Op::PUSHSTRI => {
                if let Extra::Text(text) = inst.extra {
                    self.code.texts.push(String::from_utf8_lossy(text).into_owned());
                }
                self.plain(Inst::PushText(self.code.texts.len() as u32 - 1));
            }
            Op::NAMEDARGPTR => {
                self.plain(Inst::NamedArgs { count: first as u8, table: (second as u32 + 1) | self.space })
            }
            Op::NAMEDARGTAB => {
                let table = (inst.offset as u32 + 1) | self.space;
                self.plain(Inst::NamedArgs { count: first.min(255) as u8, table });
            }
            Op::SETIND => {
                let (value, container, index) = self.three();
                self.emit(Inst::SetElement { container, index, value });
            }
            Op::LOADCTX => self.plain(Inst::LoadContext),
            Op::STORECTX => self.plain(Inst::StoreContext),
            Op::GETDBLCL => self.plain(Inst::GetOuterLocal { local: first as u16, level: second as u16 }),
            Op::SETDBLCL => self.plain(Inst::SetOuterLocal { local: first as u16, level: second as u16 }),
            Op::GETDBARG => self.plain(Inst::GetOuterArg { arg: first as u16, level: second as u16 }),
            Op::SETDBARG => self.plain(Inst::SetOuterArg { arg: first as u16, level: second as u16 }),
            Op::GETDBARGC => self.plain(Inst::PushOuterArgc { level: first as u16 }),
            Op::BP => self.fail(error::BREAKPOINT),
            Op::CALLEXT => self.fail(error::CALLEXT_NOT_IMPL),
            Op::NOP => {}
            _ => self.fail(error::INVALID_OPCODE),
        }
    }
}

fn bin_op(op: Op) -> Option<BinOp> {
    Some(match op {
        Op::ADD => BinOp::Add,
        Op::SUB => BinOp::Sub,
        Op::MUL => BinOp::Mul,
        Op::DIV => BinOp::Div,
        Op::MOD => BinOp::Mod,
        Op::BAND => BinOp::And,
        Op::BOR => BinOp::Or,
        Op::XOR => BinOp::Xor,
        Op::SHL => BinOp::Shl,
        Op::ASHR => BinOp::Ashr,
        Op::LSHR => BinOp::Lshr,
        Op::INDEX => BinOp::Index,
        _ => return None,
    })
}

fn cmp_op(op: Op) -> Option<CmpOp> {
    Some(match op {
        Op::EQ => CmpOp::Eq,
        Op::NE => CmpOp::Ne,
        Op::LT => CmpOp::Lt,
        Op::LE => CmpOp::Le,
        Op::GT => CmpOp::Gt,
        Op::GE => CmpOp::Ge,
        _ => return None,
    })
}

fn jump_op(op: Op) -> Option<CmpOp> {
    Some(match op {
        Op::JE => CmpOp::Eq,
        Op::JNE => CmpOp::Ne,
        Op::JLT => CmpOp::Lt,
        Op::JLE => CmpOp::Le,
        Op::JGT => CmpOp::Gt,
        Op::JGE => CmpOp::Ge,
        _ => return None,
    })
}

fn negated(op: CmpOp) -> CmpOp {
    match op {
        CmpOp::Eq => CmpOp::Ne,
        CmpOp::Ne => CmpOp::Eq,
        CmpOp::Lt => CmpOp::Ge,
        CmpOp::Le => CmpOp::Gt,
        CmpOp::Gt => CmpOp::Le,
        CmpOp::Ge => CmpOp::Lt,
    }
}

/// The jump that a comparison decides.
fn comparison_jump(op: CmpOp, a: Src, b: Src, target: u32) -> Inst {
    match (a, b) {
        (Src::Slot(slot), Src::Int(with)) => Inst::CmpIntJump { op, slot, with, target },
        _ => Inst::CmpJump { op, a, b, target },
    }
}
