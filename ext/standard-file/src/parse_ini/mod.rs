//! `parse_ini_string` and `parse_ini_file`.

mod scanner;

use crate::stream::open::{self, Options};
use phlox_runtime::{ArrKey, Call, FnDef, Key, PhpArr, PhpResult, PhpStr, Val, Vm, convert, number};
use scanner::{Scanner, Token};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "parse_ini_string(string $ini_string, bool $process_sections = false, int $scanner_mode = INI_SCANNER_NORMAL): array|false",
        parse_ini_string,
    ),
    FnDef::new(
        "parse_ini_file(string $filename, bool $process_sections = false, int $scanner_mode = INI_SCANNER_NORMAL): array|false",
        parse_ini_file,
    ),
];

/// `INI_SCANNER_*`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Normal,
    Raw,
    Typed,
}

/// A line that cannot be parsed, with PHP's message.
struct SyntaxError(String);

fn parse_ini_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    parse(call, &text, "Unknown")
}

fn parse_ini_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    if path.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let Some(stream) = open::open(call.vm, &path, "rb", &Options::default())? else { return Ok(Val::FALSE) };
    let text = stream.read_all(call.vm, None)?;
    stream.close(call.vm)?;
    parse(call, &text, &phlox_runtime::shown(&path))
}

fn parse(call: &Call<'_>, text: &[u8], name: &str) -> PhpResult<Val> {
    let mode = match call.int(2) {
        0 => Mode::Normal,
        1 => Mode::Raw,
        2 => Mode::Typed,
        _ => {
            call.vm.warning(b"Invalid scanner mode")?;
            return Ok(Val::FALSE);
        }
    };
    let sections = call.bool(1);
    let mut result = PhpArr::with_capacity(0);
    let mut section: Option<ArrKey> = None;
    let mut parser = Parser::new(call.vm, text, mode);
    let parsed = parser.statements(|entry| match entry {
        Entry::Section(title) if sections => {
            let key = ArrKey::from_str(title);
            result.insert(key.as_key(), PhpArr::new().into());
            section = Some(key);
        }
        Entry::Section(_) => {}
        Entry::Pair { name, offset, value } => {
            match section.as_ref().and_then(|key| result.get_mut(key.as_key())).and_then(Val::as_arr_mut) {
                Some(inner) => store(inner, name, offset, value),
                None => store(&mut result, name, offset, value),
            }
        }
    })?;
    if let Err(SyntaxError(what)) = parsed {
        let text = format!("syntax error, {what} in {name} on line {}\n", parser.scanner.line);
        call.vm.warning(text.as_bytes())?;
        return Ok(Val::FALSE);
    }
    Ok(result.into())
}

/// The content of a line.
pub enum Entry {
    Section(PhpStr),
    Pair { name: PhpStr, offset: Option<PhpStr>, value: Val },
}

/// Reads the lines of a file in the raw mode, up to the first one that cannot be parsed.
pub fn read_raw(vm: &Vm, text: &[u8], take: impl FnMut(Entry)) {
    // Errors are not reported, and the raw mode runs no PHP code.
    let _ = Parser::new(vm, text, Mode::Raw).statements(take);
}

fn store(table: &mut PhpArr, name: PhpStr, offset: Option<PhpStr>, value: Val) {
    let key = ArrKey::from_str(name);
    let Some(offset) = offset else {
        table.insert(key.as_key(), value);
        return;
    };
    let (place, _) = table.entry(key.as_key());
    let mut inner = place.take().into_arr().unwrap_or_default();
    if offset.is_empty() {
        let _ = inner.push(value);
    } else {
        inner.insert(Key::from_str(&offset), value);
    }
    place.set(inner.into());
}

/// Parses by descent, with one token of lookahead.
struct Parser<'a> {
    vm: &'a Vm,
    scanner: Scanner<'a>,
    /// The next token, if it was looked at.
    next: Option<Token>,
    mode: Mode,
    /// Parentheses, operators and variables around.
    depth: usize,
}

/// Expressions that nest deeper are refused.
const DEPTH_MAX: usize = 1000;

type Parsed<T> = Result<T, SyntaxError>;

/// The tokens that PHP's message expects inside double quotes.
const IN_QUOTES: &str = "TC_DOLLAR_CURLY or TC_QUOTED_STRING or '\"'";

impl<'a> Parser<'a> {
    fn new(vm: &'a Vm, text: &'a [u8], mode: Mode) -> Parser<'a> {
        Parser { vm, scanner: Scanner::new(text, mode), next: None, mode, depth: 0 }
    }

    fn peek(&mut self) -> &Token {
        let scanner = &mut self.scanner;
        self.next.get_or_insert_with(|| scanner.token())
    }

    fn take(&mut self) -> Token {
        self.next.take().unwrap_or_else(|| self.scanner.token())
    }

    /// PHP's parser names up to four tokens that it could have gone on with.
    fn unexpected(&mut self, expected: &str) -> SyntaxError {
        let name = self.peek().name();
        SyntaxError(match expected {
            "" => format!("unexpected {name}"),
            _ => format!("unexpected {name}, expecting {expected}"),
        })
    }

    fn expect(&mut self, byte: u8, expected: &str) -> Parsed<()> {
        if *self.peek() != Token::Char(byte) {
            return Err(self.unexpected(expected));
        }
        self.take();
        Ok(())
    }

    fn statements(&mut self, mut take: impl FnMut(Entry)) -> PhpResult<Parsed<()>> {
        loop {
            let entry = match self.peek() {
                Token::End => return Ok(Ok(())),
                Token::EndOfLine => {
                    self.take();
                    continue;
                }
                Token::Section => self.section(),
                Token::Label(_) | Token::Offset(_) => self.pair()?,
                _ => Err(self.unexpected("")),
            };
            match entry {
                Ok(Some(entry)) => take(entry),
                Ok(None) => {}
                Err(error) => return Ok(Err(error)),
            }
        }
    }

    fn section(&mut self) -> Parsed<Option<Entry>> {
        self.take();
        let mut title = Vec::new();
        loop {
            match self.peek() {
                Token::DollarCurly => title.extend(self.variable()?),
                Token::Char(b'"') => title.extend(self.quoted()?),
                Token::Constant(_) | Token::Raw(_) | Token::Number(_) | Token::String(_) | Token::Whitespace(_) => {
                    title.extend(text_of(self.take()));
                }
                _ => break,
            }
        }
        self.expect(b']', "']'")?;
        Ok(Some(Entry::Section(PhpStr::new(&title))))
    }

    /// A setting; a name alone sets nothing.
    fn pair(&mut self) -> PhpResult<Parsed<Option<Entry>>> {
        let (name, offset) = match self.take() {
            Token::Offset(name) => {
                let offset = match self.strings() {
                    Ok(offset) => offset.map(|value| convert::to_str(self.vm, &value)).transpose()?,
                    Err(error) => return Ok(Err(error)),
                };
                if let Err(error) = self.expect(b']', "']'").and_then(|()| self.expect(b'=', "'='")) {
                    return Ok(Err(error));
                }
                (name, Some(offset.unwrap_or_else(PhpStr::empty)))
            }
            token => {
                if *self.peek() != Token::Char(b'=') {
                    return Ok(Ok(None));
                }
                self.take();
                (text_of(token), None)
            }
        };
        let value = match self.value() {
            Ok(value) => value,
            Err(error) => return Ok(Err(error)),
        };
        Ok(Ok(Some(Entry::Pair { name: PhpStr::new(&name), offset, value })))
    }

    fn value(&mut self) -> Parsed<Val> {
        let typed = self.mode == Mode::Typed;
        let value = match self.peek() {
            Token::True if typed => Val::TRUE,
            Token::True => "1".into(),
            Token::False if typed => Val::FALSE,
            Token::Null if typed => Val::NULL,
            Token::False | Token::Null | Token::EndOfLine => "".into(),
            _ => return self.expression(),
        };
        self.take();
        Ok(value)
    }

    /// `a|b`, `a&b`, `a^b`: from left to right.
    fn expression(&mut self) -> Parsed<Val> {
        let mut value = self.operand()?;
        while let &Token::Char(operator @ (b'|' | b'&' | b'^')) = self.peek() {
            self.take();
            let (left, right) = (self.integer(&value), self.operand()?);
            let right = self.integer(&right);
            value = self.computed(match operator {
                b'|' => left | right,
                b'&' => left & right,
                _ => left ^ right,
            });
        }
        Ok(value)
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEPTH_MAX {
            return Err(SyntaxError("memory exhausted".to_owned()));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn operand(&mut self) -> Parsed<Val> {
        self.nested(Self::operand_inside)
    }

    fn operand_inside(&mut self) -> Parsed<Val> {
        match self.peek() {
            &Token::Char(operator @ (b'~' | b'!')) => {
                self.take();
                let value = self.operand()?;
                let value = self.integer(&value);
                Ok(self.computed(if operator == b'~' { !value } else { i32::from(value == 0) }))
            }
            Token::Char(b'(') => {
                self.take();
                let value = self.expression()?;
                self.expect(b')', "'^' or '|' or '&' or ')'")?;
                Ok(value)
            }
            _ => match self.strings()? {
                Some(value) => Ok(value),
                None => Err(self.unexpected("")),
            },
        }
    }

    fn integer(&self, value: &Val) -> i32 {
        match (value.as_str(), value.as_double()) {
            (Some(text), _) => number::string_to_int(text) as i32,
            (None, Some(double)) => double as i32,
            (None, None) => value.as_int().unwrap_or(0) as i32,
        }
    }

    fn computed(&self, value: i32) -> Val {
        match self.mode {
            Mode::Typed => Val::int(value.into()),
            _ => value.to_string().into(),
        }
    }

    /// Texts, constants and variables one after another. What begins with a number and is one as a whole has its type.
    fn strings(&mut self) -> Parsed<Option<Val>> {
        let mut parts: Vec<Vec<u8>> = Vec::new();
        let mut begins_with_number = false;
        loop {
            let part = match self.peek() {
                Token::DollarCurly => self.variable()?,
                Token::Char(b'"') => self.quoted()?,
                Token::Constant(_) => {
                    let name = text_of(self.take());
                    self.constant(&name).unwrap_or(name)
                }
                Token::Number(_) => {
                    begins_with_number |= parts.is_empty();
                    text_of(self.take())
                }
                Token::Raw(_) | Token::String(_) | Token::Whitespace(_) => text_of(self.take()),
                _ => break,
            };
            parts.push(part);
        }
        if parts.is_empty() {
            return Ok(None);
        }
        let text = parts.concat();
        let number = if begins_with_number && self.mode == Mode::Typed { typed_number(&text) } else { None };
        Ok(Some(number.unwrap_or_else(|| text.into())))
    }

    /// A text in double quotes with variables in it.
    fn quoted(&mut self) -> Parsed<Vec<u8>> {
        self.take();
        let mut text = Vec::new();
        loop {
            match self.peek() {
                Token::DollarCurly => text.extend(self.variable()?),
                Token::QuotedString(_) => text.extend(text_of(self.take())),
                _ => {
                    self.expect(b'"', IN_QUOTES)?;
                    return Ok(text);
                }
            }
        }
    }

    /// `${name}` or `${name:-default}`: the value of a setting, declared or not, or of an environment variable.
    fn variable(&mut self) -> Parsed<Vec<u8>> {
        self.nested(Self::variable_inside)
    }

    fn variable_inside(&mut self) -> Parsed<Vec<u8>> {
        self.take();
        let Token::VarName(_) = self.peek() else { return Err(self.unexpected("TC_VARNAME")) };
        let name = text_of(self.take());
        let mut default = Vec::new();
        if *self.peek() == Token::Fallback {
            self.take();
            let value = self.strings()?;
            default =
                value.and_then(|value| convert::to_str(self.vm, &value).ok()).map_or(default, |text| text.to_vec());
            self.expect(b'}', "'}'")?;
        } else {
            self.expect(b'}', "TC_FALLBACK or '}'")?;
        }
        if let Some(value) = self.vm.ini.configured(&phlox_runtime::shown(&name)) {
            return Ok(value.to_vec());
        }
        Ok(crate::info::environment(self.vm).get(self.vm, &name).unwrap_or(default))
    }

    /// The value of a constant with this name.
    fn constant(&self, name: &[u8]) -> Option<Vec<u8>> {
        let value = self.vm.find_constant(name)?;
        convert::to_str(self.vm, &value).ok().map(|text| text.to_vec())
    }
}

fn text_of(token: Token) -> Vec<u8> {
    match token {
        Token::Raw(text)
        | Token::Constant(text)
        | Token::Number(text)
        | Token::String(text)
        | Token::Whitespace(text)
        | Token::Label(text)
        | Token::Offset(text)
        | Token::VarName(text)
        | Token::QuotedString(text) => text,
        _ => Vec::new(),
    }
}

/// The value of a number in the typed mode; a number that is too large stays a string.
fn typed_number(text: &[u8]) -> Option<Val> {
    match number::numeric(text)? {
        number::Number::Int(int) => Some(Val::int(int)),
        number::Number::Double(double) if text.contains(&b'.') => Some(Val::double(double)),
        _ => None,
    }
}
