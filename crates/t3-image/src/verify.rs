//! What can be known to be wrong with an image's code before it runs.
//!
//! Each function is walked with the number of slots on its stack: instructions must not take what is not there, all
//! ways to an instruction must agree, locals must exist and branches must stay inside. Where the number depends on the
//! run (a list spread over arguments), it counts as unknown from there on.

use std::collections::{HashMap, HashSet};

use crate::decode::{DecodeError, Extra, Instruction, decode};
use crate::method::Method;
use crate::ops::Operand;
use crate::{DataHolder, Image, Kind, Op};

/// A rule that is broken, at an offset of the code pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The function.
    pub function: usize,
    /// The instruction.
    pub offset: usize,
    /// The rule.
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "function {:x}, offset {:x}: {}", self.function, self.offset, self.message)
    }
}

/// Checks all functions that can be found.
pub fn image(image: &Image) -> Vec<Problem> {
    crate::dis::methods(image).into_keys().flat_map(|offset| function(image, offset)).collect()
}

/// Checks the function whose header is at an offset.
pub fn function(image: &Image, offset: usize) -> Vec<Problem> {
    let pool = &image.code.bytes;
    let Some(method) = Method::read(pool, offset, image.entry.method_header_size) else {
        return vec![Problem { function: offset, offset, message: "the header is outside of the code pool".into() }];
    };
    let mut check =
        Check { pool, method, depths: HashMap::new(), work: Vec::new(), problems: Vec::new(), defaults: Vec::new() };
    match method.handlers(pool, image.entry.exception_entry_size) {
        // A handler begins with the exception on an otherwise empty stack.
        Some(rows) => rows.iter().for_each(|row| check.flow(offset, row.target as i64, Some(1))),
        None => check.report(offset, "the exception table is outside of the code pool"),
    }
    check.flow(offset, method.code as i64, Some(0));
    check.run();
    check.problems
}

/// How many slots the stack has; `None` if only the run can tell.
type Depth = Option<i64>;

struct Check<'a> {
    pool: &'a [u8],
    method: Method,
    depths: HashMap<usize, Depth>,
    work: Vec<usize>,
    problems: Vec<Problem>,
    /// Defaults of SWITCH instructions: where it is, where it leads and with how many slots.
    defaults: Vec<(usize, usize, Depth)>,
}

impl Check<'_> {
    fn report(&mut self, offset: usize, message: impl Into<String>) {
        self.problems.push(Problem { function: self.method.offset, offset, message: message.into() });
    }

    /// Control goes from an instruction to another.
    fn flow(&mut self, from: usize, to: i64, depth: Depth) {
        let target = usize::try_from(to).ok().filter(|to| *to >= self.method.code && *to < self.pool.len());
        let Some(target) = target else { return self.report(from, "a branch leaves the function") };
        match self.depths.get(&target).copied() {
            None => {
                self.depths.insert(target, depth);
                self.work.push(target);
            }
            Some(Some(known)) if depth.is_some_and(|depth| depth != known) => {
                let depth = depth.unwrap_or(0);
                self.report(from, format!("{target:x} is reached with {depth} and with {known} slots"));
            }
            Some(_) => {}
        }
    }

    /// Whether a subroutine can come to its return.
    fn returns(&self, start: i64) -> bool {
        let mut work: Vec<usize> = usize::try_from(start).into_iter().collect();
        let mut seen = HashSet::new();
        while let Some(at) = work.pop() {
            if !seen.insert(at) {
                continue;
            }
            let Ok(inst) = decode(self.pool, at) else { continue };
            if inst.op == Op::LRET {
                return true;
            }
            work.extend(inst.targets());
            if !inst.op.is_terminal() {
                work.push(inst.next);
            }
        }
        false
    }

    fn run(&mut self) {
        self.walk();
        for (at, target, depth) in std::mem::take(&mut self.defaults) {
            let before = self.problems.len();
            self.flow(at, target as i64, depth);
            self.walk();
            if self.takes_turns(at) {
                self.problems.truncate(before);
            }
        }
    }

    /// Whether a SWITCH chooses among texts that take turns: by the numbers from 1 on. For these the compiler writes a
    /// default that is never taken and leads nowhere in particular.
    fn takes_turns(&self, at: usize) -> bool {
        let Ok(Instruction { extra: Extra::Cases(rows, _), .. }) = decode(self.pool, at) else { return false };
        rows.iter().enumerate().all(|(n, row)| row.0 == DataHolder::new(Kind::Int, n as u32 + 1))
    }

    fn walk(&mut self) {
        while let Some(at) = self.work.pop() {
            let depth = self.depths.get(&at).copied().flatten();
            match decode(self.pool, at) {
                Ok(inst) => self.instruction(&inst, depth),
                Err(DecodeError::Unknown(byte)) => self.report(at, format!("{byte:02x} is no instruction")),
                Err(DecodeError::Truncated) => self.report(at, "the instruction is cut off"),
            }
            if self.problems.len() > 100 {
                return;
            }
        }
    }

    fn instruction(&mut self, inst: &Instruction<'_>, depth: Depth) {
        let at = inst.offset;
        for (operand, value) in inst.op.info().operands.iter().zip(inst.values) {
            let missing = match operand {
                Operand::Local | Operand::Local2 => value >= i64::from(self.method.locals),
                Operand::Function => value as usize >= self.pool.len(),
                _ => false,
            };
            if missing {
                self.report(at, format!("{} names {value}, which the function does not have", inst.op.info().name));
            }
        }
        let (pops, pushes) = effect(inst);
        let rest = match (depth, pops) {
            (Some(depth), Some(pops)) if pops > depth => {
                self.report(at, format!("{} takes {pops} slots, there are {depth}", inst.op.info().name));
                return;
            }
            (Some(depth), Some(pops)) => Some(depth - pops),
            _ => None,
        };
        let after = rest.zip(pushes).map(|(rest, pushes)| rest + pushes);
        match inst.op {
            // The value stays only if the branch is taken.
            Op::JST | Op::JSF => {
                self.flow(at, inst.values[0], after);
                self.flow(at, inst.next as i64, rest);
            }
            Op::ITERNEXT => {
                self.flow(at, inst.values[1], rest);
                self.flow(at, inst.next as i64, after);
            }
            Op::LJSR => {
                self.flow(at, inst.values[0], after);
                // Behind a subroutine that never returns there may be anything.
                if self.returns(inst.values[0]) {
                    self.flow(at, inst.next as i64, rest);
                }
            }
            Op::SWITCH => {
                let default = match &inst.extra {
                    Extra::Cases(_, default) => *default,
                    _ => 0,
                };
                for target in inst.targets() {
                    if target as i64 == default as i64 {
                        self.defaults.push((at, target, after))
                    } else {
                        self.flow(at, target as i64, after)
                    }
                }
            }
            op => {
                for target in inst.targets() {
                    self.flow(at, target as i64, after);
                }
                if !op.is_terminal() {
                    self.flow(at, inst.next as i64, after);
                }
            }
        }
    }
}

/// Slots taken and left; `None` where only the run can tell.
fn effect(inst: &Instruction<'_>) -> (Option<i64>, Option<i64>) {
    let info = inst.op.info();
    let argc = match info.operands.first() {
        Some(Operand::Argc | Operand::Argc2) => inst.values[0],
        _ => 0,
    };
    let count = |slots: crate::ops::Slots| match slots {
        crate::ops::Slots { dynamic: true, .. } => None,
        crate::ops::Slots { argc: true, fixed, .. } => Some(i64::from(fixed) + argc),
        crate::ops::Slots { fixed, .. } => Some(i64::from(fixed)),
    };
    let pops = match (inst.op, &inst.extra) {
        (Op::DISC1, _) | (Op::NAMEDARGPTR, _) => Some(inst.values[0]),
        (Op::NAMEDARGTAB, Extra::Names(names)) => Some(names.len() as i64),
        // What follows takes an unknown number of arguments.
        (Op::VARARGC, _) => None,
        // The verifier sees the depth at jumps as kept; see `instruction`.
        (Op::JST | Op::JSF, _) => Some(1),
        _ => count(info.pops),
    };
    let pushes = match inst.op {
        Op::JST | Op::JSF => Some(1),
        _ => count(info.pushes),
    };
    (pops, pushes)
}
