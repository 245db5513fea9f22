//! What the opline table says of each opcode: the vocabulary of its columns. What follows from a row
//! is in [`crate::uses`].
//!
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
