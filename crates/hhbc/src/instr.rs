//! The decoded instruction and its immediates.

use crate::ids::*;
use crate::imm::{Imm, ImmKind, Immediate};

/// A double as its bits, so that instructions are `Eq` and NaN payloads survive.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct F64(pub u64);

impl F64 {
    /// Keeps the bits of `value`.
    pub fn new(value: f64) -> F64 {
        F64(value.to_bits())
    }

    /// The float with these bits.
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl std::fmt::Debug for F64 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.get())
    }
}

macro_rules! sub_ops {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident,)* })*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// All values in declaration order; a value's byte in the binary form is its position.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            pub fn name(self) -> &'static str {
                match self { $($name::$variant => stringify!($variant),)* }
            }
        }

        impl Immediate for $name {
            const KIND: ImmKind =
                ImmKind::SubOp { name: stringify!($name), values: &[$(stringify!($variant),)*] };

            fn to_imm(self) -> Imm {
                Imm::SubOp(self as u8)
            }

            fn from_imm(imm: Imm) -> Option<Self> {
                match imm {
                    Imm::SubOp(position) => Self::ALL.get(usize::from(position)).copied(),
                    _ => None,
                }
            }
        }
    )* };
}

sub_ops! {
    /// The operator of a compound assignment.
    SetOp { Add, Sub, Mul, Div, Mod, Pow, Concat, BitAnd, BitOr, BitXor, Shl, Shr, }
    IncDec { PreInc, PreDec, PostInc, PostDec, }
    SilenceOp { Start, End, }
    /// Which notice a by-reference use of a plain value raises.
    RefNotice {
        /// `$a = &f();`
        Assign,
        /// `return f();` in a function that returns by reference
        Return,
        /// `yield f();` in a generator that yields by reference
        Yield,
        /// `[&$a] = f();`
        Destructure,
    }
    HookKind { Get, Set, }
    /// What `IsType*` asks.
    TypeTest { Null, Bool, Int, Dbl, Str, Arr, Obj, Res, Scalar, Numeric, }
}

macro_rules! define_instr {
    ($($(#[$doc:meta])* $name:ident { $($imm:ident : $ty:ident),* } [$($pop:ident)*] => [$($push:ident)*], $flag:ident;)*) => {
        /// One instruction with its immediates; see [`crate::ops`] for what each does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Instr { $($(#[$doc])* $name { $($imm: $ty),* },)* }
    };
}

for_each_op!(define_instr);

const _: () = assert!(std::mem::size_of::<Instr>() <= 16, "the interpreter walks arrays of these");
