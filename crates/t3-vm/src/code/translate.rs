//! From the image's bytes to instructions of `inst.rs`.
//!
//! Pushes of locals, small constants, R0 and self are held back on a virtual stack until something uses them; what is
//! still held when a branch, a branch target or an instruction with side effects comes is pushed for real, so every
//! instruction finds the stack as the specification has it.

use std::collections::{BTreeSet, VecDeque};

use phlox_t3_image::decode::decode;
use phlox_t3_image::method::Method;
use phlox_t3_image::{Image, Op};

use super::inst::{BinOp, Inst, Src};
use super::{Code, DYNAMIC, Function, Tables};
use crate::error;
use crate::heap::Heap;
use crate::value::Value;

/// Translates one function.
pub(super) struct Translator<'a> {
    pub(super) image: &'a Image,
    /// The code that the function is in.
    pub(super) pool: &'a [u8],
    /// The bit of its addresses.
    pub(super) space: u32,
    pub(super) heap: &'a mut Heap,
    pub(super) code: &'a mut Code,
    /// Pushes that have not been made yet, deepest first.
    pub(super) held: Vec<Src>,
    /// Instructions whose target is still a code offset, to be replaced at the end.
    pub(super) jumps: Vec<usize>,
    /// Tables of cases that still hold code offsets.
    pub(super) tables: Vec<usize>,
    pub(super) places: Vec<(u32, u32)>,
    /// Whether VARARGC came just before.
    pub(super) varargs: bool,
    /// The last instruction emitted since the last branch target.
    pub(super) last: Option<usize>,
    pub(super) offset: u32,
}

/// Translates the function with the given index. A header outside of the pool gives a function that fails.
pub fn translate(image: &Image, heap: &mut Heap, code: &mut Code, index: u32) {
    let offset = heap.functions.get(index as usize).copied().unwrap_or(u32::MAX);
    if code.functions.len() <= index as usize {
        code.functions.resize_with(index as usize + 1, Function::default);
    }
    let dynamic = code.dynamic.clone();
    let (pool, at) = if offset & DYNAMIC == 0 {
        (&image.code.bytes[..], offset as usize)
    } else {
        (&dynamic[..], (offset & !DYNAMIC) as usize)
    };
    let function = match Method::read(pool, at, image.entry.method_header_size) {
        Some(method) => translate_method(image, pool, heap, code, &method, offset & DYNAMIC),
        None => None,
    };
    let function = function.unwrap_or_else(|| {
        let entry = code.insts.len() as u32;
        code.insts.push(Inst::Error(error::INVALID_OPCODE as u16));
        code.offsets.push(offset);
        Function { offset, entry, max_args: u16::MAX, ..Function::default() }
    });
    code.functions[index as usize] = function;
}

/// Puts the indices of instructions in place of the code offsets that jumps and tables go to; `entry` stands for offsets
/// where no instruction begins.
fn resolve_jumps(code: &mut Code, entry: u32, places: &[(u32, u32)], jumps: &[usize], tables: &[usize]) {
    let at = |offset: u32| match places.binary_search_by_key(&offset, |row| row.0) {
        Ok(found) => places[found].1,
        Err(_) => entry,
    };
    for jump in jumps.iter().copied() {
        if let Some(target) = target_of(&mut code.insts[jump]) {
            *target = at(*target);
        }
    }
    for table in tables.iter().copied() {
        let cases = &mut code.cases[table];
        cases.default = at(cases.default);
        for row in &mut cases.rows {
            row.1 = at(row.1);
        }
    }
}

fn translate_method(
    image: &Image,
    pool: &[u8],
    heap: &mut Heap,
    code: &mut Code,
    method: &Method,
    space: u32,
) -> Option<Function> {
    let handlers = method.handlers(pool, image.entry.exception_entry_size)?;
    let entry = code.insts.len() as u32;
    let (found, leaders) = reachable(pool, method, &handlers);
    let mut translator = Translator {
        image,
        pool,
        space,
        heap,
        code,
        held: Vec::new(),
        jumps: Vec::new(),
        tables: Vec::new(),
        places: Vec::new(),
        varargs: false,
        last: None,
        offset: method.code as u32,
    };
    translator.run(method.code, &found, &leaders);
    let Translator { mut places, jumps, tables, .. } = translator;
    places.sort_unstable();
    resolve_jumps(code, entry, &places, &jumps, &tables);
    for inst in &mut code.insts[entry as usize..] {
        *inst = super::special::specialize(*inst);
    }
    let constant = match code.insts.get(entry as usize) {
        Some(Inst::Return(Src::Const(index))) => code.constants.get(*index as usize).copied().unwrap_or_default(),
        Some(Inst::Return(Src::Int(number))) => Value::Int((*number).into()),
        _ => Value::Empty,
    };
    let max = u16::from(method.required) + u16::from(method.optional);
    Some(Function {
        offset: method.offset as u32,
        entry,
        min_args: u16::from(method.required),
        max_args: if method.varargs { u16::MAX } else { max },
        locals: method.locals,
        stack: method.stack.max(method.locals),
        constant,
        tables: Box::new(Tables { handlers: handlers.into_boxed_slice(), places: places.into_boxed_slice() }),
    })
}

/// Offsets of all instructions that can be reached, and of those that something branches to.
fn reachable(
    pool: &[u8],
    method: &Method,
    handlers: &[phlox_t3_image::method::Handler],
) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let mut found = BTreeSet::new();
    let mut leaders: BTreeSet<usize> = handlers.iter().map(|handler| handler.target).collect();
    let mut work: VecDeque<usize> = leaders.iter().copied().chain([method.code]).collect();
    while let Some(at) = work.pop_front() {
        if !found.insert(at) {
            continue;
        }
        let Ok(inst) = decode(pool, at) else { continue };
        for target in inst.targets() {
            leaders.insert(target);
            work.push_back(target);
        }
        if inst.op == Op::LJSR {
            leaders.insert(inst.next);
            work.push_back(inst.next);
        }
        if !inst.op.is_terminal() {
            work.push_back(inst.next);
        }
    }
    // Where instructions overlap, or code lies apart, falling through becomes a jump.
    for (at, following) in found.iter().zip(found.iter().skip(1)) {
        if let Ok(inst) = decode(pool, *at)
            && !inst.op.is_terminal()
            && inst.next != *following
        {
            leaders.insert(inst.next);
        }
    }
    (found, leaders)
}

fn target_of(inst: &mut Inst) -> Option<&mut u32> {
    match inst {
        Inst::CmpJump { target, .. }
        | Inst::CmpIntJump { target, .. }
        | Inst::Jump(target)
        | Inst::Branch { target, .. }
        | Inst::BranchKeep { target, .. }
        | Inst::SubCall { target, .. }
        | Inst::IterNext { target, .. } => Some(target),
        _ => None,
    }
}

impl Translator<'_> {
    fn run(&mut self, start: usize, found: &BTreeSet<usize>, leaders: &BTreeSet<usize>) {
        let mut order: Vec<usize> = found.iter().copied().collect();
        // The function starts with its first instruction even if a handler stands before it.
        let first = order.iter().position(|at| *at == start).unwrap_or(0);
        if first != 0 {
            self.offset = start as u32;
            self.emit_jump(Inst::Jump(start as u32));
        }
        order.push(usize::MAX);
        for pair in order.windows(2) {
            let (at, following) = (pair[0], pair[1]);
            self.offset = at as u32;
            if leaders.contains(&at) || at == start {
                self.flush();
                self.last = None;
                self.places.push((at as u32, self.code.insts.len() as u32));
            }
            match decode(self.pool, at) {
                Ok(inst) => {
                    let varargs = self.varargs && inst.op.takes_varargc();
                    if self.varargs && !varargs {
                        self.fail(error::INVALID_OPCODE_MOD);
                    }
                    self.instruction(&inst, varargs);
                    self.varargs = inst.op == Op::VARARGC;
                    if !inst.op.is_terminal() && inst.next != following {
                        self.flush();
                        self.emit_jump(Inst::Jump(inst.next as u32));
                    }
                }
                Err(_) => self.fail(error::INVALID_OPCODE),
            }
        }
    }

    // ---- emission

    pub(super) fn emit(&mut self, inst: Inst) {
        self.code.insts.push(inst);
        self.code.offsets.push(self.offset);
        self.last = Some(self.code.insts.len() - 1);
    }

    pub(super) fn emit_jump(&mut self, inst: Inst) {
        self.jumps.push(self.code.insts.len());
        self.emit(inst);
        self.last = None;
    }

    pub(super) fn fail(&mut self, code: u32) {
        self.flush();
        self.emit(Inst::Error(code as u16));
        self.last = None;
    }

    /// Makes every held push.
    pub(super) fn flush(&mut self) {
        for src in std::mem::take(&mut self.held) {
            self.emit(Inst::Push(src));
        }
    }

    /// Everything on the real stack, then the instruction.
    pub(super) fn plain(&mut self, inst: Inst) {
        self.flush();
        self.emit(inst);
        self.last = None;
    }

    pub(super) fn hold(&mut self, src: Src) {
        self.held.push(src);
    }

    pub(super) fn hold_value(&mut self, value: Value) {
        match value {
            Value::Int(number) if i16::try_from(number).is_ok() => self.hold(Src::Int(number as i16)),
            value => match self.constant(value) {
                Some(index) => self.hold(Src::Const(index)),
                None => self.plain(Inst::PushConst(value)),
            },
        }
    }

    pub(super) fn constant(&mut self, value: Value) -> Option<u16> {
        if let Some(index) = self.code.constant_index.get(&value) {
            return Some(*index);
        }
        let index = u16::try_from(self.code.constants.len()).ok()?;
        self.code.constants.push(value);
        self.code.constant_index.insert(value, index);
        Some(index)
    }

    /// The top of the stack as an operand; what lies below goes to the real stack.
    pub(super) fn one(&mut self) -> Src {
        let src = self.held.pop().unwrap_or(Src::Pop);
        self.flush();
        src
    }

    /// The top two as operands, the deeper first.
    pub(super) fn two(&mut self) -> (Src, Src) {
        let b = self.held.pop().unwrap_or(Src::Pop);
        let a = if b == Src::Pop { Src::Pop } else { self.held.pop().unwrap_or(Src::Pop) };
        self.flush();
        (a, b)
    }

    /// The top three as operands, the deepest first.
    pub(super) fn three(&mut self) -> (Src, Src, Src) {
        let c = self.held.pop().unwrap_or(Src::Pop);
        let b = self.held.pop().unwrap_or(Src::Pop);
        let a = self.held.pop().unwrap_or(Src::Pop);
        self.flush();
        (a, b, c)
    }

    /// The slot of a local.
    pub(super) fn local(&mut self, number: i64) -> Option<i16> {
        let slot = i16::try_from(number).ok();
        if slot.is_none() {
            self.fail(error::STACK_OUT_OF_BOUNDS);
        }
        slot
    }

    pub(super) fn argument(&mut self, number: i64) -> Option<i16> {
        self.local(-1 - number)
    }

    /// A slot is about to change: held pushes of its old value must be made first.
    pub(super) fn will_set(&mut self, slot: i16) {
        if self.held.contains(&Src::Slot(slot)) {
            self.flush();
        }
    }

    pub(super) fn set(&mut self, slot: Option<i16>, src: Src) {
        let Some(dst) = slot else { return };
        // An operation whose result goes straight into a local.
        if src == Src::Pop
            && let Some(last) = self.last
            && let Inst::Bin { op, a, b } = self.code.insts[last]
        {
            self.code.insts[last] = match (op, a, b) {
                (BinOp::Add, Src::Slot(slot), Src::Int(add)) => Inst::AddInt { slot, add, dst },
                _ => Inst::BinSet { op, a, b, dst },
            };
            self.last = None;
            return;
        }
        // A container that goes back to where it came from.
        if src == Src::Pop
            && let Some(last) = self.last
            && let Inst::SetElement { container: Src::Slot(slot), index, value } = self.code.insts[last]
            && slot == dst
        {
            self.code.insts[last] = Inst::SetElementOf { slot, index, value };
            self.last = None;
            return;
        }
        self.emit(Inst::Set { dst, src });
        self.last = None;
    }

    pub(super) fn bin_set(&mut self, op: BinOp, slot: Option<i16>, b: Src) {
        let Some(dst) = slot else { return };
        let inst = match (op, b) {
            (BinOp::Add, Src::Int(add)) => Inst::AddInt { slot: dst, add, dst },
            _ => Inst::BinSet { op, a: Src::Slot(dst), b, dst },
        };
        self.emit(inst);
        self.last = None;
    }

    /// A call: whatever is held below the target must be on the real stack.
    pub(super) fn site(&mut self) -> u32 {
        self.code.new_site()
    }
}
