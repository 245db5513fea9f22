//! Calls of PHP functions, their parameters and results.
//!
//! A call goes from compiled code to compiled code, with its arguments in registers, if the callee can be compiled for
//! their types; else the region is left before the call is prepared.

use crate::build::{Build, Flow, Place, State};
use crate::region::{Callee, Context, Start, Wanted};
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::unit::{Const, Edge, Hint};
use phlox_hhir::{ClassId, FrameId, FuncId, Op, ValueId};
use phlox_lower::{HEADER_CELLS, OpCode, Operand, Opline};
use phlox_value::raw;

impl Build<'_> {
    pub(crate) fn is_function(&self) -> bool {
        matches!(self.region.start, Start::Function(_))
    }

    /// A pending call of a PHP function: the function is in the first cell of the header, what it is called on in the
    /// second one.
    pub(crate) fn init_call(&mut self, at: u32, op: &Opline, state: &mut State) -> Option<Flow> {
        let targets = (self.region.callee)(at);
        let exit = self.snap(at, state);
        let this = match targets.first()?.this {
            Context::None => self.b.unit.constant(Const::Nullptr),
            Context::Class(class) => self.b.unit.constant(Const::Cls(ClassId(class))),
            Context::Own => self.own_context()?,
            Context::Operand if op.b == Operand::This => self.own_context()?,
            Context::Operand => self.source(op.b, state).filter(|&this| self.b.ty(this).is(hhir::OBJ))?,
        };
        let header = self.region.cell(op.a)? as usize;
        if let [first, second] = &targets[..] {
            // Objects of two classes: each goes its way until the call is over.
            let wanted = self.b.unit.constant(Const::Cls(ClassId(first.guard?)));
            let class = self.b.op(Op::LdObjClass, &[this]);
            let same = self.b.op(Op::EqCls, &[class, wanted]);
            let (yes, no) = (self.b.new_block(Hint::Neutral), self.b.new_block(Hint::Neutral));
            self.b.branch(same, yes, no);
            for (block, target) in [(yes, first), (no, second)] {
                self.b.switch_to(block);
                if block == no {
                    self.check_class(this, target.guard?, exit)?;
                }
                let mut state = state.clone();
                self.pend(header, target, this, &mut state);
                self.go(at + 1, state);
            }
            return Some(Flow::Done);
        }
        let target = targets.into_iter().next()?;
        if let Some(guard) = target.guard {
            let class = match target.this {
                Context::Operand => this,
                _ => self.own_context()?,
            };
            self.check_class(class, guard, exit)?;
        }
        self.pend(header, &target, this, state);
        Some(Flow::Next)
    }

    fn pend(&mut self, header: usize, target: &Callee, this: ValueId, state: &mut State) {
        let func = self.b.unit.constant(Const::Func(FuncId(target.func)));
        self.targets.insert(func, target.clone());
        state.cells[header] = Place::Value(func);
        state.cells[header + 1] = Place::Value(this);
    }

    /// Leaves unless an object is of a class, or a class is this one.
    pub(crate) fn check_class(&mut self, value: ValueId, class: u64, exit: phlox_hhir::SnapId) -> Option<()> {
        let wanted = self.b.unit.constant(Const::Cls(ClassId(class)));
        let ty = self.b.ty(value);
        let own = if ty.is(hhir::OBJ) {
            self.b.op(Op::LdObjClass, &[value])
        } else if ty.is(hhir::CLS) {
            value
        } else {
            return None;
        };
        let same = self.b.op(Op::EqCls, &[own, wanted]);
        self.b.exit_unless(same, exit);
        Some(())
    }

    /// The type of a function's results, as it is declared.
    fn declared_result(&self) -> Option<Bits> {
        let ops = &self.region.lowered.ops;
        let typed = ops.iter().position(|op| op.op == OpCode::Ret && op.n == 1)?;
        let accepted = (self.region.taken_kinds)(typed as u32);
        single_kind(accepted)
    }

    pub(crate) fn call_function(&mut self, at: u32, op: &Opline, func: ValueId, state: &mut State) -> Option<Flow> {
        let target = self.targets.get(&func)?.clone();
        let header = self.region.cell(op.a)? as usize;
        let Place::Value(this) = state.cells[header + 1] else { return None };
        let mut args = Vec::new();
        for index in 0..op.n as usize {
            match state.cells[header + HEADER_CELLS as usize + index] {
                Place::Value(value) | Place::Fixed(value) => args.push(value),
                Place::Memory | Place::Empty => return None,
            }
        }
        let this_kind = (!self.b.ty(this).is(hhir::NULLPTR)).then(|| self.kind(this));
        let wanted = Wanted {
            func: target.func,
            this: this_kind,
            this_sample: self.seen.get(&this).copied(),
            args: args.iter().map(|&arg| self.kind(arg)).collect(),
            samples: args.iter().map(|arg| self.seen.get(arg).copied()).collect(),
        };
        let is_own = match self.region.start {
            Start::Function(own) => (own.func, own.this, &own.args) == (wanted.func, wanted.this, &wanted.args),
            Start::Loop => false,
        };
        let compiled = (self.region.compiled)(&wanted)?;
        let result = match compiled.result {
            Some(result) => result,
            None if is_own => match self.result.or_else(|| self.declared_result()) {
                Some(result) => result,
                None => return Some(Flow::Wait),
            },
            None => return None,
        };
        self.has_calls = true;
        let before = self.snap(at, state);
        for cell in &mut state.cells[header..header + HEADER_CELLS as usize + args.len()] {
            *cell = Place::Empty;
        }
        let after = self.snap(at, state);
        let (fp, header) = (self.fp, header as u32);
        let entry = self.b.unit.constant(Const::Func(FuncId(compiled.entry)));
        let room = [header, compiled.frame_bytes, 0];
        self.b.emit(Op::CheckRoom, Type::TOP, room, &[fp, entry], Edge::Exit(before));
        let mut srcs = vec![fp, func, entry, this];
        srcs.extend(args);
        let to = self.region.cell(op.c).map_or(0, |cell| cell + 1);
        let value = self.b.emit(Op::CallUnit, Type::of(result), [header, to, 0], &srcs, Edge::Exit(after))?;
        // What is passed on is known to be the one value of its type.
        let value = match phlox_hhir::Unit::const_of_type(Type::of(result)) {
            Some(constant) => self.b.unit.constant(constant),
            None => value,
        };
        if let (Some(sample), true) = (compiled.sample, self.b.ty(value).maybe(hhir::STR | hhir::ARR | hhir::OBJ)) {
            self.seen.insert(value, sample);
        }
        self.b.at(FrameId(0), at);
        if op.c == Operand::None {
            return Some(Flow::Next);
        }
        self.store(op.c, value, state).then_some(Flow::Next)
    }

    /// A parameter's type, which is known here.
    pub(crate) fn verify_param(&mut self, at: u32, op: &Opline, state: &mut State) -> Option<Flow> {
        let value = self.peek(op.a, state)?;
        let accepted = (self.region.taken_kinds)(at);
        if tags_of(self.kind(value))? & !accepted == 0 {
            return Some(Flow::Next);
        }
        if self.kind(value) == hhir::INT && accepted >> raw::TI_DOUBLE & 1 != 0 {
            let float = self.to_dbl(value);
            return self.store(op.a, float, state).then_some(Flow::Next);
        }
        let known = (self.region.caches)(op.site)[0].key;
        if self.b.ty(value).is(hhir::OBJ) && known != 0 {
            let exit = self.snap(at, state);
            self.check_class(value, known, exit)?;
            return Some(Flow::Next);
        }
        None
    }

    /// Returns from the function.
    pub(crate) fn leave(&mut self, at: u32, op: &Opline, state: &mut State) -> Option<Flow> {
        let exit = (op.n == 1).then(|| self.snap(at, state));
        let value = match op.a {
            Operand::Lit(index) if self.region.lowered.literals[index as usize] == phlox_lower::Literal::Undef => {
                self.b.unit.constant(Const::Null)
            }
            operand => self.source(operand, state)?,
        };
        // Nothing may be pending, and variables own nothing here.
        if op.n != 1 {
            return self.give(value);
        }
        let accepted = (self.region.taken_kinds)(at);
        let is_void = matches!(op.a, Operand::Lit(_)) && accepted & 1 << raw::TI_UNDEF != 0;
        if is_void || tags_of(self.kind(value))? & !accepted == 0 {
            return self.give(value);
        }
        if self.kind(value) == hhir::INT && accepted >> raw::TI_DOUBLE & 1 != 0 {
            let float = self.to_dbl(value);
            return self.give(float);
        }
        let known = (self.region.caches)(op.site)[0].key;
        if self.b.ty(value).is(hhir::OBJ) && known != 0 {
            let exit = exit?;
            self.check_class(value, known, exit)?;
            return self.give(value);
        }
        None
    }
}

/// Bits of the tags of some kinds.
pub(crate) fn tags_of(kinds: Bits) -> Option<u32> {
    const TAGS: [(Bits, u32); 9] = [
        (hhir::UNINIT, raw::TI_UNDEF),
        (hhir::INIT_NULL, raw::TI_NULL),
        (hhir::FALSE, raw::TI_FALSE),
        (hhir::TRUE, raw::TI_TRUE),
        (hhir::INT, raw::TI_INT),
        (hhir::DBL, raw::TI_DOUBLE),
        (hhir::STR, raw::TI_STR_STATIC),
        (hhir::ARR, raw::TI_ARR_STATIC),
        (hhir::OBJ, raw::TI_OBJ & 0xff),
    ];
    let known = TAGS.iter().fold(0, |bits, row| bits | row.0);
    if kinds & !known != 0 {
        return None;
    }
    Some(TAGS.iter().filter(|row| kinds & row.0 != 0).fold(0, |tags, row| tags | 1 << row.1))
}

/// The one kind that a value of accepted tags is of.
fn single_kind(accepted: u32) -> Option<Bits> {
    const KINDS: [(u32, Bits); 4] = [
        (1 << raw::TI_INT, hhir::INT),
        (1 << raw::TI_DOUBLE, hhir::DBL),
        (1 << raw::TI_FALSE | 1 << raw::TI_TRUE, hhir::BOOL),
        (1 << raw::TI_UNDEF, hhir::INIT_NULL),
    ];
    KINDS.iter().find(|row| row.0 == accepted).map(|row| row.1)
}
