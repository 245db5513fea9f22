//! Oplines and the tables beside them.

use crate::live::LiveSets;
use crate::ops::OpCode;
use phlox_hhbc::{ArrayId, F64, LocalId, StrId};

/// Cells that the header of a frame, and so of a pending call, occupies.
pub const HEADER_CELLS: u32 = 5;

/// Cells that an iterator occupies.
pub const ITER_CELLS: u32 = 2;

/// An operand: where an opline finds or puts a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Operand {
    #[default]
    None,
    Local(LocalId),
    /// A temporary by its number, which counts cells after the iterators.
    Tmp(u32),
    Lit(u32),
    This,
}

/// A literal of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    Undef,
    Null,
    False,
    True,
    Int(i64),
    Double(F64),
    Str(StrId),
    EmptyArray,
    Array(ArrayId),
}

/// One opline, before an interpreter gives it a handler and byte offsets.
#[derive(Clone, Copy, Debug)]
pub struct Opline {
    pub op: OpCode,
    pub a: Operand,
    pub b: Operand,
    pub c: Operand,
    /// Operator, count, parameter, path or table; see [`crate::facts::Number`].
    pub n: u32,
    /// Index of the opline that this one may go to, or [`NO_TARGET`].
    pub target: u32,
    /// Number of the opline's inline cache, or [`NO_SITE`].
    pub site: u32,
    /// Position of the HHBC instruction that the opline stands for.
    pub pc: u32,
    /// The temporaries that are full when the opline throws: index into [`Lowered::live`].
    pub live: u32,
}

/// Declares the meanings of an opline's number, with names for printing.
macro_rules! numbered {
    ($($(#[doc = $doc:literal])* $name:ident { $($(#[doc = $variant_doc:literal])* $variant:ident = $text:literal,)* })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub enum $name { $($(#[doc = $variant_doc])* $variant,)* }

        impl $name {
            /// All of the values, in the order of their numbers.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The name that dumps print.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    )*};
}

numbered! {
    /// By what the class of a static member is named, in `n`.
    ClassBy {
        /// By the class literal.
        Name = "named",
        SelfClass = "self",
        Parent = "parent",
        Static = "static",
    }
    /// A comparison, in `n`.
    Comparison {
        Same = "Same",
        NSame = "NSame",
        Eq = "Eq",
        Neq = "Neq",
        Lt = "Lt",
        Lte = "Lte",
        Gt = "Gt",
        Gte = "Gte",
        Cmp = "Cmp",
    }
    /// A unary operator, in `n`.
    Unary {
        Not = "Not",
        CastBool = "CastBool",
        CastInt = "CastInt",
        CastDouble = "CastDouble",
        CastString = "CastString",
        BitNot = "BitNot",
    }
}

impl ClassBy {
    /// The bits of `n` that the value takes.
    pub const MASK: u32 = 3;

    /// The value in the low bits of `n`.
    pub fn of(n: u32) -> ClassBy {
        ClassBy::ALL[(n & ClassBy::MASK) as usize]
    }
}

/// In `n` of InitStatic: the late static binding class is forwarded.
pub const FORWARDS: u32 = 4;

/// In `n` of GetStatic, beside [`ClassBy`]: a missing property gives null.
pub const QUIET: u32 = 4;

/// In `n` of Switch, beside the number of the table: values of other types than the cases go to the next opline.
pub const FALLS_THROUGH: u32 = 1 << 31;

/// The target of an opline that does not jump.
pub const NO_TARGET: u32 = u32::MAX;
/// The site of an opline without an inline cache.
pub const NO_SITE: u32 = u32::MAX;

/// A step of a member path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStep {
    Elem(Operand),
    /// A property by literal name, with the number of its inline cache.
    Prop(StrId, u32),
    New,
    /// A static property by literal name, of a class that `by` tells and, for [`ClassBy::Name`], a literal names; with the number
    /// of its inline cache. It is the first step of a path without a base.
    Static {
        name: StrId,
        class: Option<StrId>,
        by: ClassBy,
        site: u32,
    },
}

/// A member path: a place that is reached through elements and properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub base: Operand,
    pub steps: Vec<PathStep>,
}

/// In `n` of [`OpCode::JmpByValue`]: all parameters.
pub const ANY_PARAMETER: u32 = u32::MAX;

/// A call with named arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedCall {
    /// Number of arguments in place.
    pub args: u32,
    /// Positions and names of the named arguments, in the order of the call.
    pub names: Vec<(u32, StrId)>,
}

/// A function's oplines and the tables that belong to them.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    pub ops: Vec<Opline>,
    pub literals: Vec<Literal>,
    pub paths: Vec<Path>,
    /// The calls that oplines `CallNamed` make, by their `n`.
    pub named_calls: Vec<NamedCall>,
    pub live: LiveSets,
    /// Number of temporaries, headers of pending calls included.
    pub tmps: u32,
    /// Number of inline caches.
    pub sites: u32,
    /// First opline of each HHBC instruction that control can enter at; others have [`NO_TARGET`].
    pub entries: Vec<u32>,
}
