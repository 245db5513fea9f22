//! Values: eight bytes, copied freely. Strings, lists and code from the image are numbers into the constant tables;
//! everything made at run time is an object in the heap.

/// The number of an object; 0 is none.
pub type ObjId = u32;
/// The number of a property; 0 is none.
pub type PropId = u16;
/// No object.
pub const NO_OBJECT: ObjId = 0;
/// No property.
pub const NO_PROP: PropId = 0;

/// A value of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u32)]
pub enum Value {
    /// nil
    #[default]
    Nil,
    /// true
    True,
    /// A 32-bit integer.
    Int(i32),
    /// An object.
    Obj(ObjId),
    /// A property pointer.
    Prop(PropId),
    /// A constant string: index into the string table.
    Str(u32),
    /// A self-printing string: index into the string table.
    DStr(u32),
    /// A constant list: index into the list table.
    List(u32),
    /// A method (a property's value): index into the function table.
    Code(u32),
    /// A function pointer: index into the function table.
    Func(u32),
    /// An enumerator.
    Enum(u32),
    /// A pointer to a built-in function: set and index.
    Builtin(u16, u16),
    /// An object to be invoked or displayed when the property is evaluated.
    ObjX(ObjId),
    /// A built-in function to be called when the property is evaluated.
    BuiltinX(u16, u16),
    /// A method of a metaclass, as `propType` and `getMethod` see it.
    Native,
    /// A slot without a value: a free table entry, a property undone.
    Empty,
}

impl Value {
    /// true or nil.
    pub fn truth(flag: bool) -> Value {
        if flag { Value::True } else { Value::Nil }
    }

    /// An object, or nil for none.
    pub fn object(id: ObjId) -> Value {
        if id == NO_OBJECT { Value::Nil } else { Value::Obj(id) }
    }

    /// Whether conditional branches take it for false: nil and 0.
    pub fn is_false(self) -> bool {
        matches!(self, Value::Nil | Value::Int(0))
    }

    /// Whether nothing but the very same value equals it.
    #[inline]
    pub fn is_unique(self) -> bool {
        !matches!(self, Value::Int(_) | Value::Obj(_) | Value::Str(_) | Value::List(_))
    }

    /// The object's number.
    pub fn as_object(self) -> Option<ObjId> {
        match self {
            Value::Obj(id) => Some(id),
            _ => None,
        }
    }
}
