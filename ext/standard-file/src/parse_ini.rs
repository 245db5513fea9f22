//! `parse_ini_string` and `parse_ini_file`.

use crate::stream::open::{self, Options};
use phlox_runtime::{ArrKey, Call, FnDef, Key, PhpArr, PhpResult, PhpStr, Val, Vm, convert, number};

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
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Normal,
    Raw,
    Typed,
}

struct Parser<'a> {
    vm: &'a Vm,
    text: &'a [u8],
    at: usize,
    line: usize,
    mode: Mode,
}

/// A line that does not parse: what PHP says of it.
struct SyntaxError(String);

/// A piece of an unquoted or quoted value.
enum Piece {
    /// Characters as they are; true: they were quoted, so words mean nothing.
    Text(Vec<u8>, bool),
    Operator(u8),
}

fn parse_ini_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    parse(call, &text, "Unknown")
}

fn parse_ini_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.str(0);
    if path.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let Some(stream) = open::open(call.vm, &path, "rb", &Options::default())? else { return Ok(Val::FALSE) };
    let text = stream.read_all(call.vm, None)?;
    stream.close(call.vm)?;
    parse(call, &text, &String::from_utf8_lossy(&path))
}

fn parse(call: &Call<'_>, text: &[u8], name: &str) -> PhpResult<Val> {
    let mode = match call.int(2) {
        0 => Mode::Normal,
        1 => Mode::Raw,
        2 => Mode::Typed,
        _ => {
            let text = "must be one of INI_SCANNER_NORMAL, INI_SCANNER_RAW, or INI_SCANNER_TYPED";
            return Err(call.value_error(2, text));
        }
    };
    let sections = call.bool(1);
    let mut parser = Parser { vm: call.vm, text, at: 0, line: 1, mode };
    let mut result = PhpArr::with_capacity(0);
    let mut section: Option<ArrKey> = None;
    while parser.at < text.len() {
        match parser.entry()? {
            Ok(Some(Entry::Section(title))) if sections => {
                let key = ArrKey::from_str(title);
                result.insert(key.as_key(), PhpArr::new().into());
                section = Some(key);
            }
            Ok(Some(Entry::Pair { name, offset, value })) => {
                match section.as_ref().and_then(|key| result.get_mut(key.as_key())).and_then(Val::as_arr_mut) {
                    Some(inner) => store(inner, name, offset, value),
                    None => store(&mut result, name, offset, value),
                }
            }
            Ok(_) => {}
            Err(SyntaxError(what)) => {
                let text = format!("syntax error, {what} in {name} on line {}\n", parser.line);
                call.vm.warning(text.as_bytes())?;
                return Ok(Val::FALSE);
            }
        }
    }
    Ok(result.into())
}

/// What a line says.
pub enum Entry {
    Section(PhpStr),
    Pair { name: PhpStr, offset: Option<PhpStr>, value: Val },
}

/// The lines of a file in the raw mode, up to the first that makes no sense.
pub fn read_raw(vm: &Vm, text: &[u8], mut take: impl FnMut(Entry)) {
    let mut parser = Parser { vm, text, at: 0, line: 1, mode: Mode::Raw };
    while parser.at < text.len() {
        match parser.entry() {
            Ok(Ok(Some(entry))) => take(entry),
            Ok(Ok(None)) => {}
            _ => return,
        }
    }
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

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Goes past the end of the line.
    fn next_line(&mut self) {
        while let Some(byte) = self.peek() {
            self.at += 1;
            if byte == b'\n' {
                self.line += 1;
                return;
            }
        }
    }

    fn entry(&mut self) -> PhpResult<Result<Option<Entry>, SyntaxError>> {
        self.skip_blanks();
        match self.peek() {
            None => Ok(Ok(None)),
            Some(b';' | b'\n' | b'\r') => {
                self.next_line();
                Ok(Ok(None))
            }
            Some(b'[') => self.section(),
            _ => self.pair(),
        }
    }

    fn section(&mut self) -> PhpResult<Result<Option<Entry>, SyntaxError>> {
        self.at += 1;
        let start = self.at;
        while self.peek().is_some_and(|byte| !matches!(byte, b']' | b'\n')) {
            self.at += 1;
        }
        if self.peek() != Some(b']') {
            return Ok(Err(SyntaxError("unexpected end of file, expecting ']'".into())));
        }
        let title = self.text[start..self.at].trim_ascii();
        let title = match title {
            [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => inner,
            _ => title,
        };
        let title = PhpStr::new(title);
        self.next_line();
        Ok(Ok(Some(Entry::Section(title))))
    }

    fn pair(&mut self) -> PhpResult<Result<Option<Entry>, SyntaxError>> {
        let start = self.at;
        while self.peek().is_some_and(|byte| !matches!(byte, b'=' | b'\n' | b'\r' | b'[' | b';')) {
            let byte = self.text[self.at];
            if matches!(byte, b'{' | b'}' | b'|' | b'&' | b'~' | b'!' | b'(' | b')' | b'^' | b'"') {
                return Ok(Err(SyntaxError(format!("unexpected '{}'", byte as char))));
            }
            self.at += 1;
        }
        let name = PhpStr::new(self.text[start..self.at].trim_ascii());
        let mut offset = None;
        if self.peek() == Some(b'[') {
            self.at += 1;
            let start = self.at;
            while self.peek().is_some_and(|byte| !matches!(byte, b']' | b'\n')) {
                self.at += 1;
            }
            let inner = self.text[start..self.at].trim_ascii();
            offset = Some(PhpStr::new(match inner {
                [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => inner,
                _ => inner,
            }));
            self.at += 1;
            self.skip_blanks();
        }
        if self.peek() != Some(b'=') {
            // A name alone is a setting without a value.
            self.next_line();
            return Ok(Ok(if name.is_empty() { None } else { Some(Entry::Pair { name, offset, value: Val::NULL }) }));
        }
        self.at += 1;
        self.skip_blanks();
        let value = if self.mode == Mode::Raw { Ok(self.raw_value()) } else { self.value()? };
        Ok(value.map(|value| Some(Entry::Pair { name, offset, value })))
    }

    /// Everything up to the end of the line or a comment; surrounding quotes go.
    fn raw_value(&mut self) -> Val {
        let quote = self.peek().filter(|byte| matches!(byte, b'"' | b'\''));
        if let Some(quote) = quote {
            let rest = &self.text[self.at + 1..];
            let end = rest.iter().position(|&byte| byte == quote);
            // Quotes around a part of the value belong to it.
            let is_whole = |end: usize| {
                let behind = rest[end + 1..].iter().find(|byte| !matches!(byte, b' ' | b'\t'));
                matches!(behind, None | Some(b'\n' | b'\r' | b';'))
            };
            if let Some(end) = end.filter(|&end| is_whole(end)) {
                let value = Val::str(&rest[..end]);
                self.line += rest[..end].iter().filter(|&&byte| byte == b'\n').count();
                self.at += end + 2;
                self.next_line();
                return value;
            }
        }
        let start = self.at;
        while self.peek().is_some_and(|byte| !matches!(byte, b'\n' | b'\r' | b';')) {
            self.at += 1;
        }
        let value = Val::str(self.text[start..self.at].trim_ascii());
        self.next_line();
        value
    }

    fn value(&mut self) -> PhpResult<Result<Val, SyntaxError>> {
        let mut pieces = Vec::new();
        loop {
            match self.peek() {
                None | Some(b'\n' | b'\r' | b';') => break,
                Some(b'"') => match self.quoted()? {
                    Some(text) => pieces.push(Piece::Text(text, true)),
                    None => {
                        let what = "unexpected end of file, expecting TC_DOLLAR_CURLY or TC_QUOTED_STRING or '\"'";
                        return Ok(Err(SyntaxError(what.into())));
                    }
                },
                Some(b'\'') => {
                    let rest = &self.text[self.at + 1..];
                    let end = rest.iter().position(|&byte| byte == b'\'').unwrap_or(rest.len());
                    pieces.push(Piece::Text(rest[..end].to_vec(), true));
                    self.at = (self.at + end + 2).min(self.text.len());
                }
                Some(b'$') if self.text.get(self.at + 1) == Some(&b'{') => {
                    let text = self.variable()?;
                    pieces.push(Piece::Text(text, true));
                }
                Some(byte @ (b'|' | b'&' | b'^' | b'~' | b'!' | b'(' | b')')) => {
                    self.at += 1;
                    pieces.push(Piece::Operator(byte));
                }
                Some(byte @ (b'{' | b'}')) => {
                    return Ok(Err(SyntaxError(format!("unexpected '{}'", byte as char))));
                }
                Some(_) => pieces.push(self.bare()),
            }
        }
        self.next_line();
        Ok(Ok(self.combine(pieces)))
    }

    fn bare(&mut self) -> Piece {
        let start = self.at;
        let ends = |byte: u8| {
            matches!(
                byte,
                b'\n' | b'\r' | b';' | b'"' | b'\'' | b'|' | b'&' | b'^' | b'~' | b'!' | b'(' | b')' | b'{' | b'}'
            )
        };
        while self.peek().is_some_and(|byte| !ends(byte)) && !self.text[self.at..].starts_with(b"${") {
            self.at += 1;
        }
        Piece::Text(self.text[start..self.at].to_vec(), false)
    }

    /// A text in double quotes with `\"` and `\\` and variables. `None`: it never ends.
    fn quoted(&mut self) -> PhpResult<Option<Vec<u8>>> {
        self.at += 1;
        let mut text = Vec::new();
        loop {
            match self.peek() {
                None => return Ok(None),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Some(text));
                }
                Some(b'\\') => {
                    match self.text.get(self.at + 1) {
                        Some(&next @ (b'"' | b'\\' | b'\'')) => text.push(next),
                        Some(&next) => text.extend_from_slice(&[b'\\', next]),
                        None => return Ok(None),
                    }
                    self.at += 2;
                }
                Some(b'$') if self.text.get(self.at + 1) == Some(&b'{') => text.extend(self.variable()?),
                Some(byte) => {
                    self.line += (byte == b'\n') as usize;
                    text.push(byte);
                    self.at += 1;
                }
            }
        }
    }

    /// `${name}` or `${name:-default}`: a setting or an environment variable.
    fn variable(&mut self) -> PhpResult<Vec<u8>> {
        let start = self.at + 2;
        let end = self.text[start..].iter().position(|&byte| byte == b'}').map_or(self.text.len(), |at| start + at);
        self.at = (end + 1).min(self.text.len());
        let spec = &self.text[start..end];
        let (name, default) = match spec.windows(2).position(|pair| pair == b":-") {
            Some(at) => (&spec[..at], &spec[at + 2..]),
            None => (spec, &b""[..]),
        };
        if let Some(value) = self.vm.ini.entry(name).and_then(|entry| entry.local) {
            return Ok(value.to_vec());
        }
        Ok(crate::info::environment(self.vm).get(name).unwrap_or_else(|| default.to_vec()))
    }

    /// The value of the pieces: operators make it a number, else they are joined.
    fn combine(&self, mut pieces: Vec<Piece>) -> Val {
        if let Some(Piece::Text(text, false)) = pieces.last_mut() {
            let trimmed = text.trim_ascii_end().len();
            text.truncate(trimmed);
        }
        if pieces.iter().any(|piece| matches!(piece, Piece::Operator(_))) {
            let mut tokens = pieces
                .into_iter()
                .filter(|p| !matches!(p, Piece::Text(t, false) if t.trim_ascii().is_empty()))
                .peekable();
            let value = self.expression(&mut tokens);
            return if self.mode == Mode::Typed { Val::int(value) } else { value.to_string().into() };
        }
        let quoted = pieces.iter().any(|piece| matches!(piece, Piece::Text(_, true)));
        let single = pieces.len() == 1;
        let text: Vec<u8> = pieces
            .into_iter()
            .flat_map(|piece| match piece {
                Piece::Text(text, true) => text,
                Piece::Text(text, false) => self.constant(&text).unwrap_or(text),
                Piece::Operator(_) => Vec::new(),
            })
            .collect();
        if !quoted && single {
            return self.word(&text);
        }
        if !quoted && text.is_empty() {
            return PhpStr::empty().into();
        }
        text.into()
    }

    /// The value of a constant with this name.
    fn constant(&self, name: &[u8]) -> Option<Vec<u8>> {
        let is_name = name.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
            && name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let keyword = ["true", "false", "null"].iter().any(|word| name.eq_ignore_ascii_case(word.as_bytes()));
        if !is_name || keyword {
            return None;
        }
        let value = self.vm.find_constant(name)?;
        convert::to_str(self.vm, &value).ok().map(|text| text.to_vec())
    }

    /// A bare word: truth values mean something, numbers do when typed.
    fn word(&self, text: &[u8]) -> Val {
        let is = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word.as_bytes()));
        let typed = self.mode == Mode::Typed;
        if is(&["true", "on", "yes"]) {
            return if typed { Val::TRUE } else { "1".into() };
        }
        if is(&["false", "off", "no", "none"]) {
            return if typed { Val::FALSE } else { "".into() };
        }
        if is(&["null"]) {
            return if typed { Val::NULL } else { "".into() };
        }
        if typed {
            let leading_zero = text.len() > 1 && text[0] == b'0' && text[1].is_ascii_digit();
            match number::numeric(text) {
                Some(number::Number::Int(int)) if !leading_zero => return Val::int(int),
                Some(number::Number::Double(double)) if text.contains(&b'.') => return Val::double(double),
                _ => {}
            }
        }
        Val::str(text)
    }

    /// `a|b`, `a&b`, `a^b`, left to right, of operands with `~`, `!` and parentheses.
    fn expression(&self, tokens: &mut std::iter::Peekable<impl Iterator<Item = Piece>>) -> i64 {
        let mut value = self.operand(tokens);
        while let Some(Piece::Operator(operator @ (b'|' | b'&' | b'^'))) = tokens.peek() {
            let operator = *operator;
            tokens.next();
            let right = self.operand(tokens);
            value = match operator {
                b'|' => value | right,
                b'&' => value & right,
                _ => value ^ right,
            };
        }
        value
    }

    fn operand(&self, tokens: &mut std::iter::Peekable<impl Iterator<Item = Piece>>) -> i64 {
        let mut prefixes = Vec::new();
        while let Some(Piece::Operator(operator @ (b'~' | b'!'))) = tokens.peek() {
            prefixes.push(*operator);
            tokens.next();
        }
        let mut value = match tokens.next() {
            Some(Piece::Operator(b'(')) => {
                // Parentheses nest one level: settings have no deeper ones.
                let mut inner = Vec::new();
                for token in tokens.by_ref() {
                    if matches!(token, Piece::Operator(b')')) {
                        break;
                    }
                    inner.push(token);
                }
                let mut value = 0;
                let mut operator = b'|';
                for token in inner {
                    match token {
                        Piece::Operator(next) => operator = next,
                        Piece::Text(text, _) => {
                            let right = self.integer(&text);
                            value = match operator {
                                b'&' => value & right,
                                b'^' => value ^ right,
                                _ => value | right,
                            };
                        }
                    }
                }
                value
            }
            Some(Piece::Text(text, _)) => self.integer(&text),
            _ => 0,
        };
        for prefix in prefixes.into_iter().rev() {
            value = if prefix == b'~' { !value } else { (value == 0) as i64 };
        }
        value
    }

    fn integer(&self, text: &[u8]) -> i64 {
        let text = text.trim_ascii();
        number::string_to_int(&self.constant(text).unwrap_or_else(|| text.to_vec()))
    }
}
