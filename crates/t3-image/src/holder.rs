//! Data holders: the five-byte form in which an image stores a value.

/// A value as the image stores it: a type code and four bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DataHolder {
    /// The type code; see [`Kind`].
    pub kind: u8,
    /// The value's four bytes, read as UINT4 whatever the type's own width.
    pub raw: u32,
}

macro_rules! kinds {
    ($($name:ident = $code:literal, $text:literal;)*) => {
        /// The types of values that a data holder can name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Kind { $($name = $code,)* }

        impl Kind {
            /// Every type, in the order of the codes.
            pub const ALL: &[Kind] = &[$(Kind::$name),*];

            /// The type with this code.
            pub fn from_code(code: u8) -> Option<Kind> {
                match code { $($code => Some(Kind::$name),)* _ => None }
            }

            /// The word for it in assembly and listings.
            pub fn word(self) -> &'static str {
                match self { $(Kind::$name => $text,)* }
            }
        }
    };
}

kinds! {
    Nil = 1, "nil";
    True = 2, "true";
    Stack = 3, "stack";
    CodePtr = 4, "codeptr";
    Object = 5, "object";
    Property = 6, "prop";
    Int = 7, "int";
    String = 8, "string";
    DoubleString = 9, "dstring";
    List = 10, "list";
    Code = 11, "code";
    Function = 12, "function";
    Empty = 13, "empty";
    Native = 14, "native";
    Enum = 15, "enum";
    Builtin = 16, "builtin";
    ObjectX = 17, "objectx";
    BuiltinX = 18, "builtinx";
}

impl DataHolder {
    /// A holder of the given type.
    pub fn new(kind: Kind, raw: u32) -> DataHolder {
        DataHolder { kind: kind as u8, raw }
    }
}
