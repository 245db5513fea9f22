//! Makes units of programs, as an engine does: guards on the types of a first run, values kept out of memory,
//! snapshots.

use super::{Arith, LOCALS, Line, Program};
use crate::common::Random;
use crate::common::frame_state::FrameState;
use crate::common::splice::{Site, inline};
use phlox_hhir::eval::Val;
use phlox_hhir::types::{ArrKind, NUM};
use phlox_hhir::unit::{Const, Hint, Slot};
use phlox_hhir::{BlockId, Builder, FrameId, FuncId, InstId, Op, SnapId, Type, Unit, ValueId};

/// Compiles a program with the types that its lines have seen.
struct Compiler<'a> {
    program: &'a Program,
    code: &'a [Line],
    /// Of which kinds the locals were before each line, for the main part and each function.
    seen: &'a Seen,
    types: &'a [Vec<Type>],
    /// Calls that are to be inlined.
    calls: Vec<(ValueId, usize, SnapId)>,
    is_function: bool,
    random: &'a mut Random,
    builder: Builder,
    blocks: Vec<Option<BlockId>>,
    state: FrameState,
    line: usize,
}

fn kind(ty: Type) -> Type {
    if ty.is_bottom() { Type::UNCOUNTED } else { ty.kinds() }
}

fn slot(local: usize) -> Slot {
    Slot::Local(local as u32)
}

/// The locals with the types that they have had at a line.
fn params(seen: &[Type]) -> Vec<(Slot, Type)> {
    seen.iter().enumerate().map(|(local, &ty)| (slot(local), kind(ty))).collect()
}

impl Compiler<'_> {
    fn snap(&mut self, opline: usize) -> SnapId {
        self.state.snapshot(&mut self.builder, opline as u32)
    }

    fn define(&mut self, local: usize, value: ValueId) {
        self.state.set(slot(local), value);
        if self.random.one_in(4) {
            self.state.sync(&mut self.builder);
        }
    }

    /// A local as a value of the type that it was seen to be of.
    fn local(&mut self, local: usize, want: Type) -> ValueId {
        self.state.check(&mut self.builder, slot(local), want, self.line as u32)
    }

    fn jmp(&mut self, target: usize) {
        let to_loop = self.random.one_in(3);
        let block = self.blocks[target].unwrap();
        let params = params(&self.types[target]);
        self.state.jump(&mut self.builder, block, &params, target as u32, to_loop);
    }

    /// Leaves the line to the interpreter.
    fn interpret(&mut self, to: Option<usize>) {
        self.state.interpret(&mut self.builder, self.line as u32, to.map(|to| to as u32), 0);
    }

    fn arith(&mut self, op: Arith, to: usize, a: usize, b: usize) {
        let (ta, tb) = (kind(self.types[self.line][a]), kind(self.types[self.line][b]));
        let ops = match op {
            Arith::Add => (Op::AddIntO, Op::AddDbl),
            Arith::Sub => (Op::SubIntO, Op::SubDbl),
            Arith::Mul => (Op::MulIntO, Op::MulDbl),
            Arith::And => (Op::AndInt, Op::Nop),
            Arith::Or => (Op::OrInt, Op::Nop),
            Arith::Xor => (Op::XorInt, Op::Nop),
            Arith::Shr => (Op::ShrO, Op::Nop),
            Arith::Mod => (Op::ModO, Op::Nop),
            Arith::Min => (Op::MinInt, Op::Nop),
            Arith::Shl => (Op::ShlO, Op::Nop),
        };
        if !ta.is(NUM) || !tb.is(NUM) || ta.is(NUM) && !ta.is_unboxed() || !tb.is_unboxed() {
            return self.interpret(Some(to));
        }
        let ints = ta == Type::INT && tb == Type::INT;
        if !ints && ops.1 == Op::Nop {
            return self.interpret(Some(to));
        }
        let (mut x, mut y) = (self.local(a, ta), self.local(b, tb));
        let exit = self.snap(self.line);
        let result = if ints {
            self.builder.op_or(ops.0, &[x, y], exit)
        } else {
            if ta == Type::INT {
                x = self.builder.op(Op::ConvIntToDbl, &[x]);
            }
            if tb == Type::INT {
                y = self.builder.op(Op::ConvIntToDbl, &[y]);
            }
            self.builder.op(ops.1, &[x, y])
        };
        self.define(to, result);
    }

    fn element(&mut self, base: usize, index: usize) -> (ValueId, ValueId, SnapId) {
        let array = self.local(base, Type::of(phlox_hhir::types::STATIC_ARR));
        let exit = self.snap(self.line);
        let array = self.builder.check_arr_kind(array, ArrKind::Packed, exit);
        let index = self.local(index, Type::INT);
        let exit = self.snap(self.line);
        self.builder.emit(Op::CheckPackedArrayDataBounds, Type::TOP, [0; 3], &[array, index], edge(exit));
        (array, index, exit)
    }

    /// A call that will be inlined, if the function needs no help from the interpreter.
    fn call(&mut self, to: usize, function: usize, a: usize, b: usize) {
        let (callee, _) = compile_code(self.program, self.seen, Some(function), &mut Random(1));
        if self.is_function || callee.insts.iter().any(|inst| inst.op == Op::InterpOne) {
            return self.interpret(Some(to));
        }
        // An exit out of the function goes on with this line when the function ends.
        let after = self.snap(self.line);
        let (x, y) = (
            self.state.load(&mut self.builder, slot(a), Type::UNCOUNTED),
            self.state.load(&mut self.builder, slot(b), Type::UNCOUNTED),
        );
        let id = self.builder.unit.constant(Const::Func(FuncId(2)));
        let args = [self.state.frame_ptr, id, x, y];
        let result = self.builder.emit(Op::CallFast, Type::UNCOUNTED, [0; 3], &args, edge(after)).unwrap();
        self.calls.push((result, function, after));
        self.state.set(slot(to), result);
    }

    fn bump(&mut self, index: i64, value: ValueId) {
        let array = self.local(0, Type::of(phlox_hhir::types::STATIC_ARR));
        let exit = self.snap(self.line);
        let array = self.builder.check_arr_kind(array, ArrKind::Packed, exit);
        let index = self.builder.unit.int(index);
        self.builder.emit(Op::CheckPackedArrayDataBounds, Type::TOP, [0; 3], &[array, index], edge(exit));
        let any = Type::of(phlox_hhir::types::INT);
        let place = self.builder.emit(Op::LdPackedArrayDataElemAddr, any, [0; 3], &[array, index], Default::default());
        let place = place.unwrap();
        self.builder.emit(Op::CheckTypeMem, Type::INT, [0; 3], &[place], edge(exit));
        let old = self.builder.emit(Op::LdMem, Type::INT, [0; 3], &[place], Default::default()).unwrap();
        let new = self.builder.op_or(Op::AddIntO, &[old, value], exit);
        self.builder.emit(Op::StMemPayload, Type::TOP, [0; 3], &[place, new], Default::default());
    }

    fn branch(&mut self, a: usize, b: usize, ifs: (usize, usize)) {
        let (ta, tb) = (kind(self.types[self.line][a]), kind(self.types[self.line][b]));
        let op = match (ta, tb) {
            (Type::INT, Type::INT) => Op::LtInt,
            (Type::DBL, Type::DBL) => Op::LtDbl,
            _ => {
                let exit = self.snap(self.line);
                return self.builder.exit(exit);
            }
        };
        let (x, y) = (self.local(a, ta), self.local(b, tb));
        let less = self.builder.op(op, &[x, y]);
        let (yes, no) = (self.builder.new_block(Hint::Neutral), self.builder.new_block(Hint::Neutral));
        self.builder.branch(less, yes, no);
        let state = self.state.clone();
        self.builder.switch_to(yes);
        self.jmp(ifs.0);
        self.state = state;
        self.builder.switch_to(no);
        self.jmp(ifs.1);
    }

    /// Compiles a line; whether the next one follows.
    fn line(&mut self) -> bool {
        self.builder.at(FrameId(0), self.line as u32);
        match self.code[self.line] {
            Line::Set(to, Val::Int(value)) => {
                let value = self.builder.unit.int(value);
                self.define(to, value);
            }
            Line::Set(to, Val::Dbl(value)) => {
                let value = self.builder.unit.dbl(value);
                self.define(to, value);
            }
            Line::Set(to, _) => self.interpret(Some(to)),
            Line::Copy(to, from) => {
                let value = self.state.load(&mut self.builder, slot(from), Type::UNCOUNTED);
                self.define(to, value);
            }
            Line::Arith(op, to, a, b) => self.arith(op, to, a, b),
            Line::Elem(to, base, index) => {
                let (array, index, exit) = self.element(base, index);
                let want = kind(self.types.get(self.line + 1).map_or(Type::UNCOUNTED, |seen| seen[to]));
                let found = self.builder.emit(Op::CheckPackedElem, want, [0; 3], &[array, index], edge(exit));
                self.define(to, found.unwrap());
            }
            Line::SetElem(base, index, from) => {
                let want = kind(self.types[self.line][from]);
                if want.maybe(phlox_hhir::types::COUNTED | phlox_hhir::types::ARR) {
                    self.interpret(Some(LOCALS));
                } else {
                    let value = self.local(from, want);
                    let (array, index, _) = self.element(base, index);
                    self.builder.emit(Op::StPackedElem, Type::TOP, [0; 3], &[array, index, value], Default::default());
                }
            }
            Line::Bump(index, from) => {
                if kind(self.types[self.line][from]) != Type::INT {
                    self.interpret(Some(LOCALS));
                } else {
                    let value = self.local(from, Type::INT);
                    self.bump(index, value);
                }
            }
            Line::Print(_) => self.interpret(Some(LOCALS)),
            Line::JmpLt(a, b, target) => {
                self.branch(a, b, (target, self.line + 1));
                return false;
            }
            Line::JmpGe(a, b, target) => {
                self.branch(a, b, (self.line + 1, target));
                return false;
            }
            Line::Jmp(target) => {
                self.jmp(target);
                return false;
            }
            Line::Call(to, function, a, b) => self.call(to, function, a, b),
            Line::End if self.is_function => {
                let frame = self.state.frame_ptr;
                let value = self.state.load(&mut self.builder, slot(1), Type::UNCOUNTED);
                self.builder.ret(frame, value);
                return false;
            }
            Line::End => {
                let exit = self.snap(self.line);
                self.builder.exit(exit);
                return false;
            }
        }
        true
    }
}

fn edge(snap: SnapId) -> phlox_hhir::unit::Edge {
    phlox_hhir::unit::Edge::Exit(snap)
}

/// What a first run has seen.
#[derive(Debug)]
pub struct Seen {
    pub main: Vec<Vec<Type>>,
    pub functions: Vec<Vec<Vec<Type>>>,
}

/// The main part of a program, with its calls inlined.
pub fn compile(program: &Program, seen: &Seen, random: &mut Random) -> Unit {
    let (mut unit, calls) = compile_code(program, seen, None, random);
    for (result, function, after) in calls {
        let (callee, _) = compile_code(program, seen, Some(function), random);
        let is_call = |id: &InstId| unit.inst(*id).dst == Some(result);
        let blocks = (0..unit.blocks.len()).map(BlockId::new);
        let place = blocks.filter_map(|block| Some((block, unit.block(block).insts.iter().position(is_call)?))).min();
        let (block, at) = place.expect("a call");
        let site = Site { block, at, after, base: 0, locals: LOCALS as u32 };
        inline(&mut unit, site, &callee).expect("functions need no frame");
    }
    unit
}

type Calls = Vec<(ValueId, usize, SnapId)>;

fn compile_code(program: &Program, seen: &Seen, function: Option<usize>, random: &mut Random) -> (Unit, Calls) {
    let code = function.map_or(&program.main, |function| &program.functions[function]);
    let types = function.map_or(&seen.main, |function| &seen.functions[function]);
    let mut builder = Builder::new(FuncId(1), 0);
    let frame = builder.frame_ptr();
    let mut blocks = vec![None; code.len()];
    let mut starts = vec![0];
    for (at, line) in code.iter().enumerate() {
        match *line {
            Line::JmpLt(.., target) | Line::JmpGe(.., target) => starts.extend([target, at + 1]),
            Line::Jmp(target) => starts.push(target),
            _ => {}
        }
    }
    for &start in &starts {
        if blocks[start].is_none() {
            blocks[start] = Some(builder.new_block(Hint::Neutral));
        }
    }
    let state = FrameState::new(FrameId(0), frame, LOCALS, 0);
    let mut compiler = Compiler {
        program,
        code,
        seen,
        types,
        calls: Vec::new(),
        is_function: function.is_some(),
        random,
        builder,
        blocks,
        state,
        line: 0,
    };
    compiler.jmp(0);
    for line in 0..code.len() {
        let Some(block) = compiler.blocks[line] else { continue };
        compiler.builder.switch_to(block);
        compiler.state.enter(&mut compiler.builder, block, &params(&types[line]));
        compiler.line = line;
        while compiler.line() {
            compiler.line += 1;
            if compiler.blocks[compiler.line].is_some() {
                compiler.jmp(compiler.line);
                break;
            }
        }
    }
    (compiler.builder.finish(), compiler.calls)
}
