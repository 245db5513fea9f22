//! What is said of compound documents: their properties, or what the names in them tell.

use crate::cdf::{Damage, Document, Entry, STORAGE, STREAM, u16_at, u32_at, u64_at};
use crate::format::{self, Value};
use crate::output::{APPLE, Done, EXTENSION, MIME, MIME_TYPE, Output};
use crate::rule::until_nul;
use crate::time;

/// Parts of names of programs, and the MIME types of their documents.
const PROGRAMS: [(&str, &str); 9] = [
    ("word", "msword"),
    ("excel", "vnd.ms-excel"),
    ("powerpoint", "vnd.ms-powerpoint"),
    ("crystal reports", "x-rpt"),
    ("advanced installer", "vnd.ms-msi"),
    ("installshield", "vnd.ms-msi"),
    ("microsoft patch compiler", "vnd.ms-msi"),
    ("nant", "vnd.ms-msi"),
    ("windows installer", "vnd.ms-msi"),
];

/// Parts of names of entries, and the MIME types of their documents.
const NAMES: [(&str, &str); 4] = [
    ("book", "vnd.ms-excel"),
    ("worddocument", "msword"),
    ("powerpoint", "vnd.ms-powerpoint"),
    ("digitalsignature", "vnd.ms-msi"),
];

/// Classes of documents, with MIME type and description.
const CLASSES: [([u64; 2], &str, &str); 1] =
    [([0x0000_0000_000c_1084, 0x4600_0000_0000_00c0], "x-msi", "MSI Installer")];

/// A kind of document that entries tell, with its MIME type.
struct Section {
    name: &'static str,
    mime: &'static str,
    entries: &'static [(&'static str, u8)],
}

const SECTIONS: [Section; 6] = [
    Section {
        name: "Encrypted",
        mime: "encrypted",
        entries: &[("EncryptedPackage", STREAM), ("EncryptedSummary", STREAM)],
    },
    Section { name: "QuickBooks", mime: "quickbooks", entries: &[("mfbu_header", STREAM)] },
    Section { name: "Microsoft Excel", mime: "vnd.ms-excel", entries: &[("Book", STREAM), ("Workbook", STREAM)] },
    Section { name: "Microsoft Word", mime: "msword", entries: &[("WordDocument", STREAM)] },
    Section { name: "Microsoft PowerPoint", mime: "vnd.ms-powerpoint", entries: &[("PowerPoint", STREAM)] },
    Section {
        name: "Microsoft Outlook Message",
        mime: "vnd.ms-outlook",
        entries: &[("__properties_version1.0", STREAM), ("__recip_version1.0_#00000000", STORAGE)],
    },
];

const NAME_OF_APPLICATION: u32 = 0x12;

/// The names of properties.
const PROPERTIES: [(u32, &str); 20] = [
    (0x01, "Code page"),
    (0x02, "Title"),
    (0x03, "Subject"),
    (0x04, "Author"),
    (0x05, "Keywords"),
    (0x06, "Comments"),
    (0x07, "Template"),
    (0x08, "Last Saved By"),
    (0x09, "Revision Number"),
    (0x0a, "Total Editing Time"),
    (0x0b, "Last Printed"),
    (0x0c, "Create Time/Date"),
    (0x0d, "Last Saved Time/Date"),
    (0x0e, "Number of Pages"),
    (0x0f, "Number of Words"),
    (0x10, "Number of Characters"),
    (0x11, "Thumbnail"),
    (NAME_OF_APPLICATION, "Name of Creating Application"),
    (0x13, "Security"),
    (0x8000_0000, "Locale ID"),
];

/// A property's value.
enum Property {
    Nothing,
    Short(i16),
    Long(i32),
    Unsigned(u32),
    Float(f64),
    /// A text of bytes, or of 16-bit units.
    Text {
        bytes: Vec<u8>,
        is_wide: bool,
    },
    Time(i64),
    /// A kind that ends the description.
    Unknown,
}

const VECTOR: u32 = 0x1000;
const TYPE: u32 = 0xfff;
const TEXT: u32 = 0x1e;
const WIDE_TEXT: u32 = 0x1f;
/// Arrays, references and reserved kinds, which are not read.
const NOT_READ: u32 = 0x2000 | 0x4000 | 0x8000;
const LONGEST_VECTOR: u32 = 100_000;
const LONGEST_SECTION: u32 = u32::MAX / 64;
const MOST_PROPERTIES: usize = u32::MAX as usize / (64 * 24);

/// The properties of a section.
fn read_properties(stream: &[u8]) -> Option<Vec<(u32, Property)>> {
    const DECLARATION: usize = 0x1c;
    if stream.len() < DECLARATION + 20 {
        return None;
    }
    let start = u32_at(stream, DECLARATION + 16);
    if start > u32::MAX / 4 {
        return None;
    }
    let start = start as usize;
    let (length, count) = (u32_at(stream, start), u32_at(stream, start.checked_add(4)?) as usize);
    let end = start.checked_add(length as usize)?;
    let first = start + 8;
    if stream.len() < first || length > LONGEST_SECTION || end > stream.len() || first >= end {
        return None;
    }
    if count > MOST_PROPERTIES {
        return None;
    }
    let mut properties = Vec::new();
    let mut index = 0;
    while index < count {
        let place = first + 8 * index;
        if place + 8 > stream.len() {
            return None;
        }
        let offset = (u32_at(stream, place + 4) as usize).checked_sub(8).filter(|offset| *offset <= end - first)?;
        read_property(&stream[first + offset..end], u32_at(stream, place), count, &mut index, &mut properties)?;
        index += 1;
    }
    Some(properties)
}

/// Reads a property, or a list of texts, which takes the places of the properties after it.
fn read_property(
    data: &[u8],
    id: u32,
    count: usize,
    index: &mut usize,
    properties: &mut Vec<(u32, Property)>,
) -> Option<()> {
    if data.len() < 4 {
        return None;
    }
    let kind = u32_at(data, 0);
    let is_vector = kind & VECTOR != 0;
    let mut elements = 1;
    if is_vector {
        elements = u32_at(data, 4);
        if data.len() < 8 || elements == 0 || elements > LONGEST_VECTOR {
            return None;
        }
    }
    if kind & NOT_READ == 0 && matches!(kind & TYPE, TEXT | WIDE_TEXT) {
        return read_texts(data, id, (kind, elements), count, index, properties);
    }
    // A value that is cut off is zero.
    let value = &data[4..];
    let fixed = |size: usize| if value.len() >= size { value } else { &[] };
    let property = match kind {
        1 | 0x47 => Property::Nothing,
        2 => Property::Short(u16_at(fixed(2), 0) as i16),
        3 => Property::Long(u32_at(fixed(4), 0) as i32),
        0x13 => Property::Unsigned(u32_at(fixed(4), 0)),
        4 => Property::Float(f64::from(f32::from_bits(u32_at(fixed(4), 0)))),
        5 => Property::Float(f64::from_bits(u64_at(fixed(8), 0))),
        0x40 => Property::Time(u64_at(fixed(8), 0) as i64),
        _ => Property::Unknown,
    };
    properties.push((id, property));
    Some(())
}

fn read_texts(
    data: &[u8],
    id: u32,
    (kind, elements): (u32, u32),
    count: usize,
    index: &mut usize,
    properties: &mut Vec<(u32, Property)>,
) -> Option<()> {
    let is_wide = kind == WIDE_TEXT;
    let mut words = if kind & VECTOR != 0 { 2 } else { 1 };
    let mut read = 0;
    while read < elements && *index < count {
        let place = words * 4;
        if place + 4 > data.len() {
            return None;
        }
        let length = u32_at(data, place) as usize;
        let text = data.get(place + 4..(place + 4).checked_add(length)?)?;
        // A list has a kind of its own, which ends the description.
        let property = match kind {
            TEXT | WIDE_TEXT => Property::Text { bytes: text.to_vec(), is_wide },
            _ => Property::Unknown,
        };
        properties.push((if read == 0 { id } else { 0 }, property));
        words += (length + length % 2) / 2;
        read += 1;
        *index += 1;
    }
    *index -= 1;
    Some(())
}

fn property_name(id: u32) -> String {
    let known = PROPERTIES.iter().find(|(known, _)| *known == id);
    known.map_or_else(|| if id == 0 { "0".to_owned() } else { format!("{id:#x}") }, |(_, name)| (*name).to_owned())
}

/// The printable characters of a text, as far as its first NUL.
fn printable(bytes: &[u8], is_wide: bool) -> Vec<u8> {
    const MOST: usize = 1023;
    let step = if is_wide { 2 } else { 1 };
    let units = bytes.iter().step_by(step).take_while(|&&byte| byte != 0);
    units.filter(|byte| (b' '..=b'~').contains(byte)).take(MOST).copied().collect()
}

fn of_program(name: &[u8]) -> Option<&'static str> {
    let lower = until_nul(name).to_ascii_lowercase();
    PROGRAMS.iter().find(|(part, _)| memchr::memmem::find(&lower, part.as_bytes()).is_some()).map(|(_, mime)| *mime)
}

fn class_of(root: Option<&Entry>) -> Option<(&'static str, &'static str)> {
    let id = root?.class_id;
    CLASSES.iter().find(|(known, ..)| *known == id).map(|(_, mime, name)| (*mime, *name))
}

/// Writes properties. `Ok(None)`: one of them is not understood, which ends the description.
fn say_properties(out: &mut Output, properties: &[(u32, Property)], root: Option<&Entry>) -> Done<Option<bool>> {
    let mime = out.has(MIME);
    let mut kind = if mime { class_of(root).map(|(mime, _)| mime) } else { None };
    for (id, property) in properties {
        let name = property_name(*id);
        let text = match property {
            Property::Nothing => continue,
            Property::Unknown => return Ok(None),
            Property::Short(value) => value.to_string().into_bytes(),
            Property::Long(value) => value.to_string().into_bytes(),
            Property::Unsigned(value) => value.to_string().into_bytes(),
            Property::Float(value) => format::fill(b"%g", Value::Float(*value)),
            Property::Text { bytes, .. } if bytes.len() <= 1 => continue,
            Property::Text { bytes, is_wide } => {
                let text = printable(bytes, *is_wide);
                if mime && kind.is_none() && *id == NAME_OF_APPLICATION {
                    kind = of_program(&text);
                }
                if text.is_empty() {
                    continue;
                }
                text
            }
            Property::Time(0) => continue,
            Property::Time(ticks) if *ticks < 1_000_000_000_000_000 => time::elapsed(*ticks).into_bytes(),
            Property::Time(ticks) => time::document(*ticks).into_bytes(),
        };
        if !mime {
            out.print(&[b", ", name.as_bytes(), b": ", &text].concat())?;
        }
    }
    if out.has(MIME_TYPE) {
        let Some(kind) = kind else { return Ok(Some(false)) };
        out.print(format!("application/{kind}").as_bytes())?;
    }
    Ok(Some(true))
}

/// Writes what the head of the properties says.
fn say_head(out: &mut Output, stream: &[u8], root: Option<&Entry>) -> Done<()> {
    let endian = if u16_at(stream, 0) == 0xfffe { "Little" } else { "Big" };
    out.print(b"Composite Document File V2 Document")?;
    out.print(format!(", {endian} Endian").as_bytes())?;
    let (version, system) = (u16_at(stream, 4), u16_at(stream, 6));
    let (low, high) = (version & 0xff, version >> 8);
    let text = match system {
        2 => format!(", Os: Windows, Version {low}.{high}"),
        1 => format!(", Os: MacOS, Version {high}.{low}"),
        other => format!(", Os {other}, Version: {low}.{high}"),
    };
    out.print(text.as_bytes())?;
    if let Some((_, name)) = class_of(root) {
        out.print(format!(", {name}").as_bytes())?;
    }
    Ok(())
}

/// Describes a document by a stream of properties; false: they do not say enough.
fn say_summary(out: &mut Output, document: &Document<'_>, stream: &[u8]) -> Done<bool> {
    let Some(properties) = read_properties(stream) else { return Ok(false) };
    if !out.has(MIME) {
        say_head(out, stream, document.root())?;
    }
    match say_properties(out, &properties, document.root())? {
        None => return Ok(false),
        Some(true) => return Ok(true),
        Some(false) => {}
    }
    // Only a MIME type that the properties do not tell comes here.
    let found = document.entries.iter().find_map(|entry| {
        let lower = until_nul(&entry.name.map(|unit| unit as u8)).to_ascii_lowercase();
        NAMES.iter().find(|(part, _)| memchr::memmem::find(&lower, part.as_bytes()).is_some())
    });
    let mime = found.map_or("vnd.ms-office", |(_, mime)| mime);
    out.print(format!("application/{mime}").as_bytes())?;
    Ok(true)
}

/// Describes a document by the names of its entries.
fn say_section(out: &mut Output, document: &Document<'_>) -> Done<bool> {
    let has = |section: &&Section| section.entries.iter().any(|(name, kind)| document.find(name, *kind).is_some());
    let Some(section) = SECTIONS.iter().find(has) else { return Ok(false) };
    if !out.has(MIME) {
        out.print(format!("CDFV2 {}", section.name).as_bytes())?;
    } else if out.has(MIME_TYPE) {
        out.print(format!("application/{}", section.mime).as_bytes())?;
    }
    Ok(true)
}

/// Says that a file is a document, and what is wrong with it.
fn say_default(out: &mut Output, problem: &str) -> Done<bool> {
    if !out.has(MIME) {
        out.print(b"Composite Document File V2 Document")?;
        out.print(format!(", {problem}").as_bytes())?;
    } else if out.has(MIME_TYPE) {
        out.print(b"application/x-ole-storage")?;
    }
    Ok(true)
}

/// Describes a compound document; false: the file is none.
pub fn describe(out: &mut Output, data: &[u8]) -> Done<bool> {
    const SIGNATURE: &[u8] = b"HWP Document File";
    if out.has(APPLE | EXTENSION) {
        return Ok(false);
    }
    let document = match Document::read(data) {
        Ok(document) => document,
        Err(Damage::Other) => return Ok(false),
        Err(Damage::Part(problem)) => return say_default(out, problem),
    };
    if document.stream("FileHeader").is_some_and(|stream| stream.starts_with(SIGNATURE)) {
        if !out.has(MIME) {
            out.print(b"Hancom HWP (Hangul Word Processor) file, version 5.0")?;
        } else if out.has(MIME_TYPE) {
            out.print(b"application/x-hwp")?;
        }
        return Ok(true);
    }
    for name in ["\u{5}SummaryInformation", "\u{5}DocumentSummaryInformation"] {
        if let Some(stream) = document.stream(name) {
            if say_summary(out, &document, &stream)? {
                return Ok(true);
            }
        }
    }
    if say_section(out, &document)? {
        return Ok(true);
    }
    say_default(out, "Cannot read section info")
}
