//! The parts of a row of the instruction table. The rows are in `table/`.

use crate::types::{ArrKind, Bits};

pub use crate::table::Op;

/// An immediate of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imm {
    /// The type parameter. Each of the other immediates takes one of three words.
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
    /// A number.
    Count,
    /// A literal of the unit.
    Lit,
    /// An [`ArrKind`].
    Kind,
    /// An iterator, by number.
    Iter,
    /// An operator; the instruction's documentation says which.
    SubOp,
    /// An inline cache, counter or table that the client chooses.
    Site,
    /// A builtin function, by a number that the client chooses.
    Builtin,
    /// A frame of the unit.
    Frame,
    /// A flag; the instruction's documentation says which.
    Flag,
}

/// The rule for the type of an instruction's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dst {
    /// No result.
    ND,
    /// This type.
    D(Bits),
    /// An array of a layout.
    DArr(ArrKind),
    /// The type of a source, which is an array, with the layout that the immediate names.
    DRefineArr(u8),
    /// The type of a source.
    DofS(u8),
    /// The type of a source, refined by the type parameter.
    DRefineS(u8),
    /// The type parameter, of which only these bits may be set.
    DParam(Bits),
    /// The type of a source without these bits.
    DSubtract(u8, Bits),
    /// The union of two sources' types.
    DUnion(u8, u8),
    /// The type of the elements of a source, which is an array, or null.
    DArrElem(u8),
    /// A pointer into one of these kinds of memory, to a cell that holds the type parameter.
    DParamPtr(Bits),
    /// An object of the class that a source is, if that class is known.
    DAllocObj(u8),
    /// The class of the object that a source is.
    DLoadCls(u8),
}

/// A source of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Src {
    /// The type that the source must have.
    pub bits: Bits,
    /// How many sources the row stands for.
    pub kind: SrcKind,
}

/// How many sources a row of sources stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SrcKind {
    /// One source.
    One,
    /// One source, which is a constant.
    Const,
    /// Any number of sources; only as the last row.
    Many,
}

/// One source of these types.
pub const fn s(bits: Bits) -> Src {
    Src { bits, kind: SrcKind::One }
}

/// One constant source of these types.
pub const fn c(bits: Bits) -> Src {
    Src { bits, kind: SrcKind::Const }
}

/// Any number of sources of these types.
pub const fn many(bits: Bits) -> Src {
    Src { bits, kind: SrcKind::Many }
}

/// Flags of an instruction; the names are the specification's.
pub type Flags = u16;

pub const NF: Flags = 0;
/// May raise an error: has an edge to a catch block or an exit.
pub const ER: Flags = 1;
/// Produces a value with a reference that must be consumed.
pub const PRC: Flags = 1 << 1;
/// Consumes a reference of some of its sources; [`Op::consumes`] says of which.
pub const CRC: Flags = 1 << 2;
/// Ends its block: no instruction follows.
pub const T: Flags = 1 << 3;
/// Has an edge that may be taken.
pub const B: Flags = 1 << 4;
/// The result is the first source, with a better known type.
pub const P: Flags = 1 << 5;
/// May change the base of a member operation, by a property.
pub const MPROP: Flags = 1 << 6;
/// May change the base of a member operation, by an element.
pub const MELEM: Flags = 1 << 7;
/// Must not run earlier than it stands, because other instructions have checked its operands.
pub const PINNED: Flags = 1 << 8;

/// The names of the flags.
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

/// A set of alias classes, that is, of kinds of memory.
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
/// What a frame, closure or generator contains besides its variables.
pub const CTXT: Alias = 1 << 9;
/// The state of the engine: interrupts, output, the error level, tables of functions and classes.
pub const VM: Alias = 1 << 10;

/// All memory of counted values and statics.
pub const HEAP: Alias = PROP | ELEM | REF | STATIC | HDR | RC;
/// All kinds of memory.
pub const ALL: Alias = FRAME | STK | HEAP | ITER | CTXT | VM;

/// The names of the alias classes.
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

/// The memory that an instruction reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effects {
    /// The alias classes that are read.
    pub reads: Alias,
    /// The alias classes that are written.
    pub writes: Alias,
}

/// No memory: the result depends on the operands alone.
pub const PURE: Effects = Effects { reads: 0, writes: 0 };
/// May run PHP code. That code changes locals of the frames on the stack only through references, which are `REF`.
pub const USER: Effects = Effects { reads: ALL, writes: HEAP | VM };
/// A runtime function that works on the heap and runs no PHP code.
pub const HELPER: Effects = Effects { reads: HEAP, writes: HDR | RC };

/// Effects that only read.
pub const fn r(reads: Alias) -> Effects {
    Effects { reads, writes: 0 }
}

/// Effects that only write.
pub const fn w(writes: Alias) -> Effects {
    Effects { reads: 0, writes }
}

/// Effects that read and write.
pub const fn rw(reads: Alias, writes: Alias) -> Effects {
    Effects { reads, writes }
}

/// A row of the instruction table.
#[derive(Clone, Copy, Debug)]
pub struct OpInfo {
    /// The name of the instruction.
    pub name: &'static str,
    /// The immediates.
    pub imms: &'static [Imm],
    /// The rule for the result's type.
    pub dst: Dst,
    /// The sources.
    pub srcs: &'static [Src],
    /// The flags.
    pub flags: Flags,
    /// The memory that is read and written.
    pub effects: Effects,
    /// The lines of the documentation; empty if the documentation of the row before applies.
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

            /// The operation's row in the table.
            #[inline]
            pub fn info(self) -> &'static OpInfo {
                &TABLE[self as usize]
            }
        }
    };
}
pub(crate) use instructions;

impl Op {
    /// The operation's name.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The operation with a name.
    pub fn from_name(name: &str) -> Option<Op> {
        Op::ALL.iter().copied().find(|op| op.name() == name)
    }

    /// Whether one of the flags is set.
    #[inline]
    pub fn has(self, flags: Flags) -> bool {
        self.info().flags & flags != 0
    }

    /// Whether the operation ends its block.
    #[inline]
    pub fn is_terminal(self) -> bool {
        self.has(T)
    }

    /// Whether the operation has a result.
    #[inline]
    pub fn has_dst(self) -> bool {
        self.info().dst != Dst::ND
    }

    /// Whether the operation takes a type parameter.
    #[inline]
    pub fn is_typed(self) -> bool {
        self.info().imms.first() == Some(&Imm::T)
    }

    /// Whether equal operands make an equal result, and nothing else happens: no memory is touched, no reference taken, and the
    /// block goes on. Guards are pure: what has been checked need not be checked again.
    #[inline]
    pub fn is_pure(self) -> bool {
        let info = self.info();
        info.effects == PURE && info.flags & (ER | PRC | CRC | T) == 0
    }

    /// Whether an instruction whose result is not used can be removed.
    #[inline]
    pub fn is_removable(self) -> bool {
        let info = self.info();
        info.effects.writes & !(HDR | RC) == 0
            && (info.effects.writes == 0 || info.flags & PRC != 0)
            && info.flags & (ER | CRC | T | B) == 0
            && info.dst != Dst::ND
    }

    /// The sources of which a reference is consumed, as a set of positions; the last bit stands for all positions from there on.
    pub fn consumes(self) -> u32 {
        crate::table::consumed(self)
    }
}
