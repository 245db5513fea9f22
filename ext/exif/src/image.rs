//! An image that is being read: its stream, and what is known of it.

use crate::number::Order;
use crate::number::{component_size, format};
use crate::tags::{self, Table};
use crate::value::{Data, Item, NAMES, Number, Section};
use phlox_ext_standard_file::stream::{SEEK_END, SEEK_SET, Stream};
use phlox_runtime::room::require_room;
use phlox_runtime::{Call, Level, PhpResult, until_nul};
use std::rc::Rc;

/// Types of images, by the numbers of PHP's constants.
pub mod kind {
    pub const UNKNOWN: i64 = 0;
    pub const JPEG: i64 = 2;
    pub const TIFF_INTEL: i64 = 7;
    pub const TIFF_MOTOROLA: i64 = 8;
}

/// The tag of what makers note in formats of their own.
pub const MAKER_NOTE: u16 = 0x927c;

/// Errors of one image that are told.
const MOST_ERRORS: u32 = 10;
const FILE_END: &str = "Unexpected end of file reached";

/// What is known of the thumbnail.
#[derive(Debug, Default)]
pub struct Thumbnail {
    pub kind: i64,
    pub width: u64,
    pub height: u64,
    pub size: u64,
    pub offset: u64,
    pub data: Option<Vec<u8>>,
}

impl Thumbnail {
    /// Is it known where it is, and how large?
    pub fn is_told(&self) -> bool {
        self.kind != kind::UNKNOWN && self.size != 0 && self.offset != 0
    }
}

/// Values that are computed from several others.
#[derive(Debug, Default)]
pub struct Computed {
    pub width: i64,
    pub height: i64,
    pub is_color: bool,
    pub aperture: f32,
    pub exposure_time: f32,
    pub focal_plane_unit: f64,
    pub focal_plane_resolution: f64,
    pub ccd_width: f32,
    pub exif_width: u64,
    pub distance: f32,
    pub user_comment: Option<Vec<u8>>,
    pub user_comment_encoding: Option<&'static str>,
    pub copyright: Option<Vec<u8>>,
    pub photographer: Option<Vec<u8>>,
    pub editor: Option<Vec<u8>>,
    /// Texts that Windows XP added, by tag.
    pub xp_texts: Vec<(u16, Vec<u8>)>,
}

/// The image.
pub struct Image<'c, 'a> {
    pub call: &'c Call<'a>,
    stream: Rc<Stream>,
    pub file_name: Option<Vec<u8>>,
    pub file_time: i64,
    pub file_size: u64,
    pub kind: i64,
    /// The order of bytes, once it is known.
    pub order: Option<Order>,
    pub make: Option<Vec<u8>>,
    pub computed: Computed,
    pub thumbnail: Thumbnail,
    pub reads_thumbnail: bool,
    /// Bits of the sections that were found.
    pub found: u32,
    pub items: [Vec<Item>; NAMES.len()],
    pub nesting: u32,
    pub directories: u32,
    errors: u32,
}

impl<'c, 'a> Image<'c, 'a> {
    /// An image of which nothing is read yet.
    pub fn new(call: &'c Call<'a>, stream: Rc<Stream>, reads_thumbnail: bool) -> Image<'c, 'a> {
        Image {
            call,
            stream,
            file_name: None,
            file_time: 0,
            file_size: 0,
            kind: kind::UNKNOWN,
            order: None,
            make: None,
            computed: Computed::default(),
            thumbnail: Thumbnail::default(),
            reads_thumbnail,
            found: 0,
            items: Default::default(),
            nesting: 0,
            directories: 0,
            errors: 0,
        }
    }

    /// Raises a warning about the image, in the name of the function and with the name of the file. Only the first ones are told.
    pub fn warn(&mut self, text: &str) -> PhpResult<()> {
        self.raise(Level::Warning, text)
    }

    /// Raises a notice about the image.
    pub fn notice(&mut self, text: &str) -> PhpResult<()> {
        self.raise(Level::Notice, text)
    }

    fn raise(&mut self, level: Level, text: &str) -> PhpResult<()> {
        self.errors += 1;
        let call = self.call;
        if self.errors > MOST_ERRORS {
            return match self.errors == MOST_ERRORS + 1 {
                true => call.raise(level, b"Further exif parsing errors have been suppressed"),
                false => Ok(()),
            };
        }
        let file = self.file_name.as_deref().unwrap_or_default();
        let message = [&call.func.display_name()[..], b"(", file, b"): ", text.as_bytes()].concat();
        call.vm.raise(level, &call.vm.builtin_message(&message))
    }

    /// The order of bytes; Motorola's as long as it is not known, as in PHP.
    pub fn byte_order(&self) -> Order {
        self.order.unwrap_or(Order::Motorola)
    }

    /// Is the file itself a TIFF?
    pub fn is_tiff(&self) -> bool {
        matches!(self.kind, kind::TIFF_INTEL | kind::TIFF_MOTOROLA)
    }

    /// Where the stream is.
    pub fn position(&self) -> u64 {
        self.stream.tell().unsigned_abs()
    }

    /// Moves the stream; what cannot be reached leaves it where it is.
    pub fn seek(&self, position: u64) -> PhpResult<()> {
        let position = i64::try_from(position).unwrap_or(i64::MAX);
        self.stream.seek(self.call.vm, position, SEEK_SET).map(drop)
    }

    /// The size of what the stream has; it is moved to the start.
    pub fn measure(&self) -> PhpResult<u64> {
        self.stream.seek(self.call.vm, 0, SEEK_END)?;
        let size = self.position();
        self.seek(0)?;
        Ok(size)
    }

    /// Reads bytes; fewer only at the end.
    pub fn read(&self, size: usize) -> PhpResult<Vec<u8>> {
        const PIECE: usize = 1 << 16;
        let mut data = Vec::new();
        while data.len() < size {
            let part = self.stream.read(self.call.vm, PIECE.min(size - data.len()))?.unwrap_or_default();
            if part.is_empty() {
                break;
            }
            require_room(data.len() + part.len());
            data.extend(part);
        }
        Ok(data)
    }

    /// Reads bytes that must be there. `None`: they are not, which was warned about.
    pub fn read_all(&mut self, position: u64, size: usize) -> PhpResult<Option<Vec<u8>>> {
        let before = self.position();
        self.seek(position)?;
        let now = self.position();
        if now != position {
            self.warn(&format!("Wrong file pointer: 0x{now:08X} != 0x{position:08X}"))?;
            return Ok(None);
        }
        let data = self.read(size)?;
        self.seek(before)?;
        if data.len() < size {
            self.warn(FILE_END)?;
            return Ok(None);
        }
        Ok(Some(data))
    }

    /// The next byte; `None` at the end.
    pub fn byte(&self) -> PhpResult<Option<u8>> {
        Ok(self.stream.read(self.call.vm, 1)?.and_then(|data| data.first().copied()))
    }

    /// Adds a value to a section.
    pub fn add(&mut self, section: Section, item: Item) {
        self.found |= section.bit();
        self.items[section as usize].push(item);
    }

    /// Adds a value of a directory.
    pub fn add_tag(
        &mut self,
        section: Section,
        name: String,
        tag: u16,
        format: u16,
        length: usize,
        value: &[u8],
    ) -> PhpResult<()> {
        let size = component_size(format);
        let data = match format {
            format::USHORT
            | format::ULONG
            | format::URATIONAL
            | format::SSHORT
            | format::SLONG
            | format::SRATIONAL
            | format::SINGLE
            | format::DOUBLE => {
                let order = self.byte_order();
                let parts = value.chunks_exact(size).take(length);
                let mut numbers: Vec<Number> = parts.filter_map(|part| Number::read(part, format, order)).collect();
                if numbers.len() < length {
                    self.warn("Value too short")?;
                    let missing = Number::read(&[], format, order).unwrap_or(Number::Unsigned(0));
                    require_room(length.saturating_mul(size_of::<Number>()));
                    numbers.resize(length, missing);
                }
                if numbers.is_empty() { Data::Nothing } else { Data::Numbers(numbers) }
            }
            _ if length > value.len() => {
                self.warn(&format!("length > value_len: {length} > {}", value.len()))?;
                Data::Nothing
            }
            format::STRING => filled(Data::Text, until_nul(&value[..length])),
            _ if tag == MAKER_NOTE => filled(Data::Bytes, until_nul(&value[..length])),
            _ => filled(Data::Bytes, &value[..length]),
        };
        self.add(section, Item { name, tag, format, data });
        Ok(())
    }
}

/// A value of bytes; without bytes there is none.
fn filled(kind: fn(Vec<u8>) -> Data, bytes: &[u8]) -> Data {
    if bytes.is_empty() { Data::Nothing } else { kind(bytes.to_vec()) }
}

/// The tags of a section.
pub fn table(section: Section) -> Table {
    match section {
        Section::Gps => tags::GPS,
        Section::Interop => tags::IOP,
        _ => tags::IFD,
    }
}

/// The name of a tag.
pub fn name(tag: u16, table: Table) -> Option<&'static str> {
    // PHP's tables end with these rows.
    const END: Table = &[(0xffff, "No tag value"), (0xfffe, "Computed value")];
    table.iter().chain(END).find(|(number, _)| *number == tag).map(|(_, name)| *name)
}

/// The name of a tag in messages.
pub fn name_in_message(tag: u16, table: Table) -> &'static str {
    name(tag, table).unwrap_or("UndefinedTag")
}
