//! The kinds of tests that rules have, and what is known of each.

/// How a kind reads what it compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Invalid,
    Int,
    /// Seconds since 1970, or since 1601 in steps of 100 ns.
    Date(Zone),
    DosDate,
    DosTime,
    Float,
    Double,
    /// The tag size of ID3, which only indirect offsets have.
    Id3,
    String,
    /// A text after its length.
    Pascal,
    /// A text of 16-bit units.
    Wide,
    Regex,
    Search,
    Octal,
    /// A value of the Distinguished Encoding Rules.
    Der,
    Guid,
    /// The offset itself.
    Offset,
    Varint,
    Default,
    Clear,
    /// Tests the rest of the file with all rules.
    Indirect,
    /// The head of rules that `Use` refers to.
    Name,
    Use,
}

/// How a date is counted and shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zone {
    Utc,
    Local,
    Windows,
}

/// The order of the bytes of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The machine's own, which is little here, but is never turned round.
    Native,
    Little,
    Big,
    Middle,
}

/// What a description may show of the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    Nothing,
    Number,
    Quad,
    Float,
    Text,
}

/// A row of the table of kinds.
pub struct Kind {
    pub name: &'static str,
    pub shape: Shape,
    pub order: Order,
    /// Bytes of the value; 0 where that is not fixed.
    pub size: usize,
    pub shown: Shown,
}

const fn row(name: &'static str, shape: Shape, order: Order, size: usize, shown: Shown) -> Kind {
    Kind { name, shape, order, size, shown }
}

use Order::{Big, Little, Middle, Native};
use Shape::*;
use Shown::{Nothing, Number, Quad, Text};
use Zone::{Local, Utc, Windows};

/// The kinds by their number in compiled rules.
pub const KINDS: [Kind; 60] = [
    row("invalid", Invalid, Native, 0, Nothing),
    row("byte", Int, Native, 1, Number),
    row("short", Int, Native, 2, Number),
    row("default", Default, Native, 0, Nothing),
    row("long", Int, Native, 4, Number),
    row("string", String, Native, 0, Text),
    row("date", Date(Utc), Native, 4, Text),
    row("beshort", Int, Big, 2, Number),
    row("belong", Int, Big, 4, Number),
    row("bedate", Date(Utc), Big, 4, Text),
    row("leshort", Int, Little, 2, Number),
    row("lelong", Int, Little, 4, Number),
    row("ledate", Date(Utc), Little, 4, Text),
    row("pstring", Pascal, Native, 0, Text),
    row("ldate", Date(Local), Native, 4, Text),
    row("beldate", Date(Local), Big, 4, Text),
    row("leldate", Date(Local), Little, 4, Text),
    row("regex", Regex, Native, 0, Text),
    row("bestring16", Wide, Big, 0, Text),
    row("lestring16", Wide, Little, 0, Text),
    row("search", Search, Native, 0, Text),
    row("medate", Date(Utc), Middle, 4, Text),
    row("meldate", Date(Local), Middle, 4, Text),
    row("melong", Int, Middle, 4, Number),
    row("quad", Int, Native, 8, Quad),
    row("lequad", Int, Little, 8, Quad),
    row("bequad", Int, Big, 8, Quad),
    row("qdate", Date(Utc), Native, 8, Text),
    row("leqdate", Date(Utc), Little, 8, Text),
    row("beqdate", Date(Utc), Big, 8, Text),
    row("qldate", Date(Local), Native, 8, Text),
    row("leqldate", Date(Local), Little, 8, Text),
    row("beqldate", Date(Local), Big, 8, Text),
    row("float", Float, Native, 4, Shown::Float),
    row("befloat", Float, Big, 4, Shown::Float),
    row("lefloat", Float, Little, 4, Shown::Float),
    row("double", Double, Native, 8, Shown::Float),
    row("bedouble", Double, Big, 8, Shown::Float),
    row("ledouble", Double, Little, 8, Shown::Float),
    row("beid3", Id3, Big, 4, Number),
    row("leid3", Id3, Little, 4, Number),
    row("indirect", Indirect, Native, 0, Number),
    row("qwdate", Date(Windows), Native, 8, Text),
    row("leqwdate", Date(Windows), Little, 8, Text),
    row("beqwdate", Date(Windows), Big, 8, Text),
    row("name", Name, Native, 0, Nothing),
    row("use", Use, Native, 0, Nothing),
    row("clear", Clear, Native, 0, Nothing),
    row("der", Der, Native, 0, Text),
    row("guid", Guid, Native, 16, Text),
    row("offset", Offset, Native, 8, Quad),
    row("bevarint", Varint, Big, 8, Text),
    row("levarint", Varint, Little, 8, Text),
    row("msdosdate", DosDate, Native, 2, Text),
    row("lemsdosdate", DosDate, Little, 2, Text),
    row("bemsdosdate", DosDate, Big, 2, Text),
    row("msdostime", DosTime, Native, 2, Text),
    row("lemsdostime", DosTime, Little, 2, Text),
    row("bemsdostime", DosTime, Big, 2, Text),
    row("octal", Octal, Native, 0, Text),
];

/// The row of a kind; numbers beyond the table are invalid.
pub fn kind(number: u8) -> &'static Kind {
    KINDS.get(usize::from(number)).unwrap_or(&KINDS[0])
}

/// The number of a kind by its name.
pub fn number(name: &str) -> u8 {
    KINDS.iter().position(|row| row.name == name).unwrap_or(0) as u8
}

/// Does the mask of a rule of this shape hold a range and flags?
pub fn is_text(shape: Shape) -> bool {
    matches!(shape, String | Pascal | Wide | Regex | Search | Indirect | Name | Use | Octal)
}
