//! What the opline table says of each opcode: the vocabulary of its columns, and what follows from a row.
//!
//! Liveness, printing, type feedback and the compiler ask here, and keep no lists of opcodes of their own.

use crate::opline::{HEADER_CELLS, Literal, Lowered, Operand, Opline, PathStep};
use crate::ops::OpCode;
use phlox_hhbc::LocalId;

/// The row of an opcode.
#[derive(Debug)]
pub struct Facts {
    pub a: OperandFacts,
    pub b: OperandFacts,
    pub c: OperandFacts,
    /// What the number `n` means.
    pub n: Number,
    pub flow: ControlFlow,
    pub step: Stepping,
    pub runs: Runs,
    pub variables: Variables,
    pub heap: Heap,
    /// Types that the result can have; [`ANY_TYPE`] if only a run tells.
    pub result: Types,
    pub feedback: Feedback,
}

/// What an opcode does with one of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandFacts {
    pub access: OperandAccess,
    /// Kinds of operands that may stand there.
    pub kinds: Kinds,
    /// What it has to know of the value's type.
    pub asks: Asks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandAccess {
    /// There is no such operand.
    Unused,
    /// Read. A temporary is consumed; a variable keeps its value, may be undefined and may hold a reference.
    Read,
    /// Read, and a temporary stays where it is.
    Keep,
    /// Read; a temporary is consumed unless `n` is 1.
    ReadUnlessN,
    /// Read and consumed: as many temporaries as `n` says (in `Closure`: as the literal `b` says), from this one on.
    ReadRow,
    /// `n` temporaries from this one on are consumed, and results take their place.
    Exchange,
    /// Overwritten, whatever it held; a variable that is a reference is written through. No operand: the result is not used.
    Write,
    /// Overwritten, unless the iteration is over.
    WriteNext,
    /// Read, and given another value.
    Update,
    /// Read, and given the value converted to another type if a declaration asks for it.
    Coerce,
    /// The array or object in it is changed in place.
    Mutate,
    /// It becomes a reference, or another one.
    Bind,
    /// Read; a variable becomes a reference if the parameter takes one.
    Pass,
    /// A literal that names a function, class, member or operator.
    Name,
    /// The header of a pending call, which begins here.
    Opens,
    /// The header of a pending call.
    Pending,
    /// The header of a pending call, which is made here: its arguments, as many as `n` says, are consumed.
    Calls,
}

impl OperandAccess {
    /// Whether the operand's value matters.
    pub const fn reads(self) -> bool {
        use OperandAccess::*;
        match self {
            Read | Keep | ReadUnlessN | ReadRow | Exchange | Update | Coerce | Mutate | Bind | Pass => true,
            Unused | Write | WriteNext | Name | Opens | Pending | Calls => false,
        }
    }

    /// Whether the operand holds another value afterwards. What is bound to a reference is not meant: who reads it reads the
    /// reference.
    pub const fn writes(self) -> bool {
        matches!(self, OperandAccess::Write | OperandAccess::WriteNext | OperandAccess::Update)
    }

    /// Whether a variable may be another one afterwards, or what it holds.
    pub const fn changes(self) -> bool {
        self.writes() || matches!(self, OperandAccess::Coerce | OperandAccess::Mutate | OperandAccess::Bind)
    }
}

/// What an opcode has to know of an operand's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Nothing: it moves the value, whatever it is.
    Nothing,
    /// Its type: it does something else for each.
    Type,
    /// Whether it has one of these types.
    OneOf(Types),
    /// Whether it passes the type test `n`.
    TypeTest,
    /// Its type for a comparison, and for an identity whether it is of the other operand's type.
    Comparison,
}

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Types(pub u8);

impl Types {
    pub const fn or(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }

    pub const fn has(self, other: Types) -> bool {
        self.0 & other.0 != 0
    }
}

pub const NULL: Types = Types(1);
pub const BOOL: Types = Types(2);
pub const INT: Types = Types(4);
pub const DOUBLE: Types = Types(8);
pub const STRING: Types = Types(16);
pub const ARRAY: Types = Types(32);
pub const OBJECT: Types = Types(64);
pub const ANY_TYPE: Types = Types(127);
/// The result may be a reference, which stays one.
pub const REFERENCE: Types = Types(128);
/// Of an opcode that gives no result.
pub const NO_RESULT: Types = Types(0);

/// A set of kinds of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds(pub u8);

pub const LOCAL: Kinds = Kinds(1);
pub const TEMPORARY: Kinds = Kinds(2);
pub const LITERAL: Kinds = Kinds(4);
pub const THIS: Kinds = Kinds(8);
/// The operand may be missing.
pub const OPTIONAL: Kinds = Kinds(16);

impl Kinds {
    pub const fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    /// Whether an operand is of one of the kinds.
    pub const fn allow(self, operand: Operand) -> bool {
        let kind = match operand {
            Operand::None => OPTIONAL,
            Operand::Local(_) => LOCAL,
            Operand::Tmp(_) => TEMPORARY,
            Operand::Lit(_) => LITERAL,
            Operand::This => THIS,
        };
        self.0 & kind.0 != 0
    }
}

/// What the number `n` of an opline means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Unused,
    /// [`phlox_hhbc::SetOp`]
    Operator,
    /// [`phlox_hhbc::IncDec`]
    IncDec,
    /// [`crate::Unary`]
    Unary,
    /// [`crate::Comparison`]
    Comparison,
    /// [`phlox_hhbc::TypeTest`]
    TypeTest,
    /// How many.
    Count,
    /// A parameter of the pending call.
    Parameter,
    /// An iterator of the frame.
    Iterator,
    /// An index into [`Lowered::paths`].
    Path,
    /// A switch table of the function, with [`crate::FALLS_THROUGH`].
    SwitchTable,
    /// An index into [`Lowered::named_calls`].
    NamedCall,
    /// [`crate::ClassBy`] with the flags beside it.
    ClassBy,
    /// A literal and one, or 0.
    Fallback,
    /// A function of the unit.
    Function,
    /// A static variable of the function.
    StaticVariable,
    /// 1 where this holds, else 0.
    Flag(&'static str),
}

/// Where execution goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlFlow {
    /// At the next opline.
    Next,
    /// At the target.
    Jump,
    /// At the next opline or at the target.
    Branch,
    /// At one of the cases of a table, or at the next opline.
    Switch,
    /// Outside of the function, or at a handler for exceptions.
    Leave,
}

/// Whether the interpreter can execute the opline by itself for compiled code: all that it starts is over when it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepping {
    Single,
    Never,
}

/// What may run beside the opline's own work. What a backward jump may let in (signals, the end of the time) is not meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runs {
    /// Nothing, and it throws nothing.
    Nothing,
    /// It may throw an error, for which no PHP code has to run.
    Throws,
    /// PHP code: a destructor, an error handler, a conversion, a magic method. It may throw.
    UserCode,
}

/// How an opline may reach variables of its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variables {
    /// As operands only. A function that looks around in its caller cannot be called by a value (PHP: "Cannot call compact()
    /// dynamically"), so that calls of values are of this kind, too.
    Operands,
    /// As operands only, unless the function that it names looks around in its caller ([`phlox_hhbc::caller_access`]).
    ByFunction,
    /// In ways that its operands do not tell.
    Any,
}

/// What an opline's own work does to memory that others may see, beside variables. What a function does that it calls is not meant:
/// [`Runs`] tells that it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heap {
    Untouched,
    Reads,
    /// It changes properties, static properties, constants or references; no array in place.
    ChangesObjects,
    /// It may change an array in place.
    ChangesArrays,
}

/// What type feedback is collected where the opline runs, beside the type of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback {
    Nothing,
    /// The class of the object that it asks for, and what the property that it names holds.
    Class,
    /// The element that it reads.
    Element,
    /// Where its path begins.
    Path,
    /// The array that is iterated over.
    Iteration,
}

// ---- operands, as the table writes them

/// No such operand.
pub const fn no() -> OperandFacts {
    OperandFacts { access: OperandAccess::Unused, kinds: OPTIONAL, asks: Asks::Nothing }
}

const VALUE: Kinds = LOCAL.or(TEMPORARY).or(LITERAL);

const fn operand(access: OperandAccess, kinds: Kinds, asks: Asks) -> OperandFacts {
    OperandFacts { access, kinds, asks }
}

/// A value whose type matters.
pub const fn read() -> OperandFacts {
    operand(OperandAccess::Read, VALUE, Asks::Type)
}

/// A value that is handed on, whatever it is.
pub const fn moved() -> OperandFacts {
    operand(OperandAccess::Read, VALUE, Asks::Nothing)
}

/// Where the result goes.
pub const fn write() -> OperandFacts {
    operand(OperandAccess::Write, LOCAL.or(TEMPORARY), Asks::Nothing)
}

/// The name of something.
pub const fn name() -> OperandFacts {
    operand(OperandAccess::Name, LITERAL, Asks::Nothing)
}

/// A variable that is used in this way.
pub const fn local(access: OperandAccess) -> OperandFacts {
    operand(access, LOCAL, Asks::Type)
}

/// A temporary that is used in this way.
pub const fn temporary(access: OperandAccess) -> OperandFacts {
    operand(access, TEMPORARY, Asks::Type)
}

impl OperandFacts {
    /// It may be missing.
    pub const fn optional(self) -> OperandFacts {
        OperandFacts { kinds: self.kinds.or(OPTIONAL), ..self }
    }

    /// It may be an operand of these kinds, too.
    pub const fn or(self, kinds: Kinds) -> OperandFacts {
        OperandFacts { kinds: self.kinds.or(kinds), ..self }
    }

    /// It is used in another way.
    pub const fn with(self, access: OperandAccess) -> OperandFacts {
        OperandFacts { access, ..self }
    }

    /// What the opcode has to know of its type.
    pub const fn asks(self, asks: Asks) -> OperandFacts {
        OperandFacts { asks, ..self }
    }

    /// It is tested for types.
    pub const fn tests(self, types: Types) -> OperandFacts {
        self.asks(Asks::OneOf(types))
    }
}

// ---- what follows from a row

/// An operand of an opline with what happens to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandUse {
    pub operand: Operand,
    pub access: OperandAccess,
    pub asks: Asks,
}

impl OpCode {
    /// Whether it writes the header of a pending call, which is its operand `a`.
    pub fn opens_call(self) -> bool {
        self.facts().a.access == OperandAccess::Opens
    }

    /// Whether it makes the pending call `a`.
    pub fn makes_call(self) -> bool {
        self.facts().a.access == OperandAccess::Calls
    }

    /// Whether the type of its result is known only when it has run.
    pub fn has_unknown_result(self) -> bool {
        self.facts().result.or(REFERENCE) == ANY_TYPE.or(REFERENCE)
    }

    /// Whether a result by reference stays a reference.
    pub fn keeps_reference(self) -> bool {
        self.facts().result.has(REFERENCE)
    }

    /// Whether the interpreter can execute it by itself for compiled code.
    pub const fn is_single_step(self) -> bool {
        matches!(self.facts().step, Stepping::Single)
    }

    /// Whether the next opline may be executed after it.
    pub fn falls_through(self) -> bool {
        !matches!(self.facts().flow, ControlFlow::Jump | ControlFlow::Leave | ControlFlow::Switch)
    }
}

impl Opline {
    /// Where its result goes, if it gives one that is used.
    pub fn result(&self) -> Operand {
        let facts = self.op.facts();
        match (facts.c.access, facts.a.access) {
            (OperandAccess::Write | OperandAccess::WriteNext, _) => self.c,
            (_, OperandAccess::Exchange) => self.a,
            _ => Operand::None,
        }
    }

    /// Whether a variable is overwritten, and what it held does not matter.
    pub fn only_writes(&self, variable: Operand, lowered: &Lowered) -> bool {
        let (mut writes, mut reads) = (false, false);
        self.each_operand(lowered, |used| {
            if used.operand == variable {
                writes |= matches!(used.access, OperandAccess::Write | OperandAccess::WriteNext);
                reads |= used.access.reads();
            }
        });
        writes && !reads
    }

    /// The variables among its operands, each once.
    pub fn variables(&self, lowered: &Lowered) -> Vec<LocalId> {
        let mut variables = Vec::new();
        self.each_operand(lowered, |used| {
            if let Operand::Local(local) = used.operand
                && !variables.contains(&local)
            {
                variables.push(local);
            }
        });
        variables
    }

    /// Shows each operand that is there, each temporary of a row, each argument of a call that it makes and each operand of its
    /// path.
    pub fn each_operand(&self, lowered: &Lowered, mut visit: impl FnMut(OperandUse)) {
        let facts = self.op.facts();
        for (operand, facts) in [(self.a, facts.a), (self.b, facts.b), (self.c, facts.c)] {
            let OperandFacts { access, asks, .. } = facts;
            let mut row = |from: u32, count: u32| {
                (from..from + count).for_each(|tmp| visit(OperandUse { operand: Operand::Tmp(tmp), access, asks }))
            };
            match (access, operand) {
                (_, Operand::None) | (OperandAccess::Unused | OperandAccess::Name | OperandAccess::Opens | OperandAccess::Pending, _) => {}
                (OperandAccess::ReadRow | OperandAccess::Exchange, Operand::Tmp(first)) => row(first, self.row_length(lowered)),
                (OperandAccess::Calls, Operand::Tmp(header)) => {
                    let row = |tmp| visit(OperandUse { operand: Operand::Tmp(tmp), access: OperandAccess::Read, asks: Asks::Type });
                    (header + HEADER_CELLS..header + HEADER_CELLS + self.arguments(lowered)).for_each(row);
                }
                _ => visit(OperandUse { operand, access, asks }),
            }
        }
        if facts.n == Number::Path
            && let Some(path) = lowered.paths.get(self.n as usize)
        {
            if path.base != Operand::None {
                visit(OperandUse { operand: path.base, access: OperandAccess::Mutate, asks: Asks::Type });
            }
            for step in &path.steps {
                if let PathStep::Elem(operand) = *step {
                    visit(OperandUse { operand, access: OperandAccess::Read, asks: Asks::Type });
                }
            }
        }
    }

    /// How many temporaries stand in its row.
    fn row_length(&self, lowered: &Lowered) -> u32 {
        match (self.op.facts().n, self.b) {
            (Number::Count, _) => self.n,
            (_, Operand::Lit(index)) => match lowered.literals[index as usize] {
                Literal::Int(count) => count as u32,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// How many arguments stand behind the header of the call that it makes.
    fn arguments(&self, lowered: &Lowered) -> u32 {
        match self.op.facts().n {
            Number::NamedCall => lowered.named_calls.get(self.n as usize).map_or(0, |call| call.args),
            _ => self.n,
        }
    }
}
