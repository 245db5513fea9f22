//! The assembler: words into a unit. Code is in [`super::parse_code`].

use super::fields::{Record, Text};
use super::lexer::{AsmError, Token, tokenize};
use crate::ids::{LocalId, StrId, Target};
use crate::info::Opcode;
use crate::unit::{Func, FuncFlags, Unit};
use std::collections::HashMap;
use std::str::FromStr;

/// Reads a unit from its text form. The result need not be verifiable.
pub fn assemble(text: &str) -> Result<Unit, AsmError> {
    let mut parser = Parser::new(text)?;
    while let Some(directive) = parser.directive()? {
        parser.top_level(directive)?;
    }
    Ok(parser.unit)
}

/// The words of a text, and the unit as far as it has been read. Nesting is bounded by the types of the fields.
pub struct Parser<'t> {
    tokens: Vec<(Token<'t>, u32)>,
    position: usize,
    unit: Unit,
    strings: HashMap<Box<[u8]>, StrId>,
    pub opcodes: HashMap<&'static str, Opcode>,
    /// Labels of the function being read; `None` while they are being collected.
    pub labels: Option<HashMap<&'t str, u32>>,
    /// Names of the locals of the function being read.
    pub locals: HashMap<Box<[u8]>, LocalId>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Result<Parser<'t>, AsmError> {
        Ok(Parser {
            tokens: tokenize(text)?,
            position: 0,
            unit: Unit::default(),
            strings: HashMap::new(),
            opcodes: Opcode::ALL.iter().map(|&opcode| (opcode.name(), opcode)).collect(),
            labels: None,
            locals: HashMap::new(),
        })
    }

    fn top_level(&mut self, directive: &str) -> Result<(), AsmError> {
        match directive {
            "unit" => self.header(),
            "str" => {
                let bytes = self.quoted()?;
                self.append(bytes).map(|_| ())
            }
            "notice" => Record::parse_fields(self).map(|notice| self.unit.notices.push(notice)),
            "array" => Text::parse(self).map(|array| self.unit.arrays.push(array)),
            "type" => Record::parse_fields(self).map(|ty| self.unit.types.push(ty)),
            "class" => Record::parse_fields(self).map(|class| self.unit.classes.push(class)),
            "function" => self.function(),
            _ => self.error(format!("unknown directive `.{directive}`")),
        }
    }

    fn header(&mut self) -> Result<(), AsmError> {
        self.unit.filename = self.quoted()?;
        while let Some(name) = self.field_name() {
            match name {
                "strict_types" => self.unit.strict_types = Text::parse(self)?,
                "halt_offset" => self.unit.halt_offset = Text::parse(self)?,
                "hoisted" => self.unit.hoisted = Text::parse(self)?,
                _ => return self.error(format!("a unit has no field `{name}`")),
            }
        }
        Ok(())
    }

    fn function(&mut self) -> Result<(), AsmError> {
        let mut func = Func::parse_fields(self)?;
        if func.locals.is_empty() {
            func.locals = func.params.iter().map(|param| Some(param.name)).collect();
        }
        self.locals.clear();
        for (index, name) in func.locals.iter().enumerate() {
            if let Some(name) = name {
                self.locals.entry(self.unit.str(*name).into()).or_insert(LocalId(index as u32));
            }
        }
        if *self.peek() == Token::Punct('{') || !func.flags.has(FuncFlags::NO_BODY) {
            let start = self.position;
            self.labels = None;
            let labels = self.body(&mut func.clone())?;
            self.labels = Some(labels);
            self.position = start;
            self.body(&mut func)?;
        }
        self.unit.funcs.push(func);
        Ok(())
    }

    /// Fails with an error on the line of the last token that was read.
    pub fn error<T>(&self, message: impl Into<String>) -> Result<T, AsmError> {
        let line = self.tokens[self.position.saturating_sub(1)].1;
        Err(AsmError { line, message: message.into() })
    }

    /// Fails because `found` stands where `wanted` must stand.
    pub fn unexpected<T>(&self, found: &Token, wanted: &str) -> Result<T, AsmError> {
        self.error(format!("expected {wanted}, found {found}"))
    }

    /// The next token, which stays.
    pub fn peek(&self) -> &Token<'t> {
        &self.tokens[self.position].0
    }

    /// The word after the next one.
    pub fn peek_second(&self) -> &Token<'t> {
        &self.tokens[(self.position + 1).min(self.tokens.len() - 1)].0
    }

    /// Takes the next word; the end of the file again and again.
    pub fn next(&mut self) -> Token<'t> {
        let token = self.tokens[self.position].0.clone();
        self.position = (self.position + 1).min(self.tokens.len() - 1);
        token
    }

    fn directive(&mut self) -> Result<Option<&'t str>, AsmError> {
        match self.next() {
            Token::Directive(name) => Ok(Some(name)),
            Token::End => Ok(None),
            found => self.unexpected(&found, "a directive"),
        }
    }

    /// Reads the punctuation if it comes next; false if something else does.
    pub fn accept(&mut self, punct: char) -> bool {
        let found = *self.peek() == Token::Punct(punct);
        if found {
            self.next();
        }
        found
    }

    /// Reads the punctuation that must come next.
    pub fn expect(&mut self, punct: char) -> Result<(), AsmError> {
        match self.next() {
            Token::Punct(found) if found == punct => Ok(()),
            found => self.unexpected(&found, &format!("`{punct}`")),
        }
    }

    /// Reads the `=>` that must come next.
    pub fn expect_arrow(&mut self) -> Result<(), AsmError> {
        match self.next() {
            Token::Arrow => Ok(()),
            found => self.unexpected(&found, "`=>`"),
        }
    }

    /// Reads the word if it comes next; false if something else does.
    pub fn accept_word(&mut self, word: &str) -> bool {
        let found = *self.peek() == Token::Word(word);
        if found {
            self.next();
        }
        found
    }

    /// `name=`, if a field comes next.
    pub fn field_name(&mut self) -> Option<&'t str> {
        match (self.peek(), self.peek_second()) {
            (&Token::Word(name), Token::Punct('=')) => {
                self.next();
                self.next();
                Some(name)
            }
            _ => None,
        }
    }

    /// Reads `name=` if it comes next; false if something else does.
    pub fn accept_field(&mut self, name: &str) -> bool {
        let found = *self.peek() == Token::Word(name) && *self.peek_second() == Token::Punct('=');
        if found {
            self.field_name();
        }
        found
    }

    /// `:operand`
    pub fn operand<T: Text>(&mut self) -> Result<T, AsmError> {
        self.expect(':')?;
        T::parse(self)
    }

    /// Reads a number of type `T`; `wanted` names it in errors.
    pub fn number<T: FromStr>(&mut self, wanted: &str) -> Result<T, AsmError> {
        let found = self.next();
        match &found {
            Token::Number(text) => match text.parse() {
                Ok(value) => Ok(value),
                Err(_) => self.unexpected(&found, wanted),
            },
            _ => self.unexpected(&found, wanted),
        }
    }

    /// An id written as the prefix of its table and a number.
    pub fn id<T: FromStr>(&mut self, prefix: &str) -> Result<T, AsmError> {
        let found = self.next();
        let number = match &found {
            Token::Word(word) => word.strip_prefix(prefix).and_then(|digits| digits.parse().ok()),
            _ => None,
        };
        match number {
            Some(number) => Ok(number),
            None => self.unexpected(&found, &format!("an id {prefix}0, {prefix}1 ..")),
        }
    }

    /// Reads a quoted string.
    pub fn quoted(&mut self) -> Result<Vec<u8>, AsmError> {
        match self.next() {
            Token::String(bytes) => Ok(bytes),
            found => self.unexpected(&found, "a string"),
        }
    }

    /// The id of a string, which is added to the table if it is not there.
    pub fn intern(&mut self, bytes: Vec<u8>) -> Result<StrId, AsmError> {
        match self.strings.get(bytes.as_slice()) {
            Some(&id) => Ok(id),
            None => self.append(bytes),
        }
    }

    fn append(&mut self, bytes: Vec<u8>) -> Result<StrId, AsmError> {
        let id = StrId(self.unit.strings.len() as u32);
        self.unit.strings.push(&bytes);
        self.strings.entry(bytes.into()).or_insert(id);
        Ok(id)
    }

    /// `$name` or `l3`.
    pub fn local(&mut self) -> Result<LocalId, AsmError> {
        let Token::Local(name) = *self.peek() else { return self.id("l").map(LocalId) };
        self.next();
        match self.locals.get(name.as_bytes()) {
            Some(&id) => Ok(id),
            None => self.error(format!("the function has no local `${name}`")),
        }
    }

    /// A label, or `@N` for a place outside the code.
    pub fn target(&mut self) -> Result<Target, AsmError> {
        if self.accept('@') {
            return self.number("a position").map(Target);
        }
        let name = match self.next() {
            Token::Word(name) => name,
            found => return self.unexpected(&found, "a label"),
        };
        match &self.labels {
            None => Ok(Target(0)),
            Some(labels) => match labels.get(name) {
                Some(&position) => Ok(Target(position)),
                None => self.error(format!("there is no label `{name}`")),
            },
        }
    }
}
