//! The disassembler: a unit's tables as text. Code is in [`super::print_code`].

use super::fields::{Record, Text};
use crate::ids::{LocalId, StrId, Target};
use crate::unit::{Func, Unit};
use std::collections::HashMap;

/// The unit as text; [`super::assemble`] gives the same unit back.
pub fn disassemble(unit: &Unit) -> String {
    let mut out = Printer::new(unit);
    out.header(unit);
    out.line_end();
    for string in unit.strings.iter() {
        out.word(".str");
        out.quoted(string);
        out.line_end();
    }
    for notice in &unit.notices {
        out.word(".notice");
        notice.print_fields(&mut out);
        out.line_end();
    }
    for array in &unit.arrays {
        out.word(".array");
        array.print(&mut out);
        out.line_end();
    }
    for ty in &unit.types {
        out.word(".type");
        ty.print_fields(&mut out);
        out.line_end();
    }
    for (index, class) in unit.classes.iter().enumerate() {
        out.comment(&format!("c{index}"));
        out.word(".class");
        class.print_fields(&mut out);
        out.line_end();
    }
    for (index, func) in unit.funcs.iter().enumerate() {
        out.function(index, func);
    }
    out.text
}

/// Builds the text. Words are separated by a space unless a bracket or comma makes that unnecessary.
pub struct Printer<'u> {
    unit: &'u Unit,
    text: String,
    /// Whether the next word needs a space before it.
    gap: bool,
    /// The only id of each string that occurs once in the table.
    unique: HashMap<&'u [u8], Option<StrId>>,
    /// Length of the code being printed: targets up to it are labels.
    code_len: u32,
    /// Names of the locals of the function being printed, where they can be used.
    locals: Vec<Option<String>>,
}

impl<'u> Printer<'u> {
    fn new(unit: &'u Unit) -> Printer<'u> {
        let mut unique = HashMap::new();
        for (index, string) in unit.strings.iter().enumerate() {
            let id = Some(StrId(index as u32));
            unique.entry(string).and_modify(|known| *known = None).or_insert(id);
        }
        Printer { unit, text: String::new(), gap: false, unique, code_len: 0, locals: Vec::new() }
    }

    fn header(&mut self, unit: &Unit) {
        self.word(".unit");
        self.quoted(&unit.filename);
        self.field("strict_types", &unit.strict_types);
        self.field("halt_offset", &unit.halt_offset);
        self.field("hoisted", &unit.hoisted);
    }

    fn field<T: Text>(&mut self, name: &str, value: &T) {
        if !value.is_default() {
            self.word(name);
            self.punct("=");
            value.print(self);
        }
    }

    fn function(&mut self, index: usize, func: &Func) {
        self.line_end();
        self.comment(&format!("f{index}"));
        self.word(".function");
        func.print_fields(self);
        self.code_len = func.code.len() as u32;
        self.locals = local_names(self.unit, func);
        self.word("{");
        self.line_end();
        self.code(func);
        self.locals.clear();
        self.word("}");
        self.line_end();
    }

    /// A word; `name=` is a word that its value follows directly.
    pub fn word(&mut self, word: &str) {
        if self.gap {
            self.text.push(' ');
        }
        self.text.push_str(word);
        self.gap = !word.ends_with('=');
    }

    /// Punctuation without a blank before it; only a comma is followed by one.
    pub fn punct(&mut self, punct: &str) {
        self.text.push_str(punct);
        self.gap = punct == ",";
    }

    /// An opening bracket; what follows stands directly behind it.
    pub fn open(&mut self, bracket: char) {
        if self.gap {
            self.text.push(' ');
        }
        self.text.push(bracket);
        self.gap = false;
    }

    /// A closing bracket, directly behind what stands before it.
    pub fn close(&mut self, bracket: char) {
        self.text.push(bracket);
        self.gap = true;
    }

    /// Ends the line.
    pub fn line_end(&mut self) {
        self.text.push('\n');
        self.gap = false;
    }

    /// Starts a line with blanks or a label.
    pub fn margin(&mut self, margin: &str) {
        self.text.push_str(margin);
        self.gap = false;
    }

    /// A comment until the end of the line.
    pub fn comment(&mut self, comment: &str) {
        self.text.push_str("# ");
        self.text.push_str(comment);
        self.line_end();
    }

    /// A quoted string with the bytes escaped that are not printable.
    pub fn quoted(&mut self, bytes: &[u8]) {
        let mut word = String::from("\"");
        for &byte in bytes {
            match byte {
                b'\'' => word.push('\''),
                _ => word.extend(byte.escape_ascii().map(char::from)),
            }
        }
        word.push('"');
        self.word(&word);
        self.gap = true;
    }

    /// The string itself if the table has it only once, otherwise its id.
    pub fn string_id(&mut self, id: StrId) {
        let bytes = self.unit.strings.get(id.index());
        match bytes.filter(|bytes| self.unique.get(bytes).copied().flatten() == Some(id)) {
            Some(bytes) => self.quoted(bytes),
            None => self.word(&format!("{id:?}")),
        }
    }

    /// A jump target: `L` and its index, or `@` and a number that lies behind the code.
    pub fn target(&mut self, target: Target) {
        let prefix = if target.0 <= self.code_len { "L" } else { "@" };
        self.word(&format!("{prefix}{}", target.0));
    }

    /// `$name` if only one local has that name, otherwise its id.
    pub fn local(&mut self, id: LocalId) {
        match self.locals.get(id.index()) {
            Some(Some(name)) => self.word(&format!("${name}")),
            _ => self.word(&format!("{id:?}")),
        }
    }
}

/// The names that can be written after `$`: plain ones that only one local has.
fn local_names(unit: &Unit, func: &Func) -> Vec<Option<String>> {
    let mut uses: HashMap<&[u8], u32> = HashMap::new();
    for name in func.locals.iter().flatten() {
        *uses.entry(unit.str(*name)).or_default() += 1;
    }
    let plain = |name: &[u8]| !name.is_empty() && name.iter().all(|&b| b.is_ascii_alphanumeric() || b == b'_');
    let printable = |name: StrId| {
        let bytes = unit.str(name);
        (plain(bytes) && uses.get(bytes) == Some(&1)).then(|| String::from_utf8_lossy(bytes).into_owned())
    };
    func.locals.iter().map(|name| name.and_then(printable)).collect()
}
