//! The intrinsic classes: their names, versions and parents.

/// What is known of a class without its native methods.
pub struct MetaInfo {
    /// The name in images.
    pub name: &'static str,
    /// The name in the language.
    pub class_name: &'static str,
    /// The newest version that is supported.
    pub version: &'static str,
    /// The class it derives from.
    pub parent: Option<Meta>,
}

macro_rules! metaclasses {
    ($($meta:ident $name:literal $version:literal ($($parent:ident)?);)*) => {
        /// The intrinsic classes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Meta { $($meta,)* }

        impl Meta {
            /// All of them, in the table's order.
            pub const ALL: &[Meta] = &[$(Meta::$meta),*];

            /// The class with this name, given without its version.
            pub fn from_name(name: &str) -> Option<Meta> {
                match name { $($name => Some(Meta::$meta),)* _ => None }
            }
        }

        /// The table; indexed by [`Meta`].
        pub static INFO: &[MetaInfo] = &[$(MetaInfo {
            name: $name,
            class_name: stringify!($meta),
            version: $version,
            parent: metaclasses!(@parent $($parent)?),
        },)*];
    };
    (@parent) => { None };
    (@parent $parent:ident) => { Some(Meta::$parent) };
}

impl Meta {
    /// The class that this one counts as a kind of. Iterators have the methods of Iterator, but in the reference they are
    /// kinds of Object only, and so is what modifies an intrinsic class.
    pub fn kind_of(self) -> Option<Meta> {
        match self {
            Meta::IndexedIterator | Meta::LookupTableIterator | Meta::IntClassMod => Some(Meta::RootObject),
            other => INFO[other as usize].parent,
        }
    }
}

metaclasses! {
    RootObject "root-object" "030004" ();
    TadsObject "tads-object" "030005" (RootObject);
    IntClassMod "int-class-mod" "030000" (TadsObject);
    IntrinsicClass "intrinsic-class" "030001" (RootObject);
    Collection "collection" "030000" (RootObject);
    Iterator "iterator" "030001" (RootObject);
    IndexedIterator "indexed-iterator" "030000" (Iterator);
    String "string" "030008" (RootObject);
    List "list" "030008" (Collection);
    Vector "vector" "030005" (Collection);
    AnonFuncPtr "anon-func-ptr" "000000" (Vector);
    LookupTable "lookuptable" "030003" (Collection);
    WeakRefLookupTable "weakreflookuptable" "030001" (LookupTable);
    LookupTableIterator "lookuptable-iterator" "030000" (Iterator);
    Dictionary "dictionary2" "030001" (RootObject);
    GrammarProd "grammar-production" "030002" (RootObject);
    BigNumber "bignumber" "030001" (RootObject);
    ByteArray "bytearray" "030002" (RootObject);
    CharacterSet "character-set" "030001" (RootObject);
    RegexPattern "regex-pattern" "030000" (RootObject);
    StackFrameDesc "stack-frame-desc" "030000" (RootObject);
    StackFrameRef "stack-frame-ref" "030000" (RootObject);
    StringBuffer "stringbuffer" "030000" (RootObject);
    FileName "filename" "030000" (RootObject);
    File "file" "030003" (RootObject);
    TemporaryFile "tempfile" "030000" (RootObject);
    StringComparator "string-comparator" "030000" (RootObject);
    DynamicFunc "dynamic-func" "030000" (RootObject);
    Date "date" "030000" (RootObject);
    TimeZone "timezone" "030000" (RootObject);
}
