//! The verifier: decides whether a unit is safe to run, and computes what an engine needs to run it.
//!
//! [`tables`] checks the unit's metadata, [`layout`] the properties of a function that need no control flow (ids,
//! targets, sections, regions), [`flow`] the rest: evaluation stack, pending calls, iterators. Each instruction is
//! visited once and states are compared rather than merged, so the time is linear.
//!
//! No value of type [`Unit`] makes it panic. It knows no PHP semantics: a verified unit may still raise any error.

mod flow;
mod layout;
mod resources;
mod rules;
mod stack;
mod tables;

use crate::ids::FuncId;
use crate::unit::{Func, FuncFlags, Unit};
pub use rules::Rule;
use std::fmt;

/// A unit that passed the verifier, with what the verifier found out. Only [`verify`] makes one.
#[derive(Clone, Debug)]
pub struct VerifiedUnit {
    unit: Unit,
    facts: Vec<FuncFacts>,
}

impl VerifiedUnit {
    /// The unit that was verified.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// Facts about a function of the unit.
    pub fn facts(&self, func: FuncId) -> &FuncFacts {
        &self.facts[func.index()]
    }

    /// The unit and the facts of its functions, in the order of their ids.
    pub fn into_parts(self) -> (Unit, Vec<FuncFacts>) {
        (self.unit, self.facts)
    }
}

/// What an engine needs to know about a function besides its code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FuncFacts {
    /// Most stack slots in use at any time, a pending call counting [`CALL_SLOTS`].
    pub max_stack: u32,
    /// State before each instruction.
    pub depths: Vec<Depth>,
}

/// Stack slots that a pending call occupies besides its arguments: the header of the callee's frame.
pub const CALL_SLOTS: u32 = 4;

/// Depths before an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// Values on the evaluation stack.
    pub stack: u32,
    /// Pending calls.
    pub calls: u32,
}

impl Depth {
    /// Marks an instruction that no path reaches.
    pub const UNREACHABLE: Depth = Depth { stack: u32::MAX, calls: u32::MAX };

    /// Whether some path reaches the instruction.
    pub fn is_reachable(self) -> bool {
        self != Depth::UNREACHABLE
    }

    /// Stack slots in use.
    pub fn slots(self) -> u32 {
        self.stack.saturating_add(self.calls.saturating_mul(CALL_SLOTS))
    }
}

/// Why a unit was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    pub rule: Rule,
    /// The function and its name, unless the fault is in a table of the unit.
    pub func: Option<(FuncId, String)>,
    /// Index of the instruction and its name.
    pub at: Option<(u32, &'static str)>,
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((id, name)) = &self.func {
            write!(f, "function {} ({id:?}): ", if name.is_empty() { "{main}" } else { name })?;
        }
        if let Some((pc, op)) = self.at {
            write!(f, "instruction {pc} ({op}): ")?;
        }
        write!(f, "rule {}: {}", self.rule.number(), self.message)
    }
}

impl std::error::Error for VerifyError {}

/// A fault inside a function, before the function's name is attached.
struct Fault {
    rule: Rule,
    pc: Option<u32>,
    message: String,
}

impl Fault {
    fn at(rule: Rule, pc: u32, message: impl Into<String>) -> Fault {
        Fault { rule, pc: Some(pc), message: message.into() }
    }

    fn general(rule: Rule, message: impl Into<String>) -> Fault {
        Fault { rule, pc: None, message: message.into() }
    }

    fn locate(self, unit: &Unit, id: FuncId, func: &Func) -> VerifyError {
        let at = self.pc.map(|pc| (pc, func.code.get(pc as usize).map_or("end", |i| i.opcode().name())));
        let name = String::from_utf8_lossy(unit.str(func.name)).into_owned();
        VerifyError { rule: self.rule, func: Some((id, name)), at, message: self.message }
    }
}

/// Checks every rule over the whole unit.
pub fn verify(unit: Unit) -> Result<VerifiedUnit, VerifyError> {
    let facts = check(&unit)?;
    Ok(VerifiedUnit { unit, facts })
}

/// Checks every rule over the whole unit, which stays with the caller, and gives the facts of its functions.
pub fn check(unit: &Unit) -> Result<Vec<FuncFacts>, VerifyError> {
    tables::check(unit)?;
    let mut facts = Vec::with_capacity(unit.funcs.len());
    for (index, func) in unit.funcs.iter().enumerate() {
        let found = check_func(unit, func).map_err(|fault| fault.locate(unit, FuncId(index as u32), func))?;
        facts.push(found);
    }
    Ok(facts)
}

fn check_func(unit: &Unit, func: &Func) -> Result<FuncFacts, Fault> {
    tables::check_func(unit, func)?;
    if func.flags.has(FuncFlags::NO_BODY) {
        if !func.code.is_empty() {
            return Err(Fault::general(Rule::R7, "a function without a body has code"));
        }
        return Ok(FuncFacts::default());
    }
    let layout = layout::check(unit, func)?;
    let facts = flow::check(unit, func, &layout)?;
    if func.max_stack < facts.max_stack {
        let message = format!("max_stack is {} but {} slots are needed", func.max_stack, facts.max_stack);
        return Err(Fault::general(Rule::X3, message));
    }
    Ok(facts)
}
