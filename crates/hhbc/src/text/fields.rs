//! How each type of a metadata field is written, in both directions.

use super::lexer::{AsmError, Token};
use super::names::{ATTRS, FUNC_FLAGS, FlagNames, TYPE_MASK};
use super::parse::Parser;
use super::print::Printer;
use crate::ids::*;
use crate::instr::F64;
use crate::records::for_each_record;
use crate::unit::*;

/// A type with a text form.
pub trait Text: Sized {
    fn print(&self, out: &mut Printer);
    fn parse(p: &mut Parser) -> Result<Self, AsmError>;

    /// The value of a field that is left out; `None`: the field must be written.
    fn default_value() -> Option<Self> {
        None
    }

    fn is_default(&self) -> bool {
        false
    }
}

/// A structure whose fields are written as `name=value`.
pub trait Record: Sized {
    fn print_fields(&self, out: &mut Printer);
    fn parse_fields(p: &mut Parser) -> Result<Self, AsmError>;
}

/// A text form for fields whose type does not tell it.
struct Mask;

impl Mask {
    fn print(mask: &u32, out: &mut Printer) {
        print_flags(*mask, TYPE_MASK, out);
    }

    fn parse(p: &mut Parser) -> Result<u32, AsmError> {
        parse_flags(TYPE_MASK, p)
    }

    fn is_default(mask: &u32) -> bool {
        *mask == 0
    }

    fn default_value() -> Option<u32> {
        Some(0)
    }
}

macro_rules! field {
    ($method:ident) => {
        Text::$method
    };
    ($method:ident $form:ident) => {
        $form::$method
    };
}

macro_rules! record_text {
    ($($record:ident { $($field:ident $(as $form:ident)?),* } $(rest { $($rest:ident $(as $rest_form:ident)?),* })?;)*) => { $(
        impl Record for $record {
            fn print_fields(&self, out: &mut Printer) {
                let $record { $($field,)* $($($rest: _,)*)? } = self;
                $(if !(field!(is_default $($form)?)($field)) {
                    out.word(concat!(stringify!($field), "="));
                    field!(print $($form)?)($field, out);
                })*
            }

            fn parse_fields(p: &mut Parser) -> Result<Self, AsmError> {
                $(let mut $field = None;)*
                while let Some(name) = p.field_name() {
                    match name {
                        $(stringify!($field) => $field = Some((field!(parse $($form)?)(p))?),)*
                        _ => return p.error(format!("a {} has no field `{name}`", stringify!($record))),
                    }
                }
                $(let $field = match $field.or_else(field!(default_value $($form)?)) {
                    Some(value) => value,
                    None => return p.error(concat!("a ", stringify!($record), " needs `", stringify!($field), "`")),
                };)*
                Ok($record { $($field,)* $($($rest: Default::default(),)*)? })
            }
        }

        impl Text for $record {
            fn print(&self, out: &mut Printer) {
                out.open('{');
                self.print_fields(out);
                out.close('}');
            }

            fn parse(p: &mut Parser) -> Result<Self, AsmError> {
                p.expect('{')?;
                let record = Self::parse_fields(p)?;
                p.expect('}')?;
                Ok(record)
            }
        }
    )* };
}

for_each_record!(record_text);

macro_rules! number_text {
    ($($ty:ty)*) => { $(
        impl Text for $ty {
            fn print(&self, out: &mut Printer) {
                out.word(&self.to_string());
            }

            fn parse(p: &mut Parser) -> Result<Self, AsmError> {
                p.number(concat!("a number that fits ", stringify!($ty)))
            }

            fn default_value() -> Option<Self> {
                Some(0)
            }

            fn is_default(&self) -> bool {
                *self == 0
            }
        }
    )* };
}

number_text!(u32 i64);

impl Text for bool {
    fn print(&self, out: &mut Printer) {
        out.word(if *self { "true" } else { "false" });
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        match p.next() {
            Token::Word("true") => Ok(true),
            Token::Word("false") => Ok(false),
            found => p.unexpected(&found, "true or false"),
        }
    }

    fn default_value() -> Option<Self> {
        Some(false)
    }

    fn is_default(&self) -> bool {
        !*self
    }
}

impl Text for F64 {
    /// Shortest text that gives the same double; a NaN by its bits.
    fn print(&self, out: &mut Printer) {
        let value = self.get();
        if value.is_nan() { out.word(&format!("nan_{:016x}", self.0)) } else { out.word(&format!("{value:?}")) }
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        let token = p.next();
        let text = match token {
            Token::Number(text) | Token::Word(text) => text,
            found => return p.unexpected(&found, "a double"),
        };
        let bits = text.strip_prefix("nan_").and_then(|bits| u64::from_str_radix(bits, 16).ok()).map(F64);
        match bits.or_else(|| text.parse().ok().map(F64::new)) {
            Some(value) => Ok(value),
            None => p.error(format!("`{text}` is not a double")),
        }
    }
}

macro_rules! id_text {
    ($($ty:ident($repr:ty) = $prefix:literal;)*) => { $(
        impl Text for $ty {
            fn print(&self, out: &mut Printer) {
                out.word(&format!("{self:?}"));
            }

            fn parse(p: &mut Parser) -> Result<Self, AsmError> {
                p.id($prefix).map($ty)
            }
        }
    )* };
}

id_text! {
    IterId(u16) = "it";
    ArrayId(u32) = "a";
    TypeId(u32) = "t";
    FuncId(u32) = "f";
    ClassId(u32) = "c";
    VectorId(u32) = "v";
    SwitchId(u32) = "w";
}

impl Text for StrId {
    fn print(&self, out: &mut Printer) {
        out.string_id(*self);
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        if matches!(p.peek(), Token::Word(_)) {
            return p.id("s").map(StrId);
        }
        match p.next() {
            Token::String(bytes) => p.intern(bytes),
            found => p.unexpected(&found, "a string"),
        }
    }
}

impl Text for LocalId {
    fn print(&self, out: &mut Printer) {
        out.local(*self);
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        p.local()
    }
}

impl Text for Target {
    fn print(&self, out: &mut Printer) {
        out.target(*self);
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        p.target()
    }
}

impl<T: Text> Text for Option<T> {
    fn print(&self, out: &mut Printer) {
        match self {
            Some(value) => value.print(out),
            None => out.word("_"),
        }
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        if p.accept_word("_") { Ok(None) } else { T::parse(p).map(Some) }
    }

    fn default_value() -> Option<Self> {
        Some(None)
    }

    fn is_default(&self) -> bool {
        self.is_none()
    }
}

impl<T: Text> Text for Vec<T> {
    fn print(&self, out: &mut Printer) {
        out.open('[');
        for (index, value) in self.iter().enumerate() {
            if index > 0 {
                out.punct(",");
            }
            value.print(out);
        }
        out.close(']');
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        let mut values = Vec::new();
        p.expect('[')?;
        while !p.accept(']') {
            if !values.is_empty() {
                p.expect(',')?;
            }
            values.push(T::parse(p)?);
        }
        Ok(values)
    }

    fn default_value() -> Option<Self> {
        Some(Vec::new())
    }

    fn is_default(&self) -> bool {
        self.is_empty()
    }
}

impl<A: Text, B: Text> Text for (A, B) {
    fn print(&self, out: &mut Printer) {
        out.open('(');
        self.0.print(out);
        out.punct(",");
        self.1.print(out);
        out.close(')');
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        p.expect('(')?;
        let first = A::parse(p)?;
        p.expect(',')?;
        let second = B::parse(p)?;
        p.expect(')')?;
        Ok((first, second))
    }
}

fn print_flags(mut bits: u32, names: FlagNames, out: &mut Printer) {
    let mut words = Vec::new();
    for &(bit, name) in names {
        if bits & bit != 0 {
            words.push(name.to_owned());
            bits &= !bit;
        }
    }
    if bits != 0 || words.is_empty() {
        words.push(bits.to_string());
    }
    out.word(&words.join("|"));
}

fn parse_flags(names: FlagNames, p: &mut Parser) -> Result<u32, AsmError> {
    let mut bits = 0;
    loop {
        if matches!(p.peek(), Token::Number(_)) {
            bits |= p.number::<u32>("flag bits")?;
        } else {
            match p.next() {
                Token::Word(word) => match names.iter().find(|row| row.1 == word) {
                    Some(&(bit, _)) => bits |= bit,
                    None => return p.error(format!("there is no flag `{word}`")),
                },
                found => return p.unexpected(&found, "a flag"),
            }
        }
        if !p.accept('|') {
            return Ok(bits);
        }
    }
}

macro_rules! flags_text {
    ($($ty:ident = $names:ident;)*) => { $(
        impl Text for $ty {
            fn print(&self, out: &mut Printer) {
                print_flags(self.0, $names, out);
            }

            fn parse(p: &mut Parser) -> Result<Self, AsmError> {
                parse_flags($names, p).map($ty)
            }

            fn default_value() -> Option<Self> {
                Some($ty(0))
            }

            fn is_default(&self) -> bool {
                self.0 == 0
            }
        }
    )* };
}

flags_text! {
    FuncFlags = FUNC_FLAGS;
    Attrs = ATTRS;
}

const CLASS_KINDS: [(ClassKind, &str); 4] = [
    (ClassKind::Class, "class"),
    (ClassKind::Interface, "interface"),
    (ClassKind::Trait, "trait"),
    (ClassKind::Enum, "enum"),
];

impl Text for ClassKind {
    fn print(&self, out: &mut Printer) {
        let name = CLASS_KINDS.iter().find(|row| row.0 == *self).map_or("class", |row| row.1);
        out.word(name);
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        let found = p.next();
        match CLASS_KINDS.iter().find(|row| found == Token::Word(row.1)) {
            Some(&(kind, _)) => Ok(kind),
            None => p.unexpected(&found, "class, interface, trait or enum"),
        }
    }

    fn default_value() -> Option<Self> {
        Some(ClassKind::Class)
    }

    fn is_default(&self) -> bool {
        *self == ClassKind::Class
    }
}

impl Text for Literal {
    fn print(&self, out: &mut Printer) {
        match self {
            Literal::Null => out.word("null"),
            Literal::Bool(value) => value.print(out),
            Literal::Int(value) => value.print(out),
            Literal::Double(value) => value.print(out),
            Literal::Str(id) => id.print(out),
            Literal::Array(id) => id.print(out),
        }
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        match *p.peek() {
            Token::String(_) => StrId::parse(p).map(Literal::Str),
            Token::Number(text) if text == "-inf" || text.contains(['.', 'e']) => F64::parse(p).map(Literal::Double),
            Token::Number(_) => i64::parse(p).map(Literal::Int),
            Token::Word("true" | "false") => bool::parse(p).map(Literal::Bool),
            Token::Word("null") => {
                p.next();
                Ok(Literal::Null)
            }
            Token::Word(word) if word == "inf" || word.starts_with("nan") => F64::parse(p).map(Literal::Double),
            Token::Word(word) if word.starts_with('s') => StrId::parse(p).map(Literal::Str),
            _ => ArrayId::parse(p).map(Literal::Array),
        }
    }
}

impl Text for Init {
    fn print(&self, out: &mut Printer) {
        match self {
            Init::Literal(literal) => literal.print(out),
            Init::Thunk(id) => id.print(out),
        }
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        match p.peek() {
            Token::Word(word) if word.starts_with('f') && *word != "false" => FuncId::parse(p).map(Init::Thunk),
            _ => Literal::parse(p).map(Init::Literal),
        }
    }
}

impl Text for Key {
    fn print(&self, out: &mut Printer) {
        match self {
            Key::Int(value) => value.print(out),
            Key::Str(id) => id.print(out),
        }
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        match p.peek() {
            Token::Number(_) => i64::parse(p).map(Key::Int),
            _ => StrId::parse(p).map(Key::Str),
        }
    }
}

impl Text for Hoisted {
    fn print(&self, out: &mut Printer) {
        match self {
            Hoisted::Func(id) => id.print(out),
            Hoisted::Class(id) => id.print(out),
        }
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        match p.peek() {
            Token::Word(word) if word.starts_with('c') => ClassId::parse(p).map(Hoisted::Class),
            _ => FuncId::parse(p).map(Hoisted::Func),
        }
    }
}

impl Text for TraitRule {
    fn print(&self, out: &mut Printer) {
        match self {
            TraitRule::InsteadOf { trait_name, method, excluded } => {
                out.word("insteadof");
                (*trait_name, *method).print(out);
                excluded.print(out);
            }
            TraitRule::Alias { trait_name, method, attrs, alias } => {
                out.word("alias");
                (*trait_name, *method).print(out);
                (*attrs, *alias).print(out);
            }
        }
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        if p.accept_word("insteadof") {
            let (trait_name, method) = Text::parse(p)?;
            return Ok(TraitRule::InsteadOf { trait_name, method, excluded: Text::parse(p)? });
        }
        if p.accept_word("alias") {
            let (trait_name, method) = Text::parse(p)?;
            let (attrs, alias) = Text::parse(p)?;
            return Ok(TraitRule::Alias { trait_name, method, attrs, alias });
        }
        let found = p.next();
        p.unexpected(&found, "insteadof or alias")
    }
}

impl Text for ScalarArray {
    fn print(&self, out: &mut Printer) {
        out.open('[');
        for (index, (key, value)) in self.entries.iter().enumerate() {
            if index > 0 {
                out.punct(",");
            }
            key.print(out);
            out.word("=>");
            value.print(out);
        }
        out.close(']');
    }

    fn parse(p: &mut Parser) -> Result<Self, AsmError> {
        let mut entries = Vec::new();
        p.expect('[')?;
        while !p.accept(']') {
            if !entries.is_empty() {
                p.expect(',')?;
            }
            let key = Key::parse(p)?;
            p.expect_arrow()?;
            entries.push((key, Literal::parse(p)?));
        }
        Ok(ScalarArray { entries })
    }
}
