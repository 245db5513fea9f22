//! What an object can be: one variant per kind of contents, with those that are small enough to stand here.

pub mod date;
pub mod dictionary;
pub mod dynamic;
pub mod file;
pub mod frame;
pub mod grammar;
pub mod lookup;
pub mod pattern;

use std::rc::Rc;

use phlox_t3_library::bignum::BigNum;
use phlox_t3_library::charset::CharacterSet;
use phlox_t3_library::comparator::Comparator;
use phlox_t3_library::zone::Zone;

use crate::meta::Meta;
use crate::objects::date::Date;
use crate::objects::dictionary::Dictionary;
use crate::objects::dynamic::DynamicFunc;
use crate::objects::file::FileHandle;
use crate::objects::frame::{FrameDesc, FrameRef};
use crate::objects::grammar::Grammar;
use crate::objects::lookup::LookupTable;
use crate::objects::pattern::Pattern;
use crate::shape::{ShapeId, Shapes};
use crate::text::Text;
use crate::value::{ObjId, PropId, Value};

/// The contents of an object.
#[derive(Debug, Clone, Default)]
pub enum Obj {
    /// No object: a free number.
    #[default]
    Free,
    /// An object of the program.
    Tads(TadsObject),
    /// Methods that a program adds to an intrinsic class.
    Modifier(TadsObject),
    /// An intrinsic class.
    Class(Box<IntrinsicClass>),
    /// A string.
    Text(Text),
    /// A list.
    List(Rc<[Value]>),
    /// A vector.
    Vector(Vec<Value>),
    /// An anonymous function: its function pointer and contexts.
    AnonFn(Vec<Value>),
    /// A lookup table, strong or weak.
    Lookup(Box<LookupTable>),
    /// An iterator over a list or vector.
    Iter(Box<IndexedIterator>),
    /// An iterator over a lookup table.
    LookupIter(Box<LookupIterator>),
    /// A regular expression.
    Pattern(Box<Pattern>),
    /// Text that changes in place.
    Buffer(Vec<char>),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A decimal number.
    Big(Box<BigNum>),
    /// A character set.
    CharSet(Box<CharacterSet>),
    /// Rules for comparing words.
    Comparator(Box<Comparator>),
    /// A dictionary.
    Dictionary(Box<Dictionary>),
    /// A grammar production.
    Grammar(Box<Grammar>),
    /// An open file.
    File(FileHandle),
    /// A file's name.
    FileName(String),
    /// The name of a file that goes away with the object.
    TempFile(String),
    /// A moment in time.
    Date(Box<Date>),
    /// A time zone.
    Zone(Box<Zone>),
    /// A function compiled while the program runs.
    Dynamic(Box<DynamicFunc>),
    /// A frame of the stack, also after its end.
    FrameRef(Box<FrameRef>),
    /// A place that a frame has reached.
    FrameDesc(Box<FrameDesc>),
}

/// An object of the program: its shape and the values of its own properties.
#[derive(Debug, Clone, Default)]
pub struct TadsObject {
    /// Superclasses and names of the properties.
    pub shape: ShapeId,
    /// Values, in the shape's order.
    pub values: Vec<Value>,
    /// Whether it was declared as a class.
    pub is_class: bool,
}

impl TadsObject {
    /// The value of an own property.
    pub fn own(&self, shapes: &Shapes, prop: PropId) -> Option<Value> {
        let slot = shapes.get(self.shape).slot(prop)?;
        self.values.get(slot as usize).copied()
    }
}

/// The object that stands for an intrinsic class.
#[derive(Debug, Clone)]
pub struct IntrinsicClass {
    /// The class.
    pub meta: Option<Meta>,
    /// Row of the image's metaclass table.
    pub index: u16,
    /// The object with the program's additions, if any.
    pub modifier: ObjId,
    /// State that the class keeps as a whole.
    pub state: Value,
}

/// A position in a list or vector.
#[derive(Debug, Clone)]
pub struct IndexedIterator {
    /// What is walked.
    pub collection: Value,
    /// The index of the current element; before the first, `first - 1`.
    pub at: i32,
    /// First and last index.
    pub first: i32,
    /// Last index at creation.
    pub last: i32,
}

/// A position in a lookup table.
#[derive(Debug, Clone)]
pub struct LookupIterator {
    /// The table.
    pub table: ObjId,
    /// The current slot plus one; 0 before the first.
    pub at: usize,
}

impl Obj {
    /// The intrinsic class that it belongs to.
    pub fn meta(&self) -> Option<Meta> {
        Some(match self {
            Obj::Free => return None,
            Obj::Tads(_) => Meta::TadsObject,
            Obj::Modifier(_) => Meta::IntClassMod,
            Obj::Class(_) => Meta::IntrinsicClass,
            Obj::Text(_) => Meta::String,
            Obj::List(_) => Meta::List,
            Obj::Vector(_) => Meta::Vector,
            Obj::AnonFn(_) => Meta::AnonFuncPtr,
            Obj::Lookup(table) if table.weak => Meta::WeakRefLookupTable,
            Obj::Lookup(_) => Meta::LookupTable,
            Obj::Iter(_) => Meta::IndexedIterator,
            Obj::LookupIter(_) => Meta::LookupTableIterator,
            Obj::Pattern(_) => Meta::RegexPattern,
            Obj::Buffer(_) => Meta::StringBuffer,
            Obj::Bytes(_) => Meta::ByteArray,
            Obj::Big(_) => Meta::BigNumber,
            Obj::CharSet(_) => Meta::CharacterSet,
            Obj::Comparator(_) => Meta::StringComparator,
            Obj::Dictionary(_) => Meta::Dictionary,
            Obj::Grammar(_) => Meta::GrammarProd,
            Obj::File(_) => Meta::File,
            Obj::FileName(_) => Meta::FileName,
            Obj::TempFile(_) => Meta::TemporaryFile,
            Obj::Date(_) => Meta::Date,
            Obj::Zone(_) => Meta::TimeZone,
            Obj::Dynamic(_) => Meta::DynamicFunc,
            Obj::FrameRef(_) => Meta::StackFrameRef,
            Obj::FrameDesc(_) => Meta::StackFrameDesc,
        })
    }

    /// Calls `visit` with every object that this one keeps alive.
    pub fn references(&self, mut visit: impl FnMut(ObjId)) {
        let mut value = |value: Value| {
            if let Value::Obj(id) | Value::ObjX(id) = value {
                visit(id);
            }
        };
        match self {
            Obj::Pattern(pattern) => value(pattern.source),
            Obj::Dictionary(dictionary) => value(Value::object(dictionary.comparator)),
            Obj::Grammar(grammar) => grammar.references(&mut value),
            Obj::Dynamic(function) => {
                value(function.source);
                function.literals.iter().for_each(|item| value(*item));
            }
            Obj::FrameRef(frame) => frame.values(&mut value),
            Obj::FrameDesc(desc) => value(Value::object(desc.frame)),
            Obj::Free
            | Obj::Text(_)
            | Obj::Buffer(_)
            | Obj::Bytes(_)
            | Obj::Big(_)
            | Obj::CharSet(_)
            | Obj::Comparator(_)
            | Obj::File(_)
            | Obj::FileName(_)
            | Obj::TempFile(_)
            | Obj::Date(_)
            | Obj::Zone(_) => {}
            Obj::Tads(object) | Obj::Modifier(object) => object.values.iter().for_each(|item| value(*item)),
            Obj::Class(class) => {
                value(Value::object(class.modifier));
                value(class.state);
            }
            Obj::List(items) => items.iter().for_each(|item| value(*item)),
            Obj::Vector(items) | Obj::AnonFn(items) => items.iter().for_each(|item| value(*item)),
            Obj::Lookup(table) => table.references(&mut value),
            Obj::Iter(iter) => value(iter.collection),
            Obj::LookupIter(iter) => value(Value::object(iter.table)),
        }
    }
}
