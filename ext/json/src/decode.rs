//! JSON text as values: a recursive-descent parser with PHP's errors.

use crate::encode::decode_utf8;
use crate::error::JsonError;
use crate::*;
use phlox_runtime::{ArrKey, ClassRef, Key, PhpArr, PhpStr, StrBuilder, Vm};

/// Bytes of strings that stand for themselves.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0x20;
    while byte < 0x80 {
        plain[byte] = !matches!(byte as u8, b'"' | b'\\');
        byte += 1;
    }
    plain
};

struct Decoder<'a> {
    vm: &'a Vm,
    text: &'a [u8],
    at: usize,
    flags: i64,
    max_depth: usize,
    depth: usize,
    /// Symbols that PHP's parser would have on its stack.
    symbols: usize,
    /// Recent names of members, since many objects of a text usually have the same names.
    names: [Option<PhpStr>; NAMES],
    class: Option<ClassRef>,
}

const NAMES: usize = 64;

/// PHP's parser is a table with a stack of 10,000 symbols. Text that needs more is a syntax error to it, whatever depth
/// is allowed. A bracket with the mark of its level, the elements so far with their comma, and a name with its colon
/// take two symbols each.
const MOST_SYMBOLS: usize = 9997;
const OPENING: usize = 2;
const ELEMENTS: usize = 2;
const NAME: usize = 2;

/// Why parsing stopped: the text is wrong, or PHP code threw.
enum Stop {
    Json(JsonError),
    Throw(phlox_runtime::Throw),
}

impl From<JsonError> for Stop {
    fn from(error: JsonError) -> Stop {
        Stop::Json(error)
    }
}

type Parsed<T> = Result<T, Stop>;

/// Reads JSON text. The outer error is an exception, the inner one is what PHP reports by `json_last_error()`.
pub fn decode(vm: &Vm, text: &[u8], flags: i64, max_depth: usize) -> PhpResult<Result<Val, JsonError>> {
    let mut decoder = Decoder {
        vm,
        text,
        at: 0,
        flags,
        max_depth,
        depth: 0,
        symbols: 0,
        names: [const { None }; NAMES],
        class: None,
    };
    match decoder.document() {
        Ok(value) => Ok(Ok(value)),
        Err(Stop::Json(error)) => Ok(Err(error)),
        Err(Stop::Throw(throw)) => Err(throw),
    }
}

impl Decoder<'_> {
    fn document(&mut self) -> Parsed<Val> {
        let value = self.value()?;
        self.skip_space();
        if self.at < self.text.len() {
            return Err(self.unexpected());
        }
        Ok(value)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// The error about the byte at the current position.
    fn unexpected(&self) -> Stop {
        let error = match self.peek() {
            Some(0..=0x1f) => JsonError::ControlCharacter,
            Some(0x80..) if decode_utf8(&self.text[self.at..]).is_none() => JsonError::Utf8,
            _ => JsonError::Syntax,
        };
        Stop::Json(error)
    }

    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth >= self.max_depth {
            return Err(JsonError::Depth.into());
        }
        self.put_symbols(self.symbols + OPENING)
    }

    /// So many symbols are on the stack from here on.
    fn put_symbols(&mut self, count: usize) -> Parsed<()> {
        self.symbols = count;
        if count > MOST_SYMBOLS { Err(JsonError::Syntax.into()) } else { Ok(()) }
    }

    fn value(&mut self) -> Parsed<Val> {
        self.skip_space();
        match self.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            Some(b'"') => Ok(self.string()?.into()),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true", Val::TRUE),
            Some(b'f') => self.word(b"false", Val::FALSE),
            Some(b'n') => self.word(b"null", Val::NULL),
            _ => Err(self.unexpected()),
        }
    }

    fn word(&mut self, word: &[u8], value: Val) -> Parsed<Val> {
        if !self.text[self.at..].starts_with(word) {
            return Err(JsonError::Syntax.into());
        }
        self.at += word.len();
        Ok(value)
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> Parsed<Val> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else if self.digits() == 0 {
            return Err(self.unexpected());
        }
        let mut is_double = false;
        if self.peek() == Some(b'.') && self.text.get(self.at + 1).is_some_and(u8::is_ascii_digit) {
            is_double = true;
            self.at += 1;
            self.digits();
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            let mark = self.at;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.digits() == 0 {
                self.at = mark;
            } else {
                is_double = true;
            }
        }
        let digits = &self.text[start..self.at];
        if !is_double && digits.len() <= 18 {
            let (is_negative, digits) = digits.strip_prefix(b"-").map_or((false, digits), |digits| (true, digits));
            let value = digits.iter().fold(0, |value: i64, digit| value * 10 + i64::from(digit - b'0'));
            return Ok(Val::int(if is_negative { -value } else { value }));
        }
        let text = std::str::from_utf8(digits).unwrap_or("0");
        let as_double = || Val::double(text.parse().unwrap_or(0.0));
        if is_double {
            return Ok(as_double());
        }
        Ok(match text.parse::<i64>() {
            Ok(int) => Val::int(int),
            Err(_) if self.flags & BIGINT_AS_STRING != 0 => text.into(),
            Err(_) => as_double(),
        })
    }

    /// The unit of a `\uXXXX` escape, after its `\u`.
    fn hex_unit(&mut self) -> Parsed<u16> {
        let digits = self.text.get(self.at..self.at + 4).and_then(|digits| std::str::from_utf8(digits).ok());
        let valid = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = valid.and_then(|digits| u16::from_str_radix(digits, 16).ok()).ok_or(JsonError::Syntax)?;
        self.at += 4;
        Ok(unit)
    }

    fn unicode_escape(&mut self, result: &mut StrBuilder) -> Parsed<()> {
        let first = self.hex_unit()?;
        let code = match first {
            0xd800..=0xdbff => {
                let low = self.text.get(self.at..self.at + 2) == Some(b"\\u");
                if !low {
                    return Err(JsonError::Utf16.into());
                }
                self.at += 2;
                let second = self.hex_unit()?;
                if !(0xdc00..=0xdfff).contains(&second) {
                    return Err(JsonError::Utf16.into());
                }
                0x10000 + ((first as u32 - 0xd800) << 10) + (second as u32 - 0xdc00)
            }
            0xdc00..=0xdfff => return Err(JsonError::Utf16.into()),
            unit => unit as u32,
        };
        let mut buffer = [0; 4];
        let character = char::from_u32(code).ok_or(JsonError::Utf16)?;
        result.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
        Ok(())
    }

    /// The bytes from here on that stand for themselves, whatever the flags.
    fn plain_run(&self) -> &[u8] {
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|byte| PLAIN[**byte as usize]).count();
        &rest[..length]
    }

    fn string(&mut self) -> Parsed<PhpStr> {
        self.at += 1;
        let run = self.plain_run();
        if self.text.get(self.at + run.len()) == Some(&b'"') {
            let string = PhpStr::new(run);
            self.at += run.len() + 1;
            return Ok(string);
        }
        self.string_with_escapes()
    }

    /// The name of a member.
    fn name(&mut self) -> Parsed<PhpStr> {
        self.at += 1;
        let run = self.plain_run();
        if self.text.get(self.at + run.len()) != Some(&b'"') {
            return self.string_with_escapes();
        }
        let place = match run {
            [first, .., last] => (run.len() * 7 + usize::from(*first) * 3 + usize::from(*last)) % NAMES,
            _ => 0,
        };
        let name = match &self.names[place] {
            Some(known) if known.as_bytes() == run => known.clone(),
            _ => PhpStr::new(run),
        };
        self.at += run.len() + 1;
        self.names[place] = Some(name.clone());
        Ok(name)
    }

    /// A string behind its quote.
    fn string_with_escapes(&mut self) -> Parsed<PhpStr> {
        let mut result = StrBuilder::new();
        loop {
            let run = self.plain_run();
            let length = run.len();
            result.extend_from_slice(run);
            self.at += length;
            let Some(byte) = self.peek() else { return Err(JsonError::ControlCharacter.into()) };
            match byte {
                b'"' => {
                    self.at += 1;
                    return Ok(result.finish());
                }
                b'\\' => {
                    self.at += 1;
                    let escape = self.peek();
                    self.at += 1;
                    match escape {
                        Some(b'u') => self.unicode_escape(&mut result)?,
                        Some(b'b') => result.push(0x08),
                        Some(b'f') => result.push(0x0c),
                        Some(b'n') => result.push(b'\n'),
                        Some(b'r') => result.push(b'\r'),
                        Some(b't') => result.push(b'\t'),
                        Some(plain @ (b'"' | b'\\' | b'/')) => result.push(plain),
                        _ => return Err(JsonError::Syntax.into()),
                    }
                }
                0..=0x1f => return Err(JsonError::ControlCharacter.into()),
                _ => match decode_utf8(&self.text[self.at..]) {
                    Some((_, length)) => {
                        result.extend_from_slice(&self.text[self.at..self.at + length]);
                        self.at += length;
                    }
                    None if self.flags & INVALID_UTF8_IGNORE != 0 => self.at += 1,
                    None if self.flags & INVALID_UTF8_SUBSTITUTE != 0 => {
                        result.extend_from_slice("\u{fffd}".as_bytes());
                        self.at += 1;
                    }
                    None => return Err(JsonError::Utf8.into()),
                },
            }
        }
    }

    fn array(&mut self) -> Parsed<Val> {
        let outer = self.symbols;
        self.enter()?;
        self.at += 1;
        let mut array = PhpArr::new();
        self.skip_space();
        if self.peek() == Some(b']') {
            self.at += 1;
        } else if self.peek() == Some(b'}') {
            return Err(JsonError::StateMismatch.into());
        } else {
            loop {
                let value = self.value()?;
                let _ = array.push(value);
                if self.ends(b']')? {
                    break;
                }
                self.put_symbols(outer + OPENING + ELEMENTS)?;
            }
        }
        self.depth -= 1;
        self.symbols = outer;
        Ok(array.into())
    }

    /// After an element: a comma (false) or the end (true).
    fn ends(&mut self, bracket: u8) -> Parsed<bool> {
        self.skip_space();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(false)
            }
            Some(byte) if byte == bracket => {
                self.at += 1;
                Ok(true)
            }
            Some(b']' | b'}') => Err(JsonError::StateMismatch.into()),
            _ => Err(self.unexpected()),
        }
    }

    fn object(&mut self) -> Parsed<Val> {
        let outer = self.symbols;
        self.enter()?;
        self.at += 1;
        let as_array = self.flags & OBJECT_AS_ARRAY != 0;
        let mut table = PhpArr::with_capacity(0);
        // PHP creates the object before its first member, which decides its handle.
        let mut object = None;
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
        } else if self.peek() == Some(b']') {
            return Err(JsonError::StateMismatch.into());
        } else {
            loop {
                self.skip_space();
                if self.peek() != Some(b'"') {
                    return Err(self.unexpected());
                }
                let name = self.name()?;
                self.skip_space();
                if self.peek() != Some(b':') {
                    return Err(self.unexpected());
                }
                self.at += 1;
                self.put_symbols(self.symbols + NAME)?;
                let value = self.value()?;
                if !as_array && name.first() == Some(&0) {
                    return Err(JsonError::InvalidPropertyName.into());
                }
                if !as_array && object.is_none() {
                    object = Some(self.new_object()?);
                }
                let key = if as_array { ArrKey::from_str(name) } else { ArrKey::Str(name) };
                table.insert(object_key(&key), value);
                if self.ends(b'}')? {
                    break;
                }
                self.put_symbols(outer + OPENING + ELEMENTS)?;
            }
        }
        self.depth -= 1;
        self.symbols = outer;
        if as_array {
            return Ok(table.into());
        }
        let object = match object {
            Some(object) => object,
            None => self.new_object()?,
        };
        object.set_dynamic(Some(table));
        Ok(object.into())
    }

    fn new_object(&mut self) -> Parsed<phlox_runtime::PhpObj> {
        let class = match &self.class {
            Some(class) => class,
            None => self.class.insert(self.vm.require_class(b"stdClass").map_err(Stop::Throw)?),
        };
        self.vm.instantiate(class).map_err(Stop::Throw)
    }
}

/// Tables of properties are keyed like arrays.
fn object_key(key: &ArrKey) -> Key<'_> {
    match key {
        ArrKey::Str(name) => Key::from_str(name),
        ArrKey::Int(_) => key.as_key(),
    }
}
