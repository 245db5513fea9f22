//! What an instruction's row in the table consists of. The rows are in `table/`.

use crate::types::{ArrKind, Bits};

pub use crate::table::Op;

/// An immediate of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imm {
    /// The type parameter; every other immediate takes one of three words.
    T,
    /// A local, by number.
    Local,
    /// A temporary, by number.
    Tmp,
    /// A byte offset.
    Offset,
    /// A position in a hash table.
    Pos,
    /// An opline of the frame's function, by index.
    Opline,
    Count,
    /// A literal of the unit.
    Lit,
    /// An [`ArrKind`].
    Kind,
    /// An iterator, by number.
    Iter,
    /// An operator; see the row.
    SubOp,
    /// An inline cache, counter or table of the client's.
    Site,
    /// A builtin function of the client's table.
    Builtin,
    /// A frame of the unit.
    Frame,
    Flag,
}

/// The rule for the result's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dst {
    /// No result.
    ND,
    D(Bits),
    /// An array of a layout.
    DArr(ArrKind),
    /// The array that a source is, laid out as the immediate says.
    DRefineArr(u8),
    /// The type of a source.
    DofS(u8),
    /// The type of a source, refined by the type parameter.
    DRefineS(u8),
    /// The type parameter, which is one of these.
    DParam(Bits),
    /// The type of a source without some kinds.
    DSubtract(u8, Bits),
    /// The union of two sources' types.
    DUnion(u8, u8),
    /// What an element of the array that a source is may be, or null if it has none.
    DArrElem(u8),
    /// A pointer into one of these places, to a cell of the type parameter.
    DParamPtr(Bits),
    /// An object of the class that a source is, if that is known.
    DAllocObj(u8),
    /// The class of the object that a source is.
    DLoadCls(u8),
}

/// A source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Src {
    pub bits: Bits,
    pub kind: SrcKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SrcKind {
    One,
    /// A constant.
    Const,
    /// Any number of them; only the last source of a row.
    Many,
}

/// A source of these kinds.
pub const fn s(bits: Bits) -> Src {
    Src { bits, kind: SrcKind::One }
}

/// A constant of these kinds.
pub const fn c(bits: Bits) -> Src {
    Src { bits, kind: SrcKind::Const }
}

/// Any number of sources of these kinds.
pub const fn many(bits: Bits) -> Src {
    Src { bits, kind: SrcKind::Many }
}

/// Flags, with the specification's short names.
pub type Flags = u16;

pub const NF: Flags = 0;
/// May raise an error: has an edge to a catch block or an exit.
pub const ER: Flags = 1;
/// Produces a value with a reference that must be consumed.
pub const PRC: Flags = 1 << 1;
/// Consumes a reference of its sources; which, says [`Op::consumes`].
pub const CRC: Flags = 1 << 2;
/// Nothing comes after it.
pub const T: Flags = 1 << 3;
/// Has a taken edge.
pub const B: Flags = 1 << 4;
/// The result is a source, known better.
pub const P: Flags = 1 << 5;
/// May change its base, by properties.
pub const MPROP: Flags = 1 << 6;
/// May change its base, by elements.
pub const MELEM: Flags = 1 << 7;
/// Must not run earlier than it stands: its operands have been checked by other instructions.
pub const PINNED: Flags = 1 << 8;

pub const FLAG_NAMES: &[(&str, Flags)] = &[
    ("Er", ER),
    ("PRc", PRC),
    ("CRc", CRC),
    ("T", T),
    ("B", B),
    ("P", P),
    ("MProp", MPROP),
    ("MElem", MELEM),
    ("Pinned", PINNED),
];

/// A set of classes of memory.
pub type Alias = u16;

/// Locals of frames.
pub const FRAME: Alias = 1;
/// Temporaries of frames.
pub const STK: Alias = 1 << 1;
/// Properties of objects.
pub const PROP: Alias = 1 << 2;
/// Elements of arrays.
pub const ELEM: Alias = 1 << 3;
/// Cells inside references.
pub const REF: Alias = 1 << 4;
/// Globals, static properties and variables, constants.
pub const STATIC: Alias = 1 << 5;
/// Headers of arrays and strings: count, layout, length.
pub const HDR: Alias = 1 << 6;
/// Reference counts.
pub const RC: Alias = 1 << 7;
/// Iterators of frames.
pub const ITER: Alias = 1 << 8;
/// What is in a frame, closure or generator beside its variables.
pub const CTXT: Alias = 1 << 9;
/// The engine: interrupts, output, the error level, tables of functions and classes.
pub const VM: Alias = 1 << 10;

pub const HEAP: Alias = PROP | ELEM | REF | STATIC | HDR | RC;
/// Everything that can be read.
pub const ALL: Alias = FRAME | STK | HEAP | ITER | CTXT | VM;

pub const ALIAS_NAMES: &[(&str, Alias)] = &[
    ("frame", FRAME),
    ("stack", STK),
    ("properties", PROP),
    ("elements", ELEM),
    ("references", REF),
    ("statics", STATIC),
    ("headers", HDR),
    ("counts", RC),
    ("iterators", ITER),
    ("contexts", CTXT),
    ("engine", VM),
];

/// Which memory is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effects {
    pub reads: Alias,
    pub writes: Alias,
}

/// No memory at all: the result depends on the operands alone.
pub const PURE: Effects = Effects { reads: 0, writes: 0 };
/// May run PHP code. Locals of frames on the way are changed only through references, which are `REF`.
pub const USER: Effects = Effects { reads: ALL, writes: HEAP | VM };
/// A helper over the heap that runs no PHP code.
pub const HELPER: Effects = Effects { reads: HEAP, writes: HDR | RC };

pub const fn r(reads: Alias) -> Effects {
    Effects { reads, writes: 0 }
}

pub const fn w(writes: Alias) -> Effects {
    Effects { reads: 0, writes }
}

pub const fn rw(reads: Alias, writes: Alias) -> Effects {
    Effects { reads, writes }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct OpInfo {
    pub name: &'static str,
    pub imms: &'static [Imm],
    pub dst: Dst,
    pub srcs: &'static [Src],
    pub flags: Flags,
    pub effects: Effects,
    /// Empty: as the row before.
    pub doc: &'static [&'static str],
}

/// Declares the instructions: `Name [immediates] result [sources] flags, effects;`.
macro_rules! instructions {
    ($(
        $section:literal $title:literal {
            $($(#[doc = $doc:literal])* $name:ident [$($imm:ident),*] $dst:expr, [$($src:expr),*], $flags:expr,
                $effects:expr;)*
        }
    )*) => {
        /// An instruction's operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Op { $($($(#[doc = $doc])* $name,)*)* }

        static TABLE: &[OpInfo] = &[$($(OpInfo {
            name: stringify!($name),
            imms: &[$(Imm::$imm),*],
            dst: $dst,
            srcs: &[$($src),*],
            flags: $flags,
            effects: $effects,
            doc: &[$($doc),*],
        },)*)*];

        impl Op {
            /// All operations in table order.
            pub const ALL: &'static [Op] = &[$($(Op::$name,)*)*];

            /// The sections of the specification, with their operations.
            pub const SECTIONS: &'static [(u8, &'static str, &'static [Op])] =
                &[$(($section, $title, &[$(Op::$name),*]),)*];

            /// Its row.
            #[inline]
            pub fn info(self) -> &'static OpInfo {
                &TABLE[self as usize]
            }
        }
    };
}
pub(crate) use instructions;

impl Op {
    pub fn name(self) -> &'static str {
        self.info().name
    }

    pub fn from_name(name: &str) -> Option<Op> {
        Op::ALL.iter().copied().find(|op| op.name() == name)
    }

    #[inline]
    pub fn has(self, flags: Flags) -> bool {
        self.info().flags & flags != 0
    }

    #[inline]
    pub fn is_terminal(self) -> bool {
        self.has(T)
    }

    #[inline]
    pub fn has_dst(self) -> bool {
        self.info().dst != Dst::ND
    }

    /// Whether it takes a type parameter.
    #[inline]
    pub fn is_typed(self) -> bool {
        self.info().imms.first() == Some(&Imm::T)
    }

    /// Whether equal operands make an equal result and nothing else happens: no memory, no new references, no
    /// end. Guards count: what has been checked need not be checked again.
    #[inline]
    pub fn is_pure(self) -> bool {
        let info = self.info();
        info.effects == PURE && info.flags & (ER | PRC | CRC | T) == 0
    }

    /// Whether it does nothing but make its result.
    #[inline]
    pub fn is_removable(self) -> bool {
        let info = self.info();
        info.effects.writes & !(HDR | RC) == 0
            && (info.effects.writes == 0 || info.flags & PRC != 0)
            && info.flags & (ER | CRC | T | B) == 0
            && info.dst != Dst::ND
    }

    /// Which sources give up a reference, as a set of positions; the last bit stands for all from there on.
    pub fn consumes(self) -> u32 {
        crate::table::consumed(self)
    }
}
