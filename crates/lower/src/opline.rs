//! Oplines and the tables beside them.

use crate::live::LiveSets;
use crate::ops::OpCode;
use phlox_hhbc::{ArrayId, F64, LocalId, StrId};

/// Cells that the header of a frame, and so of a pending call, occupies.
pub const HEADER_CELLS: u32 = 5;

/// Cells that an iterator occupies.
pub const ITER_CELLS: u32 = 2;

/// Where an opline finds or puts a value.
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

/// One opline, before an interpreter lays it out.
#[derive(Clone, Copy, Debug)]
pub struct Opline {
    pub op: OpCode,
    pub a: Operand,
    pub b: Operand,
    pub c: Operand,
    /// Operator, count, parameter, path or table; see [`OpCode`].
    pub n: u32,
    /// Index of the opline that it may go to, or [`NO_TARGET`].
    pub target: u32,
    /// Its inline cache, or [`NO_SITE`].
    pub site: u32,
    /// The HHBC instruction it stands for.
    pub pc: u32,
    /// Which temporaries live on when it throws: index into [`Lowered::live`].
    pub live: u32,
}

impl Opline {
    /// Where its result goes, if it gives one.
    pub fn result(&self) -> Operand {
        match self.op {
            OpCode::GetPropNamed | OpCode::SetPropNamed => self.a,
            _ => self.c,
        }
    }
}

/// How the class of a static member is named, in `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ClassBy {
    /// By the class literal.
    Name,
    SelfClass,
    Parent,
    Static,
}

impl ClassBy {
    /// From the low bits of `n`.
    pub fn of(n: u32) -> ClassBy {
        match n & 3 {
            0 => ClassBy::Name,
            1 => ClassBy::SelfClass,
            2 => ClassBy::Parent,
            _ => ClassBy::Static,
        }
    }
}

/// In `n` of InitStatic: the late static binding class is forwarded.
pub const FORWARDS: u32 = 4;

/// In `n` of GetStatic, beside [`ClassBy`]: what is missing is null.
pub const QUIET: u32 = 4;

/// In `n` of Switch, beside the table.
pub const FALLS_THROUGH: u32 = 1 << 31;

/// A comparison, in `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Comparison {
    Same,
    NSame,
    Eq,
    Neq,
    Lt,
    Lte,
    Gt,
    Gte,
    Cmp,
}

impl Comparison {
    pub const ALL: [Comparison; 9] = [
        Comparison::Same,
        Comparison::NSame,
        Comparison::Eq,
        Comparison::Neq,
        Comparison::Lt,
        Comparison::Lte,
        Comparison::Gt,
        Comparison::Gte,
        Comparison::Cmp,
    ];
}

/// A unary operator, in `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Unary {
    Not,
    CastBool,
    CastInt,
    CastDouble,
    CastString,
    BitNot,
}

impl Unary {
    pub const ALL: [Unary; 6] =
        [Unary::Not, Unary::CastBool, Unary::CastInt, Unary::CastDouble, Unary::CastString, Unary::BitNot];
}

pub const NO_TARGET: u32 = u32::MAX;
pub const NO_SITE: u32 = u32::MAX;

/// A step of a member path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStep {
    Elem(Operand),
    /// Property by literal name, with its inline cache.
    Prop(StrId, u32),
    New,
    /// Static property by literal name, of a class that is named by `by` and, for a name, by a literal; its inline cache. Only
    /// the first step, of a path without a base.
    Static {
        name: StrId,
        class: Option<StrId>,
        by: ClassBy,
        site: u32,
    },
}

/// A place reached through elements and properties.
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
    /// Positions and names of those that are named, in the order in which they stand.
    pub names: Vec<(u32, StrId)>,
}

/// A function's oplines and what belongs to them.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    pub ops: Vec<Opline>,
    pub literals: Vec<Literal>,
    pub paths: Vec<Path>,
    /// What oplines `CallNamed` call, by their `n`.
    pub named_calls: Vec<NamedCall>,
    pub live: LiveSets,
    /// Temporaries, headers of pending calls included.
    pub tmps: u32,
    /// Inline caches.
    pub sites: u32,
    /// First opline of each HHBC instruction that control can enter at; others have [`NO_TARGET`].
    pub entries: Vec<u32>,
}
