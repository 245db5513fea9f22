//! Typed indices into the tables of a unit.

macro_rules! ids {
    ($($(#[doc = $doc:literal])* $name:ident $prefix:literal;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index.
            #[inline]
            pub fn at(self) -> usize {
                self.0 as usize
            }

            /// The id of an index.
            #[inline]
            pub fn new(at: usize) -> $name {
                debug_assert!(at < u32::MAX as usize);
                $name(at as u32)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    )*};
}

ids! {
    /// An SSA value: the result of an instruction, a block parameter or a constant.
    ValueId "v";
    /// An instruction.
    InstId "i";
    /// A basic block.
    BlockId "B";
    /// A snapshot: what a side exit writes back, and where the interpreter goes on.
    SnapId "S";
    /// A frame: the unit's own (number 0), or that of an inlined callee.
    FrameId "F";
    /// A literal string or array of the unit.
    LitId "lit";
}

macro_rules! handles {
    ($($(#[doc = $doc:literal])* $name:ident;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u64);
    )*};
}

handles! {
    /// A class, by a number or address that the client chooses; equal exactly if the classes are the same.
    ClassId;
    /// A function, by a number or address that the client chooses.
    FuncId;
}
