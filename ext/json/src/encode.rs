//! Values as JSON text.

use crate::error::JsonError;
use crate::*;
use phlox_runtime::props::Access;
use phlox_runtime::settings::SERIALIZE_PRECISION;
use phlox_runtime::{
    Key, ObjExt, PhpArr, PhpObj, PhpStr, StrBuilder, View, Vm, class::Purpose, convert, enums, iteration, number, props,
};

/// Bytes that no flag escapes.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0x20;
    while byte < 0x80 {
        plain[byte] = !matches!(byte as u8, b'"' | b'\\' | b'/' | b'<' | b'>' | b'&' | b'\'');
        byte += 1;
    }
    plain
};

struct Encoder<'a> {
    vm: &'a Vm,
    flags: i64,
    max_depth: i64,
    depth: i64,
    text: StrBuilder,
    error: Option<JsonError>,
    /// A value or its nesting could not be encoded. This ends the encoding unless partial output is wanted.
    failed: bool,
    /// Objects are not encoded: encoding ends with an error at the first one.
    plain: bool,
}

/// The text and the last error. Values that cannot be encoded are `null` or 0 in the text.
pub fn encode(vm: &Vm, value: &Val, flags: i64, max_depth: i64) -> PhpResult<(StrBuilder, Option<JsonError>)> {
    let text = StrBuilder::new();
    let mut encoder = Encoder { vm, flags, max_depth, depth: 0, text, error: None, failed: false, plain: false };
    encoder.value(value)?;
    Ok((encoder.text, encoder.error))
}

/// The text of a value without objects. `None`: it has some, or there is an error.
pub fn encode_plain(vm: &Vm, value: &Val, flags: i64, max_depth: i64) -> Option<Val> {
    let text = StrBuilder::new();
    let mut encoder = Encoder { vm, flags, max_depth, depth: 0, text, error: None, failed: false, plain: true };
    encoder.value(value).ok()?;
    if encoder.error.is_some() { None } else { Some(encoder.text.finish().into()) }
}

impl Encoder<'_> {
    fn has(&self, flag: i64) -> bool {
        self.flags & flag != 0
    }

    #[inline]
    fn push(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
    }

    /// Did an error end the encoding (partial output goes on)?
    fn stopped(&self) -> bool {
        self.failed && !self.has(PARTIAL_OUTPUT_ON_ERROR)
    }

    fn fail(&mut self, error: JsonError, instead: &[u8]) {
        self.error = Some(error);
        self.failed = true;
        if self.has(PARTIAL_OUTPUT_ON_ERROR) {
            self.push(instead);
        }
    }

    fn value(&mut self, value: &Val) -> PhpResult<()> {
        match value.view() {
            View::Undef | View::Null => self.push(b"null"),
            View::Bool(b) => self.push(if b { b"true" } else { b"false" }),
            View::Arr(_) | View::Obj(_) if self.vm.native_stack_is_low() => return Err(self.vm.native_stack_error()),
            View::Int(i) => self.int(i),
            View::Double(d) if d.is_finite() => self.double(d),
            View::Double(_) => {
                self.error = Some(JsonError::InfOrNan);
                self.push(b"0");
            }
            View::Str(text) => self.string(text),
            View::Arr(array) => self.array(array)?,
            View::Obj(_) if self.plain => self.fail(JsonError::UnsupportedType, b""),
            View::Obj(object) => self.object(object)?,
            View::Ref(reference) => self.value(&reference.get())?,
            View::Res(_) | View::Class(_) => self.fail(JsonError::UnsupportedType, b"null"),
        }
        Ok(())
    }

    /// Enters an object; false when it is being encoded already. `var_dump` and others may look at it meanwhile.
    fn enter(&self, object: &PhpObj) -> bool {
        let state = crate::error::State::of(self.vm);
        let mut active = state.active.borrow_mut();
        let fresh = !active.contains(&object.address());
        if fresh {
            active.push(object.address());
        }
        fresh
    }

    fn leave_object(&self, object: &PhpObj) {
        crate::error::State::of(self.vm).active.borrow_mut().retain(|&address| address != object.address());
    }

    fn int(&mut self, value: i64) {
        self.text.extend_from_slice(convert::int_digits(value, &mut [0; 20]));
    }

    fn double(&mut self, value: f64) {
        let precision = self.vm.ini.get(&SERIALIZE_PRECISION);
        let text = number::general_format(value, precision, b'.', b'e');
        self.push(&text);
        if self.has(PRESERVE_ZERO_FRACTION) && !text.iter().any(|b| matches!(b, b'.' | b'e')) {
            self.push(b".0");
        }
    }

    fn new_line(&mut self) {
        if self.has(PRETTY_PRINT) {
            self.push(b"\n");
            for _ in 0..self.depth {
                self.push(b"    ");
            }
        }
    }

    /// Leaves a level; too deep a nesting is an error that shows only here.
    fn leave(&mut self) {
        self.depth -= 1;
        if self.depth >= self.max_depth {
            self.error = Some(JsonError::Depth);
            self.failed = true;
        }
    }

    /// Empty brackets, which count as a level nevertheless.
    fn empty(&mut self, brackets: &[u8]) {
        self.depth += 1;
        self.leave();
        if !self.stopped() {
            self.push(brackets);
        }
    }

    fn array(&mut self, array: &PhpArr) -> PhpResult<()> {
        let is_list = !self.has(FORCE_OBJECT) && array.is_list();
        if array.is_empty() {
            self.empty(if is_list { b"[]" } else { b"{}" });
            return Ok(());
        }
        if !array.protect() {
            self.fail(JsonError::Recursion, b"null");
            return Ok(());
        }
        let result = self.elements(array, is_list);
        array.unprotect();
        result
    }

    fn elements(&mut self, array: &PhpArr, is_list: bool) -> PhpResult<()> {
        self.push(if is_list { b"[" } else { b"{" });
        self.depth += 1;
        for (index, (key, value)) in array.iter().enumerate() {
            if index > 0 {
                self.text.push(b',');
            }
            self.new_line();
            if !is_list {
                self.key(key);
            }
            if !self.member(value)? {
                return Ok(());
            }
        }
        self.close(if is_list { b"]" } else { b"}" });
        Ok(())
    }

    /// Encodes an element; false if it ends the encoding. An error in its key, which was written before, does not.
    fn member(&mut self, value: &Val) -> PhpResult<bool> {
        self.failed = false;
        self.value(value)?;
        Ok(!self.stopped())
    }

    fn close(&mut self, bracket: &[u8]) {
        self.leave();
        if self.stopped() {
            return;
        }
        self.new_line();
        self.push(bracket);
    }

    fn key(&mut self, key: Key<'_>) {
        match key {
            Key::Int(i) => {
                self.text.push(b'"');
                self.int(i);
                self.text.push(b'"');
            }
            // A numeric name stays a string, and one that is no UTF-8 is an empty one.
            Key::Str(name) => self.quoted(name, b"\"\""),
        }
        self.push(if self.has(PRETTY_PRINT) { b": " } else { b":" });
    }

    fn object(&mut self, object: &PhpObj) -> PhpResult<()> {
        let vm = self.vm;
        let class = object.class();
        let serializable = vm.find_class_no_autoload(b"jsonserializable").is_some_and(|i| object.is_a(&i));
        if serializable {
            return self.serializable(object);
        }
        if class.is_enum() {
            match enums::case_value(object) {
                Some(value) => self.value(&value)?,
                None => {
                    self.error = Some(JsonError::NonBackedEnum);
                    self.failed = true;
                    self.push(b"0");
                }
            }
            return Ok(());
        }
        if !self.enter(object) {
            self.fail(JsonError::Recursion, b"null");
            return Ok(());
        }
        let result = self.properties(object);
        self.leave_object(object);
        result
    }

    fn serializable(&mut self, object: &PhpObj) -> PhpResult<()> {
        if !self.enter(object) {
            self.fail(JsonError::Recursion, b"null");
            return Ok(());
        }
        let value = self.vm.call_method(object, b"jsonserialize", Vec::new());
        let result = match value {
            Ok(value) => match value.deref().view() {
                View::Obj(same) if same.ptr_eq(object) => self.properties(object),
                // The object counts as being encoded until the value is written, so that its recurrence inside is an
                // error.
                _ => self.value(&value),
            },
            Err(throw) => Err(throw),
        };
        self.leave_object(object);
        result
    }

    /// The public properties.
    fn properties(&mut self, object: &PhpObj) -> PhpResult<()> {
        let vm = self.vm;
        let hook = object.class().native.properties;
        if let Some(mut table) = hook.map(|hook| hook(vm, object, Purpose::Json)).transpose()?.flatten() {
            // The table may be that of another object's properties, private ones included.
            let is_hidden = |key: &Key<'_>| matches!(key, Key::Str(name) if name.first() == Some(&0));
            if table.keys().any(|key| is_hidden(&key)) {
                let mut shown = PhpArr::new();
                for (key, value) in table.iter().filter(|(key, _)| !is_hidden(key)) {
                    shown.insert(key, value.clone());
                }
                table = shown;
            }
            if table.is_empty() {
                self.empty(b"{}");
                return Ok(());
            }
            return self.elements(&table, false);
        }
        let object = &phlox_runtime::lazy::real(vm, object)?;
        let mut names = iteration::visible_properties(vm, object, None);
        // Names that begin with a NUL byte, as mangled names do, are always left out.
        names.retain(|name| name.first() != Some(&0));
        if names.is_empty() {
            self.empty(b"{}");
            return Ok(());
        }
        self.push(b"{");
        self.depth += 1;
        let access = Access { scope: None, strict: false };
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                self.push(b",");
            }
            self.new_line();
            self.key(Key::Str(name));
            // Values that a class keeps natively are in the table by now and are not read again.
            let listed = object.class().native.own_properties.and_then(|_| object.dynamic());
            let listed = listed.and_then(|table| table.get(Key::from_str(name)).map(Val::deref));
            // A property with a set hook only may be uninitialised.
            let mode = match props::find(object.class(), name, None) {
                props::Found::Declared(info) if info.has_hooks() && info.get_hook.is_none() => props::ReadMode::Quiet,
                _ => props::ReadMode::Warn,
            };
            let value = match listed {
                Some(value) => value,
                None => props::read(vm, object, name, access, mode)?,
            };
            if !self.member(&value)? {
                return Ok(());
            }
        }
        self.close(b"}");
        Ok(())
    }

    fn string(&mut self, text: &PhpStr) {
        if self.has(NUMERIC_CHECK) {
            match number::numeric(text) {
                Some(number::Number::Int(i)) => return self.int(i),
                Some(number::Number::Double(d)) if d.is_finite() => return self.double(d),
                _ => {}
            }
        }
        self.quoted(text, b"null");
    }

    /// Writes a string; `malformed` is written for one that is no UTF-8.
    fn quoted(&mut self, text: &PhpStr, malformed: &[u8]) {
        let start = self.text.len();
        self.text.push(b'"');
        let mut at = 0;
        while at < text.len() {
            let plain = text[at..].iter().take_while(|&&byte| PLAIN[byte as usize]).count();
            self.text.extend_from_slice(&text[at..at + plain]);
            at += plain;
            let Some(&byte) = text.get(at) else { break };
            if byte < 0x80 {
                self.ascii(byte);
                at += 1;
                continue;
            }
            match decode_utf8(&text[at..]) {
                Some((code, length)) => {
                    self.unicode(code, &text[at..at + length]);
                    at += length;
                }
                None if self.has(INVALID_UTF8_IGNORE) => at += malformed_length(&text[at..]),
                None if self.has(INVALID_UTF8_SUBSTITUTE) => {
                    self.unicode(0xfffd, "\u{fffd}".as_bytes());
                    at += malformed_length(&text[at..]);
                }
                None => {
                    self.text.truncate(start);
                    self.fail(JsonError::Utf8, malformed);
                    return;
                }
            }
        }
        self.text.push(b'"');
    }

    fn ascii(&mut self, byte: u8) {
        let escaped: &[u8] = match byte {
            b'"' if self.has(HEX_QUOT) => b"\\u0022",
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            b'/' if !self.has(UNESCAPED_SLASHES) => b"\\/",
            0x08 => b"\\b",
            0x0c => b"\\f",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            b'<' if self.has(HEX_TAG) => b"\\u003C",
            b'>' if self.has(HEX_TAG) => b"\\u003E",
            b'&' if self.has(HEX_AMP) => b"\\u0026",
            b'\'' if self.has(HEX_APOS) => b"\\u0027",
            0..=0x1f => return self.push(format!("\\u{byte:04x}").as_bytes()),
            _ => return self.text.push(byte),
        };
        self.push(escaped);
    }

    fn unicode(&mut self, code: u32, bytes: &[u8]) {
        // U+2028 and U+2029 end lines in JavaScript.
        let line_end = matches!(code, 0x2028 | 0x2029) && !self.has(UNESCAPED_LINE_TERMINATORS);
        if self.has(UNESCAPED_UNICODE) && !line_end {
            return self.push(bytes);
        }
        let mut units = [0; 2];
        let character = char::from_u32(code).unwrap_or('\u{fffd}');
        for unit in character.encode_utf16(&mut units) {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            let digit = |shift: u32| DIGITS[usize::from(*unit >> shift & 15)];
            self.text.extend_from_slice(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]);
        }
    }
}

/// The first character of a text that starts with a non-ASCII byte: its code and length.
pub fn decode_utf8(text: &[u8]) -> Option<(u32, usize)> {
    let length = match text[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let character = std::str::from_utf8(text.get(..length)?).ok()?.chars().next()?;
    Some((character as u32, length))
}

/// How many bytes a malformed sequence has: up to the byte that could start a character again.
fn malformed_length(text: &[u8]) -> usize {
    let wanted = match text[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return 1,
    };
    let leads = |byte: &u8| matches!(byte, 0..=0x7f | 0xc2..=0xf4);
    let end = text.len().min(wanted);
    text[1..end].iter().position(leads).map_or(end, |at| at + 1)
}
