//! The values in an object's data, by the layout of its class.

use std::collections::HashSet;

use crate::image::StaticObject;
use crate::{DataHolder, Image, ImageError, Kind, Reader};

/// A value in an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The property that has it, in objects with properties.
    pub prop: Option<u16>,
    /// The value.
    pub value: DataHolder,
}

/// What is known of an object's data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    /// What a TADS object inherits from.
    pub superclasses: Vec<u32>,
    /// The values, in the order of the data.
    pub parts: Vec<Part>,
    /// Words of a dictionary, or the text of a string.
    pub words: Vec<String>,
}

/// Reads an object's data. Damaged data give what comes before the damage.
pub fn of(image: &Image, object: &StaticObject) -> Contents {
    let mut contents = Contents::default();
    let mut data = Reader::new("OBJS", &image.file[object.data.clone()], object.data.start);
    // What was read before the error stays.
    let _ = read(image.class_name(object.metaclass), &mut data, &mut contents);
    contents
}

fn read(class: &str, data: &mut Reader<'_>, out: &mut Contents) -> Result<(), ImageError> {
    match class {
        "tads-object" | "int-class-mod" => {
            let (supers, count) = (data.u16()?, data.u16()?);
            data.u16()?;
            for _ in 0..supers {
                out.superclasses.push(data.u32()?);
            }
            for _ in 0..count {
                let prop = Some(data.u16()?);
                out.parts.push(Part { prop, value: data.holder()? });
            }
        }
        "vector" | "anon-func-ptr" => {
            data.u16()?;
            values(usize::from(data.u16()?), data, out)?;
        }
        "list" => values(usize::from(data.u16()?), data, out)?,
        "lookuptable" | "weakreflookuptable" => {
            let (buckets, count) = (data.u16()?, data.u16()?);
            data.skip(2 + 2 * usize::from(buckets))?;
            for _ in 0..count {
                values(2, data, out)?;
                data.u16()?;
            }
            if data.left() >= 5 {
                values(1, data, out)?;
            }
        }
        "intrinsic-class" => {
            let size = data.u16()?;
            data.u16()?;
            out.superclasses.extend(Some(data.u32()?).filter(|modifier| *modifier != 0));
            if size >= 13 {
                values(1, data, out)?;
            }
        }
        "regex-pattern" | "indexed-iterator" | "lookuptable-iterator" => values(1, data, out)?,
        "string" => out.words.push(data.long_name()?),
        "dictionary2" => {
            data.u32()?;
            for _ in 0..data.u16()? {
                let length = usize::from(data.u8()?);
                let word: Vec<u8> = data.bytes(length)?.iter().map(|byte| byte ^ 0xbd).collect();
                out.words.push(String::from_utf8_lossy(&word).into_owned());
                let uses = usize::from(data.u16()?);
                data.skip(6 * uses)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn values(count: usize, data: &mut Reader<'_>, out: &mut Contents) -> Result<(), ImageError> {
    for _ in 0..count {
        out.parts.push(Part { prop: None, value: data.holder()? });
    }
    Ok(())
}

/// The elements of a list in the constant pool; none if it is not there.
pub fn constant_list(image: &Image, offset: u32) -> Vec<DataHolder> {
    let Some(bytes) = image.constants.bytes.get(offset as usize..) else { return Vec::new() };
    let mut data = Reader::new("constants", bytes, offset as usize);
    let count = data.u16().map_or(0, usize::from);
    (0..count).map_while(|_| data.holder().ok()).collect()
}

/// Code that values lead to, through lists of the constant pool, too.
#[derive(Debug, Default)]
pub struct CodeFinder {
    lists: HashSet<u32>,
    /// Offsets of functions and methods.
    pub found: Vec<usize>,
}

impl CodeFinder {
    /// Follows a value.
    pub fn follow(&mut self, image: &Image, value: DataHolder) {
        let mut waiting = vec![value];
        while let Some(value) = waiting.pop() {
            match Kind::from_code(value.kind) {
                Some(Kind::Code | Kind::Function) => self.found.push(value.raw as usize),
                Some(Kind::List) if self.lists.insert(value.raw) => waiting.extend(constant_list(image, value.raw)),
                _ => {}
            }
        }
    }
}

impl Image {
    /// The name of a metaclass by its number, without the version; empty if there is none.
    pub fn class_name(&self, metaclass: u16) -> &str {
        let name = self.metaclasses.get(usize::from(metaclass)).map_or("", |row| row.name.as_str());
        name.split_once('/').map_or(name, |(name, _)| name)
    }
}
