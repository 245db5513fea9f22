//! The block structure of an image: every block type, read into plain tables.
//!
//! What an object's data mean is the business of its metaclass, so object data stay bytes here.

use std::ops::Range;

use crate::{DataHolder, ImageError, Reader};

/// What every image starts with.
pub const SIGNATURE: &[u8; 11] = b"T3-image\r\n\x1a";
/// Offset of the first block.
pub const FIRST_BLOCK: usize = 69;
/// More than any real program has; keeps a damaged page count from asking for all memory.
const MAX_POOL: usize = 1 << 28;
/// Object identifiers above this are refused: the machine's object table is dense.
pub const MAX_OBJECT_ID: u32 = 1 << 24;

/// The ENTP block: where to start and how large the records in the code pool are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct EntryPoint {
    pub code: u32,
    pub method_header_size: usize,
    pub exception_entry_size: usize,
    pub line_entry_size: usize,
    pub debug_header_size: usize,
    pub local_record_size: usize,
    pub debug_version: u16,
    pub frame_header_size: usize,
}

/// One pool, its pages joined so that an offset is an index.
#[derive(Debug, Clone, Default)]
pub struct Pool {
    /// The bytes of all pages with their masks taken off.
    pub bytes: Vec<u8>,
    /// Size of a page; no item crosses a page.
    pub page_size: usize,
    /// Number of pages that the definition announced.
    pub pages: usize,
}

/// A row of the metaclass table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetaclassDependency {
    /// Name and version, such as `list/030008`.
    pub name: String,
    /// The n-th property calls the n-th method.
    pub properties: Vec<u16>,
}

/// An object with its initial state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaticObject {
    /// Identifier; never 0.
    pub id: u32,
    /// Row of the metaclass table.
    pub metaclass: u16,
    /// Whether it is left out of saved games and undo.
    pub transient: bool,
    /// Where its data are in the file.
    pub data: Range<usize>,
}

/// A value with a name: an exported symbol or one from the compiler's global table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// The value.
    pub value: DataHolder,
}

/// A file inside the image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// Its name, with `/` between folders.
    pub name: String,
    /// Where its bytes are in the image.
    pub data: Range<usize>,
}

/// A source file with the code offset of each of its lines (images compiled for debugging).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceFile {
    /// The file's name.
    pub name: String,
    /// Index of the row that this one repeats, its own index if none.
    pub master: u16,
    /// Line number and code pool offset.
    pub lines: Vec<(u32, u32)>,
}

/// A preprocessor macro (images compiled for debugging).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Macro {
    /// Its name.
    pub name: String,
    /// The compiler's flags: 1 has arguments, 2 varies in their number.
    pub flags: u16,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// Replacement text.
    pub expansion: String,
}

/// A loaded image.
#[derive(Debug, Clone, Default)]
pub struct Image {
    /// The file.
    pub file: Vec<u8>,
    /// Format version.
    pub version: u16,
    /// The compiler's 24 bytes of date, which saved games repeat.
    pub timestamp: [u8; 24],
    /// ENTP.
    pub entry: EntryPoint,
    /// Pool 1.
    pub code: Pool,
    /// Pool 2.
    pub constants: Pool,
    /// MCLD.
    pub metaclasses: Vec<MetaclassDependency>,
    /// FNSD: names with versions.
    pub function_sets: Vec<String>,
    /// OBJS, all blocks.
    pub objects: Vec<StaticObject>,
    /// SYMD.
    pub exports: Vec<Symbol>,
    /// MRES.
    pub resources: Vec<Resource>,
    /// MREL: resource name and the file that holds it.
    pub resource_links: Vec<(String, String)>,
    /// GSYM; the bytes are the compiler's extra data.
    pub globals: Vec<(Symbol, Vec<u8>)>,
    /// SRCF.
    pub sources: Vec<SourceFile>,
    /// MACR.
    pub macros: Vec<Macro>,
    /// MHLS: code pool offsets of all methods.
    pub method_list: Vec<u32>,
    /// SINI: where static initializer code starts, and (object, property) to evaluate before the entry point.
    pub static_code: Option<u32>,
    /// The initializers in order.
    pub static_initializers: Vec<(u32, u16)>,
}

/// Which blocks have been met: some may come once only, some must come.
#[derive(Default)]
struct Seen {
    entry: bool,
    metaclasses: bool,
    function_sets: bool,
    pools: [bool; 2],
}

impl Image {
    /// Reads an image. The error names the block and the offset.
    pub fn load(file: Vec<u8>) -> Result<Image, ImageError> {
        let mut image = Image::default();
        read_header(&file, &mut image)?;
        let mut seen = Seen::default();
        let mut at = FIRST_BLOCK;
        loop {
            let mut header = Reader::new("header", file.get(at..).unwrap_or_default(), at);
            let id = header.bytes(4).map_err(|_| ImageError::new("EOF ", at, "the file ends without an EOF block"))?;
            let (size, flags) = (header.u32()? as usize, header.u16()?);
            let name = String::from_utf8_lossy(id).into_owned();
            if id == b"EOF " {
                break;
            }
            if size > header.left() {
                let message = format!("the block announces {size} bytes, the file has {} more", header.left());
                return Err(ImageError::new(&name, at, message));
            }
            let start = header.offset();
            let reader = Reader::new(&name, &file[start..start + size], start);
            read_block(&mut image, &mut seen, id, flags & 1 != 0, reader)?;
            at = start + size;
        }
        let missing = |block: &str, what: &str| Err(ImageError::new(block, at, format!("the image has no {what}")));
        match seen {
            Seen { entry: false, .. } => return missing("ENTP", "entry point"),
            Seen { metaclasses: false, .. } => return missing("MCLD", "metaclass table"),
            Seen { function_sets: false, .. } => return missing("FNSD", "function set table"),
            Seen { pools: [false, _], .. } => return missing("CPDF", "code pool"),
            _ => {}
        }
        image.file = file;
        Ok(image)
    }

    /// The value exported under a name.
    pub fn export(&self, name: &str) -> Option<DataHolder> {
        self.exports.iter().find(|symbol| symbol.name == name).map(|symbol| symbol.value)
    }

    /// The bytes of a constant string: UINT2 length and text.
    pub fn string_bytes(&self, offset: u32) -> Option<&[u8]> {
        let at = offset as usize;
        let length = self.constants.bytes.get(at..at.checked_add(2)?)?;
        let length = u16::from_le_bytes([length[0], length[1]]) as usize;
        self.constants.bytes.get(at + 2..at + 2 + length)
    }
}

fn read_header(file: &[u8], image: &mut Image) -> Result<(), ImageError> {
    if file.get(..SIGNATURE.len()) != Some(SIGNATURE.as_slice()) {
        return Err(ImageError::new("header", 0, "this is not a T3 image (no signature)"));
    }
    let mut reader = Reader::new("header", &file[SIGNATURE.len()..], SIGNATURE.len());
    image.version = reader.u16()?;
    if image.version > 1 {
        return Err(ImageError::new("header", 11, format!("image format version {} is unknown", image.version)));
    }
    reader.skip(28 + 4)?;
    image.timestamp.copy_from_slice(reader.bytes(24)?);
    Ok(())
}

fn read_block(
    image: &mut Image,
    seen: &mut Seen,
    id: &[u8],
    mandatory: bool,
    mut reader: Reader<'_>,
) -> Result<(), ImageError> {
    let once = |flag: &mut bool, reader: &Reader<'_>| {
        if std::mem::replace(flag, true) { Err(reader.error("the image has a second such block")) } else { Ok(()) }
    };
    match id {
        b"ENTP" => {
            once(&mut seen.entry, &reader)?;
            image.entry = read_entry(&mut reader)?;
        }
        b"SYMD" => {
            for _ in 0..reader.u16()? {
                let value = reader.holder()?;
                image.exports.push(Symbol { value, name: reader.short_name()? });
            }
        }
        b"FNSD" => {
            once(&mut seen.function_sets, &reader)?;
            for _ in 0..reader.u16()? {
                image.function_sets.push(reader.short_name()?);
            }
        }
        b"MCLD" => {
            once(&mut seen.metaclasses, &reader)?;
            read_metaclasses(image, &mut reader)?;
        }
        b"CPDF" => {
            let which = pool_number(&mut reader)?;
            once(&mut seen.pools[which], &reader)?;
            define_pool(image, which, &mut reader)?;
        }
        b"CPPG" => {
            let which = pool_number(&mut reader)?;
            if !seen.pools[which] {
                return Err(reader.error("a page comes before the definition of its pool"));
            }
            read_page(image, which, &mut reader)?;
        }
        _ => return read_further_block(image, id, mandatory, reader),
    }
    Ok(())
}

/// Blocks that an image may have several times, or without which it runs.
fn read_further_block(image: &mut Image, id: &[u8], mandatory: bool, mut reader: Reader<'_>) -> Result<(), ImageError> {
    match id {
        b"OBJS" => read_objects(image, &mut reader)?,
        b"MRES" => read_resources(image, &mut reader)?,
        b"MREL" => {
            for _ in 0..reader.u16()? {
                let name = reader.short_name()?;
                image.resource_links.push((name, reader.short_name()?));
            }
        }
        b"GSYM" => read_globals(image, &mut reader)?,
        b"SRCF" => read_sources(image, &mut reader)?,
        b"MACR" => read_macros(image, &mut reader)?,
        b"MHLS" => {
            for _ in 0..reader.u32()? {
                image.method_list.push(reader.u32()?);
            }
        }
        b"SINI" => read_static_initializers(image, &mut reader)?,
        _ if mandatory => return Err(reader.error("the block's type is unknown, and the image says that it is needed")),
        _ => {}
    }
    Ok(())
}

fn read_entry(reader: &mut Reader<'_>) -> Result<EntryPoint, ImageError> {
    let mut entry = EntryPoint {
        code: reader.u32()?,
        method_header_size: reader.u16()? as usize,
        exception_entry_size: reader.u16()? as usize,
        line_entry_size: reader.u16()? as usize,
        debug_header_size: reader.u16()? as usize,
        local_record_size: reader.u16()? as usize,
        debug_version: reader.u16()?,
        frame_header_size: 0,
    };
    if reader.left() >= 2 {
        entry.frame_header_size = reader.u16()? as usize;
    }
    if entry.method_header_size < 10 || entry.exception_entry_size < 10 {
        return Err(reader.error("method headers or exception entries are smaller than 10 bytes"));
    }
    Ok(entry)
}

fn read_metaclasses(image: &mut Image, reader: &mut Reader<'_>) -> Result<(), ImageError> {
    for _ in 0..reader.u16()? {
        let start = reader.position();
        let size = reader.u16()? as usize;
        let name = reader.short_name()?;
        let (count, entry_size) = (reader.u16()?, reader.u16()? as usize);
        if entry_size < 2 {
            return Err(reader.error("property entries are smaller than 2 bytes"));
        }
        let mut properties = Vec::new();
        for _ in 0..count {
            properties.push(reader.u16()?);
            reader.skip(entry_size - 2)?;
        }
        let used = reader.position() - start;
        if used > size {
            return Err(reader.error(format!("the entry of {name} is longer than it says")));
        }
        reader.skip(size - used)?;
        image.metaclasses.push(MetaclassDependency { name, properties });
    }
    Ok(())
}

fn pool_number(reader: &mut Reader<'_>) -> Result<usize, ImageError> {
    match reader.u16()? {
        1 => Ok(0),
        2 => Ok(1),
        other => Err(reader.error(format!("there is no pool {other}"))),
    }
}

fn pool_of(image: &mut Image, which: usize) -> &mut Pool {
    if which == 0 { &mut image.code } else { &mut image.constants }
}

fn define_pool(image: &mut Image, which: usize, reader: &mut Reader<'_>) -> Result<(), ImageError> {
    let (pages, page_size) = (reader.u32()? as usize, reader.u32()? as usize);
    if pages.checked_mul(page_size).is_none_or(|size| size > MAX_POOL) {
        return Err(reader.error(format!("a pool of {pages} pages of {page_size} bytes is too large")));
    }
    *pool_of(image, which) = Pool { bytes: Vec::new(), page_size, pages };
    Ok(())
}

fn read_page(image: &mut Image, which: usize, reader: &mut Reader<'_>) -> Result<(), ImageError> {
    let (page, mask) = (reader.u32()? as usize, reader.u8()?);
    let data = reader.bytes(reader.left())?;
    let pool = pool_of(image, which);
    if page >= pool.pages {
        return Err(reader.error(format!("page {page} of a pool of {} pages", pool.pages)));
    }
    if data.len() > pool.page_size {
        return Err(reader.error(format!("{} bytes in a page of {}", data.len(), pool.page_size)));
    }
    let start = page * pool.page_size;
    let end = start + data.len();
    if pool.bytes.len() < end {
        pool.bytes.resize(end, 0);
    }
    for (slot, byte) in pool.bytes[start..end].iter_mut().zip(data) {
        *slot = byte ^ mask;
    }
    Ok(())
}

fn read_objects(image: &mut Image, reader: &mut Reader<'_>) -> Result<(), ImageError> {
    let (count, metaclass, flags) = (reader.u16()?, reader.u16()?, reader.u16()?);
    for _ in 0..count {
        let id = reader.u32()?;
        if id == 0 || id > MAX_OBJECT_ID {
            return Err(reader.error(format!("{id} is no object identifier")));
        }
        let size = if flags & 1 != 0 { reader.u32()? as usize } else { reader.u16()? as usize };
        let start = reader.offset();
        reader.skip(size)?;
        image.objects.push(StaticObject { id, metaclass, transient: flags & 2 != 0, data: start..start + size });
    }
    Ok(())
}

fn read_resources(image: &mut Image, reader: &mut Reader<'_>) -> Result<(), ImageError> {
    let base = reader.offset();
    let end = base + reader.left();
    for _ in 0..reader.u16()? {
        let (offset, size) = (reader.u32()? as usize, reader.u32()? as usize);
        let length = reader.u8()? as usize;
        let name: Vec<u8> = reader.bytes(length)?.iter().map(|byte| byte ^ 0xff).collect();
        let start = base + offset;
        if start.checked_add(size).is_none_or(|stop| stop > end) {
            return Err(reader.error("a resource reaches beyond its block"));
        }
        image.resources.push(Resource { name: String::from_utf8_lossy(&name).into_owned(), data: start..start + size });
    }
    Ok(())
}

fn read_globals(image: &mut Image, reader: &mut Reader<'_>) -> Result<(), ImageError> {
    for _ in 0..reader.u32()? {
        let (length, extra, code) = (reader.u16()? as usize, reader.u16()? as usize, reader.u16()?);
        let name = String::from_utf8_lossy(reader.bytes(length)?).into_owned();
        let data = reader.bytes(extra)?.to_vec();
        let raw = data.get(..4).map_or(0, |bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        image.globals.push((Symbol { name, value: DataHolder { kind: code.min(255) as u8, raw } }, data));
    }
    Ok(())
}

fn read_sources(image: &mut Image, reader: &mut Reader<'_>) -> Result<(), ImageError> {
    let (count, line_size) = (reader.u16()?, reader.u16()? as usize);
    if line_size < 8 {
        return Err(reader.error("line records are smaller than 8 bytes"));
    }
    for _ in 0..count {
        let start = reader.position();
        let size = reader.u32()? as usize;
        let mut source = SourceFile { master: reader.u16()?, ..SourceFile::default() };
        source.name = reader.long_name()?;
        for _ in 0..reader.u32()? {
            source.lines.push((reader.u32()?, reader.u32()?));
            reader.skip(line_size - 8)?;
        }
        let used = reader.position() - start;
        reader.skip(size.saturating_sub(used))?;
        image.sources.push(source);
    }
    Ok(())
}

fn read_macros(image: &mut Image, reader: &mut Reader<'_>) -> Result<(), ImageError> {
    for _ in 0..reader.u32()? {
        let mut entry = Macro { name: reader.long_name()?, flags: reader.u16()?, ..Macro::default() };
        for _ in 0..reader.u16()? {
            entry.parameters.push(reader.long_name()?);
        }
        let length = reader.u32()? as usize;
        entry.expansion = String::from_utf8_lossy(reader.bytes(length)?).into_owned();
        image.macros.push(entry);
    }
    Ok(())
}

fn read_static_initializers(image: &mut Image, reader: &mut Reader<'_>) -> Result<(), ImageError> {
    let start = reader.position();
    let header = reader.u32()? as usize;
    image.static_code = Some(reader.u32()?);
    let count = reader.u32()?;
    let used = reader.position() - start;
    reader.skip(header.saturating_sub(used))?;
    for _ in 0..count {
        image.static_initializers.push((reader.u32()?, reader.u16()?));
    }
    Ok(())
}
