//! Units run as machine code and by the reference evaluator of HHIR: both must end at one opline with equal locals.

use phlox_hhir::eval::{End, Machine, Val, Variables, run};
use phlox_hhir::passes::optimize;
use phlox_hhir::unit::{Const, Edge, Hint, Hold, Slot, SnapEntry, Unit};
use phlox_hhir::{Builder, FrameId, FuncId, Op, SnapId, Type, ValueId, verify};
use phlox_jit::code::loop_code;
use phlox_jit::layout::Helpers;
use phlox_jit::{Assembler, Context, FrameShape, HeaderShape, settle};
use phlox_lower::HEADER_CELLS;
use phlox_value::raw;
use std::sync::atomic::AtomicU32;

const LOCALS: usize = 4;
const SHAPE: FrameShape = FrameShape {
    before_tmps: LOCALS as u32,
    oplines: 0,
    opline_bytes: 8,
    context: 0,
    header: HeaderShape {
        callee: 0,
        empty: [24, 32, 40, 48],
        flags: 60,
        borrows_this: 0,
        constructor: 0,
        magic: 0,
        name: 0,
        guarded: 0,
        discards: 0,
        to_bool: 0,
        ip: 8,
        prev: 16,
        argc: 56,
        this: 24,
        static_class: 32,
        closure: 40,
        by_ref: 0,
    },
    helpers: Helpers::REFUSING,
    interrupt: 0,
    bytes: 0,
    fails_every: 0,
    is_body: false,
    has_destructors: false,
};

fn words(value: Val) -> (u64, u32) {
    match value {
        Val::Uninit => (0, raw::TI_UNDEF),
        Val::Null => (0, raw::TI_NULL),
        Val::Bool(truth) => (0, if truth { raw::TI_TRUE } else { raw::TI_FALSE }),
        Val::Int(int) => (int as u64, raw::TI_INT),
        Val::Dbl(dbl) => (dbl.to_bits(), raw::TI_DOUBLE),
        other => panic!("{other:?} in a frame"),
    }
}

fn value(payload: u64, tag: u32) -> Val {
    match tag {
        raw::TI_UNDEF => Val::Uninit,
        raw::TI_NULL => Val::Null,
        raw::TI_FALSE => Val::Bool(false),
        raw::TI_TRUE => Val::Bool(true),
        raw::TI_INT => Val::Int(payload as i64),
        raw::TI_DOUBLE => Val::Dbl(f64::from_bits(payload)),
        other => panic!("tag {other}"),
    }
}

/// Runs a unit both ways with equal locals.
fn compare(assembler: &mut Assembler, unit: &Unit, locals: [Val; LOCALS]) {
    let mut machine =
        Machine { frames: vec![Variables { locals: locals.to_vec(), ..Variables::default() }], ..Machine::default() };
    let end = run(unit, &mut machine, &mut |_, _| panic!("nothing is left to the interpreter"), 100_000);
    let Ok(End::Exit(places)) = end else { panic!("{end:?} from {locals:?} in\n{unit}") };
    let opline = places[0].1;
    static NOTHING: AtomicU32 = AtomicU32::new(0);
    let mut context = Context {
        interrupt: &raw const NOTHING,
        frame: std::ptr::null_mut(),
        outermost: std::ptr::null_mut(),
        limit: std::ptr::null(),
        native_limit: std::ptr::null(),
        run: std::ptr::null_mut(),
        scratch: [0; 2],
        key: [0; 2],
        inlined: 0,
        until_failure: 0,
    };
    let shape = FrameShape { interrupt: &raw const NOTHING as u64, context: &raw mut context as u64, ..SHAPE };
    let code = assembler.assemble(unit, shape, None).unwrap_or_else(|refusal| panic!("{refusal}\n{unit}"));
    let header = HEADER_CELLS as usize * 2;
    let mut frame = vec![0u64; header + LOCALS * 2];
    for (cell, local) in frame[header..].chunks_mut(2).zip(locals) {
        let (payload, tag) = words(local);
        cell.copy_from_slice(&[payload, u64::from(tag)]);
    }
    // SAFETY: the code was made of a loop's unit, which takes no arguments.
    let code = unsafe { loop_code(code) };
    // SAFETY: `frame` has all cells that the unit names.
    let given = unsafe { code(frame.as_mut_ptr().cast()) };
    // SAFETY: the code has just returned this value, and has stored its frame to `context`.
    let position = unsafe { settle(&raw mut context, given as u64) };
    assert_eq!(position as u32 >> 3, opline, "from {locals:?} in\n{unit}");
    let after: Vec<Val> = frame[header..].chunks(2).map(|cell| value(cell[0], cell[1] as u32)).collect();
    assert_eq!(after, machine.frames[0].locals, "from {locals:?} in\n{unit}");
}

fn snap(b: &mut Builder, opline: u32, entries: &[(u32, ValueId)]) -> SnapId {
    let entry = |&(local, value)| SnapEntry { slot: Slot::Local(local), value, hold: Hold::Move };
    let entries = entries.iter().map(entry).collect();
    b.snap(FrameId(0), opline, entries, None)
}

/// Local 2 = OP of locals 0 and 1.
fn operation(op: Op, kinds: &[Type]) -> Unit {
    let mut b = Builder::new(FuncId(0), 0);
    let frame = b.frame_ptr();
    let exit = snap(&mut b, 7, &[]);
    let operands: Vec<ValueId> = (0u32..).zip(kinds).map(|(local, &ty)| b.ld_loc(frame, local, ty)).collect();
    let result = b.op_or(op, &operands, exit);
    let done = snap(&mut b, 9, &[(2, result)]);
    b.exit(done);
    b.finish()
}

const INTS: &[i64] = &[0, 1, -1, 2, 3, 7, -7, 63, 64, 65, 1 << 32, i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1];
const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.5,
    3.0,
    1e18,
    9_223_372_036_854_775_808.0,
    -9_223_372_036_854_775_808.0,
    1e19,
    -1e30,
    1e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    0.1,
];

#[test]
fn integers() {
    let mut assembler = Assembler::new().expect("code for this machine");
    let ops = [
        Op::AddInt,
        Op::SubInt,
        Op::MulInt,
        Op::AddIntO,
        Op::SubIntO,
        Op::MulIntO,
        Op::AndInt,
        Op::OrInt,
        Op::XorInt,
        Op::MinInt,
        Op::MaxInt,
        Op::DivIntO,
        Op::ModO,
        Op::ShlO,
        Op::ShrO,
        Op::EqInt,
        Op::NeqInt,
        Op::LtInt,
        Op::LteInt,
        Op::GtInt,
        Op::GteInt,
        Op::CmpInt,
    ];
    for op in ops {
        let unit = operation(op, &[Type::INT, Type::INT]);
        for &a in INTS {
            for &b in INTS {
                compare(&mut assembler, &unit, [Val::Int(a), Val::Int(b), Val::Null, Val::Null]);
            }
        }
    }
}

#[test]
fn floats() {
    let mut assembler = Assembler::new().expect("code for this machine");
    let pairs = [
        Op::AddDbl,
        Op::SubDbl,
        Op::MulDbl,
        Op::DivDbl,
        Op::EqDbl,
        Op::NeqDbl,
        Op::LtDbl,
        Op::LteDbl,
        Op::GtDbl,
        Op::GteDbl,
        Op::CmpDbl,
    ];
    for op in pairs {
        let unit = operation(op, &[Type::DBL, Type::DBL]);
        for &a in FLOATS {
            for &b in FLOATS {
                compare(&mut assembler, &unit, [Val::Dbl(a), Val::Dbl(b), Val::Null, Val::Null]);
            }
        }
    }
    for op in
        [Op::ConvDblToInt, Op::ConvDblToIntO, Op::ConvDblToBool, Op::Floor, Op::Ceil, Op::AbsDbl, Op::Sqrt, Op::NegDbl]
    {
        let unit = operation(op, &[Type::DBL]);
        for &a in FLOATS {
            compare(&mut assembler, &unit, [Val::Dbl(a), Val::Null, Val::Null, Val::Null]);
        }
    }
}

#[test]
fn conversions() {
    let mut assembler = Assembler::new().expect("code for this machine");
    for op in [Op::ConvIntToDbl, Op::ConvIntToBool] {
        let unit = operation(op, &[Type::INT]);
        for &a in INTS {
            compare(&mut assembler, &unit, [Val::Int(a), Val::Null, Val::Null, Val::Null]);
        }
    }
    for op in [Op::ConvBoolToInt, Op::ConvBoolToDbl] {
        let unit = operation(op, &[Type::BOOL]);
        for truth in [false, true] {
            compare(&mut assembler, &unit, [Val::Bool(truth), Val::Null, Val::Null, Val::Null]);
        }
    }
}

/// `while ($0 < $1) { $2 = $2 + $0; $0++ }` with guards, before and after all passes.
#[test]
fn a_loop() {
    let mut b = Builder::new(FuncId(0), 0);
    let frame = b.frame_ptr();
    let entry = snap(&mut b, 0, &[]);
    for local in 0..3 {
        b.check_loc(frame, local, Type::INT, entry);
    }
    let start: Vec<ValueId> = (0..3).map(|local| b.ld_loc(frame, local, Type::INT)).collect();
    b.exit_placeholder(entry);
    let (head, body, done) = (b.new_block(Hint::Likely), b.new_block(Hint::Likely), b.new_block(Hint::Unlikely));
    let counter = b.unit.add_param(head, Type::INT);
    let sum = b.unit.add_param(head, Type::INT);
    b.jmp(head, &[start[0], start[2]]);
    b.switch_to(head);
    let here = snap(&mut b, 3, &[(0, counter), (2, sum)]);
    b.emit(Op::CheckSurpriseFlags, Type::TOP, [0; 3], &[frame], Edge::Exit(here));
    let less = b.op(Op::LtInt, &[counter, start[1]]);
    b.branch(less, body, done);
    b.switch_to(done);
    let end = snap(&mut b, 9, &[(0, counter), (2, sum)]);
    b.exit(end);
    b.switch_to(body);
    let more = b.op_or(Op::AddIntO, &[sum, counter], here);
    let one = b.unit.int(1);
    let next = b.op_or(Op::AddIntO, &[counter, one], here);
    b.jmp(head, &[next, more]);
    let plain = b.finish();
    let mut optimized = plain.clone();
    optimize(&mut optimized);
    let mut assembler = Assembler::new().expect("code for this machine");
    let rows = [
        [Val::Int(0), Val::Int(10), Val::Int(5)],
        [Val::Int(3), Val::Int(2), Val::Int(5)],
        [Val::Int(0), Val::Int(1000), Val::Int(i64::MAX - 300)],
        [Val::Int(i64::MAX - 3), Val::Int(i64::MAX), Val::Int(i64::MIN)],
        [Val::Dbl(0.5), Val::Int(10), Val::Int(5)],
        [Val::Int(0), Val::Null, Val::Int(5)],
    ];
    for [a, b, c] in rows {
        for unit in [&plain, &optimized] {
            // The evaluator has no engine, so the interrupt word is never set.
            let unit = without_polls(unit);
            assert_eq!(verify(&unit), Ok(()));
            compare(&mut assembler, &unit, [a, b, c, Val::Null]);
        }
    }
}

fn without_polls(unit: &Unit) -> Unit {
    let mut unit = unit.clone();
    for at in 0..unit.insts.len() {
        if unit.insts[at].op == Op::CheckSurpriseFlags {
            unit.replace_with_nop(phlox_hhir::InstId::new(at));
        }
    }
    unit
}

/// Locals of all types are written back unchanged by a side exit.
#[test]
fn exits() {
    let mut assembler = Assembler::new().expect("code for this machine");
    let mut b = Builder::new(FuncId(0), 0);
    let frame = b.frame_ptr();
    let truth = b.ld_loc(frame, 0, Type::BOOL);
    let constants = [Const::Null, Const::Bool(true), Const::Dbl(1.5f64.to_bits())];
    let mut entries = vec![(0, truth)];
    for (local, constant) in (1..).zip(constants) {
        let constant = b.unit.constant(constant);
        entries.push((local, constant));
    }
    let done = snap(&mut b, 4, &entries);
    b.exit(done);
    let unit = b.finish();
    for truth in [false, true] {
        compare(&mut assembler, &unit, [Val::Bool(truth), Val::Int(4), Val::Dbl(0.5), Val::Uninit]);
    }
}
