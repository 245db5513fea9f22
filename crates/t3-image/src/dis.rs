//! Images as text: headers and tables, then every method that can be found.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;

use crate::decode::{Extra, Instruction, decode};
use crate::method::Method;
use crate::ops::Operand;
use crate::{DataHolder, Image, Kind};

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

/// The whole image.
pub fn image(image: &Image) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "; version {}, entry F{:x}", image.version, image.entry.code);
    for (at, row) in image.metaclasses.iter().enumerate() {
        let _ = writeln!(out, "; metaclass {at}: {} {:?}", row.name, row.properties);
    }
    for (at, name) in image.function_sets.iter().enumerate() {
        let _ = writeln!(out, "; function set {at}: {name}");
    }
    for symbol in &image.exports {
        let _ = writeln!(out, "; export {} = {}", symbol.name, holder(symbol.value));
    }
    for object in &image.objects {
        let _ = writeln!(out, "; object {} metaclass {} ({} bytes)", object.id, object.metaclass, object.data.len());
    }
    for (offset, method) in methods(image) {
        self::method(image, offset, &method, &mut out);
    }
    out
}

/// All methods that the entry point, objects and constants lead to.
pub fn methods(image: &Image) -> BTreeMap<usize, Method> {
    let mut work: VecDeque<usize> = VecDeque::from([image.entry.code as usize]);
    work.extend(image.method_list.iter().map(|offset| *offset as usize));
    for object in &image.objects {
        // Any holder in an object's data that looks like code is taken for it.
        let data = &image.file[object.data.clone()];
        for window in data.windows(5) {
            if window[0] == Kind::Code as u8 || window[0] == Kind::Function as u8 {
                let raw = u32::from_le_bytes([window[1], window[2], window[3], window[4]]);
                if (raw as usize) < image.code.bytes.len() {
                    work.push_back(raw as usize);
                }
            }
        }
    }
    let mut found = BTreeMap::new();
    while let Some(offset) = work.pop_front() {
        if found.contains_key(&offset) {
            continue;
        }
        let Some(method) = Method::read(&image.code.bytes, offset, image.entry.method_header_size) else { continue };
        found.insert(offset, method);
        for at in reachable(image, &method) {
            if let Ok(inst) = decode(&image.code.bytes, at) {
                for (operand, value) in inst.op.info().operands.iter().zip(inst.values) {
                    if *operand == Operand::Function {
                        work.push_back(value as usize);
                    }
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

fn method(image: &Image, offset: usize, method: &Method, out: &mut String) {
    let more = if method.varargs { "+" } else { "" };
    let _ = writeln!(
        out,
        "\nF{offset:x}: args {}{more} optional {} locals {} stack {}",
        method.required, method.optional, method.locals, method.stack
    );
    let handlers = method.handlers(&image.code.bytes, image.entry.exception_entry_size).unwrap_or_default();
    for row in handlers {
        let _ = writeln!(out, "  catch {} L{:x}..L{:x} L{:x}", row.class, row.start, row.end, row.target);
    }
    for at in reachable(image, method) {
        match decode(&image.code.bytes, at) {
            Ok(inst) => {
                let _ = writeln!(out, "L{at:x}: {}", instruction(&inst));
            }
            Err(error) => {
                let _ = writeln!(out, "L{at:x}: ; {error:?}");
            }
        }
    }
}
