//! Random programs over counted strings and arrays: passes may leave out references, but strings must go in the same
//! order, and what is left must have the same counts.

mod common;

use common::Random;
use common::frame_state::FrameState;
use phlox_hhir::eval::{End, Machine, Val, run};
use phlox_hhir::passes::{PASSES, optimize_with};
use phlox_hhir::types::{ARR, ArrKind, COUNTED_ARR, INIT_CELL, INT, NULL, STR};
use phlox_hhir::unit::{Const, Edge, Hint, Literal, Slot};
use phlox_hhir::{BlockId, Builder, FrameId, FuncId, Op, SnapId, Type, Unit, ValueId, verify};

const LOCALS: usize = 6;
const COUNTER: usize = 5;
const STEPS: usize = 400;

#[derive(Clone, Copy, Debug)]
enum Line {
    /// local = a new string
    New(usize),
    Null(usize),
    Copy(usize, usize),
    /// local = [local, local]
    Pair(usize, usize, usize),
    /// local = local[0], null if it is no array
    First(usize, usize),
    /// local = local . ","
    Concat(usize, usize),
    /// local .= ","
    Append(usize),
    /// Does something that compiled code leaves to the interpreter.
    Look(usize),
    IfNull(usize, usize),
    Jmp(usize),
    /// The counter is zero, counts, ends the loop.
    Zero,
    Count,
    UnlessLess(i64, usize),
    End,
}

fn assign(machine: &mut Machine, locals: &mut [Val], to: usize, value: Val) {
    let old = std::mem::replace(&mut locals[to], value);
    machine.release(old);
}

fn step(machine: &mut Machine, locals: &mut [Val], code: &[Line], at: usize) -> usize {
    match code[at] {
        Line::New(to) => {
            let value = machine.new_string();
            assign(machine, locals, to, value);
        }
        Line::Null(to) => assign(machine, locals, to, Val::Null),
        Line::Copy(to, from) => {
            machine.retain(locals[from]);
            assign(machine, locals, to, locals[from]);
        }
        Line::Pair(to, a, b) => {
            machine.retain(locals[a]);
            machine.retain(locals[b]);
            let value = machine.new_array(vec![locals[a], locals[b]]);
            assign(machine, locals, to, value);
        }
        Line::First(to, from) => {
            let value = match locals[from] {
                Val::Vec(at) => machine.heap[at].elements[0],
                _ => Val::Null,
            };
            machine.retain(value);
            assign(machine, locals, to, value);
        }
        Line::Concat(to, from) => {
            if let Val::Str(_) = locals[from] {
                machine.retain(locals[from]);
                let value = machine.concat(locals[from]);
                assign(machine, locals, to, value);
            }
        }
        Line::Append(to) => {
            if let Val::Str(_) = locals[to] {
                locals[to] = machine.concat(locals[to]);
            }
        }
        Line::Look(from) => {
            if let Val::Str(at) | Val::Vec(at) = locals[from] {
                let count = i64::from(machine.heap[at].count);
                machine.output.push(Val::Int(count));
            }
        }
        Line::IfNull(from, target) if locals[from] == Val::Null => return target,
        Line::UnlessLess(limit, target) if !matches!(locals[COUNTER], Val::Int(count) if count < limit) => {
            return target;
        }
        Line::IfNull(..) | Line::UnlessLess(..) | Line::End => {}
        Line::Jmp(target) => return target,
        Line::Zero => locals[COUNTER] = Val::Int(0),
        Line::Count => {
            if let Val::Int(count) = locals[COUNTER] {
                locals[COUNTER] = Val::Int(count + 1);
            }
        }
    }
    at + 1
}

fn interpret(
    machine: &mut Machine,
    locals: &mut [Val],
    code: &[Line],
    mut at: usize,
    look: &mut dyn FnMut(&[Val], usize),
) -> bool {
    for _ in 0..STEPS {
        look(locals, at);
        if let Line::End = code[at] {
            return true;
        }
        at = step(machine, locals, code, at);
    }
    false
}

/// A string that lives by a second holder alone, for a while: the first one goes away before it is used for the last time.
/// A reference that is not counted in between is missing then.
fn holder_dies(random: &mut Random, code: &mut Vec<Line>) {
    let (text, array) = (random.below(4), 1 + random.below(3));
    let (array, second) = ((text + array) % 4, (text + if array == 1 { 2 } else { 1 }) % 4);
    code.extend([Line::New(text), Line::Pair(array, text, text), Line::Null(text), Line::First(second, array)]);
    if random.one_in(2) {
        code.push(Line::Copy(text, second));
    }
    code.push(Line::Null(array));
    match random.below(4) {
        0 => code.push(Line::Concat(array, second)),
        1 => code.push(Line::Look(second)),
        // Another string goes before this one.
        _ => code.extend([Line::New(array), Line::Null(array)]),
    }
    code.push(Line::Null(second));
}

fn body(random: &mut Random, code: &mut Vec<Line>, depth: usize) {
    for _ in 0..2 + random.below(12) {
        if random.one_in(8) {
            holder_dies(random, code);
        }
        let (to, a, b) = (random.below(4), random.below(4), random.below(4));
        match random.below(if depth < 2 { 12 } else { 10 }) {
            0 => code.push(Line::New(to)),
            1 | 2 => code.push(Line::Null(to)),
            3 => code.push(Line::Copy(to, a)),
            4 => code.push(Line::First(to, a)),
            5 => code.push(Line::Pair(to, a, b)),
            6 => code.push(Line::First(to, a)),
            7 => code.push(Line::Concat(to, a)),
            8 => code.push(Line::Append(to)),
            9 if random.one_in(4) => code.push(Line::Look(to)),
            9 => code.push(Line::Copy(to, a)),
            10 => {
                let test = code.len();
                code.push(Line::End);
                body(random, code, depth + 1);
                let jump = code.len();
                code.push(Line::End);
                code[test] = Line::IfNull(a, code.len());
                body(random, code, depth + 1);
                code[jump] = Line::Jmp(code.len());
            }
            _ if depth > 0 => {}
            _ => {
                code.push(Line::Zero);
                let head = code.len();
                code.push(Line::End);
                body(random, code, depth + 1);
                code.push(Line::Count);
                code.push(Line::Jmp(head));
                code[head] = Line::UnlessLess(1 + random.below(3) as i64, code.len());
            }
        }
    }
}

struct Compiler<'a> {
    code: &'a [Line],
    seen: &'a [Vec<Type>],
    random: &'a mut Random,
    builder: Builder,
    blocks: Vec<Option<BlockId>>,
    state: FrameState,
    line: usize,
}

fn kind(ty: Type) -> Type {
    if ty.is_bottom() { Type::of(INIT_CELL) } else { ty.kinds() }
}

fn slot(local: usize) -> Slot {
    Slot::Local(local as u32)
}

fn params(seen: &[Type]) -> Vec<(Slot, Type)> {
    seen.iter().enumerate().map(|(local, &ty)| (slot(local), kind(ty))).collect()
}

impl Compiler<'_> {
    fn snap(&mut self, line: usize) -> SnapId {
        self.state.snapshot(&mut self.builder, line as u32)
    }

    fn local(&mut self, local: usize) -> ValueId {
        let want = kind(self.seen[self.line][local]);
        self.state.check(&mut self.builder, slot(local), want, self.line as u32)
    }

    fn emit(&mut self, op: Op, imm: u32, srcs: &[ValueId], edge: Edge) -> Option<ValueId> {
        self.builder.emit(op, Type::TOP, [imm, 0, 0], srcs, edge)
    }

    fn retain(&mut self, value: ValueId) {
        self.emit(Op::IncRef, 0, &[value], Edge::None);
    }

    /// Gives the local a value that has a reference of its own, and gives up what it held.
    fn assign(&mut self, to: usize, value: ValueId, old: ValueId) {
        self.state.set(slot(to), value);
        let after = self.snap(self.line + 1);
        self.emit(Op::DecRef, to as u32, &[old], Edge::Exit(after));
        if self.random.one_in(12) {
            self.state.sync(&mut self.builder);
        }
    }

    fn interpret(&mut self, to: Option<usize>) {
        self.state.interpret(&mut self.builder, self.line as u32, to.map(|to| to as u32), 0);
    }

    fn jmp(&mut self, target: usize) {
        let to_loop = self.random.one_in(3);
        let params = params(&self.seen[target]);
        let block = self.blocks[target].unwrap();
        self.state.jump(&mut self.builder, block, &params, target as u32, to_loop);
    }

    fn branch(&mut self, condition: ValueId, target: usize) {
        let (yes, no) = (self.builder.new_block(Hint::Neutral), self.builder.new_block(Hint::Neutral));
        self.builder.branch(condition, yes, no);
        let state = self.state.clone();
        self.builder.switch_to(yes);
        self.jmp(target);
        self.state = state;
        self.builder.switch_to(no);
        self.jmp(self.line + 1);
    }

    fn comma(&mut self) -> ValueId {
        self.builder.unit.constant(Const::Lit(phlox_hhir::LitId(0)))
    }

    /// Compiles a line; whether the next one follows.
    fn line(&mut self) -> bool {
        self.builder.at(FrameId(0), self.line as u32);
        match self.code[self.line] {
            Line::New(to) => {
                let old = self.local(to);
                let number = self.builder.unit.int(5);
                let value = self.emit(Op::ConvIntToStr, 0, &[number], Edge::None).unwrap();
                self.assign(to, value, old);
            }
            Line::Null(to) => {
                let old = self.local(to);
                let null = self.builder.unit.constant(Const::Null);
                self.assign(to, null, old);
            }
            Line::Copy(to, from) => {
                let (old, value) = (self.local(to), self.local(from));
                self.retain(value);
                self.assign(to, value, old);
            }
            Line::Pair(to, a, b) => {
                let (old, x, y) = (self.local(to), self.local(a), self.local(b));
                let array = self.emit(Op::AllocPackedArray, 2, &[], Edge::None).unwrap();
                for (at, value) in [x, y].into_iter().enumerate() {
                    self.retain(value);
                    self.emit(Op::InitPackedLayoutArray, at as u32, &[array, value], Edge::None);
                }
                self.assign(to, array, old);
            }
            Line::First(to, from) => self.first(to, from),
            Line::Concat(to, from) if kind(self.seen[self.line][from]).is(STR) => {
                let (old, value, comma) = (self.local(to), self.local(from), self.comma());
                let exit = self.snap(self.line);
                self.retain(value);
                let joined = self.emit(Op::ConcatStrStr, 0, &[value, comma], Edge::Exit(exit)).unwrap();
                self.assign(to, joined, old);
            }
            Line::Append(to) if kind(self.seen[self.line][to]).is(STR) => {
                let (value, comma) = (self.local(to), self.comma());
                let null = self.builder.unit.constant(Const::Null);
                self.state.set(slot(to), null);
                let exit = self.snap(self.line);
                let joined = self.emit(Op::ConcatStrStr, 0, &[value, comma], Edge::Exit(exit)).unwrap();
                self.state.set(slot(to), joined);
            }
            Line::Concat(to, _) | Line::Append(to) => self.interpret(Some(to)),
            Line::Look(_) => self.interpret(Some(LOCALS)),
            Line::Zero => {
                self.local(COUNTER);
                let zero = self.builder.unit.int(0);
                self.state.set(slot(COUNTER), zero);
            }
            Line::Count => {
                let exit = self.snap(self.line);
                let value = self.state.check(&mut self.builder, slot(COUNTER), Type::of(INT), self.line as u32);
                let one = self.builder.unit.int(1);
                let value = self.builder.op_or(Op::AddIntO, &[value, one], exit);
                self.state.set(slot(COUNTER), value);
            }
            Line::IfNull(local, target) => {
                let value = self.local(local);
                let test = self.builder.emit(Op::IsType, Type::of(NULL), [0; 3], &[value], Edge::None).unwrap();
                self.branch(test, target);
                return false;
            }
            Line::UnlessLess(limit, target) => {
                let value = self.state.check(&mut self.builder, slot(COUNTER), Type::of(INT), self.line as u32);
                let limit = self.builder.unit.int(limit);
                let test = self.builder.op(Op::GteInt, &[value, limit]);
                self.branch(test, target);
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

    fn first(&mut self, to: usize, from: usize) {
        let seen = kind(self.seen[self.line][from]);
        if seen.is(ARR) {
            let old = self.local(to);
            let array = self.state.check(&mut self.builder, slot(from), Type::of(COUNTED_ARR), self.line as u32);
            let exit = self.snap(self.line);
            let array = self.builder.check_arr_kind(array, ArrKind::Packed, exit);
            let zero = self.builder.unit.int(0);
            self.emit(Op::CheckPackedArrayDataBounds, 0, &[array, zero], Edge::Exit(exit));
            let want = kind(self.seen[self.line + 1][to]);
            let value = self.builder.emit(Op::CheckPackedElem, want, [0; 3], &[array, zero], Edge::Exit(exit));
            let value = value.unwrap();
            self.retain(value);
            self.assign(to, value, old);
        } else if seen.maybe(ARR) {
            self.interpret(Some(to));
        } else {
            let old = self.local(to);
            self.local(from);
            let null = self.builder.unit.constant(Const::Null);
            self.assign(to, null, old);
        }
    }
}

fn compile(code: &[Line], seen: &[Vec<Type>], random: &mut Random) -> Unit {
    let mut builder = Builder::new(FuncId(1), 0);
    builder.unit.add_literal(Literal::Str { bytes: b",".as_slice().into(), handle: 0 });
    let frame = builder.frame_ptr();
    let mut blocks = vec![None; code.len()];
    let mut starts = vec![0];
    for (at, line) in code.iter().enumerate() {
        match *line {
            Line::IfNull(_, target) | Line::UnlessLess(_, target) => starts.extend([target, at + 1]),
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
    let mut compiler = Compiler { code, seen, random, builder, blocks, state, line: 0 };
    compiler.jmp(0);
    for line in 0..code.len() {
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

/// What can be seen of a machine: variables with their counts, strings by number, what is gone.
fn picture(machine: &Machine, locals: &[Val]) -> String {
    fn show(machine: &Machine, value: Val, live: &mut Vec<usize>) -> String {
        match value {
            Val::Str(at) | Val::Vec(at) => {
                if live.contains(&at) {
                    return format!("({})", live.iter().position(|&other| other == at).unwrap_or(0));
                }
                live.push(at);
                let object = &machine.heap[at];
                let elements: Vec<String> =
                    object.elements.iter().map(|&element| show(machine, element, live)).collect();
                format!("{}x#{}[{}]", object.count, object.number, elements.join(" "))
            }
            other => format!("{other:?}"),
        }
    }
    let mut live = Vec::new();
    let locals: Vec<String> = locals.iter().map(|&local| show(machine, local, &mut live)).collect();
    let all = machine.heap.iter().filter(|object| object.count > 0).count();
    let Machine { freed, output, broken, .. } = machine;
    format!("{} freed {freed:?} output {output:?} broken {broken} lost {}", locals.join(" "), all - live.len())
}

fn finish(unit: &Unit, code: &[Line]) -> Result<String, String> {
    let mut machine = Machine::default();
    machine.frame(FrameId(0)).locals = vec![Val::Null; LOCALS];
    let mut one = |machine: &mut Machine, line: u32| {
        let mut locals = std::mem::take(&mut machine.frame(FrameId(0)).locals);
        step(machine, &mut locals, code, line as usize);
        machine.frame(FrameId(0)).locals = locals;
    };
    let End::Exit(frames) = run(unit, &mut machine, &mut one, 40 * STEPS)? else { return Err("returned".to_owned()) };
    let mut locals = std::mem::take(&mut machine.frame(FrameId(0)).locals);
    let line = frames.first().map_or(0, |row| row.1) as usize;
    interpret(&mut machine, &mut locals, code, line, &mut |_, _| {});
    Ok(picture(&machine, &locals))
}

fn one(seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut code = Vec::new();
    body(&mut random, &mut code, 0);
    code.push(Line::End);
    let mut machine = Machine::default();
    let mut locals = vec![Val::Null; LOCALS];
    let mut seen = vec![vec![Type::BOTTOM; LOCALS]; code.len()];
    let done = interpret(&mut machine, &mut locals, &code, 0, &mut |locals, at| {
        for (ty, local) in seen[at].iter_mut().zip(locals) {
            *ty = ty.union(local.ty().kinds());
        }
    });
    if !done {
        return;
    }
    // Some guesses are wrong.
    for row in &mut seen {
        if random.one_in(8) {
            row[random.below(4)] = Type::of(if random.one_in(2) { STR } else { COUNTED_ARR });
        }
    }
    let expected = picture(&machine, &locals);
    let unit = compile(&code, &seen, &mut random);
    verify(&unit).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{code:?}\n{unit}"));
    let check = |unit: &Unit, what: &str| {
        let found = finish(unit, &code);
        assert_eq!(found.as_deref(), Ok(expected.as_str()), "seed {seed}, {what}\n{code:?}\n{unit}");
    };
    check(&unit, "as built");
    for pass in PASSES {
        let mut changed = unit.clone();
        pass.run(&mut changed);
        verify(&changed).unwrap_or_else(|error| panic!("seed {seed}, {}: {error}\n{unit}\n{changed}", pass.name));
        check(&changed, pass.name);
    }
    let mut steps = String::new();
    optimize_with(&mut unit.clone(), |name, unit| {
        steps.push_str(name);
        check(unit, &steps);
        steps.push(' ');
        true
    });
}

#[test]
fn passes_keep_references() {
    let count = std::env::var("PHLOX_RANDOM").ok().and_then(|count| count.parse().ok()).unwrap_or(200);
    let first = std::env::var("PHLOX_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    (first..first + count).for_each(one);
}
