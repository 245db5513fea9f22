//! Conversions: to text, to integers, and the checks of argument types.

use crate::error::{self, Run, fail};
use crate::meta::Meta;
use crate::objects::Obj;
use crate::text::Text;
use crate::value::{ObjId, PropId, Value};
use crate::vm::Vm;

/// A kind and a number as text. The reference counts the byte that ends its format's result as part of the text.
fn numbered(kind: &str, number: impl std::fmt::Display) -> Text {
    Text::from(format!("{kind}#{number}\0"))
}

impl Vm {
    /// The text of a value, as concatenation and display want it.
    #[allow(clippy::wrong_self_convention)] // the program's conversion methods may change anything
    pub fn to_text(&mut self, value: Value) -> Run<Text> {
        if let Some(text) = self.heap.text(value) {
            return Ok(text.clone());
        }
        match value {
            Value::Int(number) => Ok(Text::from(number.to_string())),
            Value::Nil => Ok(Text::from("")),
            Value::True => Ok(Text::from("true")),
            Value::Obj(id) => self.object_to_text(id),
            Value::List(_) => self.sequence_to_text(value, Vm::to_text),
            _ => fail(error::NO_STR_CONV),
        }
    }

    fn object_to_text(&mut self, id: ObjId) -> Run<Text> {
        match self.heap.get(id) {
            Obj::List(_) | Obj::Vector(_) => self.sequence_to_text(Value::Obj(id), Vm::to_text),
            // Function objects count as vectors, whose functions have no text.
            Obj::AnonFn(items) => {
                let items = items.clone();
                let list = self.heap.new_list(items);
                self.sequence_to_text(list, Vm::to_text)
            }
            Obj::Big(number) => Ok(Text::from(number.display())),
            Obj::Buffer(chars) => Ok(Text::from(chars.iter().collect::<String>())),
            Obj::FileName(name) => Ok(Text::from(name.as_str())),
            Obj::Pattern(pattern) => {
                let source = pattern.source;
                self.want_text(source)
            }
            Obj::Bytes(bytes) => Ok(Text::from(bytes.iter().map(|byte| *byte as char).collect::<String>())),
            Obj::Date(_) => self.date_text(id),
            Obj::Zone(zone) => Ok(Text::from(zone.name.as_str())),
            _ => self.reflected_text(id),
        }
    }

    /// The text of an object that has none of its own: what its `objToString` gives, or its number.
    fn reflected_text(&mut self, id: ObjId) -> Run<Text> {
        if let Some(prop) = self.predef.prop("objToString")
            && self.find_prop(Value::Obj(id), prop).is_some()
        {
            let result = self.call_prop(Value::Obj(id), prop, &[])?;
            if let Some(text) = self.heap.text(result) {
                return Ok(text.clone());
            }
        }
        match self.symbol_text(Value::Obj(id))? {
            Some(symbol) => Ok(symbol),
            None => Ok(numbered("object", id)),
        }
    }

    /// Elements joined by commas, each as concatenation or as `toString` has it.
    fn sequence_to_text(&mut self, value: Value, element: fn(&mut Vm, Value) -> Run<Text>) -> Run<Text> {
        let items = self.heap.sequence(value).unwrap_or_default().to_vec();
        self.enter_native()?;
        let mut out = String::new();
        for (at, item) in items.into_iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            out.push_str(&element(self, item)?);
        }
        self.leave_native();
        Ok(Text::from(out))
    }

    /// The text of a value where every value has one: `nil`, numbers of properties and functions.
    pub fn display_text(&mut self, value: Value) -> Run<Text> {
        if let Some(symbol) = self.symbol_text(value)? {
            return Ok(symbol);
        }
        match value {
            Value::Nil => Ok(Text::from("nil")),
            Value::Prop(prop) => Ok(numbered("property", prop)),
            Value::Func(_) => Ok(numbered("function", format_args!("{:x}", self.heap.export(value).1))),
            Value::Enum(number) => Ok(numbered("enum", number)),
            Value::Builtin(set, index) => Ok(numbered("builtin", format_args!("{set}.{index}"))),
            Value::Obj(id) if matches!(self.heap.get(id), Obj::AnonFn(_)) => {
                let Obj::AnonFn(items) = self.heap.get(id) else { return fail(error::NO_STR_CONV) };
                let items = items.clone();
                let list = self.heap.new_list(items);
                self.sequence_to_text(list, Vm::display_text)
            }
            value if self.heap.sequence(value).is_some() => self.sequence_to_text(value, Vm::display_text),
            other => self.to_text(other),
        }
    }

    /// The text that displaying a value shows; what has no text of its own but is no object cannot be displayed.
    pub fn shown_text(&mut self, value: Value) -> Run<Text> {
        match value {
            Value::Int(_) | Value::Nil | Value::Obj(_) | Value::Str(_) | Value::List(_) => self.to_text(value),
            _ => fail(error::BAD_TYPE_BIF),
        }
    }

    /// The name that the program's reflection services, if it has them, know a value by.
    fn symbol_text(&mut self, value: Value) -> Run<Option<Text>> {
        let nameless = match value {
            Value::Prop(_) | Value::Func(_) | Value::Enum(_) | Value::Builtin(..) => true,
            Value::Obj(id) => !self.has_text(id) && !matches!(self.heap.get(id), Obj::AnonFn(_)),
            _ => false,
        };
        let services = self.predef.object("reflection.reflectionServices");
        let (Some(services), Some(prop)) = (services, self.predef.prop("reflection.valToSymbol")) else {
            return Ok(None);
        };
        if !nameless {
            return Ok(None);
        }
        let symbol = self.call_prop(Value::Obj(services), prop, &[value])?;
        Ok(self.heap.text(symbol).cloned())
    }

    /// Whether an object has a text of its own making.
    fn has_text(&mut self, id: ObjId) -> bool {
        match self.heap.get(id) {
            Obj::Tads(_) | Obj::Modifier(_) | Obj::Class(_) | Obj::AnonFn(_) | Obj::Dynamic(_) => {
                let prop = self.predef.prop("objToString");
                prop.is_some_and(|prop| self.find_prop(Value::Obj(id), prop).is_some())
            }
            _ => true,
        }
    }

    /// The integer that a value is or rounds to. Few intrinsics take BigNumbers for integers; the others use
    /// [`Vm::want_int`].
    #[inline]
    pub fn number_of(&self, value: Value) -> Run<i32> {
        match value {
            Value::Int(number) => Ok(number),
            other => self.big_to_int(other),
        }
    }

    /// The integer that a value is.
    #[inline]
    pub fn want_int(&self, value: Value) -> Run<i32> {
        match value {
            Value::Int(number) => Ok(number),
            _ => fail(error::INT_VAL_REQD),
        }
    }

    /// The string that a value is.
    #[inline]
    pub fn want_text(&self, value: Value) -> Run<Text> {
        self.heap.text(value).cloned().ok_or_else(|| error::error(error::STRING_VAL_REQD))
    }

    /// The string that an argument of an intrinsic is.
    #[inline]
    pub fn text_arg(&self, value: Value) -> Run<Text> {
        self.heap.text(value).cloned().ok_or_else(|| error::error(error::BAD_TYPE_BIF))
    }

    /// The function that an argument of an intrinsic is.
    pub fn function_arg(&self, value: Value) -> Run<Value> {
        let callable = match value {
            Value::Func(_) | Value::Builtin(..) => true,
            Value::Obj(id) => match self.heap.get(id) {
                Obj::AnonFn(items) => matches!(items.first(), Some(Value::Func(_))),
                Obj::Dynamic(_) => true,
                _ => false,
            },
            _ => false,
        };
        if callable { Ok(value) } else { fail(error::BAD_TYPE_BIF) }
    }

    /// The object that a value is.
    #[inline]
    pub fn want_object(&self, value: Value) -> Run<ObjId> {
        value.as_object().ok_or_else(|| error::error(error::OBJ_VAL_REQD))
    }

    /// The property that a value is.
    #[inline]
    pub fn want_prop(&self, value: Value) -> Run<PropId> {
        match value {
            Value::Prop(prop) => Ok(prop),
            _ => fail(error::PROPPTR_VAL_REQD),
        }
    }

    /// The type code that `dataType` shows.
    pub fn data_type(&self, value: Value) -> i32 {
        match value {
            Value::Obj(_) => match self.heap.meta_of(value) {
                Some(Meta::String) => 8,
                Some(Meta::List) => 10,
                _ => 5,
            },
            other => self.heap.export(other).0 as i32,
        }
    }
}
