//! Names for the numbers of an image: those of the compiler's symbol table, if the image has one, and of exports.

use std::collections::HashMap;
use std::fmt::Write;

use crate::contents::Contents;
use crate::{DataHolder, Image, Kind};

/// Codes of symbols in the compiler's table.
mod symbol {
    pub const FUNCTION: u8 = 1;
    pub const OBJECT: u8 = 2;
    pub const PROPERTY: u8 = 3;
    pub const BUILTIN: u8 = 6;
    pub const ENUM: u8 = 9;
    pub const CLASS: u8 = 10;
}

/// Names by what they stand for.
#[derive(Debug, Default)]
pub struct Names {
    objects: HashMap<u32, String>,
    props: HashMap<u32, String>,
    enums: HashMap<u32, String>,
    builtins: HashMap<(u32, u32), String>,
    code: HashMap<usize, String>,
}

impl Names {
    /// The names that an image has.
    pub fn of(image: &Image) -> Names {
        let mut names = Names::default();
        for row in &image.exports {
            let name = row.name.clone();
            match Kind::from_code(row.value.kind) {
                Some(Kind::Object) => drop(names.objects.insert(row.value.raw, name)),
                Some(Kind::Property) => drop(names.props.insert(row.value.raw, name)),
                Some(Kind::Function) => drop(names.code.insert(row.value.raw as usize, name)),
                _ => {}
            }
        }
        for (row, data) in &image.globals {
            let (name, raw) = (row.name.clone(), row.value.raw);
            let word =
                |at: usize| data.get(at..at + 2).map(|bytes| u32::from(u16::from_le_bytes([bytes[0], bytes[1]])));
            match row.value.kind {
                symbol::FUNCTION => drop(names.code.insert(raw as usize, name)),
                symbol::OBJECT | symbol::CLASS => drop(names.objects.insert(raw, name)),
                symbol::PROPERTY => drop(word(0).and_then(|prop| names.props.insert(prop, name))),
                symbol::BUILTIN => drop(word(2).and_then(|set| names.builtins.insert((set, raw & 0xffff), name))),
                symbol::ENUM => drop(names.enums.insert(raw, name)),
                _ => {}
            }
        }
        names
    }

    /// Code that an object's properties have is known by both names.
    pub fn add_methods(&mut self, object: u32, contents: &Contents) {
        for part in &contents.parts {
            if let (Some(prop), Some(Kind::Code)) = (part.prop, Kind::from_code(part.value.kind)) {
                let name = format!("{}.{}", self.object(object), self.prop(prop.into()));
                self.code.entry(part.value.raw as usize).or_insert(name);
            }
        }
    }

    /// An object, by name or number.
    pub fn object(&self, id: u32) -> String {
        self.objects.get(&id).cloned().unwrap_or_else(|| format!("object#{id}"))
    }

    /// A property, by name or number.
    pub fn prop(&self, prop: u32) -> String {
        self.props.get(&prop).cloned().unwrap_or_else(|| format!("property#{prop}"))
    }

    /// A function of a set, by name or numbers.
    pub fn builtin(&self, set: u32, index: u32) -> String {
        self.builtins.get(&(set, index)).cloned().unwrap_or_else(|| format!("builtin#{set}.{index}"))
    }

    /// The name of a function or method, if it has one.
    pub fn code(&self, offset: usize) -> Option<&str> {
        self.code.get(&offset).map(String::as_str)
    }

    /// A value with what is known of it.
    pub fn value(&self, image: &Image, value: DataHolder) -> String {
        let raw = value.raw;
        match Kind::from_code(value.kind) {
            Some(Kind::Object) => self.object(raw),
            Some(Kind::Property) => format!("&{}", self.prop(raw)),
            Some(Kind::Enum) => self.enums.get(&raw).cloned().unwrap_or_else(|| format!("enum#{raw}")),
            Some(Kind::Builtin) => self.builtin(raw >> 16, raw & 0xffff),
            Some(Kind::Code) => format!("method F{raw:x}"),
            Some(Kind::Function) => match self.code(raw as usize) {
                Some(name) => format!("{name} F{raw:x}"),
                None => format!("F{raw:x}"),
            },
            Some(Kind::String | Kind::DoubleString) => self.text(image, raw),
            Some(Kind::List) => format!("list @{raw:x} of {}", crate::contents::constant_list(image, raw).len()),
            _ => holder(value),
        }
    }

    /// The beginning of a text of the constant pool, in quotes.
    pub fn text(&self, image: &Image, offset: u32) -> String {
        let Some(bytes) = image.string_bytes(offset) else { return format!("@{offset:x}") };
        let text = String::from_utf8_lossy(bytes);
        let shown: String = text.chars().take(SHOWN).collect();
        let more = if shown.len() < text.len() { "..." } else { "" };
        format!("{}{more}", quoted(&shown))
    }
}

/// Characters of a text that a listing shows.
const SHOWN: usize = 60;

/// A value of the image as text.
pub fn holder(value: DataHolder) -> String {
    match Kind::from_code(value.kind) {
        Some(kind @ (Kind::Nil | Kind::True | Kind::Empty | Kind::Native)) => kind.word().to_owned(),
        Some(Kind::Int) => (value.raw as i32).to_string(),
        Some(kind) => format!("{}({:x})", kind.word(), value.raw),
        None => format!("type{}({:x})", value.kind, value.raw),
    }
}

/// Text in quotes with what cannot stand there escaped.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
