//! The reference evaluator of units, for tests: arithmetic, conversions, comparisons, locals and temporaries, packed arrays,
//! control flow, snapshots, counted strings and arrays. It reports instructions that it does not know as errors.

use crate::fold::{cmp_dbl, dbl_to_int, exact_int};
use crate::ids::*;
use crate::ops::Op;
use crate::types::*;
use crate::unit::*;

/// A value of the evaluator.
#[derive(Clone, Copy, Debug)]
pub enum Val {
    Uninit,
    Null,
    Bool(bool),
    Int(i64),
    Dbl(f64),
    /// An uncounted packed array, by its index in [`Machine::arrays`].
    Arr(usize),
    /// A counted string, by its index in [`Machine::heap`].
    Str(usize),
    /// A counted packed array, by its index in [`Machine::heap`].
    Vec(usize),
    Lit(LitId),
    /// A frame of the unit.
    Frame(FrameId),
    /// A pointer to an element: the array and the index, which need not exist.
    Place(usize, i64),
}

impl PartialEq for Val {
    /// Compares floats by their bits; all NaNs are equal.
    fn eq(&self, other: &Val) -> bool {
        match (*self, *other) {
            (Val::Dbl(a), Val::Dbl(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
            (Val::Int(a), Val::Int(b)) => a == b,
            (Val::Bool(a), Val::Bool(b)) => a == b,
            (Val::Arr(a), Val::Arr(b)) => a == b,
            (Val::Str(a), Val::Str(b)) | (Val::Vec(a), Val::Vec(b)) => a == b,
            (Val::Lit(a), Val::Lit(b)) => a == b,
            (Val::Place(a, x), Val::Place(b, y)) => (a, x) == (b, y),
            (Val::Frame(a), Val::Frame(b)) => a == b,
            (Val::Null, Val::Null) | (Val::Uninit, Val::Uninit) => true,
            _ => false,
        }
    }
}

impl Val {
    /// The smallest type that contains the value.
    pub fn ty(self) -> Type {
        match self {
            Val::Uninit => Type::UNINIT,
            Val::Null => Type::INIT_NULL,
            Val::Bool(truth) => Type::of(if truth { TRUE } else { FALSE }),
            Val::Int(int) => Type::int(int),
            Val::Dbl(dbl) => Type::with(DBL, Spec::Dbl(dbl.to_bits())),
            Val::Str(_) => Type::of(COUNTED_STR),
            Val::Vec(_) => Type::with(COUNTED_ARR, Spec::Arr(Some(ArrKind::Packed), GEN)),
            Val::Arr(_) => Type::with(STATIC_ARR, Spec::Arr(Some(ArrKind::Packed), GEN)),
            Val::Lit(lit) => Type::with(STATIC_STR, Spec::Lit(lit)),
            Val::Frame(_) => Type::FRAME_PTR,
            Val::Place(..) => Type::of(PTR_ELEM),
        }
    }
}

/// The variables of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variables {
    pub locals: Vec<Val>,
    pub tmps: Vec<Val>,
}

/// The memory that a unit works on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// The frames of the unit, its own one first.
    pub frames: Vec<Variables>,
    /// The uncounted arrays.
    pub arrays: Vec<Vec<Val>>,
    /// What the unit has printed.
    pub output: Vec<Val>,
    /// The counted strings and arrays.
    pub heap: Vec<Counted>,
    /// How many strings have been created.
    pub strings: usize,
    /// The numbers of the strings that have been freed, in order.
    pub freed: Vec<usize>,
    /// Whether a reference count was wrong at some time.
    pub broken: bool,
}

/// A counted string or array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counted {
    /// The number of references.
    pub count: u32,
    /// The number of a string: strings are numbered as they are created.
    pub number: usize,
    /// The elements of an array.
    pub elements: Vec<Val>,
}

impl Machine {
    /// Creates a string with one reference.
    pub fn new_string(&mut self) -> Val {
        self.heap.push(Counted { count: 1, number: self.strings, elements: Vec::new() });
        self.strings += 1;
        Val::Str(self.heap.len() - 1)
    }

    /// Creates an array with one reference.
    pub fn new_array(&mut self, elements: Vec<Val>) -> Val {
        self.heap.push(Counted { count: 1, number: 0, elements });
        Val::Vec(self.heap.len() - 1)
    }

    /// Takes a reference of a value, if it is counted.
    pub fn retain(&mut self, value: Val) {
        if let Val::Str(at) | Val::Vec(at) = value {
            self.broken |= self.heap[at].count == 0;
            self.heap[at].count += 1;
        }
    }

    /// Releases a reference of a value, if it is counted.
    pub fn release(&mut self, value: Val) {
        let (Val::Str(at) | Val::Vec(at)) = value else { return };
        let object = &mut self.heap[at];
        match object.count {
            0 => self.broken = true,
            1 => {
                object.count = 0;
                if let Val::Str(_) = value {
                    self.freed.push(object.number);
                }
                let elements = std::mem::take(&mut object.elements);
                elements.into_iter().for_each(|element| self.release(element));
            }
            _ => object.count -= 1,
        }
    }

    /// Evaluates `$a . $b`, which consumes the first string; if it has no other reference, it is also the result.
    pub fn concat(&mut self, first: Val) -> Val {
        match first {
            Val::Str(at) if self.heap[at].count == 1 => first,
            _ => {
                self.release(first);
                self.new_string()
            }
        }
    }

    /// The variables of a frame, which is created if it does not exist.
    pub fn frame(&mut self, frame: FrameId) -> &mut Variables {
        if self.frames.len() <= frame.at() {
            self.frames.resize_with(frame.at() + 1, Variables::default);
        }
        &mut self.frames[frame.at()]
    }
}

/// How the run of a unit ends.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The interpreter goes on at an opline of a frame, and afterwards at oplines of its callers.
    Exit(Vec<(FrameId, u32)>),
    /// The unit returns a value.
    Return(Val),
}

/// What InterpOne calls: does an opline's work on the machine.
pub type Interpreter<'a> = &'a mut dyn FnMut(&mut Machine, u32);

/// Runs a unit from its entry, for at most `steps` instructions.
///
/// # Errors
/// An instruction that the evaluator does not know, or a value that is not of its type.
pub fn run(unit: &Unit, machine: &mut Machine, interpreter: Interpreter, steps: usize) -> Result<End, String> {
    let mut run = Run { unit, machine, interpreter, values: vec![None; unit.values.len()] };
    let mut block = unit.entry;
    let mut left = steps;
    loop {
        let mut taken = None;
        for &id in &unit.block(block).insts {
            left = left.checked_sub(1).ok_or("it runs too long")?;
            let inst = unit.inst(id);
            let at = |error: String| format!("`{}`: {error}", crate::print::instruction(unit, id));
            match run.step(inst).map_err(at)? {
                Step::Next => {}
                Step::Return(value) => return Ok(End::Return(value)),
                Step::Leave => match inst.edge {
                    Edge::Exit(snap) => return Ok(run.leave(snap)),
                    Edge::Block(target) => {
                        taken = Some(target);
                        break;
                    }
                    Edge::None => return Err(at("leaves without an edge".to_owned())),
                },
            }
        }
        block = match taken {
            Some(target) => target,
            None => unit.block(block).next.ok_or("a block without an end")?,
        };
    }
}

enum Step {
    Next,
    Leave,
    Return(Val),
}

struct Run<'a> {
    unit: &'a Unit,
    machine: &'a mut Machine,
    interpreter: Interpreter<'a>,
    values: Vec<Option<Val>>,
}

type Outcome<T> = Result<T, String>;

impl Run<'_> {
    fn value(&self, id: ValueId) -> Outcome<Val> {
        Ok(match self.unit.as_const(id) {
            Some(Const::Uninit) => Val::Uninit,
            Some(Const::Null) => Val::Null,
            Some(Const::Bool(truth)) => Val::Bool(truth),
            Some(Const::Int(int)) => Val::Int(int),
            Some(Const::Dbl(bits)) => Val::Dbl(f64::from_bits(bits)),
            Some(Const::Lit(lit)) => Val::Lit(lit),
            Some(other) => return Err(format!("{other:?} is unknown here")),
            None => self.values[id.at()].ok_or_else(|| format!("{id} has no value"))?,
        })
    }

    fn define(&mut self, id: ValueId, value: Val) -> Outcome<()> {
        let place_of_known_type = matches!(value, Val::Place(..));
        if !place_of_known_type && !value.ty().le(self.unit.ty(id)) {
            return Err(format!("{id} is {value:?}, which is not of type {}", self.unit.ty(id)));
        }
        self.values[id.at()] = Some(value);
        Ok(())
    }

    /// Writes a snapshot back.
    fn leave(&mut self, snap: SnapId) -> End {
        let (mut at, mut frames) = (Some(snap), Vec::new());
        while let Some(snap) = at.map(|id| self.unit.snap(id)) {
            for entry in &snap.entries {
                let value = self.value(entry.value).unwrap_or(Val::Uninit);
                if entry.hold == Hold::Copy {
                    self.machine.retain(value);
                }
                *slot(self.machine, snap.frame, entry.slot) = value;
            }
            frames.push((snap.frame, snap.opline));
            at = snap.caller;
        }
        End::Exit(frames)
    }

    fn step(&mut self, inst: &Inst) -> Outcome<Step> {
        let srcs = self.unit.srcs(inst);
        if inst.op == Op::Jmp {
            return self.jump(inst);
        }
        let mut args = [Val::Uninit; 3];
        for (arg, &src) in args.iter_mut().zip(srcs) {
            *arg = self.value(src)?;
        }
        let [a, b, c] = args;
        let local = Slot::Local(inst.imm[0]);
        let tmp = Slot::Tmp(inst.imm[0]);
        let result = match inst.op {
            Op::BeginInlining | Op::InlineReturn | Op::InlineReturnNoFrame => return Ok(Step::Next),
            Op::Nop | Op::ExitPlaceholder | Op::AssertLoc | Op::AssertStk => return Ok(Step::Next),
            Op::IncRef => {
                self.machine.retain(a);
                return Ok(Step::Next);
            }
            Op::DecRef => {
                self.machine.release(a);
                return Ok(Step::Next);
            }
            Op::DecRefNZ => {
                if let Val::Str(at) | Val::Vec(at) = a {
                    self.machine.broken |= self.machine.heap[at].count < 2;
                }
                self.machine.release(a);
                return Ok(Step::Next);
            }
            Op::ConvIntToStr => Some(self.machine.new_string()),
            Op::ConcatStrStr => Some(self.machine.concat(a)),
            Op::AllocPackedArray => Some(self.machine.new_array(vec![Val::Uninit; inst.imm[0] as usize])),
            Op::InitPackedLayoutArray => {
                *element(self.machine, a, Val::Int(i64::from(inst.imm[0])))? = b;
                return Ok(Step::Next);
            }
            Op::ReqBindJmp | Op::ReqRetranslate => return Ok(Step::Leave),
            Op::RetCtrl => return Ok(Step::Return(b)),
            Op::DefFP => Some(Val::Frame(FrameId(0))),
            Op::DefInlineFP => {
                let frame = FrameId(inst.imm[0]);
                self.machine.frame(frame).locals.clear();
                Some(Val::Frame(frame))
            }
            Op::LdLoc => Some(*slot(self.machine, frame(a)?, local)),
            Op::LdStk => Some(*slot(self.machine, frame(a)?, tmp)),
            Op::StLoc | Op::StStk => {
                *slot(self.machine, frame(a)?, if inst.op == Op::StLoc { local } else { tmp }) = b;
                return Ok(Step::Next);
            }
            Op::CheckLoc | Op::CheckStk => {
                let found = *slot(self.machine, frame(a)?, if inst.op == Op::CheckLoc { local } else { tmp });
                return Ok(if found.ty().le(inst.ty) { Step::Next } else { Step::Leave });
            }
            Op::CheckType => a.ty().le(inst.ty).then_some(a),
            Op::CheckArrKind => matches!(a, Val::Arr(_) | Val::Vec(_)).then_some(a),
            Op::AssertType | Op::Mov => Some(a),
            Op::CheckInit => return Ok(if a == Val::Uninit { Step::Leave } else { Step::Next }),
            Op::JmpZero | Op::JmpNZero => {
                return Ok(if truth(a)? == (inst.op == Op::JmpNZero) { Step::Leave } else { Step::Next });
            }
            Op::Select => Some(if truth(a)? { b } else { c }),
            Op::IsType => Some(Val::Bool(a.ty().le(inst.ty))),
            Op::IsNType => Some(Val::Bool(!a.ty().le(inst.ty))),
            Op::PrintInt | Op::PrintBool | Op::PrintStr => {
                self.machine.output.push(a);
                return Ok(Step::Next);
            }
            Op::InterpOne => {
                (self.interpreter)(self.machine, inst.imm[0]);
                return Ok(Step::Next);
            }
            Op::CheckPackedArrayDataBounds => {
                let inside = (0..array(self.machine, a)?.len() as i64).contains(&int(b)?);
                return Ok(if inside { Step::Next } else { Step::Leave });
            }
            Op::LdPackedSize | Op::CountArray | Op::CountArrayFast => {
                Some(Val::Int(array(self.machine, a)?.len() as i64))
            }
            Op::LdPackedElem => Some(*element(self.machine, a, b)?),
            Op::CheckPackedElem => Some(*element(self.machine, a, b)?).filter(|found| found.ty().le(inst.ty)),
            Op::StPackedElem => {
                *element(self.machine, a, b)? = c;
                return Ok(Step::Next);
            }
            Op::LdPackedArrayDataElemAddr => match a {
                Val::Arr(array) => Some(Val::Place(array, int(b)?)),
                other => return Err(format!("{other:?} is no array")),
            },
            Op::CheckTypeMem => {
                let passes = place(self.machine, a)?.ty().le(inst.ty);
                return Ok(if passes { Step::Next } else { Step::Leave });
            }
            Op::LdMem => Some(*place(self.machine, a)?),
            Op::StMem | Op::StMemPayload => {
                *place(self.machine, a)? = b;
                return Ok(Step::Next);
            }
            op => compute(op, a, b)?,
        };
        let Some(result) = result else { return Ok(Step::Leave) };
        if let Some(dst) = inst.dst {
            self.define(dst, result)?;
        }
        Ok(Step::Next)
    }

    fn jump(&mut self, inst: &Inst) -> Outcome<Step> {
        let Edge::Block(target) = inst.edge else { return Err("a jump to nowhere".to_owned()) };
        let mut args = Vec::with_capacity(inst.srcs.len());
        for &src in self.unit.srcs(inst) {
            args.push(self.value(src)?);
        }
        for (&param, arg) in self.unit.block(target).params.iter().zip(args) {
            self.define(param, arg)?;
        }
        Ok(Step::Leave)
    }
}

fn frame(pointer: Val) -> Outcome<FrameId> {
    match pointer {
        Val::Frame(frame) => Ok(frame),
        other => Err(format!("{other:?} is no frame")),
    }
}

fn slot(machine: &mut Machine, frame: FrameId, slot: Slot) -> &mut Val {
    let frame = machine.frame(frame);
    let (cells, at) = match slot {
        Slot::Local(at) => (&mut frame.locals, at as usize),
        Slot::Tmp(at) => (&mut frame.tmps, at as usize),
    };
    if cells.len() <= at {
        cells.resize(at + 1, Val::Uninit);
    }
    &mut cells[at]
}

fn array(machine: &mut Machine, value: Val) -> Outcome<&mut Vec<Val>> {
    match value {
        Val::Arr(at) => machine.arrays.get_mut(at).ok_or_else(|| "no such array".to_owned()),
        Val::Vec(at) => {
            machine.broken |= machine.heap[at].count == 0;
            Ok(&mut machine.heap[at].elements)
        }
        other => Err(format!("{other:?} is no array")),
    }
}

fn element(machine: &mut Machine, base: Val, index: Val) -> Outcome<&mut Val> {
    let index = int(index)?;
    array(machine, base)?.get_mut(index as usize).ok_or_else(|| format!("there is no element {index}"))
}

fn place(machine: &mut Machine, pointer: Val) -> Outcome<&mut Val> {
    match pointer {
        Val::Place(array, index) => element(machine, Val::Arr(array), Val::Int(index)),
        other => Err(format!("{other:?} is no pointer")),
    }
}

fn truth(value: Val) -> Outcome<bool> {
    match value {
        Val::Bool(truth) => Ok(truth),
        Val::Int(int) => Ok(int != 0),
        other => Err(format!("{other:?} is no condition")),
    }
}

fn int(value: Val) -> Outcome<i64> {
    match value {
        Val::Int(int) => Ok(int),
        other => Err(format!("{other:?} is no integer")),
    }
}

fn dbl(value: Val) -> Outcome<f64> {
    match value {
        Val::Dbl(dbl) => Ok(dbl),
        other => Err(format!("{other:?} is no float")),
    }
}

/// Evaluates operations on values alone; `None` if the instruction takes its edge.
fn compute(op: Op, a: Val, b: Val) -> Outcome<Option<Val>> {
    let result = match op {
        Op::ConvIntToDbl => Val::Dbl(int(a)? as f64),
        Op::ConvBoolToInt => Val::Int(i64::from(truth(a)?)),
        Op::ConvBoolToDbl => Val::Dbl(f64::from(u8::from(truth(a)?))),
        Op::ConvIntToBool => Val::Bool(int(a)? != 0),
        Op::ConvDblToBool => Val::Bool(dbl(a)? != 0.0),
        Op::ConvDblToInt => Val::Int(dbl_to_int(dbl(a)?)),
        Op::ConvDblToIntO => return Ok(exact_int(dbl(a)?).map(Val::Int)),
        Op::XorBool => Val::Bool(truth(a)? != truth(b)?),
        Op::EqBool => Val::Bool(truth(a)? == truth(b)?),
        Op::NeqBool => Val::Bool(truth(a)? != truth(b)?),
        Op::Floor => Val::Dbl(dbl(a)?.floor()),
        Op::Ceil => Val::Dbl(dbl(a)?.ceil()),
        Op::AbsDbl => Val::Dbl(dbl(a)?.abs()),
        Op::Sqrt => Val::Dbl(dbl(a)?.sqrt()),
        Op::NegDbl => Val::Dbl(-dbl(a)?),
        Op::AddDbl | Op::SubDbl | Op::MulDbl | Op::DivDbl => Val::Dbl(float_arithmetic(op, dbl(a)?, dbl(b)?)),
        Op::EqDbl | Op::NeqDbl | Op::LtDbl | Op::LteDbl | Op::GtDbl | Op::GteDbl => {
            Val::Bool(float_comparison(op, dbl(a)?, dbl(b)?))
        }
        Op::CmpDbl => Val::Int(cmp_dbl(dbl(a)?, dbl(b)?)),
        Op::EqInt => Val::Bool(int(a)? == int(b)?),
        Op::NeqInt => Val::Bool(int(a)? != int(b)?),
        Op::LtInt => Val::Bool(int(a)? < int(b)?),
        Op::LteInt => Val::Bool(int(a)? <= int(b)?),
        Op::GtInt => Val::Bool(int(a)? > int(b)?),
        Op::GteInt => Val::Bool(int(a)? >= int(b)?),
        Op::CmpInt => Val::Int(int(a)?.cmp(&int(b)?) as i64),
        Op::CheckRange => Val::Bool((0..int(b)?).contains(&int(a)?)),
        _ => return int_arithmetic(op, int(a)?, int(b)?).map(|result| result.map(Val::Int)),
    };
    Ok(Some(result))
}

fn float_arithmetic(op: Op, a: f64, b: f64) -> f64 {
    match op {
        Op::AddDbl => a + b,
        Op::SubDbl => a - b,
        Op::MulDbl => a * b,
        _ => a / b,
    }
}

fn float_comparison(op: Op, a: f64, b: f64) -> bool {
    match op {
        Op::EqDbl => a == b,
        Op::NeqDbl => a != b,
        Op::LtDbl => a < b,
        Op::LteDbl => a <= b,
        Op::GtDbl => a > b,
        _ => a >= b,
    }
}

fn int_arithmetic(op: Op, a: i64, b: i64) -> Outcome<Option<i64>> {
    Ok(match op {
        Op::AddInt => Some(a.wrapping_add(b)),
        Op::SubInt => Some(a.wrapping_sub(b)),
        Op::MulInt => Some(a.wrapping_mul(b)),
        Op::AddIntO => a.checked_add(b),
        Op::SubIntO => a.checked_sub(b),
        Op::MulIntO => a.checked_mul(b),
        Op::AndInt => Some(a & b),
        Op::OrInt => Some(a | b),
        Op::XorInt => Some(a ^ b),
        Op::MinInt => Some(a.min(b)),
        Op::MaxInt => Some(a.max(b)),
        Op::Shl | Op::Shr if !(0..=63).contains(&b) => return Err(format!("a shift by {b}")),
        Op::Shl => Some(a << b),
        Op::Shr => Some(a >> b),
        Op::ShlO | Op::ShrO if b < 0 => None,
        Op::ShlO => Some(if b > 63 { 0 } else { a << b }),
        Op::ShrO => Some(a >> b.min(63)),
        Op::Mod if b == 0 || b == -1 => return Err(format!("a remainder of {b}")),
        Op::Mod => Some(a % b),
        Op::ModO if b == 0 => None,
        Op::ModO => Some(a.wrapping_rem(b)),
        Op::DivIntO => {
            if b != 0 && a.checked_rem(b) == Some(0) {
                a.checked_div(b)
            } else {
                None
            }
        }
        _ => return Err("unknown here".to_owned()),
    })
}
