//! The columns of the opline table: what can be said of an opcode. What follows from a row is in [`crate::uses`].

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
    /// Types that the result can have; [`ANY_TYPE`] if they are known at run time only.
    pub result: Types,
    pub feedback: Feedback,
}

/// What an opcode does with one of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandFacts {
    pub access: OperandAccess,
    /// Kinds of operands that may stand there.
    pub kinds: Kinds,
    /// What the opcode has to know of the value's type.
    pub asks: Asks,
}

/// How an opcode uses an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandAccess {
    /// There is no such operand.
    Unused,
    /// Read. A temporary is consumed; a variable keeps its value, may be undefined and may hold a reference.
    Read,
    /// Read, and a temporary is not consumed.
    Keep,
    /// Read; a temporary is consumed unless `n` is 1.
    ReadUnlessN,
    /// Read and consumed: as many temporaries from this one on as `n` says (in `Closure`: as literal `b` says).
    ReadRow,
    /// `n` temporaries from this one on are consumed, and results take their place.
    Exchange,
    /// Overwritten, whatever it held; a boxed variable is written through its reference. No operand: the result is not used.
    Write,
    /// Overwritten, unless the iteration has ended.
    WriteNext,
    /// Read, and given another value.
    Update,
    /// Read, and given the value converted to another type if a declaration asks for it.
    Coerce,
    /// The array or object in the variable is changed in place.
    Mutate,
    /// The variable is bound to a reference.
    Bind,
    /// Read; a variable is boxed if the parameter takes a reference.
    Pass,
    /// A literal that names a function, class, member or operator.
    Name,
    /// The header of a pending call, which is opened here.
    Opens,
    /// The header of a pending call.
    Pending,
    /// The header of a pending call, which is made here: its arguments, as many as `n` says, are consumed.
    Calls,
}

impl OperandAccess {
    /// Whether the opcode depends on the operand's value.
    pub const fn reads(self) -> bool {
        use OperandAccess::*;
        match self {
            Read | Keep | ReadUnlessN | ReadRow | Exchange | Update | Coerce | Mutate | Bind | Pass => true,
            Unused | Write | WriteNext | Name | Opens | Pending | Calls => false,
        }
    }

    /// Whether the operand holds another value afterwards. Binding a reference does not count: who reads the variable then reads
    /// through the reference.
    pub const fn writes(self) -> bool {
        matches!(self, OperandAccess::Write | OperandAccess::WriteNext | OperandAccess::Update)
    }

    /// Whether a variable, or the array or object in it, may be another one afterwards.
    pub const fn changes(self) -> bool {
        self.writes() || matches!(self, OperandAccess::Coerce | OperandAccess::Mutate | OperandAccess::Bind)
    }
}

/// What an opcode has to know of an operand's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Nothing: the opcode moves the value without looking at it.
    Nothing,
    /// The type: the opcode has a case for each.
    Type,
    /// Whether the value is of one of these types.
    OneOf(Types),
    /// Whether the value passes the type test `n`.
    TypeTest,
    /// The type, for a comparison; for an identity, whether it is that of the other operand.
    Comparison,
}

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Types(pub u8);

impl Types {
    /// The types of both sets.
    pub const fn or(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }

    /// Whether the sets have a type in common.
    pub const fn has(self, other: Types) -> bool {
        self.0 & other.0 != 0
    }
}

/// The type of `null`, as a set of types.
pub const NULL: Types = Types(1);
/// Booleans.
pub const BOOL: Types = Types(2);
/// Integers.
pub const INT: Types = Types(4);
/// Floats.
pub const DOUBLE: Types = Types(8);
/// Strings.
pub const STRING: Types = Types(16);
/// Arrays.
pub const ARRAY: Types = Types(32);
/// Objects.
pub const OBJECT: Types = Types(64);
/// All types of values.
pub const ANY_TYPE: Types = Types(127);
/// Beside other types: the result may be a reference, which stays one.
pub const REFERENCE: Types = Types(128);
/// Of an opcode that gives no result.
pub const NO_RESULT: Types = Types(0);

/// A set of kinds of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds(pub u8);

/// Variables of the function.
pub const LOCAL: Kinds = Kinds(1);
/// Temporaries.
pub const TEMPORARY: Kinds = Kinds(2);
/// Literals.
pub const LITERAL: Kinds = Kinds(4);
/// `$this`.
pub const THIS: Kinds = Kinds(8);
/// The operand may be missing.
pub const OPTIONAL: Kinds = Kinds(16);

impl Kinds {
    /// The kinds of both sets.
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
    /// How many temporaries or arguments.
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
    /// How the class is named ([`crate::ClassBy`]), with a flag beside it; its name, or nothing if there is none.
    ClassBy(&'static str),
    /// One more than the index of a literal, or 0.
    Fallback,
    /// A function of the unit.
    Function,
    /// A static variable of the function.
    StaticVariable,
    /// 1 where this holds, 0 otherwise.
    Flag(&'static str),
}

/// Where execution goes on after an opline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlFlow {
    /// Execution goes on at the next opline.
    Next,
    /// Execution goes on at the target.
    Jump,
    /// Execution goes on at the next opline or at the target.
    Branch,
    /// Execution goes on at one of the targets of a switch table, or at the next opline.
    Switch,
    /// Execution goes on outside of the function, or at an exception handler.
    Leave,
}

/// Whether the interpreter can execute the opline as a single step for compiled code: nothing of it is left to do in the frame
/// afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepping {
    Single,
    Never,
}

/// What else may run when the opline does. What a backward jump may run (signal handlers, the time limit) does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runs {
    /// Nothing runs, and nothing is thrown.
    Nothing,
    /// An error may be thrown, for which no PHP code has to run.
    Throws,
    /// PHP code may run: a destructor, an error handler, a conversion, a magic method. It may throw.
    UserCode,
}

/// How an opline may reach variables of its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variables {
    /// As operands only. A function that reads its caller's variables cannot be called by a value (PHP: "Cannot call compact()
    /// dynamically"), so dynamic calls are of this kind, too.
    Operands,
    /// As operands only, unless the function that it names reads its caller's variables ([`phlox_hhbc::caller_access`]).
    ByFunction,
    /// In ways that its operands do not tell.
    Any,
}

/// What an opline's own work does to memory outside of its frame. What a called function does is not meant: [`Runs`] says that one
/// may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heap {
    Untouched,
    Reads,
    /// The opline changes properties, static properties, constants or references, but no array in place.
    ChangesObjects,
    /// The opline may change an array in place.
    ChangesArrays,
}

/// What type feedback an opline collects, beside the type of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback {
    Nothing,
    /// The class of the object whose member it names, and what its property holds.
    Class,
    /// The type of the element that it reads.
    Element,
    /// The class of the object that its member path begins with.
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

/// The destination of the result.
pub const fn write() -> OperandFacts {
    operand(OperandAccess::Write, LOCAL.or(TEMPORARY), Asks::Nothing)
}

/// A literal that names something.
pub const fn name() -> OperandFacts {
    operand(OperandAccess::Name, LITERAL, Asks::Nothing)
}

/// A variable with this access.
pub const fn local(access: OperandAccess) -> OperandFacts {
    operand(access, LOCAL, Asks::Type)
}

/// A temporary with this access.
pub const fn temporary(access: OperandAccess) -> OperandFacts {
    operand(access, TEMPORARY, Asks::Type)
}

impl OperandFacts {
    /// The operand may be missing.
    pub const fn optional(self) -> OperandFacts {
        OperandFacts { kinds: self.kinds.or(OPTIONAL), ..self }
    }

    /// The operand may be of these kinds, too.
    pub const fn or(self, kinds: Kinds) -> OperandFacts {
        OperandFacts { kinds: self.kinds.or(kinds), ..self }
    }

    /// The operand has another access.
    pub const fn with(self, access: OperandAccess) -> OperandFacts {
        OperandFacts { access, ..self }
    }

    /// What the opcode has to know of the operand's type.
    pub const fn asks(self, asks: Asks) -> OperandFacts {
        OperandFacts { asks, ..self }
    }

    /// The opcode tests whether the operand is of some types.
    pub const fn tests(self, types: Types) -> OperandFacts {
        self.asks(Asks::OneOf(types))
    }
}
