//! A small assembler, so that tests carry their own programs as text.
//!
//! ```text
//! .metaclass tads-object/030005 p1 p2 ...      ; rows of the metaclass table, with method properties (0: none)
//! .set tads-io/030007                          ; rows of the function set table
//! .prop name 300                               ; a name for a property
//! .export LastProp prop(300)                   ; an exported symbol
//! .object box 0 supers=base class=0 name=5     ; an object of metaclass 0 with properties
//! .function main args=1 locals=2 optional=0 varargs
//!     pushstr "text"
//! again:
//!     jmp again
//!     .catch again done 0 handler              ; first and last label, class, handler
//! .end
//! .entry main
//! ```
//!
//! Values are integers, `nil`, `true`, `"text"`, names of objects, functions (`&name`) and properties (`@name`), lists
//! in brackets, or `kind(number)` with the words of [`Kind`]. `varargc` stands on the line before its instruction.

use std::collections::HashMap;

use crate::image::SIGNATURE;
use crate::ops::Operand;
use crate::writer::Writer;
use crate::{DataHolder, Kind, Op};

/// Why text is not a program: line number (from 1) and message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AsmError {
    /// The line.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl std::fmt::Display for AsmError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "line {}: {}", self.line, self.message)
    }
}

type Asm<T> = Result<T, AsmError>;

/// A line cut into words, with strings and lists whole.
struct Line {
    number: usize,
    words: Vec<String>,
}

#[derive(Default)]
struct Function {
    name: String,
    args: u8,
    optional: u8,
    varargs: bool,
    locals: u16,
    lines: Vec<Line>,
    offset: u32,
}

#[derive(Clone)]
struct Object {
    name: String,
    id: u32,
    metaclass: u16,
    supers: Vec<String>,
    is_class: bool,
    props: Vec<(String, String)>,
    line: usize,
}

#[derive(Default)]
struct Assembler {
    metaclasses: Vec<(String, Vec<u16>)>,
    sets: Vec<String>,
    props: HashMap<String, u16>,
    exports: Vec<(String, String, usize)>,
    objects: Vec<Object>,
    functions: Vec<Function>,
    entry: Option<String>,
    constants: Writer,
    strings: HashMap<String, u32>,
}

/// Assembles a program to an image file.
pub fn assemble(text: &str) -> Result<Vec<u8>, AsmError> {
    let mut assembler = Assembler::default();
    assembler.read(text)?;
    // Code is laid out twice: the first time gives the functions their places.
    assembler.code()?;
    let code = assembler.code()?;
    assembler.image(&code)
}

fn fail<T>(line: usize, message: impl Into<String>) -> Asm<T> {
    Err(AsmError { line, message: message.into() })
}

/// Cuts a line into words; `;` begins a comment.
fn words(line: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word = String::new();
    let (mut quoted, mut depth) = (false, 0);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted => {
                word.push(c);
                word.extend(chars.next());
                continue;
            }
            '"' => quoted = !quoted,
            ';' if !quoted => break,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth -= 1,
            c if c.is_whitespace() && !quoted && depth == 0 => {
                if !word.is_empty() {
                    out.push(std::mem::take(&mut word));
                }
                continue;
            }
            _ => {}
        }
        word.push(c);
    }
    if !word.is_empty() {
        out.push(word);
    }
    out
}

fn integer(word: &str) -> Option<i64> {
    let (sign, digits) = match word.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, word),
    };
    let number = match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(sign * number)
}

/// The text of a quoted word.
fn unquoted(word: &str) -> Option<String> {
    let body = word.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::new();
    let mut chars = body.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next()? {
                'n' => out.push('\n'),
                'x' => {
                    let digits: String = chars.by_ref().take(2).collect();
                    out.push(char::from(u8::from_str_radix(&digits, 16).ok()?));
                }
                c => out.push(c),
            },
            c => out.push(c),
        }
    }
    Some(out)
}

impl Assembler {
    fn read(&mut self, text: &str) -> Asm<()> {
        let mut function: Option<Function> = None;
        for (at, line) in text.lines().enumerate() {
            let number = at + 1;
            let words = words(line);
            let Some(first) = words.first() else { continue };
            match (first.as_str(), &mut function) {
                (".end", open @ Some(_)) => self.functions.extend(open.take()),
                (_, Some(function)) => function.lines.push(Line { number, words }),
                (".function", None) => function = Some(read_function(number, &words)?),
                _ => self.directive(number, &words)?,
            }
        }
        match function {
            Some(function) => fail(text.lines().count(), format!("{} has no .end", function.name)),
            None => Ok(()),
        }
    }

    fn directive(&mut self, line: usize, words: &[String]) -> Asm<()> {
        let Some(name) = words.get(1).cloned() else { return fail(line, "a name is missing") };
        let number = |at: usize| words.get(at).and_then(|word| integer(word)).unwrap_or(0);
        match words[0].as_str() {
            ".metaclass" => {
                let props = words[2..].iter().map(|word| self.prop(word)).collect();
                self.metaclasses.push((name, props));
            }
            ".set" => self.sets.push(name),
            ".prop" => {
                self.props.insert(name, number(2) as u16);
            }
            ".export" => match words.get(2) {
                Some(value) => self.exports.push((name, value.clone(), line)),
                None => return fail(line, "a value is missing"),
            },
            ".entry" => self.entry = Some(name),
            ".object" => {
                let mut object = Object {
                    name,
                    id: self.objects.len() as u32 + 1,
                    metaclass: number(2) as u16,
                    supers: Vec::new(),
                    is_class: false,
                    props: Vec::new(),
                    line,
                };
                for word in words.iter().skip(3) {
                    match word.split_once('=') {
                        Some(("supers", names)) => object.supers = names.split(',').map(str::to_owned).collect(),
                        Some(("class", flag)) => object.is_class = flag != "0",
                        Some((prop, value)) => object.props.push((prop.to_owned(), value.to_owned())),
                        None => return fail(line, format!("{word} is no property")),
                    }
                }
                self.objects.push(object);
            }
            other => return fail(line, format!("{other} is no directive")),
        }
        Ok(())
    }

    fn prop(&self, word: &str) -> u16 {
        let word = word.strip_prefix('@').unwrap_or(word);
        self.props.get(word).copied().or(integer(word).map(|number| number as u16)).unwrap_or(0)
    }

    fn object(&self, word: &str) -> Option<u32> {
        let found = self.objects.iter().find(|object| object.name == word).map(|object| object.id);
        found.or(integer(word).map(|number| number as u32))
    }

    fn function(&self, word: &str) -> Option<u32> {
        let word = word.strip_prefix('&').unwrap_or(word);
        self.functions.iter().find(|function| function.name == word).map(|function| function.offset)
    }

    /// The constant pool's offset of a string; equal strings share one.
    fn string(&mut self, text: &str) -> u32 {
        if let Some(offset) = self.strings.get(text) {
            return *offset;
        }
        let offset = self.constants.bytes.len() as u32;
        self.constants.u16(text.len().min(65_535) as u16);
        self.constants.bytes.extend_from_slice(&text.as_bytes()[..text.len().min(65_535)]);
        self.strings.insert(text.to_owned(), offset);
        offset
    }

    fn list(&mut self, line: usize, word: &str) -> Asm<u32> {
        if let Some(offset) = self.strings.get(word) {
            return Ok(*offset);
        }
        let Some(body) = word.strip_prefix('[').and_then(|word| word.strip_suffix(']')) else {
            return fail(line, format!("{word} is no list"));
        };
        let items = words(body).iter().map(|word| self.value(line, word)).collect::<Asm<Vec<_>>>()?;
        let offset = self.constants.bytes.len() as u32;
        self.constants.u16(items.len() as u16);
        items.into_iter().for_each(|item| self.constants.holder(item));
        self.strings.insert(word.to_owned(), offset);
        Ok(offset)
    }

    fn value(&mut self, line: usize, word: &str) -> Asm<DataHolder> {
        if let Some(number) = integer(word) {
            return Ok(DataHolder::new(Kind::Int, number as u32));
        }
        if let Some(text) = unquoted(word) {
            return Ok(DataHolder::new(Kind::String, self.string(&text)));
        }
        if word.starts_with('[') {
            return Ok(DataHolder::new(Kind::List, self.list(line, word)?));
        }
        if word.starts_with('@') {
            return Ok(DataHolder::new(Kind::Property, self.prop(word).into()));
        }
        if word.starts_with('&') {
            return match self.function(word) {
                Some(offset) => Ok(DataHolder::new(Kind::Function, offset)),
                None => fail(line, format!("there is no function {word}")),
            };
        }
        if let Some((kind, number)) = word.strip_suffix(')').and_then(|word| word.split_once('(')) {
            let kind = Kind::ALL.iter().find(|known| known.word() == kind).copied();
            let raw = match kind {
                Some(Kind::Code | Kind::Function) => self.function(number).or(integer(number).map(|n| n as u32)),
                Some(Kind::Property) => Some(self.prop(number).into()),
                Some(Kind::DoubleString) => unquoted(number).map(|text| self.string(&text)),
                _ => self.object(number),
            };
            if let (Some(kind), Some(raw)) = (kind, raw) {
                return Ok(DataHolder::new(kind, raw));
            }
        }
        match (word, self.object(word)) {
            ("nil", _) => Ok(DataHolder::new(Kind::Nil, 0)),
            ("true", _) => Ok(DataHolder::new(Kind::True, 0)),
            (_, Some(id)) => Ok(DataHolder::new(Kind::Object, id)),
            _ => fail(line, format!("{word} is no value")),
        }
    }

    // ---- code

    /// Lays all functions out.
    fn code(&mut self) -> Asm<Vec<u8>> {
        let mut out = Writer::default();
        // Offset 0 stands for "none" in headers.
        out.u8(0);
        for at in 0..self.functions.len() {
            self.functions[at].offset = out.bytes.len() as u32;
            let function = std::mem::take(&mut self.functions[at]);
            let result = self.function_code(&function, &mut out);
            self.functions[at] = function;
            result?;
        }
        Ok(out.bytes)
    }

    fn function_code(&mut self, function: &Function, out: &mut Writer) -> Asm<()> {
        let start = out.bytes.len();
        let mut labels: HashMap<&str, usize> = HashMap::new();
        // Branches: where the offset goes, its label, its line.
        let mut branches: Vec<(usize, String, usize)> = Vec::new();
        let mut catches = Vec::new();
        out.u8(function.args | if function.varargs { 0x80 } else { 0 });
        out.u8(function.optional);
        out.u16(function.locals);
        out.u16(function.locals + 64);
        out.u32(0);
        for line in &function.lines {
            let first = &line.words[0];
            if let Some(label) = first.strip_suffix(':') {
                labels.insert(label, out.bytes.len());
            } else if first == ".catch" {
                catches.push(line);
            } else {
                self.instruction(line, out, &mut branches)?;
            }
        }
        for (at, label, line) in branches {
            let Some(target) = labels.get(label.as_str()) else {
                return fail(line, format!("there is no label {label}"));
            };
            let distance = *target as i64 - at as i64;
            let Ok(distance) = i16::try_from(distance) else { return fail(line, "the branch is too far") };
            out.bytes[at..at + 2].copy_from_slice(&distance.to_le_bytes());
        }
        if !catches.is_empty() {
            let table = (out.bytes.len() - start) as u16;
            out.bytes[start + 6..start + 8].copy_from_slice(&table.to_le_bytes());
            out.u16(catches.len() as u16);
            for line in catches {
                let [_, from, to, class, handler] = &line.words[..] else {
                    return fail(line.number, ".catch needs first, last, class and handler");
                };
                let place = |label: &str| match labels.get(label) {
                    Some(at) => Ok((at - start) as u16),
                    None => fail(line.number, format!("there is no label {label}")),
                };
                out.u16(place(from)?);
                out.u16(place(to)?.saturating_sub(1));
                out.u32(self.object(class).unwrap_or(0));
                out.u16(place(handler)?);
            }
        }
        Ok(())
    }

    fn instruction(&mut self, line: &Line, out: &mut Writer, branches: &mut Vec<(usize, String, usize)>) -> Asm<()> {
        let number = line.number;
        let Some(op) = Op::from_name(&line.words[0]) else {
            return fail(number, format!("{} is no instruction", line.words[0]));
        };
        out.u8(op as u8);
        let mut words = line.words[1..].iter();
        for operand in op.info().operands {
            match operand {
                Operand::Cases => {
                    self.cases(number, words.as_slice(), out, branches)?;
                    return Ok(());
                }
                Operand::NamedTable => {
                    let names: Vec<String> = words.by_ref().filter_map(|word| unquoted(word)).collect();
                    named_table(&names, out);
                    return Ok(());
                }
                _ => {}
            }
            let Some(word) = words.next() else { return fail(number, "an operand is missing") };
            let int = || integer(word).map_or_else(|| fail(number, format!("{word} is no number")), Ok);
            match operand {
                Operand::Int8 | Operand::Byte | Operand::Argc | Operand::Local | Operand::Param => out.u8(int()? as u8),
                Operand::Word | Operand::Argc2 | Operand::Local2 | Operand::Param2 => out.u16(int()? as u16),
                Operand::Int32 | Operand::Enum => out.u32(int()? as u32),
                Operand::Prop => out.u16(self.prop(word)),
                Operand::Object | Operand::String | Operand::List | Operand::Function => {
                    out.u32(self.reference(*operand, word, number)?);
                }
                Operand::Branch => {
                    branches.push((out.bytes.len(), word.clone(), number));
                    out.u16(0);
                }
                Operand::InlineString => match unquoted(word) {
                    Some(text) => {
                        out.u16(text.len() as u16);
                        out.bytes.extend(text.bytes());
                    }
                    None => return fail(number, "text in quotes is missing"),
                },
                Operand::NamedPointer => {
                    out.u8(int()? as u8);
                    let Some(label) = words.next() else { return fail(number, "a label is missing") };
                    branches.push((out.bytes.len(), label.clone(), number));
                    out.u16(0);
                }
                Operand::Cases | Operand::NamedTable => {}
            }
        }
        Ok(())
    }

    /// The number or offset of what an operand names.
    fn reference(&mut self, operand: Operand, word: &str, number: usize) -> Asm<u32> {
        let found = match operand {
            Operand::Object => self.object(word),
            Operand::Function => self.function(word),
            Operand::List => return self.list(number, word),
            _ => match unquoted(word) {
                Some(text) => return Ok(self.string(&text)),
                None => {
                    return integer(word)
                        .map_or_else(|| fail(number, format!("{word} is no number")), |int| Ok(int as u32));
                }
            },
        };
        let kind = if operand == Operand::Object { "object" } else { "function" };
        found.map_or_else(|| fail(number, format!("there is no {kind} {word}")), Ok)
    }

    /// `value:label ... default:label`.
    fn cases(
        &mut self,
        line: usize,
        words: &[String],
        out: &mut Writer,
        branches: &mut Vec<(usize, String, usize)>,
    ) -> Asm<()> {
        let Some((last, rows)) = words.split_last() else { return fail(line, "cases are missing") };
        out.u16(rows.len() as u16);
        for row in rows {
            let Some((value, label)) = row.rsplit_once(':') else { return fail(line, format!("{row} is no case")) };
            let value = self.value(line, value)?;
            out.holder(value);
            branches.push((out.bytes.len(), label.to_owned(), line));
            out.u16(0);
        }
        let Some(label) = last.strip_prefix("default:") else { return fail(line, "the default comes last") };
        branches.push((out.bytes.len(), label.to_owned(), line));
        out.u16(0);
        Ok(())
    }

    // ---- the image

    fn image(&mut self, code: &[u8]) -> Asm<Vec<u8>> {
        let entry = self.entry.clone().unwrap_or_else(|| "main".to_owned());
        let Some(entry) = self.function(&entry) else { return fail(0, format!("there is no function {entry}")) };
        let objects = self.object_blocks()?;
        let mut exports = Writer::default();
        let symbols = std::mem::take(&mut self.exports);
        exports.u16(symbols.len() as u16);
        for (name, value, line) in symbols {
            let value = self.value(line, &value)?;
            exports.holder(value);
            exports.short_name(&name);
        }
        let mut out = Writer::default();
        out.bytes.extend_from_slice(SIGNATURE);
        out.u16(1);
        out.bytes.extend_from_slice(&[0; 32]);
        out.bytes.extend_from_slice(b"Thu Jan 01 00:00:00 1970");
        let mut block = Writer::default();
        block.u32(entry);
        [10, 10, 10, 10, 6, 2, 8].iter().for_each(|size| block.u16(*size));
        out.block(b"ENTP", &block.bytes);
        out.block(b"SYMD", &exports.bytes);
        let mut block = Writer::default();
        block.u16(self.sets.len() as u16);
        self.sets.iter().for_each(|name| block.short_name(name));
        out.block(b"FNSD", &block.bytes);
        let mut block = Writer::default();
        block.u16(self.metaclasses.len() as u16);
        for (name, props) in &self.metaclasses {
            block.u16((2 + 1 + name.len() + 4 + 2 * props.len()) as u16);
            block.short_name(name);
            block.u16(props.len() as u16);
            block.u16(2);
            props.iter().for_each(|prop| block.u16(*prop));
        }
        out.block(b"MCLD", &block.bytes);
        pool(&mut out, 1, code);
        pool(&mut out, 2, &self.constants.bytes);
        objects.iter().for_each(|block| out.block(b"OBJS", block));
        out.block(b"EOF ", &[]);
        Ok(out.bytes)
    }

    /// One block for each object.
    fn object_blocks(&mut self) -> Asm<Vec<Vec<u8>>> {
        let mut blocks = Vec::new();
        for at in 0..self.objects.len() {
            // Values refer to objects by name, so the list stays in place meanwhile.
            let object = self.objects[at].clone();
            let mut data = Writer::default();
            data.u16(object.supers.len() as u16);
            data.u16(object.props.len() as u16);
            data.u16(u16::from(object.is_class));
            for name in &object.supers {
                match self.object(name) {
                    Some(id) => data.u32(id),
                    None => return fail(object.line, format!("there is no object {name}")),
                }
            }
            let mut props = Vec::new();
            for (prop, value) in &object.props {
                props.push((self.prop(prop), self.value(object.line, value)?));
            }
            props.sort_by_key(|row| row.0);
            for (prop, value) in props {
                data.u16(prop);
                data.holder(value);
            }
            let mut block = Writer::default();
            block.u16(1);
            block.u16(object.metaclass);
            block.u16(0);
            block.u32(object.id);
            block.u16(data.bytes.len() as u16);
            block.bytes.extend(data.bytes);
            blocks.push(block.bytes);
        }
        Ok(blocks)
    }
}

fn read_function(line: usize, words: &[String]) -> Asm<Function> {
    let Some(name) = words.get(1) else { return fail(line, "a name is missing") };
    let mut function = Function { name: name.clone(), ..Function::default() };
    for word in &words[2..] {
        let (key, value) = word.split_once('=').unwrap_or((word, "1"));
        let Some(number) = integer(value) else { return fail(line, format!("{value} is no number")) };
        match key {
            "args" => function.args = number as u8 & 0x7f,
            "optional" => function.optional = number as u8,
            "locals" => function.locals = number as u16,
            "varargs" => function.varargs = number != 0,
            _ => return fail(line, format!("functions have no {key}")),
        }
    }
    Ok(function)
}

/// A named argument table: its size, the count, where names begin and end, and the names.
fn named_table(names: &[String], out: &mut Writer) {
    let index = 2 * (names.len() + 1);
    let text: usize = names.iter().map(String::len).sum();
    out.u16((2 + index + text) as u16);
    out.u16(names.len() as u16);
    let mut at = index;
    for name in names {
        out.u16(at as u16);
        at += name.len();
    }
    out.u16(at as u16);
    names.iter().for_each(|name| out.bytes.extend(name.bytes()));
}

/// A pool of one page.
fn pool(out: &mut Writer, which: u16, bytes: &[u8]) {
    let size = bytes.len().max(1).next_power_of_two();
    let mut block = Writer::default();
    block.u16(which);
    block.u32(1);
    block.u32(size as u32);
    out.block(b"CPDF", &block.bytes);
    let mut block = Writer::default();
    block.u16(which);
    block.u32(0);
    block.u8(0);
    block.bytes.extend_from_slice(bytes);
    out.block(b"CPPG", &block.bytes);
}
