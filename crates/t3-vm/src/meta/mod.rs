//! The intrinsic classes: one table for all, one module each for what they do.
//!
//! A row of [`INFO`] has the class's name and version, its parent, how its objects come out of an image, how `new`
//! makes them, and its methods in the order of the image's property lists.

pub(crate) mod bignum;
pub(crate) mod bytearray;
pub(crate) mod calendar;
pub(crate) mod charset;
pub(crate) mod comparator;
pub(crate) mod date;
pub(crate) mod date_format;
pub(crate) mod date_parse;
pub(crate) mod dictionary;
pub(crate) mod digest;
pub(crate) mod dynamic;
pub(crate) mod file;
pub(crate) mod filename;
pub(crate) mod frame;
pub(crate) mod grammar;
pub(crate) mod grammar_parse;
pub(crate) mod iter;
pub(crate) mod list;
pub(crate) mod lookup;
pub(crate) mod pattern;
pub(crate) mod root;
pub(crate) mod seq;
pub(crate) mod strbuf;
pub(crate) mod string;
pub(crate) mod string_find;
pub(crate) mod string_html;
pub(crate) mod tads;
pub(crate) mod vector;
pub(crate) mod zone;
mod zone_rules;

use crate::call::Args;
use crate::error::Run;
use crate::load::{Load, Loader, load_class, load_list, load_tads, load_text, load_vector};
use crate::objects::Obj;
use crate::value::Value;
use crate::vm::Vm;

/// The most arguments a method can take.
pub(crate) const ANY: u8 = 255;

/// A native method.
pub(crate) struct Method {
    /// Its name in the language, for listings.
    pub name: &'static str,
    /// Least number of arguments.
    pub min: u8,
    /// Largest number of arguments.
    pub max: u8,
    /// Whether it is called on the class itself.
    pub is_static: bool,
    /// What it does.
    pub run: fn(&mut Vm, Args) -> Run<Value>,
}

/// A row of the table.
pub(crate) struct MetaInfo {
    /// The name in images.
    pub name: &'static str,
    /// The name in the language.
    pub class_name: &'static str,
    /// The newest version that is supported.
    pub version: &'static str,
    /// The class it derives from.
    pub parent: Option<Meta>,
    /// Reads an object of an image.
    pub load: Option<fn(&mut Loader<'_>, Meta) -> Load<Obj>>,
    /// `new`.
    pub create: Option<fn(&mut Vm, Args) -> Run<Value>>,
    /// The methods.
    pub methods: &'static [Method],
}

/// Method tables: `name min max => function, ...;` with `static` before the name of a method of the class itself.
macro_rules! methods {
    ($($name:ident $min:literal $max:tt => $run:path,)*) => {
        &[$($crate::meta::Method {
            name: stringify!($name),
            min: $min,
            max: $crate::meta::methods!(@max $max),
            is_static: $crate::meta::STATIC.contains_name(stringify!($name)),
            run: $run,
        },)*]
    };
    (@max any) => { $crate::meta::ANY };
    (@max $max:literal) => { $max };
}
pub(crate) use methods;

/// Names of the methods that belong to a class itself.
pub(crate) struct StaticNames(&'static [&'static str]);

/// The methods that are called on a class: to make objects, or about nothing in particular.
pub(crate) const STATIC: StaticNames = StaticNames(&[
    "generate",
    "packBytes",
    "createInstance",
    "createTransientInstance",
    "createInstanceOf",
    "createTransientInstanceOf",
    "getPi",
    "getE",
    "openTextFile",
    "openDataFile",
    "openRawFile",
    "openTextResource",
    "openRawResource",
    "getRootName",
    "deleteFile",
    "fromUniversal",
    "getRootDirs",
    "parseDate",
    "parseJulianDate",
    "setLocaleInfo",
    "getNames",
]);

impl StaticNames {
    /// Whether a name is among them, at compile time.
    pub(crate) const fn contains_name(&self, name: &str) -> bool {
        let mut at = 0;
        while at < self.0.len() {
            if same(self.0[at].as_bytes(), name.as_bytes()) {
                return true;
            }
            at += 1;
        }
        false
    }
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

macro_rules! metaclasses {
    ($($meta:ident $name:literal $version:literal ($($parent:ident)?) load $load:expr, new $create:expr, $methods:expr;)*) => {
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
        pub(crate) static INFO: &[MetaInfo] = &[$(MetaInfo {
            name: $name,
            class_name: stringify!($meta),
            version: $version,
            parent: metaclasses!(@parent $($parent)?),
            load: $load,
            create: $create,
            methods: $methods,
        },)*];
    };
    (@parent) => { None };
    (@parent $parent:ident) => { Some(Meta::$parent) };
}

metaclasses! {
    RootObject "root-object" "030004" () load None, new None, root::METHODS;
    TadsObject "tads-object" "030005" (RootObject) load Some(load_tads), new None, tads::METHODS;
    IntClassMod "int-class-mod" "030000" (TadsObject) load Some(load_tads), new None, &[];
    IntrinsicClass "intrinsic-class" "030001" (RootObject) load Some(load_class), new None, root::CLASS_METHODS;
    Collection "collection" "030000" (RootObject) load None, new None, iter::COLLECTION_METHODS;
    Iterator "iterator" "030001" (RootObject) load None, new None, iter::METHODS;
    IndexedIterator "indexed-iterator" "030000" (Iterator) load None, new None, &[];
    String "string" "030008" (RootObject) load Some(load_text), new Some(string::create), string::METHODS;
    List "list" "030008" (Collection) load Some(load_list), new Some(list::create), list::METHODS;
    Vector "vector" "030005" (Collection) load Some(load_vector), new Some(vector::create), vector::METHODS;
    AnonFuncPtr "anon-func-ptr" "000000" (Vector) load Some(load_vector), new Some(vector::create_function), &[];
    LookupTable "lookuptable" "030003" (Collection) load Some(lookup::load), new Some(lookup::create), lookup::METHODS;
    WeakRefLookupTable "weakreflookuptable" "030001" (LookupTable) load Some(lookup::load), new Some(lookup::create_weak), &[];
    LookupTableIterator "lookuptable-iterator" "030000" (Iterator) load None, new None, &[];
    Dictionary "dictionary2" "030001" (RootObject) load Some(dictionary::load), new Some(dictionary::create), dictionary::METHODS;
    GrammarProd "grammar-production" "030002" (RootObject) load Some(grammar::load), new Some(grammar::create), grammar::METHODS;
    BigNumber "bignumber" "030001" (RootObject) load Some(bignum::load), new Some(bignum::create), bignum::METHODS;
    ByteArray "bytearray" "030002" (RootObject) load Some(bytearray::load), new Some(bytearray::create), bytearray::METHODS;
    CharacterSet "character-set" "030001" (RootObject) load Some(charset::load), new Some(charset::create), charset::METHODS;
    RegexPattern "regex-pattern" "030000" (RootObject) load Some(pattern::load), new Some(pattern::create), pattern::METHODS;
    StackFrameDesc "stack-frame-desc" "030000" (RootObject) load None, new None, frame::METHODS;
    StackFrameRef "stack-frame-ref" "030000" (RootObject) load None, new None, &[];
    StringBuffer "stringbuffer" "030000" (RootObject) load Some(strbuf::load), new Some(strbuf::create), strbuf::METHODS;
    FileName "filename" "030000" (RootObject) load Some(filename::load), new Some(filename::create), filename::METHODS;
    File "file" "030003" (RootObject) load None, new None, file::METHODS;
    TemporaryFile "tempfile" "030000" (RootObject) load None, new Some(filename::create_temporary), filename::TEMPORARY_METHODS;
    StringComparator "string-comparator" "030000" (RootObject) load Some(comparator::load), new Some(comparator::create), comparator::METHODS;
    DynamicFunc "dynamic-func" "030000" (RootObject) load None, new Some(dynamic::create), dynamic::METHODS;
    Date "date" "030000" (RootObject) load None, new Some(date::create), date::METHODS;
    TimeZone "timezone" "030000" (RootObject) load None, new Some(zone::create), zone::METHODS;
}
