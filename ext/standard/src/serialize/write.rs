//! Values to the serialised format.

use super::{INCOMPLETE_CLASS, INCOMPLETE_NAME};
use phlox_runtime::class::{ObjExt, Purpose};
use phlox_runtime::settings::SERIALIZE_PRECISION;
use phlox_runtime::vm::Callee;
use phlox_runtime::{
    ByBytes, DataKey, Func, Key, PhpArr, PhpObj, PhpResult, PhpStr, StrBuilder, Thrown, Val, View, Vm, convert, enums,
    lazy, number,
};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The serialised form of a value.
pub fn serialize_value(vm: &Vm, value: &Val) -> PhpResult<Vec<u8>> {
    let shared = vm.keyed(&SHARED);
    let inherited = shared.0.borrow_mut().take();
    let nested = inherited.is_some();
    let numbers = inherited.unwrap_or_default();
    let precision = vm.ini.get(&SERIALIZE_PRECISION);
    let mut writer = Writer { vm, out: Vec::with_capacity(256), precision, numbers, depth: 0 };
    let result = writer.value(value);
    if nested {
        drop(shared.0.replace(Some(writer.numbers)));
    }
    result.map(|()| writer.out)
}

/// The serialised forms of several values with common numbers: an object that is in several is written once.
pub fn serialize_each(vm: &Vm, mut value_at: impl FnMut(usize) -> Option<Val>) -> PhpResult<Vec<Vec<u8>>> {
    let precision = vm.ini.get(&SERIALIZE_PRECISION);
    let mut writer = Writer { vm, out: Vec::new(), precision, numbers: Numbers::default(), depth: 0 };
    let mut texts = Vec::new();
    while let Some(value) = value_at(texts.len()) {
        writer.value(&value)?;
        texts.push(std::mem::take(&mut writer.out));
    }
    Ok(texts)
}

/// The serialised form of a value without objects and references, which needs no numbers. `None`: it has some, or is nested
/// deeply.
pub fn serialize_plain(vm: &Vm, value: &Val) -> Option<PhpStr> {
    let mut out = StrBuilder::new();
    write_plain(&mut out, value, vm.ini.get(&SERIALIZE_PRECISION), PLAIN_DEPTH_MAX)?;
    Some(out.finish())
}

const PLAIN_DEPTH_MAX: u32 = 100;

fn write_number(out: &mut StrBuilder, before: &[u8], number: i64, after: &[u8]) {
    out.extend_from_slice(before);
    out.extend_from_slice(convert::int_digits(number, &mut [0; 20]));
    out.extend_from_slice(after);
}

fn write_text(out: &mut StrBuilder, text: &[u8]) {
    write_number(out, b"s:", text.len() as i64, b":\"");
    out.extend_from_slice(text);
    out.extend_from_slice(b"\";");
}

fn write_plain(out: &mut StrBuilder, value: &Val, precision: i64, depth: u32) -> Option<()> {
    match value.view() {
        View::Null => out.extend_from_slice(b"N;"),
        View::Bool(bool) => out.extend_from_slice(if bool { b"b:1;" } else { b"b:0;" }),
        View::Int(int) => write_number(out, b"i:", int, b";"),
        View::Double(double) => {
            out.extend_from_slice(b"d:");
            out.extend_from_slice(&number::double_to_string(double, precision));
            out.push(b';');
        }
        View::Str(string) => write_text(out, string),
        View::Arr(array) if depth > 0 => {
            write_number(out, b"a:", array.len() as i64, b":{");
            for (key, value) in array {
                match key {
                    Key::Int(int) => write_number(out, b"i:", int, b";"),
                    Key::Str(name) => write_text(out, name),
                }
                write_plain(out, value, precision, depth - 1)?;
            }
            out.push(b'}');
        }
        _ => return None,
    }
    Some(())
}

const DEPTH_MAX: u32 = 10_000;

/// The numbers that back references use.
#[derive(Default)]
struct Numbers {
    /// Values written so far.
    count: i64,
    /// Objects and references by address; -1: the object failed to serialise and stands for null.
    seen: HashMap<usize, i64>,
    /// Values that are kept alive so that their addresses are not used again meanwhile.
    kept: Vec<Val>,
}

/// The numbers of a call that runs `Serializable::serialize`, for calls inside it.
#[derive(Default)]
struct Shared(RefCell<Option<Numbers>>);

static SHARED: DataKey<Shared> = DataKey::new();

struct Writer<'a> {
    vm: &'a Vm,
    out: Vec<u8>,
    precision: i64,
    numbers: Numbers,
    depth: u32,
}

impl Writer<'_> {
    #[inline(always)]
    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// A letter with a number between punctuation.
    #[inline(always)]
    fn numbered(&mut self, before: &str, number: i64, after: &str) {
        self.text(before);
        self.out.extend_from_slice(convert::int_digits(number, &mut [0; 20]));
        self.text(after);
    }

    fn string(&mut self, bytes: &[u8]) {
        self.numbered("s:", bytes.len() as i64, ":\"");
        self.out.extend_from_slice(bytes);
        self.text("\";");
    }

    /// Numbers the value; gives the number of an earlier occurrence.
    fn number(&mut self, value: &Val) -> Option<i64> {
        self.numbers.count += 1;
        if !value.is_ref() && value.as_obj().is_none() {
            return None;
        }
        let reference = value.as_ref();
        let inner = reference.map(|r| r.get());
        // A reference to an object is numbered as the object is.
        let object = value.as_obj().or_else(|| inner.as_ref().and_then(Val::as_obj));
        let address = object.map(|o| o.address()).or_else(|| reference.map(|r| r.id()))?;
        match self.numbers.seen.get(&address) {
            Some(&earlier) => {
                if reference.is_some() && earlier != -1 {
                    self.numbers.count -= 1;
                }
                Some(earlier)
            }
            None => {
                self.numbers.seen.insert(address, self.numbers.count);
                self.numbers.kept.push(value.clone());
                None
            }
        }
    }

    fn value(&mut self, value: &Val) -> PhpResult<()> {
        // A reference that nobody shares is a plain value.
        if let Some(reference) = value.as_ref().filter(|r| r.refcount() == 1) {
            return self.value(&reference.get());
        }
        if let Some(earlier) = self.number(value) {
            let text = match earlier {
                -1 => "N;".to_owned(),
                number if value.is_ref() => format!("R:{number};"),
                number => format!("r:{number};"),
            };
            self.text(&text);
            return Ok(());
        }
        if self.depth > DEPTH_MAX {
            return Err(self.vm.throw_error(b"Maximum call stack size reached. Infinite recursion?"));
        }
        self.depth += 1;
        let result = match value.as_ref() {
            Some(reference) => self.plain(&reference.get()),
            None => self.plain(value),
        };
        self.depth -= 1;
        result
    }

    fn plain(&mut self, value: &Val) -> PhpResult<()> {
        match value.view() {
            View::Undef | View::Null => self.text("N;"),
            View::Bool(b) => self.text(if b { "b:1;" } else { "b:0;" }),
            View::Int(i) => self.numbered("i:", i, ";"),
            View::Double(d) => {
                let digits = number::double_to_string(d, self.precision);
                self.out.extend_from_slice(&[b"d:", &digits[..], b";"].concat());
            }
            View::Str(s) => self.string(s),
            View::Arr(array) => {
                self.numbered("a:", array.len() as i64, ":{");
                return self.elements(array, Some(array));
            }
            View::Obj(object) => return self.object(object),
            View::Res(_) | View::Ref(_) | View::Class(_) => self.text("i:0;"),
        }
        Ok(())
    }

    /// Keys and values up to the closing brace. An array directly inside itself becomes null.
    fn elements(&mut self, table: &PhpArr, within: Option<&PhpArr>) -> PhpResult<()> {
        for (key, value) in table.iter() {
            match key {
                Key::Int(i) => self.numbered("i:", i, ";"),
                Key::Str(s) => self.string(s),
            }
            let recursive = within.is_some_and(|outer| value.as_arr().is_some_and(|inner| inner.ptr_eq(outer)));
            if recursive {
                self.numbers.count += 1;
                self.text("N;");
            } else {
                self.value(value)?;
            }
        }
        self.text("}");
        Ok(())
    }

    /// `O:8:"stdClass":`
    fn class_name(&mut self, kind: char, name: &[u8]) {
        self.text(&format!("{kind}:{}:\"", name.len()));
        self.out.extend_from_slice(name);
        self.text("\":");
    }

    fn object(&mut self, object: &PhpObj) -> PhpResult<()> {
        let class = object.class();
        let name = &class.name;
        if class.native.no_serialize || class.is_anonymous() {
            let name = convert::printable_name(name);
            let text = [b"Serialization of '", name, b"' is not allowed"].concat();
            return Err(self.vm.throw(Thrown::Exception, &text));
        }
        if class.is_enum() {
            let case = enums::case_name(object);
            self.text(&format!("E:{}:\"", name.len() + 1 + case.len()));
            self.out.extend_from_slice(&[&name[..], b":", &case, b"\";"].concat());
            return Ok(());
        }
        let method = |name: &[u8]| class.methods.get(&ByBytes(name)).cloned();
        if let Some(func) = method(b"__serialize") {
            return self.by_magic(object, func);
        }
        let serializable = self.vm.find_class_no_autoload(b"serializable");
        if serializable.is_some_and(|interface| object.is_a(&interface))
            && let Some(func) = method(b"serialize")
        {
            return self.by_interface(object, func);
        }
        if let Some(func) = method(b"__sleep") {
            return self.by_sleep(object, func);
        }
        let table = match class.native.properties {
            Some(hook) => hook(self.vm, object, Purpose::Serialize)?,
            None => None,
        };
        let mut table = match table {
            Some(table) => table,
            None => convert::object_properties(&lazy::real_for_serialization(self.vm, object)?),
        };
        let incomplete = name.as_bytes() == INCOMPLETE_CLASS;
        let lost_name = if incomplete { table.remove(Key::Str(&PhpStr::new(INCOMPLETE_NAME))) } else { None };
        let shown = lost_name.and_then(Val::into_str).unwrap_or_else(|| name.clone());
        self.class_name('O', &shown);
        self.text(&format!("{}:{{", table.len()));
        self.elements(&table, None)
    }

    fn call(&self, object: &PhpObj, func: Rc<Func>) -> PhpResult<Val> {
        Ok(self.vm.call(&Callee::method(func, object.clone()), Vec::new())?.into_deref())
    }

    fn by_magic(&mut self, object: &PhpObj, func: Rc<Func>) -> PhpResult<()> {
        let result = self.call(object, func)?;
        let Some(table) = result.as_arr() else {
            let text = [convert::printable_name(object.class_name()), b"::__serialize() must return an array"].concat();
            return Err(self.vm.throw_type_error(&text));
        };
        self.class_name('O', object.class_name());
        self.text(&format!("{}:{{", table.len()));
        self.numbers.kept.push(result.clone());
        self.elements(table, None)
    }

    fn by_interface(&mut self, object: &PhpObj, func: Rc<Func>) -> PhpResult<()> {
        let shared = self.vm.keyed(&SHARED);
        drop(shared.0.replace(Some(std::mem::take(&mut self.numbers))));
        let result = self.call(object, func);
        if let Some(numbers) = shared.0.borrow_mut().take() {
            self.numbers = numbers;
        }
        let result = result?;
        match result.view() {
            View::Str(data) => {
                self.class_name('C', object.class_name());
                self.text(&format!("{}:{{", data.len()));
                self.out.extend_from_slice(data);
                self.text("}");
                Ok(())
            }
            View::Null | View::Undef => {
                self.numbers.seen.insert(object.address(), -1);
                self.text("N;");
                Ok(())
            }
            _ => {
                let name = convert::printable_name(object.class_name());
                let text = [name, b"::serialize() must return a string or NULL"].concat();
                Err(self.vm.throw(Thrown::Exception, &text))
            }
        }
    }

    fn warning(&self, parts: &[&[u8]]) -> PhpResult<()> {
        self.vm.warning(&[&[&b"serialize(): "[..]], parts].concat().concat())
    }

    fn by_sleep(&mut self, object: &PhpObj, func: Rc<Func>) -> PhpResult<()> {
        let result = self.call(object, func)?;
        let name = object.class_name().clone();
        let Some(names) = result.as_arr() else {
            self.warning(&[
                &name,
                b"::__sleep() should return an array only containing the names of instance-variables to serialize",
            ])?;
            self.text("N;");
            return Ok(());
        };
        let properties = convert::object_properties(&lazy::real_for_serialization(self.vm, object)?);
        let mut chosen = PhpArr::new();
        for value in names.values() {
            let value = value.deref();
            if value.as_str().is_none() {
                self.warning(&[
                    &name,
                    b"::__sleep() should return an array only containing the names of instance-variables to serialize",
                ])?;
            }
            let wanted = convert::to_str(self.vm, &value)?;
            let mangled =
                [wanted.clone(), PhpStr::concat(&[b"\0", &name, b"\0", &wanted]), PhpStr::concat(&[b"\0*\0", &wanted])];
            match mangled.iter().find_map(|key| Some((key, properties.get(Key::Str(key))?))) {
                Some((key, _)) if chosen.contains(Key::Str(key)) => {
                    self.warning(&[b"\"", &wanted, b"\" is returned from __sleep() multiple times"])?;
                }
                Some((key, value)) => drop(chosen.insert(Key::Str(key), value.clone())),
                None if self.is_uninitialized(object, &mangled) => {}
                None => {
                    let problem = b"\" returned as member variable from __sleep() but does not exist";
                    self.warning(&[b"\"", &wanted, problem])?;
                }
            }
        }
        self.class_name('O', &name);
        self.text(&format!("{}:{{", chosen.len()));
        self.elements(&chosen, None)
    }

    /// Is one of the mangled names a typed property without a value?
    fn is_uninitialized(&self, object: &PhpObj, mangled: &[PhpStr]) -> bool {
        let declared = object.class().slots.iter().filter(|info| info.ty.is_some());
        declared.map(|info| convert::mangled_name(info)).any(|name| mangled.contains(&name))
    }
}
