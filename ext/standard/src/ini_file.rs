//! `parse_ini_string` and `parse_ini_file`.
//!
//! A line is a section, an entry, or a comment after `;`. What a value means depends on the mode: raw text,
//! text with constants, variables and integer operators, or the same with types kept.

use phlox_runtime::{ArrKey, Call, FnDef, PhpArr, PhpResult, PhpStr, Val, convert, number};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "parse_ini_file(string $filename, bool $process_sections = false, int $scanner_mode = INI_SCANNER_NORMAL): array|false",
        parse_ini_file,
    ),
    FnDef::new(
        "parse_ini_string(string $ini_string, bool $process_sections = false, int $scanner_mode = INI_SCANNER_NORMAL): array|false",
        parse_ini_string,
    ),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Normal,
    Raw,
    Typed,
}

fn parse_ini_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    parse_with(call, &text, "Unknown")
}

fn parse_ini_file(call: &mut Call<'_>) -> PhpResult<Val> {
    use std::os::unix::ffi::OsStrExt;
    let name = call.str(0);
    if name.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let path = phlox_ext_standard_file::path::resolve_include(call.vm, &name).unwrap_or_else(|| name.to_vec());
    match std::fs::read(std::path::Path::new(std::ffi::OsStr::from_bytes(&path))) {
        Ok(text) => parse_with(call, &text, &name.to_string()),
        Err(_) => {
            let text = [b"parse_ini_file(", &name[..], b"): Failed to open stream: No such file or directory"].concat();
            call.vm.warning(&text)?;
            Ok(Val::FALSE)
        }
    }
}

fn parse_with(call: &Call<'_>, text: &[u8], name: &str) -> PhpResult<Val> {
    let mode = match call.int(2) {
        0 => Mode::Normal,
        1 => Mode::Raw,
        2 => Mode::Typed,
        _ => {
            return Err(call.value_error(2, "must be one of INI_SCANNER_NORMAL, INI_SCANNER_RAW, or INI_SCANNER_TYPED"));
        }
    };
    let mut reader = Reader { call, text, at: 0, line: 1, mode };
    match reader.file(call.bool(1))? {
        Ok(table) => Ok(table.into()),
        Err(unexpected) => {
            let line = reader.line;
            let text = format!("syntax error, unexpected {unexpected} in {name} on line {line}\n");
            call.vm.warning(text.as_bytes())?;
            Ok(Val::FALSE)
        }
    }
}

/// What a syntax error names.
type Syntax<T> = Result<T, String>;

struct Reader<'a, 'c> {
    call: &'a Call<'c>,
    text: &'a [u8],
    at: usize,
    line: u32,
    mode: Mode,
}

fn unexpected(byte: u8) -> String {
    format!("'{}'", byte as char)
}

impl Reader<'_, '_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// The rest of the line, without its end.
    fn rest_of_line(&self) -> &[u8] {
        let rest = &self.text[self.at.min(self.text.len())..];
        &rest[..rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len())]
    }

    fn next_line(&mut self) {
        self.at += self.rest_of_line().len();
        match (self.peek(), self.text.get(self.at + 1)) {
            (Some(b'\r'), Some(b'\n')) => self.at += 2,
            (Some(_), _) => self.at += 1,
            (None, _) => return,
        }
        self.line += 1;
    }

    fn file(&mut self, with_sections: bool) -> PhpResult<Syntax<PhpArr>> {
        let mut table = PhpArr::new();
        let mut section: Option<ArrKey> = None;
        if self.text.starts_with(b"\xef\xbb\xbf") {
            self.at = 3;
        }
        while self.at < self.text.len() {
            self.skip_blanks();
            match self.peek() {
                None => break,
                Some(b';' | b'\n' | b'\r') => self.next_line(),
                Some(b'[') => {
                    self.at += 1;
                    match self.section()? {
                        Ok(name) if with_sections => {
                            let key = ArrKey::from_str(name);
                            table.entry(key.as_key()).0.set(PhpArr::new().into());
                            section = Some(key);
                        }
                        Ok(_) => {}
                        Err(error) => return Ok(Err(error)),
                    }
                    self.next_line();
                }
                Some(_) => match self.entry()? {
                    Ok(Some(entry)) => match &section {
                        None => store(&mut table, entry),
                        Some(key) => {
                            let (place, _) = table.entry(key.as_key());
                            if let Some(inner) = place.as_arr_mut() {
                                store(inner, entry);
                            }
                        }
                    },
                    Ok(None) => {}
                    Err(error) => return Ok(Err(error)),
                },
            }
        }
        Ok(Ok(table))
    }

    fn section(&mut self) -> PhpResult<Syntax<PhpStr>> {
        let line = self.rest_of_line().to_vec();
        let quoted = line.first().is_some_and(|b| matches!(b, b'"' | b'\''));
        let end = match quoted {
            true => line[1..]
                .iter()
                .position(|&b| b == line[0])
                .and_then(|close| line[close + 2..].iter().position(|&b| b == b']').map(|bracket| close + 2 + bracket)),
            false => line.iter().position(|&b| b == b']'),
        };
        let Some(end) = end else { return Ok(Err("end of file, expecting ']'".into())) };
        self.at += end + 1;
        let name = line[..end].trim_ascii();
        let name = if quoted { name.get(1..name.len() - 1).unwrap_or(name) } else { name };
        Ok(Ok(self.expanded(name)))
    }

    /// The text with its variables replaced.
    fn expanded(&self, text: &[u8]) -> PhpStr {
        let mut inner = Reader { call: self.call, text, at: 0, line: 0, mode: self.mode };
        let mut out = Vec::with_capacity(text.len());
        while let Some(byte) = inner.peek() {
            if self.mode != Mode::Raw && byte == b'$' && text.get(inner.at + 1) == Some(&b'{') {
                inner.variable(&mut out);
            } else {
                out.push(byte);
                inner.at += 1;
            }
        }
        out.into()
    }

    /// A key with its value; `None`: a key alone, which means nothing.
    fn entry(&mut self) -> PhpResult<Syntax<Option<Entry>>> {
        let line = self.rest_of_line().to_vec();
        let end = line.iter().position(|b| matches!(b, b'=' | b'[' | b';')).unwrap_or(line.len());
        let name = line[..end].trim_ascii();
        if let Some(&byte) = name.iter().find(|b| b"{}|&~!()^\"$".contains(b)) {
            return Ok(Err(unexpected(byte)));
        }
        let mut offset = None;
        let mut at = end;
        if line.get(at) == Some(&b'[') {
            let Some(close) = line[at..].iter().position(|&b| b == b']') else {
                return Ok(Err("end of file, expecting ']'".into()));
            };
            let inner = line[at + 1..at + close].trim_ascii();
            let inner = match inner {
                [b'"', middle @ .., b'"'] | [b'\'', middle @ .., b'\''] => middle,
                plain => plain,
            };
            offset = Some(self.expanded(inner));
            at += close + 1;
            at += line[at..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        }
        if line.get(at) != Some(&b'=') {
            self.next_line();
            return Ok(Ok(None));
        }
        if name.is_empty() {
            return Ok(Err(unexpected(b'=')));
        }
        let name = PhpStr::new(name);
        self.at += at + 1;
        let value = match self.mode {
            Mode::Raw => Ok(self.raw_value()),
            _ => self.value()?,
        };
        self.next_line();
        Ok(value.map(|value| Some(Entry { name, offset, value })))
    }

    /// The text up to a comment or the line's end, without surrounding quotes.
    fn raw_value(&mut self) -> Val {
        self.skip_blanks();
        if let Some(quote @ (b'"' | b'\'')) = self.peek() {
            let rest = &self.text[self.at + 1..];
            if let Some(close) = rest.iter().position(|&b| b == quote) {
                let text = rest[..close].to_vec();
                self.line += text.iter().filter(|&&b| b == b'\n').count() as u32;
                self.at += close + 2;
                return text.into();
            }
        }
        let line = self.rest_of_line();
        let end = line.iter().position(|&b| b == b';').unwrap_or(line.len());
        Val::str(line[..end].trim_ascii())
    }

    /// Parts side by side make one text; `|`, `&`, `^`, `~` and `!` work on integers.
    fn value(&mut self) -> PhpResult<Syntax<Val>> {
        let mut value = match self.operand()? {
            Ok(value) => value,
            Err(error) => return Ok(Err(error)),
        };
        loop {
            self.skip_blanks();
            let operator = match self.peek() {
                Some(operator @ (b'|' | b'&' | b'^')) => operator,
                None | Some(b';' | b'\n' | b'\r' | b')') => return Ok(Ok(value)),
                Some(byte) => return Ok(Err(unexpected(byte))),
            };
            self.at += 1;
            let right = match self.operand()? {
                Ok(right) => right,
                Err(error) => return Ok(Err(error)),
            };
            let (a, b) = (convert::to_int(self.call.vm, &value)?, convert::to_int(self.call.vm, &right)?);
            let result = match operator {
                b'|' => a | b,
                b'&' => a & b,
                _ => a ^ b,
            };
            value = result.to_string().into();
        }
    }

    fn operand(&mut self) -> PhpResult<Syntax<Val>> {
        self.skip_blanks();
        let vm = self.call.vm;
        match self.peek() {
            Some(b'~') => {
                self.at += 1;
                let inner = self.operand()?;
                Ok(match inner {
                    Ok(inner) => Ok((!convert::to_int(vm, &inner)?).to_string().into()),
                    error => error,
                })
            }
            Some(b'!') => {
                self.at += 1;
                let inner = self.operand()?;
                Ok(match inner {
                    Ok(inner) => Ok(if convert::to_int(vm, &inner)? == 0 { "1" } else { "0" }.into()),
                    error => error,
                })
            }
            Some(b'(') => {
                self.at += 1;
                let inner = self.value()?;
                if inner.is_ok() {
                    self.skip_blanks();
                    if self.peek() != Some(b')') {
                        return Ok(Err("end of file, expecting ')'".into()));
                    }
                    self.at += 1;
                }
                Ok(inner)
            }
            _ => self.text_value(),
        }
    }

    /// Quoted strings, variables and bare words up to an operator, a comment or the line's end.
    fn text_value(&mut self) -> PhpResult<Syntax<Val>> {
        let mut text = Vec::new();
        let mut bare_only = true;
        let mut parts = 0;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    bare_only = false;
                    if let Err(error) = self.double_quoted(&mut text)? {
                        return Ok(Err(error));
                    }
                }
                Some(b'\'') => {
                    let rest = &self.text[self.at + 1..];
                    let Some(close) = rest.iter().position(|&b| b == b'\'') else {
                        return Ok(Err("end of file".into()));
                    };
                    text.extend_from_slice(&rest[..close]);
                    self.line += rest[..close].iter().filter(|&&b| b == b'\n').count() as u32;
                    self.at += close + 2;
                    bare_only = false;
                }
                Some(b'$') if self.text.get(self.at + 1) == Some(&b'{') => {
                    bare_only = false;
                    self.variable(&mut text);
                }
                None | Some(b'\n' | b'\r' | b';' | b'|' | b'&' | b'^' | b')') => break,
                Some(b' ' | b'\t') => {
                    let blanks = self.rest_of_line().iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
                    let next = self.text.get(self.at + blanks).copied();
                    let ends = matches!(next, None | Some(b'\n' | b'\r' | b';' | b'|' | b'&' | b'^' | b')'));
                    if !ends && bare_only {
                        text.extend_from_slice(&self.text[self.at..self.at + blanks]);
                    }
                    self.at += blanks;
                    continue;
                }
                Some(byte @ (b'=' | b'(' | b'!' | b'~')) => return Ok(Err(unexpected(byte))),
                Some(_) => {
                    let word = self.bare_word();
                    // A constant counts only where it is all there is of a part.
                    match self.call.vm.find_constant(&word).filter(|_| parts == 0 || !bare_only) {
                        Some(constant) if !is_keyword(&word) => {
                            text.extend_from_slice(&convert::to_str(self.call.vm, &constant)?);
                        }
                        _ => text.extend_from_slice(&word),
                    }
                }
            }
            parts += 1;
        }
        let value = if bare_only { self.typed(&text) } else { text.into() };
        Ok(Ok(value))
    }

    fn bare_word(&mut self) -> Vec<u8> {
        let ends = |b: &u8| b" \t\n\r;|&^()=!~\"'".contains(b);
        let line = self.rest_of_line();
        let mut length = line.iter().position(ends).unwrap_or(line.len()).max(1);
        if let Some(dollar) = line[..length].windows(2).position(|pair| pair == b"${").filter(|&at| at > 0) {
            length = dollar;
        }
        let word = line[..length].to_vec();
        self.at += length;
        word
    }

    fn double_quoted(&mut self, text: &mut Vec<u8>) -> PhpResult<Syntax<()>> {
        loop {
            match self.peek() {
                None => return Ok(Err("end of file".into())),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Ok(()));
                }
                // A backslash before the quote that ends the line is a plain one (Windows paths).
                Some(b'\\')
                    if self.text.get(self.at + 1) == Some(&b'"')
                        && matches!(self.text.get(self.at + 2), None | Some(b'\n' | b'\r')) =>
                {
                    text.push(b'\\');
                    self.at += 1;
                }
                Some(b'\\') if matches!(self.text.get(self.at + 1), Some(b'"' | b'\\' | b'\'')) => {
                    text.push(self.text[self.at + 1]);
                    self.at += 2;
                }
                Some(b'$') if self.text.get(self.at + 1) == Some(&b'{') => self.variable(text),
                Some(byte) => {
                    self.line += u32::from(byte == b'\n');
                    text.push(byte);
                    self.at += 1;
                }
            }
        }
    }

    /// `${NAME}`: a setting or an environment variable; `${NAME:-default}` if there is neither.
    fn variable(&mut self, text: &mut Vec<u8>) {
        let rest = &self.text[self.at + 2..];
        let Some(close) = rest.iter().position(|&b| b == b'}') else {
            text.push(b'$');
            self.at += 1;
            return;
        };
        let inner = &rest[..close];
        let (name, default) = match inner.windows(2).position(|pair| pair == b":-") {
            Some(at) => (&inner[..at], &inner[at + 2..]),
            None => (inner, &[][..]),
        };
        let setting = self.call.vm.ini.entry(name).and_then(|entry| entry.local).map(|value| value.to_vec());
        let environment = || phlox_ext_standard_file::info::environment(self.call.vm).get(name);
        text.extend_from_slice(&setting.or_else(environment).unwrap_or_else(|| default.to_vec()));
        self.at += 2 + close + 1;
    }

    /// A bare value: keywords, and numbers where types are kept.
    fn typed(&self, text: &[u8]) -> Val {
        let typed = self.mode == Mode::Typed;
        match text.to_ascii_lowercase().as_slice() {
            b"true" | b"on" | b"yes" => {
                if typed {
                    Val::TRUE
                } else {
                    "1".into()
                }
            }
            b"false" | b"off" | b"no" | b"none" => {
                if typed {
                    Val::FALSE
                } else {
                    "".into()
                }
            }
            b"null" => {
                if typed {
                    Val::NULL
                } else {
                    "".into()
                }
            }
            _ if typed && is_decimal(text) => number::numeric(text).map_or_else(|| Val::str(text), Val::from),
            _ => Val::str(text),
        }
    }
}

fn is_keyword(word: &[u8]) -> bool {
    [&b"true"[..], b"false", b"null", b"on", b"off", b"yes", b"no", b"none"]
        .iter()
        .any(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// A number without superfluous zeros, which would not survive the conversion.
fn is_decimal(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    digits == b"0" || matches!(digits, [b'1'..=b'9', ..] | [b'0', b'.', ..]) && number::numeric(text).is_some()
}

struct Entry {
    name: PhpStr,
    /// `name[offset]`, empty for `name[]`.
    offset: Option<PhpStr>,
    value: Val,
}

fn store(table: &mut PhpArr, entry: Entry) {
    let key = ArrKey::from_str(entry.name);
    let (place, _) = table.entry(key.as_key());
    let Some(offset) = entry.offset else {
        place.set(entry.value);
        return;
    };
    if place.as_arr().is_none() {
        place.set(PhpArr::new().into());
    }
    let Some(inner) = place.as_arr_mut() else { return };
    if offset.is_empty() {
        let _ = inner.push(entry.value);
    } else {
        let key = ArrKey::from_str(offset);
        inner.entry(key.as_key()).0.set(entry.value);
    }
}
