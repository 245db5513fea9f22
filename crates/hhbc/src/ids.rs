//! Index types of a unit's tables and of a function's own tables.

macro_rules! define_ids {
    ($($(#[$doc:meta])* $name:ident($repr:ty) = $prefix:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub $repr);

        impl $name {
            /// Position in the table that the id belongs to.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    )* };
}

define_ids! {
    /// A local variable of a function; parameters come first, then named, then unnamed locals.
    LocalId(u32) = "l";
    /// An iterator variable of a function.
    IterId(u16) = "it";
    /// A literal string of the unit (the litstr table).
    StrId(u32) = "s";
    /// A scalar array of the unit.
    ArrayId(u32) = "a";
    /// A type constraint of the unit.
    TypeId(u32) = "t";
    /// A function of the unit, methods and initialiser thunks included.
    FuncId(u32) = "f";
    /// A class of the unit.
    ClassId(u32) = "c";
    /// A member vector of the function.
    VectorId(u32) = "v";
    /// A switch table of the function (`Switch` or `SSwitch`).
    SwitchId(u32) = "w";
    /// A branch target: the index of an instruction in the function's code.
    /// In the binary form it is an offset in bytes from the start of the branching instruction.
    Target(u32) = "L";
}
