//! Reads the text of php.ini files and of `-d` options.
//!
//! Values are bare words, quoted strings, constants, `${NAME}` (an earlier setting or an environment variable) and
//! expressions of `| & ^ ~ !` and parentheses. Sections only group; `[PATH=..]` and `[HOST=..]` belong to web
//! servers and are passed over.

/// Deepest nesting of parentheses in a value.
const NESTING_MAX: u32 = 64;

/// What words in values are looked up in.
pub struct Context<'a> {
    /// A PHP constant as a string, if there is one of that name.
    pub constant: &'a dyn Fn(&str) -> Option<Vec<u8>>,
    /// An environment variable.
    pub environment: &'a dyn Fn(&str) -> Option<Vec<u8>>,
}

/// A line that is no setting.
#[derive(Debug, PartialEq, Eq)]
pub struct IniError {
    pub line: u32,
}

/// Reads the settings in the order of the text. As in PHP, reading stops at the first line that cannot be parsed.
pub fn parse(text: &[u8], context: &Context<'_>) -> (Vec<(String, Vec<u8>)>, Option<IniError>) {
    let mut reader = Reader { text, position: 0, line: 1, settings: Vec::new(), context };
    let error = reader.file().err().map(|()| IniError { line: reader.line });
    (reader.settings, error)
}

struct Reader<'a> {
    text: &'a [u8],
    position: usize,
    line: u32,
    settings: Vec<(String, Vec<u8>)>,
    context: &'a Context<'a>,
}

/// A value while it is being computed: bare words may still become constants.
enum Piece {
    Text(Vec<u8>),
    Number(i64),
}

impl Reader<'_> {
    fn file(&mut self) -> Result<(), ()> {
        let mut other_server = false;
        loop {
            self.skip_blank();
            match self.peek() {
                None => return Ok(()),
                Some(b'\n' | b'\r') => self.end_of_line(),
                Some(b';') => self.skip_comment(),
                Some(b'[') => other_server = self.section()?,
                Some(_) => {
                    let setting = self.setting()?;
                    if let Some(setting) = setting.filter(|_| !other_server) {
                        self.settings.push(setting);
                    }
                }
            }
        }
    }

    /// `[name]`; true if what follows is for web servers only.
    fn section(&mut self) -> Result<bool, ()> {
        let end = self.text[self.position..].iter().position(|b| matches!(b, b']' | b'\n')).ok_or(())?;
        let name = &self.text[self.position + 1..self.position + end];
        if self.text[self.position + end] == b'\n' {
            return Err(());
        }
        let name = name.to_ascii_uppercase();
        self.position += end + 1;
        Ok(name.starts_with(b"PATH=") || name.starts_with(b"HOST="))
    }

    /// `name = value`; a name alone sets nothing.
    fn setting(&mut self) -> Result<Option<(String, Vec<u8>)>, ()> {
        let start = self.position;
        while self.peek().is_some_and(|b| !matches!(b, b'=' | b'\n' | b'\r' | b';')) {
            self.position += 1;
        }
        let name = String::from_utf8_lossy(self.text[start..self.position].trim_ascii()).into_owned();
        if self.peek() != Some(b'=') {
            return Ok(None);
        }
        self.position += 1;
        let valid = !name.is_empty() && !name.contains(['{', '}', '|', '&', '~', '!', '(', ')', '"', '^']);
        if !valid {
            return Err(());
        }
        let value = self.value()?;
        Ok(Some((name, value)))
    }

    fn value(&mut self) -> Result<Vec<u8>, ()> {
        self.skip_blank();
        let value = self.expression(0)?;
        self.skip_blank();
        match self.peek() {
            None | Some(b'\n' | b'\r' | b';') => Ok(value.into_text()),
            Some(_) => Err(()),
        }
    }

    /// Operators have one precedence and group to the left.
    fn expression(&mut self, nesting: u32) -> Result<Piece, ()> {
        let mut left = self.operand(nesting)?;
        loop {
            self.skip_blank();
            let operator = match self.peek() {
                Some(b @ (b'|' | b'&' | b'^')) => b,
                _ => return Ok(left),
            };
            self.position += 1;
            let right = self.operand(nesting)?.number();
            let number = left.number();
            left = Piece::Number(match operator {
                b'|' => number | right,
                b'&' => number & right,
                _ => number ^ right,
            });
        }
    }

    fn operand(&mut self, nesting: u32) -> Result<Piece, ()> {
        if nesting > NESTING_MAX {
            return Err(());
        }
        self.skip_blank();
        match self.peek() {
            Some(b'~') => {
                self.position += 1;
                Ok(Piece::Number(!self.operand(nesting + 1)?.number()))
            }
            Some(b'!') => {
                self.position += 1;
                Ok(Piece::Number((self.operand(nesting + 1)?.number() == 0) as i64))
            }
            Some(b'(') => {
                self.position += 1;
                let inner = self.expression(nesting + 1)?;
                self.skip_blank();
                if self.peek() != Some(b')') {
                    return Err(());
                }
                self.position += 1;
                Ok(inner)
            }
            _ => self.words().map(Piece::Text),
        }
    }

    /// Words, quoted strings and `${..}` up to an operator or the end of the value.
    fn words(&mut self) -> Result<Vec<u8>, ()> {
        let mut value = Vec::new();
        let mut bare_only = true;
        // Blanks at the end of bare text are not part of the value; blanks inside quotes are.
        let mut kept = 0;
        loop {
            match self.peek() {
                None | Some(b'\n' | b'\r' | b';' | b'|' | b'&' | b'^' | b'~' | b'!' | b'(' | b')') => break,
                Some(b'"') => {
                    self.double_quoted(&mut value)?;
                    bare_only = false;
                    kept = value.len();
                }
                Some(b'\'') => {
                    self.single_quoted(&mut value)?;
                    bare_only = false;
                    kept = value.len();
                }
                Some(b'$') if self.text.get(self.position + 1) == Some(&b'{') => {
                    self.variable(&mut value)?;
                    bare_only = false;
                    kept = value.len();
                }
                Some(byte) => {
                    value.push(byte);
                    self.position += 1;
                    if !matches!(byte, b' ' | b'\t') {
                        kept = value.len();
                    }
                }
            }
        }
        value.truncate(kept);
        Ok(if bare_only { self.word(value) } else { value })
    }

    /// The meaning of a bare word.
    fn word(&self, word: Vec<u8>) -> Vec<u8> {
        match word.to_ascii_lowercase().as_slice() {
            b"true" | b"on" | b"yes" => b"1".to_vec(),
            b"false" | b"off" | b"no" | b"none" | b"null" => Vec::new(),
            _ => {
                let constant = std::str::from_utf8(&word).ok().and_then(|name| (self.context.constant)(name));
                constant.unwrap_or(word)
            }
        }
    }

    fn double_quoted(&mut self, value: &mut Vec<u8>) -> Result<(), ()> {
        self.position += 1;
        loop {
            match self.peek() {
                None => return Err(()),
                Some(b'"') => {
                    self.position += 1;
                    return Ok(());
                }
                Some(b'\\') if matches!(self.text.get(self.position + 1), Some(b'"' | b'\\' | b'\'')) => {
                    value.push(self.text[self.position + 1]);
                    self.position += 2;
                }
                Some(b'$') if self.text.get(self.position + 1) == Some(&b'{') => self.variable(value)?,
                Some(byte) => {
                    self.line += u32::from(byte == b'\n');
                    value.push(byte);
                    self.position += 1;
                }
            }
        }
    }

    fn single_quoted(&mut self, value: &mut Vec<u8>) -> Result<(), ()> {
        let rest = &self.text[self.position + 1..];
        let end = rest.iter().position(|b| *b == b'\'').ok_or(())?;
        self.line += rest[..end].iter().filter(|b| **b == b'\n').count() as u32;
        value.extend_from_slice(&rest[..end]);
        self.position += end + 2;
        Ok(())
    }

    /// `${NAME}` or `${NAME:-default}`.
    fn variable(&mut self, value: &mut Vec<u8>) -> Result<(), ()> {
        let rest = &self.text[self.position + 2..];
        let end = rest.iter().position(|b| matches!(b, b'}' | b'\n')).filter(|at| rest[*at] == b'}').ok_or(())?;
        let inner = String::from_utf8_lossy(&rest[..end]).into_owned();
        self.position += end + 3;
        let (name, default) = inner.split_once(":-").unwrap_or((&inner, ""));
        let earlier = self.settings.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.clone());
        let found = earlier.or_else(|| (self.context.environment)(name));
        value.extend(found.unwrap_or_else(|| default.as_bytes().to_vec()));
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.position).copied()
    }

    fn skip_blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.position += 1;
        }
    }

    fn skip_comment(&mut self) {
        while self.peek().is_some_and(|b| b != b'\n') {
            self.position += 1;
        }
    }

    fn end_of_line(&mut self) {
        self.line += u32::from(self.peek() == Some(b'\n'));
        self.position += 1;
    }
}

impl Piece {
    fn number(&self) -> i64 {
        match self {
            Piece::Number(number) => *number,
            Piece::Text(text) => {
                let digits = text.iter().position(|b| !b.is_ascii_digit() && *b != b'-').unwrap_or(text.len());
                std::str::from_utf8(&text[..digits]).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
            }
        }
    }

    fn into_text(self) -> Vec<u8> {
        match self {
            Piece::Number(number) => number.to_string().into_bytes(),
            Piece::Text(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<(String, String)>, Option<u32>) {
        let constant = |name: &str| match name {
            "E_ALL" => Some(b"30719".to_vec()),
            "E_NOTICE" => Some(b"8".to_vec()),
            _ => None,
        };
        let environment = |name: &str| (name == "HOME").then(|| b"/home/me".to_vec());
        let context = Context { constant: &constant, environment: &environment };
        let (settings, error) = parse(text.as_bytes(), &context);
        let settings = settings.into_iter().map(|(name, value)| (name, String::from_utf8_lossy(&value).into_owned()));
        (settings.collect(), error.map(|error| error.line))
    }

    fn value(text: &str) -> String {
        let (settings, error) = read(&format!("x = {text}\n"));
        assert_eq!(error, None, "{text}");
        settings[0].1.clone()
    }

    #[test]
    fn values() {
        for (text, expected) in [
            ("1", "1"),
            ("On", "1"),
            ("off", ""),
            ("\"off\"", "off"),
            ("'a;b'", "a;b"),
            ("a b  ; comment", "a b"),
            ("E_ALL", "30719"),
            ("E_ALL & ~E_NOTICE", "30711"),
            ("(1 | 2) & 6", "2"),
            ("!1", "0"),
            ("\"E_ALL\"", "E_ALL"),
            (r#""say \"hi\" c:\dir""#, r#"say "hi" c:\dir"#),
            ("${HOME}/x", "/home/me/x"),
            ("\"${HOME}\"", "/home/me"),
            ("${NONE:-default}", "default"),
            (".:/usr/share", ".:/usr/share"),
            ("128M", "128M"),
            ("", ""),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn files() {
        let text = "; comment\n[PHP]\na=1\r\n\n b = ${a}2 \nextension\n[HOST=x]\nc=3\n[other]\nd=4";
        let expected = [("a", "1"), ("b", "12"), ("d", "4")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(read(text), (expected.to_vec(), None));
    }

    #[test]
    fn what_is_wrong_ends_the_file() {
        assert_eq!(read("a=1\nb=(\nc=2").1, Some(2));
        assert_eq!(read("a=\"open").1, Some(1));
        assert_eq!(read("[open\n").1, Some(1));
        assert_eq!(read(&format!("a={}", "~".repeat(100_000))).1, Some(1));
    }
}
