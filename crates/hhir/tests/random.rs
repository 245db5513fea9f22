//! Random programs: a small language with an interpreter of its own is compiled to units as the engine does it - guards
//! on the types of a first run, values kept out of memory, snapshots - and each unit, before and after each pass, must
//! make what the interpreter makes, wherever it leaves.

use phlox_hhir::eval::{End, Machine, Val, run};
use phlox_hhir::passes::{PASSES, optimize, optimize_with};
use phlox_hhir::types::{ArrKind, NUM};
use phlox_hhir::unit::{Hint, Slot};
use phlox_hhir::{BlockId, Builder, FrameId, FrameState, FuncId, Op, SnapId, Type, Unit, ValueId, parse, verify};

const LOCALS: usize = 6;
const STEPS: usize = 3000;

/// xorshift64*
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Arith {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Mod,
    Min,
}

#[derive(Clone, Copy, Debug)]
enum Line {
    Set(usize, Val),
    Copy(usize, usize),
    Arith(Arith, usize, usize, usize),
    /// local = array[local], null if there is none.
    Elem(usize, usize, usize),
    /// array[local] = local, if it is there.
    SetElem(usize, usize, usize),
    /// array[number] += local, if it is there.
    Bump(i64, usize),
    Print(usize),
    /// Goes on elsewhere if one number is less than another.
    JmpLt(usize, usize, usize),
    JmpGe(usize, usize, usize),
    Jmp(usize),
    End,
}

fn number(value: Val) -> f64 {
    match value {
        Val::Int(int) => int as f64,
        Val::Dbl(dbl) => dbl,
        Val::Bool(true) => 1.0,
        _ => 0.0,
    }
}

fn integer(value: Val) -> i64 {
    match value {
        Val::Int(int) => int,
        Val::Bool(true) => 1,
        _ => 0,
    }
}

fn arith(op: Arith, a: Val, b: Val) -> Val {
    if let (Arith::Add | Arith::Sub | Arith::Mul, false) = (op, matches!((a, b), (Val::Int(_), Val::Int(_)))) {
        let (a, b) = (number(a), number(b));
        return Val::Dbl(match op {
            Arith::Add => a + b,
            Arith::Sub => a - b,
            _ => a * b,
        });
    }
    let (a, b) = (integer(a), integer(b));
    let checked = match op {
        Arith::Add => a.checked_add(b),
        Arith::Sub => a.checked_sub(b),
        Arith::Mul => a.checked_mul(b),
        Arith::And => Some(a & b),
        Arith::Or => Some(a | b),
        Arith::Xor => Some(a ^ b),
        Arith::Shl => Some(if (0..64).contains(&b) { a << b } else { 0 }),
        Arith::Shr => Some(if b < 0 { 0 } else { a >> b.min(63) }),
        Arith::Mod => Some(if b == 0 { 0 } else { a.wrapping_rem(b) }),
        Arith::Min => Some(a.min(b)),
    };
    // Overflow gives a float.
    checked.map_or_else(|| arith(op, Val::Dbl(a as f64), Val::Dbl(b as f64)), Val::Int)
}

fn less(a: Val, b: Val) -> bool {
    match (a, b) {
        (Val::Int(a), Val::Int(b)) => a < b,
        _ => number(a) < number(b),
    }
}

/// Runs one line; where it goes.
fn step(machine: &mut Machine, program: &[Line], at: usize) -> usize {
    match program[at] {
        Line::Set(to, value) => machine.locals[to] = value,
        Line::Copy(to, from) => machine.locals[to] = machine.locals[from],
        Line::Arith(op, to, a, b) => machine.locals[to] = arith(op, machine.locals[a], machine.locals[b]),
        Line::Elem(to, base, index) => {
            machine.locals[to] = match (machine.locals[base], machine.locals[index]) {
                (Val::Arr(array), Val::Int(index)) => {
                    machine.arrays[array].get(index as usize).copied().unwrap_or(Val::Null)
                }
                _ => Val::Null,
            }
        }
        Line::SetElem(base, index, from) => {
            let value = machine.locals[from];
            if let (Val::Arr(array), Val::Int(index), false) =
                (machine.locals[base], machine.locals[index], matches!(value, Val::Arr(_)))
            {
                if let Some(element) = machine.arrays[array].get_mut(index as usize) {
                    *element = value;
                }
            }
        }
        Line::Bump(index, from) => {
            if let Val::Arr(array) = machine.locals[0] {
                let value = machine.locals[from];
                if let Some(element) = machine.arrays[array].get_mut(index as usize) {
                    *element = arith(Arith::Add, *element, value);
                }
            }
        }
        Line::Print(from) => machine.output.push(machine.locals[from]),
        Line::JmpLt(a, b, target) if less(machine.locals[a], machine.locals[b]) => return target,
        Line::JmpGe(a, b, target) if !less(machine.locals[a], machine.locals[b]) => return target,
        Line::JmpLt(..) | Line::JmpGe(..) => {}
        Line::Jmp(target) => return target,
        Line::End => {}
    }
    at + 1
}

/// Runs a program; false if it takes too long. `look` sees each line before it runs.
fn interpret(machine: &mut Machine, program: &[Line], mut at: usize, look: &mut dyn FnMut(&Machine, usize)) -> bool {
    for _ in 0..STEPS {
        look(machine, at);
        if matches!(program[at], Line::End) {
            return true;
        }
        at = step(machine, program, at);
    }
    false
}

fn value(random: &mut Random) -> Val {
    match random.below(12) {
        0 => Val::Null,
        1 => Val::Bool(random.one_in(2)),
        2 => Val::Dbl(random.pick(&[0.0, -0.0, 1.5, 1e300, f64::NAN, 4.0])),
        3 => Val::Int(random.pick(&[i64::MAX, i64::MIN, i64::MAX - 1, 1 << 62, -1, 64])),
        _ => Val::Int(random.below(12) as i64 - 2),
    }
}

fn body(random: &mut Random, program: &mut Vec<Line>, depth: usize) {
    for _ in 0..1 + random.below(5) {
        let (a, b, c) = (random.below(LOCALS), random.below(LOCALS), random.below(LOCALS));
        // Local 0 holds the array most of the time; counters are 4 and 5.
        let to = 1 + random.below(3);
        match random.below(if depth < 2 { 17 } else { 13 }) {
            0 => program.push(Line::Set(to, value(random))),
            1 => program.push(Line::Copy(to, a)),
            2..=6 => {
                let op = random.pick(&[
                    Arith::Add,
                    Arith::Add,
                    Arith::Add,
                    Arith::Sub,
                    Arith::Mul,
                    Arith::And,
                    Arith::Or,
                    Arith::Xor,
                    Arith::Shl,
                    Arith::Shr,
                    Arith::Mod,
                    Arith::Min,
                ]);
                program.push(Line::Arith(op, to, b, c));
            }
            7 | 8 => program.push(Line::Elem(to, 0, a)),
            9 => program.push(Line::SetElem(0, b, c)),
            10 => program.push(Line::Print(to)),
            11 => program.push(Line::Set(0, if random.one_in(8) { value(random) } else { Val::Arr(random.below(2)) })),
            12 => program.push(Line::Bump(random.below(4) as i64, b)),
            13 | 14 => condition(random, program, depth),
            _ => counted_loop(random, program, depth),
        }
    }
}

fn condition(random: &mut Random, program: &mut Vec<Line>, depth: usize) {
    let test = program.len();
    program.push(Line::End);
    body(random, program, depth + 1);
    let jump = program.len();
    program.push(Line::End);
    let other = program.len();
    body(random, program, depth + 1);
    let (a, b) = (random.below(LOCALS), random.below(LOCALS));
    program[test] = if random.one_in(2) { Line::JmpLt(a, b, other) } else { Line::JmpGe(a, b, other) };
    program[jump] = Line::Jmp(program.len());
}

fn counted_loop(random: &mut Random, program: &mut Vec<Line>, depth: usize) {
    let (counter, limit) = (4 + depth.min(1), 1 + random.below(3));
    program.push(Line::Set(counter, Val::Int(0)));
    let head = program.len();
    program.push(Line::End);
    body(random, program, depth + 1);
    program.push(Line::Set(3, Val::Int(1)));
    program.push(Line::Arith(Arith::Add, counter, counter, 3));
    program.push(Line::Jmp(head));
    program[head] = Line::JmpGe(counter, limit, program.len());
}

/// Compiles a program with the types that its lines have seen.
struct Compiler<'a> {
    program: &'a [Line],
    seen: &'a [Vec<Type>],
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
        let params = params(&self.seen[target]);
        self.state.jump(&mut self.builder, block, &params, target as u32, to_loop);
    }

    /// Leaves the line to the interpreter.
    fn interpret(&mut self, to: Option<usize>) {
        self.state.interpret(&mut self.builder, self.line as u32, to.map(|to| to as u32), 0);
    }

    fn arith(&mut self, op: Arith, to: usize, a: usize, b: usize) {
        let (ta, tb) = (kind(self.seen[self.line][a]), kind(self.seen[self.line][b]));
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
        let (ta, tb) = (kind(self.seen[self.line][a]), kind(self.seen[self.line][b]));
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
        match self.program[self.line] {
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
                let want = kind(self.seen.get(self.line + 1).map_or(Type::UNCOUNTED, |seen| seen[to]));
                let found = self.builder.emit(Op::CheckPackedElem, want, [0; 3], &[array, index], edge(exit));
                self.define(to, found.unwrap());
            }
            Line::SetElem(base, index, from) => {
                let want = kind(self.seen[self.line][from]);
                if want.maybe(phlox_hhir::types::COUNTED | phlox_hhir::types::ARR) {
                    self.interpret(Some(LOCALS));
                } else {
                    let value = self.local(from, want);
                    let (array, index, _) = self.element(base, index);
                    self.builder.emit(Op::StPackedElem, Type::TOP, [0; 3], &[array, index, value], Default::default());
                }
            }
            Line::Bump(index, from) => {
                if kind(self.seen[self.line][from]) != Type::INT {
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

fn compile(program: &[Line], seen: &[Vec<Type>], random: &mut Random) -> Unit {
    let mut builder = Builder::new(FuncId(1), 0);
    let frame = builder.frame_ptr();
    let mut blocks = vec![None; program.len()];
    let mut starts = vec![0];
    for (at, line) in program.iter().enumerate() {
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
    let mut compiler = Compiler { program, seen, random, builder, blocks, state, line: 0 };
    compiler.jmp(0);
    for line in 0..program.len() {
        let Some(block) = compiler.blocks[line] else { continue };
        compiler.builder.switch_to(block);
        compiler.state.enter(&mut compiler.builder, block, &params(&seen[line]));
        compiler.line = line;
        while compiler.line() {
            compiler.line += 1;
            if compiler.blocks[compiler.line].is_some() {
                compiler.jmp(compiler.line);
                break;
            }
        }
    }
    compiler.builder.finish()
}

/// Runs a unit, and the interpreter from where it leaves.
fn finish(unit: &Unit, program: &[Line], start: &Machine) -> Result<Option<Machine>, String> {
    let mut machine = start.clone();
    let mut one = |machine: &mut Machine, line: u32| {
        step(machine, program, line as usize);
    };
    match run(unit, &mut machine, &mut one, 40 * STEPS) {
        Ok(End::Exit(opline)) => {
            let done = interpret(&mut machine, program, opline as usize, &mut |_, _| {});
            Ok(done.then_some(machine))
        }
        Ok(End::Return(_)) => Err("returned".to_owned()),
        Err(error) => Err(error),
    }
}

fn machine(random: &mut Random) -> Machine {
    let mut machine = Machine { locals: vec![Val::Null; LOCALS], ..Machine::default() };
    machine.locals.iter_mut().for_each(|local| *local = value(random));
    for length in [3, 8] {
        machine.arrays.push((0..length).map(|_| value(random)).collect());
    }
    machine.locals[0] = Val::Arr(1);
    machine
}

fn one(seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut program = Vec::new();
    body(&mut random, &mut program, 0);
    program.push(Line::End);
    let start = machine(&mut random);
    let mut expected = start.clone();
    let mut seen = vec![vec![Type::BOTTOM; LOCALS]; program.len()];
    let mut look = |machine: &Machine, at: usize| {
        for (ty, local) in seen[at].iter_mut().zip(&machine.locals) {
            *ty = ty.union(local.ty());
        }
    };
    if !interpret(&mut expected, &program, 0, &mut look) {
        return;
    }
    let unit = compile(&program, &seen, &mut random);
    verify(&unit).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{program:#?}\n{unit}"));
    // The same memory as in the first run, and other memory, which the guesses do not fit.
    let mut other = machine(&mut random);
    other.locals[0] = start.locals[0];
    let mut expected_other = other.clone();
    let other_ends = interpret(&mut expected_other, &program, 0, &mut |_, _| {});
    let check = |unit: &Unit, what: &str| {
        let found = finish(unit, &program, &start);
        assert_eq!(found.as_ref().map(Option::as_ref), Ok(Some(&expected)), "seed {seed}, {what}\n{program:?}\n{unit}");
        if other_ends {
            let found = finish(unit, &program, &other);
            let found = found.as_ref().map(Option::as_ref);
            assert_eq!(found, Ok(Some(&expected_other)), "seed {seed}, {what}, other memory\n{program:?}\n{unit}");
        }
    };
    check(&unit, "as built");
    let text = unit.to_string();
    let again = parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
    assert_eq!(again.to_string(), text, "seed {seed}");
    for pass in PASSES {
        let mut changed = unit.clone();
        (pass.run)(&mut changed);
        verify(&changed).unwrap_or_else(|error| panic!("seed {seed}, {}: {error}\n{unit}\n{changed}", pass.name));
        check(&changed, pass.name);
    }
    let mut optimized = unit.clone();
    let mut steps = String::new();
    optimize_with(&mut optimized, |name, unit| {
        steps.push_str(name);
        check(unit, &steps);
        steps.push(' ');
        true
    });
    optimize(&mut optimized);
    check(&optimized, "optimized twice");
}

#[test]
fn passes_keep_what_programs_do() {
    let count = std::env::var("PHLOX_RANDOM").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    let first = std::env::var("PHLOX_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    (first..first + count).for_each(one);
}
