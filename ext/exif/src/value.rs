//! Values as they were read, by section, and as PHP shows them.

use crate::number::{self, Order, format};
use phlox_runtime::{PhpArr, Val, until_nul};

/// The sections of the result, in the order of their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Section {
    File,
    Computed,
    AnyTag,
    Ifd0,
    Thumbnail,
    Comment,
    #[expect(dead_code, reason = "scripts may ask for it, and it is never there")]
    App0,
    Exif,
    FlashPix,
    Gps,
    Interop,
    App12,
    WinXp,
    MakerNote,
}

/// Names of the sections.
pub const NAMES: [&str; 14] = [
    "FILE",
    "COMPUTED",
    "ANY_TAG",
    "IFD0",
    "THUMBNAIL",
    "COMMENT",
    "APP0",
    "EXIF",
    "FPIX",
    "GPS",
    "INTEROP",
    "APP12",
    "WINXP",
    "MAKERNOTE",
];

impl Section {
    /// The section's bit.
    pub fn bit(self) -> u32 {
        1 << self as usize
    }

    /// The name that scripts see.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }
}

/// A number of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Unsigned(u32),
    Signed(i32),
    UnsignedRatio(u32, u32),
    SignedRatio(i32, i32),
    Single(f32),
    Double(f64),
}

impl Number {
    /// Reads a number; `None`: the format is not one of numbers.
    pub fn read(data: &[u8], format: u16, order: Order) -> Option<Number> {
        let (first, second) = (order.long(data), order.long(data.get(4..).unwrap_or_default()));
        Some(match format {
            format::USHORT => Number::Unsigned(order.short(data).into()),
            format::ULONG => Number::Unsigned(first),
            format::URATIONAL => Number::UnsignedRatio(first, second),
            format::SSHORT => Number::Signed((order.short(data) as i16).into()),
            format::SLONG => Number::Signed(first as i32),
            format::SRATIONAL => Number::SignedRatio(first as i32, second as i32),
            format::SINGLE => Number::Single(number::single(data)),
            format::DOUBLE => Number::Double(number::double(data)),
            _ => return None,
        })
    }

    fn shown(self) -> Val {
        match self {
            // PHP cuts them to 32 bits with a sign.
            Number::Unsigned(number) => Val::int(i64::from(number as i32)),
            Number::Signed(number) => Val::int(number.into()),
            Number::UnsignedRatio(numerator, denominator) => format!("{numerator}/{denominator}").into(),
            Number::SignedRatio(numerator, denominator) => format!("{numerator}/{denominator}").into(),
            Number::Single(number) => Val::double(number.into()),
            Number::Double(number) => Val::double(number),
        }
    }

    /// Appends the number as directories have it.
    pub fn write(self, format: u16, order: Order, out: &mut Vec<u8>) {
        let put = |number: u32, out: &mut Vec<u8>| match format {
            format::USHORT | format::SSHORT => order.put_short(number as u16, out),
            _ => order.put_long(number, out),
        };
        match self {
            Number::Unsigned(number) => put(number, out),
            Number::Signed(number) => put(number as u32, out),
            Number::UnsignedRatio(numerator, denominator) => {
                order.put_long(numerator, out);
                order.put_long(denominator, out);
            }
            Number::SignedRatio(numerator, denominator) => {
                order.put_long(numerator as u32, out);
                order.put_long(denominator as u32, out);
            }
            Number::Single(number) => out.extend_from_slice(&number.to_le_bytes()),
            Number::Double(number) => out.extend_from_slice(&number.to_le_bytes()),
        }
    }
}

/// The data of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Nothing, which is null.
    Nothing,
    /// A text, which ends at a zero byte.
    Text(Vec<u8>),
    Bytes(Vec<u8>),
    Numbers(Vec<Number>),
}

/// A value with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub name: String,
    pub tag: u16,
    pub format: u16,
    pub data: Data,
}

impl Item {
    /// A value that is not from a directory.
    pub fn computed(name: &str, data: Data) -> Item {
        Item { name: name.to_owned(), tag: u16::MAX, format: format::UNDEFINED, data }
    }

    /// Number of components.
    pub fn length(&self) -> usize {
        match &self.data {
            Data::Nothing => 0,
            Data::Text(text) | Data::Bytes(text) => text.len(),
            Data::Numbers(numbers) => numbers.len(),
        }
    }

    fn shown(&self) -> Val {
        match &self.data {
            Data::Nothing => Val::NULL,
            Data::Text(text) => Val::str(until_nul(text)),
            Data::Bytes(bytes) => Val::str(bytes),
            Data::Numbers(numbers) => match numbers[..] {
                [number] => number.shown(),
                _ => PhpArr::from_vec(numbers.iter().map(|number| number.shown()).collect()).into(),
            },
        }
    }
}

/// Adds the values of a section to the result, as an array of their own or among the others.
pub fn add_section(result: &mut PhpArr, section: Section, items: &[Item], is_array: bool) {
    if items.is_empty() {
        return;
    }
    let mut own = PhpArr::new();
    let table = if is_array { &mut own } else { &mut *result };
    for item in items {
        let value = item.shown();
        if section == Section::Comment && matches!(item.data, Data::Text(_)) {
            // Comments are a list; there is room for one more in an array of this size.
            let _ = table.push(value);
        } else {
            table.set_bytes(item.name.as_bytes(), value);
        }
    }
    if is_array {
        result.set_bytes(section.name().as_bytes(), own.into());
    }
}
