//! Random programs: each unit that is made of one, before and after each pass, must make what the program's interpreter
//! makes, wherever it leaves.

mod common;
mod language;

use common::Random;
use language::compile::{Seen, compile};
use language::{LOCALS, Program, STEPS, interpret, step, value};
use phlox_hhir::eval::{End, Machine, Val, Variables, run};
use phlox_hhir::passes::{PASSES, optimize, optimize_with};
use phlox_hhir::{FrameId, Type, Unit, parse, verify};

/// The locals of a frame, taken out of the machine for the interpreter.
fn take(machine: &mut Machine, frame: FrameId) -> Vec<Val> {
    let mut locals = std::mem::take(&mut machine.frame(frame).locals);
    locals.resize(LOCALS, Val::Uninit);
    locals
}

/// Runs a unit, and the interpreter from where it leaves: the innermost frame first, then its caller.
fn finish(unit: &Unit, program: &Program, start: &Machine) -> Result<Option<Machine>, String> {
    let mut machine = start.clone();
    let mut one = |machine: &mut Machine, line: u32| {
        let mut locals = take(machine, FrameId(0));
        step(machine, &mut locals, program, &program.main, line as usize);
        machine.frame(FrameId(0)).locals = locals;
    };
    let frames = match run(unit, &mut machine, &mut one, 40 * STEPS)? {
        End::Exit(frames) => frames,
        End::Return(_) => return Err("returned".to_owned()),
    };
    let mut line = frames.last().map_or(0, |row| row.1) as usize;
    let mut locals = take(&mut machine, FrameId(0));
    if let [(inner, at), _] = frames[..] {
        let language::Line::Call(to, function, ..) = program.main[line] else { return Err("no call".to_owned()) };
        let mut inner = take(&mut machine, inner);
        interpret(&mut machine, &mut inner, program, &program.functions[function], at as usize, &mut |_, _| {});
        locals[to] = inner[1];
        line += 1;
    }
    let done = interpret(&mut machine, &mut locals, program, &program.main, line, &mut |_, _| {});
    machine.frames = vec![Variables { locals, tmps: Vec::new() }];
    Ok(done.then_some(machine))
}

fn machine(random: &mut Random) -> Machine {
    let mut machine = Machine::default();
    let locals = (0..LOCALS).map(|_| value(random)).collect();
    machine.frame(FrameId(0)).locals = locals;
    for length in [3, 8] {
        machine.arrays.push((0..length).map(|_| value(random)).collect());
    }
    machine.frame(FrameId(0)).locals[0] = Val::Arr(1);
    machine
}

/// Runs the main part from its start; `look` sees each line.
fn plain(start: &Machine, program: &Program, look: &mut dyn FnMut(&[Val], usize)) -> Option<Machine> {
    let mut machine = start.clone();
    let mut locals = take(&mut machine, FrameId(0));
    let done = interpret(&mut machine, &mut locals, program, &program.main, 0, look);
    machine.frame(FrameId(0)).locals = locals;
    done.then_some(machine)
}

/// What the first run sees; functions are looked at with what they are called with.
fn profile(start: &Machine, program: &Program) -> Option<(Seen, Machine)> {
    let nothing = |code: &[language::Line]| vec![vec![Type::BOTTOM; LOCALS]; code.len()];
    let mut seen =
        Seen { main: nothing(&program.main), functions: program.functions.iter().map(|code| nothing(code)).collect() };
    let note = |row: &mut Vec<Type>, locals: &[Val]| {
        for (ty, local) in row.iter_mut().zip(locals) {
            *ty = ty.union(local.ty());
        }
    };
    let mut calls = Vec::new();
    let expected = plain(start, program, &mut |locals, at| {
        note(&mut seen.main[at], locals);
        if let language::Line::Call(_, function, a, b) = program.main[at] {
            calls.push((function, locals[a], locals[b]));
        }
    })?;
    for (function, a, b) in calls {
        let mut locals = vec![Val::Uninit; LOCALS];
        (locals[0], locals[1]) = (a, b);
        let code = &program.functions[function];
        let rows = &mut seen.functions[function];
        let mut scratch = start.clone();
        interpret(&mut scratch, &mut locals, program, code, 0, &mut |locals, at| note(&mut rows[at], locals));
    }
    Some((seen, expected))
}

fn one(seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let program = Program::new(&mut random);
    let start = machine(&mut random);
    let Some((seen, expected)) = profile(&start, &program) else { return };
    let unit = compile(&program, &seen, &mut random);
    verify(&unit).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{program:?}\n{unit}"));
    // The same memory as in the first run, and other memory, which the guesses do not fit.
    let mut other = machine(&mut random);
    other.frame(FrameId(0)).locals[0] = Val::Arr(0);
    let expected_other = plain(&other, &program, &mut |_, _| {});
    let check = |unit: &Unit, what: &str| {
        let found = finish(unit, &program, &start);
        assert_eq!(found.as_ref().map(Option::as_ref), Ok(Some(&expected)), "seed {seed}, {what}\n{program:?}\n{unit}");
        if let Some(expected) = &expected_other {
            let found = finish(unit, &program, &other);
            let found = found.as_ref().map(Option::as_ref);
            assert_eq!(found, Ok(Some(expected)), "seed {seed}, {what}, other memory\n{program:?}\n{unit}");
        }
    };
    check(&unit, "as built");
    let text = unit.to_string();
    let again = parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
    assert_eq!(again.to_string(), text, "seed {seed}");
    for pass in PASSES {
        let mut changed = unit.clone();
        pass.run(&mut changed);
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
