//! Immediate operands seen uniformly: what the encoder, the assembler and the verifier walk.

use crate::ids::*;
use crate::instr::F64;
use std::fmt;

/// An immediate operand, whatever its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imm {
    Count(u32),
    Int(i64),
    Double(F64),
    Str(StrId),
    Array(ArrayId),
    Type(TypeId),
    Local(LocalId),
    Iter(IterId),
    Func(FuncId),
    Class(ClassId),
    Vector(VectorId),
    Switch(SwitchId),
    Target(Target),
    /// A sub-operation by its position in [`ImmKind::SubOp`].
    SubOp(u8),
}

impl fmt::Display for Imm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Imm::Count(value) => write!(f, "{value}"),
            Imm::Int(value) => write!(f, "{value}"),
            Imm::Double(value) => write!(f, "{value:?}"),
            Imm::Str(id) => write!(f, "{id:?}"),
            Imm::Array(id) => write!(f, "{id:?}"),
            Imm::Type(id) => write!(f, "{id:?}"),
            Imm::Local(id) => write!(f, "{id:?}"),
            Imm::Iter(id) => write!(f, "{id:?}"),
            Imm::Func(id) => write!(f, "{id:?}"),
            Imm::Class(id) => write!(f, "{id:?}"),
            Imm::Vector(id) => write!(f, "{id:?}"),
            Imm::Switch(id) => write!(f, "{id:?}"),
            Imm::Target(target) => write!(f, "{target:?}"),
            Imm::SubOp(position) => write!(f, "{position}"),
        }
    }
}

/// The type of an immediate operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImmKind {
    Count,
    Int,
    Double,
    Str,
    Array,
    Type,
    Local,
    Iter,
    Func,
    Class,
    Vector,
    Switch,
    Target,
    /// One of a few named values.
    SubOp {
        name: &'static str,
        values: &'static [&'static str],
    },
}

impl ImmKind {
    /// How the documentation writes the type.
    pub fn name(self) -> &'static str {
        match self {
            ImmKind::Count => "count",
            ImmKind::Int => "int",
            ImmKind::Double => "double",
            ImmKind::Str => "litstr id",
            ImmKind::Array => "scalar array id",
            ImmKind::Type => "type id",
            ImmKind::Local => "local id",
            ImmKind::Iter => "iterator id",
            ImmKind::Func => "function id",
            ImmKind::Class => "class id",
            ImmKind::Vector => "member vector id",
            ImmKind::Switch => "switch table id",
            ImmKind::Target => "target",
            ImmKind::SubOp { name, .. } => name,
        }
    }
}

/// A Rust type that the instruction table uses for an immediate.
pub trait Immediate: Copy {
    const KIND: ImmKind;
    fn to_imm(self) -> Imm;
    /// `None` if the operand is of another kind or out of the type's range.
    fn from_imm(imm: Imm) -> Option<Self>;

    /// Replaces a branch target; leaves any other immediate alone.
    fn map_target(&mut self, map: &mut impl FnMut(Target) -> Target) {
        if let Imm::Target(target) = self.to_imm()
            && let Some(mapped) = Self::from_imm(Imm::Target(map(target)))
        {
            *self = mapped;
        }
    }
}

macro_rules! immediates {
    ($($ty:ty = $kind:ident;)*) => { $(
        impl Immediate for $ty {
            const KIND: ImmKind = ImmKind::$kind;

            fn to_imm(self) -> Imm {
                Imm::$kind(self)
            }

            fn from_imm(imm: Imm) -> Option<Self> {
                match imm {
                    Imm::$kind(value) => Some(value),
                    _ => None,
                }
            }
        }
    )* };
}

immediates! {
    u32 = Count;
    i64 = Int;
    F64 = Double;
    StrId = Str;
    ArrayId = Array;
    TypeId = Type;
    LocalId = Local;
    IterId = Iter;
    FuncId = Func;
    ClassId = Class;
    VectorId = Vector;
    SwitchId = Switch;
    Target = Target;
}
