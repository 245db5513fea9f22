//! A small language for tests: six variables, arithmetic that overflows to floats, packed arrays, loops, calls; its
//! interpreter, and random programs. `compile.rs` makes units of them.

pub mod compile;

use crate::common::Random;
use phlox_hhir::eval::{Machine, Val};

pub const LOCALS: usize = 6;
pub const STEPS: usize = 3000;
const FUNCTIONS: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arith {
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
pub enum Line {
    Set(usize, Val),
    Copy(usize, usize),
    Arith(Arith, usize, usize, usize),
    /// local = array[local], null if there is none.
    Elem(usize, usize, usize),
    /// array[local] = local, if it is there.
    SetElem(usize, usize, usize),
    /// array[number] += local, if it is there.
    Bump(i64, usize),
    /// local = function(local, local)
    Call(usize, usize, usize, usize),
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
pub fn step(machine: &mut Machine, locals: &mut [Val], program: &Program, code: &[Line], at: usize) -> usize {
    match code[at] {
        Line::Call(to, function, a, b) => locals[to] = call(machine, program, function, locals[a], locals[b]),
        Line::Set(to, value) => locals[to] = value,
        Line::Copy(to, from) => locals[to] = locals[from],
        Line::Arith(op, to, a, b) => locals[to] = arith(op, locals[a], locals[b]),
        Line::Elem(to, base, index) => {
            locals[to] = match (locals[base], locals[index]) {
                (Val::Arr(array), Val::Int(index)) => {
                    machine.arrays[array].get(index as usize).copied().unwrap_or(Val::Null)
                }
                _ => Val::Null,
            }
        }
        Line::SetElem(base, index, from) => {
            let value = locals[from];
            if let (Val::Arr(array), Val::Int(index), false) =
                (locals[base], locals[index], matches!(value, Val::Arr(_)))
            {
                if let Some(element) = machine.arrays[array].get_mut(index as usize) {
                    *element = value;
                }
            }
        }
        Line::Bump(index, from) => {
            if let Val::Arr(array) = locals[0] {
                let value = locals[from];
                if let Some(element) = machine.arrays[array].get_mut(index as usize) {
                    *element = arith(Arith::Add, *element, value);
                }
            }
        }
        Line::Print(from) => machine.output.push(locals[from]),
        Line::JmpLt(a, b, target) if less(locals[a], locals[b]) => return target,
        Line::JmpGe(a, b, target) if !less(locals[a], locals[b]) => return target,
        Line::JmpLt(..) | Line::JmpGe(..) => {}
        Line::Jmp(target) => return target,
        Line::End => {}
    }
    at + 1
}

/// Runs a function, whose result is its local 1. Functions have no loops.
fn call(machine: &mut Machine, program: &Program, function: usize, a: Val, b: Val) -> Val {
    let mut locals = vec![Val::Uninit; LOCALS];
    (locals[0], locals[1]) = (a, b);
    interpret(machine, &mut locals, program, &program.functions[function], 0, &mut |_, _| {});
    locals[1]
}

/// Runs code; false if it takes too long. `look` sees each line before it runs.
pub fn interpret(
    machine: &mut Machine,
    locals: &mut [Val],
    program: &Program,
    code: &[Line],
    mut at: usize,
    look: &mut dyn FnMut(&[Val], usize),
) -> bool {
    for _ in 0..STEPS {
        look(locals, at);
        if matches!(code[at], Line::End) {
            return true;
        }
        at = step(machine, locals, program, code, at);
    }
    false
}

/// Code for the main part, and functions that it calls.
#[derive(Debug)]
pub struct Program {
    pub main: Vec<Line>,
    pub functions: Vec<Vec<Line>>,
}

impl Program {
    pub fn new(random: &mut Random) -> Program {
        let mut functions = Vec::new();
        for _ in 0..FUNCTIONS {
            let mut code = Vec::new();
            leaf(random, &mut code);
            if random.one_in(2) {
                condition(random, &mut code, 3);
            }
            code.push(Line::End);
            functions.push(code);
        }
        let mut main = Vec::new();
        body(random, &mut main, 0);
        main.push(Line::End);
        Program { main, functions }
    }
}

pub fn value(random: &mut Random) -> Val {
    match random.below(12) {
        0 => Val::Null,
        1 => Val::Bool(random.one_in(2)),
        2 => Val::Dbl(random.pick(&[0.0, -0.0, 1.5, 1e300, f64::NAN, 4.0])),
        3 => Val::Int(random.pick(&[i64::MAX, i64::MIN, i64::MAX - 1, 1 << 62, -1, 64])),
        _ => Val::Int(random.below(12) as i64 - 2),
    }
}

fn arithmetic(random: &mut Random, to: usize, a: usize, b: usize) -> Line {
    use Arith::{Add, And, Min, Mod, Mul, Or, Shl, Shr, Sub, Xor};
    Line::Arith(random.pick(&[Add, Add, Add, Sub, Mul, And, Or, Xor, Shl, Shr, Mod, Min]), to, a, b)
}

fn body(random: &mut Random, program: &mut Vec<Line>, depth: usize) {
    for _ in 0..1 + random.below(5) {
        let (a, b, c) = (random.below(LOCALS), random.below(LOCALS), random.below(LOCALS));
        // Local 0 holds the array most of the time; counters are 4 and 5.
        let to = 1 + random.below(3);
        match random.below(if depth < 2 { 17 } else { 13 }) {
            0 => program.push(Line::Set(to, value(random))),
            1 => program.push(Line::Copy(to, a)),
            2..=5 => program.push(arithmetic(random, to, b, c)),
            6 => program.push(Line::Call(to, random.below(FUNCTIONS), a, b)),
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

/// Arithmetic only.
fn leaf(random: &mut Random, program: &mut Vec<Line>) {
    for _ in 0..1 + random.below(4) {
        let (to, a, b) = (random.below(4), random.below(4), random.below(3));
        program.push(match random.below(4) {
            0 => Line::Set(to, Val::Int(random.below(9) as i64)),
            _ => arithmetic(random, to, a, b),
        });
    }
}

fn condition(random: &mut Random, program: &mut Vec<Line>, depth: usize) {
    // Deep down are functions.
    let part = |random: &mut Random, program: &mut Vec<Line>| match depth {
        0..=2 => body(random, program, depth + 1),
        _ => leaf(random, program),
    };
    let test = program.len();
    program.push(Line::End);
    part(random, program);
    let jump = program.len();
    program.push(Line::End);
    let other = program.len();
    part(random, program);
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
