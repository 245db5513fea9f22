//! Images as text: headers and tables, then every method that can be found.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::contents::{self, CodeFinder, Contents};
use crate::debug;
use crate::decode::{Extra, Instruction, decode};
use crate::image::StaticObject;
use crate::method::Method;
use crate::names::{Names, holder, quoted};
use crate::ops::Operand;
use crate::{DataHolder, Image, Kind, Op};

/// One instruction as text, without its offset.
pub fn instruction(inst: &Instruction<'_>) -> String {
    let mut out = inst.op.info().name.to_ascii_lowercase();
    for (operand, value) in inst.op.info().operands.iter().zip(inst.values) {
        match operand {
            Operand::Branch => {
                let _ = write!(out, " L{value:x}");
            }
            Operand::Function => {
                let _ = write!(out, " F{value:x}");
            }
            Operand::String | Operand::List => {
                let _ = write!(out, " @{value:x}");
            }
            Operand::InlineString => {
                if let Extra::Text(text) = inst.extra {
                    let _ = write!(out, " {}", quoted(&String::from_utf8_lossy(text)));
                }
            }
            Operand::Cases => {
                if let Extra::Cases(rows, default) = &inst.extra {
                    for (value, target) in rows {
                        let _ = write!(out, " {}:L{target:x}", holder(*value));
                    }
                    let _ = write!(out, " default:L{default:x}");
                }
            }
            Operand::NamedPointer => {
                let _ = write!(out, " {value} L{:x}", inst.values[1]);
            }
            Operand::NamedTable => {
                if let Extra::Names(names) = &inst.extra {
                    for name in names {
                        let _ = write!(out, " {}", quoted(&String::from_utf8_lossy(name)));
                    }
                }
            }
            _ => {
                let _ = write!(out, " {value}");
            }
        }
    }
    out
}

/// The whole image, a piece at a time: tables, objects, methods.
pub fn write(image: &Image, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    writeln!(out, "; version {}, entry F{:x}", image.version, image.entry.code)?;
    for (at, row) in image.metaclasses.iter().enumerate() {
        writeln!(out, "; metaclass {at}: {} {:?}", row.name, row.properties)?;
    }
    for (at, name) in image.function_sets.iter().enumerate() {
        writeln!(out, "; function set {at}: {name}")?;
    }
    for symbol in &image.exports {
        writeln!(out, "; export {} = {}", symbol.name, holder(symbol.value))?;
    }
    let mut names = Names::of(image);
    for object in &image.objects {
        let contents = contents::of(image, object);
        names.add_methods(object.id, &contents);
        self::object(image, &names, object, &contents, out)?;
    }
    for (offset, method) in methods(image) {
        let mut text = String::new();
        self::method(image, &names, offset, &method, &mut text);
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

fn object(
    image: &Image,
    names: &Names,
    object: &StaticObject,
    contents: &Contents,
    out: &mut dyn std::io::Write,
) -> std::io::Result<()> {
    let class = image.class_name(object.metaclass);
    let supers: Vec<String> = contents.superclasses.iter().map(|id| names.object(*id)).collect();
    let colon = if supers.is_empty() { "" } else { ": " };
    writeln!(out, "\nobject {} {} ({class}){colon}{}", object.id, names.object(object.id), supers.join(", "))?;
    for part in &contents.parts {
        let value = names.value(image, part.value);
        match part.prop {
            Some(prop) => writeln!(out, "  {} = {value}", names.prop(prop.into()))?,
            None => writeln!(out, "  {value}")?,
        }
    }
    for word in &contents.words {
        writeln!(out, "  {}", quoted(word))?;
    }
    Ok(())
}

/// All methods that the entry point, exports, objects and constants lead to.
pub fn methods(image: &Image) -> BTreeMap<usize, Method> {
    let mut finder = CodeFinder::default();
    finder.found.push(image.entry.code as usize);
    finder.found.extend(image.method_list.iter().map(|offset| *offset as usize));
    image.exports.iter().for_each(|symbol| finder.follow(image, symbol.value));
    for object in &image.objects {
        contents::of(image, object).parts.iter().for_each(|part| finder.follow(image, part.value));
    }
    let mut found = BTreeMap::new();
    while let Some(offset) = finder.found.pop() {
        if found.contains_key(&offset) {
            continue;
        }
        let Some(method) = Method::read(&image.code.bytes, offset, image.entry.method_header_size) else { continue };
        found.insert(offset, method);
        for at in reachable(image, &method) {
            let Ok(inst) = decode(&image.code.bytes, at) else { continue };
            for (operand, value) in inst.op.info().operands.iter().zip(inst.values) {
                match operand {
                    Operand::Function => finder.found.push(value as usize),
                    Operand::List => finder.follow(image, DataHolder::new(Kind::List, value as u32)),
                    _ => {}
                }
            }
        }
    }
    found
}

/// Offsets of a method's instructions.
fn reachable(image: &Image, method: &Method) -> BTreeSet<usize> {
    let pool = &image.code.bytes;
    let handlers = method.handlers(pool, image.entry.exception_entry_size).unwrap_or_default();
    let mut work: Vec<usize> = handlers.iter().map(|row| row.target).chain([method.code]).collect();
    let mut found = BTreeSet::new();
    while let Some(at) = work.pop() {
        if !found.insert(at) {
            continue;
        }
        let Ok(inst) = decode(pool, at) else { continue };
        work.extend(inst.targets());
        if !inst.op.is_terminal() || inst.op == crate::Op::LJSR {
            work.push(inst.next);
        }
    }
    found
}

fn method(image: &Image, names: &Names, offset: usize, method: &Method, out: &mut String) {
    let more = if method.varargs { "+" } else { "" };
    let name = names.code(offset).map(|name| format!(" {name}")).unwrap_or_default();
    let _ = writeln!(
        out,
        "\nF{offset:x}:{name} args {}{more} optional {} locals {} stack {}",
        method.required, method.optional, method.locals, method.stack
    );
    let handlers = method.handlers(&image.code.bytes, image.entry.exception_entry_size).unwrap_or_default();
    for row in handlers {
        let class = if row.class == 0 { "all".to_owned() } else { names.object(row.class) };
        let _ = writeln!(out, "  catch {class} L{:x}..L{:x} L{:x}", row.start, row.end, row.target);
    }
    let mut shown = None;
    for at in reachable(image, method) {
        let line = debug::line(image, offset as u32, at as u32);
        if line.is_some() && line != shown {
            shown = line;
            let (file, line) = line.unwrap_or_default();
            let file = image.sources.get(file).map_or("?", |source| source.name.as_str());
            let _ = writeln!(out, "  ; {file}:{line}");
        }
        match decode(&image.code.bytes, at) {
            Ok(inst) => {
                let notes = notes(image, names, &inst);
                let _ = writeln!(out, "L{at:x}: {}{notes}", instruction(&inst));
            }
            Err(error) => {
                let _ = writeln!(out, "L{at:x}: ; {error:?}");
            }
        }
    }
}

/// What the operands of an instruction stand for, as a comment.
fn notes(image: &Image, names: &Names, inst: &Instruction<'_>) -> String {
    let mut notes = Vec::new();
    for (operand, value) in inst.op.info().operands.iter().zip(inst.values) {
        let raw = value as u32;
        match operand {
            Operand::Object => notes.push(names.object(raw)),
            Operand::Prop => notes.push(names.prop(raw)),
            Operand::Function => notes.extend(names.code(raw as usize).map(str::to_owned)),
            Operand::String => notes.push(names.text(image, raw)),
            _ => {}
        }
    }
    if let Some(set) = (inst.op as u8).checked_sub(Op::BUILTIN_A as u8).filter(|set| *set < 4) {
        notes.push(names.builtin(set.into(), inst.values[1] as u32));
    }
    if notes.is_empty() { String::new() } else { format!(" ; {}", notes.join(" ")) }
}
