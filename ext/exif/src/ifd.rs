//! Directories of tags, and what single tags mean.

use crate::image::{Image, MAKER_NOTE, kind, name, name_in_message, table};
use crate::number::{as_float, as_integer, component_size, format, without_sign};
use crate::tags::Table;
use crate::text::{shown_comment, until_nul};
use crate::value::Section;
use phlox_runtime::PhpResult;
use std::borrow::Cow;

pub const IMAGE_WIDTH: u16 = 0x0100;
pub const IMAGE_HEIGHT: u16 = 0x0101;
pub const PHOTOMETRIC_INTERPRETATION: u16 = 0x0106;
const MAKE: u16 = 0x010f;
pub const STRIP_OFFSETS: u16 = 0x0111;
const STRIP_BYTE_COUNTS: u16 = 0x0117;
pub const SUB_IFD: u16 = 0x014a;
pub const JPEG_OFFSET: u16 = 0x0201;
const JPEG_SIZE: u16 = 0x0202;
const COPYRIGHT: u16 = 0x8298;
const EXPOSURE_TIME: u16 = 0x829a;
const F_NUMBER: u16 = 0x829d;
pub const EXIF_POINTER: u16 = 0x8769;
pub const GPS_POINTER: u16 = 0x8825;
const SHUTTER_SPEED: u16 = 0x9201;
const APERTURE: u16 = 0x9202;
const MAX_APERTURE: u16 = 0x9205;
const SUBJECT_DISTANCE: u16 = 0x9206;
const USER_COMMENT: u16 = 0x9286;
const XP_TITLE: u16 = 0x9c9b;
const XP_SUBJECT: u16 = 0x9c9f;
pub const EXIF_WIDTH: u16 = 0xa002;
pub const EXIF_HEIGHT: u16 = 0xa003;
pub const INTEROP_POINTER: u16 = 0xa005;
const FOCAL_PLANE_X: u16 = 0xa20e;
const FOCAL_PLANE_UNIT: u16 = 0xa210;

/// How deep directories may lie in each other.
const MOST_NESTING: u32 = 10;
/// Tags that are read of an image.
const MOST_TAGS: u32 = 1000;

/// Bytes that offsets lead to.
pub struct Area<'d> {
    data: &'d [u8],
    /// The offset of the first byte.
    start: u64,
}

impl<'d> Area<'d> {
    /// Bytes whose offsets count from the first one.
    pub fn new(data: &'d [u8]) -> Area<'d> {
        Area { data, start: 0 }
    }

    /// Bytes of a file from a place on.
    pub fn at(start: u64, data: &'d [u8]) -> Area<'d> {
        Area { data, start }
    }

    /// Bytes at an offset, if they are there.
    pub fn get(&self, offset: u64, size: usize) -> Option<&'d [u8]> {
        let from = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        self.data.get(from..from.checked_add(size)?)
    }

    fn behind(&self, offset: u64) -> &'d [u8] {
        let from = offset.checked_sub(self.start).and_then(|from| usize::try_from(from).ok());
        from.and_then(|from| self.data.get(from..)).unwrap_or_default()
    }
}

/// A tag as a directory has it.
struct Tag<'d> {
    number: u16,
    format: u16,
    components: u32,
    value: &'d [u8],
    /// The last four bytes of the entry, which are an offset also where the value is shorter.
    offset: &'d [u8],
    name: &'static str,
}

/// The section of a directory that a tag points to, with the tag.
pub fn sub_section(tag: u16) -> Option<Section> {
    match tag {
        EXIF_POINTER => Some(Section::Exif),
        GPS_POINTER => Some(Section::Gps),
        INTEROP_POINTER => Some(Section::Interop),
        SUB_IFD => Some(Section::Thumbnail),
        _ => None,
    }
}

impl Image<'_, '_> {
    /// Reads a tag of a directory. False: nothing more can be read.
    pub fn read_tag(
        &mut self,
        entry: &[u8],
        area: &Area<'_>,
        displacement: u64,
        section: Section,
        follows: bool,
        table: Table,
    ) -> PhpResult<bool> {
        self.directories += 1;
        if self.directories > MOST_TAGS + 1 {
            self.warn("corrupt EXIF header: maximum IFD tag count reached")?;
            return Ok(false);
        }
        if self.nesting > MOST_NESTING {
            self.warn("corrupt EXIF header: maximum directory nesting level reached")?;
            return Ok(false);
        }
        self.nesting += 1;
        let result = self.read_tag_inside(entry, area, displacement, section, follows, table);
        self.nesting -= 1;
        result
    }

    /// May one more directory be read?
    pub fn may_go_deeper(&mut self) -> bool {
        self.directories += 1;
        self.directories <= MOST_TAGS + 1 && self.nesting <= MOST_NESTING
    }

    fn read_tag_inside(
        &mut self,
        entry: &[u8],
        area: &Area<'_>,
        displacement: u64,
        section: Section,
        follows: bool,
        table: Table,
    ) -> PhpResult<bool> {
        let order = self.byte_order();
        let (number, mut format) = (order.short(entry), order.short(&entry[2..]));
        let components = order.long(&entry[4..]);
        let label = format!("Process tag(x{number:04X}={})", name_in_message(number, table));
        if format == 0 || format > format::IFD {
            self.warn(&format!("{label}: Illegal format code 0x{format:04X}, suppose BYTE"))?;
            format = format::BYTE;
        }
        let size = u64::from(components) * component_size(format) as u64;
        if size > i32::MAX as u64 {
            self.warn(&format!("{label}: Illegal byte_count"))?;
            return Ok(false);
        }
        let outside;
        let value = if size > 4 {
            let offset = u64::from(order.long(&entry[8..]));
            match area.get(offset, size as usize) {
                Some(value) => value,
                None => {
                    let is_inside = offset + size <= self.file_size;
                    if !is_inside || !(self.is_tiff() || self.kind == kind::JPEG) {
                        // PHP prints numbers of 32 bits.
                        let end = (offset + size) as u32;
                        self.warn(&format!(
                            "{label}: Illegal pointer offset(x{offset:04X} + x{size:04X} = x{end:04X} > x{:04X})",
                            self.file_size
                        ))?;
                        return Ok(false);
                    }
                    let Some(data) = self.read_all(displacement + offset, size as usize)? else { return Ok(false) };
                    outside = data;
                    &outside[..]
                }
            }
        } else {
            &entry[8..8 + size as usize]
        };
        self.found |= Section::AnyTag.bit();
        let offset = if size > 4 { value } else { &entry[8..12] };
        let tag = Tag { number, format, components, value, offset, name: name_in_message(number, table) };
        let goes_on = match section {
            Section::Thumbnail => self.note_thumbnail(&tag)?,
            Section::Ifd0 | Section::Exif => self.note_tag(&tag, area, displacement, follows)?,
            _ => true,
        };
        if !goes_on {
            return Ok(false);
        }
        let shown = name(number, table).map_or_else(|| format!("UndefinedTag:0x{number:04X}"), str::to_owned);
        let is_comment = number == USER_COMMENT && matches!(section, Section::Ifd0 | Section::Exif);
        let value = if is_comment { Cow::Owned(shown_comment(value)) } else { Cow::Borrowed(value) };
        self.add_tag(section, shown, number, format, tag.components as usize, &value)?;
        Ok(true)
    }

    /// Warns if a value that is needed has no bytes. True: it has some.
    fn require_some(&mut self, tag: &Tag<'_>) -> PhpResult<bool> {
        if tag.value.is_empty() {
            self.warn(&format!("Process tag(x{:04X}={}): Cannot be empty", tag.number, tag.name))?;
        }
        Ok(!tag.value.is_empty())
    }

    fn note_thumbnail(&mut self, tag: &Tag<'_>) -> PhpResult<bool> {
        if self.thumbnail.data.is_some() {
            return Ok(true);
        }
        if !self.require_some(tag)? {
            return Ok(false);
        }
        let number = as_integer(tag.value, without_sign(tag.format), self.byte_order());
        let tiff_kind = if self.is_tiff() { self.kind } else { kind::TIFF_MOTOROLA };
        let thumbnail = &mut self.thumbnail;
        match tag.number {
            IMAGE_WIDTH | EXIF_WIDTH => thumbnail.width = number,
            IMAGE_HEIGHT | EXIF_HEIGHT => thumbnail.height = number,
            STRIP_OFFSETS | JPEG_OFFSET => thumbnail.offset = number,
            STRIP_BYTE_COUNTS => (thumbnail.kind, thumbnail.size) = (tiff_kind, number),
            JPEG_SIZE if thumbnail.kind == kind::UNKNOWN => (thumbnail.kind, thumbnail.size) = (kind::JPEG, number),
            _ => {}
        }
        Ok(true)
    }

    /// Notes what a tag says of the whole image, and follows pointers to other directories.
    fn note_tag(&mut self, tag: &Tag<'_>, area: &Area<'_>, displacement: u64, follows: bool) -> PhpResult<bool> {
        let value = tag.value;
        match tag.number {
            COPYRIGHT => self.note_copyright(value),
            USER_COMMENT => {
                let (comment, encoding) = self.user_comment(value);
                self.computed.user_comment = comment;
                self.computed.user_comment_encoding = encoding;
            }
            XP_TITLE..=XP_SUBJECT => {
                self.found |= Section::WinXp.bit();
                let text = self.xp_text(value);
                self.computed.xp_texts.push((tag.number, text));
            }
            EXPOSURE_TIME => self.computed.exposure_time = -1.0,
            SUB_IFD if tag.format == format::IFD => self.notice("Skip SUB IFD")?,
            MAKE => self.make = Some(value.to_vec()),
            MAKER_NOTE => return self.read_maker_note(value, area, displacement),
            EXIF_POINTER | GPS_POINTER | INTEROP_POINTER if follows => {
                return self.follow(tag, area, displacement);
            }
            _ => return self.note_number(tag),
        }
        Ok(true)
    }

    /// Notes a copyright, which may be a photographer's and an editor's, with a zero between.
    fn note_copyright(&mut self, value: &[u8]) {
        let photographer = until_nul(value);
        if value.len() <= 1 || photographer.is_empty() {
            return;
        }
        let computed = &mut self.computed;
        if photographer.len() < value.len() - 1 {
            let editor = &value[photographer.len() + 1..];
            computed.copyright = Some([photographer, b", ", until_nul(editor)].concat());
            computed.photographer = Some(photographer.to_vec());
            computed.editor = Some(editor.to_vec());
        } else {
            computed.copyright = Some(value.to_vec());
        }
    }

    fn note_number(&mut self, tag: &Tag<'_>) -> PhpResult<bool> {
        let is_needed = match tag.number {
            F_NUMBER | EXIF_WIDTH | FOCAL_PLANE_X | SUBJECT_DISTANCE | FOCAL_PLANE_UNIT => true,
            APERTURE | MAX_APERTURE => self.computed.aperture == 0.0,
            SHUTTER_SPEED => self.computed.exposure_time == 0.0,
            _ => false,
        };
        if !is_needed {
            return Ok(true);
        }
        if !self.require_some(tag)? {
            return Ok(false);
        }
        let order = self.byte_order();
        let number = as_float(tag.value, tag.format, order);
        let half = f64::from(2f32.ln());
        let computed = &mut self.computed;
        match tag.number {
            F_NUMBER => computed.aperture = number as f32,
            APERTURE | MAX_APERTURE => computed.aperture = ((number * half * 0.5) as f32).exp(),
            SHUTTER_SPEED => computed.exposure_time = ((-number * half) as f32).exp(),
            EXIF_WIDTH => computed.exif_width = as_integer(tag.value, without_sign(tag.format), order),
            FOCAL_PLANE_X => computed.focal_plane_resolution = number,
            SUBJECT_DISTANCE => computed.distance = number as f32,
            _ => {
                // Millimetres. Cameras that say metres mean inches.
                let unit = match as_integer(tag.value, tag.format, order) {
                    1 | 2 => 25.4,
                    3 => 10.0,
                    4 => 1.0,
                    5 => 0.001,
                    _ => return Ok(true),
                };
                computed.focal_plane_unit = unit;
            }
        }
        Ok(true)
    }

    /// Reads the directory that a tag points to.
    fn follow(&mut self, tag: &Tag<'_>, area: &Area<'_>, displacement: u64) -> PhpResult<bool> {
        if !self.require_some(tag)? {
            return Ok(false);
        }
        let Some(section) = sub_section(tag.number) else { return Ok(true) };
        self.found |= section.bit();
        let offset = u64::from(self.byte_order().long(tag.offset));
        if area.get(offset, 0).is_none() {
            self.warn("Illegal IFD Pointer")?;
            return Ok(false);
        }
        self.read_directory(offset, area, displacement, section, Some(tag.number))
    }

    /// Reads a directory in memory. False: nothing more can be read.
    pub fn read_directory(
        &mut self,
        offset: u64,
        area: &Area<'_>,
        displacement: u64,
        section: Section,
        pointer: Option<u16>,
    ) -> PhpResult<bool> {
        self.found |= Section::Ifd0.bit();
        let directory = area.behind(offset);
        if directory.len() < 2 {
            self.warn("Illegal IFD size")?;
            return Ok(false);
        }
        let count = usize::from(self.byte_order().short(directory));
        let size = 2 + count * 12;
        if directory.len() < size {
            let start = offset - area.start + 2;
            let end = start + (count * 12) as u64;
            self.warn(&format!(
                "Illegal IFD size: x{start:04X} + 2 + x{count:04X}*12 = x{end:04X} > x{:04X}",
                area.data.len()
            ))?;
            return Ok(false);
        }
        for entry in directory[2..size].chunks_exact(12) {
            if !self.read_tag(entry, area, displacement, section, true, table(section))? {
                return Ok(false);
            }
        }
        let behind = &directory[size..];
        if section == Section::Thumbnail || behind.len() < 4 || matches!(pointer, Some(EXIF_POINTER | GPS_POINTER)) {
            return Ok(true);
        }
        let next = u64::from(self.byte_order().long(behind));
        if next == 0 {
            return Ok(true);
        }
        if area.get(next, 0).is_none() {
            self.warn("Illegal IFD offset")?;
            return Ok(false);
        }
        if !self.read_directory(next, area, displacement, Section::Thumbnail, None)? {
            return Ok(false);
        }
        if self.thumbnail.is_told() && self.reads_thumbnail {
            self.take_thumbnail(area)?;
        }
        Ok(true)
    }
}
